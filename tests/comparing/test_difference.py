"""What differs between two lists: nothing of a list with itself, and of an edited one the edit."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.comparing.difference import Difference, difference
from armybuilder.editing import option_edits
from armybuilder.editing import unit_edits as edits
from armybuilder.loading.armylist import ArmyList, ListOption, changed
from armybuilder.loading.documents import Judged, catalogue_of, judge, judge_by
from armybuilder.loading.library import make_catalogue
from tests.building.documents import army, list_of, value_of
from tests.building.tiny import book_data
from tests.golden.adapter import checked_book
from tests.markup import lacking
from tests.properties.lists import FEW, GAMES, LAW, LIBRARY, lists

#: An army of 15 units; its book in whatever revision it is in now.
ARMY = value_of({**army(), "books": [{"id": "highborn-elves"}]})
SPEAR, LADY = "practice/millbrook-spearhand", "practice/bannerlady-oresta"


def judged(document: ArmyList) -> Judged:
    return judge(document, LIBRARY)


def between(before: ArmyList, after: ArmyList, one_list: bool = True) -> Difference:
    return difference(judged(before), judged(after), one_list)


@pytest.fixture
def document() -> ArmyList:
    """Two spearhands and a lady."""
    catalogue = GAMES["chainmail-2002"]
    started = edits.new_document(catalogue, "Reeds", 100)
    for ref in (SPEAR, SPEAR, LADY):
        started, _ = edits.add_unit(started, catalogue, ref)
    return started


EDITS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "more": (lambda d, c: edits.set_models(d, "u1", 5), ("{spear}: 3 more (+{three} points)",)),
    "fewer": (lambda d, c: edits.set_models(d, "u1", 1), ("{spear}: 1 fewer (−{one} points)",)),
    "removed": (lambda d, c: edits.remove(d, "u2"), ("Removed: {lady} ({price} points)",)),
    "copied": (lambda d, c: edits.duplicate(d, c, "u2")[0], ("New: {lady} ({price} points)",)),
    "named": (lambda d, c: edits.rename_unit(d, "u2", "Ora"), ("Ora ({lady}): named “Ora”",)),
    "noted": (lambda d, c: edits.note_unit(d, "u2", "Hi"), ("{lady}: different notes",)),
    "moved": (lambda d, c: edits.move(d, "u2", -1), ("The units are in a different order",)),
    "size": (lambda d, c: edits.set_limit(d, 150), ("Size: 150 points, was 100",)),
    "renamed": (lambda d, c: edits.rename(d, "Rushes"), ("Name: Rushes, was Reeds",)),
    "list notes": (lambda d, c: edits.set_notes(d, "Hi"), ("Different notes",)),
    "setting": (lambda d, c: edits.set_setting(d, c, "players", "3"), ("Players: 3, was 2",)),
    "piece": (lambda d, c: edits.add_piece(d, c, "terrain", "hill"), ("Terrain: Hill, was none",)),
}  # fmt: skip


def words(document: ArmyList, line: str) -> str:
    catalogue = catalogue_of(document, LIBRARY)
    spear, lady = catalogue.units[SPEAR], catalogue.units[LADY]
    one = spear.price.start or 0
    price = lady.price.start
    return line.format(spear=spear.name, lady=lady.name, one=one, three=3 * one, price=price)


def test_an_edit_shows_up_as_itself_and_nothing_else(document: ArmyList) -> None:
    for name, (edit, lines) in EDITS.items():
        found = between(document, edit(document, catalogue_of(document, LIBRARY)))
        said = [line.casefold() for line in found.lines()]
        assert said == [words(document, line).casefold() for line in lines], name
        assert len(found.full) >= 1, name
        assert not found.same, name


def test_comparing_the_other_way_swaps_new_and_gone(document: ArmyList) -> None:
    after = edits.remove(edits.set_models(document, "u1", 4), "u2")
    there, back = between(document, after), between(after, document)
    assert sorted(unit.kind for unit in there.units) == ["changed", "gone"]
    assert sorted(unit.kind for unit in back.units) == ["changed", "new"]
    assert there.numbers[1][2:] == back.numbers[1][:1:-1]
    # A role given is said, and taken away too.
    catalogue = GAMES["chainmail-2002"]
    after = edits.switch_role(document, catalogue, "u1", "reserve")
    name = catalogue.system.roles["reserve"].name
    spear = catalogue.units[SPEAR].name
    assert between(document, after).lines()[0].startswith(f"{spear}: now {name}")
    assert between(after, document).lines()[0].startswith(f"{spear}: no longer {name}")


def test_the_last_line_counts_the_differences_left_out(document: ArmyList) -> None:
    catalogue = GAMES["chainmail-2002"]
    after = document
    for ref in sorted(catalogue.units)[:9]:
        after, _ = edits.add_unit(after, catalogue, ref)
    found = between(document, after)
    assert found.lines(5)[4:] == ("And 5 more differences",)
    assert len(found.lines(50)) == len(found.full) == 9


class TestArmies:
    """Trees of options, by the paths of their names."""

    def test_differences_name_options_and_points(self) -> None:
        catalogue = catalogue_of(ARMY, LIBRARY)
        unit = next(entry for entry in ARMY.units if entry.options)
        first = unit.options[0].id
        option = catalogue.units[unit.ref].offer.slots[first][0].option
        after = option_edits.switch_option(ARMY, catalogue, unit.id, first)
        assert any(
            change.name == option.name and change.before and not change.after
            for told in between(ARMY, after).units
            for change in told.changes
        )
        assert len(between(ARMY, after).units) == 1
        back = between(after, ARMY)
        assert f"with {option.name}" in back.lines()[0]

    def test_nested_options_are_named_with_their_path(self) -> None:
        paths = [
            row.what
            for entry in ARMY.units
            for _unit, rows in between(set_options(entry.id), ARMY).full
            for row in rows
            if row.what.startswith("Option: ")
        ]
        assert any(" / " in path for path in paths)
        assert not any("-" in path.split(" / ")[0] and path.islower() for path in paths)

    def test_differences_name_numbers_of_options_and_unknown_ones(self) -> None:
        catalogue = catalogue_of(ARMY, LIBRARY)
        entry = next(one for one in ARMY.units if catalogue.units[one.ref].offer.slots)
        option = next(iter(catalogue.units[entry.ref].offer.slots))
        once = set_options(entry.id, {"id": option})
        thrice = set_options(entry.id, {"id": option, "number": 3})
        (unit,) = between(once, thrice).units
        assert [change[2:] for change in unit.changes] == [("taken", "3 times")]
        # An option nobody knows is told by its id.
        odd = set_options(entry.id, {"id": "no-such", "options": ["deeper"]})
        ((_unit, rows),) = between(set_options(entry.id), odd).full
        assert (
            lacking([row.what for row in rows], "Option: no-such", "Option: no-such / deeper") == []
        )


def set_options(entry_id: str, *options: Any) -> ArmyList:
    made = tuple(map(ListOption.from_dict, options))
    return edits.change_entry(ARMY, entry_id, lambda entry: changed(entry, options=made))


def test_lists_of_their_own_are_compared_by_their_units_not_their_ids(document: ArmyList) -> None:
    units = [replace(entry, id=f"u{70 - number}") for number, entry in enumerate(document.units)]
    other = replace(document, name="Other", units=tuple(reversed(units)))
    assert between(document, other, one_list=False).same
    assert not between(document, other).same


def test_custom_models_of_two_lists_are_not_matched_by_id() -> None:
    ann, bob = own("Ann", 3), own("Bob", 4)
    kinds = [unit.kind for unit in between(ann, bob, one_list=False).units]
    assert sorted(kinds) == ["gone", "new"]
    assert [unit.kind for unit in between(ann, bob).units] == ["changed"]
    assert "Quality 4, was 3" in between(ann, own("Ann", 4)).lines()[0]


def own(name: str, quality: int) -> ArmyList:
    profile = {"name": name, "stats": {"quality": quality, "combat": 3}, "abilities": []}
    return value_of(list_of("sbh", ["profiles"], [{"profile": profile, "models": 1}], limit=100))


def test_lists_of_two_games_differ_in_all_their_units(document: ArmyList) -> None:
    found = between(document, ARMY, one_list=False)
    assert {unit.kind for unit in found.units} == {"new", "gone"}
    assert len(found.units) == len(document.units) + len(ARMY.units)
    assert found.about[0].name == "Game"
    assert len(found.lines()) == 5
    # Another edition keeps them.
    other = replace(document, system="chainmail-2001-basic")
    found = between(document, other)
    assert {unit.kind for unit in found.units} <= {"changed"}
    assert any(line.startswith("Game: ") for line in found.lines())


def riders(book_id: str, points: int) -> Judged:
    """A list of a book of one's own that has a rider for so many points."""
    system = LIBRARY.system("chainmail-2002")
    rider = {
        "id": "rider", "name": "Rider", "points": points,
        "attributes": {"faction": "thalos", "alignment": "good"},
    }  # fmt: skip
    data = book_data(rider, id=book_id, system=system.id, name="Riders")
    catalogue = make_catalogue(system, [checked_book(data, system)])
    document = edits.new_document(catalogue, "Riders", 100)
    document, _ = edits.add_unit(document, catalogue, f"{book_id}/rider")
    return judge_by(document, catalogue)


