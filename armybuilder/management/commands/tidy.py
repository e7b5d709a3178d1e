"""`manage.py tidy`: count what nobody needs any more, and with `--remove` remove it.

Deleted lists and books (90 days), old versions, contents of books that nothing names, printed files
(a week), expired sessions. To be run from time to time; on another database than SQLite, while
nobody starts a list.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from armybuilder.books.pinning import RESTORED_FOR as BOOKS_RESTORED_FOR
from armybuilder.housekeeping.tidying import RESTORED_FOR, tidy
from armybuilder.printing.jobs import KEPT_FOR


class Command(BaseCommand):
    help = "Count what nobody needs any more; with --remove, remove it for good."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--remove", action="store_true", help="remove it for good")

    def handle(self, *args: Any, remove: bool, **options: Any) -> None:
        gone = tidy(timezone.now(), remove)
        lines = {
            f"Lists deleted more than {RESTORED_FOR.days} days ago": gone.lists,
            "Versions in histories that are long ago": gone.versions,
            f"Books deleted more than {BOOKS_RESTORED_FOR.days} days ago": gone.books,
            "Kept contents of books that nothing names any more": gone.contents,
            f"Prints made more than {KEPT_FOR.days} days ago": gone.prints,
            "Expired sessions": gone.sessions,
        }
        for what, number in lines.items():
            self.stdout.write(f"{what}: {number}.")
        done = "All of them were removed." if remove else "Nothing was changed: see --remove."
        self.stdout.write(done)
