"""Every kind of mistake in a catalogue file is told with file, place, message and advice.

Each test starts from a good system and a good book, breaks one thing, and reads the folder.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from armybuilder.loading.library import Library, load_library
from tests.building.tiny import (
    MAP,
    MOST,
    POOL,
    Data,
    ability,
    book_data,
    rule,
    system_data,
    unit,
    with_settings,
)
from tests.catalogs.breaking import (
    BOOK,
    GONE,
    SYSTEM,
    Break,
    copied,
    only_problem,
    pointer,
    put,
    write,
)
from tests.engine.test_faction_rules import CAPACITY, FACTION

pytestmark = pytest.mark.long

CHOOSE = {"code": "side.choose", "summary": "Choose."}
CAVE = {"ground": ["cave"]}
FORMULA: Data = {"weights": {"nerve": 5}, "from": 7, "minus": "nerve", "divide": 2, "minimum": 1}
#: Weapons of a game that has the statistic "speed".
ARMS: Data = {"shown": ["speed"], "shot": ["speed"], "most": {}, "unarmed": ["rooted"],
              "charge": "rush", "type": "speed", "known": {}}  # fmt: skip
MELEE: Data = {"name": "A", "summary": "S.", "cite": "1"}


def fact(kind: str, name: str, **more: Any) -> Data:
    return {"id": name.lower(), "kind": kind, "name": name, "cite": "1", **more}


def good_system(**changes: Any) -> Data:
    table = {"by": ["ground", "players"], "table": {"open": {"2": 3}, "cave": {"2": 4}}}
    sizes = {"sizes": {"50": 6}, "setting": "most"}
    lone, aim, shooter = {"tag": "lone"}, {"ability": "aim"}, {"tag": "shooter"}
    rules = [
        rule("complete", "unit.incomplete", id="complete", attributes=["side"], ratings=["chief"]),
        FACTION,
        CAPACITY,
        rule("limit", id="terrain", count="pieces", setting="terrain", min=table, of=lone),
        rule("clash", id="clash", between=[{"side": "good"}, {"side": "evil"}]),
        rule("stat", id="stat", stat="nerve", min=2, of={"ability": "big"}),
        rule("available", id="available", setting="terrain"),
        rule("requires", id="requires", of=aim, needs=shooter, needs_name="a bow"),
        rule("ability-limit", id="sizes", abilities=["big", "huge"], max=1),
        rule("target", id="target", ability="slayer"),
        rule("copies", id="copies", of={"ability": "wild"}, min=2),
        rule("price-cap", id="cap", of={"role": "reserve"}, max=9),
        rule("belongs", id="belongs", attribute="side", setting="side", choose=CHOOSE),
        rule("pool", id="pool", setting="pool"),
        rule("agreed", id="agreed", sizes=[50, 100], settings=["most"]),
        rule("limit", id="most", count="models", max=sizes, **{"for": CAVE}),
        rule("limit", id="map", count="pieces", setting="map", min=1),
        rule("copies", id="unique", by="unique", max=1),
    ]
    facts = [
        fact("sum", "Scouts", ability="scout", setting="bonus"),
        fact("share", "Half", share="1/2", phrase="{number} of {models}"),
        fact("by-size", "Kills", table={"50": 5}, share="1/2", phrase="{number} points"),
        fact("each-stat", "Hurt", stat="nerve", share="1/2", **{"for": CAVE}),
        fact("worth", "Worth", setting="map", more={"yard": 5}),
        fact("by-choice", "Goal", setting="map", texts={"yard": "Hold it."}),
        fact("steps", "Acting", steps=[[4, 1]], beyond=2),
    ]
    side = {"id": "side", "name": "Side", "kind": "attribute", "attribute": "side"}
    more: Data = {
        "family": "Tiny",
        "settings": with_settings(POOL, MOST, MAP, side),
        "texts": [{"id": "attacks", "name": "Attacks"}],
        "facts": facts,
        "sometimes": "reserve",
        "tables": [{"name": "Table", "columns": ["A", "B"], "rows": [["1", "2"]], "cite": "1"}],
        "reminders": [{"name": "Big", "text": "Is big.", "cite": "1", "abilities": ["big"]}],
    }
    return system_data(*rules, **{**more, **changes})


def good_book() -> Data:
    horse = {"id": "horse", "name": "Horse", "options": [{"id": "barding", "name": "Barding"}]}
    soldier = unit("soldier", 5, "chief 2", "slayer: Orcs", "big", faction="red", side="good")
    soldier |= {"stats": {"nerve": 3, "speed": "F6"}, "spells": ["spark x2"], "options": [horse]}
    return book_data(soldier, unit("knight", 8, "chief ?", faction="blue", side="evil"))


def load(
    directory: Path, break_system: Break | None = None, break_book: Break | None = None
) -> Library:
    system, book = copied(good_system()), copied(good_book())
    if break_system:
        break_system(system)
    if break_book:
        break_book(book)
    write(directory, system, book)
    return load_library(directory)


def test_the_good_files_are_good(tmp_path: Path) -> None:
    library = load(tmp_path)
    assert library.problems == ()
    assert list(library.books["tiny"]) == ["book"]
    assert len(library.books["tiny"]["book"].units) == 2


# A row of these tables: the path, what is put there, where the problem is told (from the path),
# and a word of its message.
SYSTEM_BREAKS: dict[str, tuple[str, Any, str, str]] = {
    # what the schema says
    "a share of nothing": ("rules/cap/max", {"share": "1/3"}, ".", "of"),
    "a bound nobody knows": ("rules/cap/max", "limits", ".", "limits"),
    "a missing key": ("words", GONE, "..", "words"),
    "a missing key of a rule": ("rules/stat/stat", GONE, "..", "stat"),
    "a missing bound": ("rules/stat/min", GONE, "..", "One of “min”, “max”"),
    "an unknown key": ("colour", "red", "..", "colour"),
    "an unknown key of a rule": ("rules/clash/colour", "red", "..", "colour"),
    "an unknown kind of rule": ("rules/clash/kind", "riot", ".", "riot"),
    "an unknown kind of fact": ("facts/scouts/kind", "rumour", ".", "rumour"),
    "a text for a number": ("points/default", "100", ".", "whole number"),
    "a fraction for a whole number": ("points/default", 99.5, ".", "whole number"),
    "a number for a text": ("name", 7, ".", "text"),
    "an object for a list": ("rules", {}, ".", "list"),
    "an id with a space": ("roles/reserve/id", "the reserve", ".", "the reserve"),
    "an empty text": ("about", "", ".", "empty"),
    "a long text": ("about", "x" * 601, ".", "601"),
    "no rules at all": ("rules", [], ".", "0 entries"),
    "a code without a dot": ("rules/clash/code", "clash", ".", "clash"),
    "a share that is none": ("roles/reserve/price", "half", ".", "half"),
    "a division by zero": ("roles/reserve/price", "1/0", ".", "1/0"),
    "a severity nobody knows": ("rules/clash/severity", "bad", ".", "bad"),
    "another format": ("format", "system/9", ".", "system/9"),
    "no sources": ("sources", {}, ".", "empty"),
    "three sides of a clash": ("rules/clash/between/-", {"side": "neutral"}, "..", "3"),
    "a number setting without bounds": ("settings/players/low", GONE, "..", "low"),
    # what the file itself must hold
    "two rules of one id": ("rules/clash/id", "stat", "../../stat/id", "stat"),
    "two abilities of one id": ("abilities/-", ability("big"), "id", "big"),
    "two values of one id": ("settings/terrain/values/rock/id", "tree", ".", "tree"),
    "a source that is not there":
        ("rules/clash/cite", {"source": "errata", "place": "1"}, "source", "errata"),
    "a source of an ability that is not there":
        ("abilities/reach/cite", {"source": "errata", "place": "1"}, "source", "errata"),
    "an ability nobody defines, in a selector":
        ("rules/stat/of", {"ability": "bigg"}, "ability", "bigg"),
    "an ability nobody defines, inside not":
        ("rules/stat/of", {"not": {"ability": ["big", "bigg"]}}, "not/ability", "bigg"),
    "an ability nobody defines, inside all":
        ("rules/stat/of", {"all": [{"tag": "size"}, {"ability": "bigg"}]}, "all/1/ability", "bigg"),
    "a role nobody defines, in a selector": ("rules/cap/of", {"role": "scout"}, "role", "scout"),
    "an attribute nobody defines, in a selector":
        ("rules/stat/of", {"colour": "red"}, "colour", "colour"),
    "a value nobody defines, in a selector": ("rules/clash/between/1/side", "bad", ".", "bad"),
    "a value nobody defines, in what is required":
        ("rules/requires/needs", {"faction": "pink"}, "faction", "pink"),
    "a statistic nobody defines": ("rules/stat/stat", "nerves", ".", "nerves"),
    "an ability nobody defines, in a list": ("rules/sizes/abilities", ["big", "tiny"], ".", "tiny"),
    "a rating nobody defines": ("rules/complete/ratings", ["boss"], ".", "boss"),
    "an attribute nobody defines": ("rules/complete/attributes", ["colour"], ".", "colour"),
    "a supply nobody defines": ("rules/capacity/supply", "boss", ".", "boss"),
    "a need of what nobody defines":
        ("rules/capacity/needs/0/of", {"ability": "tame"}, "ability", "tame"),
    "a need times what nobody defines":
        ("rules/capacity/needs/0/times_rating", "tame", ".", "tame"),
    "no faction that is none": ("rules/faction/none", "free", ".", "free"),
    "a setting nobody defines": ("rules/available/setting", "land", ".", "land"),
    "a setting without pieces": ("rules/available/setting", "players", ".", "players"),
    "a table without a row": ("rules/terrain/min/table/cave", GONE, "..", "cave"),
    "a table by a setting nobody defines":
        ("rules/terrain/min/by", ["ground", "people"], ".", "people"),
    "a table by a setting that is no number":
        ("rules/terrain/min/by", ["ground", "ground"], ".", "ground"),
    "a default that is no value": ("settings/ground/default", "sea", ".", "default"),
    "a default out of bounds": ("settings/players/default", 1, ".", "2 and 9"),
    "a setting of an attribute nobody defines": ("settings/faction/attribute", "clan", ".", "clan"),
    "a piece that needs a setting nobody defines":
        ("settings/terrain/values/tree/needs", {"weather": ["rain"]}, ".", "weather"),
    "a piece that needs a value nobody defines":
        ("settings/terrain/values/tree/needs", {"ground": ["sea"]}, "ground", "sea"),
    "a role for sometimes that nobody defines": ("sometimes", "guest", ".", "guest"),
    "a formula of a statistic nobody defines":
        ("points/formula", {**FORMULA, "weights": {"wit": 5}}, "weights", "wit"),
    "a formula of a statistic that is text":
        ("points/formula", {**FORMULA, "minus": "speed"}, ".", "speed"),
    "wounds by a statistic nobody defines":
        ("abilities/chief/wounds", {"from": 7, "minus": "wit"}, "minus", "wit"),
    "a row of too few cells": ("tables/0/rows", [["1", "2"], ["3"]], "1", "1 cell"),
    "a fact of an ability nobody defines": ("facts/scouts/ability", "spies", ".", "spies"),
    "a fact of a setting nobody defines": ("facts/scouts/setting", "luck", ".", "luck"),
    "a phrase of what is not there": ("facts/half/phrase", "{points} lost", ".", "phrase"),
    "a phrase of models where none are counted": ("facts/kills/phrase", "{models}", ".", "phrase"),
    "a phrase with half a bracket": ("facts/half/phrase", "{number", ".", "phrase"),
    "a table of a setting nobody defines":
        ("tables/0/choices", {"A": "weather"}, ".", "weather"),
    "a table chosen by a column that it lacks": ("tables/0/choices", {"C": "most"}, ".", "“C”"),
    "a rule that the glossary explains twice":
        ("glossary", [{"name": "Melee", "entries": [MELEE, MELEE]}],
         "0/entries/1/name", "The glossary has “A” already."),
    "armour of a statistic nobody defines":
        ("armour", {"stat": "arm", "suits": {"mail": 1}, "shields": {}, "most": 6}, "stat", "arm"),
    "a weapon of a statistic nobody defines":
        ("weapons", {**ARMS, "known": {"axe": {"add": {"wit": 1}}}}, "known/axe/add", "wit"),
    "a shot without a range":
        ("weapons", {**ARMS, "known": {"bow": {"shots": "2"}}}, "known/bow", "range"),
    "a reminder of an ability nobody defines": ("reminders/0/abilities", ["small"], ".", "small"),
    # what the schema says of the newer kinds
    "an empty family": ("family", "", ".", "empty"),
    "an address to read at that is none": ("read_at", "the shop", ".", "the shop"),
    "a name to extend with a space": ("extends", "the tiny", ".", "the tiny"),
    "a part of a card without a name": ("texts/attacks/name", GONE, "..", "name"),
    "several that is no yes or no": ("attributes/faction/several", "yes", ".", "true or false"),
    "a rule for nothing": ("rules/most/for", {}, ".", "empty"),
    "a rule for a bare value": ("rules/most/for/ground", "cave", ".", "list"),
    "a bound by size without a setting": ("rules/most/max/setting", GONE, "..", "setting"),
    "a bound by size for no size": ("rules/most/max/sizes", {}, ".", "empty"),
    "a text for a number of a table":
        ("rules/terrain/min/table/cave/2", "none", ".", "whole number"),
    "copies by something else": ("rules/unique/by", "name", ".", "unique"),
    "belonging with nothing to choose": ("rules/belongs/choose", GONE, "..", "choose"),
    "belonging to no attribute": ("rules/belongs/attribute", GONE, "..", "attribute"),
    "a pool without a setting": ("rules/pool/setting", GONE, "..", "setting"),
    "agreed on at no size": ("rules/agreed/sizes", [], ".", "0 entries"),
    "agreed on nothing": ("rules/agreed/settings", GONE, "..", "settings"),
    "a faction by an ability with nothing to choose":
        ("rules/faction/choose", GONE, "..", "choose"),
    "a capacity judged sometimes": ("rules/capacity/always", "sometimes", ".", "true or false"),
    "a share of a statistic without a share": ("facts/hurt/share", GONE, "..", "share"),
    "a share of a statistic in steps of nothing": ("facts/hurt/step", 0, ".", "below 1"),
    "more worth by nothing": ("facts/worth/setting", GONE, "..", "setting"),
    "no text to go with a choice": ("facts/goal/texts", {}, ".", "empty"),
    "steps that go on as a word": ("facts/acting/beyond", "two", ".", "two"),
    # what the file itself must hold, by the newer kinds
    "two parts of a card of one id":
        ("texts/-", {"id": "attacks", "name": "More"}, "id", "attacks"),
    "a rule for a setting nobody defines":
        ("rules/most/for", {"weather": ["rain"]}, ".", "weather"),
    "a rule for a value nobody defines": ("rules/most/for", {"ground": ["sea"]}, "ground", "sea"),
    "a rule for a value that the attribute has not":
        ("rules/most/for", {"side": ["bad"]}, "side", "bad"),
    "a rule for a number": ("rules/most/for", {"players": ["2"]}, "players", "players"),
    "a rule for a range of what is no number":
        ("rules/most/for", {"ground": {"at_least": 2}}, "ground", "number"),
    "a rule for a range of a setting nobody defines":
        ("rules/most/for", {"weather": {"at_least": 2}}, ".", "weather"),
    "a fact for a value nobody defines": ("facts/hurt/for", {"ground": ["sea"]}, "ground", "sea"),
    "a bound by size and a setting nobody defines":
        ("rules/most/max/setting", "least", ".", "least"),
    "a bound by size and a setting that is no number":
        ("rules/most/max/setting", "ground", ".", "ground"),
    "belonging by a setting nobody defines": ("rules/belongs/setting", "clan", ".", "clan"),
    "belonging by a setting that is no attribute":
        ("rules/belongs/setting", "ground", ".", "ground"),
    "belonging by a setting of another attribute":
        ("rules/belongs/setting", "faction", ".", "faction"),
    "a pool in a setting that is none": ("rules/pool/setting", "terrain", ".", "terrain"),
    "agreed on in a setting nobody defines":
        ("rules/agreed/settings", ["most", "least"], ".", "least"),
    "pieces of a pool": ("rules/map/setting", "pool", ".", "pool"),
    "a share of a statistic nobody defines": ("facts/hurt/stat", "wit", ".", "wit"),
    "more worth by a value nobody defines": ("facts/worth/more", {"moon": 5}, "moon", "moon"),
    "more worth by a setting nobody defines": ("facts/worth/setting", "moon", ".", "moon"),
    "a text for a value nobody defines":
        ("facts/goal/texts", {"moon": "Land on it."}, "moon", "moon"),
    "a default of a choice that is a number": ("settings/map/default", 3, ".", "text"),
    "a default of a number that is a text": ("settings/most/default", "none", ".", "whole number"),
    "a default of a number that is left out": ("settings/most/default", GONE, "..", "default"),
    "a pool with a default": ("settings/pool/default", [], "..", "default"),
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", SYSTEM_BREAKS)
def test_a_mistake_in_a_system_file_is_reported(name: str, tmp_path: Path) -> None:
    path, value, where, word = SYSTEM_BREAKS[name]
    library = load(tmp_path, put(path, value))
    only_problem(library, SYSTEM, pointer(good_system(), path, where), word)
    assert library.systems == {}


BOOK_BREAKS: dict[str, tuple[str, Any, str, str]] = {
    # what the schema says
    "a missing key": ("about", GONE, "..", "about"),
    "a unit without a name": ("units/knight/name", GONE, "..", "name"),
    "an unknown key": ("colour", "red", "..", "colour"),
    "an unknown key of a unit": ("units/knight/pionts", 5, "..", "pionts"),
    "points in quotes": ("units/knight/points", "8", ".", "8"),
    "points below zero": ("units/knight/points", -1, ".", "-1"),
    "a text for a list": ("units/knight/abilities", "big", ".", "list"),
    "an ability badly written": ("units/knight/abilities/0", "Chief 2", ".", "Chief 2"),
    "a spell badly written": ("units/soldier/spells/0", "spark twice", ".", "spark twice"),
    "an id with capitals": ("units/knight/id", "Knight", ".", "Knight"),
    "a kind nobody knows": ("kind", "secret", ".", "secret"),
    "another format": ("format", "book/0", ".", "book/0"),
    "boxes below one":
        ("units/knight/abilities/0", {"ability": "chief", "rating": 1, "uses": 0}, "uses", "0"),
    # where it lies
    "an id that is not the file's name": ("id", "other", ".", "other"),
    "another system than its folder's": ("system", "chess", ".", "chess"),
    # what the system knows
    "two units of one id": ("units/knight/id", "soldier", ".", "soldier"),
    "two options of one id":
        ("units/soldier/options/-", {"id": "horse", "name": "Pony"}, "id", "horse"),
    "two options of one id, one level down":
        ("units/soldier/options/horse/options/-", {"id": "barding", "name": "Bard"},
         "id", "barding"),
    "an attribute nobody defines": ("units/knight/attributes/clan", "red", ".", "clan"),
    "a value nobody defines": ("units/knight/attributes/side", "bad", ".", "bad"),
    "one of several values that nobody defines":
        ("units/knight/attributes/side", ["evil", "bad"], ".", "bad"),
    "a statistic nobody defines": ("units/soldier/stats/wit", 3, ".", "wit"),
    "a text for a number statistic": ("units/soldier/stats/nerve", "3", ".", "Nerve"),
    "a number for a text statistic": ("units/soldier/stats/speed", 6, ".", "Speed"),
    "an ability nobody defines": ("units/knight/abilities/-", "cheif 2", ".", "cheif"),
    "a rating left out": ("units/knight/abilities/-", "scout", ".", "Scout"),
    "a rating too many": ("units/knight/abilities/-", "big 2", ".", "Big"),
    "a target left out": ("units/knight/abilities/-", "slayer", ".", "Slayer"),
    "an ability in its long form nobody defines":
        ("units/knight/abilities/-", {"ability": "giant"}, ".", "giant"),
    "a spell nobody defines": ("units/soldier/spells", ["spork"], "0", "spork"),
    "points left out": ("units/knight/points", GONE, "..", "points"),
    "points of an ability nobody defines": ("ability_points", {"wings": 3}, "wings", "wings"),
    # what its cards may say of late
    "an empty Unique name": ("units/knight/unique", "", ".", "empty"),
    "fewer than none owned": ("units/knight/owned", -1, ".", "-1"),
    "too many owned": ("units/knight/owned", 1000, ".", "1000"),
    "a number in the set that is none": ("units/knight/number", 12, ".", "text"),
    "a suggestion that is a word": ("units/knight/suggested", "yes", ".", "true or false"),
    "a text that is no list": ("units/knight/texts", {"attacks": "Claw"}, "attacks", "list"),
    "a text of a part nobody defines":
        ("units/knight/texts", {"powers": ["Roar"]}, "powers", "powers"),
    "a lift without the rule": ("units/knight/lifts", [{"of": {"side": "evil"}}], "0", "rule"),
    "a lift from nobody": ("units/knight/lifts", [{"rule": "clash"}], "0", "of"),
    "a lift of a rule nobody defines":
        ("units/knight/lifts", [{"rule": "riot", "of": {"side": "evil"}}], "0/rule", "riot"),
    "a lift of a rule that cannot be lifted":
        ("units/knight/lifts", [{"rule": "faction", "of": {"side": "evil"}}], "0/rule", "faction"),
    "a lift from a value nobody defines":
        ("units/knight/lifts", [{"rule": "clash", "of": {"side": ["evil", "bad"]}}],
         "0/of/side", "bad"),
    "a lift from an attribute nobody defines":
        ("units/knight/lifts", [{"rule": "clash", "of": {"colour": "red"}}],
         "0/of/colour", "colour"),
    "a lift by more than values":
        ("units/knight/lifts", [{"rule": "clash", "of": {"not": {"side": "evil"}}}],
         "0/of/not", ""),
    "two factions in a game of one":
        ("units/knight/attributes/faction", ["red", "blue"], ".", "one faction"),
    "an ability of its own that the system has":
        ("abilities", [{"id": "big", "name": "Big"}], "0/id", "already"),
    "two abilities of its own of one id":
        ("abilities", [{"id": "rage", "name": "Rage"}, {"id": "rage", "name": "Fury"}],
         "1/id", "rage"),
    "an ability of its own without a name": ("abilities", [{"id": "rage"}], "0", "name"),
    "an ability of its own in a style nobody knows":
        ("abilities", [{"id": "rage", "name": "Rage", "rating": "stars"}], "0/rating", "stars"),
    "a rating below zero": ("units/knight/abilities/-", "hard -1", ".", "below 0"),
    "an ability twice": ("units/knight/abilities", ["big", "big"], "1", "twice"),
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", BOOK_BREAKS)
def test_a_mistake_in_a_book_is_reported_and_the_system_still_loads(
    name: str, tmp_path: Path
) -> None:
    path, value, where, word = BOOK_BREAKS[name]
    library = load(tmp_path, break_book=put(path, value))
    only_problem(library, BOOK, pointer(good_book(), path, where), word)
    assert list(library.systems) == ["tiny"]
    assert library.books["tiny"] == {}


RAW_BREAKS = {
    "no JSON": ('{"format": }', "line 1, column 12"),
    "a comma too many": ('{"a": 1,}', "line 1"),
    "nothing": ("", "not JSON"),
    "a key twice": ('{"id": "a", "id": "b"}', "“id” twice"),
    "a key twice deep inside": ('{"a": [{"b": {"c": 1, "c": 1}}]}', "“c” twice"),
    "a number that JSON does not know": ('{"a": NaN}', "NaN"),
    "bytes that are not text": (b'{"a": "\xff"}', "UTF-8"),
    "half a character": ('{"a": "\\ud800"}', "half a character"),
    "a number of ten thousand digits": ('{"a": ' + "9" * 10_000 + "}", "number"),
}


@pytest.mark.parametrize("name", RAW_BREAKS)
@pytest.mark.parametrize("file", [SYSTEM, BOOK])
def test_a_file_that_is_not_good_json_is_reported(name: str, file: str, tmp_path: Path) -> None:
    raw, word = RAW_BREAKS[name]
    write(tmp_path, good_system(), good_book())
    (tmp_path / file).write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    only_problem(load_library(tmp_path), file, "", word)


@pytest.mark.parametrize("raw", ["[]", "3", '"text"', "null"])
def test_a_file_that_is_no_object_is_reported(raw: str, tmp_path: Path) -> None:
    write(tmp_path, good_system(), good_book())
    (tmp_path / BOOK).write_text(raw)
    only_problem(load_library(tmp_path), BOOK, "", "object")


def test_a_system_must_lie_in_the_folder_of_its_name(tmp_path: Path) -> None:
    library = load(tmp_path, break_system=put("id", "huge"))
    assert "tiny" in only_problem(library, SYSTEM, "/id", "huge").advice


formula_system = put("points/formula", FORMULA)


def test_printed_points_must_agree_with_the_formula(tmp_path: Path) -> None:
    stats = {"nerve": 3}
    units = put("units", [unit("soldier", 31, stats=stats), unit("knight", 30, stats=stats)])
    problem = only_problem(load(tmp_path, formula_system, units), BOOK, "/units/0/points", "31")
    assert "30" in problem.message


def test_a_formula_needs_its_statistics(tmp_path: Path) -> None:
    soldier = unit("soldier", None, stats={"nerve": 3})
    knight = unit("knight", None, stats={"speed": "6"})
    library = load(tmp_path, formula_system, put("units", [soldier, knight]))
    assert {problem.pointer for problem in library.problems} == {"/units/1/stats"}


def test_all_mistakes_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    def book(data: Data) -> None:
        data["units"][0]["abilities"] += ["wings", "big 3", "scout"]
        data["units"][1]["attributes"]["side"] = "bad"
        data["units"].append(unit("knight", 5))
        del data["units"][2]["points"]

    library = load(tmp_path, break_book=book)
    assert [problem.pointer for problem in library.problems] == [
        "/units/2/id",
        *(f"/units/0/abilities/{number}" for number in (3, 4, 5)),
        "/units/1/attributes/side",
        "/units/2",
    ]


def test_all_breaks_of_the_schema_are_reported_at_once_in_the_order_of_the_file(
    tmp_path: Path,
) -> None:
    def book(data: Data) -> None:
        data["colour"] = "red"
        data["units"][0]["points"] = "five"
        del data["units"][1]["name"]
        data["units"][1]["abilities"] = ["Chief"]

    library = load(tmp_path, break_book=book)
    pointers = [problem.pointer for problem in library.problems]
    assert pointers == ["", "/units/0/points", "/units/1", "/units/1/abilities/0"]


def test_problems_of_system_rules_are_reported_at_once(tmp_path: Path) -> None:
    paths = ("rules/clash/between/0", "rules/stat/stat", "sometimes")

    def system(data: Data) -> None:
        for path, value in zip(paths, ({"colour": "red"}, "wit", "guest"), strict=True):
            put(path, value)(data)

    library = load(tmp_path, system)
    clash, stat, sometimes = (pointer(good_system(), path) for path in paths)
    told_at = sorted(problem.pointer for problem in library.problems)
    assert told_at == [f"{clash}/colour", stat, sometimes]


def test_sentences_are_checked_against_what_rules_tell(tmp_path: Path) -> None:
    for path, value, place, message in [
        ("sentences", {}, "rules/terrain/code", "There is no sentence for “tiny.rule”."),
        (
            "sentences/tiny.rule", "{measured} hats, {names}, {colour}.", "sentences/tiny.rule",
            "A sentence of this rule has no value “colour”.",
        ),
        (
            "sentences/tiny.rule", "Too many: {points}.", "sentences/tiny.rule",
            "“points” needs a noun.",
        ),
        (
            "sentences/tiny.rule", "Too many: {measured.", "sentences/tiny.rule",
            "A brace is not closed, or not opened.",
        ),
        (
            "sentences/tiny.hats", "Too many hats.", "sentences/tiny.hats",
            "No rule has the code “tiny.hats”.",
        ),
        (
            "rules/clash/code", "unit.incomplete", "rules/clash/code",
            "A sentence of this rule has no value “unit”.",
        ),
    ]:  # fmt: skip
        library = load(tmp_path, put(path, value))
        problems = {
            (problem.file, problem.pointer, problem.message) for problem in library.problems
        }
        assert (SYSTEM, pointer(good_system(), place), message) in problems, (path, value)
        assert library.systems == {}, (path, value)


def test_a_sentence_that_is_no_text_breaks_the_schema(tmp_path: Path) -> None:
    library = load(tmp_path, put("sentences/tiny.rule", 5))
    assert [problem.pointer for problem in library.problems] == ["/sentences/tiny.rule"]


def test_a_broken_book_is_left_out_and_its_neighbour_still_loads(tmp_path: Path) -> None:
    broken, whole = good_book(), {**good_book(), "id": "book-2"}
    broken["units"][0]["abilities"].append("wings")
    write(tmp_path, good_system(), broken, whole)
    library = load_library(tmp_path)
    assert list(library.books["tiny"]) == ["book-2"]
    only_problem(library, BOOK, "/units/0/abilities/3")


def test_a_broken_system_takes_only_its_own_books_with_it(tmp_path: Path) -> None:
    write(tmp_path, good_system(rules=[]), good_book())
    (tmp_path / "tiny").rename(tmp_path / "broken")
    write(tmp_path, good_system(), good_book())
    library = load_library(tmp_path)
    assert {problem.file for problem in library.problems} == {"broken/system.json"}
    assert list(library.systems) == ["tiny"]
    assert list(library.books["tiny"]) == ["book"]


def test_a_misspelt_key_is_named_beside_the_one_that_is_missing(tmp_path: Path) -> None:
    def system(data: Data) -> None:
        put("rules/stat/min", GONE)(data)
        put("rules/stat/minn", 2)(data)

    messages = [problem.message for problem in load(tmp_path, system).problems]
    assert sorted(messages) == ["One of “min”, “max” is missing.", "“minn” is not known here."]


def test_messages_read_as_a_person_would_say_them(tmp_path: Path) -> None:
    for path, value, message, advice in [
        (
            "rules/stat/of", {"ability": "bigg"},
            "There is no ability “bigg”.", "Define it in abilities.",
        ),
        ("rules/cap/of", {"role": "guest"}, "There is no role “guest”.", "Define it in roles."),
        (
            "facts/kills/phrase", "{models}",
            "The phrase has a name in braces that we can’t fill in.",
            "Use {number} only.",
        ),
        (
            "facts/half/phrase", "{x}",
            "The phrase has a name in braces that we can’t fill in.",
            "Use {number}, {rest} and {models} only.",
        ),
        (
            "points/default", True,
            "true is not a whole number.", "Write a whole number, without quotes.",
        ),
    ]:  # fmt: skip
        (problem,) = load(tmp_path, put(path, value)).problems
        assert (problem.message, problem.advice) == (message, advice), path


def test_a_huge_value_is_shown_cut_short(tmp_path: Path) -> None:
    library = load(tmp_path, break_book=put("units/knight/points", "9" * 5000))
    assert len(library.problems[0].message) < 120


def test_the_revision_of_a_book_follows_its_content_and_not_its_layout(tmp_path: Path) -> None:
    def revision() -> str:
        return load_library(tmp_path).books["tiny"]["book"].revision

    load(tmp_path)
    first = revision()
    assert len(first) == 16
    file = tmp_path / BOOK
    file.write_text(json.dumps(good_book(), indent=4, sort_keys=True), encoding="utf-8")
    assert revision() == first
    load(tmp_path, break_book=put("units/knight/points", 9))
    assert revision() != first
