"""Lists of communities' games go the whole way: what is built is what is saved, checked and read.

`LISTS=100 pytest tests/kept_games/test_whole_way.py` tries so many lists of each game.
"""

import os
from pathlib import Path
from random import Random

import pytest

from armybuilder.battlescribe.files.game import GameFiles
from tests.battlescribe.files.random_lists import GAMES, games_in
from tests.effort import THOROUGH, scaled
from tests.kept_games.files import game_set
from tests.kept_games.whole_way import Journey
from tests.pages.forces.armies import squads

LISTS = int(os.environ.get("LISTS", scaled(2, 6, 20)))
FEW = [path for path in GAMES if path.stem in ("kingsofwar", "TrenchCrusade")]


def assert_no_trouble(journey: Journey, lists: int) -> None:
    for number in range(lists):
        one = journey.built(Random(number))  # noqa: S311
        assert list(journey.troubles(one)) == [], number
    assert journey.seen["lists"] == lists


def test_lists_of_a_small_game_go_the_whole_way() -> None:
    found = game_set(squads())
    journey = Journey(GameFiles(found.members(), found.system.id))
    assert_no_trouble(journey, 2 * LISTS)
    assert journey.seen["time"] < journey.seen["lists"]


@pytest.mark.skipif(not GAMES, reason="the communities' files are not here")
@pytest.mark.parametrize("path", GAMES if THOROUGH else FEW, ids=lambda path: path.stem)
def test_lists_of_communities_games_go_the_whole_way(path: Path) -> None:
    for game in games_in(path):
        assert_no_trouble(Journey(game), LISTS)
