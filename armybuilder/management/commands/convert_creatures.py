"""`manage.py convert_creatures [--check]`: the book of converted creatures out of their scores.

Writes catalogs/chainmail-2002/converted.json; --check only compares: exit 0: equal, 1: not.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from armybuilder.converting.book import BOOK_ID, SYSTEM, book_text, make_book
from armybuilder.loading.library import CATALOGUE_DIR


class Command(BaseCommand):
    help = "Write the book of converted creatures, or check that it is up to date."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="compare only")
        parser.add_argument(
            "--file",
            type=Path,
            default=CATALOGUE_DIR / SYSTEM / f"{BOOK_ID}.json",
            help="file of the book",
        )

    def handle(self, *args: Any, check: bool, file: Path, **options: Any) -> None:
        book = make_book()
        text = book_text(book)
        if not check:
            file.write_text(text, encoding="utf-8")
            self.stdout.write(f"{len(book['units'])} creatures written.")
        elif file.is_file() and file.read_text(encoding="utf-8") == text:
            self.stdout.write(f"{file.name} is up to date.")
        else:
            self.stderr.write(f"{file.name} differs: run convert_creatures.")
            raise SystemExit(1)
