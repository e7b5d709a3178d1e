"""Every kind of mistake in a catalogue file is told with file, place, message and advice.

Each test starts from a good system and a good book, breaks one thing, and reads the folder.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from armybuilder.loading.library import Library, load_library
from armybuilder.loading.problems import Problem
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
from tests.engine.test_faction_rules import CAPACITY, FACTION

pytestmark = pytest.mark.long

SYSTEM, BOOK = "tiny/system.json", "tiny/book.json"
Break = Callable[[Data], Any]
CHOOSE = {"code": "side.choose", "summary": "Choose."}


def good_system(**changes: Any) -> Data:
    table = {"by": ["ground", "players"], "table": {"open": {"2": 3}, "cave": {"2": 4}}}
    rules = [
        rule("complete", "unit.incomplete", id="complete", attributes=["side"], ratings=["chief"]),
        FACTION,
        CAPACITY,
        rule(
            "limit", id="terrain", count="pieces", setting="terrain", min=table, of={"tag": "lone"}
        ),
        rule("clash", id="clash", between=[{"side": "good"}, {"side": "evil"}]),
        rule("stat", id="stat", stat="nerve", min=2, of={"ability": "big"}),
        rule("available", id="available", setting="terrain"),
        rule(
            "requires",
            id="requires",
            of={"ability": "aim"},
            needs={"tag": "shooter"},
            needs_name="a bow",
        ),
        rule("ability-limit", id="sizes", abilities=["big", "huge"], max=1),
        rule("target", id="target", ability="slayer"),
        rule("copies", id="copies", of={"ability": "wild"}, min=2),
        rule("price-cap", id="cap", of={"role": "reserve"}, max=9),
        rule("belongs", id="belongs", attribute="side", setting="side", choose=CHOOSE),
        rule("pool", id="pool", setting="pool"),
        rule("agreed", id="agreed", sizes=[50, 100], settings=["most"]),
        rule(
            "limit",
            id="most",
            count="models",
            max={"sizes": {"50": 6}, "setting": "most"},
            **{"for": {"ground": ["cave"]}},
        ),
        rule("limit", id="map", count="pieces", setting="map", min=1),
        rule("copies", id="unique", by="unique", max=1),
    ]
    facts = [
        {
            "id": "scouts",
            "kind": "sum",
            "name": "Scouts",
            "cite": "1",
            "ability": "scout",
            "setting": "bonus",
        },
        {
            "id": "half",
            "kind": "share",
            "name": "Half",
            "cite": "1",
            "share": "1/2",
            "phrase": "{number} of {models}",
        },
        {
            "id": "kills",
            "kind": "by-size",
            "name": "Kills",
            "cite": "1",
            "table": {"50": 5},
            "share": "1/2",
            "phrase": "{number} points",
        },
        {
            "id": "hurt",
            "kind": "each-stat",
            "name": "Hurt",
            "cite": "1",
            "stat": "nerve",
            "share": "1/2",
            "for": {"ground": ["cave"]},
        },
        {
            "id": "worth",
            "kind": "worth",
            "name": "Worth",
            "cite": "1",
            "setting": "map",
            "more": {"yard": 5},
        },
        {
            "id": "goal",
            "kind": "by-choice",
            "name": "Goal",
            "cite": "1",
            "setting": "map",
            "texts": {"yard": "Hold it."},
        },
        {
            "id": "acting",
            "kind": "steps",
            "name": "Acting",
            "cite": "1",
            "steps": [[4, 1]],
            "beyond": 2,
        },
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
    return book_data(
        unit(
            "soldier",
            5,
            "chief 2",
            "slayer: Orcs",
            "big",
            faction="red",
            side="good",
            stats={"nerve": 3, "speed": "F6"},
            spells=["spark x2"],
            options=[
                {"id": "horse", "name": "Horse", "options": [{"id": "barding", "name": "Barding"}]}
            ],
        ),
        unit("knight", 8, "chief ?", faction="blue", side="evil"),
    )


def write(directory: Path, system: Data, *books: Data) -> None:
    folder = directory / "tiny"
    folder.mkdir(exist_ok=True)
    (folder / "system.json").write_text(json.dumps(system), encoding="utf-8")
    for number, book in enumerate(books):
        name = "book" if number == 0 else f"book-{number + 1}"
        (folder / f"{name}.json").write_text(json.dumps(book), encoding="utf-8")


def load(
    directory: Path, break_system: Break | None = None, break_book: Break | None = None
) -> Library:
    system, book = deepcopy(good_system()), good_book()
    if break_system:
        break_system(system)
    if break_book:
        break_book(book)
    write(directory, system, book)
    return load_library(directory)


def told(library: Library, file: str, where: str, word: str = "") -> Problem:
    """The one problem of the library, which is at this place and says what to do."""
    assert [str(problem.pointer) for problem in library.problems] == [where], library.problems
    problem = library.problems[0]
    assert problem.file == file
    assert problem.message.endswith("."), problem
    assert problem.advice.endswith("."), problem
    assert word in problem.message, problem
    assert str(problem).startswith(f"{file}#{where}: " if where else f"{file}: ")
    return problem


def test_the_good_files_are_good(tmp_path: Path) -> None:
    library = load(tmp_path)
    assert library.problems == ()
    assert list(library.books["tiny"]) == ["book"]
    assert len(library.books["tiny"]["book"].units) == 2


# Small breaks: each changes the data in place.


def put(*path: Any) -> Break:
    """Sets the last of the path at the place the others lead to."""
    *steps, key, value = path

    def change(data: Data) -> None:
        place: Any = data
        for step in steps:
            place = place[step]
        place[key] = value

    return change


def drop(*path: Any) -> Break:
    *steps, key = path

    def change(data: Data) -> None:
        place: Any = data
        for step in steps:
            place = place[step]
        del place[key]

    return change


def add(*path: Any) -> Break:
    *steps, value = path

    def change(data: Data) -> None:
        place: Any = data
        for step in steps:
            place = place[step]
        place.append(value)

    return change


#: Rules of `good_system` by their place in the file.
(
    COMPLETE_AT,
    FACTION_AT,
    CAPACITY_AT,
    TERRAIN_AT,
    CLASH_AT,
    STAT_AT,
    AVAILABLE_AT,
    REQUIRES_AT,
    SIZES_AT,
) = range(9)
BELONGS_AT, POOL_AT, AGREED_AT, MOST_AT, MAP_AT, UNIQUE_AT = range(12, 18)
#: Facts and settings of it by theirs.
HURT_AT, WORTH_AT, GOAL_AT, ACTING_AT = range(3, 7)
POOL_SETTING, MOST_SETTING, MAP_SETTING = range(5, 8)

SYSTEM_BREAKS = {
    # what the schema says
    "a share of nothing": (
        put("rules", STAT_AT + 6, "max", {"share": "1/3"}),
        f"/rules/{STAT_AT + 6}/max",
        "of",
    ),
    "a bound nobody knows": (
        put("rules", STAT_AT + 6, "max", "limits"),
        f"/rules/{STAT_AT + 6}/max",
        "limits",
    ),
    "a missing key": (drop("words"), "", "words"),
    "a missing key of a rule": (drop("rules", STAT_AT, "stat"), f"/rules/{STAT_AT}", "stat"),
    "a missing bound": (drop("rules", STAT_AT, "min"), f"/rules/{STAT_AT}", "One of “min”, “max”"),
    "an unknown key": (put("colour", "red"), "", "colour"),
    "an unknown key of a rule": (
        put("rules", CLASH_AT, "colour", "red"),
        f"/rules/{CLASH_AT}",
        "colour",
    ),
    "an unknown kind of rule": (
        put("rules", CLASH_AT, "kind", "riot"),
        f"/rules/{CLASH_AT}/kind",
        "riot",
    ),
    "an unknown kind of fact": (put("facts", 0, "kind", "rumour"), "/facts/0/kind", "rumour"),
    "a text for a number": (put("points", "default", "100"), "/points/default", "whole number"),
    "a fraction for a whole number": (
        put("points", "default", 99.5),
        "/points/default",
        "whole number",
    ),
    "a number for a text": (put("name", 7), "/name", "text"),
    "an object for a list": (put("rules", {}), "/rules", "list"),
    "an id with a space": (put("roles", 0, "id", "the reserve"), "/roles/0/id", "the reserve"),
    "an empty text": (put("about", ""), "/about", "empty"),
    "a long text": (put("about", "x" * 601), "/about", "601"),
    "no rules at all": (put("rules", []), "/rules", "0 entries"),
    "a code without a dot": (
        put("rules", CLASH_AT, "code", "clash"),
        f"/rules/{CLASH_AT}/code",
        "clash",
    ),
    "a share that is none": (put("roles", 0, "price", "half"), "/roles/0/price", "half"),
    "a division by zero": (put("roles", 0, "price", "1/0"), "/roles/0/price", "1/0"),
    "a severity nobody knows": (
        put("rules", CLASH_AT, "severity", "bad"),
        f"/rules/{CLASH_AT}/severity",
        "bad",
    ),
    "another format": (put("format", "system/9"), "/format", "system/9"),
    "no sources": (put("sources", {}), "/sources", "empty"),
    "three sides of a clash": (
        add("rules", CLASH_AT, "between", {"side": "neutral"}),
        f"/rules/{CLASH_AT}/between",
        "3",
    ),
    "a number setting without bounds": (drop("settings", 0, "low"), "/settings/0", "low"),
    # what the file itself must hold
    "two rules of one id": (put("rules", CLASH_AT, "id", "stat"), f"/rules/{STAT_AT}/id", "stat"),
    "two abilities of one id": (add("abilities", ability("big")), "/abilities/11/id", "big"),
    "two values of one id": (
        put("settings", 4, "values", 1, "id", "tree"),
        "/settings/4/values/1/id",
        "tree",
    ),
    "a source that is not there": (
        put("rules", CLASH_AT, "cite", {"source": "errata", "place": "1"}),
        f"/rules/{CLASH_AT}/cite/source",
        "errata",
    ),
    "a source of an ability that is not there": (
        put("abilities", 3, "cite", {"source": "errata", "place": "1"}),
        "/abilities/3/cite/source",
        "errata",
    ),
    "an ability nobody defines, in a selector": (
        put("rules", STAT_AT, "of", {"ability": "bigg"}),
        f"/rules/{STAT_AT}/of/ability",
        "bigg",
    ),
    "an ability nobody defines, inside not": (
        put("rules", STAT_AT, "of", {"not": {"ability": ["big", "bigg"]}}),
        f"/rules/{STAT_AT}/of/not/ability",
        "bigg",
    ),
    "an ability nobody defines, inside all": (
        put("rules", STAT_AT, "of", {"all": [{"tag": "size"}, {"ability": "bigg"}]}),
        f"/rules/{STAT_AT}/of/all/1/ability",
        "bigg",
    ),
    "a role nobody defines, in a selector": (
        put("rules", 11, "of", {"role": "scout"}),
        "/rules/11/of/role",
        "scout",
    ),
    "an attribute nobody defines, in a selector": (
        put("rules", STAT_AT, "of", {"colour": "red"}),
        f"/rules/{STAT_AT}/of/colour",
        "colour",
    ),
    "a value nobody defines, in a selector": (
        put("rules", CLASH_AT, "between", 1, "side", "bad"),
        f"/rules/{CLASH_AT}/between/1/side",
        "bad",
    ),
    "a value nobody defines, in what is required": (
        put("rules", REQUIRES_AT, "needs", {"faction": "pink"}),
        f"/rules/{REQUIRES_AT}/needs/faction",
        "pink",
    ),
    "a statistic nobody defines": (
        put("rules", STAT_AT, "stat", "nerves"),
        f"/rules/{STAT_AT}/stat",
        "nerves",
    ),
    "an ability nobody defines, in a list": (
        put("rules", SIZES_AT, "abilities", ["big", "tiny"]),
        f"/rules/{SIZES_AT}/abilities",
        "tiny",
    ),
    "a rating nobody defines": (
        put("rules", COMPLETE_AT, "ratings", ["boss"]),
        f"/rules/{COMPLETE_AT}/ratings",
        "boss",
    ),
    "an attribute nobody defines": (
        put("rules", COMPLETE_AT, "attributes", ["colour"]),
        f"/rules/{COMPLETE_AT}/attributes",
        "colour",
    ),
    "a supply nobody defines": (
        put("rules", CAPACITY_AT, "supply", "boss"),
        f"/rules/{CAPACITY_AT}/supply",
        "boss",
    ),
    "a need of what nobody defines": (
        put("rules", CAPACITY_AT, "needs", 0, "of", {"ability": "tame"}),
        f"/rules/{CAPACITY_AT}/needs/0/of/ability",
        "tame",
    ),
    "a need times what nobody defines": (
        put("rules", CAPACITY_AT, "needs", 0, "times_rating", "tame"),
        f"/rules/{CAPACITY_AT}/needs/0/times_rating",
        "tame",
    ),
    "no faction that is none": (
        put("rules", FACTION_AT, "none", "free"),
        f"/rules/{FACTION_AT}/none",
        "free",
    ),
    "a setting nobody defines": (
        put("rules", AVAILABLE_AT, "setting", "land"),
        f"/rules/{AVAILABLE_AT}/setting",
        "land",
    ),
    "a setting without pieces": (
        put("rules", AVAILABLE_AT, "setting", "players"),
        f"/rules/{AVAILABLE_AT}/setting",
        "players",
    ),
    "a table without a row": (
        drop("rules", TERRAIN_AT, "min", "table", "cave"),
        f"/rules/{TERRAIN_AT}/min/table",
        "cave",
    ),
    "a table by a setting nobody defines": (
        put("rules", TERRAIN_AT, "min", "by", ["ground", "people"]),
        f"/rules/{TERRAIN_AT}/min/by",
        "people",
    ),
    "a table by a setting that is no number": (
        put("rules", TERRAIN_AT, "min", "by", ["ground", "ground"]),
        f"/rules/{TERRAIN_AT}/min/by",
        "ground",
    ),
    "a default that is no value": (
        put("settings", 2, "default", "sea"),
        "/settings/2/default",
        "default",
    ),
    "a default out of bounds": (put("settings", 0, "default", 1), "/settings/0/default", "2 and 9"),
    "a setting of an attribute nobody defines": (
        put("settings", 3, "attribute", "clan"),
        "/settings/3/attribute",
        "clan",
    ),
    "a piece that needs a setting nobody defines": (
        put("settings", 4, "values", 0, "needs", {"weather": ["rain"]}),
        "/settings/4/values/0/needs",
        "weather",
    ),
    "a piece that needs a value nobody defines": (
        put("settings", 4, "values", 0, "needs", {"ground": ["sea"]}),
        "/settings/4/values/0/needs/ground",
        "sea",
    ),
    "a role for sometimes that nobody defines": (put("sometimes", "guest"), "/sometimes", "guest"),
    "a formula of a statistic nobody defines": (
        put(
            "points",
            "formula",
            {"weights": {"wit": 5}, "from": 7, "minus": "nerve", "divide": 2, "minimum": 1},
        ),
        "/points/formula",
        "wit",
    ),
    "a formula of a statistic that is text": (
        put(
            "points",
            "formula",
            {"weights": {"nerve": 5}, "from": 7, "minus": "speed", "divide": 2, "minimum": 1},
        ),
        "/points/formula",
        "speed",
    ),
    "wounds by a statistic nobody defines": (
        put("abilities", 0, "wounds", {"from": 7, "minus": "wit"}),
        "/abilities/0/wounds/minus",
        "wit",
    ),
    "a row of too few cells": (
        put("tables", 0, "rows", [["1", "2"], ["3"]]),
        "/tables/0/rows/1",
        "1 cell",
    ),
    "a fact of an ability nobody defines": (
        put("facts", 0, "ability", "spies"),
        "/facts/0/ability",
        "spies",
    ),
    "a fact of a setting nobody defines": (
        put("facts", 0, "setting", "luck"),
        "/facts/0/setting",
        "luck",
    ),
    "a phrase of what is not there": (
        put("facts", 1, "phrase", "{points} lost"),
        "/facts/1/phrase",
        "phrase",
    ),
    "a phrase of models where none are counted": (
        put("facts", 2, "phrase", "{models}"),
        "/facts/2/phrase",
        "phrase",
    ),
    "a phrase with half a bracket": (
        put("facts", 1, "phrase", "{number"),
        "/facts/1/phrase",
        "phrase",
    ),
    "a table of a setting nobody defines": (
        put("tables", 0, "setting", "weather"),
        "/tables/0/setting",
        "weather",
    ),
    "a rule that the glossary explains twice": (
        put(
            "glossary",
            [
                {
                    "name": "Melee",
                    "entries": [{"name": n, "summary": "S.", "cite": "1"} for n in "AA"],
                }
            ],
        ),
        "/glossary/0/entries/1/name",
        "The glossary has “A” already.",
    ),
    "armour of a statistic nobody defines": (
        put("armour", {"stat": "arm", "suits": {"mail": 1}, "shields": {}, "most": 6}),
        "/armour/stat",
        "arm",
    ),
    "a reminder of an ability nobody defines": (
        put("reminders", 0, "abilities", ["small"]),
        "/reminders/0/abilities",
        "small",
    ),
    # what the schema says of the newer kinds
    "an empty family": (put("family", ""), "/family", "empty"),
    "an address to read at that is none": (put("read_at", "the shop"), "/read_at", "the shop"),
    "a name to extend with a space": (put("extends", "the tiny"), "/extends", "the tiny"),
    "a part of a card without a name": (drop("texts", 0, "name"), "/texts/0", "name"),
    "several that is no yes or no": (
        put("attributes", 0, "several", "yes"),
        "/attributes/0/several",
        "true or false",
    ),
    "a rule for nothing": (put("rules", MOST_AT, "for", {}), f"/rules/{MOST_AT}/for", "empty"),
    "a rule for a bare value": (
        put("rules", MOST_AT, "for", "ground", "cave"),
        f"/rules/{MOST_AT}/for/ground",
        "list",
    ),
    "a bound by size without a setting": (
        drop("rules", MOST_AT, "max", "setting"),
        f"/rules/{MOST_AT}/max",
        "setting",
    ),
    "a bound by size for no size": (
        put("rules", MOST_AT, "max", "sizes", {}),
        f"/rules/{MOST_AT}/max/sizes",
        "empty",
    ),
    "a text for a number of a table": (
        put("rules", TERRAIN_AT, "min", "table", "cave", "2", "none"),
        f"/rules/{TERRAIN_AT}/min/table/cave/2",
        "whole number",
    ),
    "copies by something else": (
        put("rules", UNIQUE_AT, "by", "name"),
        f"/rules/{UNIQUE_AT}/by",
        "unique",
    ),
    "belonging with nothing to choose": (
        drop("rules", BELONGS_AT, "choose"),
        f"/rules/{BELONGS_AT}",
        "choose",
    ),
    "belonging to no attribute": (
        drop("rules", BELONGS_AT, "attribute"),
        f"/rules/{BELONGS_AT}",
        "attribute",
    ),
    "a pool without a setting": (drop("rules", POOL_AT, "setting"), f"/rules/{POOL_AT}", "setting"),
    "agreed on at no size": (
        put("rules", AGREED_AT, "sizes", []),
        f"/rules/{AGREED_AT}/sizes",
        "0 entries",
    ),
    "agreed on nothing": (drop("rules", AGREED_AT, "settings"), f"/rules/{AGREED_AT}", "settings"),
    "a faction by an ability with nothing to choose": (
        drop("rules", FACTION_AT, "choose"),
        f"/rules/{FACTION_AT}",
        "choose",
    ),
    "a capacity judged sometimes": (
        put("rules", CAPACITY_AT, "always", "sometimes"),
        f"/rules/{CAPACITY_AT}/always",
        "true or false",
    ),
    "a share of a statistic without a share": (
        drop("facts", HURT_AT, "share"),
        f"/facts/{HURT_AT}",
        "share",
    ),
    "a share of a statistic in steps of nothing": (
        put("facts", HURT_AT, "step", 0),
        f"/facts/{HURT_AT}/step",
        "below 1",
    ),
    "more worth by nothing": (drop("facts", WORTH_AT, "setting"), f"/facts/{WORTH_AT}", "setting"),
    "no text to go with a choice": (
        put("facts", GOAL_AT, "texts", {}),
        f"/facts/{GOAL_AT}/texts",
        "empty",
    ),
    "steps that go on as a word": (
        put("facts", ACTING_AT, "beyond", "two"),
        f"/facts/{ACTING_AT}/beyond",
        "two",
    ),
    # what the file itself must hold, by the newer kinds
    "two parts of a card of one id": (
        add("texts", {"id": "attacks", "name": "More"}),
        "/texts/1/id",
        "attacks",
    ),
    "a rule for a setting nobody defines": (
        put("rules", MOST_AT, "for", {"weather": ["rain"]}),
        f"/rules/{MOST_AT}/for",
        "weather",
    ),
    "a rule for a value nobody defines": (
        put("rules", MOST_AT, "for", {"ground": ["sea"]}),
        f"/rules/{MOST_AT}/for/ground",
        "sea",
    ),
    "a rule for a value that the attribute has not": (
        put("rules", MOST_AT, "for", {"side": ["bad"]}),
        f"/rules/{MOST_AT}/for/side",
        "bad",
    ),
    "a rule for a number": (
        put("rules", MOST_AT, "for", {"players": ["2"]}),
        f"/rules/{MOST_AT}/for/players",
        "players",
    ),
    "a rule for a range of what is no number": (
        put("rules", MOST_AT, "for", {"ground": {"at_least": 2}}),
        f"/rules/{MOST_AT}/for/ground",
        "number",
    ),
    "a rule for a range of a setting nobody defines": (
        put("rules", MOST_AT, "for", {"weather": {"at_least": 2}}),
        f"/rules/{MOST_AT}/for",
        "weather",
    ),
    "a fact for a value nobody defines": (
        put("facts", HURT_AT, "for", {"ground": ["sea"]}),
        f"/facts/{HURT_AT}/for/ground",
        "sea",
    ),
    "a bound by size and a setting nobody defines": (
        put("rules", MOST_AT, "max", "setting", "least"),
        f"/rules/{MOST_AT}/max/setting",
        "least",
    ),
    "a bound by size and a setting that is no number": (
        put("rules", MOST_AT, "max", "setting", "ground"),
        f"/rules/{MOST_AT}/max/setting",
        "ground",
    ),
    "belonging by a setting nobody defines": (
        put("rules", BELONGS_AT, "setting", "clan"),
        f"/rules/{BELONGS_AT}/setting",
        "clan",
    ),
    "belonging by a setting that is no attribute": (
        put("rules", BELONGS_AT, "setting", "ground"),
        f"/rules/{BELONGS_AT}/setting",
        "ground",
    ),
    "belonging by a setting of another attribute": (
        put("rules", BELONGS_AT, "setting", "faction"),
        f"/rules/{BELONGS_AT}/setting",
        "faction",
    ),
    "a pool in a setting that is none": (
        put("rules", POOL_AT, "setting", "terrain"),
        f"/rules/{POOL_AT}/setting",
        "terrain",
    ),
    "agreed on in a setting nobody defines": (
        put("rules", AGREED_AT, "settings", ["most", "least"]),
        f"/rules/{AGREED_AT}/settings",
        "least",
    ),
    "pieces of a pool": (
        put("rules", MAP_AT, "setting", "pool"),
        f"/rules/{MAP_AT}/setting",
        "pool",
    ),
    "a share of a statistic nobody defines": (
        put("facts", HURT_AT, "stat", "wit"),
        f"/facts/{HURT_AT}/stat",
        "wit",
    ),
    "more worth by a value nobody defines": (
        put("facts", WORTH_AT, "more", {"moon": 5}),
        f"/facts/{WORTH_AT}/more/moon",
        "moon",
    ),
    "more worth by a setting nobody defines": (
        put("facts", WORTH_AT, "setting", "moon"),
        f"/facts/{WORTH_AT}/setting",
        "moon",
    ),
    "a text for a value nobody defines": (
        put("facts", GOAL_AT, "texts", {"moon": "Land on it."}),
        f"/facts/{GOAL_AT}/texts/moon",
        "moon",
    ),
    "a default of a choice that is a number": (
        put("settings", MAP_SETTING, "default", 3),
        f"/settings/{MAP_SETTING}/default",
        "text",
    ),
    "a default of a number that is a text": (
        put("settings", MOST_SETTING, "default", "none"),
        f"/settings/{MOST_SETTING}/default",
        "whole number",
    ),
    "a default of a number that is left out": (
        drop("settings", MOST_SETTING, "default"),
        f"/settings/{MOST_SETTING}",
        "default",
    ),
    "a pool with a default": (
        put("settings", POOL_SETTING, "default", []),
        f"/settings/{POOL_SETTING}",
        "default",
    ),
}


@pytest.mark.parametrize("name", SYSTEM_BREAKS)
def test_a_mistake_in_a_system_file_is_told(name: str, tmp_path: Path) -> None:
    change, where, word = SYSTEM_BREAKS[name]
    library = load(tmp_path, break_system=change)
    told(library, SYSTEM, where, word)
    assert library.systems == {}


BOOK_BREAKS = {
    # what the schema says
    "a missing key": (drop("about"), "", "about"),
    "a unit without a name": (drop("units", 1, "name"), "/units/1", "name"),
    "an unknown key": (put("colour", "red"), "", "colour"),
    "an unknown key of a unit": (put("units", 1, "pionts", 5), "/units/1", "pionts"),
    "points in quotes": (put("units", 1, "points", "8"), "/units/1/points", "8"),
    "points below zero": (put("units", 1, "points", -1), "/units/1/points", "-1"),
    "a text for a list": (put("units", 1, "abilities", "big"), "/units/1/abilities", "list"),
    "an ability badly written": (
        put("units", 1, "abilities", 0, "Chief 2"),
        "/units/1/abilities/0",
        "Chief 2",
    ),
    "a spell badly written": (
        put("units", 0, "spells", 0, "spark twice"),
        "/units/0/spells/0",
        "spark twice",
    ),
    "an id with capitals": (put("units", 1, "id", "Knight"), "/units/1/id", "Knight"),
    "a kind nobody knows": (put("kind", "secret"), "/kind", "secret"),
    "another format": (put("format", "book/0"), "/format", "book/0"),
    "boxes below one": (
        put("units", 1, "abilities", 0, {"ability": "chief", "rating": 1, "uses": 0}),
        "/units/1/abilities/0/uses",
        "0",
    ),
    # where it lies
    "an id that is not the file's name": (put("id", "other"), "/id", "other"),
    "another system than its folder's": (put("system", "chess"), "/system", "chess"),
    # what the system knows
    "two units of one id": (put("units", 1, "id", "soldier"), "/units/1/id", "soldier"),
    "two options of one id": (
        add("units", 0, "options", {"id": "horse", "name": "Pony"}),
        "/units/0/options/1/id",
        "horse",
    ),
    "two options of one id, one level down": (
        add("units", 0, "options", 0, "options", {"id": "barding", "name": "Bard"}),
        "/units/0/options/0/options/1/id",
        "barding",
    ),
    "an attribute nobody defines": (
        put("units", 1, "attributes", "clan", "red"),
        "/units/1/attributes/clan",
        "clan",
    ),
    "a value nobody defines": (
        put("units", 1, "attributes", "side", "bad"),
        "/units/1/attributes/side",
        "bad",
    ),
    "one of several values that nobody defines": (
        put("units", 1, "attributes", "side", ["evil", "bad"]),
        "/units/1/attributes/side",
        "bad",
    ),
    "a statistic nobody defines": (put("units", 0, "stats", "wit", 3), "/units/0/stats/wit", "wit"),
    "a text for a number statistic": (
        put("units", 0, "stats", "nerve", "3"),
        "/units/0/stats/nerve",
        "Nerve",
    ),
    "a number for a text statistic": (
        put("units", 0, "stats", "speed", 6),
        "/units/0/stats/speed",
        "Speed",
    ),
    "an ability nobody defines": (
        add("units", 1, "abilities", "cheif 2"),
        "/units/1/abilities/1",
        "cheif",
    ),
    "a rating left out": (add("units", 1, "abilities", "scout"), "/units/1/abilities/1", "Scout"),
    "a rating too many": (add("units", 1, "abilities", "big 2"), "/units/1/abilities/1", "Big"),
    "a target left out": (add("units", 1, "abilities", "slayer"), "/units/1/abilities/1", "Slayer"),
    "an ability in its long form nobody defines": (
        add("units", 1, "abilities", {"ability": "giant"}),
        "/units/1/abilities/1",
        "giant",
    ),
    "a spell nobody defines": (put("units", 0, "spells", ["spork"]), "/units/0/spells/0", "spork"),
    "points left out": (drop("units", 1, "points"), "/units/1", "points"),
    "points of an ability nobody defines": (
        put("ability_points", {"wings": 3}),
        "/ability_points/wings",
        "wings",
    ),
    # what its cards may say of late
    "an empty Unique name": (put("units", 1, "unique", ""), "/units/1/unique", "empty"),
    "fewer than none owned": (put("units", 1, "owned", -1), "/units/1/owned", "-1"),
    "too many owned": (put("units", 1, "owned", 1000), "/units/1/owned", "1000"),
    "a number in the set that is none": (
        put("units", 1, "number", 12),
        "/units/1/number",
        "text",
    ),
    "a suggestion that is a word": (
        put("units", 1, "suggested", "yes"),
        "/units/1/suggested",
        "true or false",
    ),
    "a text that is no list": (
        put("units", 1, "texts", {"attacks": "Claw"}),
        "/units/1/texts/attacks",
        "list",
    ),
    "a text of a part nobody defines": (
        put("units", 1, "texts", {"powers": ["Roar"]}),
        "/units/1/texts/powers",
        "powers",
    ),
    "a lift without the rule": (
        put("units", 1, "lifts", [{"of": {"side": "evil"}}]),
        "/units/1/lifts/0",
        "rule",
    ),
    "a lift from nobody": (put("units", 1, "lifts", [{"rule": "clash"}]), "/units/1/lifts/0", "of"),
    "a lift of a rule nobody defines": (
        put("units", 1, "lifts", [{"rule": "riot", "of": {"side": "evil"}}]),
        "/units/1/lifts/0/rule",
        "riot",
    ),
    "a lift of a rule that cannot be lifted": (
        put("units", 1, "lifts", [{"rule": "faction", "of": {"side": "evil"}}]),
        "/units/1/lifts/0/rule",
        "faction",
    ),
    "a lift from a value nobody defines": (
        put("units", 1, "lifts", [{"rule": "clash", "of": {"side": ["evil", "bad"]}}]),
        "/units/1/lifts/0/of/side",
        "bad",
    ),
    "a lift from an attribute nobody defines": (
        put("units", 1, "lifts", [{"rule": "clash", "of": {"colour": "red"}}]),
        "/units/1/lifts/0/of/colour",
        "colour",
    ),
    "a lift by more than values": (
        put("units", 1, "lifts", [{"rule": "clash", "of": {"not": {"side": "evil"}}}]),
        "/units/1/lifts/0/of/not",
        "",
    ),
    "two factions in a game of one": (
        put("units", 1, "attributes", "faction", ["red", "blue"]),
        "/units/1/attributes/faction",
        "one faction",
    ),
    "an ability of its own that the system has": (
        put("abilities", [{"id": "big", "name": "Big"}]),
        "/abilities/0/id",
        "already",
    ),
    "two abilities of its own of one id": (
        put("abilities", [{"id": "rage", "name": "Rage"}, {"id": "rage", "name": "Fury"}]),
        "/abilities/1/id",
        "rage",
    ),
    "an ability of its own without a name": (
        put("abilities", [{"id": "rage"}]),
        "/abilities/0",
        "name",
    ),
    "an ability of its own in a style nobody knows": (
        put("abilities", [{"id": "rage", "name": "Rage", "rating": "stars"}]),
        "/abilities/0/rating",
        "stars",
    ),
    "a rating below zero": (
        add("units", 1, "abilities", "hard -1"),
        "/units/1/abilities/1",
        "below 0",
    ),
    "an ability twice": (
        put("units", 1, "abilities", ["big", "big"]),
        "/units/1/abilities/1",
        "twice",
    ),
}


@pytest.mark.parametrize("name", BOOK_BREAKS)
def test_a_mistake_in_a_book_is_told_and_the_system_still_loads(name: str, tmp_path: Path) -> None:
    change, where, word = BOOK_BREAKS[name]
    library = load(tmp_path, break_book=change)
    told(library, BOOK, where, word)
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
def test_a_file_that_is_not_good_json_is_told(name: str, file: str, tmp_path: Path) -> None:
    raw, word = RAW_BREAKS[name]
    write(tmp_path, good_system(), good_book())
    (tmp_path / file).write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    told(load_library(tmp_path), file, "", word)


@pytest.mark.parametrize("raw", ["[]", "3", '"text"', "null"])
def test_a_file_that_is_no_object_is_told(raw: str, tmp_path: Path) -> None:
    write(tmp_path, good_system(), good_book())
    (tmp_path / BOOK).write_text(raw)
    told(load_library(tmp_path), BOOK, "", "object")


def test_a_system_must_lie_in_the_folder_of_its_name(tmp_path: Path) -> None:
    library = load(tmp_path, break_system=put("id", "huge"))
    assert "tiny" in told(library, SYSTEM, "/id", "huge").advice


def formula_system(data: Data) -> None:
    data["points"]["formula"] = {
        "weights": {"nerve": 5},
        "from": 7,
        "minus": "nerve",
        "divide": 2,
        "minimum": 1,
    }


def test_printed_points_must_agree_with_the_formula(tmp_path: Path) -> None:
    def book(data: Data) -> None:
        data["units"] = [
            unit("soldier", 31, stats={"nerve": 3}),
            unit("knight", 30, stats={"nerve": 3}),
        ]

    problem = told(load(tmp_path, formula_system, book), BOOK, "/units/0/points", "31")
    assert "30" in problem.message


def test_a_formula_needs_its_statistics(tmp_path: Path) -> None:
    def book(data: Data) -> None:
        data["units"] = [
            unit("soldier", None, stats={"nerve": 3}),
            unit("knight", None, stats={"speed": "6"}),
        ]

    library = load(tmp_path, formula_system, book)
    assert {problem.pointer for problem in library.problems} == {"/units/1/stats"}


def test_all_mistakes_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    def book(data: Data) -> None:
        data["units"][0]["abilities"] += ["wings", "big 3", "scout"]
        data["units"][1]["attributes"]["side"] = "bad"
        data["units"].append(unit("knight", 5))
        del data["units"][2]["points"]

    library = load(tmp_path, break_book=book)
    assert [problem.pointer for problem in library.problems] == [
        "/units/2/id",
        "/units/0/abilities/3",
        "/units/0/abilities/4",
        "/units/0/abilities/5",
        "/units/1/attributes/side",
        "/units/2",
    ]


def test_all_breaks_of_the_schema_are_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    def book(data: Data) -> None:
        data["colour"] = "red"
        data["units"][0]["points"] = "five"
        del data["units"][1]["name"]
        data["units"][1]["abilities"] = ["Chief"]

    library = load(tmp_path, break_book=book)
    assert [problem.pointer for problem in library.problems] == [
        "",
        "/units/0/points",
        "/units/1",
        "/units/1/abilities/0",
    ]


def test_problems_of_system_rules_are_told_at_once(tmp_path: Path) -> None:
    def system(data: Data) -> None:
        data["rules"][CLASH_AT]["between"][0] = {"colour": "red"}
        data["rules"][STAT_AT]["stat"] = "wit"
        data["sometimes"] = "guest"

    library = load(tmp_path, break_system=system)
    assert sorted(problem.pointer for problem in library.problems) == [
        f"/rules/{CLASH_AT}/between/0/colour",
        f"/rules/{STAT_AT}/stat",
        "/sometimes",
    ]


@pytest.mark.parametrize(
    ("change", "pointer", "message"),
    [
        (
            put("sentences", {}),
            "/rules/3/code",
            "There is no sentence for “tiny.rule”.",
        ),
        (
            put("sentences", "tiny.rule", "{measured} hats, {names}, {colour}."),
            "/sentences/tiny.rule",
            "A sentence of this rule has no value “colour”.",
        ),
        (
            put("sentences", "tiny.rule", "Too many: {points}."),
            "/sentences/tiny.rule",
            "“points” counts a number.",
        ),
        (
            put("sentences", "tiny.rule", "Too many: {measured."),
            "/sentences/tiny.rule",
            "A brace is not closed, or not opened.",
        ),
        (
            put("sentences", "tiny.hats", "Too many hats."),
            "/sentences/tiny.hats",
            "No rule has the code “tiny.hats”.",
        ),
        (
            put("rules", CLASH_AT, "code", "unit.incomplete"),
            f"/rules/{CLASH_AT}/code",
            "A sentence of this rule has no value “unit”.",
        ),
    ],
)
def test_sentences_are_checked_against_what_rules_tell(
    change: Break, pointer: str, message: str, tmp_path: Path
) -> None:
    library = load(tmp_path, break_system=change)
    found = {(problem.file, problem.pointer, problem.message) for problem in library.problems}
    assert (SYSTEM, pointer, message) in found
    assert library.systems == {}


def test_a_sentence_that_is_no_text_breaks_the_schema(tmp_path: Path) -> None:
    library = load(tmp_path, break_system=put("sentences", "tiny.rule", 5))
    assert [problem.pointer for problem in library.problems] == ["/sentences/tiny.rule"]


def test_a_broken_book_is_left_out_and_its_neighbour_still_loads(tmp_path: Path) -> None:
    broken, whole = good_book(), {**good_book(), "id": "book-2"}
    broken["units"][0]["abilities"].append("wings")
    write(tmp_path, good_system(), broken, whole)
    library = load_library(tmp_path)
    assert list(library.books["tiny"]) == ["book-2"]
    told(library, BOOK, "/units/0/abilities/3")


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
        data["rules"][STAT_AT]["minn"] = data["rules"][STAT_AT].pop("min")

    library = load(tmp_path, break_system=system)
    messages = [problem.message for problem in library.problems]
    assert sorted(messages) == ["One of “min”, “max” is missing.", "“minn” is not known here."]


@pytest.mark.parametrize(
    ("change", "message", "advice"),
    [
        (
            put("rules", STAT_AT, "of", {"ability": "bigg"}),
            "There is no ability “bigg”.",
            "Define it in abilities.",
        ),
        (
            put("rules", 11, "of", {"role": "guest"}),
            "There is no role “guest”.",
            "Define it in roles.",
        ),
        (
            put("facts", 2, "phrase", "{models}"),
            "The phrase cannot be filled in.",
            "It may hold {number}; no other curly brackets.",
        ),
        (
            put("facts", 1, "phrase", "{x}"),
            "The phrase cannot be filled in.",
            "It may hold {number}, {rest} and {models}; no other curly brackets.",
        ),
        (
            put("points", "default", True),
            "true is not a whole number.",
            "Write a whole number, without quotes.",
        ),
    ],
)
def test_messages_read_as_a_person_would_say_them(
    change: Break, message: str, advice: str, tmp_path: Path
) -> None:
    library = load(tmp_path, break_system=change)
    assert [(one.message, one.advice) for one in library.problems] == [(message, advice)]


def test_a_huge_value_is_shown_cut_short(tmp_path: Path) -> None:
    library = load(tmp_path, break_book=put("units", 1, "points", "9" * 5000))
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
    load(tmp_path, break_book=put("units", 1, "points", 9))
    assert revision() != first
