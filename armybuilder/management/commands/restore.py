"""`manage.py restore FILE`: make everything of a copy that `manage.py backup` has made.

For an empty database and folder, or with `--replace`; the server and the worker must not run.
Nothing is touched before the whole copy was read and is as it was written. `--verify` then opens
every list and compares it, and its verdict, with the copy.
"""

from argparse import ArgumentParser
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from armybuilder import __version__
from armybuilder.backup.copying import BackupError, differences, key_is_known, restore

#: Differences that are printed, at most.
_MOST = 20


class Command(BaseCommand):
    help = "Make database, files and key of a copy."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="remove the data that is here now"
        )
        parser.add_argument("--verify", action="store_true", help="open and compare every list")

    def handle(self, *args: Any, file: Path, replace: bool, verify: bool, **options: Any) -> None:
        try:
            summary = restore(file, replace)
            differing = list(islice(differences(file), _MOST)) if verify else []
            known = key_is_known(file)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{summary.lists} lists and {summary.files} files of {summary.made}.")
        if not known:
            self.stderr.write(
                "SECRET_KEY is not the key of the copy: put that into SECRET_KEY_FALLBACKS, or"
                " what it has signed is lost."
            )
        if differing:
            if summary.app != __version__:
                differing.append(f"(The copy is of version {summary.app}, this is {__version__}.)")
            raise CommandError("\n".join(differing))
        if verify:
            self.stdout.write("Every list is as in the copy.")
