"""The quick reference: rules, figures and tables, and no units."""

from tests.sheets.papers import document, legal_list, practice
from tests.sheets.printed import long_army, material, told


def test_every_special_rule_stands_there_once_by_name():
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


def test_game_day_figures_reminders_and_tables_are_there_and_prices_are_not():
    text = " ".join(told(legal_list(), kinds="quick"))
    sheet = material(legal_list()).sheet
    for fact in sheet.facts:
        assert fact.name in text
    for line in sheet.reminders:
        assert line.text in text
    for table in sheet.tables:
        assert table.name in text
    assert "24 points" not in text


def test_of_the_rules_of_an_army_book_it_tells_who_has_them():
    text = " ".join(told(long_army(), kinds="quick"))
    assert "Martial Discipline High Prince" in text
    assert text.count("Martial Discipline") == 1


def test_of_the_rulebooks_rules_it_tells_what_they_do_by_when_they_matter():
    text = " ".join(told(long_army(), kinds="quick"))
    assert "What the rules mean (Rulebook)" in text
    assert "Accurate No -1 to hit at long range. 21.G.b.1" in text
    order = ("Before the game", "Charges and movement", "Shooting", "Melee", "Weapons", "Reminders")
    places = [text.index(name) for name in order]
    assert places == sorted(places)
