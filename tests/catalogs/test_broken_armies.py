"""Mistakes in books of units, options and conditions: each is told with place and advice."""

from pathlib import Path
from typing import Any

import pytest

from armybuilder.loading.library import Library, load_library
from tests.building.regiments import group, option, unit
from tests.building.tiny import Data, book_data, rule, system_data
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

pytestmark = pytest.mark.long


def good_system() -> Data:
    machine, platform = {"keyword": "machine"}, {"keyword": "platform"}
    unclear: Data = {"as_one": machine, "disputed": platform, "unclear": {"gap": "rules"}}
    size = {"id": "size", "kind": "size-name", "name": "Game", "cite": "1"}
    return system_data(
        rule("entry", "unit.too-large", id="entry", aspect="too-large"),
        rule("category", "category.over", id="categories", under="category.under"),
        rule("eligible", "general.bad", id="leader", role="general", needs={"can": "lead"}),
        rule("units", "units.few", id="units", of={}, **unclear, min=2, gauge="Units"),
        rule("cap", "cap.over", id="caps", scale=[{"share": "1/2", "at_most": 50}]),
        rule("per-unit", "items.slot", id="slot", of={"item": "artefact"}, max=2, what="x"),
        sized=True,
        facts=[{**size, "sizes": [[50, "Small"]], "beyond": "Large"}],
    )


def good_book() -> Data:
    rides, torch, leads = {"taken": "horse"}, {"taken": "torch"}, {"taken": "lord", "in": "army"}
    more_nerve = [{"if": torch, "add": {"nerve": 1}}]
    lord = unit(
        "lord",
        50,
        option("shield", 2, not_with=["axe"]),
        group("arms", option("axe", 3), option("bow", 4), choose=[0, 1], default="bow"),
        {"use": "ring", "points": 4},
        option("horse", 9, option("barding", 2), needs={"taken": "ring"}),
        categories=["lords"],
        can_lead=rides,
        keywords=["Scoring", {"name": "Fast", "if": rides}],
    )
    mob = unit(
        "mob",
        20,
        option("torch", 1, number=[0, 3]),
        {"use": "command"},
        categories=["core"],
        size=[10, 30],
        points_per_model=2,
        cap=3,
        when=[
            {"if": {**torch, "at_least": 2}, "set": {"max": 20}},
            {"for_each": leads, "add": {"cap": 1}},
            {"if": {"taken": "lord/horse", "in": "army"}, "add_category": "lords"},
        ],
        profiles=[{"name": "Mob", "stats": {"nerve": "2"}, "when": more_nerve}],
    )
    core = {"id": "core", "name": "Core", "min": "20%", "max": "90%"}
    return book_data(
        lord,
        mob,
        options=[
            option("ring", 5, one_of_a_kind=True),
            group("command", option("boss", 5), option("drum", 2), {"use": "ring"}, choose=[0, 2]),
        ],
        categories=[
            {"id": "lords", "name": "Lords", "max": "40%"},
            {**core, "when": [{"if": leads, "set": {"min": 10}}]},
        ],
        organisations=[{"id": "host", "name": "Host"}, {"id": "raid", "name": "Raid"}],
    )


def load(directory: Path, *breaks: Break, of_system: Break | None = None) -> Library:
    system, book = copied(good_system()), copied(good_book())
    for change in breaks:
        change(book)
    if of_system is not None:
        of_system(system)
    write(directory, system, book)
    return load_library(directory)


def test_the_good_army_is_good(tmp_path: Path) -> None:
    library = load(tmp_path)
    assert library.problems == ()
    assert list(library.books["tiny"]["book"].units) == ["book/lord", "book/mob"]


ALWAYS: Data = {"if": {"models": {"at_least": 1}}}

