"""What the sheet of an army says, on game day too, and what it explains and works out."""

import re
from dataclasses import astuple
from types import SimpleNamespace
from typing import Any

import pypdfium2
import pytest

from armybuilder.engine import validate
from armybuilder.engine.options import slug
from armybuilder.loading.documents import judge_by, make_roster
from armybuilder.loading.library import make_catalogue, shipped_library
from armybuilder.sheets.content.make import Material, army_sheet
from armybuilder.sheets.content.make_units import rules
from armybuilder.sheets.content.structure import FactLine, Sheet
from armybuilder.sheets.content.unit_view import UnitView
from armybuilder.sheets.content.unit_words import boxed
from armybuilder.sheets.drawing.words import WordRun, break_lines
from armybuilder.sheets.texts.forms import FORMS
from tests.building.documents import list_of, value_of
from tests.building.towers import (
    BOOK,
    GENERAL,
    army_document,
    army_sheet_of,
    block,
    catalogue,
    illegal_army,
    legal_army,
    option,
    unit,
)
from tests.golden.adapter import checked_book
from tests.sheets.papers import (
    DAY,
    EXAMPLES,
    example,
    legal_list,
    long_army,
    material,
    pdf,
    printed_text,
    sheet,
)


def army(document, kind="full"):
    return army_sheet_of(document, kind).army


def names(taken):
    return [option.name for option in taken]


def test_a_sheet_lists_units_by_category():
    # The examples are what they say.
    assert army_sheet_of(legal_army()).verdict == "Legal: 1480 of 1500 points."
    assert not army_sheet_of(illegal_army()).legal
    # Units stand under their primary category in the books order.
    told = army(army_document(unit("trolls", 2), unit("guard", 10), GENERAL, unit("gone")))
    assert [(part.title, [unit.title for unit in part.units]) for part in told.divisions] == [
        ("Characters", ["Champion"]),
        ("Core", ["10 Guard"]),
        ("Beasts", ["2 Trolls"]),
        ("Not in the books", ["towers/gone"]),
    ]
    # A skirmish list has cards and no army.
    told = sheet(legal_list())
    assert told.army is None
    assert told.cards
    assert not army_sheet_of(legal_army()).cards
    # Each category tells its share of the army points and its bound.
    told = army(legal_army())
    assert [astuple(share) for share in told.shares] == [
        ("Characters", 260, "17.3", "at most 40 % (600)", "ok"),
        ("Core", 1220, "81.3", "at least 25 % (375)", "ok"),
        ("Beasts", 0, "0.0", "at most 20 % (300), at most 1 unit", "ok"),
    ]
    assert astuple(told.total) == ("Army", 1480, "98.7", "at most 1500", "ok")
    assert told.left == 20
    # A category out of bounds says to which side.
    told = army(army_document(unit("champion"), unit("tower"), unit("trolls", 1)))
    assert {share.name: share.state for share in told.shares} == {
        "Characters": "ok",
        "Core": "under",
        "Beasts": "over",
    }
    assert told.total.state == "under"
    assert army(army_document(unit("guard", 40), unit("guard", 40))).total.state == "over"
    # Numbers of the table do not come twice.
    assert [gauge.name for gauge in army_sheet_of(legal_army()).gauges] == ["Units"]
    # An army of nothing has a sheet.
    told = army(army_document())
    assert (told.units, told.columns, told.total.points) == ((), (), 0)
    # A unit the books do not have stays and says so.
    told = army(illegal_army()).units[-1]
    assert (told.known, told.price) == (False, "")
    assert told.remark == "The chosen books do not have this unit. It does not count."


def test_a_conditional_bound_is_shown_only_while_it_holds(monkeypatch):
    moving = {"if": {"limit": {"at_least": 3000}}, "set": {"max": 30}}
    core = {"id": "core", "name": "Core", "min": "25%", "when": [moving]}
    characters, _core, beasts = BOOK["categories"]
    monkeypatch.setitem(BOOK, "categories", [characters, core, beasts])
    told = army(legal_army())
    assert astuple(told.shares[1]) == ("Core", 1220, "81.3", "at least 25 % (375)", "ok")


