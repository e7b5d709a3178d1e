"""Games made by chance open, and lists of them go the whole way, whatever constructs meet."""

import re
from random import Random

import pytest
from django.test import Client

from armybuilder.battlescribe.files.bringing import take_apart
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.surveying import GameSurvey
from armybuilder.lists.models import ArmyList
from armybuilder.loading.problems import Refusal
from tests.effort import THOROUGH, scaled
from tests.kept_games.random_games import RandomGame
from tests.kept_games.whole_way import Journey
from tests.pages.forces.test_walks import walk
from tests.uploads.files import Uploading

#: Games in which contents require each other without an end, and prices wait for each other.
ENDLESS = (176, 179) if THOROUGH else (176,)
#: Catalogues that lists can be of.
PLAYABLE = ("first", "second")
#: Pages of a list besides the builder's.
PAGES = (
    *("forces/repair/", "forces/why/", "forces/filling/", "print/", "share/", "text/", "export/"),
    *("history/", "sheet/", "commands/", "list.rosz", "list.csv", "event/", "play/"),
    "print.pdf?kinds=full,cards,compact",
)


def game_of(seed: int) -> GameFiles:
    """Return a random game as its zip is taken apart, with a report of all of it."""
    brought = take_apart([("all.zip", RandomGame(seed).zipped())])
    assert brought.refused == []
    (found,) = brought.games
    files = GameFiles(found.members(), found.system.id)
    report = GameSurvey(files).report()
    assert [one["id"] for one in report["catalogues"] if "refused" not in one] == [
        *sorted(PLAYABLE, key=lambda id: files.heads[id].get("name").casefold())
    ]
    return files


def test_lists_of_random_games_go_the_whole_way() -> None:
    for seed in (*ENDLESS, *range(scaled(2, 40, 400))):
        journey = Journey(game_of(seed))
        for number in range(2):
            try:
                one = journey.built(Random(number))  # noqa: S311
            except Refusal as refusal:
                assert "too large" in refusal.sentence, seed  # noqa: PT017
                continue
            assert list(journey.troubles(one)) == [], (seed, number)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(scaled(2, 12, 60)))
def test_pages_of_random_games_answer_whatever_is_pressed(seed: int) -> None:
    client = Client()
    uploading = Uploading(client)
    uploading.send({"all.zip": RandomGame(seed).zipped()})
    (key,) = uploading.keys
    assert uploading.keep(key).status_code == 302
    address = f"/games/{key}/new/"
    fields = {"catalogue": "first", "force": "", "name": "By chance"}
    assert client.post(address, fields).status_code == 302
    of = f"/lists/{ArmyList.objects.get().pk}/"
    walk(client, of, seed, scaled(10, 25, 100))
    for page in PAGES:
        answer = client.get(of + page)
        assert answer.status_code == 200, page
    page = client.get(of).text
    for ref in re.findall(r'href="\?preview=([^"]+)&amp;', page)[:5]:
        assert client.get(f"{of}?preview={ref}").status_code == 200
