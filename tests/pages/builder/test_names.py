"""Every name that a sheet explains is a link to its meaning in the open unit's pane."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any
from urllib.parse import unquote

import pytest

from armybuilder.engine.meanings import Meanings
from armybuilder.loading.documents import catalogue_of
from armybuilder.loading.library import shipped_library
from tests.building.documents import value_of
from tests.building.random_lists import ARMY_BOOKS, OTHER_BOOKS, SKIRMISHES, random_lists
from tests.conftest import Builder
from tests.effort import THOROUGH, scaled
from tests.sharing.links import make_link, path_of
from tests.sheets.papers import sheet

pytestmark = [pytest.mark.django_db, pytest.mark.long]

GAMES = [*SKIRMISHES, "highborn-elves", "essence-of-war/orcs-and-goblins", "t9a-2024/ogre-khans"]
NAME = re.compile(r'<a class="(?:means|about)" href="meaning/([^"]+)/"')


def linked(builder: Builder, listed: dict[str, Any]) -> Iterator[str]:
    """The names in the panes of the list's units, as their links have them."""
    shown = {"HX-Request": "true", "X-Shown": "unit"}  # no other pane is drawn
    for unit in listed["units"]:
        address = f"{builder.url}?open={unit['id']}&part=list"
        panel = builder.client.get(address, headers=shown).text
        assert 'id="shelf"' not in panel
        yield from map(unquote, NAME.findall(panel))


@pytest.mark.one_in(9)
@pytest.mark.parametrize("game", [*ARMY_BOOKS, *OTHER_BOOKS, *SKIRMISHES] if THOROUGH else GAMES)
def test_every_name_that_a_sheet_explains_opens_its_meaning_in_the_builder(
    game: str, build: Callable[..., Builder]
) -> None:
    builder = None
    for listed in islice(random_lists(game, seed=7), scaled(1, 1, 6)):
        books = [book["id"] for book in listed["books"]]
        builder = builder or build(listed["system"], limit=listed["limit"], books=books)
        builder.store(**listed)
        known = Meanings(catalogue_of(value_of(listed), shipped_library()))
        names = {one.name for name in linked(builder, listed) for one in known.explained(name)}
        made = sheet(listed)
        explained = {entry.label for entry in (*made.glossary, *made.spells)}
        assert explained <= names, listed["name"]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["highborn-elves", "chainmail-2002"])
def test_names_on_a_shared_list_open_their_meanings_and_on_a_printed_sheet_none(
    game: str, build: Callable[..., Builder]
) -> None:
    listed = next(random_lists(game, seed=3))
    books = [book["id"] for book in listed["books"]]
    builder = build(listed["system"], limit=listed["limit"], books=books)
    builder.store(**listed)
    address = path_of(make_link(builder, what="current", view="full"))
    found = set(NAME.findall(builder.client.get(address).text))
    assert len(found) > 3
    for name in found:
        answer = builder.client.get(f"{address}meaning/{name}/", headers={"HX-Request": "true"})
        assert "<h2" in answer.text, unquote(name)
    assert not NAME.search(builder.client.get(f"{builder.url}sheet/").text)
