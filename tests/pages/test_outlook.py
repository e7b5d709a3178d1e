"""What can become of a list by adding alone, units that lead nowhere, and why."""

import json
import re
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest
from django.core.cache import cache

from armybuilder.authoring.checking import MAX_UNITS
from armybuilder.lists import outlooks
from armybuilder.solving import cpsat
from tests.books.shelf import Shelf, upload
from tests.building.documents import army, repeated
from tests.building.random_lists import starts_of
from tests.conftest import Builder
from tests.markup import lacking
from tests.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]

HTMX = {"HX-Request": "true"}
STAG, KEEPER = "practice/moss-antler-stag", "practice/wayshrine-keeper"
WARLORD = "known-creatures/dwarf-warlord"
#: Seconds of processor time that an answer may take, with all that a page needs beside the looking.
AN_ANSWER = 1.5
#: Units that an own book may have.
LARGEST_BOOK = MAX_UNITS


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is remembered, and no answer depends on the machine."""
    cache.clear()
    monkeypatch.setattr(outlooks, "SHORT", 30.0)


@pytest.fixture
def creatures(build: Callable[..., Builder]) -> Builder:
    """A list with one creature beside which others can no longer stand."""
    books = ["practice", "known-creatures"]
    builder = build("ddm-2008", limit=200, books=books)
    builder.act("add", ref=STAG)
    return builder


def outlook_page(builder: Builder, **query: str) -> str:
    answer = builder.client.get(f"{builder.url}outlook/", query, headers=HTMX)
    assert answer.status_code == 200
    return answer.text


def dead(page: str) -> list[str]:
    (refs,) = re.findall(r'data-dead="([^"]*)"', page)
    return str(refs).split()


def page_of(builder: Builder, place: str, **query: str) -> str:
    return builder.client.get(f"{builder.url}{place}", query).text


def test_adding_makes_a_list_legal_or_cannot_and_why(
    build: Callable[..., Builder],
) -> None:
    # A list that adding makes legal is told what it needs.
    elves = build("t9a-2023", limit=2000, books=["highborn-elves"])
    elves.act("add", ref="highborn-elves/citizen-spears")
    assert "outlook-dead" not in outlook_page(elves)
    page = page_of(elves, "outlook/")
    assert "You can still make it legal by adding units." in page
    assert "Core still needs 240 points; 1740 are left." in page
    assert re.search(r"\d+ more points are enough", page)
    # What adding cannot make legal is told so and why.
    elves = build("t9a-2023", limit=2000, books=["highborn-elves"])
    for _copy in range(4):
        elves.act("add", ref="highborn-elves/sword-masters")
    page = outlook_page(elves)
    assert lacking(page, "outlook-dead", "/why/") == []
    assert dead(page) == []
    assert "Adding units won’t make it legal any more." in page_of(elves, "outlook/")
    why = page_of(elves, "why/")
    assert lacking(why, "These choices block a legal list:", "<cite>") == []
    # A finding is explained by its own rule.
    (pointer,) = set(re.findall(r'hx-get="[^"]*/why/\?rule=([^"]+)"', elves.page))
    why = elves.client.get(f"{elves.url}why/?rule={pointer}").text
    assert lacking(why, "Sword Masters: 4 taken, maximum 2", "Sword Masters (3)") == []


@pytest.mark.parametrize("game", ["sbh", "chainmail-2002", "ddm-2008", "t9a-2023"])
def test_nothing_is_proposed_for_an_empty_list(build: Callable[..., Builder], game: str) -> None:
    book = {"sbh": "profiles", "t9a-2023": "highborn-elves"}.get(game, "practice")
    empty = build(game, limit=300, books=[book])
    errors = empty.page.partition('id="verdict"')[2].partition("</section>")[0]
    for proposed in ('class="answers"', 'id="ways-', 'id="outlook"'):
        assert proposed not in errors
    assert 'class="finding' in errors


def test_where_points_are_over_the_error_says_it(sbh: Builder) -> None:
    names = ("human-archer", "elf-archer", "dwarf-warrior")
    sbh.store(units=[{"id": name, "unit": f"profiles/{name}", "models": 4} for name in names])
    assert "outlook-dead" not in outlook_page(sbh)
    assert "Too many points. Remove something." in page_of(sbh, "outlook/")
    assert "over the limit of 300" in page_of(sbh, "why/")
    # A legal list is told nothing more.
    document = next(one for one in starts_of("sbh") if one["limit"] == 300)
    sbh.store(**document)
    assert "outlook-dead" not in outlook_page(sbh)
    assert "The list is legal." in page_of(sbh, "outlook/")


@pytest.mark.slow
def test_units_that_block_a_legal_list_are_marked_and_named_with_the_reason(
    creatures: Builder,
) -> None:
    # Without script the shelf marks them and strange questions pass.
    entry = f'<li class="entry dead"><button [^>]* value="{KEEPER}"'
    assert not re.search(entry, page_of(creatures, "", view="units"))
    assert re.search(entry, page_of(creatures, "", view="units", ahead="1"))
    # Strange questions are answered.
    client, url = creatures.client, creatures.url
    assert client.get(f"{url}why/?unit=nothing").status_code == 404
    assert client.get(f"{url}why/?rule=nothing").status_code == 200
    assert client.get(f"{url}outlook/?now-open=u99", headers=HTMX).status_code == 200
    # Units that lead nowhere are named and said why.
    refs = dead(outlook_page(creatures))
    assert KEEPER in refs
    assert "Wayshrine Keeper" in page_of(creatures, "outlook/")
    why = page_of(creatures, "why/", unit=KEEPER)
    assert lacking(why, "With one more: Wayshrine Keeper", "These choices block") == []
    # What is said holds: added, and nothing can be made of the list.
    creatures.act("add", ref=KEEPER)
    assert "outlook-dead" in outlook_page(creatures)


def test_no_unit_is_said_to_block_a_legal_list_before_cards_are_filled_in(
    creatures: Builder,
) -> None:
    ahead = outlook_page(creatures)
    assert dead(ahead)
    assert not [ref for ref in dead(ahead) if ref.startswith("known-creatures/")]
    creatures.act("add", ref=WARLORD)
    assert "Fill in the missing cards" in page_of(creatures, "outlook/")
    assert "outlook-dead" not in outlook_page(creatures)
    creatures.act("remove", unit="u1")
    creatures.act("card", unit="u2", **{"attributes.faction": "civilization"})
    assert "You can still make it legal by adding units." in page_of(creatures, "outlook/")


@pytest.mark.slow
def test_taking_a_role_away_is_more_than_adding(build: Callable[..., Builder]) -> None:
    # What takes a role away is more than adding.
    elves = build("t9a-2023", limit=2000, books=["highborn-elves"])
    for unit in ("mage", "mage", "citizen-spears"):
        elves.act("add", ref=f"highborn-elves/{unit}")
    document = elves.document
    for unit in document["units"][:2]:
        unit["options"] = [*unit.get("options", []), "cosmology"]
    elves.store(**document)
    assert "You can still make it legal by adding units." in page_of(elves, "outlook/")
    for unit in document["units"][:2]:
        unit["roles"] = ["general"]
    elves.store(**document)
    assert "outlook-dead" in outlook_page(elves)
    assert "General" in page_of(elves, "why/").partition("These choices block")[2]
    # A new list of cards to be filled in is not said to have no way.
    cards = build("ddm-2008", limit=200, books=["starter"])
    assert "Fill in the missing cards" in page_of(cards, "outlook/")
    assert "outlook-dead" not in outlook_page(cards)


@pytest.mark.slow
def test_options_that_block_a_legal_list_are_named(build: Callable[..., Builder]) -> None:
    elves = build("t9a-2023", limit=2000, books=["highborn-elves"])
    elves.act("add", ref="highborn-elves/high-prince")
    page = outlook_page(elves, **{"now-open": "u1"})
    (options,) = re.findall(r'data-options="([^"]*)"', page)
    drawn = page_of(elves, "", open="u1")
    assert options
    assert any(f'id="{one}"' in drawn for one in options.split())


@pytest.mark.slow
def test_ten_windows_share_one_computation(
    creatures: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    look_ahead = outlooks.look_ahead

    def counted(*given: Any) -> Any:
        asked.append(given)
        return look_ahead(*given)

    monkeypatch.setattr(outlooks, "look_ahead", counted)
    assert len({outlook_page(creatures) for _window in range(10)}) == 1
    assert len(asked) == 1
    creatures.act("add", ref=STAG)
    outlook_page(creatures)
    assert len(asked) == 2


def test_units_unknown_after_the_first_search_are_searched_longer(
    creatures: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlooks, "SHORT", 0.0)
    monkeypatch.setattr(outlooks, "LONG", 30.0)
    page = outlook_page(creatures)
    assert "outlook/longer/" in page
    assert "known" not in page.split('class="ahead-mark"')[0].partition('class="ahead-told"')[2]
    assert "Search longer" in page_of(creatures, "outlook/")
    longer = creatures.client.get(f"{creatures.url}outlook/longer/", headers=HTMX)
    assert KEEPER in dead(longer.text)
    assert KEEPER in dead(outlook_page(creatures))
    # While another works it out, the page asks again.
    cache.clear()
    monkeypatch.setattr(cache, "add", lambda *_given: False)
    page = outlook_page(creatures)
    assert lacking(page, "load delay") == []
    assert "Not known yet." in page_of(creatures, "outlook/")


def test_without_a_solver_the_page_says_so(
    creatures: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cpsat, "_helper", missing)
    assert "Suggestions are not available on this site." in page_of(creatures, "outlook/")
    assert "Suggestions are not available on this site." in page_of(creatures, "why/")
    assert 'class="entry dead"' not in page_of(creatures, "", view="units", ahead="1")


def missing() -> None:
    raise cpsat.NoSolver


def test_looking_ahead_asks_the_database_for_the_list_and_what_is_owned(creatures: Builder) -> None:
    outlook_page(creatures)
    queries = queries_of(outlook_page, creatures)
    assert len(queries) <= 4


@pytest.mark.one_in(2)
@pytest.mark.parametrize("units", [80, 500])
def test_a_long_list_is_answered_in_time(
    build: Callable[..., Builder], monkeypatch: pytest.MonkeyPatch, units: int
) -> None:
    document = {**repeated(army(), units), "limit": 900_000}
    books = [book["id"] for book in document["books"]]
    builder = build("t9a-2023", limit=4500, books=books)
    builder.store(**document)
    monkeypatch.setattr(outlooks, "SHORT", 0.22)
    outlook_page(builder)  # the books are read
    cache.clear()
    start = process_time()
    page = outlook_page(builder)
    assert process_time() - start < AN_ANSWER
    assert "ahead-told" in page


@pytest.mark.slow
def test_the_largest_book_is_answered_in_time(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    (card,) = shelf.data["units"]
    units = [{**card, "id": f"u{number}", "name": f"U{number}"} for number in range(LARGEST_BOOK)]
    book = upload(shelf.client, json.dumps({**shelf.data, "units": units}).encode())
    book_id = book["Location"].strip("/").split("/")[-1]
    builder = Builder(shelf.client, "chainmail-2002", limit=100, books=[book_id])
    builder.act("add", ref=f"{book_id}/u0")
    assert len(builder.document["units"]) == 1
    monkeypatch.setattr(outlooks, "SHORT", 0.22)
    outlook_page(builder)  # the book is read
    cache.clear()
    start = process_time()
    outlook_page(builder)
    assert process_time() - start < AN_ANSWER