def test_a_sheet_shows_options_and_health_points():
    # Special items are told apart from options and from what is given.
    told = block(unit("champion", options=[option("tall"), option("crown"), option("horns")]))
    assert [(option.name, option.points) for option in told.options] == [("Tall", 5)]
    assert names(told.items) == ["Crown", "Horns"]
    assert told.given == ("Sword",)
    assert told.points == 285
    # An enchantment says what it is put on.
    told = block(unit("champion", options=[option("crown", on="sword")]))
    assert names(told.items) == ["Crown (on Sword)"]
    # A custom name stands before the units own.
    told = block(unit("guard", 12, name="The Old Guard"))
    assert (told.title, told.unit_name) == ("12 The Old Guard", "Guard")
    # General battle standard and scoring are marked.
    told = block(unit("champion", roles=["general"], options=[option("battle-standard-bearer")]))
    assert told.marks == ("General", "Battle Standard Bearer")
    # The rule that the bearer gains is not the standard (21.A.b.3, .28).
    rallying = {**BOOK["units"][0], "keywords": ["Rally Around the Flag"]}
    system = shipped_library().system("t9a-2023")
    books = make_catalogue(system, [checked_book({**BOOK, "units": [rallying]}, system)])
    judged = judge_by(value_of(army_document(unit("champion"))), books)
    (alone,) = army_sheet(judged, DAY, "full").army.units
    assert alone.marks == ()
    assert "Battle Standard Bearer" not in [fact.name for _, fact in judged.report.facts]
    assert not told.scoring
    assert block(unit("guard", 10)).scoring
    # Rulebook 18: a unit at 25 per cent or less of its starting Health Points.
    for entry, condition in (
        (unit("guard", 25), (25, 6, "25 Health Points, shattered at 6")),
        (unit("trolls", 5), (15, 3, "15 Health Points (5 × 3), shattered at 3")),
        (unit("champion"), (3, 0, "3 Health Points")),
        (unit("peasants", 20), (None, None, "? Health Points")),
        (unit("gone"), (None, None, "")),
    ):
        shown = block(entry)
        assert (shown.total_health, shown.shattered, shown.condition) == condition


def test_a_sheet_shows_stats_and_rules():
    # Units of up to sixty health points get boxes with a line where they are shattered.
    entries = (unit("champion"), unit("guard", 25), unit("guard", 61), unit("peasants", 20))
    assert [block(entry).boxes for entry in entries] == [3, 25, 0, 0]
    assert [block(entry).mark for entry in entries] == [0, 19, 0, 0]
    # Stat lines show what holds where the unit stands.
    told = army(army_document(unit("champion", options=[option("tall")])))
    assert [column.short for column in told.columns] == ["Adv", "HP", "Res", "Agi"]
    (row,) = told.units[0].rows
    assert row.values(told.columns) == ('5"', "3", "4", "5")
    assert row.note == "Adv +1"
    # A mount has a row of its own and says what the model is.
    told = block(unit("champion", options=[option("dragon")]))
    assert [row.name for row in told.rows] == ["Champion", "Dragon"]
    assert told.about == "Standard Beast, 50×100 mm"
    assert told.total_health == 6
    # What a mount has of its rider is told with the rider's number.
    for mount, points in (("horse", "3"), ("boar", "4"), ("dragon", "6"), ("cloud", "mist")):
        row = block(unit("champion", options=[option(mount)])).rows[1]
        assert [cell.value for cell in row.cells if cell.id == "hp"] == [points]
    # Rules come once, with their value where they have one, and with each where they have several.
    assert block(unit("guard", 10)).rules == ("Scoring", "Longbow (3+)")
    assert block(unit("champion", options=[option("horns")])).rules == ("Fearless", "Hot Blood")


