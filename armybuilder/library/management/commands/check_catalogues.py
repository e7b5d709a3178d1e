"""`manage.py check_catalogues [DIR]`: is every system and book file right?

Prints each problem with file, pointer and what to do. Exit 0: none, 1: some.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from armybuilder.loading.library import CATALOGUE_DIR, load_library


class Command(BaseCommand):
    help = "Check every catalogue file and print all problems."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", nargs="?", type=Path, default=CATALOGUE_DIR)

    def handle(self, *args: Any, directory: Path, **options: Any) -> None:
        if not directory.is_dir():
            self.stderr.write(f"{directory} is not a folder.")
            raise SystemExit(2)
        library = load_library(directory)
        for problem in library.problems:
            self.stdout.write(str(problem))
        books = sum(len(books) for books in library.books.values())
        units = sum(len(book.units) for books in library.books.values() for book in books.values())
        self.stdout.write(
            f"{len(library.systems)} systems, {books} books, {units} units:"
            f" {len(library.problems) or 'no'} problems."
        )
        if library.problems or not library.systems:
            raise SystemExit(1)
