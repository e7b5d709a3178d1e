"""`manage.py game_report GAME...`: the contents of these games' files, as a table.

GAME is a zip of BattleScribe's or New Recruit's files. Each playable catalogue is opened.
"""

import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from armybuilder.battlescribe.files.bringing import GameSet, take_apart
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.surveying import GameSurvey
from armybuilder.loading.problems import Refusal

#: Columns of the table.
HEAD = ("game", "revision", "catalogues", "opened", "libraries", "units", "not understood", "ms")


def row_of(cells: Iterable[object]) -> str:
    """Return a row of the table, as Markdown has it."""
    return f"| {' | '.join(map(str, cells))} |"


def cells_of(report: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the cells of the table for a game, without the time."""
    return (
        report["system"],
        report["revision"],
        len(report["catalogues"]),
        sum("refused" not in one for one in report["catalogues"]),
        len(report["libraries"]),
        report["units"],
        sum(one["number"] for one in report["constructs"]),
    )


class Command(BaseCommand):
    help = "Print what is in the files of games, as a table."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="+", type=Path, metavar="GAME")
        parser.add_argument(
            "--constructs", action="store_true", help="name each construct that isn't understood"
        )

    def handle(self, *args: Any, games: list[Path], **options: Any) -> None:
        self.stdout.write(f"{row_of(HEAD)}\n{'|---' * len(HEAD)}|")
        for path in games:
            try:
                brought = take_apart([(path.name, path.read_bytes())])
            except Refusal as refusal:
                self.stderr.write(f"{path.name}: {refusal.sentence}")
                continue
            for why, number in Counter(why for _file, why in brought.refused).items():
                self.stderr.write(f"{path.name}: {number} files refused: {why}")
            for found in brought.games:
                self._print(found, options["constructs"])

    def _print(self, found: GameSet, with_constructs: bool) -> None:
        begun = time.process_time()
        report = GameSurvey(GameFiles(found.members(), found.system.id)).report()
        spent = (time.process_time() - begun) * 1000
        self.stdout.write(row_of((*cells_of(report), f"{spent:.0f}")))
        for construct in report["constructs"] if with_constructs else ():
            file, entry = construct["places"][0]
            self.stdout.write(f"  {construct['number']} {construct['construct']} ({file}: {entry})")
        for file, why in report["refused"]:
            self.stderr.write(f"{file}: {why}")
        for catalogue in report["catalogues"]:
            for name in catalogue.get("missing", ()):
                self.stderr.write(f"{catalogue['name']}: {name} is missing")
