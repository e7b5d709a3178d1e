"""The hidden list, and nothing that is private."""

from armybuilder.sheets.printing.printouts import print_list
from tests.pdfs import pages_of
from tests.sheets.papers import legal_list
from tests.sheets.printed import example, material, printed, setup, told

TABLE = "t9a-2023/the-long-table"


def test_a_hidden_list_tells_nothing_hidden():
    # Of an army it hides special items and what they cost.
    document = example(TABLE)
    text = " ".join(told(document, kinds="hidden"))
    whole = material(document).sheet
    for unit in whole.army.units:
        assert unit.name in text
        for item in unit.items:
            assert item.name not in text
    assert str(whole.spent) not in text
    assert "Open list (Rulebook 8.E.a)" in text
    # Its margins and the files properties tell nothing hidden.
    document = example(TABLE)
    spent = str(material(document).sheet.spent)
    read = printed(document, kinds="hidden")
    assert spent not in str(read.metadata)
    assert "(open list)" in told(document, kinds="hidden")[1]
    named = told(document, kinds="full,hidden")
    opened = [text for text in named if "Hidden list" in text]
    assert len(opened) == len(read.pages)
    assert all(spent not in text for text in opened)
    assert any(spent in text for text in named)
    # It has the hash of the open list.
    document = example(TABLE)
    one = material(document)
    pages = pages_of(print_list(one, setup(kinds="hidden")))
    assert all(one.open_sheet.hash in page for page in pages)
    assert not any(one.sheet.hash in page for page in pages)


def test_of_a_skirmish_list_it_shows_everything_but_notes():
    text = " ".join(told(legal_list(notes="My plan is secret."), kinds="hidden"))
    assert "Oresta the Unbowed" in text
    assert "24 points" in text
    assert "broken spear" not in text
    assert "secret" not in text
