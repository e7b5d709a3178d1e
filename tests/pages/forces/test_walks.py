"""Random walks over the builder: whatever is pressed, the page answers and its numbers are right.

`STEPS=200 pytest tests/pages/forces/test_walks.py` walks so far in each game.
"""

import os
from collections import Counter
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest
from django.test import Client

from armybuilder.battlescribe.files.bringing import take_apart
from armybuilder.games.opening import open_game
from armybuilder.games.services import keep, store
from armybuilder.lists.forces import start_forces
from armybuilder.lists.models import ArmyList
from armybuilder.lists.worked_out import force_list_of, work_out, worked_out
from armybuilder.loading.problems import Refusal
from tests.battlescribe.files.random_lists import GAMES
from tests.pages.forces.armies import HOLDER, Pond
from tests.pages.forces.walking import Walk

pytestmark = pytest.mark.django_db

STEPS = int(os.environ.get("STEPS", "8"))
FEW = [path for path in GAMES if path.stem in ("kingsofwar", "mordheim", "TrenchCrusade")]


def assert_true(address: str) -> None:
    """What was worked out step by step is what comes of the list alone."""
    row = ArmyList.objects.get(pk=address.strip("/").split("/")[1])
    version = row.versions.get(number=row.number)
    alone = work_out(force_list_of(version.content))
    stepwise = worked_out(version)
    assert stepwise.document == alone.document
    assert stepwise.costs == alone.costs
    assert Counter(stepwise.told) == Counter(alone.told)
    assert (row.points, row.outcome) == (alone.report.numbers[0], alone.report.outcome)


def walk(client: Client, address: str, seed: int, steps: int) -> None:
    one = Walk(client, address, Random(seed))  # noqa: S311
    for _ in range(steps):
        press = one.step()
        assert one.statuses[-1] < 500, press
    assert set(one.statuses) <= {200, 302, 409, 422}
    assert_true(address)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(2))
def test_random_clicks_in_a_small_game_break_nothing(client: Client, seed: int) -> None:
    walk(client, Pond(client).address, seed, 3 * STEPS)


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.skipif(not GAMES, reason="community files of games are not here")
@pytest.mark.parametrize("path", FEW, ids=lambda path: path.stem)
def test_random_clicks_in_community_games_break_nothing(client: Client, path: Path) -> None:
    with ZipFile(path) as archive:
        files = [(name, archive.read(name)) for name in archive.namelist() if name[-1] != "/"]
    game = store(take_apart(files).games[0], {})
    keep(HOLDER, game.pk)
    session = client.session
    session["holder"] = HOLDER
    session.save()
    random = Random(path.stem)  # noqa: S311
    heads = sorted(
        head.id for head in open_game(game.pk).heads.values() if not head.says("library")
    )
    try:
        version = start_forces(HOLDER, game.pk, random.choice(heads), "")
    except Refusal as refusal:
        pytest.skip(refusal.sentence)
    walk(client, f"/lists/{version.army_list_id}/", 1, STEPS)
