"""`manage.py tidy`: count what nobody needs any more, and with `--remove` remove it.

Lists and books deleted more than 90 days ago; data of browsers without an account that stayed away
for ABANDONED_DAYS; old versions in the histories of lists; kept contents of books, custom or
shipped, that no list and no player's book names any more; files of many lists printed, after a
week; expired sessions. Prints their numbers; with `--remove` they are removed, and old versions are
compressed.

Meant to be run every day by schedule, while people play: it works in steps of some milliseconds
with pauses, and if it is interrupted the next run goes on. `--seconds` limits its time. If another
process is doing the same, it does nothing.
"""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from armybuilder.books.pinning import RESTORED_FOR as BOOKS_RESTORED_FOR
from armybuilder.housekeeping.tidying import RESTORED_FOR, Busy, Pace, count, tidy
from armybuilder.printing.jobs import prints


class Command(BaseCommand):
    help = "Count what is no longer needed; with --remove, remove it permanently."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--remove", action="store_true", help="remove it for good")
        parser.add_argument(
            "--seconds", type=float, help="time limit in seconds; the next run continues"
        )

    def handle(
        self, *args: Any, remove: bool, seconds: float | None = None, **options: Any
    ) -> None:
        pace = Pace(seconds)
        try:
            gone = tidy(timezone.now(), pace) if remove else count(timezone.now())
        except Busy:
            self.stdout.write("Another tidy is at it: nothing was changed.")
            return
        lines = {
            f"Browsers that were not here for {settings.ABANDONED_DAYS} days": gone.abandoned,
            f"Lists deleted more than {RESTORED_FOR.days} days ago": gone.lists,
            "Versions in histories that are long ago": gone.versions,
            f"Books deleted more than {BOOKS_RESTORED_FOR.days} days ago": gone.books,
            "Kept contents of books that nothing names any more": gone.contents,
            f"Prints made more than {prints.kept_for.days} days ago": gone.prints,
            "Expired sessions": gone.sessions,
        }
        for what, number in lines.items():
            self.stdout.write(f"{what}: {number}.")
        if not remove:
            self.stdout.write("Nothing was changed: see --remove.")
        else:
            self.stdout.write(f"Versions that are kept smaller now: {gone.bundled}.")
            left = "There was no time for all: run it again." if pace.over else "All were removed."
            self.stdout.write(f"{left} The longest step took {pace.longest * 1000:.0f} ms.")
