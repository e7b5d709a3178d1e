"""Pictures: where the points go, and command given and needed."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from armybuilder.sheets.content.structure import Portion
from armybuilder.sheets.drawing.blocks import COLUMN_GAP, shares
from armybuilder.sheets.drawing.pictures import MOST, PATTERNS, _hatching, few
from armybuilder.sheets.drawing.typeface import Ink, load_fonts, width_of
from tests.sheets.papers import document, practice
from tests.sheets.printed import EXAMPLES, example, long_army, material, told

portions = some.lists(some.builds(Portion, some.text("abc ", max_size=9), some.integers(1, 999)))


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_the_parts_of_a_list_sum_to_its_points(name):
    sheet = material(example(name)).sheet
    assert sum(portion.points for portion in sheet.portions) == sheet.spent


def test_an_armys_points_are_told_by_category():
    found = dict(material(long_army()).sheet.portions)
    assert found["Characters"] == 2435
    assert found["Core"] == 2150


def test_it_is_said_where_units_count_in_a_second_category_too():
    said = "Each unit counts here in its first category only."
    assert said in " ".join(told(long_army(), kinds="judge"))
    assert said not in " ".join(told(example("sbh/gruks-green-flood"), kinds="judge"))


def test_a_list_of_one_group_is_told_by_its_entries():
    sheet = material(document(practice("bannerlady-oresta"), practice("sunhill-chaplain", 2))).sheet
    assert set(sheet.portions) == {
        Portion("Bannerlady Oresta", 38),
        Portion("2 × Sunhill Chaplain", 48),
    }


def test_command_is_told_as_the_rule_counts_it():
    sheet = material(example("chainmail-2001-basic/drums-in-the-fog")).sheet
    (command,) = sheet.commands
    assert command.gives == (Portion("Redtusk Overseer", 4), Portion("Stormdrum Caller", 1))
    assert set(command.needs) == {
        Portion("Ogre", 2),
        Portion("Bogback Smasher", 2),
        Portion("Orc", 1),
    }
    gauge = next(line for line in sheet.gauges if line.name == "Commander limit")
    assert gauge.text == f"{command.needed} of {command.given}"


def test_the_judges_sheet_names_the_parts_of_its_pictures():
    text = " ".join(told(example("chainmail-2001-basic/drums-in-the-fog"), kinds="judge"))
    assert "Command given: 5 Redtusk Overseer 4 Stormdrum Caller 1" in text
    assert "Command needed: 5 Ogre 2 Bogback Smasher 2 Orc 1" in text


def test_the_full_sheet_has_no_pictures():
    text = " ".join(told(example("chainmail-2001-basic/drums-in-the-fog")))
    assert "what they were spent on" not in text
    assert "Command given" not in text


def test_a_game_without_command_has_no_picture_of_it():
    assert material(example("sbh/gruks-green-flood")).sheet.commands == ()


@given(portions)
def test_drawing_many_parts_together_loses_no_points(parts):
    drawn = few(parts)
    assert len(drawn) <= MOST
    assert sum(part.points for part in drawn) == sum(part.points for part in parts)


def test_every_part_has_a_pattern_of_its_own():
    assert len(set(PATTERNS)) == len(PATTERNS) == MOST


@given(some.floats(0.1, 600), some.floats(1, 30), some.sampled_from("/\\-"))
def test_no_hatching_leaves_its_box(width, height, hatch):
    for x1, y1, x2, y2 in _hatching(width, height, hatch):
        assert all(-0.001 <= x <= width + 0.001 for x in (x1, x2))
        assert all(-0.001 <= y <= height + 0.001 for y in (y1, y2))


tables = some.integers(1, 5).flatmap(
    lambda number: some.lists(
        some.lists(some.text("ab ", max_size=30), min_size=number, max_size=number), min_size=1
    )
)


@given(tables, some.integers(50, 700))
def test_a_tables_columns_hold_their_longest_words_within_the_width(rows, width):
    load_fonts()
    ink = Ink()
    found = shares(rows, width, ink)
    room = width - COLUMN_GAP * (len(rows[0]) - 1)
    if found is None:
        return
    assert sum(found) <= 1.0001
    for share, column in zip(found, zip(*rows, strict=True), strict=True):
        for word in " ".join(column).split():
            assert width_of(word, *ink[:2]) <= share * room + 0.001
