"""What the sheet of an army of units says, before anybody draws it."""

from dataclasses import astuple

import pytest

from armybuilder.sheets.texts.forms import draw_lines
from tests.building.documents import list_of
from tests.building.towers import (
    BOOK,
    GENERAL,
    army_document,
    army_sheet_of,
    block,
    illegal_army,
    legal_army,
    option,
    unit,
)
from tests.sheets.papers import legal_list, sheet


def army(document, kind="full"):
    return army_sheet_of(document, kind).army


def names(taken):
    return [option.name for option in taken]


def test_categories_and_their_units():
    # The examples are what they say.
    assert army_sheet_of(legal_army()).verdict == "Legal: 1480 of 1500 points."
    assert not army_sheet_of(illegal_army()).legal
    # Units stand under their primary category in the books order.
    told = army(army_document(unit("trolls", 2), unit("guard", 10), GENERAL, unit("gone")))
    assert [(part.title, [unit.title for unit in part.units]) for part in told.divisions] == [
        ("Characters", ["Champion"]),
        ("Core", ["10 Guard"]),
        ("Beasts", ["2 Trolls"]),
        ("Not in the books", ["towers/gone"]),
    ]
    # A skirmish list has cards and no army.
    told = sheet(legal_list())
    assert told.army is None
    assert told.cards
    assert not army_sheet_of(legal_army()).cards
    # Each category tells its share of the army points and its bound.
    told = army(legal_army())
    assert [astuple(share) for share in told.shares] == [
        ("Characters", 260, "17.3", "at most 40 % (600)", "ok"),
        ("Core", 1220, "81.3", "at least 25 % (375)", "ok"),
        ("Beasts", 0, "0.0", "at most 20 % (300), at most 1 unit", "ok"),
    ]
    assert astuple(told.total) == ("Army", 1480, "98.7", "at most 1500", "ok")
    assert told.left == 20
    # A category out of bounds says to which side.
    told = army(army_document(unit("champion"), unit("tower"), unit("trolls", 1)))
    assert {share.name: share.state for share in told.shares} == {
        "Characters": "ok",
        "Core": "under",
        "Beasts": "over",
    }
    assert told.total.state == "under"
    assert army(army_document(unit("guard", 40), unit("guard", 40))).total.state == "over"
    # Numbers of the table do not come twice.
    assert [gauge.name for gauge in army_sheet_of(legal_army()).gauges] == ["Units"]
    # An army of nothing has a sheet.
    told = army(army_document())
    assert (told.units, told.columns, told.total.points) == ((), (), 0)
    # A unit the books do not have stays and says so.
    told = army(illegal_army()).units[-1]
    assert (told.known, told.price) == (False, "")
    assert told.remark == "The chosen books do not have this unit. It does not count."


def test_a_bound_that_holds_only_at_times_is_told_only_then(monkeypatch):
    moving = {"if": {"limit": {"at_least": 3000}}, "set": {"max": 30}}
    core = {"id": "core", "name": "Core", "min": "25%", "when": [moving]}
    characters, _core, beasts = BOOK["categories"]
    monkeypatch.setitem(BOOK, "categories", [characters, core, beasts])
    told = army(legal_army())
    assert astuple(told.shares[1]) == ("Core", 1220, "81.3", "at least 25 % (375)", "ok")


def test_options_of_units():
    # Special items are told apart from options and from what is given.
    told = block(unit("champion", options=[option("tall"), option("crown"), option("horns")]))
    assert [(option.name, option.points) for option in told.chosen] == [("Tall", 5)]
    assert names(told.items) == ["Crown", "Horns"]
    assert told.given == ("Sword",)
    assert told.points == 285
    # An enchantment says what it is put on.
    told = block(unit("champion", options=[option("crown", on="sword")]))
    assert names(told.items) == ["Crown (on Sword)"]
    # A custom name stands before the units own.
    told = block(unit("guard", 12, name="The Old Guard"))
    assert (told.title, told.unit_name) == ("12 The Old Guard", "Guard")
    # General battle standard and scoring are marked.
    told = block(unit("champion", roles=["general"], options=[option("battle-standard-bearer")]))
    assert told.marks == ("General", "Battle Standard Bearer")
    assert not told.scoring
    assert block(unit("guard", 10)).scoring


@pytest.mark.parametrize(
    ("entry", "health", "shattered", "said"),
    [
        (unit("guard", 25), 25, 6, "25 Health Points, shattered at 6"),
        (unit("trolls", 5), 15, 3, "15 Health Points (5 × 3), shattered at 3"),
        (unit("champion"), 3, 0, "3 Health Points"),
        (unit("peasants", 20), None, None, "? Health Points"),
        (unit("gone"), None, None, ""),
    ],
    ids=["one each", "three each", "less than four", "not known", "no such unit"],
)
def test_health_points_of_the_unit_and_the_quarter_at_which_it_is_shattered(
    entry, health, shattered, said
):
    """Rulebook 18: a unit at 25 per cent or less of its starting Health Points."""
    told = block(entry)
    assert (told.health, told.shattered, told.condition) == (health, shattered, said)


def test_statistics_and_rules_of_units():
    # Units of up to sixty health points get boxes with a line where they are shattered.
    entries = (unit("champion"), unit("guard", 25), unit("guard", 61), unit("peasants", 20))
    assert [block(entry).ticks for entry in entries] == [3, 25, 0, 0]
    assert [block(entry).mark for entry in entries] == [0, 19, 0, 0]
    # Stat lines show what holds where the unit stands.
    told = army(army_document(unit("champion", options=[option("tall")])))
    assert [column.short for column in told.columns] == ["Adv", "HP", "Res", "Agi"]
    (row,) = told.units[0].stats
    assert row.values == ('5"', "3", "4", "5")
    assert row.note == "Adv +1"
    # A mount has a row of its own and says what the model is.
    told = block(unit("champion", options=[option("dragon")]))
    assert [row.name for row in told.stats] == ["Champion", "Dragon"]
    assert told.build == "Standard Beast, 50×100 mm"
    assert told.health == 6
    # Rules come once under their longest name.
    assert block(unit("guard", 10)).rules == ("Scoring", "Longbow (3+)")
    assert block(unit("champion", options=[option("horns")])).rules == ("Fearless", "Hot Blood")


def test_wizards():
    # A wizard tells type path and spells.
    told = block(unit("champion", options=[option("wizard-master"), option("alchemy")]))
    assert told.wizard.label == "Wizard Master, Alchemy, 4 spells"
    assert len(told.spell_lines) == 4
    assert names(told.chosen) == ["Wizard Master"]
    # A wizard of two paths names each once.
    options = ["wizard-adept", "essence-of-a-free-mind", "pyromancy", "cosmology-2"]
    mage = {
        "unit": "highborn-elves/mage",
        "models": 1,
        "options": [{"id": each} for each in options],
    }
    told = sheet(list_of("t9a-2023", ["highborn-elves"], [mage], limit=4500))
    assert "\n1 Mage, Wizard Adept, Pyromancy or Cosmology, Essence of" in draw_lines(told)
    # A wizard without a path gets a line for it.
    told = block(unit("champion", options=[option("wizard-master")]))
    assert told.wizard.label == "Wizard Master, 4 spells"
    assert len(told.spell_lines) == 5
    assert block(unit("champion")).wizard is None
