"""What players write for tournaments, each way of it by itself: units, points and totals."""

import json
from dataclasses import replace

import pytest

from armybuilder.engine.catalogue import Contents
from armybuilder.exchange.pasting import read_text, split_text
from armybuilder.loading.books import described_book
from armybuilder.loading.documents import judge_by
from tests.exchange.pasted import LIBRARY

HIGHBORN, WARRIORS, TIGERS = "highborn-elves", "warriors-of-the-dark-gods", "ogre-khans"
RIDERS = "dread-elves"


def read(text, book=HIGHBORN):
    return read_text(text, LIBRARY, "t9a-2023", [book])


def units(text, book=HIGHBORN):
    """Each unit of the document: its id in the book, and its models."""
    return [(unit.ref.split("/")[1], unit.models) for unit in read(text, book).document.units]


def line(text, book=HIGHBORN):
    return read(text, book).units[0]


def test_several_units_on_one_line_are_read():
    dear = ("300 - 2x10 {}", "2x 150 - 2x10 {}", "150x2 2x10 {}", "2x10 {} [300]")
    for form in ("2x10 {}", "2 x 10 {}", *dear):
        text = form.format("Citizen Archers")
        whole = read(text)
        (first,) = whole.units
        assert units(text) == [("citizen-archers", 10)] * 2, text
        assert first.state == "ok", text
        assert (first.unit.printed, first.unit.computed) == (150 if form in dear else None, 150)
        assert whole.report.spent == 300, text
    assert len(units("99x10 Citizen Archers")) == 20, "at most"


def test_points_stand_before_or_behind_a_unit_on_the_first_line_too():
    assert units("150 - 10 Citizen Archers") == [("citizen-archers", 10)]
    assert units("265 - Commander, Shield\n") == [("commander", 1)]
    before = ("130.- {}", "130- {}", "130-{}", "130 {}", "130 - {}")
    for form in (*before, "{} 130", "{} [130 pts]"):
        one = line(form.format("Commander"))
        found = (one.unit.name, one.unit.models, one.unit.printed, one.unit.computed)
        assert (*found, one.state) == ("Commander", 1, 130, 130, "ok"), form
    unit = line("150-10x Citizen Archers").unit
    assert (unit.models, unit.printed, unit.computed) == (10, 150, 150)
    dear = line("525 Mage: Wizard Master")
    assert (dear.unit.models, dear.state) == (1, "doubt"), "too many for models: points that differ"
    for text, names in {
        "400 - Mage, Master, Pyromancy, 4 spells": ["Wizard Master", "Pyromancy"],
        "400 - Mage, Wizard (Wizard Master, Pyromancy)": ["Wizard Master", "Pyromancy"],
        "410 - 30 Citizen Spears, FC": ["Champion", "Musician", "Standard Bearer"],
        "160 - 10 Citizen Archers [Core], Musician.": ["Musician"],
        "235 - High Prince, Army General": ["General"],
    }.items():
        assert [piece.name for piece in line(text).unit.pieces] == names, text
        assert line(text).state == "ok", text


def test_totals_are_recognised_in_every_notation():
    for text, numbers in {
        "4.500": (4500, 4500),
        "4 500 pts": (4500, 4500),
        "Total 1.225 / 1.500": (1225, 1500),
        "4,480 / 4,500": (4480, 4500),
        "TOTAL: 2990 of 3000": (2990, 3000),
        "++ Total: [4,499pts] ++": (4499, 4500),
        "**Total: 4499**": (4499, 4500),
        "= 4498 =": (4498, 4500),
    }.items():
        whole = read(f"160 - 10 Citizen Archers, Musician\n200 - 2 Giant Eagles\n{text}\n")
        assert (whole.printed, whole.document.limit) == numbers, text
        assert whole.count("lost") == 0, text
    assert read("Autumn Cup 2031\n150 - 10 Citizen Archers").document.limit == 4500
    assert read("Highborn Elves\n" + "150 - 10 Citizen Archers\n" * 9).document.limit == 1500
    assert read("Highborn Elves\n" + "20 Citizen Spears\n" * 4).document.limit == 4500