@pytest.mark.parametrize(("names", "told"), [
    (["Aegis (4+, against Melee Attacks)", "Aegis (5+)"], 2),
    (["Aegis", "Aegis (5+)", "aegis (5+ )"], 1),
    (["Fly (8\", 16\")", "Fly (8\",16\")"], 1),
    (["Fearless", "fearless"], 1),
])  # fmt: skip
def test_a_rule_with_several_values_keeps_each(names: list[str], told: int) -> None:
    roster = make_roster(value_of(army_document(unit("trolls"))), catalogue())
    (line,) = validate(roster, catalogue()).full.lines
    assert len(list(rules(line, [SimpleNamespace(rules=names)]))) == told


def test_a_sheet_shows_wizards_with_their_spells():
    # A wizard tells type path and spells.
    told = block(unit("champion", options=[option("wizard-master"), option("alchemy")]))
    assert told.wizard.label == "Wizard Master, Alchemy, 4 spells"
    # The spells of its path have a box each.
    assert told.wizard.choices[1] == ("1 Quicksilver Lash", '7+, 24", Hex, Missile, Damage')
    assert (len(told.wizard.choices), len(told.spell_lines)) == (7, 0)
    assert names(told.options) == ["Wizard Master"]
    # A wizard of two paths names each once.
    options = ["wizard-adept", "essence-of-a-free-mind", "pyromancy", "cosmology-2"]
    mage = {
        "unit": "highborn-elves/mage",
        "models": 1,
        "options": [{"id": each} for each in options],
    }
    told = sheet(list_of("t9a-2023", ["highborn-elves"], [mage], limit=4500))
    assert "\n1 Mage, Wizard Adept, Cosmology or Pyromancy, Essence of" in FORMS["lines"].draw(told)
    # A wizard without a path gets a line for it.
    told = block(unit("champion", options=[option("wizard-master")]))
    assert told.wizard.label == "Wizard Master, 4 spells"
    assert len(told.spell_lines) == 5
    assert block(unit("champion")).wizard is None


APART = "Scouts, ambushers, vanguard"


def entry_of(ref: str, models: int, *options: Any, **more: Any) -> dict[str, Any]:
    chosen = [{"id": one} if isinstance(one, str) else one for one in options]
    return {"unit": ref, "models": models, "options": chosen, **more}


def material_of(*units: dict[str, Any]) -> Material:
    book = units[0]["unit"].partition("/")[0]
    document = list_of("t9a-2023", [book], units, limit=4500)
    return Material(value_of(document), shipped_library(), DAY)


def fact(sheet: Sheet, name: str) -> FactLine | None:
    return next((line for line in sheet.facts if line.name == name), None)


def apart(*units: dict[str, Any]) -> str | None:
    line = fact(material_of(*units).sheet, APART)
    return line and line.text


def block_of(entry: dict[str, Any]) -> UnitView:
    army = material_of(entry).sheet.army
    assert army is not None
    return army.units[0]


CONCLAVES = {
    "Eidolons": "daemon-legions/eidolons",
    "Veil Serpents": "daemon-legions/veil-serpents",
    "Warlock Acolytes": "dread-elves/warlock-acolytes",
    "Naiads": "kingdom-of-equitaine/naiads",
}


@pytest.mark.parametrize(("name", "ref"), CONCLAVES.items())
def test_the_champion_of_a_conclave_is_a_wizard_and_without_it_nobody_is(
    name: str, ref: str
) -> None:
    """21.A.b.52: a Wizard Adept with up to two spells that its entry names, and no path."""
    line = fact(material_of(entry_of(ref, 5, "champion")).sheet, "Wizards")
    assert line is not None
    assert line.text == f"{name} (Champion, Wizard Conclave, 2 spells)"
    assert "up to two of the spells that its entry names" in line.note
    assert "Adept: two of the first four" not in line.note
    assert fact(material_of(entry_of(ref, 5)).sheet, "Wizards") is None


