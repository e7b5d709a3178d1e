"""`manage.py accept_secret_key`: go on with another secret key, where the former one is lost.

Who is signed in has to sign in again, and so on: docs/operating.md, Keys.
"""

from typing import Any

from django.core.management.base import BaseCommand

from armybuilder.backup.state import check_secret_key


class Command(BaseCommand):
    help = "Let the site start with the secret key that is set now."

    def handle(self, *args: Any, **options: Any) -> None:
        check_secret_key(accept=True)