def test_units_that_books_split_by_size_are_recognised_by_models_and_points():
    for text, book, unit in (
        ("6 Warhounds", WARRIORS, "warhounds"),
        ("10 Warhounds", WARRIORS, "warhounds-core"),
        ("1 Sabretooth Tigers", TIGERS, "sabretooth-tigers"),
        ("80 - 1 Sabretooth Tiger", TIGERS, "sabretooth-tigers"),
        ("296 - 10 Sabretooth Tigers", TIGERS, "sabretooth-tigers-core"),
        ("315 - 10 Shadow Riders, Champion, Standard Bearer", RIDERS, "shadow-riders-raiders"),
        ("245 - 9 Barbarian Horsemen, Shield, Musician", WARRIORS, "barbarian-horsemen-core"),
    ):
        assert [name for name, _models in units(text, book)] == [unit], text
    choices = {"unit-1": f"{WARRIORS}/warhounds"}
    whole = read_text("10 Warhounds", LIBRARY, "t9a-2023", [WARRIORS], choices=choices)
    assert [unit.ref for unit in whole.document.units] == [*choices.values()]


HERDS = "beast-herds"


def test_names_stand_in_each_other_in_any_order_and_behind_headings():
    totem = ["Champion", "Totem Bearer", "Blooded Horn Totem"]
    for text, names in {
        "255 - 3 Minotaurs, Champion (Totem Bearer (Blooded Horn Totem))": totem,
        "180 - Beast Lord, Hand Weapon, Light Armour, General (Army General)": None,
        "150 - 16 Mongrel Raiders, Scout & Ambush, Musician": ["Ambush and Scout", "Musician"],
        "160 - 20 Mongrel Herd, Command: Standard Bearer: Legion Standard": None,
        "200 - Minotaur Chieftain, General, Item: Obsidian Rock - Dominant": None,
    }.items():
        one = line(text, HERDS).unit
        assert one.lost == (), text
        assert names in (None, [piece.name for piece in one.pieces]), text
    one = line("170 - 20 Mongrel Herd, Standard Bearer (Moon Flag), Champion (Horn (Loud))", HERDS)
    assert [piece.name for piece in one.unit.pieces if piece.name] == [
        "Standard Bearer",
        "Champion",
    ]
    assert [piece.text for piece in one.unit.lost] == ["Moon Flag", "Horn (Loud)"]


def test_models_stand_among_what_their_unit_takes():
    for text, models in {
        "Feral Hounds [96pts]: 7x Feral Hound": 7,
        "Wildhorn Herd [145pts]: Shield, 15x Wildhorn": 15,
        "Wildhorn Herd [999pts]: 40x Wildhorn, Shield": 40,
        "Minotaurs: 4x Bull, Champion": 4,
        "Wildhorn Herd: Shield, 2x Torch": 15,
        "Razortusk Herd [100pts]: Razortusk": 1,
    }.items():
        one = line(text, HERDS).unit
        assert one.models == models, text
        assert [piece.text for piece in one.lost] == (["2x Torch"] if "Torch" in text else [])


def test_the_only_thing_that_may_be_chosen_where_something_must_be_is_chosen():
    """Feral Orcs wear no armour, which no player writes; a Forest Goblin cannot have Light."""
    text = "170 - Orc Shaman, Feral Orc, Shamanism\n135 - Goblin Witch Doctor, Forest Goblin"
    shaman, doctor = read(text, "orcs-and-goblins").units
    assert "Unarmoured" in shaman.unit.added
    assert "Unarmoured" in doctor.unit.added
    text = "150 - Wizard, Wizard Apprentice, Pyromancy, Alchemy, Essence of a Free Mind"
    assert line(f"{text}, Pyromancy or Alchemy", "empire-of-sonnstahl").unit.lost == ()
    whole = read("Cultists\n170 - 25 Cultists, Musician\n", "cultists")
    assert [one.code for one in whole.unnamed] == ["cap.under"]


