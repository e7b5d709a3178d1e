"""My lists: what a search finds first, and which lists stay ticked after something was done."""

import re

import pytest
from django.test import Client

from tests.markup import flat
from tests.pages.my_lists.test_my_lists import Mine

pytestmark = pytest.mark.django_db


@pytest.fixture
def rounds(client: Client) -> Mine:
    """Lists of which most have a 2 somewhere, in their game if not in their name."""
    mine = Mine(client)
    mine.start("Round 2")
    for name in ("Round 1", "Round 20", "Second round of 2"):
        mine.start(name, system="chainmail-2002", book="practice", limit=100)
    return mine


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("round 2", ["Round 2", "Second round of 2"]),
        ("rou", ["Second round of 2", "Round 20", "Round 1", "Round 2"]),
        ("ound", []),
        ("20", ["Round 20"]),
        ("2002 second", ["Second round of 2"]),
        ("round [", []),
    ],
)
def test_words_are_found_where_they_begin_and_numbers_as_a_whole(
    rounds: Mine, text: str, found: list[str]
) -> None:
    assert rounds.names(q=text) == found


def test_a_script_without_spaces_is_searched_anywhere(rounds: Mine) -> None:
    rounds.start("北方精灵")
    assert rounds.names(q="精灵") == ["北方精灵"]


def test_lists_that_are_called_as_asked_come_first_but_not_in_an_order_of_ones_own(
    rounds: Mine,
) -> None:
    rounds.do("tag", "Round 1", tags="round 2")
    rounds.client.post(f"/lists/{rounds.ids['Round 1']}/rename/", {"name": "A changed last"})
    assert rounds.names(q="round 2") == ["Round 2", "A changed last", "Second round of 2"]
    assert rounds.names(q="round 2", sort="name")[0] == "A changed last"
    rounds.do("pin", "Second round of 2")
    assert rounds.names(q="round 2")[0] == "Second round of 2"


def ticked(mine: Mine, query: str = "") -> list[str]:
    """The ids of the rows that are ticked."""
    page = flat(mine.page(query))
    return re.findall(r'name="list" value="([0-9a-f-]+)" form="chosen" checked', page)


@pytest.mark.parametrize(
    ("act", "stay"), [("tag", True), ("untag", True), ("pin", True), ("archive", False)]
)
def test_ticks_stay_after_an_act_that_leaves_the_lists_where_they_are(
    rounds: Mine, act: str, stay: bool
) -> None:
    rounds.do(act, "Round 1", "Round 2", tags="club", bar="yes")
    wanted = {rounds.ids["Round 1"], rounds.ids["Round 2"]} if stay else set()
    assert set(ticked(rounds)) == wanted
    assert ticked(rounds) == []


def test_the_menu_of_one_list_keeps_the_ticks_of_others_and_makes_none(rounds: Mine) -> None:
    kept = rounds.ids["Round 1"]
    rounds.do("pin", "Round 2", ticked=kept)
    assert ticked(rounds) == [kept]
    rounds.do("archive", "Round 1", ticked=kept)
    assert ticked(rounds) == []
    address = f"/lists/{rounds.ids['Round 2']}/rename/"
    rounds.client.post(address, {"name": "Other", "ticked": kept})
    assert rounds.client.get("/lists/?place=archived").context["ticked"] != []


@pytest.mark.parametrize(("act", "focused"), [("tag", "tags"), ("pin", "more")])
def test_the_focus_goes_back_to_the_part_of_the_bar_that_was_used(
    rounds: Mine, act: str, focused: str
) -> None:
    rounds.do(act, "Round 1", tags="club", bar="yes")
    response = rounds.client.get("/lists/")
    assert response.context["done"]["focus"] == focused
    assert response.content.decode().count(" autofocus") == 1


def test_tick_all_says_when_it_ticks_one_page_of_several(
    rounds: Mine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Select all on this page" not in rounds.page()
    monkeypatch.setattr("armybuilder.pages.my_lists.search.PER_PAGE", 3)
    assert "Select all on this page (3 of 4)" in rounds.page()
