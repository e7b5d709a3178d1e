"""`manage.py tidy_books`: what of books nobody needs any more?

Books that their players deleted more than 90 days ago, and the contents of books, own or shipped,
that were kept for lists and that no version of a list and no player's book names any more. Says
how many there are; with `--remove` they go for good. Meant to be run from time to time;
on another database than SQLite, while nobody starts a list.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from armybuilder.books.tidying import RESTORED_FOR, forget, long_deleted, unnamed
from armybuilder.lists.selectors import pinned_books


class Command(BaseCommand):
    help = "Count books that nobody needs any more; with --remove, remove them for good."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--remove", action="store_true", help="remove them for good")

    def handle(self, *args: Any, remove: bool, **options: Any) -> None:
        with transaction.atomic():  # SQLite: no list takes a book between the look and the removal
            books = long_deleted(timezone.now())
            contents = unnamed(pinned_books(), books)
            number = books.count()
            if remove:
                books.delete()
                forget(contents)
        self.stdout.write(f"Books deleted more than {RESTORED_FOR.days} days ago: {number}.")
        self.stdout.write(f"Kept contents of books that nothing names any more: {len(contents)}.")
        done = "All of them were removed." if remove else "Nothing was changed: see --remove."
        self.stdout.write(done)
