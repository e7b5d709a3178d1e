"""Speed of hand without a browser: moving to a place, the table of keys, and what the palette
offers.
"""

import re
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from armybuilder.acts.base import act_kinds
from armybuilder.pages.builder.keyboard import GROUPS, Key
from armybuilder.pages.builder.views import MOST_RECENT
from tests.conftest import Builder
from tests.markup import found_in, lacking, refused
from tests.queries import queries_of

LADY = "practice/bannerlady-oresta"
SPEAR = "practice/millbrook-spearhand"
RECRUIT = "practice/gatehouse-recruit"
ROOT = Path(__file__).parents[3]
SCRIPT = (ROOT / "armybuilder/static/armybuilder/js/actions.js").read_text("utf-8")
ALL_KEYS = [key for keys in GROUPS.values() for key in keys]


@pytest.fixture
def three(chainmail: Builder) -> Builder:
    for ref in (LADY, SPEAR, RECRUIT):
        chainmail.act("add", ref=ref)
    return chainmail


@pytest.fixture
def army(elves: Builder) -> Builder:
    """High Prince u1, Citizen Spears u2, Citizen Archers u3."""
    for unit in ("high-prince", "citizen-spears", "citizen-archers"):
        elves.act("add", ref=f"highborn-elves/{unit}")
    return elves


def order(builder: Builder) -> list[str]:
    return [unit["id"] for unit in builder.document["units"]]


def test_a_unit_moves_to_before_another_in_one_version(three: Builder) -> None:
    for unit, before, then in (
        ("u3", "u1", ["u3", "u1", "u2"]),
        ("u1", "u3", ["u2", "u1", "u3"]),
        ("u1", "", ["u2", "u3", "u1"]),
        ("u2", "u2", ["u1", "u2", "u3"]),
    ):
        number = three.version.number
        three.act("move", unit=unit, before=before)
        moved = then != ["u1", "u2", "u3"]
        assert order(three) == then
        assert three.version.number - number == moved
        if moved:
            three.act("undo")
    assert "no longer on the list" in refused(three.act("move", unit="u1", before="u9"))
    assert order(three) == ["u1", "u2", "u3"]


def test_each_key_is_there_once_and_the_script_knows_what_it_does(client: Client) -> None:
    names = [name for key in ALL_KEYS for name in key.keys]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"(Ctrl\+|Alt\+)?(Shift\+)?([^ ]|[A-Z][A-Za-z]+)", n) for n in names)

    table = SCRIPT[SCRIPT.index("const actions = {") :]
    for key in ALL_KEYS:
        assert re.search(rf"^  {key.does}: ", table, re.MULTILINE), key
    assert Key("x", ("Ctrl+Shift+z", "+", "j"), "").shown == [["Ctrl", "Shift", "Z"], ["+"], ["j"]]
    # They have a page of their own.
    page = client.get("/keys/").text
    for key in ALL_KEYS:
        assert page.count(f'data-does="{key.does}"') == 2  # on the page, and on its sheet
        assert str(key.says) in page


def offered(builder: Builder) -> list[dict[str, Any]]:
    answer: dict[str, Any] = builder.client.get(f"{builder.url}commands/").json()
    return list(answer["commands"])


def test_the_palette_offers_acts_units_and_other_lists_that_all_work(three: Builder) -> None:
    other = Builder(three.client, "sbh", limit=300, books=["profiles"], name="The other one")
    commands = {command["words"]: command for command in offered(three)}
    assert commands["Undo"]["act"] == {"act": "undo"}
    assert commands["Add Bannerlady Oresta"]["act"] == {"act": "add", "ref": LADY}
    assert commands["Go to Bannerlady Oresta"]["go"] == "#u1"
    assert commands["Set: Terrain"]["go"] == "#set-terrain"
    assert commands["List: The other one"]["url"] == other.url
    assert found_in(commands, "List: Test list", "Redo") == []
    # Everything the palette offers works.
    page = three.page
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
            assert f"\n  {command['does']}: " in SCRIPT
    # Elsewhere the palette offers lists and pages.
    commands = three.client.get("/commands/").json()["commands"]
    assert "List: Test list" in [command["words"] for command in commands]
    assert not any("act" in command for command in commands)
    assert Client().get("/commands/").json()["commands"][0]["words"].startswith("New list")


@pytest.mark.slow
def test_the_palette_costs_as_many_queries_for_many_lists(three: Builder) -> None:
    counts = []
    for _ in range(2):
        queries = queries_of(offered, three)
        counts.append(len(queries))
        for _ in range(5):
            Builder(three.client, "sbh", limit=300, books=["profiles"])
    assert counts[0] == counts[1] <= 6


def toast_of(page: str, kind: str = "toast") -> str:
    return page[page.index(f'class="{kind}"') : page.index('class="views"')]


