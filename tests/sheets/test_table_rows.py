"""Reference tables: the rows that speak of the list; boxes that a card's lines ask for."""

import pytest

from armybuilder.sheets.content.unit_words import boxed
from tests.sheets.printed import example, material, told

pytestmark = pytest.mark.long

NINTH = "ddm-2008/down-the-ninth-stair"


def rows(document: dict, table: str) -> list[str]:
    found = [one for one in material(document).sheet.tables if one.name == table]
    return [row[0] for one in found for row in one.rows]


def test_tables_have_the_rows_that_speak_of_the_list():
    # Of the scenarios only the chosen one is told.
    document = example(NINTH)
    assert rows(document, "Scenarios") == ["Assault"]
    other = {**document, "settings": {**document["settings"], "scenario": "bounty"}}
    assert rows(other, "Scenarios") == ["Bounty"]
    # A scenario that no table has tells all.
    document = example(NINTH)
    other = {**document, "settings": {**document["settings"], "scenario": "other"}}
    assert len(rows(other, "Scenarios")) == 7
    # Of the conditions those are told that stand on cards.
    document = example(NINTH)
    cards = " ".join(told(document, kinds="cards")).casefold()
    found = rows(document, "Conditions")
    assert "Dazed" in found
    assert "Confused" not in found
    assert all(name.split()[0].casefold() in cards for name in found)
    # Sheets tell no words for boxes that they draw.
    for kind in ("full", "compact"):
        text = " ".join(told(example("ddm-2008/wardens-of-the-river-gate"), kinds=kind))
        assert "1 box" not in text


@pytest.mark.parametrize(
    ("line", "text", "boxes"),
    [
        ("Steady (1 box): she is not", "Steady: she is not", 1),
        ("Sparks (range 5; 2 boxes): +8", "Sparks (range 5): +8", 2),
        ("Breath: 20 fire damage; recharges", "Breath: 20 fire damage; recharges", 1),
        ("Claws: +4 vs AC; 5 damage", "Claws: +4 vs AC; 5 damage", 0),
        ("Endless (999 boxes): many", "Endless: many", 10),
    ],
)
def test_boxes_that_a_line_speaks_of_are_drawn(line, text, boxes):
    assert boxed(line) == (text, boxes)
