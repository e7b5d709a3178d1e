"""How units of the shipped books arrive on a list: with what is free where something must be."""

from collections.abc import Iterable, Iterator

import pytest

from armybuilder.editing import unit_edits
from armybuilder.engine import Severity, validate
from armybuilder.engine.catalogue import Book, Catalogue
from armybuilder.engine.fresh import is_scarce, runs_out
from armybuilder.engine.offers import GroupOffer, OptionOffer, flat, offers
from armybuilder.engine.units import Unit
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library

LIBRARY = shipped_library()
BOOKS = [book for books in LIBRARY.books.values() for book in books.values()]
ARMIES = [book for book in BOOKS if LIBRARY.systems[book.system].sized]


def lacking(offered: Iterable[OptionOffer | GroupOffer]) -> Iterator[GroupOffer]:
    """The groups that must not be as empty as they are."""
    for offer in offered:
        if isinstance(offer, GroupOffer) and not offer.why and offer.number < offer.least:
            yield offer
        yield from lacking(offer.inner)


def most_of(unit: Unit) -> int | None:
    return unit.cap.number.base if unit.cap else None


def free(group: GroupOffer) -> list[OptionOffer]:
    """The options of a group that are open and cost nothing."""
    return [offer for offer in flat(group.inner) if not (offer.why or offer.points)]


def arrived(unit: Unit, catalogue: Catalogue) -> tuple[OptionOffer | GroupOffer, ...]:
    """What is offered on a unit that has just been added."""
    size = catalogue.system.default_size
    document, entry = unit_edits.add_unit(
        unit_edits.new_document(catalogue, "x", size), catalogue, unit.ref
    )
    report = validate(make_roster(document, catalogue), catalogue)
    line = report.line(entry)
    assert line is not None
    return offers(line, report)


@pytest.mark.one_in(9)
@pytest.mark.parametrize("book", ARMIES, ids=[book.id for book in ARMIES])
def test_no_unit_arrives_without_the_only_free_option_of_a_forced_group(book: Book) -> None:
    catalogue = shipped_library().catalogue(book.system, [book.id])
    bare = [
        (unit.ref, group.path, only[0].path)
        for unit in book.units.values()
        for group in lacking(arrived(unit, catalogue))
        # What an army may hold only once, or less often than the unit, is for the player to choose.
        if len(only := free(group)) == 1 and group.least == 1
        if not is_scarce(only[0].option) and not runs_out(only[0].option, most_of(unit))
    ]
    assert bare == []


def test_only_books_of_armies_have_units_with_options() -> None:
    having = {book.system for book in BOOKS if any(unit.offer for unit in book.units.values())}
    assert having == {book.system for book in ARMIES}


@pytest.mark.parametrize(
    ("ref", "weapons"),
    [("empire-of-sonnstahl/artillery", []), ("infernal-dwarves/infernal-engine", ["titan-mortar"])],
)
def test_a_weapon_that_more_of_a_unit_could_not_have_is_left_to_choose(
    ref: str, weapons: list[str]
) -> None:
    unit = shipped_library().books["t9a-2023"][ref.partition("/")[0]].units[ref]
    assert [pick.id for pick in unit.fresh if not pick.given] == weapons


def test_the_commander_of_the_highborn_elves_arrives_in_light_armour() -> None:
    unit = shipped_library().books["t9a-2023"]["highborn-elves"].units["highborn-elves/commander"]
    assert "light-armour" in [pick.id for pick in unit.fresh]


def test_who_must_lead_arrives_as_the_general_unless_somebody_is() -> None:
    catalogue = shipped_library().catalogue("t9a-2023", ["vermin-swarm"])
    empty = unit_edits.new_document(catalogue, "x", 4500)
    dictator = "vermin-swarm/ruinous-dictator"
    alone, _ = unit_edits.add_unit(empty, catalogue, dictator)
    assert alone.units[0].roles == ("general",)
    led, first = unit_edits.add_unit(empty, catalogue, "vermin-swarm/vermin-senator")
    led = unit_edits.switch_role(led, catalogue, first, "general")
    both, _ = unit_edits.add_unit(led, catalogue, dictator)
    assert [entry.roles for entry in both.units] == [("general",), ()]


def test_a_general_of_whom_the_book_does_not_say_whether_he_may_lead_is_not_checked() -> None:
    catalogue = shipped_library().catalogue("t9a-2023", ["hobgoblins"])
    empty = unit_edits.new_document(catalogue, "x", 4500)
    document, entry = unit_edits.add_unit(empty, catalogue, "hobgoblins/hob-savaran")
    assert validate(make_roster(document, catalogue), catalogue).complete
    led = unit_edits.switch_role(document, catalogue, entry, "general")
    (told,) = validate(make_roster(led, catalogue), catalogue).unchecked
    assert told.restriction == "can be the General only if the book says so"


def test_a_general_whom_another_edition_calls_no_leader_is_an_error() -> None:
    catalogue = shipped_library().catalogue("t9a-2023", ["kingdom-of-equitaine"])
    empty = unit_edits.new_document(catalogue, "x", 4500)
    document, entry = unit_edits.add_unit(empty, catalogue, "kingdom-of-equitaine/paladin")
    led = unit_edits.switch_role(document, catalogue, entry, "general")
    codes = [
        {finding.code for finding in report.of(Severity.ERROR)}
        for report in (validate(make_roster(one, catalogue), catalogue) for one in (document, led))
    ]
    assert codes[1] - codes[0] == {"general.not-eligible"}