def test_conclaves_and_protean_magic_have_their_spells() -> None:
    # The champion of a conclave has a health point more: Seven of 1 and 1 more are 8: shattered
    # at 2, and not at 1 as seven are.
    led, plain = (block_of(entry_of(CONCLAVES["Eidolons"], 7, *who)) for who in (["champion"], []))
    assert (led.total_health, led.shattered) == (8, 2)
    assert led.condition == "8 Health Points (7 × 1 + 1), shattered at 2"
    assert (plain.total_health, plain.shattered, plain.wizard) == (7, 1, None)
    assert led.wizard is not None
    assert led.wizard.label == "Champion, Wizard Conclave, 2 spells"
    assert len(led.spell_lines) == 2, "no line for a path"
    # A wizard with protean magic is asked for no path: 21.A.b.27: the first spell of each path it
    # has access to, and the hereditary one.
    deceiver = entry_of("daemon-legions/kuulimas-deceiver", 1, "wizard-adept")
    line = fact(material_of(deceiver).sheet, "Wizards")
    assert line is not None
    assert line.text == "Kuulima's Deceiver (Protean Magic, 2 spells)"
    assert "no path" in line.note
    wizard = block_of(deceiver).wizard
    assert wizard is not None
    assert wizard.label == "Wizard Adept, Protean Magic, 2 spells"
    assert not wizard.asks_path
    mage = entry_of("highborn-elves/mage", 1, "wizard-adept")
    assert len(block_of(mage).spell_lines) == 3, "a line for its path, and two for spells"


@pytest.mark.parametrize(
    ("units", "text"),
    [
        (
            [
                entry_of("dwarven-holds/miners", 10), entry_of("dwarven-holds/rangers", 8),
                entry_of("dwarven-holds/miners", 12), entry_of("dwarven-holds/dragon-seeker", 1),
            ],
            "Scout: Rangers; Ambush: 2 × Miners; Vanguard: Dragon Seeker",
        ),
        (
            [entry_of("beast-herds/mongrel-raiders", 10, "ambush-and-scout")],
            "Scout: Mongrel Raiders; Ambush: Mongrel Raiders",
        ),
        ([entry_of("beast-herds/mongrel-raiders", 10)], None),
        (
            [entry_of("undying-dynasties/tomb-cataphracts", 3, "special-ambush-open-terrain")],
            "Ambush: Tomb Cataphracts (Special Ambush, Open Terrain)",
        ),
        (
            [
                entry_of("undying-dynasties/skeleton-scouts", 5),
                entry_of("undying-dynasties/pharaoh", 1, "lord-of-the-barrow-legion"),
            ],
            "Vanguard: Skeleton Scouts",
        ),
        (
            [entry_of("undying-dynasties/skeleton-scouts", 5)],
            "Scout: Skeleton Scouts; Vanguard: Skeleton Scouts",
        ),
        ([entry_of("warriors-of-the-dark-gods/flayers", 5)], 'Vanguard: Flayers (6")'),
    ],
)  # fmt: skip
def test_units_with_special_deployment_are_listed(
    units: list[dict[str, Any]], text: str | None
) -> None:
    assert apart(*units) == text


def test_unknown_values_are_named_and_hidden_ones_are_not() -> None:
    # Units whose rules the book does not tell are named.
    line = fact(material_of(entry_of("kingdom-of-equitaine/friars-lanterns", 1)).sheet, APART)
    assert line is not None
    assert (line.text, line.note.partition(".")[0]) == (
        "none known",
        "Unknown for Friar's Lanterns",
    )
    # 9.E.5: the opponent marks more of them for Capture the Flags, until there are three.
    eagles = entry_of("highborn-elves/giant-eagles", 1)
    for number, is_warned in ((0, True), (2, True), (3, False)):
        spears = [entry_of("highborn-elves/citizen-spears", 20) for _ in range(number)]
        line = fact(material_of(eagles, *spears).sheet, "Scoring units")
        assert line is not None
        assert ("Capture the Flags" in line.note) is is_warned, number
        assert line.citation == "Rulebook 9.E.5, 21.A.b.30"
    # An open list tells no hidden ambushers and explains no item.
    banner = ("standard-bearer", "banner-of-the-entombed")
    entombed = material_of(entry_of("undying-dynasties/skeleton-cavalry", 10, *banner))
    full, hidden = (fact(sheet, APART) for sheet in (entombed.sheet, entombed.open_sheet))
    cavalry = "Skeleton Cavalry"
    assert full is not None
    assert full.text == f"Ambush: {cavalry} (Underground Ambush); Vanguard: {cavalry}"
    assert hidden is not None
    assert hidden.text == f"Vanguard: {cavalry}"
    shown = material(long_army()).open_sheet
    hidden = {item.plain for unit in material(long_army()).sheet.army.units for item in unit.items}
    assert hidden
    assert not hidden & {entry.label for entry in shown.glossary}


