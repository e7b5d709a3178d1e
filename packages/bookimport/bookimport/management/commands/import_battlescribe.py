"""`manage.py import_battlescribe PATH --system ID --out DIR`: books out of BattleScribe files.

PATH is a folder, a .zip or a file. Writes DIR/<book id>.json, beside it battlescribe/ (ids that
rosters name) and audit/ (the outcome of every restriction), and prints what was read, left out or
doubtful. Exit 1 if a book could not be made.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from armybuilder.loading.library import CATALOGUE_DIR, book_problems, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.management.refusals import refusing
from bookimport import make_book, read_sources
from bookimport.other_editions import OtherEditions
from bookimport.rulebook import Rulebook
from bookimport.writing import lines, write_book


class Command(BaseCommand):
    help = "Make army books out of BattleScribe files and report what could not be said."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="folder, .zip, .cat or .gst file")
        parser.add_argument("--system", required=True, help="id of the game system")
        parser.add_argument("--game", help="file of the game whose books are made, of several")
        parser.add_argument("--out", required=True, type=Path, help="folder for the books")

    def handle(self, *args: Any, path: Path, system: str, out: Path, **options: Any) -> None:
        with refusing(returncode=1):
            game = shipped_library().system(system)
            sources = read_sources(path).of_game(options["game"])
        books, rules = [], Rulebook.carrying(game.carried)
        others = OtherEditions.read(CATALOGUE_DIR / game.id)
        for number in range(len(sources.books)):
            try:
                books.append(make_book(sources, number, game.id, rules, others))
            except Refusal as refusal:
                self.stderr.write(refusal.sentence)
        for book in books:
            self.stdout.write("\n".join(lines(book)))
        out.mkdir(parents=True, exist_ok=True)
        written: set[str] = set()
        for made in books:
            id_ = made.book["id"]
            troubles = [str(problem) for problem in book_problems(made.book, game, f"{id_}.json")]
            if id_ in written:
                troubles.append(f"There are two books {id_}.")
            if troubles:
                self.stderr.write("\n".join([*troubles, f"{id_} is not written."]))
                continue
            written.add(id_)
            write_book(made, out)
        refused = len(sources.books) - len(written)
        self.stdout.write(f"{len(books)} book{'' if len(books) == 1 else 's'}.")
        if refused or not books:
            raise CommandError(f"{refused} of {len(sources.books)} books were not written.")
