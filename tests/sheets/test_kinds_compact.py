"""The compact sheet: terse, and on one page where it can be."""

import pytest

from armybuilder.sheets.drawing.pages import Chapter, room_of
from armybuilder.sheets.kinds import compact, parts
from tests.sheets.papers import document, legal_list, practice
from tests.sheets.printed import EXAMPLES, example, long_army, material, printed, setup, told

pytestmark = pytest.mark.long


def sizes(listed, **fields):
    """The sizes in which the parts of a list's compact sheet are set."""
    chosen = setup(**fields)
    room = room_of(Chapter(lambda _room: []), chosen)
    return {part.scale for part in compact.story(material(listed).sheet, chosen, room)}


def crowd(number):
    units = [practice("sunhill-chaplain", name=f"Unit{n:03}") for n in range(number)]
    return document(*units, limit=9999)


#: An army with so much on its units that letters of 6 points need a second page.
LONG = ("t9a-2023/throne-under-the-mountain", "t9a-2024/feast-at-the-gates")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", list(EXAMPLES))
def test_an_example_stands_on_one_page_and_two_of_fifteen_full_units_on_two(name):
    assert len(printed(example(name), kinds="compact").pages) == (2 if name in LONG else 1)


def test_a_compact_sheet_tells_all_units():
    # Fifteen units with many options stand on two pages.
    text = " ".join(told(long_army(), kinds="compact"))
    assert len(told(long_army(), kinds="compact")) == 2
    for unit in material(long_army()).sheet.army.units:
        assert unit.title in text
        for taken in (*unit.chosen, *unit.items):
            assert taken.name in text
    # A unit is told with statistics abilities and points.
    (text,) = told(legal_list(), kinds="compact")
    for card in material(legal_list()).sheet.cards:
        assert card.title in text
        assert card.price in text
        assert " ".join(f"{stat.label} {stat.value}" for stat in card.stats) in text
        for ability in card.abilities:
            assert ability.label in text
    # A list too long for one page goes on and loses nobody.
    pages = told(crowd(120), kinds="compact")
    assert len(pages) > 1
    text = " ".join(pages)
    assert all(f"Unit{n:03}" in text for n in range(120))
    # The letters of a short list grow to fill its page.
    assert sizes(crowd(1)) == {compact.SIZES[0]}
    assert compact.SIZES[0] > max(sizes(crowd(20))) > 1
    assert sizes(crowd(1), size="small") == {1.0}


@pytest.mark.slow
def test_a_list_a_little_too_long_is_set_smaller_so_that_it_stands_on_one_page():
    on_one = [n for n in range(8, 30) if len(printed(crowd(n), kinds="compact").pages) == 1]
    assert max(sizes(crowd(max(on_one)))) < 1


@pytest.mark.parametrize("size", ["small", "normal", "large"])
def test_letters_never_get_too_small(size):
    (chosen,) = sizes(crowd(120), size=size)
    assert chosen * setup(size=size).scale >= parts.LEAST