def test_the_deployment_types_stand_on_the_quick_reference_with_their_places() -> None:
    text = printed_text(example("t9a-2023/the-long-table"), kinds="quick")
    for name in ("Frontline Clash", "Counterthrust", "Marching Columns"):
        assert name in text
    for cited in ("Rulebook 9.D", "Rulebook 9.E", "18.A, 18.C"):
        assert cited in text


SYSTEM = shipped_library().systems["t9a-2023"]
ARMIES = [name for name in EXAMPLES if name.startswith("t9a")]


def units(name: str):
    return {unit.name: unit for unit in material(example(name)).sheet.army.units}


def test_every_entry_of_the_glossary_is_brief_and_says_where_it_stands():
    assert len(SYSTEM.glossary) > 110
    for entry in SYSTEM.glossary:
        assert len(entry.summary) <= 200, entry.name
        assert re.fullmatch(r"Rulebook 21\.[A-H]\.[a-c](\.\d+)?", str(entry.citation)), entry.name


@pytest.mark.long
@pytest.mark.parametrize("name", ARMIES)
def test_a_list_explains_what_its_units_name_and_nothing_else(name):
    sheet = material(example(name)).sheet
    named = {slug(rule) for unit in sheet.army.units for rule in unit.rules}
    explained = {slug(entry.label) for entry in sheet.glossary}
    assert named & {slug(entry.name) for entry in SYSTEM.glossary} <= explained
    named |= {slug(one.plain) for unit in sheet.army.units for one in (*unit.options, *unit.items)}
    named |= {"scoring"}
    named |= {slug(mark) for unit in sheet.army.units for mark in unit.marks}
    named |= {slug(unit.wizard.kind) for unit in sheet.army.units if unit.wizard}
    # What an option gives at once is named within it: "Spear and Shield".
    assert all(any(label in name for name in named) for label in explained)


GREAT = "Armour 6 (2+) without special items"


@pytest.mark.parametrize(
    ("army", "unit", "armour"),
    [
        ("the-long-table", "Great Khan", "Armour 2 (5+) without special items: Heavy Armour"),
        ("the-long-table", "Khan", "Armour 2 (5+): Heavy Armour"),
        ("the-long-table", "Mercenary Veterans", "Armour 3 (4+): Plate Armour"),
        ("the-long-table", "Tusker Cavalry", "Armour 4 (3+): Heavy Armour"),
        ("the-long-table", "Yetis", ""),
        ("the-princes-dragon", "Commander", "Armour 3 (4+): Heavy Armour, Shield"),
        ("the-princes-dragon", "High Prince", "Armour 4 (3+) without special items: Dragon"),
        ("the-princes-dragon", "Knights of Ryma", ""),
        ("throne-under-the-mountain", "King", f"{GREAT}: Plate Armour, Shield"),
        ("throne-under-the-mountain", "Clan Warriors", "Armour 3 (4+): Heavy Armour, Shield"),
    ],
)
def test_armour_is_worked_out_where_its_pieces_are_known(army, unit, armour):
    """Rulebook 21.E, 7.G; "C+2" of a mount: 5.B.b; of a Gigantic one: 21.A.b.23."""
    assert units(f"t9a-2023/{army}")[unit].armour == armour


