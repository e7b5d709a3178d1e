"""The open list, for opponents, where special items are hidden (Rulebook 8.E.a)."""

import pytest

from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.hidden import hidden, letters
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.texts.full import draw_text
from tests.building.documents import list_of, value_of
from tests.building.towers import (
    GENERAL,
    army_document,
    army_sheet_of,
    block,
    catalogue,
    illegal_army,
    legal_army,
    option,
    unit,
)
from tests.sheets.papers import DAY

BANNER = unit("guard", 10, options=[option("standard", "red-banner")])
PLAIN = unit("guard", 10, options=[option("standard")])


def titles(kind, *units):
    return [unit.title for unit in army_sheet_of(army_document(*units), kind).army.units]


def test_what_is_hidden_on_an_open_list():
    # Special items and what works like them are left out with their points.
    entry = unit("champion", options=[option("tall"), option("crown"), option("horns")])
    told = block(entry, "open")
    assert [option.name for option in told.chosen] == ["Tall"]
    assert (told.items, told.points) == ((), 205)
    assert told.given == ("Sword",)
    # What a hidden item changes does not show.
    entry = unit("champion", options=[option("crown"), option("horns")])
    assert block(entry).stats[0].values[-1] == "9"
    told = block(entry, "open")
    assert told.stats[0].values[-1] == "5"
    assert told.rules == ("Fearless",)
    # What only a hidden item allows is hidden with it: The second path of a wizard would betray
    # the item that allows it.
    plain = ["wizard-adept", "pyromancy"]
    made = [
        Material(value_of(mage(options)), shipped_library(), DAY)
        for options in (plain, [*plain, "essence-of-a-free-mind", "cosmology-2"])
    ]
    for one in made:
        (wizard,) = one.open_sheet.army.divisions[0].units
        assert wizard.wizard.path == "Pyromancy"
        assert "Cosmology" not in draw_text(one.open_sheet)
    assert made[0].open_hash == made[1].open_hash
    assert "Pyromancy or Cosmology" in draw_text(made[1].sheet)
    # Notes stay at home.
    told = army_sheet_of(army_document(PLAIN | {"notes": "red is real"}, notes="secret"), "open")
    assert (told.notes, told.army.units[0].notes) == ("", "")
    # No name of a hidden item is anywhere on it.
    for document in (legal_army(), illegal_army()):
        text = draw_text(army_sheet_of(document, "open"))
        for name in ("Crown", "Wand", "Red Banner"):
            assert name not in text
    # Options of groups that follow the rules for items are hidden.
    entry = unit("champion", options=[option("horns"), option("tall")])
    (pick,) = make_roster(value_of(army_document(entry)), catalogue()).picks
    assert {taken.id: hidden(taken) for taken in pick.picks} == {
        "sword": False,
        "horns": True,
        "tall": False,
    }
    # An option that no book knows may have been an item and is not named.
    document = army_document(unit("champion", options=[option("sword-of-light")]))
    assert "sword-of-light" in draw_text(army_sheet_of(document))
    assert "sword-of-light" not in draw_text(army_sheet_of(document, "open"))


def mage(options):
    taken = {
        "unit": "highborn-elves/mage",
        "models": 1,
        "options": [{"id": each} for each in options],
    }
    return list_of("t9a-2023", ["highborn-elves"], [taken], limit=4500)


def test_verdict_and_totals_of_an_open_list():
    # Shares and totals lack the hidden points but not the judgement.
    told = army_sheet_of(legal_army(), "open")
    assert told.verdict == "Legal, within 1500 points."
    assert told.price == "1380 points without special items, game of 1500"
    assert [share.points for share in told.army.shares] == [200, 1180, 0]
    assert (told.army.total.points, told.army.total.state, told.army.left) == (1380, "ok", None)
    # An illegal list stays illegal and counts what it does not tell.
    full, told = army_sheet_of(illegal_army()), army_sheet_of(illegal_army(), "open")
    assert told.verdict == full.verdict
    assert told.findings[0].sentence == "4 findings are shown on the full list only."
    assert told.findings[0].severity == "error"
    assert set(told.findings[1:]) < set(full.findings)
    # An unfinished list lacks things and has no errors.
    document = army_document(unit("guard", 10), limit=1500)
    full, told = army_sheet_of(document), army_sheet_of(document, "open")
    assert full.verdict.startswith("Not legal yet: ")
    for one in (full, told):
        assert one.unfinished
        assert {finding.severity for finding in one.findings} == {"to-do"}
    assert "shown on the full list only" in told.findings[0].sentence
    # Findings on points are kept back also where nothing is hidden.
    document = army_document(unit("guard", 10), unit("trolls", 6), unit("trolls", 6))
    full, told = army_sheet_of(document), army_sheet_of(document, "open")
    kept = set(full.findings) - set(told.findings)
    assert told.findings[0].sentence == f"{len(kept)} findings are shown on the full list only."
    assert kept
    assert any("spend at least 375" in finding.sentence for finding in kept)


@pytest.mark.parametrize("kind", ["full", "open"])
def test_units_that_look_the_same_have_letters_on_both_lists(kind):
    told = titles(kind, PLAIN, BANNER, unit("guard", 11), PLAIN)
    assert told == ["10 Guard A", "10 Guard B", "11 Guard", "10 Guard C"]


def test_letters_of_units_that_look_the_same():
    # Letters do not betray that something is hidden.
    assert titles("open", PLAIN, PLAIN) == titles("open", PLAIN, BANNER)
    # Units of different names or roles need no letters.
    named = PLAIN | {"name": "The Red Guard"}
    assert titles("full", PLAIN, named) == ["10 Guard", "10 The Red Guard"]
    assert titles("full", GENERAL, unit("champion")) == ["Champion", "Champion"]
    # Letters go on after z.
    roster = make_roster(value_of(army_document(*[PLAIN] * 28)), catalogue())
    assert list(letters(roster).values())[25:] == ["Z", "AA", "AB"]


def test_files_of_it_have_a_name_of_their_own():
    assert army_sheet_of(legal_army()).file_name == "Test army"
    assert army_sheet_of(legal_army(), "open").file_name == "Test army open list"
