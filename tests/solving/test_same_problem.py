"""A list is asked about in the same words by every process: what one worker finds, another finds
again, however Python orders its sets there.
"""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tests.building.random_lists import ARMY_BOOKS, SKIRMISHES, catalogue_of, random_lists
from tests.effort import THOROUGH

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
GAMES = [*SKIRMISHES, ARMY_BOOKS[0]] if THOROUGH else ["sbh"]


def asked() -> str:
    """Return a hash of all that a solver is asked to repair a list of each game."""
    import django

    django.setup()
    from armybuilder.solving.cpsat import CpSat, words_of
    from armybuilder.solving.port import Answer, Problem
    from armybuilder.solving.repair import repairs
    from tests.building.documents import value_of

    words = sha256()

    class Listening(CpSat):
        def solve(self, problem: Problem, seconds: float) -> Answer:
            words.update(words_of(problem).encode())
            return super().solve(problem, seconds)

    for game in GAMES:
        army_list = value_of(next(iter(random_lists(game, seed=11))))
        repairs(army_list, catalogue_of(game), Listening(), seconds=0.3)
    return words.hexdigest()


@pytest.mark.slow
def test_every_process_asks_the_same() -> None:
    """Another process, whose sets have another order, asks what this one does."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.solving.test_same_problem"],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONHASHSEED": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split()[-1] == asked()


if __name__ == "__main__":
    print(asked())