HOLDS, GODS = "dwarven-holds", "warriors-of-the-dark-gods"


def test_the_option_that_makes_a_unit_the_general_comes_with_the_word():
    for text, options in {
        "Miser of Sugulag, General": {"greed-general"},
        "Vanadra's Scourge, Army General": {"wrath-general"},
        "Omen of Savar": set(),
    }.items():
        whole = read_text(f"Daemon Legions\n{text}", LIBRARY, "t9a-3rd")
        (unit,) = whole.document.units
        assert {one.id for one in unit.options if one.id.endswith("-general")} == options, text
        assert unit.roles == (("general",) if options else ())
        assert not [one.code for one in whole.report.findings if one.code == "general.not-eligible"]
        if not options:
            continue
        document = replace(whole.document, units=(replace(unit, options=()),))
        alone = judge_by(document, whole.catalogue).report
        assert [one.code for one in alone.findings if one.code == "general.not-eligible"], (
            "it needs it"
        )


def test_things_and_parts_of_names_are_known_for_what_has_them():
    greed = ["Favour of Sugulag, God of Greed", "Favoured Champion"]
    for text, ref, names in (
        ("230 - Cannon", f"{HOLDS}/field-artillery", ["Cannon (4+)"]),
        ("315 - 1 Organ Gun, Rune Crafted", f"{HOLDS}/field-artillery", ["Organ Gun (4+)"]),
        ("135 Flame Cannon", f"{HOLDS}/field-artillery", ["Flame Cannon"]),
        (
            "335 - Chosen Chariot, Lust",
            f"{GODS}/chosen-chariot",
            ["Favour of Cibaresh, God of Lust"],
        ),
        ("465 - 15 Warriors, Favour of Greed, Champion", f"{GODS}/warriors", greed),
        ("190 - Greenhide Catapult, Git Launcher", "orcs-and-goblins/greenhide-catapults", []),
        ("85 - 1 Sabretooth Tiger", f"{TIGERS}/sabretooth-tigers", []),
    ):
        one = line(text, ref.split("/")[0])
        assert one.unit.chosen == ref, text
        assert [piece.name for piece in one.unit.pieces][: len(names)] == names, text
        assert (one.state, one.unit.printed) == ("ok", one.unit.computed), text
    assert line("300 - 15 Warriors, Favour", GODS).unit.lost, "a part that two names have"
    # The line is not understood, and the guess is there to be chosen.
    one = line("900 - 20 Citizen Speers")
    assert (one.state, one.unit.entry) == ("lost", None)
    assert "highborn-elves/citizen-spears" in [choice.value for choice in one.unit.choices]
    assert line("330 - 20 Citizen Speers").unit.chosen == "highborn-elves/citizen-spears"


def test_lost_line_ends_are_found_and_broken_lines_are_whole_again():
    text = "Highborn Elves\n455 - 8 Knights of Ryma, Musician, Champion 280 - 15x Flame Wardens, "
    text += "Musician, Champion 220 - 10x Lion Guard Total: 955\n"
    assert units(text) == [("knights-of-ryma", 8), ("flame-wardens", 15), ("lion-guard", 10)]
    assert read(text).printed == 955

    text = "Highborn Elves, Zoe. 455 - 8 Knights of Ryma 280 - 15 Flame Wardens 220 - 10 Lion Guard"
    names = ["knights-of-ryma", "flame-wardens", "lion-guard"]
    assert [name for name, _models in units(f"{text} Total: 955")] == names, "no line end at all"
    text = "235 - High Prince, General, Paired Weap-\nons, Lance,\nGreat Weapon"
    for end in ("\n", "\r\n"):
        prince, _archers = read(f"{text}\n150 - 10 Citizen Archers".replace("\n", end)).units
        names = ["General", "Paired Weapons", "Lance", "Great Weapon"]
        assert [piece.name for piece in prince.unit.pieces] == names, repr(end)