def test_a_suit_that_was_chosen_takes_the_place_of_the_models_own():
    khan = units("t9a-2023/the-long-table")["Great Khan"]
    assert "Heavy Armour" in [one.plain for one in khan.options]
    assert "Light Armour" not in khan.rules
    rider = units("t9a-2023/the-princes-dragon")["High Prince"]
    assert rider.given == ("Heavy Armour",)  # of the Dragonforged Armour
    assert "Light Armour" not in rider.rules


def test_used_boxes_are_marked():
    # Boxes stand in fives with a heavy line where a mark is.
    ((placed,),) = break_lines([WordRun("", boxes=12, mark=9)], 500)
    four, five, six = (placed.piece._replace(boxes=number).width for number in (4, 5, 6))
    assert six - five > five - four
    first, second = break_lines([WordRun("", boxes=12, mark=9)], 90)
    assert [line[0].piece.boxes for line in (first, second)] == [10, 2]
    assert [line[0].piece.mark for line in (first, second)] == [9, 0]
    # Half of a creatures hit points is marked.
    listed = material(example("ddm-2008/down-the-ninth-stair")).sheet
    for card in listed.cards:
        left = card.health // 2 // card.health_box
        assert card.tracks[0].mark == card.boxes - left
        # Bloodied at a multiple of five (Battle Rules p. 22), said beside the statistics.
        assert card.condition == f"Hit points half at {left * card.health_box}"


def filled(page) -> float:
    """The part of a page's height, margins aside, above its lowest text that is no foot."""
    text = page.get_textpage()
    boxes = (text.get_rect(number) for number in range(text.count_rects()))
    low = min(bottom for _left, bottom, _right, _top in boxes if bottom > 62)
    return 1 - (low - 60) / (page.get_height() - 120)


@pytest.mark.long
@pytest.mark.one_in(14)
@pytest.mark.parametrize("paper", ["A4", "letter"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_last_page_of_a_full_sheet_is_never_almost_empty(name, paper):
    document = pypdfium2.PdfDocument(pdf(example(name), kinds="full", paper=paper))
    last = document[len(document) - 1]
    assert len(document) == 1 or filled(last) >= 0.25
    document.close()


@pytest.mark.long
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", ARMIES)
def test_units_begin_near_the_top_of_an_army(name):
    document = pypdfium2.PdfDocument(pdf(example(name), kinds="full"))
    text = document[0].get_textpage()
    start, _count = text.search("Characters", match_case=True).get_next()
    assert document[0].get_height() - text.get_charbox(start)[3] < 150, "points below the edge"
    document.close()


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
    other = {**document, "settings": {**document["settings"], "scenario": "other"}}
    assert len(rows(other, "Scenarios")) == 7
    # Of the conditions those are told that stand on cards.
    cards = printed_text(document, kinds="cards").casefold()
    found = rows(document, "Conditions")
    assert "Dazed" in found
    assert "Confused" not in found
    assert all(name.split()[0].casefold() in cards for name in found)
    # Sheets tell no words for boxes that they draw.
    for kind in ("full", "compact", "cards"):
        text = printed_text(example("ddm-2008/wardens-of-the-river-gate"), kinds=kind)
        assert not re.search(r"\d (box|use)", text)
    assert boxed("Steady (1 box): she is not") == ("Steady: she is not", 1)
    assert boxed("Sparks (range 5; 2 boxes): +8") == ("Sparks (range 5): +8", 2)
    assert boxed("Breath: 20 fire damage; recharges") == ("Breath: 20 fire damage; recharges", 1)
    assert boxed("2 uses: a friend rises") == ("a friend rises", 2)
    assert boxed("Claws: +4 vs AC; 5 damage") == ("Claws: +4 vs AC; 5 damage", 0)
    assert boxed("Endless (999 boxes): many") == ("Endless: many", 10)
