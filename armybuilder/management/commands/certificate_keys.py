"""`manage.py certificate_keys`: the keys that certificates are signed with.

`--rotate` makes a new key for signing; certificates by the old one stay valid. `--revoke KEY
--reason WHY` withdraws a key: none of its signatures is accepted any more.
"""

import argparse
import time
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from armybuilder.certificates.models import SigningKey, revoke, rotate


class Command(BaseCommand):
    help = "List, rotate and revoke the keys that certificates are signed with."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--rotate", action="store_true", help="sign with a new key from now on")
        parser.add_argument("--revoke", metavar="KEY", help="withdraw the key of this id")
        parser.add_argument(
            "--reason", default="", help="reason; shown with each certificate of that key"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        now = int(time.time())
        if options["revoke"]:
            if not options["reason"]:
                raise CommandError("Say why, with --reason.", returncode=2)
            if not revoke(options["revoke"], options["reason"], now):
                raise CommandError(f"There is no key “{options['revoke']}”.", returncode=1)
        if options["rotate"]:
            rotate(now)
        for key in SigningKey.objects.all():
            ended = f" to {_day(key.until)}" if key.until else ", signs"
            state = f"from {_day(key.made)}{ended}"
            if key.revoked:
                state = f"withdrawn {_day(key.revoked)}: {key.reason}"
            self.stdout.write(f"{key.kid}  {state}")


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