BREAKS: dict[str, tuple[str, Any, str, str]] = {
    # ids that mean nothing
    "a need of what nobody has":
        ("units/lord/options/horse/needs", {"taken": "rign"}, "..", "rign"),
    "a need of what only another unit has":
        ("units/lord/options/horse/needs", {"taken": "torch"}, "..", "torch"),
    "a need in the army of what nobody has":
        ("units/lord/options/horse/needs", {"taken": "mobb", "in": "army"}, "..", "mobb"),
    "an option of a unit that is not there":
        ("units/lord/options/horse/needs", {"taken": "king/horse", "in": "army"},
         "..", "king/horse"),
    "an option that the named unit does not have":
        ("units/lord/options/horse/needs", {"taken": "mob/horse", "in": "army"}, "..", "mob/horse"),
    "a shared option as one of a certain unit":
        ("units/lord/options/horse/needs", {"taken": "lord/ring", "in": "army"}, "..", "lord/ring"),
    "an option of a unit asked of this unit":
        ("units/lord/options/horse/needs", {"taken": "lord/axe"}, "..", "lord/axe"),
    "a need deep inside":
        ("units/lord/options/horse/needs", {"all": [{"not": {"any": [{"taken": "rign"}]}}]},
         "..", "rign"),
    "something ruled out that nobody has":
        ("units/lord/options/shield/not_with", ["axe", "axxe"], "..", "axxe"),
    "a unit nobody has": ("units/lord/options/horse/needs", {"unit": "king"}, "..", "king"),
    "an option for a unit": ("units/lord/options/horse/needs", {"unit": "ring"}, "..", "ring"),
    "an organisation nobody has":
        ("units/lord/options/horse/needs", {"organisation": "siege"}, "..", "siege"),
    "a category nobody has, in a condition":
        ("units/lord/options/horse/needs", {"category": "corps"}, "..", "corps"),
    "a role nobody has, in a condition":
        ("units/lord/options/horse/needs", {"role": "captain"}, "..", "captain"),
    "a change that asks for what nobody has":
        ("units/mob/when/0/if/taken", "lamp", "../../../..", "lamp"),
    "a change that counts what nobody has":
        ("units/mob/when/1/for_each/taken", "lady", "../../../..", "lady"),
    "a category joined that nobody has":
        ("units/mob/when/2/add_category", "corps", "../../..", "corps"),
    "a category of a unit that nobody has":
        ("units/mob/categories", ["core", "corps"], "..", "corps"),
    "a category of an option that nobody has":
        ("units/lord/options/horse/categories", ["corps"], "..", "corps"),
    "a keyword if nobody has it":
        ("units/lord/keywords/1/if", {"taken": "hrose"}, "../../..", "hrose"),
    "a stat line that asks for what nobody has":
        ("units/mob/profiles/0/when/0/if", {"taken": "lamp"}, "../../../../..", "lamp"),
    "a leader if nobody has it": ("units/lord/can_lead", {"taken": "hrose"}, "..", "hrose"),
    "who must lead if nobody has it": ("units/lord/must_lead", {"taken": "hrose"}, "..", "hrose"),
    "an option for who leads if nobody has it":
        ("units/lord/options/horse/must_lead", {"taken": "hrose"}, "..", "hrose"),
    "models in a category that nobody has": ("units/mob/models_in", ["corps"], "..", "corps"),
    "a group in a category that nobody has":
        ("units/lord/options/arms/categories", ["corps"], "..", "corps"),
    "a use in a category that nobody has":
        ("units/lord/options/ring/categories", ["corps"], "..", "corps"),
    "a group for who leads": ("units/lord/options/arms/must_lead", True, "..", "must_lead"),
    "who must lead, perhaps": ("units/lord/must_lead", "maybe", ".", "maybe"),
    "a share that asks for what nobody has":
        ("categories/core/when/0/if/taken", "lady", "../../../..", "lady"),
    "a default that is not in the group":
        ("units/lord/options/arms/default", "shield", ".", "shield"),
    "a default that is the group": ("units/lord/options/arms/default", "arms", ".", "arms"),
    "a default of a used group that is not in it":
        ("units/mob/options/command/default", "torch", ".", "torch"),
    "a use of what is not shared": ("units/lord/options/ring/use", "rign", ".", "rign"),
    "a use inside a shared group": ("options/command/options/ring/use", "rign", ".", "rign"),
    "a use of itself": ("options/command/options/-", {"use": "command"}, "../..", "command"),
    # ids that mean two things
    "an option twice below a unit":
        ("units/lord/options/horse/options/barding/id", "bow", ".", "bow"),
    "an option of the id of a shared one that is used beside it":
        ("units/lord/options/shield/id", "ring", "../../2/use", "ring"),
    "a group twice below a unit":
        ("units/mob/options/-", group("command", option("x")), "group", "command"),
    "a group of the id of an option": ("units/lord/options/arms/group", "shield", ".", "shield"),
    "two shared options of one id": ("options/-", option("ring", 3), "id", "ring"),
    "two categories of one id": ("categories/-", {"id": "core", "name": "Corps"}, "id", "core"),
    "two organisations of one id":
        ("organisations/-", {"id": "raid", "name": "Raiders"}, "id", "raid"),
    # numbers in their order
    "a smallest size above the largest": ("units/mob/size", [30, 10], ".", "30"),
    "a unit of no models": ("units/mob/size", [0, 10], ".", "at least one model"),
    "a number above the most": ("units/mob/options/torch/number", [2, 1], ".", "2"),
    "a choice above the most": ("units/lord/options/arms/choose", [3, 1], ".", "3"),
    "a choice without a least": ("units/lord/options/arms/choose", [None, 1], ".", "minimum"),
    "a share above the most": ("categories/core/min", "95%", "../max", "95%"),
    "a number of units above the most":
        ("categories/lords", {"id": "lords", "name": "L", "min_units": 10, "max_units": 9},
         "max_units", "10"),
    "a condition that never holds":
        ("units/lord/options/horse/needs", {"models": {"at_least": 9, "at_most": 3}},
         "at_least", "9"),
    # keys of another kind of entry
    "an allowance on an option": ("units/lord/options/shield/allowance", 5, "..", "allowance"),
    "a choice on an option": ("units/lord/options/shield/choose", [0, 1], "..", "choose"),
    "points on a group": ("units/lord/options/arms/points", 5, "..", "points"),
    "a cap on a group": ("units/lord/options/arms/cap", 5, "..", "cap"),
    "an allowance on a use of an option": ("units/lord/options/ring/allowance", 5, "..", "allow"),
    "keywords on a use": ("units/lord/options/ring/keywords", ["Fast"], "..", "keywords"),
    "points on a use of a group": ("units/mob/options/command/points", 5, "..", "po"),
    "an option that is a group too": ("units/lord/options/arms/id", "arm", "..", "“id”"),
    "a use that is a named option too":
        ("units/lord/options/ring", {"use": "ring", "id": "ring-2", "name": "Ring"}, ".", "“use”"),
    "a use with an id but no name": ("units/lord/options/ring/id", "ring-2", "..", "“name”"),
    "a node that says nothing of itself":
        ("units/lord/options/ring", {"points": 5}, ".", "“use” is missing"),
    # changes
    "a change that always holds":
        ("units/mob/when", [{"set": {"max": 20}}], "0", "condition for it is missing"),
    "a change of what a unit does not have":
        ("units/mob/when", [{**ALWAYS, "set": {"allowance": 5}}], "0/set", "allowance"),
    "a change of what an option does not have":
        ("units/lord/options/shield/when", [{**ALWAYS, "add": {"allowance": 5}}],
         "0/add", "allowance"),
    "a change of what a group does not have":
        ("units/lord/options/arms/when", [{**ALWAYS, "set": {"points": 5}}], "0/set", "points"),
    "a change of what a category does not have":
        ("categories/core/when/0/set", {"cap": 1}, ".", "cap"),
    "a change of the size of a unit without one":
        ("units/lord/when", [{**ALWAYS, "set": {"max": 5}}], "0/set", "size"),
    "a category joined by an option":
        ("units/lord/options/shield/when", [{**ALWAYS, "add_category": "core"}],
         "0/add_category", "unit"),
    "a share that asks a unit":
        ("categories/core/when/0/if", {"taken": "ring"}, "../../..", "ring"),
    # conditions and counts that ask nothing, or too much
    "a condition that asks nothing":
        ("units/lord/options/horse/needs", {"at_least": 2}, ".", "is empty"),
    "a condition that asks two things":
        ("units/lord/options/horse/needs", {"taken": "ring", "models": {"at_least": 2}},
         ".", "several parts"),
    "a condition that asks two things, deep inside":
        ("units/lord/options/horse/needs", {"any": [{"not": {"taken": "ring", "unit": "lord"}}]},
         "any/0/not", "several parts"),
    "a bound beside the models":
        ("units/lord/options/horse/needs", {"models": {"at_least": 2}, "at_most": 9},
         ".", "at_most"),
    "the army beside a unit":
        ("units/lord/options/horse/needs", {"unit": "lord", "in": "army"}, ".", "“in”"),
    "a count of nothing": ("units/mob/when/1/for_each", {"per": 2}, ".", "one thing"),
    "a count of two things":
        ("units/mob/when/1", {"for_each": {"models": 2, "limit": 100}, "add": {"points": 1}},
         "for_each", "one thing"),
    "a count of the army's models":
        ("units/mob/when/1", {"for_each": {"models": 2, "in": "army"}, "add": {"points": 1}},
         "for_each", "“in”"),
    "a cap that asks one unit":
        ("units/mob/when/1", {"if": {"models": {"at_least": 20}}, "set": {"cap": 1}},
         ".", "depend on a unit"),
    "a count per so many points, twice":
        ("units/mob/when/1/for_each", {"limit": 100, "per": 2}, ".", "limit"),
    # what the schema says
    "an unknown condition": ("units/lord/options/horse/needs", {"weather": "rain"}, ".", "weather"),
    "a condition in words": ("units/lord/options/horse/needs", "shield", ".", "object"),
    "an empty condition": ("units/lord/options/horse/needs", {}, ".", "empty"),
    "a list of nothing taken":
        ("units/lord/options/horse/needs", {"taken": []}, "taken", "0 entries"),
    "an unknown number that moves": ("units/mob/when/0/set", {"maximum": 20}, ".", "maximum"),
    "a change of nothing": ("units/mob/when/0/set", GONE, "..", "One of “set”, “add”"),
    "an unknown key of an option": ("units/lord/options/shield/pionts", 5, "..", "pionts"),
    "an option without a name": ("units/lord/options/shield/name", GONE, "..", "name"),
    "a group without options": ("units/lord/options/arms/options", GONE, "..", "options"),
    "a share without its sign": ("categories/lords/max", "40", ".", "40"),
    "a share as a number": ("categories/lords/max", 40, ".", "text"),
    "a size in words": ("units/mob/size", "10-30", ".", "10-30"),
    "a size of three": ("units/mob/size", [1, 2, 3], ".", "3"),
    "a cap below zero": ("units/mob/cap", -1, ".", "-1"),
    "a kind of item nobody knows": ("units/lord/options/shield/item", "hat", ".", "hat"),
    "yes for true": ("units/lord/options/shield/one_of_a_kind", "yes", ".", "true or false"),
    "one organisation only": ("organisations/host", GONE, "..", "1 entries"),
    "an id with a slash": ("units/lord/options/shield/id", "a/b", ".", "a/b"),
    "points left out": ("units/mob/points", GONE, "..", "points"),
    "a gap that does not say what": ("gaps", [{"where": "mob"}], "0", "what"),
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", BREAKS)
def test_a_mistake_in_an_army_book_is_reported(name: str, tmp_path: Path) -> None:
    path, value, where, word = BREAKS[name]
    library = load(tmp_path, put(path, value))
    only_problem(library, BOOK, pointer(good_book(), path, where), word)
    assert list(library.systems) == ["tiny"]
    assert library.books["tiny"] == {}


def test_a_group_asked_of_one_unit_must_stand_in_no_other(tmp_path: Path) -> None:
    asking = put("units/lord/options/horse/needs", {"taken": "lord/arms", "in": "army"})
    assert load(tmp_path, asking).problems == ()
    library = load(tmp_path, asking, put("units/mob/options/-", group("arms", option("pike", 1))))
    only_problem(library, BOOK, "/units/0/options/3", "lord/arms")


SYSTEM_BREAKS: dict[str, tuple[str, Any, str, str]] = {
    "a role that may not be had by a role nobody defines":
        ("rules/leader/role", "captain", ".", "captain"),
    "units that count as one by what nobody defines":
        ("rules/units/as_one", {"ability": "cannon"}, "ability", "cannon"),
    "units in dispute by what nobody defines":
        ("rules/units/disputed", {"colour": "red"}, "colour", "colour"),
    "an unclear unit by what nobody defines":
        ("rules/units/unclear", {"colour": "red"}, "colour", "colour"),
    "an aspect nobody knows": ("rules/entry/aspect", "ugly", ".", "ugly"),
    "a scale of no size":
        ("rules/caps/scale", [{"share": "1/2"}], "0", "One of “at_least”, “at_most”"),
    "a bound that moves and does not say how": ("rules/slot/max", {"number": 2}, ".", "when"),
    "a size whose name comes first": ("facts/size/sizes", [["Small", 50]], "0/0", "Small"),
    "sized in words": ("sized", "yes", ".", "yes"),
}  # fmt: skip


@pytest.mark.parametrize("name", SYSTEM_BREAKS)
def test_a_mistake_in_the_rules_of_armies_is_reported(name: str, tmp_path: Path) -> None:
    path, value, where, word = SYSTEM_BREAKS[name]
    library = load(tmp_path, of_system=put(path, value))
    problem = library.problems[0]
    place = pointer(good_system(), path, where)
    assert (problem.file, problem.pointer) == (SYSTEM, place), library.problems
    assert word in problem.message
    assert library.systems == {}


def test_all_mistakes_of_an_army_book_are_reported_at_once(tmp_path: Path) -> None:
    names = (
        "a need of what nobody has",
        "a category joined that nobody has",
        "a share above the most",
        "a choice above the most",
        "an allowance on an option",
        "a count of nothing",
    )
    rows = [BREAKS[name] for name in names]
    library = load(tmp_path, *(put(path, value) for path, value, _, _ in rows))
    places = [pointer(good_book(), path, where) for path, _, where, _ in rows]
    assert sorted(problem.pointer for problem in library.problems) == sorted(places)


def test_a_mistake_in_a_shared_option_is_reported_once_however_often_it_is_used(
    tmp_path: Path,
) -> None:
    library = load(tmp_path, put("options/ring/needs", {"taken": "rign"}))
    only_problem(library, BOOK, "/options/0", "rign")


def test_shared_options_that_use_each_other_in_a_ring_are_reported_and_not_followed(
    tmp_path: Path,
) -> None:
    ring = [
        group("a", {"use": "b"}, default="x"),
        group("b", {"use": "c"}),
        group("c", {"use": "a"}, {"use": "b"}),
    ]
    used_nowhere = put("units/lord/options", []), put("units/mob/options", GONE)
    library = load(tmp_path, put("options", ring), *used_nowhere)
    wheres = [problem.pointer for problem in library.problems]
    assert wheres == ["/options/0", "/options/1", "/options/2"]
    assert all("contains itself" in problem.message for problem in library.problems)


def test_the_messages_of_armies_read_as_a_person_would_say_them(tmp_path: Path) -> None:
    for name, message, advice in [
        (
            "a need of what nobody has",
            "There is no option, group or unit here called “rign”.", "Fix the spelling.",
        ),
        (
            "an allowance on an option", "An option has no “allowance”.",
            "Remove it; see “option” in catalogs/README.md.",
        ),
        (
            "a smallest size above the largest", "The minimum, 30, is above the maximum, 10.",
            "Write the smaller number first.",
        ),
    ]:  # fmt: skip
        path, value, _, _ = BREAKS[name]
        (problem,) = load(tmp_path, put(path, value)).problems
        assert (problem.message, problem.advice) == (message, advice), name


def test_uses_that_multiply_are_reported_and_not_walked(tmp_path: Path) -> None:
    """Each of 40 shared groups holds the next one twice: a few lines, and billions of options."""

    def grow(data: Data) -> None:
        for number in range(40):
            use = {"use": f"level-{number + 1}"}
            halves = [group(f"half-{number}-{half}", use) for half in "ab"]
            data["options"].append(group(f"level-{number}", *halves))
        data["options"].append({"id": "level-40", "name": "Level"})
        data["units"][0]["options"].append({"use": "level-0"})

    (problem,) = load(tmp_path, grow).problems
    assert problem.pointer == "/units/0"
    assert "maximum is 5000" in problem.message
