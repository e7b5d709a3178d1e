"""The ids of BattleScribe's files beside our books: whole, and read only when they are needed."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from armybuilder.battlescribe.rosters.sites import (
    Site,
    books_by_catalogue,
    find_origin,
    origin_of,
    unit_site,
)
from armybuilder.engine.catalogue import Book
from armybuilder.loading.library import CATALOGUE_DIR
from tests.exchange.t9a_lists import LIBRARY, SYSTEM

IMPORTED = (SYSTEM, "t9a-2024", "t9a-3rd", "essence-of-war")
ID = re.compile(r"[0-9a-f]{4}(-[0-9a-f]{4}){3}")
BOOKS = [book for system in IMPORTED for book in LIBRARY.books[system].values()]
every_book = pytest.mark.parametrize("book", BOOKS, ids=[f"{b.system}/{b.id}" for b in BOOKS])


def nodes(written: dict[str, Any]) -> Iterator[dict[str, Any]]:
    level = [*written["units"], *written["shared"]]
    while level:
        node = level.pop()
        yield node
        level += node.get("in", [])


def everywhere(site: Site) -> Iterator[Site]:
    for inner in site.children:
        yield inner
        yield from everywhere(inner)


def test_every_book_of_the_game_has_an_origin_and_no_origin_is_without_its_book() -> None:
    files = {(file.parents[1].name, file.stem) for file in CATALOGUE_DIR.glob("*/battlescribe/*")}
    made = [(one.system, one.book) for books in books_by_catalogue().values() for one in books]
    assert files == {(book.system, book.id) for book in BOOKS} == set(made)
    assert len(set(made)) == len(made)


def test_of_several_books_of_a_catalogue_that_of_the_revision_is_found_else_of_the_game_else_the_newest() -> (  # noqa: E501
    None
):
    elves, cultists = "66f6-8610-3962-63fa", "baa8-f7ce-e46d-ad72"
    asked = {
        "exact": (elves, "70", "56", ""),
        "game": (elves, "60", "55", ""),
        "newest": (elves, "60", "50", ""),
        "the same revision twice": (cultists, "17", "55", ""),
        "of one system": (elves, "70", "55", "t9a-2024"),
    }
    origins = {what: find_origin(LIBRARY, *one) for what, one in asked.items()}
    assert {what: origin and origin.system for what, origin in origins.items()} == {
        "exact": "t9a-2023",
        "game": "t9a-2023",
        "newest": "t9a-2024",
        "the same revision twice": "t9a-2023",
        "of one system": "t9a-2024",
    }
    assert find_origin(LIBRARY, elves, system="essence-of-war") is None
    assert find_origin(LIBRARY, "nowhere") is None


@pytest.mark.one_in(2)
@every_book
def test_an_origins_file_is_well_formed(book: Book) -> None:
    file = CATALOGUE_DIR / book.system / "battlescribe" / f"{book.id}.json"
    text = file.read_text(encoding="utf-8")
    written = json.loads(text)
    assert (written["format"], written["book"]) == ("battlescribe/1", book.id)
    assert len(text) < 100_000
    shared = {node["id"] for node in written["shared"]}
    categories = set(written["categories"])
    for node in nodes(written):
        assert ID.fullmatch(node["id"])
        assert (node["kind"] == "link") == ("to" in node) == ("name" not in node)
        assert node.get("to", next(iter(shared))) in shared
        assert {node.get("primary"), *node.get("also", [])} - {None} <= categories
    for force in written["forces"]:
        assert set(force["categories"]) <= categories
    assert {force["organisation"] for force in written["forces"] if "organisation" in force} == set(
        book.organisations
    )


@pytest.mark.one_in(7)
@every_book
def test_everything_that_a_unit_may_take_has_a_place_in_the_source(book: Book) -> None:
    origin = origin_of(book.system, book.id)
    assert origin is not None
    revisions = str(origin.catalogue.revision), str(origin.game.revision)
    assert find_origin(LIBRARY, origin.catalogue.id, *revisions) is origin
    for unit in book.units.values():
        site = unit_site(origin, unit.ref.partition("/")[2])
        assert site is not None
        places = {inner.ours for inner in everywhere(site)} - {""}
        assert {option.id for option in unit.offer.options()} <= places
        assert site.type in {"unit", "upgrade"}


@pytest.mark.one_in(7)
@every_book
def test_no_two_places_of_a_unit_have_the_same_path(book: Book) -> None:
    origin = origin_of(book.system, book.id)
    assert origin is not None
    for unit in book.units.values():
        site = unit_site(origin, unit.ref.partition("/")[2])
        assert site is not None
        paths = [inner.path for inner in everywhere(site)]
        assert len(set(paths)) == len(paths)


@pytest.mark.parametrize("id_", ["../t9a-2023/system", "", "empire-of-sonnstahl/../x", "nobody"])
def test_a_book_that_is_not_here_has_no_origin(id_: str) -> None:
    assert origin_of(SYSTEM, id_) is None