def shown(text, system, books=()):
    """Each unit: its id in the book, its models, and the points in the text."""
    read = read_text(text, LIBRARY, system, books)
    rows = ((line.unit.entry, line.unit) for line in read.units if line.unit.entry)
    return [(one.ref.split("/")[1], unit.models, unit.printed) for one, unit in rows]


def test_a_bare_number_behind_a_units_name_is_its_price():
    creatures = "Shadow Demon 42\nDrow Spiderguard 26\nGnoll Marauder 18\n2 Orc Raider 8"
    wanted = [("shadow-demon", 1, 42), ("drow-spiderguard", 1, 26), ("gnoll-marauder", 1, 18)]
    # Each of several, where that is what they cost.
    assert shown(creatures, "ddm-2008") == [*wanted, ("orc-raider", 2, 16)]
    assert shown(creatures, None) == [*wanted, ("orc-raider", 2, 16)]
    for text in (
        "Orc Raider x2 @ 8",
        "Orc Raider 8 x2",
        "Orc Raider 8 pts x2",
        "2 Orc Raider 8 each",
    ):
        assert shown(text, "ddm-2008") == [("orc-raider", 2, 16)], text
    for text in ("Orc Raider ..... 8", "| Orc Raider | 8 |", "Orc Raider\t8", "DEAD Orc Raider 8"):
        read = read_text(text, LIBRARY, "ddm-2008")
        assert shown(text, "ddm-2008") == [("orc-raider", 1, 8)], text
        assert read.document.limit in (50, 100, 200), text
    models = "Human Leader 60\nOrc Warriors x3 69\nOrc Archer 4"
    found = [("human-leader", 1, 60), ("orc-warrior", 3, 69), ("orc-archer", 1, 4)]
    assert shown(models, "sbh") == found
    assert [line.state for line in read_text(models, LIBRARY, "sbh").units] == ["ok", "ok", "doubt"]
    # No unit's name, and a number of models where units have them.
    assert shown("Round Table 7\nOrc Raider 8", "ddm-2008") == [("orc-raider", 1, 8)]
    assert units("Citizen Spears 30\n150 - 10 Citizen Archers")[0] == ("citizen-spears", 30)


def test_a_creatures_level_stands_with_its_points_and_a_map_by_its_short_name():
    for text in ("(L 7, 42 pts)", "(Level 7, 42 points)", "[Lvl 7 / 42 pts]"):
        line = read_text(f"Shadow Demon {text}", LIBRARY, "ddm-2008").units[0]
        assert (line.state, line.unit.printed, line.unit.agrees) == ("ok", 42, True), text
    for number, lost in ((20, False), (21, True)):
        line = read_text(f"Human Sellsword (AC {number}, 9 pts)", LIBRARY, "ddm-2008").units[0]
        assert (line.unit.printed, bool(line.unit.lost)) == (9, lost)
    read = read_text("Map: Monster Lair\nShadow Demon 42", LIBRARY, "ddm-2008")
    assert read.lines[0].kind == "setting"
    assert read.document.settings["map"] == "monster-lair"
    read = read_text("Map: Nowhere\nShadow Demon 42", LIBRARY, "ddm-2008")
    assert (read.lines[0].state, read.document.settings.get("map")) == ("lost", None)


