"""Lists as players post them: what is read, how sure it is, and that no line is lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.engine.catalogue import Contents
from armybuilder.exchange.pasting import pasted_text, read_text
from armybuilder.exchange.pasting.entries import read_entry
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.loading.books import described_book
from armybuilder.loading.documents import canonical, read_document
from armybuilder.loading.problems import Refusal
from tests.effort import tries
from tests.exchange.pasted import LIBRARY, calls_below
from tests.properties.lists import LAW

ELVES = {"system_id": "t9a-2023", "book_ids": ("highborn-elves",)}
PRINCE = ("dragon", "dragonforged-armour", "shield", "lance")

POSTED = """Highborn Elves 4500

Characters
{prince}
Core
420 - 30 Citizen Spears, Champion, Musician, Standard Bearer, Legion Standard
490 - 20x Sea Guard, FCG
Special
455 - 20 Swordmasters, Champion, Musician, Standard Bearer

Total: 2130
See you at the table!
"""


def units(text, **more):
    return [line.unit for line in read_text(text, LIBRARY, **{**ELVES, **more}).units]


def one(text, **more):
    (unit,) = units(text, **more)
    return unit


def ids(unit):
    return tuple(option.id for option in unit.entry.options)


#: Ways in which players write a unit.
WRITTEN = [
    "1 High Prince, Dragon, Dragonforged Armour, Shield, Lance, 765",
    "High Prince, Dragon, Dragonforged Armour, Shield, Lance, 765 pts",
    "765 - High Prince, Dragon, Dragonforged Armour, Shield, Lance",
    "- 765: High Prince, Dragon, Dragonforged Armour, Shield, Lance",
    "High Prince (Dragon, Dragonforged Armour, Shield, Lance) [765]",
    "High Prince [765pts]: Dragon, Dragonforged Armour, Shield, Lance",
    "• 1x High Prince with Dragon, Dragonforged Armour; Shield and Lance (765 points)",
    "**1 High Prince**, Dragon, Dragonforged Armour, Shield, Lance, 765",
    "HIGH PRINCE: dragon, dragonforged armour, shield & lance = 765",
    "1x High Prince on Dragon, Dragonforged Armour, Shield, Lance - 765",
    "High Prince (Dragon, Dragonforged Armour, Shield, Lance) 765",
    "High Prince, Dragon, Dragonforged Armour, Shield, Lance 765",
]


def test_units_and_numbers_are_read_in_every_notation():
    for line in WRITTEN:
        unit = one(f"# Elves\n{line}" if "**" in line else line)
        assert unit.entry.ref == "highborn-elves/high-prince", line
        assert ids(unit)[:4] == PRINCE, line
        assert (unit.printed, unit.models, unit.lost) == (765, 1, ()), line
    for form in ("30 {}, 380", "30x {} 380pts", "{} x30 [380]", "30 {} 380"):
        unit = one(form.format("Citizen Spears"))
        assert (unit.models, unit.printed) == (30, 380), form
    unit = one("Sea Guard, Champion, Musician, Standard Bearer, 490")
    assert (unit.models, unit.agrees) == (20, True), "the points tell the number"
    for short in ("FCG", "C, M, S", "champ, Musiker, Standartenträger", "C/M/S"):
        group = ("champion", "musician", "standard-bearer")
        assert ids(one(f"30 Citizen Spears, {short}, 410")) == group, short
    text = "Sea Guard [490]\n  - Full Command\n  - Steady Aim\n20 Citizen Spears, 240"
    read = read_text(text, LIBRARY, **ELVES)
    assert [line.kind for line in read.lines] == ["unit", "taken", "taken", "unit"]
    assert ids(read.units[0].unit) == ("champion", "musician", "standard-bearer")
    assert [piece.kind for piece in read.units[0].unit.pieces][-1] == "given"
    unit = one("515 - Mage, Wizard Master, Pyromancy, Binding Scroll, Talisman of Shielding")
    assert unit.agrees
    assert unit.added == ("Unarmoured",)


def test_who_leads_only_by_an_option_has_it_where_the_text_calls_it_the_general():
    for line, options in {
        "Sentinel of Nukuja, General": ("sloth-general",),
        "Vanadra's Scourge, General, Wrath General": ("wrath-general",),
        "Sentinel of Nukuja": (),
        "Paladin, General": (),  # what would let it lead does not make it the General
    }.items():
        book = "Kingdom of Equitaine" if "Paladin" in line else "Daemon Legions"
        unit = read_text(f"{book}\n600 - {line}\n", LIBRARY, "t9a-3rd").units[0].unit
        found = [option.id for option in unit.entry.options if "general" in option.id]
        assert tuple(found) == options, line
        assert unit.entry.roles == (("general",) if ", General" in line else ()), line


def test_a_list_as_posted_is_read_with_its_game_book_and_size_and_what_became_of_each_line():
    prince = "865 - High Prince, General, Dragon, Dragonforged Armour, Shield, Lance, "
    text = POSTED.format(prince=f"{prince}Diadem of Protection, Dusk Forged")
    read = read_text(text, LIBRARY)
    assert (read.system, read.books, read.told) == ("t9a-2023", ("highborn-elves",), False)
    assert (read.document.name, read.document.limit) == ("Highborn Elves 4500", 4500)
    assert [line.unit.agrees for line in read.units] == [True] * 4
    assert read.printed == 2130
    assert [line.unit.sure for line in read.units] == ["exact", "exact", "exact", "alike"]
    assert [line.state for line in read.units] == ["ok"] * 4
    assert read.document.to_dict()["notes"] == "See you at the table!"
    assert read_document(canonical(read.document)) == read.document
    text = POSTED.format(prince="5 Blorb Riders, 300")
    read = read_text(text, LIBRARY)
    assert [line.text for line in read.lines] == text.split("\n")
    assert [line.number for line in read.lines] == list(range(1, len(read.lines) + 1))
    kinds = "title empty heading unit heading unit unit heading unit empty total unread empty"
    assert [line.kind for line in read.lines] == kinds.split()


def test_what_nobody_knows_or_a_unit_has_no_room_for_stays_in_the_notes():
    unit = one("1 Mage, " + ", ".join(f"Sock {number}" for number in range(80)))
    assert (len(unit.lost), unit.entry.notes[-7:]) == (80, "Sock 79")
    read = read_text("5 Blorb Riders, 300\n1 Mage, Lucky Sock, Blorb", LIBRARY, **ELVES)
    assert read.document.to_dict()["notes"] == "5 Blorb Riders, 300"
    assert read.document.to_dict()["units"][0]["notes"] == "Lucky Sock, Blorb"
    assert [line.state for line in read.units] == ["lost", "doubt"]


def test_a_misspelt_name_is_a_guess_with_others_and_the_player_chooses_what_it_means():
    unit = one("20 Swordmaster, Musician, 400")
    assert (unit.name, unit.sure) == ("Sword Masters", "guess")
    assert "highborn-elves/sword-masters" in [choice.value for choice in unit.choices]
    text = "20 Swordmaster, Musitian, 400"
    assert one(text, choices={"unit-1": "highborn-elves/sea-guard"}).name == "Sea Guard"
    assert units(text, choices={"unit-1": "-"})[0].entry is None
    assert ids(one(text)) == ("musician",)
    assert ids(one(text, choices={"piece-1-0": "-"})) == ()
    assert ids(one(text, choices={"piece-1-0": "champion"})) == ("champion",)
    chosen = {"unit-1": "highborn-elves/sea-guard", "piece-1-0": "champion"}
    read = read_text("20 Swordmaster, Musitian", LIBRARY, **ELVES, choices=chosen)
    (unit,) = [line.unit for line in read.units]
    assert (unit.picked, unit.chosen, read.units[0].state) == (True, chosen["unit-1"], "ok")
    assert "highborn-elves/sword-masters" in [choice.value for choice in unit.choices]
    (piece,) = unit.pieces
    assert (piece.picked, piece.chosen) == (True, "champion")
    assert "musician" in [choice.value for choice in piece.choices]
    offered = [choice.value for choice in one("5 Blorb Riders, 300").choices]
    assert set(offered) == set(LIBRARY.catalogue("t9a-2023", ["highborn-elves"]).units)


def test_of_two_places_of_one_name_that_counts_whose_points_are_printed():
    mage = "1 Mage, Order of the Fiery Heart (Mounted), Dragonforged Armour"
    alone = one("1 Mage, Dragonforged Armour")
    assert ids(alone)[0] == "order-of-the-fiery-heart"
    on_order = one(mage)
    again = one(f"{mage}, {on_order.computed}")
    assert again.agrees
    assert again.entry.options == on_order.entry.options
    (path,) = (piece for piece in one("1 Mage, Pyromancy").pieces if piece.text == "Pyromancy")
    labels = [choice.label for choice in path.choices]
    assert labels[0] == "Magic Path › Pyromancy"
    assert len(set(labels)) == len(labels) > 1


def test_of_a_game_nobody_names_the_units_tell_it_or_every_line_is_unread():
    read = read_text("1 Orc Boss, 60\n4 Orc Warriors, 92\n2 Goblin Warrior", LIBRARY)
    assert (read.system, read.books, read.told) == ("sbh", ("profiles",), False)
    assert read.report.spent == 182
    read = read_text("1 Odile, Ford Marshal, 33", LIBRARY, "ddm-2008", ("practice",))
    assert read.document.units[0].ref == "practice/odile-ford-marshal", "names may hold commas"
    read = read_text("hello\n\nworld", LIBRARY)
    assert (read.document, read.report) == (None, None)
    assert [line.kind for line in read.lines] == ["unread", "empty", "unread"]


def test_a_book_of_the_players_own_is_found_by_its_name():
    data = {**LIBRARY.shipped_data("chainmail-2002", "practice"), "id": "own-1", "kind": "own"}
    own = described_book({**data, "name": "Marsh; and, mill"}, lambda: Contents({}))
    library = LIBRARY.with_own([own], lambda id_, _revision: data if id_ == "own-1" else None)
    text = f"X\nLegal.\n0 of 100 points, 0 models, #0123456789\nChainmail 2002: {own.name}\n"
    assert read_text(text, library).books == ("own-1",)
    other = read_text(text, LIBRARY)
    assert (other.books, [line.name for line in other.lines if line.kind == "books"]) == (
        (),
        ["“Marsh; and, mill”"],
    )

    for books in ("Mill; Converted creatures", "Converted creatures; Mill"):
        head = f"Chainmail 2002: {books}"
        text = f"X\nLegal.\n0 of 100 points, 0 models, #0123456789\n{head}\n\n1 Orc, 8\n"
        (line,) = (line for line in read_text(text, LIBRARY).lines if line.kind == "books")
        assert (line.state, line.name, line.text) == ("lost", "“Mill”", head)


def test_empty_and_oversized_texts_are_refused(monkeypatch):
    wide = ("x" * (MAX_TEXT + 1), "ä" * (MAX_TEXT // 2 + 1), "\n" * 10_001, "x\n" + "x" * 5_001)
    for text in (*wide, "", " \n\t\n"):
        with pytest.raises(Refusal):
            read_text(text, LIBRARY)
    monkeypatch.setattr(pasted_text, "MAX_UNITS", 3)
    assert read_text("1 Mage, 200\n" * 3, LIBRARY, **ELVES).document
    with pytest.raises(Refusal, match="too many units; the maximum is 3"):
        read_text("1 Mage, 200\n" * 4, LIBRARY, **ELVES)


@pytest.mark.slow
def test_five_hundred_lines_of_nearly_right_names_take_no_long_time():
    line = "25 Citisen Speers, Champoin, Musican, Standart Barer, Banner of Sped, Shild, 999\n"
    with calls_below(3_000_000):
        read = read_text(line * 500, LIBRARY, **ELVES)
    assert len(read.units) == 500
    for piece in ENDLESS:
        text = (piece * 5)[:5_000]
        with calls_below(1_000_000):
            read_text("\n".join([text] * 4), LIBRARY, **ELVES)
            read_entry(text)


#: What made careless readers look again and again.
ENDLESS = (
    *("(" * 2000, "1 Mage" + ", Shield" * 280, "a, " * 660, "[b]" * 660, "**" * 900),
    *("“" * 1900, "- " * 900, "x" * 1999 + "1", "\\" * 1999, " " * 1999 + "1", "(a" * 900),
    *("1 " * 900, "1 Mage " + "[" * 1900, "480 pts " * 200, "*a" * 900, "_a" * 900),
)


#: What these cost in the books of 2023; those of 2024 have other prices.
UNITS = "235 - High Prince, General\n150 - 10 Citizen Archers\n"


@pytest.mark.slow
def test_of_games_with_one_book_the_year_the_units_and_the_points_tell_which():
    for text, system in (
        (f"Highborn Elves\n{UNITS}", "t9a-2023"),
        (f"Highborn Elves 2024\n{UNITS}", "t9a-2024"),
        (f"The Ninth Age 2024\nHighborn Elves\n{UNITS}", "t9a-2024"),
        (f"Highborn Elves 2023 Beta 2\n{UNITS.replace('235', '231')}", "t9a-2023"),
        ("Highborn Elves\nHigh Prince, General\n10 Citizen Archers\n", "t9a-2024"),
        ("High Prince, General\n10 Citizen Archers\n20 Citizen Spears\n", "t9a-2024"),
        ("Orcs and Goblins\n300 - Orc Shaman, Master\n250 - Orcs, 5×5\n", "essence-of-war"),
        ("Orcs and Goblins\n130 - Goblin Wolf Raiders\n", "essence-of-war"),
        ("Essence of War\nOrcs and Goblins\n300 - Orc Shaman, Master\n", "essence-of-war"),
    ):
        assert read_text(text, LIBRARY).system == system, text
    read = read_text(f"Highborn Elves 2024\n{UNITS}", LIBRARY, "t9a-2023", ("highborn-elves",))
    assert (read.system, read.books) == ("t9a-2023", ("highborn-elves",)), "a chosen game stays"


words = st.sampled_from(
    [
        *("Mage", "High Prince", "25", "x", "(", ")", "[", "]", ",", "-", "480", "pts", "“", "”"),
        *("Shield", "General", "**", "[b]", "[/b]", "\\", "_", "\n", "\n", " ", ":", "=", "2 ×"),
        *("#0123456789", "10 of 20 points, 3 models, #0123456789", "Notes", "#", "Chainmail 2002"),
        "The Ninth Age 2023: Highborn Elves",
    ]
)


@settings(LAW, max_examples=tries(150))
@given(st.lists(words | st.text(max_size=12), max_size=40), st.booleans())
def test_any_text_is_read_line_by_line(parts, chosen):
    text = " ".join(parts)
    read = read_text(f"x {text}", LIBRARY, **(ELVES if chosen else {}))
    assert [line.number for line in read.lines] == list(range(1, len(read.lines) + 1))
    if read.document is not None:
        assert read_document(canonical(read.document)) == read.document
        assert read.report is not None
