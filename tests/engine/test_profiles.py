"""Stat lines: changes at a place, and the health of a model of several parts."""

import pytest

from armybuilder.engine.conditions import Army, OptionTaken, Place
from armybuilder.engine.lines import make_lines
from armybuilder.engine.options import Profile, StatChange
from armybuilder.engine.profiles import health as health_of
from armybuilder.engine.profiles import stat_line, stat_lines
from armybuilder.engine.validate import validate
from armybuilder.loading.documents import make_roster
from tests.building.documents import value_of
from tests.building.towers import army_document, catalogue, option, unit

SHIELD = OptionTaken(("option:shield",), ("Shield",))


def place(**taken):
    counts = {f"option:{name}": number for name, number in taken.items()}
    return Place(Army(4500, {}, {}), counts, 1)


def changed(value, *changes):
    profile = Profile("Row", {"res": value}, (), changes)
    return stat_line(profile, place(shield=1))


@pytest.mark.parametrize("value", ["C+2", '5"', "", "D3+1"])
def test_a_change_to_a_text_value_is_noted(value):
    row = changed(value, StatChange("res", SHIELD, add=1))
    assert (row.stats, row.moved) == ({"res": value}, (("res", 1),))


def test_changes_apply_in_their_order_where_they_hold():
    # A change applies where its condition holds.
    profile = Profile("Row", {"hp": "5"}, (), (StatChange("hp", SHIELD, text="8"),))
    assert stat_line(profile, place(shield=1)).stats == {"hp": "8"}
    assert stat_line(profile, place()).stats == {"hp": "5"}
    # A number is added to a number.
    row = changed("3", StatChange("res", SHIELD, add=1), StatChange("res", SHIELD, add=-3))
    assert (row.stats, row.moved) == ({"res": "1"}, ())
    # Changes apply in their order.
    row = changed("3", StatChange("res", SHIELD, text="6"), StatChange("res", SHIELD, add=1))
    assert row.stats == {"res": "7"}


def line_of(entry):
    cat = catalogue()
    roster = make_roster(value_of(army_document(entry)), cat)
    return make_lines(roster, validate(roster, cat).full.system)[0]


@pytest.mark.parametrize(
    ("mount", "told"),
    [(None, 3), ("dragon", 6), ("horse", 3), ("boar", 4), ("cloud", None)],
    ids=["on foot", "a number", "C", "C+1", "is not a number"],
)
def test_a_mounts_health_points_stand_for_both_unless_they_are_its_riders(mount, told):
    """Rulebook 19.B.3: the mount's value, but of "C" the character's, of "C + X" so much more."""
    options = [option(mount)] if mount else []
    line = line_of(unit("champion", options=options))
    assert health_of(line, stat_lines(line)) == told


def test_a_unit_has_rows_for_its_options_and_known_health():
    # Rows of options follow the units own.
    rows = stat_lines(line_of(unit("champion", options=[option("horse")])))
    assert [(row.name, row.option) for row in rows] == [("Champion", ""), ("Horse", "horse")]
    # Health is not known where the book has no stat line.
    line = line_of(unit("peasants", 20))
    assert health_of(line, stat_lines(line)) is None
    # One model of many does not change the health of the others.
    line = line_of(unit("guard", 10, options=[option("captain")]))
    assert health_of(line, stat_lines(line)) == 1
