"""`manage.py check_catalogues [DIR]`: print each problem of systems, books and example lists.

Exit 0: none, 1: some.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from armybuilder.loading.examples import load_examples
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
        examples = load_examples(directory, library)
        problems = (*library.problems, *examples.problems)
        for problem in problems:
            self.stdout.write(str(problem))
        books = sum(len(books) for books in library.books.values())
        units = sum(len(book.units) for books in library.books.values() for book in books.values())
        lists = sum(len(some) for some in examples.by_system.values())
        self.stdout.write(
            f"{len(library.systems)} systems, {books} books, {units} units, {lists} examples:"
            f" {len(problems) or 'no'} problems."
        )
        if problems or not library.systems:
            raise SystemExit(1)
