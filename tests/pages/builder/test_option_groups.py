"""The options of every unit of the shipped army books as the builder groups them."""

from collections.abc import Iterator

import pytest

from armybuilder.editing import unit_edits
from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.engine.lines import Line
from armybuilder.engine.offers import GroupOffer, OptionOffer, offers
from armybuilder.engine.report import Report
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.options import GroupView, OptionView, Part, option_parts
from armybuilder.pages.builder.page import BuilderPage
from tests.building.documents import list_of
from tests.conftest import Builder
from tests.markup import lacking

BOOKS = [
    book
    for system, books in shipped_library().books.items()
    if shipped_library().systems[system].sized
    for book in books.values()
]

every_book = pytest.mark.parametrize(
    "book",
    [pytest.param(book, marks=pytest.mark.one_in(7)) for book in BOOKS],
    ids=[f"{book.system}/{book.id}" for book in BOOKS],
)


def lines_of(book: Book) -> tuple[Report, System, list[Line]]:
    """One of every unit of a book, each with what a new one has."""
    library = shipped_library()
    document = ArmyList.from_dict(list_of(book.system, [book.id], [], limit=4500))
    catalogue: Catalogue = library.catalogue(book.system, [book.id])
    for ref, unit in catalogue.units.items():
        if unit.counts:
            document, _ = unit_edits.add_unit(document, catalogue, ref)
    report = judge(document, library).report
    lines = [report.line(entry.id) for entry in document.units]
    return report, catalogue.system, [line for line in lines if line is not None]


def offered(nodes: tuple[OptionOffer | GroupOffer, ...]) -> Iterator[str]:
    """The paths of all that can be chosen."""
    for node in nodes:
        if isinstance(node, OptionOffer) and not node.given:
            yield node.path
        yield from offered(node.inner)


def below(parts: tuple[Part, ...]) -> Iterator[Part]:
    for part in parts:
        yield part
        yield from below((*part.parts, *getattr(part, "off", ())))


def groups_in(parts: tuple[Part, ...]) -> list[GroupView]:
    return [part for part in parts if isinstance(part, GroupView)]


@pytest.mark.one_in(14)
@every_book
def test_every_option_is_drawn_once_and_twins_are_one_group(book: Book) -> None:
    report, system, lines = lines_of(book)
    for line in lines:
        nodes = offers(line, report)
        head, others = option_parts(nodes, line, system)
        parts = (*head, *others.parts, *others.off)
        every = list(below(parts))
        drawn = [
            part.path
            for part in every
            if isinstance(part, OptionView)
            and 'id="none-' not in part.button
            and "switch-options" not in part.button
        ]
        closed = set(offered(nodes)) - set(drawn)
        # What cannot be had at all is told with its group.
        assert sorted(set(drawn)) == sorted(drawn), line.name
        shut = list(_shut(nodes))
        assert closed <= set(offered(tuple(shut))), line.name
        for group in (others, *(part for part in every if isinstance(part, GroupView))):
            inner = [(_plain(one.name), one.why) for one in groups_in(group.parts)]
            assert len(inner) == len(set(inner)), (line.name, inner)
            for name, why in inner:
                short = name.removeprefix(f"{_plain(book.name)} ").removesuffix("s")
                twins = [one for one, other in inner if one.endswith((short, f"{short}s"))]
                assert name.startswith(short) or len(twins) > 1, (line.name, name, why)
            # Nothing folds within what is folded.
            assert group is others or not any(one.fold for one in groups_in(group.parts))
            # What unfolds has more than one row, or something is wrong there.
            rows = (*group.parts, *group.off)
            assert not group.fold or group.bad or len(rows) > 1, (line.name, group.name)


def _plain(name: str) -> str:
    return name.casefold().replace("&", "and")


def _shut(nodes: tuple[OptionOffer | GroupOffer, ...]) -> Iterator[OptionOffer | GroupOffer]:
    for node in nodes:
        if isinstance(node, GroupOffer) and node.why:
            yield node
        else:
            yield from _shut(node.inner)


def test_a_full_command_is_one_press_taken_back_in_one_step(elves: Builder) -> None:
    elves.act("add", ref="highborn-elves/lion-guard")
    chip = ('value="switch-options:champion standard-bearer musician"', "Full command", "+30")
    assert lacking(elves.client.get(elves.url, {"open": "u1"}).text, *chip) == []

    def points() -> int:
        return BuilderPage(elves.version, shipped_library()).report.spent

    before = points()

    def taken() -> list[str]:
        (unit,) = elves.document["units"]
        return [one["id"] for one in unit.get("options", ())]

    act = "switch-options:champion standard-bearer musician"
    elves.act("option:musician", unit="u1")
    # Of what is there already nothing is paid again.
    assert "+20" in elves.client.get(elves.url, {"open": "u1"}).text
    elves.act(act, unit="u1")
    assert sorted(taken()) == ["champion", "musician", "standard-bearer"]
    assert points() == before + 30
    elves.act("undo")
    assert taken() == ["musician"]
    elves.act("redo")
    # Pressed again, all of it goes.
    elves.act(act, unit="u1")
    assert taken() == []


@pytest.mark.slow
def test_items_are_one_list_that_says_what_is_left(elves: Builder) -> None:
    elves.act("add", ref="highborn-elves/high-prince")
    page = elves.client.get(elves.url, {"open": "u1"}).text
    left = "Left: 200 points · Weapon Enchantments 1 · Armour Enchantments 1 · Artefacts 2"
    assert lacking(page, left, 'class="find-options"', 'aria-label="Artefacts"') == []
    for item in ("diadem-of-protection", "king-slayer"):
        elves.act(f"option:{item}", unit="u1")
    page = elves.client.get(elves.url, {"open": "u1"}).text
    assert "Left: 70 points · Weapon Enchantments 0" in page
    assert "Artefacts 1" in page
    # An item is left as it was taken, and another takes its place.
    elves.act("option:heros-heart", unit="u1")
    (unit,) = elves.document["units"]
    assert "king-slayer" not in [one["id"] for one in unit["options"]]
    elves.act("option:heros-heart", unit="u1")
    (unit,) = elves.document["units"]
    assert "heros-heart" not in [one["id"] for one in unit["options"]]


def test_options_come_in_the_order_of_the_book_however_they_were_pressed(elves: Builder) -> None:
    elves.act("add", ref="highborn-elves/lion-guard")
    for option in ("standard-bearer", "musician", "champion"):
        elves.act(f"option:{option}", unit="u1")
    words = "Champion, Standard Bearer, Musician"
    assert words in elves.client.get(elves.url, {"open": "u1"}).text
    for form in ("full", "t9a", "markdown"):
        text = elves.client.get(f"{elves.url}text/", {"form": form}).text
        assert text.index("Champion") < text.index("Standard Bearer") < text.index("Musician")
