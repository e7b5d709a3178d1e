"""The shipped books are what is made of the files that communities keep for BattleScribe.

The files are no part of the project. `BATTLESCRIBE_FILES` names the folder that has them.
"""

import os
from pathlib import Path

import pytest
from django.core.management import call_command

FOLDER = os.environ.get("BATTLESCRIBE_FILES")
#: One game, and the others for `make thorough`.
GAMES = [
    "essence-of-war",
    pytest.param("t9a-2023", marks=pytest.mark.slow),
    pytest.param("t9a-2024", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_book_of_a_game_is_what_its_files_give(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(FOLDER or "-") / game
    if not folder.is_dir():
        pytest.skip(f"BATTLESCRIBE_FILES names no folder with {game} in it")
    call_command("audit_catalogues", source=folder)
    assert capsys.readouterr().out.endswith("no problems.\n")