def test_what_was_done_or_refused_is_reported_and_can_be_undone_and_done_again(
    three: Builder,
) -> None:
    toast = toast_of(three.act("add", ref=LADY, htmx=True).text)
    assert lacking(toast, "Added Bannerlady Oresta.", 'value="undo"') == []
    toast = toast_of(three.act("undo", htmx=True).text)
    assert lacking(toast, "Undone: Added Bannerlady Oresta.", 'value="redo"') == []
    assert 'value="undo"' not in toast
    assert 'value="undo"' in toast_of(three.act("redo", htmx=True).text)
    three.act("undo")  # without script the page comes by its address
    assert 'value="redo"' in toast_of(three.page)
    # What is refused is told in the strip too.
    page = three.act("remove", unit="u9", htmx=True).text
    assert "no longer on the list" in toast_of(page, "toast bad")
    # No id is twice on the page of an open unit.
    three.act("add", ref=LADY)
    page = three.client.get(three.url, {"open": "u1"}).text
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert [one for one in set(ids) if ids.count(one) > 1] == []


@pytest.mark.slow
def test_units_of_an_army_keep_to_their_headings_and_sizes(army: Builder) -> None:
    page = army.page
    core = page[page.index("<h3>Core</h3>") :]
    made = core[core.index("<summary>") : core.index("</details>")]
    assert lacking(made, "410 (min 1125)", 'href="#u2"', "<b>150</b>") == []
    # A key neither breaks a units size nor takes it off.
    for act, unit, said in (
        ("fewer", "u1", "High Prince has at least 1 model."),
        ("more", "u1", "High Prince has at most 1 model."),
        ("fewer", "u2", "Citizen Spears has at least 20 models."),
    ):
        assert said in refused(army.act(act, unit=unit))
    army.act("more", unit="u2")
    assert army.document["units"][1]["models"] == 21
    # A unit moves under its own heading only.
    assert "Moved Citizen Archers to Core." in refused(army.act("move", unit="u3", before="u1"))
    army.act("move", unit="u3", before="u2")
    assert order(army) == ["u1", "u3", "u2"]


pytestmark = pytest.mark.django_db

Build = Callable[..., Builder]


def start(build: Build, name: str) -> Builder:
    builder = build("sbh", limit=300, books=["profiles"])
    builder.act("rename", name=name)
    return builder


def recent(builder: Builder) -> list[str]:
    """The names of the other lists in the menu of a list's page."""
    return [name for _key, name in builder.client.get(builder.url).context["recent"]]


@pytest.mark.slow
def test_the_menu_leads_to_the_lists_that_were_changed_last(build: Build) -> None:
    first, second = start(build, "A"), start(build, "B")
    assert recent(first) == ["B"]
    assert recent(second) == ["A"]
    answer = second.act("add", htmx=True, ref="profiles/human-warrior").text
    assert '<div id="recent-lists" data-same></div>' in answer
    for number in range(MOST_RECENT + 1):
        start(build, f"List {number}")
    assert recent(first) == [f"List {number}" for number in range(MOST_RECENT, 0, -1)]
    page = first.client.get(first.url).text
    assert all(f'dir="auto">List {number}</a>' in page for number in range(1, MOST_RECENT + 1))
    # One that is deleted is not offered.
    first.client.post(f"{second.url}delete/")
    assert "B" not in recent(first)


@pytest.mark.slow
def test_other_lists_cost_one_query_however_many(build: Build) -> None:
    counts = []
    for number in range(MOST_RECENT):
        builder = start(build, f"List {number}")
        counts.append(len(queries_of(builder.client.get, builder.url)))
    assert counts[0] == counts[-1] <= 8


def test_the_menu_copies_a_list_and_opens_the_copy(build: Build) -> None:
    elves = build("t9a-2023", name="", limit=4500, books=["highborn-elves"])
    made = elves.client.post(f"{elves.url}copy/", {"open": "1"})
    address = made["Location"].partition("#")[0]
    page = elves.client.get(address).text
    assert "Copied. The copy is called" in page
    # A copy whose size changes is called after it.
    copied = copy(elves)
    copied.url = address
    copied.act("limit", limit="3000")
    assert copied.document["name"] == "Highborn Elves 3000 (copy)"
    copied.act("rename", name="Gate Watch 3000")
    copied.act("limit", limit="2000")
    assert copied.document["name"] == "Gate Watch 3000"


def test_the_menu_has_what_is_done_with_a_list_and_deleting_can_be_undone(build: Build) -> None:
    builder = build("chainmail-2002", limit=100, books=["practice"])
    page = builder.client.get(builder.url).text
    menu = page[
        page.index('<details class="menu lists-menu"') : page.index('<p class="bar-points">')
    ]
    wanted = ("copy/", "changes/?edition=", "history/", "delete/", "print/", "share/", "export/")
    assert lacking(menu, *(f"{builder.url}{way}" for way in wanted), 'id="list-limit"') == []
    assert '<a href="#list-limit"' in page
    deleted = builder.client.post(f"{builder.url}delete/", follow=True).text
    assert f'action="{builder.url}restore/"' in deleted or 'value="restore"' in deleted
