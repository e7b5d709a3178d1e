"""The opponent's sheet: every unit and rule, nothing that is private, on few pages."""

import pytest

from tests.sheets.papers import legal_list
from tests.sheets.printed import EXAMPLES, example, material, told

pytestmark = pytest.mark.long


def test_of_an_army_it_shows_every_item_and_the_points():
    document = example("t9a-2023/the-long-table")
    text = " ".join(told(document, kinds="opponent"))
    whole = material(document).sheet
    for unit in whole.army.units:
        assert unit.name in text
        for item in unit.items:
            assert item.name in text
    assert f"{whole.spent} of {whole.limit} points" in text


def test_it_shows_no_notes():
    text = " ".join(told(legal_list(notes="My plan is secret."), kinds="opponent"))
    assert "Oresta the Unbowed" in text
    assert "24 points" in text
    assert "broken spear" not in text
    assert "secret" not in text


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", EXAMPLES)
def test_it_explains_the_lists_rules_on_few_pages(name):
    document = example(name)
    pages = told(document, kinds="opponent")
    assert len(pages) <= (3 if material(document).sheet.army else 2)
    for entry in material(document).sheet.glossary:
        assert entry.label in " ".join(pages)
