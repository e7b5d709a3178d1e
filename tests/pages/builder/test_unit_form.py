"""Where the form of a unit shows its options: in the head, and in one order for all units."""

import re
from collections.abc import Callable

import pytest

from armybuilder.engine.options import Group, Option
from armybuilder.engine.units import Unit
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.options import Editor, GroupView
from armybuilder.pages.builder.page import BuilderPage
from tests.conftest import Builder
from tests.markup import flat


@pytest.fixture
def elves(build: Callable[..., Builder]) -> Builder:
    """An army with a High Prince (u1), a Commander (u2) and a Mage (u3)."""
    builder = build("t9a-2023", limit=4500, books=["highborn-elves"])
    for unit in ("high-prince", "commander", "mage"):
        assert builder.act("add", ref=f"highborn-elves/{unit}").status_code == 302
    return builder


def editor(builder: Builder, unit: str) -> Editor:
    page = BuilderPage(builder.version, shipped_library(), unit)
    assert page.unit is not None
    made: Editor | None = page.unit["editor"]
    assert made is not None
    return made


def in_head(builder: Builder, unit: str) -> list[str]:
    return [part.name for part in editor(builder, unit).head]


def below(builder: Builder, unit: str) -> list[str]:
    options = editor(builder, unit).options
    assert options is not None
    return [part.path for part in options.parts]


def test_the_head_has_what_the_game_says_and_groups_one_order(elves: Builder) -> None:
    assert in_head(elves, "u1") == []
    assert in_head(elves, "u2") == ["Battle Standard Bearer"]
    assert in_head(elves, "u3") == ["Wizard Level"]
    for unit, path in (("u2", "battle-standard-bearer"), ("u3", "wizard-level")):
        assert path not in below(elves, unit)
    head = flat(elves.client.get(elves.url, {"open": "u2"}).text)
    head = head[head.index('class="unit-head"') : head.index("</header>", head.index("unit-head"))]
    assert 'value="option:battle-standard-bearer"' in head
    # What is free says so in the head by silence.
    level = editor(elves, "u3").head[0]
    assert isinstance(level, GroupView)
    prices = [(part.name, part.price) for part in level.parts if not isinstance(part, GroupView)]
    assert prices == [("Wizard Adept", ""), ("Wizard Master", "+170")]
    assert "free" not in level.parts[0].button  # type: ignore[union-attr]
    # Groups have the same order in all units.
    prince, commander = below(elves, "u1"), below(elves, "u2")
    assert prince[:4] == commander[:4] == ["mount", "armour", "shield", "melee-weapon"]
    shared = [path for path in prince if path in commander]
    assert shared == [path for path in commander if path in prince]


def test_one_dragon_is_taken_in_the_place_of_the_other(elves: Builder) -> None:
    # Of a Dragon the army may have none beside an Ancient Dragon.
    elves.act("option:dragon", unit="u1")
    for new in ("ancient-dragon", "dragon"):
        page = elves.client.get(elves.url, {"open": "u1"}).text
        (button,) = re.findall(rf'<button[^>]*value="option:{new}"[^>]*>', page)
        assert "disabled" not in button
        elves.act(f"option:{new}", unit="u1")
        taken = {one["id"] for one in elves.document["units"][0]["options"]}
        assert taken & {"ancient-dragon", "dragon"} == {new}


@pytest.mark.parametrize("system", list(shipped_library().systems.values()), ids=lambda one: one.id)
def test_a_form_names_what_its_books_have(system: object) -> None:
    """A game that extends another has the form of that, whose books may have more."""
    form, library = system.unit_form, shipped_library()  # type: ignore[attr-defined]
    editions = [system, *library.editions(system)]  # type: ignore[arg-type]
    books = [book for one in editions for book in library.books[one.id].values()]  # type: ignore[attr-defined]
    known = {name for book in books for unit in book.units.values() for name in top_ids(unit)}
    assert {*form.head, *form.order} <= known


def top_ids(unit: Unit) -> set[str]:
    nodes: tuple[Option | Group, ...] = unit.offer.nodes
    return {node.id for node in nodes}
