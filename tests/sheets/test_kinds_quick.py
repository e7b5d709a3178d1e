"""The quick reference: rules, figures and tables, and no units."""

from tests.sheets.papers import document, legal_list, practice
from tests.sheets.printed import long_army, material, told


def test_what_a_quick_reference_tells():
    # Every special rule stands there once by name.
    listed = document(
        practice("sunhill-chaplain"),
        practice("bannerlady-oresta"),
        practice("sunhill-chaplain", name="Ann"),
    )
    text = " ".join(told(listed, kinds="quick"))
    entries = material(listed).sheet.glossary
    assert len(entries) > 4
    places = [text.index(f"{entry.label} {entry.summary}") for entry in entries]
    assert places == sorted(places)
    for entry in entries:
        assert text.count(entry.summary) == 1
        assert entry.citation in text
    # Game day figures reminders and tables are there and prices are not.
    text = " ".join(told(legal_list(), kinds="quick"))
    sheet = material(legal_list()).sheet
    for fact in sheet.facts:
        assert fact.name in text
    for line in sheet.reminders:
        assert line.text in text
    for table in sheet.tables:
        assert table.name in text
    assert "24 points" not in text
    # Of the rules of an army book it tells who has them.
    text = " ".join(told(long_army(), kinds="quick"))
    assert "Martial Discipline High Prince" in text
    assert text.count("Martial Discipline") == 1
    # Of the rulebooks rules it tells what they do by when they matter.
    text = " ".join(told(long_army(), kinds="quick"))
    assert "What the rules mean (Rulebook)" in text
    assert "Accurate No -1 to hit at long range. 21.G.b.1" in text
    order = ("Before the game", "Charges and movement", "Shooting", "Melee", "Weapons", "Reminders")
    places = [text.index(name) for name in order]
    assert places == sorted(places)
