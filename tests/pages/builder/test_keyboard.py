"""Speed of hand without a browser: moving to a place, the table of keys, and what the palette
offers.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from armybuilder.acts.base import act_kinds
from armybuilder.pages.builder.keyboard import GROUPS, Key
from tests.conftest import Builder

LADY = "practice/bannerlady-oresta"
SPEAR = "practice/millbrook-spearhand"
RECRUIT = "practice/gatehouse-recruit"
ROOT = Path(__file__).parents[3]
ALL_KEYS = [key for group in GROUPS for key in group.keys]


@pytest.fixture
def three(chainmail: Builder) -> Builder:
    """A list of three units, u1 to u3."""
    for ref in (LADY, SPEAR, RECRUIT):
        chainmail.act("add", ref=ref)
    return chainmail


@pytest.fixture
def army(build: Callable[..., Builder]) -> Builder:
    """High Prince u1, Citizen Spears u2, Citizen Archers u3."""
    builder = build("t9a-2023", limit=4500, books=["highborn-elves"])
    for unit in ("high-prince", "citizen-spears", "citizen-archers"):
        builder.act("add", ref=f"highborn-elves/{unit}")
    return builder


def order(builder: Builder) -> list[str]:
    return [unit["id"] for unit in builder.document["units"]]


@pytest.mark.parametrize(
    ("unit", "before", "then"),
    [
        ("u3", "u1", ["u3", "u1", "u2"]),
        ("u1", "u3", ["u2", "u1", "u3"]),
        ("u1", "", ["u2", "u3", "u1"]),
        ("u2", "u2", ["u1", "u2", "u3"]),
    ],
)
def test_a_unit_moves_to_before_another_in_one_version(
    three: Builder, unit: str, before: str, then: list[str]
) -> None:
    number = three.version.number
    three.act("move", unit=unit, before=before)
    assert order(three) == then
    assert three.version.number - number == (then != ["u1", "u2", "u3"])


def test_moving_to_what_is_gone_is_refused(three: Builder) -> None:
    response = three.act("move", unit="u1", before="u9")
    assert response.status_code == 422
    assert "no longer on the list" in response.content.decode()
    assert order(three) == ["u1", "u2", "u3"]


def test_a_unit_moves_under_its_own_heading_only(army: Builder) -> None:
    refused = army.act("move", unit="u3", before="u1")
    assert refused.status_code == 422
    assert "Moved Citizen Archers to Core." in refused.content.decode()
    army.act("move", unit="u3", before="u2")
    assert order(army) == ["u1", "u3", "u2"]


def test_a_key_neither_breaks_a_units_size_nor_takes_it_off(army: Builder) -> None:
    for act, unit, said in (
        ("fewer", "u1", "High Prince has at least 1 model."),
        ("more", "u1", "High Prince has at most 1 model."),
        ("fewer", "u2", "Citizen Spears has at least 20 models."),
    ):
        response = army.act(act, unit=unit)
        assert response.status_code == 422
        assert said in response.content.decode()
    army.act("more", unit="u2")
    assert army.document["units"][1]["models"] == 21


def test_each_key_is_there_once_and_single_ones_are_plain() -> None:
    names = [name for key in ALL_KEYS for name in key.keys]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"(Ctrl\+|Alt\+)?(Shift\+)?([^ ]|[A-Z][A-Za-z]+)", n) for n in names)


@pytest.mark.parametrize("key", ALL_KEYS, ids=lambda key: key.does)
def test_the_script_knows_what_each_key_does(key: Key) -> None:
    script = (ROOT / "armybuilder/static/armybuilder/js/actions.js").read_text("utf-8")
    table = script[script.index("const actions = {") :]
    assert re.search(rf"^  {key.does}: ", table, re.MULTILINE)


def test_the_caps_of_keys_are_told_apart() -> None:
    assert Key("x", ("Ctrl+Shift+z", "+", "j"), "").shown == [["Ctrl", "Shift", "Z"], ["+"], ["j"]]


def test_the_keys_have_a_page_of_their_own(client: Client, db: None) -> None:
    page = client.get("/keys/").content.decode()
    for key in ALL_KEYS:
        assert page.count(f'data-does="{key.does}"') == 2  # on the page, and on its sheet
        assert str(key.says) in page


def offered(builder: Builder) -> list[dict[str, Any]]:
    commands: list[dict[str, Any]] = builder.client.get(f"{builder.url}commands/").json()[
        "commands"
    ]
    return commands


def test_the_palette_offers_acts_units_and_other_lists(three: Builder) -> None:
    other = Builder(three.client, "sbh", limit=300, books=["profiles"], name="The other one")
    commands = {command["words"]: command for command in offered(three)}
    assert commands["Undo"]["act"] == {"act": "undo"}
    assert commands["Add Bannerlady Oresta"]["act"] == {"act": "add", "ref": LADY}
    assert commands["Go to Bannerlady Oresta"]["go"] == "#u1"
    assert commands["Set: Terrain"]["go"] == "#set-terrain"
    assert commands["List: The other one"]["url"] == other.url
    assert "List: Test list" not in commands
    assert "Redo" not in commands


def test_everything_the_palette_offers_works(three: Builder) -> None:
    page = three.page
    script = (ROOT / "armybuilder/static/armybuilder/js/actions.js").read_text("utf-8")
    known = set(act_kinds())
    for command in offered(three):
        ways = [way for way in ("act", "go", "url", "does") if command.get(way)]
        assert len(ways) == 1, command
        if "act" in command:
            assert command["act"]["act"] in known
        elif "go" in command:
            assert f'id="{command["go"][1:]}"' in page, command
        elif "url" in command:
            assert three.client.get(command["url"], follow=True).status_code == 200, command
        else:
            assert f"\n  {command['does']}: " in script


def test_the_palette_costs_as_many_queries_for_many_lists(three: Builder) -> None:
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            offered(three)
        counts.append(len(queries))
        for _ in range(5):
            Builder(three.client, "sbh", limit=300, books=["profiles"])
    assert counts[0] == counts[1] <= 6


def test_elsewhere_the_palette_offers_lists_and_pages(three: Builder) -> None:
    commands = three.client.get("/commands/").json()["commands"]
    assert "List: Test list" in [command["words"] for command in commands]
    assert not any("act" in command for command in commands)
    assert Client().get("/commands/").json()["commands"][0]["words"].startswith("New list")


def test_nobody_sees_the_commands_of_anothers_list(three: Builder) -> None:
    assert Client().get(f"{three.url}commands/").status_code == 404


def test_what_was_done_is_told_and_can_be_undone(three: Builder) -> None:
    page = three.act("add", ref=LADY, htmx=True).content.decode()
    toast = page[page.index('class="toast"') : page.index('class="views"')]
    assert "Added Bannerlady Oresta." in toast
    assert 'value="undo"' in toast


def test_what_was_undone_can_be_done_again(three: Builder) -> None:
    three.act("add", ref=LADY)
    undone = three.act("undo", htmx=True).content.decode()
    toast = undone[undone.index('class="toast"') : undone.index('class="views"')]
    assert "Undone: Added Bannerlady Oresta." in toast
    assert 'value="redo"' in toast
    assert 'value="undo"' not in toast
    again = three.act("redo", htmx=True).content.decode()
    assert 'value="undo"' in again[again.index('class="toast"') : again.index('class="views"')]
    three.act("undo")  # without script the page comes by its address
    page = three.page
    assert 'value="redo"' in page[page.index('class="toast"') : page.index('class="views"')]


def test_no_id_is_twice_on_the_page_of_an_open_unit(three: Builder) -> None:
    three.act("add", ref=LADY)
    page = three.client.get(three.url, {"open": "u1"}).content.decode()
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert [one for one in set(ids) if ids.count(one) > 1] == []


def test_what_is_refused_is_told_in_the_strip_too(three: Builder) -> None:
    page = three.act("remove", unit="u9", htmx=True).content.decode()
    toast = page[page.index('class="toast bad"') : page.index('class="views"')]
    assert "no longer on the list" in toast


def test_the_points_of_a_heading_open_what_they_are_made_of(army: Builder) -> None:
    page = army.page
    core = page[page.index("<h3>Core</h3>") :]
    made = core[core.index("<summary>") : core.index("</details>")]
    assert "410 (min 1125)" in made
    assert 'href="#u2"' in made
    assert "<b>150</b>" in made
