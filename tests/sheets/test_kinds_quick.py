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


def test_of_an_armys_rules_it_tells_who_has_them():
    text = " ".join(told(long_army(), kinds="quick"))
    assert "Accurate Citizen Archers" in text
    assert "Fight in Extra Rank Citizen Spears" in text
    assert text.count("Fight in Extra Rank") == 1