def test_units_of_a_copied_book_are_known_by_their_names() -> None:
    found = difference(riders("mine", 10), riders("copy", 10), one_list=False)
    assert found.units == ()
    assert sorted(found.lines()) == ["With the book Riders", "Without the book Riders"]


def test_a_unit_that_costs_more_in_a_newer_book_is_reported() -> None:
    found = difference(riders("mine", 10), riders("mine", 12))
    assert found.lines() == ("Riders: a different version of the book", "Rider: 12 points, was 10")
    assert found.full[-1] == ("Rider", (("Points", "10", "12"),))


@LAW
@given(lists().map(value_of))
def test_a_list_does_not_differ_from_itself(document: ArmyList) -> None:
    for one_list in (True, False):
        found = between(document, document, one_list)
        assert found.same
        assert found.lines() == found.full == ()


@FEW
@given(lists().map(value_of), lists().map(value_of), st.booleans())
def test_comparing_the_other_way_swaps_new_and_gone_everywhere(
    first: ArmyList, second: ArmyList, one_list: bool
) -> None:
    there, back = between(first, second, one_list), between(second, first, one_list)
    assert count(there, "new") == count(back, "gone")
    assert count(there, "gone") == count(back, "new")
    assert sorted((one.kind, one.before, one.after) for one in there.about) == sorted(
        (one.kind, one.after, one.before) for one in back.about
    )
    kept = len(second.units) - count(there, "new")
    assert kept == len(first.units) - count(there, "gone")


def count(found: Difference, kind: str) -> int:
    return sum(unit.kind == kind for unit in found.units)


@FEW
@given(st.data())
def test_edits_show_up_exactly_at_the_units_they_touch(data: st.DataObject) -> None:
    before = data.draw(lists().map(value_of).filter(lambda one: len(one.units) > 1))
    entry_ids = [entry.id for entry in before.units]
    touched = data.draw(st.lists(st.sampled_from(entry_ids), unique=True))
    after = before
    for entry_id in touched:
        models = edits.find(after, entry_id).models
        after = edits.set_models(after, entry_id, models + data.draw(st.integers(100, 200)))
    found = between(before, after)
    shown = {unit.ids for unit in found.units if unit.changes}
    assert shown == {(entry_id, entry_id) for entry_id in touched}
    assert not count(found, "new") + count(found, "gone")
    # To move one unit tells that one unit moved.
    steps = data.draw(st.integers(-3, 3))
    after = edits.move(before, data.draw(st.sampled_from(entry_ids)), steps)
    moved = [unit for unit in between(before, after).units if unit.places]
    assert len(moved) == (after != before)