def test_a_unit_is_read_despite_marks_around_it():
    wanted = [("sword-masters", 20)]
    line = "445 - 20 Sword Masters, Champion"
    for form in (
        *(
            "DEAD {}",
            "[dead] {}",
            "(lost) {}",
            "dead: {}",
            "{} ✓",
            "☠️ {}",
            "✅ {}",
            "3️⃣ {}",
            "#3 {}",
        ),
        *(
            "1) {}",
            "12. {}",
            "[x] {}",
            "- [ ] {}",
            "~~{}~~",
            "||{}||",
            "*{}*",
            "**{}**",
            "_{}_",
            "`{}`",
        ),
        *("```\n{}\n```", "```text\n{}\n```", "1. ~~**{}**~~ ☠", "> {}", "Special: {}"),
    ):
        read = read_text(form.format(line), LIBRARY, "t9a-2023", [HIGHBORN])
        assert [(one.ref.split("/")[1], one.models) for one in read.document.units] == wanted, form
        assert (read.count("lost"), read.units[0].unit.printed) == (0, 445), form
    for form in ("{} - DEAD", "{} (dead)", "445 - DEAD 20 Sword Masters, Champion"):
        one = read_text(form.format(line), LIBRARY, "t9a-2023", [HIGHBORN]).units[0].unit
        assert (one.models, one.lost, one.entry.notes.casefold()) == (20, (), "dead"), form
    marked = read_text(f"DEAD {line}", LIBRARY, "t9a-2023", [HIGHBORN]).document.units[0]
    assert marked.notes == "DEAD"
    # What is no mark: a name, and points with their full stop.
    assert units("130. - Commander\nChampions of 2024") == [("commander", 1)]


@pytest.mark.slow
def test_a_line_with_points_of_its_own_begins_something_new():
    first, second = "150 - 10 Citizen Archers,", "445 - 20 Sword Masters, Champion"
    for mark in ("", "DEAD ", "dead ", "[dead] ", "Elite: "):
        assert [name for name, _models in units(f"{first}\n{mark}{second}")] == [
            "citizen-archers",
            "sword-masters",
        ], mark
    assert units(f"{first}\nSword Masters [445]")[1][0] == "sword-masters"
    # Where units end with commas, so does the last: no total, and no name, goes on with it.
    text = f"{first}\n{second},\nTotal: 595\n\n{first}\nThey march"
    read_whole = read(text)
    assert (read_whole.printed, [one.state for one in read_whole.units].count("lost")) == (595, 0)
    assert read_whole.document.notes == "They march"
    (archers,) = read(f"{first}\nMusician").units
    assert [piece.name for piece in archers.unit.pieces] == ["Musician"]


def test_numbers_and_commas_stand_anywhere():
    for text, models, names in (
        ("366 -24 Citizen Archers, Musician, Champion", 24, ["Musician", "Champion"]),
        ("366-24 Citizen Archers, Musician Champion", 24, ["Musician", "Champion"]),
        ("450 - Citizen Spears (30), Champion", 30, ["Champion"]),
        ("450 - Citizen Spears [30 models], Champion", 30, ["Champion"]),
        ("Citizen Spears (30), Champion", 30, ["Champion"]),
        ("450 - Citizen Spears Champion Musician", None, ["Champion", "Musician"]),
        ("250 - Commander Army General, Shield", 1, ["General", "Shield"]),
    ):
        unit = line(text).unit
        assert [piece.name for piece in unit.pieces] == names, text
        assert models in (None, unit.models), text
        assert unit.lost == (), text
    lost = line("450 - Citizen Spears Chumpion Banana, Musician")
    assert lost.state in ("doubt", "lost")
    assert line("2 - Commander, 1 Shield, 1 Lance").unit.pieces[0].name == "Shield"


PRINTED = """Kraken Night [675pts]
The Ninth Age 2023 (Dread Elves) [675pts]

Characters [425pts]
Warlock Outcast [425pts]
Selections: Army General, Blades of
Darag [10pts], Light Armour [5pts], Witchcraft,
Created with BattleScribe
2 / 3
Kraken Night [675pts]
Wizard Master [170pts]
Categories: Characters
Rules: Commanding Presence, Mistrusted
Global Adv Mar Dis Model
Warlock Outcast Global 5" 10" 8 Infantry

Core [250pts]
Silexian Spears [250pts]
Selections: Champion [20pts], 15x Silexian Spear [210pts]
Categories: Core
Rules: Fight in Extra Rank
"""


