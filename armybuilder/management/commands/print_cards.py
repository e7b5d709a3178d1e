"""`manage.py print_cards FILE -o OUT.pdf`: cards of a list document, nine to a page.

`--book SYSTEM/BOOK` prints a book's instead, `--blank SYSTEM` empty ones. Exit 0: written, 2: no
such list, book or system, or the file cannot be written.
"""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from armybuilder.loading.documents import read_document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.management.refusals import refusing
from armybuilder.sheets.cards.cards_pdf import draw_cards
from armybuilder.sheets.content.cards import PAGE, Face, blank_faces, faces_of_book, faces_of_list
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.setup import CARD_PAPERS


class Command(BaseCommand):
    help = "Print cards (PDF) of an army list, of a book, or blank ones."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("file", type=Path, nargs="?", help="the list document (JSON)")
        what.add_argument("--book", metavar="SYSTEM/BOOK", help="a book's units, one card each")
        what.add_argument("--blank", metavar="SYSTEM", help="cards to fill in by pen")
        parser.add_argument("-o", "--output", type=Path, required=True, help="output file (PDF)")
        parser.add_argument("--paper", choices=list(CARD_PAPERS), default="A4")
        parser.add_argument("--count", type=int, default=PAGE, help="number of empty cards")

    def handle(self, *_: Any, **options: Any) -> None:
        output: Path = options["output"]
        with refusing():
            title, faces = _faces(options)
            output.write_bytes(draw_cards(faces, options["paper"], title))
        self.stdout.write(f"{output}: {title}.")


def _faces(options: dict[str, Any]) -> tuple[str, list[Face]]:
    """Return the title of the file and its cards. Raises Refusal: it is not there."""
    library = shipped_library()
    if options["book"]:
        system_id, _, book_id = options["book"].partition("/")
        system = library.system(system_id)
        book = library.books[system_id].get(book_id)
        if book is None:
            raise Refusal(f"{system.name} has no book “{book_id[:80]}”.")
        return f"{book.name} cards", faces_of_book(book, system)
    if options["blank"]:
        system = library.system(options["blank"])
        return f"{system.name} empty cards", blank_faces(system, max(1, options["count"]))
    file: Path = options["file"]
    document = read_document(file.read_bytes(), file.name)
    title = one_line(document.name) or "Unnamed list"
    return f"{title} cards", faces_of_list(document, library)
