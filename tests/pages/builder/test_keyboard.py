"""Speed of hand without a browser: moving to a place, the table of keys, and what the palette
offers.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from armybuilder.acts.base import act_kinds
from armybuilder.loading.examples import shipped_examples
from armybuilder.pages.builder.keyboard import GROUPS, Key
from armybuilder.pages.builder.views import MOST_TABS, Tab
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


def test_what_was_done_or_refused_is_told_and_can_be_undone_and_done_again(three: Builder) -> None:
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


def tabs(builder: Builder) -> list[str]:
    """The names in the tabs of a list's page; the one of the list itself in brackets."""
    shown = builder.client.get(builder.url).context["tabs"]
    return [f"[{tab.name}]" if tab.current else tab.name for tab in shown]


def test_opened_lists_keep_the_order_in_which_they_were_opened(build: Build) -> None:
    first, second = start(build, "A"), start(build, "B")
    start(build, "Never opened")
    assert tabs(first) == []
    assert tabs(second) == ["A", "[B]"]
    assert tabs(first) == ["[A]", "B"]
    answer = second.act("add", htmx=True, ref="profiles/human-warrior").text
    assert '<div id="open-lists" data-same></div>' in answer
    # One whose game is gone does not break the others; one that is deleted has no tab.
    first.store(system="gone")
    assert tabs(second) == ["A", "[B]"]
    first.client.post(f"{first.url}delete/")
    assert tabs(second) == []


def test_of_more_lists_than_there_are_tabs_the_first_loses_its_own(build: Build) -> None:
    opened = [start(build, f"List {number}") for number in range(MOST_TABS + 1)]
    for builder in opened:
        shown = tabs(builder)
    assert len(shown) == MOST_TABS
    assert shown[0] == "List 1"
    assert shown[-1] == f"[List {MOST_TABS}]"


def test_tabs_tell_which_of_the_other_lists_are_legal(build: Build) -> None:
    empty = start(build, "Empty")
    example = shipped_examples().by_system["sbh"][0]
    legal = empty.client.post(f"/new/sbh/example/{example.id}/")["Location"]
    empty.client.get(legal)

    def told(url: str) -> list[str]:
        return [tab.report.verdict if tab.report else "" for tab in tabs_of(url)]

    def tabs_of(url: str) -> list[Tab]:
        tabs: list[Tab] = empty.client.get(url).context["tabs"]
        return tabs

    assert told(empty.url) == ["Legal", ""]
    assert told(legal) == ["", "1 to do"]


def test_closing_another_tab_stays_and_closing_its_own_goes_to_the_next(build: Build) -> None:
    first, second, third = (start(build, name) for name in "ABC")
    for builder in (first, second, third):
        tabs(builder)
    client = first.client
    here = {"here": first.url.strip("/").split("/")[-1]}
    assert client.post(f"{second.url}close/", here)["Location"] == first.url
    assert tabs(first) == ["[A]", "C"]
    assert client.post(f"{first.url}close/", here)["Location"] == third.url
    assert client.post(f"{third.url}close/", {"here": "nonsense"})["Location"] == "/lists/"
    assert tabs(third) == []


def test_tabs_cost_one_query_and_a_page_at_most_eight(build: Build) -> None:
    lists = [start(build, f"List {number}") for number in range(MOST_TABS)]
    counts = []
    for builder in (lists[0], *lists):
        tabs(builder)
        queries = queries_of(builder.client.get, builder.url)
        counts.append(len(queries))
    assert counts[-1] == counts[2] <= 8
    assert counts[-1] == counts[0] + 1


def test_other_open_lists_stand_in_the_menu_and_can_be_closed_there(build: Build) -> None:
    other = start(build, "The long defence of the northern marches, first draft")
    tabs(other)
    page = other.client.get(start(build, "Here").url).text
    assert '<span dir="auto">The long defence of the northern marches, first draft</span>' in page
    assert f'action="{other.url}close/"' in page
