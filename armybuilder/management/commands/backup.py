"""`manage.py backup FILE`: a copy of everything, while the site is used.

The database as of this moment, the files of players, and the secret key go into one zip, which gets
its name once complete. With the facts about each list `manage.py restore --verify` proves that it
came back; `--quick` leaves out verdicts. The file holds everything: keep it where nobody else reads
it.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from armybuilder.backup.copying import BackupError, back_up


class Command(BaseCommand):
    help = "Copy database, files and key into one file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--quick", action="store_true", help="leave out the verdicts")

    def handle(self, *args: Any, file: Path, quick: bool, **options: Any) -> None:
        try:
            summary = back_up(file.absolute(), not quick)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        size = file.stat().st_size / 1_000_000
        self.stdout.write(f"{file}: {summary.lists} lists, {summary.files} files, {size:.1f} MB.")
