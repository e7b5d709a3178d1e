"""The page of odds: what is known of two units, numbers to change, results with their formula."""

import re
from urllib.parse import urlencode

import pytest
from django.test import Client

from tests.conftest import Builder
from tests.markup import flat
from tests.sharing.links import make_link, path_of

pytestmark = pytest.mark.django_db

ARMIES = "/odds/t9a-2023/?a_from=book:dread-elves&b_from=book:kingdom-of-equitaine"


def key_of(page: str, name: str) -> str:
    found = re.search(rf'<option value="([^"]+)"[^>]*>{re.escape(name)}</option>', page)
    assert found, name
    return found[1]


def value(page: str, field: str) -> str:
    found = re.search(rf'name="{field}" value="([^"]*)"', page)
    assert found, field
    return found[1]


def test_models_of_a_list_fight_with_their_scores_and_rules(sbh: Builder, client: Client) -> None:
    sbh.act("add", ref="profiles/human-warrior")
    assert f"/odds/sbh/?a_from=list:{sbh.version.army_list_id}" in sbh.client.get(
        f"{sbh.url}?open=u1&view=unit"
    ).text.replace("&amp;", "&")
    address = f"/odds/sbh/?a_from=list:{sbh.version.army_list_id}&b_from=book:profiles"
    page = sbh.client.get(address).text
    assert value(page, "a-score") == "3"
    # Combat 3 against 3: the winner doubles with 6 or 5 against 1, 2 rolls of 36.
    assert "killed" in page
    assert "1/18" in page
    numbers = {"a_from": f"list:{sbh.version.army_list_id}", "b_from": "book:profiles",
               "mode": "melee", "work": "1", "a-score": "3", "b-score": "3", "a-more": "0",
               "b-more": "0", "a-kills": "on"}  # fmt: skip
    page = sbh.client.get("/odds/sbh/", numbers).text
    # Whatever it beats it kills: 15 of 36.
    assert "5/12" in page
    assert "Public pages, combat results" in page
    # It is a list of one browser.
    other = Client().get(address)
    assert other.status_code == 422
    assert "We can’t find these units." in other.text
    shared = path_of(make_link(sbh, what="current", view="full")).strip("/").rpartition("/")[2]
    assert Client().get(f"/odds/sbh/?a_from=link:{shared}&b_from=book:profiles").status_code == 200


@pytest.mark.slow
def test_units_of_an_army_fight_with_their_weapons(client: Client) -> None:
    page = client.get(ARMIES).text
    guard = key_of(page, "Obsidian Guard: Halberd")
    knights = key_of(page, "Feudal Knights: Lance, charging")
    page = client.get(f"{ARMIES}&a={guard}&b={knights}").text
    known = {"a-models": "10", "a-attacks": "2", "a-skill": "6", "a-strength": "4",
             "a-penetration": "2", "b-models": "6", "b-health": "1", "b-defence": "4",
             "b-resilience": "3", "b-armour": "5", "b-aegis": "6"}  # fmt: skip
    assert {field: value(page, field) for field in known} == known
    assert re.search(r'name="a-lightning-reflexes"[^>]* checked', page)
    assert "Academy Trained" in flat(page).partition("that these numbers leave out")[2]
    # 20 attacks: 5/6 hit (3+ made 2+), 4/6 wound (3+), 1/2 are not saved (4+), 5/6 not by a 6+.
    assert ">4.63<" in page
    archers = key_of(page, "Lowborn Archers: Longbow (4+)")
    shots = client.get(
        f"/odds/t9a-2023/?a_from=book:kingdom-of-equitaine&b_from=book:dread-elves&a={archers}"
    ).text
    assert (value(shots, "a-aim"), value(shots, "a-attacks")) == ("4", "1")
    assert re.search(r'value="shooting"\s+checked', shots)


def test_what_is_not_known_is_asked_and_wrong_numbers_say_where(client: Client) -> None:
    page = client.get(f"{ARMIES}&mode=shooting").text
    assert "Some numbers are unknown." in page
    assert "We don’t know this number. Enter it." in page
    wrong = {"a-models": "100", "a-attacks": "D6", "a-skill": "99", "a-wounds": "many"}
    answer = client.get(f"{ARMIES}&work=1&mode=melee&{urlencode(wrong)}")
    assert answer.status_code == 422
    for words in (
        "less than or equal to 10",
        "“many” isn’t a number or dice",
        "more than 200 attacks",
    ):
        assert words in flat(answer.text), words


@pytest.mark.parametrize(
    "source", ["book:none", "list:none", "link:none", "x", "list:" + "9" * 300]
)
def test_missing_units_are_reported(client: Client, source: str) -> None:
    answer = client.get("/odds/t9a-2023/", {"a_from": source})
    assert answer.status_code == 422
    assert "We can’t find these units." in answer.text


def test_a_game_without_dice_has_no_page(client: Client) -> None:
    assert client.get("/odds/ddm-2008/").status_code == 404