def test_a_roster_that_battlescribe_prints_is_read_when_it_is_copied():
    read = read_text(PRINTED, LIBRARY)
    assert (read.system, read.books, read.document.name) == ("t9a-2023", (RIDERS,), "Kraken Night")
    outcast, spears = (one.unit for one in read.units)
    assert (outcast.name, outcast.printed, outcast.lost) == ("Warlock Outcast", 425, ())
    names = ["General", "Blades of Darag", "Light Armour", "Witchcraft", "Wizard Master"]
    assert [piece.name for piece in outcast.pieces] == names
    assert (spears.name, spears.models, spears.lost) == ("Silexian Spears", 15, ())
    assert (read.printed, read.count("lost"), len(split_text(PRINTED, LIBRARY))) == (675, 0, 1)
    # Models with selections of their own belong to the unit above.
    text = PRINTED.replace(
        ", 15x Silexian Spear [210pts]\n", "\n15x Silexian Spear [210pts]\nSelections: Musician\n"
    )
    spears = read_text(text, LIBRARY).units[-1].unit
    assert (spears.models, [piece.name for piece in spears.pieces][:1]) == (15, ["Champion"])
    # The same word in another text makes no roster of it.
    assert units("Selections: none\n150 - 10 Citizen Archers") == [("citizen-archers", 10)]


def test_every_false_number_in_a_text_is_reported():
    text = """Highborn Elves - 4500 pts
    900 - Commander, General
    12 - 30 Citizen Spears, Wizard Master
    445 - 20 Plague Disciples, Champion
    Great Khan [465]
    Total: 9000
    """
    read = read_text(text, LIBRARY, "t9a-2023")
    states = [line.state for line in read.units]
    assert states[:2] == ["doubt", "doubt"]
    assert all(state in ("doubt", "lost") for state in states)
    assert (read.agrees, read.printed) == (False, 9000)
    assert read.report.legal is False


def test_slips_of_shipped_books_make_no_false_error_and_hide_none():
    def codes(text: str, book: str, system: str) -> list[str]:
        report = read_text(text, LIBRARY, system, [book]).report
        return [found.code for found in report.findings if not found.code.startswith("category.")]

    knights = "3 Pegasus Knights\n" * 3
    for system in ("t9a-2023", "t9a-2024"):
        for book, right, wrong, code in (
            (HOLDS, "30 Clan Warriors, Spear and Shield",
             "30 Clan Warriors, Spear and Shield, Great Weapon", "group.over"),
            ("kingdom-of-equitaine", knights, knights + "3 Pegasus Knights", "cap.over"),
        ):  # fmt: skip
            assert code not in codes(right, book, system), (system, right)
            assert code in codes(wrong, book, system), (system, wrong)
        for bearer, kind in (("Prelate", "option"), ("Marshal", "unknown")):
            text = f"{bearer}, Exemplar's Flame"
            (unit,) = read_text(text, LIBRARY, system, ["empire-of-sonnstahl"]).units
            assert [piece.kind for piece in unit.unit.pieces] == [kind], text


def test_what_an_author_sorts_names_by_is_not_needed():
    named = LIBRARY.shipped_data("t9a-2023", HIGHBORN)
    text = json.dumps({**named, "id": "own-1", "kind": "own", "name": "Reef Elves"})
    for name, sorted_name in (
        ('"Musician"', '"CG: Musician"'),
        ('"Lance"', '"Melee: (L2) Lance"'),
        ('"Citizen Spears"', '"03 - Citizen Spears"'),
    ):
        text = text.replace(f'"name": {name}', f'"name": {sorted_name}')
    data = json.loads(text)
    own = described_book(data, lambda: Contents({}))
    library = LIBRARY.with_own([own], lambda id_, _revision: data if id_ == "own-1" else None)
    read = read_text("30 Citizen Spears, Musician, Drummer", library, "t9a-2023", ["own-1"])
    (unit,) = (line.unit for line in read.units)
    assert (unit.name, [piece.name for piece in unit.pieces]) == (
        "03 - Citizen Spears",
        ["CG: Musician", ""],
    )
