"""Pages of a book, units side by side and the API say what the printed card of a unit says."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import lxml.html
import pytest
from django.test import Client

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.cards import face_of
from armybuilder.sheets.content.make_units import entry_views
from armybuilder.sheets.content.unit_view import UnitView
from tests.building.said import figures_and_names, said
from tests.effort import THOROUGH, scaled

LIBRARY = shipped_library()
GAMES = sorted(LIBRARY.systems)
#: Of each book.
UNITS = scaled(3, 5, 100)


def shown_units(system: str) -> Iterator[tuple[Catalogue, UnitView]]:
    """Yield random units of the game's books."""
    rng = Random(system)  # noqa: S311
    books = [book.id for book in LIBRARY.books[system].values() if book.units]
    for book in rng.sample(books, min(len(books), len(books) if THOROUGH else 1)):
        catalogue = LIBRARY.catalogue(system, [book])
        units = list(catalogue.units.values())
        views = entry_views(rng.sample(units, min(len(units), UNITS)), catalogue)
        yield from ((catalogue, view) for view in views)


def printed(view: UnitView, catalogue: Catalogue) -> set[str]:
    """What stands on its card."""
    face = face_of(view, catalogue.system)
    groups = view.entry.groups if view.entry else ()
    lists = [f"{group.whole} {group.bound}" for group in groups]
    texts = (
        *said(replace(view, entry=None, options=())),
        face.price,
        face.about,
        *face.labels,
        *lists,
    )
    return figures_and_names(" ".join(texts))


def texts_of(answer: Any) -> Iterator[str]:
    """Yield the texts and numbers of an answer of the API."""
    if isinstance(answer, dict | list):
        inner = answer.values() if isinstance(answer, dict) else answer
        for one in inner:
            yield from texts_of(one)
    else:
        yield str(answer)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("system", GAMES)
def test_library_comparison_and_api_say_what_the_card_says(client: Client, system: str) -> None:
    tried = 0
    pages: dict[str, Any] = {}
    for catalogue, view in shown_units(system):
        book, unit = view.id.split("/")
        wanted = printed(view, catalogue)
        if book not in pages:
            pages[book] = lxml.html.fromstring(client.get(f"/library/{system}/{book}/").text)
        (article,) = pages[book].xpath(f"//article[@id='{view.id}']")
        beside = client.get(f"/library/{system}/compare/", {"unit": view.id}).text
        (table,) = lxml.html.fromstring(beside).xpath("//table[@class='side-by-side']")
        (heading,) = article.xpath("../preceding-sibling::h2[1]")
        there = figures_and_names(" ".join((*heading.itertext(), *article.itertext())))
        assert wanted - there == set(), view.name
        # Rows have the whole names of statistics, and say whose a value is where several have one;
        # what all models of a game can be is no row.
        besides = {*view.states, *(row.name for row in view.rows)}
        besides |= {cell.label for row in view.rows for cell in row.cells}
        there = figures_and_names(" ".join((*table.itertext(), *besides)))
        assert wanted - there == set(), view.name
        answer = client.get(f"/api/v1/systems/{system}/books/{book}/units/{unit}/").json()
        there = figures_and_names(" ".join(texts_of(answer)))
        assert wanted - there == set(), view.name
        tried += 1
    assert tried >= min(UNITS, 4) or system == "sbh"
