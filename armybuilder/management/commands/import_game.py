"""`manage.py import_game PATH --id ID --out DIR`: a whole game out of BattleScribe files.

PATH is a folder, a .zip or a .gst file. Writes DIR/<id>/system.json and beside it the books with
their ids and ledgers, as `import_battlescribe` does, and prints what was read, left out or
doubtful. DIR/<id> can be put into `catalogs/` as it is. Exit 1 if a book could not be made.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from armybuilder.battlescribe.books import pretty, read_sources
from armybuilder.battlescribe.books.writing import lines, write_book
from armybuilder.battlescribe.games import make_game
from armybuilder.management.refusals import refusing


class Command(BaseCommand):
    help = "Make a game system and its books out of BattleScribe files alone."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="folder, .zip or .gst file")
        parser.add_argument("--id", required=True, help="id of the new game system: my-game")
        parser.add_argument("--game", help="file of the game that is made, of several")
        parser.add_argument("--out", required=True, type=Path, help="folder for the game's folder")

    def handle(self, *args: Any, path: Path, id: str, out: Path, **options: Any) -> None:
        with refusing(returncode=1):
            sources = read_sources(path)
            wanted = sources.of_game(options["game"]).systems
            if len(wanted) > 1:
                ids = {root.get("gameSystemId") for _file, root in sources.books}
                wanted = tuple(book for book in wanted if book[1].get("id") in ids) or wanted
            game = make_game(sources, sources.systems.index(wanted[0]), id)
        folder = out / id
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "system.json").write_text(pretty(game.system), encoding="utf-8")
        for book in game.books:
            write_book(book, folder)
        system = game.system
        self.stdout.write(f"{system['name']} ({system['id']}): {len(system['rules'])} rules.")
        self.stdout.write("\n".join(f"  {gap}" for gap in game.gaps), ending="\n")
        for book in game.books:
            self.stdout.write("\n".join(lines(book)))
        for refused in game.refused:
            self.stderr.write(refused.sentence)
        self.stdout.write(f"{len(game.books)} book{'' if len(game.books) == 1 else 's'}.")
        if game.refused:
            books = len(game.books) + len(game.refused)
            raise CommandError(f"{len(game.refused)} of {books} catalogues became no book.")
