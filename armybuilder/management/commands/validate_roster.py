"""`manage.py validate_roster GAME ROSTER...`: are these rosters legal by their game's own files?

GAME is a folder or zip of BattleScribe or New Recruit files. Exit 0: all legal as far as checked,
1: one is not, 2: one could not be read.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import members_of, read_element
from armybuilder.battlescribe.files.telling import verdict_on
from armybuilder.loading.problems import Refusal
from armybuilder.management.refusals import refusing


class Command(BaseCommand):
    help = "Check rosters against the files of their game, as these are."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", type=Path, metavar="GAME")
        parser.add_argument("rosters", nargs="+", type=Path, metavar="ROSTER")
        parser.add_argument(
            "--system", default="", metavar="ID", help="id of the game, if the files hold several"
        )

    def handle(self, *args: Any, game: Path, rosters: list[Path], **options: Any) -> None:
        with refusing():
            files = GameFiles(members_of(game), options["system"])
        for name, reason in files.refused.items():
            self.stderr.write(f"{name}: {reason}")
        worst = 0
        for path in rosters:
            try:
                verdict = verdict_on(read_element(path.read_bytes()), files)
            except (Refusal, OSError) as error:
                self.stderr.write(f"{path}: {error}")
                worst = 2
                continue
            self.stdout.write(f"{path}: {verdict.words}")
            for sentence in (*verdict.sentences, *verdict.advice, *verdict.unchecked):
                self.stdout.write(f"  {sentence}")
            worst = max(worst, int(not verdict.is_legal))
        if worst:
            raise SystemExit(worst)
