"""Mistakes in books of units, options and conditions: each is told with place and advice."""

from copy import deepcopy
from pathlib import Path

import pytest

from armybuilder.loading.library import Library, load_library
from tests.building.regiments import group, option, unit
from tests.building.tiny import Data, book_data, rule, system_data
from tests.catalogs.test_broken_files import BOOK, SYSTEM, Break, add, drop, put, told, write

pytestmark = pytest.mark.long

ENTRY = rule("entry", "unit.too-large", id="entry", aspect="too-large")


def good_system() -> Data:
    rules = [
        ENTRY,
        rule("category", "category.over", id="categories", under="category.under"),
        rule("eligible", "general.bad", id="leader", role="general", needs={"can": "lead"}),
        rule(
            "units",
            "units.few",
            id="units",
            of={},
            as_one={"keyword": "machine"},
            disputed={"keyword": "platform"},
            unclear={"gap": "rules"},
            min=2,
            gauge="Units",
        ),
        rule("cap", "cap.over", id="caps", scale=[{"share": "1/2", "at_most": 50}]),
        rule("per-unit", "items.slot", id="slot", of={"item": "artefact"}, max=2, what="x"),
    ]
    size = {"id": "size", "kind": "size-name", "name": "Game", "cite": "1"}
    return system_data(
        *rules, sized=True, facts=[{**size, "sizes": [[50, "Small"]], "beyond": "Large"}]
    )


#: Places in the good book.
LORD, MOB = ("units", 0), ("units", 1)
SHIELD, ARMS, USE, MOUNT = ((*LORD, "options", at) for at in range(4))


def good_book() -> Data:
    return book_data(
        unit(
            "lord",
            50,
            option("shield", 2, not_with=["axe"]),
            group("arms", option("axe", 3), option("bow", 4), choose=[0, 1], default="bow"),
            {"use": "ring", "points": 4},
            option("horse", 9, option("barding", 2), needs={"taken": "ring"}),
            categories=["lords"],
            can_lead={"taken": "horse"},
            keywords=["Scoring", {"name": "Fast", "if": {"taken": "horse"}}],
        ),
        unit(
            "mob",
            20,
            option("torch", 1, number=[0, 3]),
            {"use": "command"},
            categories=["core"],
            size=[10, 30],
            points_per_model=2,
            cap=3,
            when=[
                {"if": {"taken": "torch", "at_least": 2}, "set": {"max": 20}},
                {"for_each": {"taken": "lord", "in": "army"}, "add": {"cap": 1}},
                {"if": {"taken": "lord/horse", "in": "army"}, "add_category": "lords"},
            ],
            profiles=[
                {
                    "name": "Mob",
                    "stats": {"nerve": "2"},
                    "when": [{"if": {"taken": "torch"}, "add": {"nerve": 1}}],
                }
            ],
        ),
        options=[
            option("ring", 5, one_of_a_kind=True),
            group("command", option("boss", 5), option("drum", 2), {"use": "ring"}, choose=[0, 2]),
        ],
        categories=[
            {"id": "lords", "name": "Lords", "max": "40%"},
            {
                "id": "core",
                "name": "Core",
                "min": "20%",
                "max": "90%",
                "when": [{"if": {"taken": "lord", "in": "army"}, "set": {"min": 10}}],
            },
        ],
        organisations=[{"id": "host", "name": "Host"}, {"id": "raid", "name": "Raid"}],
    )


def load(directory: Path, *breaks: Break, of_system: Break | None = None) -> Library:
    system, book = deepcopy(good_system()), deepcopy(good_book())
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


def when(change: Data) -> list[Data]:
    return [change]


ALWAYS: Data = {"if": {"models": {"at_least": 1}}}

BREAKS: dict[str, tuple[Break, str, str]] = {
    # ids that mean nothing
    "a need of what nobody has": (
        put(*MOUNT, "needs", {"taken": "rign"}),
        "/units/0/options/3",
        "rign",
    ),
    "a need of what only another unit has": (
        put(*MOUNT, "needs", {"taken": "torch"}),
        "/units/0/options/3",
        "torch",
    ),
    "a need in the army of what nobody has": (
        put(*MOUNT, "needs", {"taken": "mobb", "in": "army"}),
        "/units/0/options/3",
        "mobb",
    ),
    "an option of a unit that is not there": (
        put(*MOUNT, "needs", {"taken": "king/horse", "in": "army"}),
        "/units/0/options/3",
        "king/horse",
    ),
    "an option that the named unit does not have": (
        put(*MOUNT, "needs", {"taken": "mob/horse", "in": "army"}),
        "/units/0/options/3",
        "mob/horse",
    ),
    "a shared option as one of a certain unit": (
        put(*MOUNT, "needs", {"taken": "lord/ring", "in": "army"}),
        "/units/0/options/3",
        "lord/ring",
    ),
    "an option of a unit asked of this unit": (
        put(*MOUNT, "needs", {"taken": "lord/axe"}),
        "/units/0/options/3",
        "lord/axe",
    ),
    "a need deep inside": (
        put(*MOUNT, "needs", {"all": [{"not": {"any": [{"taken": "rign"}]}}]}),
        "/units/0/options/3",
        "rign",
    ),
    "something ruled out that nobody has": (
        put(*SHIELD, "not_with", ["axe", "axxe"]),
        "/units/0/options/0",
        "axxe",
    ),
    "a unit nobody has": (put(*MOUNT, "needs", {"unit": "king"}), "/units/0/options/3", "king"),
    "an option for a unit": (put(*MOUNT, "needs", {"unit": "ring"}), "/units/0/options/3", "ring"),
    "an organisation nobody has": (
        put(*MOUNT, "needs", {"organisation": "siege"}),
        "/units/0/options/3",
        "siege",
    ),
    "a category nobody has, in a condition": (
        put(*MOUNT, "needs", {"category": "corps"}),
        "/units/0/options/3",
        "corps",
    ),
    "a role nobody has, in a condition": (
        put(*MOUNT, "needs", {"role": "captain"}),
        "/units/0/options/3",
        "captain",
    ),
    "a change that asks for what nobody has": (
        put(*MOB, "when", 0, "if", "taken", "lamp"),
        "/units/1",
        "lamp",
    ),
    "a change that counts what nobody has": (
        put(*MOB, "when", 1, "for_each", "taken", "lady"),
        "/units/1",
        "lady",
    ),
    "a category joined that nobody has": (
        put(*MOB, "when", 2, "add_category", "corps"),
        "/units/1",
        "corps",
    ),
    "a category of a unit that nobody has": (
        put(*MOB, "categories", ["core", "corps"]),
        "/units/1",
        "corps",
    ),
    "a category of an option that nobody has": (
        put(*MOUNT, "categories", ["corps"]),
        "/units/0/options/3",
        "corps",
    ),
    "a keyword if nobody has it": (
        put(*LORD, "keywords", 1, "if", {"taken": "hrose"}),
        "/units/0",
        "hrose",
    ),
    "a stat line that asks for what nobody has": (
        put(*MOB, "profiles", 0, "when", 0, "if", {"taken": "lamp"}),
        "/units/1",
        "lamp",
    ),
    "a leader if nobody has it": (put(*LORD, "can_lead", {"taken": "hrose"}), "/units/0", "hrose"),
    "who must lead if nobody has it": (
        put(*LORD, "must_lead", {"taken": "hrose"}),
        "/units/0",
        "hrose",
    ),
    "an option for who leads if nobody has it": (
        put(*MOUNT, "must_lead", {"taken": "hrose"}),
        "/units/0/options/3",
        "hrose",
    ),
    "models in a category that nobody has": (
        put(*MOB, "models_in", ["corps"]),
        "/units/1",
        "corps",
    ),
    "a group in a category that nobody has": (
        put(*ARMS, "categories", ["corps"]),
        "/units/0/options/1",
        "corps",
    ),
    "a use in a category that nobody has": (
        put(*USE, "categories", ["corps"]),
        "/units/0/options/2",
        "corps",
    ),
    "a group for who leads": (put(*ARMS, "must_lead", True), "/units/0/options/1", "must_lead"),
    "who must lead, perhaps": (put(*LORD, "must_lead", "maybe"), "/units/0/must_lead", "maybe"),
    "a share that asks for what nobody has": (
        put("categories", 1, "when", 0, "if", "taken", "lady"),
        "/categories/1",
        "lady",
    ),
    "a default that is not in the group": (
        put(*ARMS, "default", "shield"),
        "/units/0/options/1/default",
        "shield",
    ),
    "a default that is the group": (
        put(*ARMS, "default", "arms"),
        "/units/0/options/1/default",
        "arms",
    ),
    "a default of a used group that is not in it": (
        put(*MOB, "options", 1, "default", "torch"),
        "/units/1/options/1/default",
        "torch",
    ),
    "a use of what is not shared": (put(*USE, "use", "rign"), "/units/0/options/2/use", "rign"),
    "a use inside a shared group": (
        put("options", 1, "options", 2, "use", "rign"),
        "/options/1/options/2/use",
        "rign",
    ),
    "a use of itself": (
        add("options", 1, "options", {"use": "command"}),
        "/options/1",
        "command",
    ),
    # ids that mean two things
    "an option twice below a unit": (
        put(*MOUNT, "options", 0, "id", "bow"),
        "/units/0/options/3/options/0/id",
        "bow",
    ),
    "an option of the id of a shared one that is used beside it": (
        put(*SHIELD, "id", "ring"),
        "/units/0/options/2/use",
        "ring",
    ),
    "a group twice below a unit": (
        add(*MOB, "options", group("command", option("x"))),
        "/units/1/options/2/group",
        "command",
    ),
    "a group of the id of an option": (
        put(*ARMS, "group", "shield"),
        "/units/0/options/1/group",
        "shield",
    ),
    "two shared options of one id": (
        add("options", option("ring", 3)),
        "/options/2/id",
        "ring",
    ),
    "two categories of one id": (
        add("categories", {"id": "core", "name": "Corps"}),
        "/categories/2/id",
        "core",
    ),
    "two organisations of one id": (
        add("organisations", {"id": "raid", "name": "Raiders"}),
        "/organisations/2/id",
        "raid",
    ),
    # numbers in their order
    "a smallest size above the largest": (put(*MOB, "size", [30, 10]), "/units/1/size", "30"),
    "a unit of no models": (put(*MOB, "size", [0, 10]), "/units/1/size", "at least one model"),
    "a number above the most": (
        put(*MOB, "options", 0, "number", [2, 1]),
        "/units/1/options/0/number",
        "2",
    ),
    "a choice above the most": (put(*ARMS, "choose", [3, 1]), "/units/0/options/1/choose", "3"),
    "a choice without a least": (
        put(*ARMS, "choose", [None, 1]),
        "/units/0/options/1/choose",
        "minimum",
    ),
    "a share above the most": (put("categories", 1, "min", "95%"), "/categories/1/max", "95%"),
    "a number of units above the most": (
        put("categories", 0, {"id": "lords", "name": "L", "min_units": 10, "max_units": 9}),
        "/categories/0/max_units",
        "10",
    ),
    "a condition that never holds": (
        put(*MOUNT, "needs", {"models": {"at_least": 9, "at_most": 3}}),
        "/units/0/options/3/needs/at_least",
        "9",
    ),
    # keys of another kind of entry
    "an allowance on an option": (put(*SHIELD, "allowance", 5), "/units/0/options/0", "allowance"),
    "a choice on an option": (put(*SHIELD, "choose", [0, 1]), "/units/0/options/0", "choose"),
    "points on a group": (put(*ARMS, "points", 5), "/units/0/options/1", "points"),
    "a cap on a group": (put(*ARMS, "cap", 5), "/units/0/options/1", "cap"),
    "an allowance on a use of an option": (
        put(*USE, "allowance", 5),
        "/units/0/options/2",
        "allow",
    ),
    "keywords on a use": (put(*USE, "keywords", ["Fast"]), "/units/0/options/2", "keywords"),
    "points on a use of a group": (
        put(*MOB, "options", 1, "points", 5),
        "/units/1/options/1",
        "po",
    ),
    "an option that is a group too": (put(*ARMS, "id", "arm"), "/units/0/options/1", "“id”"),
    "a use that is a named option too": (
        put(*USE, {"use": "ring", "id": "ring-2", "name": "Ring"}),
        "/units/0/options/2",
        "“use”",
    ),
    "a use with an id but no name": (put(*USE, "id", "ring-2"), "/units/0/options/2", "“name”"),
    "a node that says nothing of itself": (
        put(*USE, {"points": 5}),
        "/units/0/options/2",
        "“use” is missing",
    ),
    # changes
    "a change that always holds": (
        put(*MOB, "when", when({"set": {"max": 20}})),
        "/units/1/when/0",
        "when it holds",
    ),
    "a change of what a unit does not have": (
        put(*MOB, "when", when({**ALWAYS, "set": {"allowance": 5}})),
        "/units/1/when/0/set",
        "allowance",
    ),
    "a change of what an option does not have": (
        put(*SHIELD, "when", when({**ALWAYS, "add": {"allowance": 5}})),
        "/units/0/options/0/when/0/add",
        "allowance",
    ),
    "a change of what a group does not have": (
        put(*ARMS, "when", when({**ALWAYS, "set": {"points": 5}})),
        "/units/0/options/1/when/0/set",
        "points",
    ),
    "a change of what a category does not have": (
        put("categories", 1, "when", 0, "set", {"cap": 1}),
        "/categories/1/when/0/set",
        "cap",
    ),
    "a change of the size of a unit without one": (
        put(*LORD, "when", when({**ALWAYS, "set": {"max": 5}})),
        "/units/0/when/0/set",
        "size",
    ),
    "a category joined by an option": (
        put(*SHIELD, "when", when({**ALWAYS, "add_category": "core"})),
        "/units/0/options/0/when/0/add_category",
        "unit",
    ),
    "a share that asks a unit": (
        put("categories", 1, "when", 0, "if", {"taken": "ring"}),
        "/categories/1",
        "ring",
    ),
    # conditions and counts that ask nothing, or too much
    "a condition that asks nothing": (
        put(*MOUNT, "needs", {"at_least": 2}),
        "/units/0/options/3/needs",
        "nothing",
    ),
    "a condition that asks two things": (
        put(*MOUNT, "needs", {"taken": "ring", "models": {"at_least": 2}}),
        "/units/0/options/3/needs",
        "several things",
    ),
    "a condition that asks two things, deep inside": (
        put(*MOUNT, "needs", {"any": [{"not": {"taken": "ring", "unit": "lord"}}]}),
        "/units/0/options/3/needs/any/0/not",
        "several things",
    ),
    "a bound beside the models": (
        put(*MOUNT, "needs", {"models": {"at_least": 2}, "at_most": 9}),
        "/units/0/options/3/needs",
        "at_most",
    ),
    "the army beside a unit": (
        put(*MOUNT, "needs", {"unit": "lord", "in": "army"}),
        "/units/0/options/3/needs",
        "“in”",
    ),
    "a count of nothing": (
        put(*MOB, "when", 1, "for_each", {"per": 2}),
        "/units/1/when/1/for_each",
        "one thing",
    ),
    "a count of two things": (
        put(*MOB, "when", 1, {"for_each": {"models": 2, "limit": 100}, "add": {"points": 1}}),
        "/units/1/when/1/for_each",
        "one thing",
    ),
    "a count of the army's models": (
        put(*MOB, "when", 1, {"for_each": {"models": 2, "in": "army"}, "add": {"points": 1}}),
        "/units/1/when/1/for_each",
        "“in”",
    ),
    "a cap that asks one unit": (
        put(*MOB, "when", 1, {"if": {"models": {"at_least": 20}}, "set": {"cap": 1}}),
        "/units/1/when/1",
        "one of the army",
    ),
    "a count per so many points, twice": (
        put(*MOB, "when", 1, "for_each", {"limit": 100, "per": 2}),
        "/units/1/when/1/for_each",
        "limit",
    ),
    # what the schema says
    "an unknown condition": (
        put(*MOUNT, "needs", {"weather": "rain"}),
        "/units/0/options/3/needs",
        "weather",
    ),
    "a condition in words": (
        put(*MOUNT, "needs", "shield"),
        "/units/0/options/3/needs",
        "object",
    ),
    "an empty condition": (put(*MOUNT, "needs", {}), "/units/0/options/3/needs", "empty"),
    "a list of nothing taken": (
        put(*MOUNT, "needs", {"taken": []}),
        "/units/0/options/3/needs/taken",
        "0 entries",
    ),
    "an unknown number that moves": (
        put(*MOB, "when", 0, "set", {"maximum": 20}),
        "/units/1/when/0/set",
        "maximum",
    ),
    "a change of nothing": (
        drop(*MOB, "when", 0, "set"),
        "/units/1/when/0",
        "One of “set”, “add”",
    ),
    "an unknown key of an option": (put(*SHIELD, "pionts", 5), "/units/0/options/0", "pionts"),
    "an option without a name": (drop(*SHIELD, "name"), "/units/0/options/0", "name"),
    "a group without options": (drop(*ARMS, "options"), "/units/0/options/1", "options"),
    "a share without its sign": (put("categories", 0, "max", "40"), "/categories/0/max", "40"),
    "a share as a number": (put("categories", 0, "max", 40), "/categories/0/max", "text"),
    "a size in words": (put(*MOB, "size", "10-30"), "/units/1/size", "10-30"),
    "a size of three": (put(*MOB, "size", [1, 2, 3]), "/units/1/size", "3"),
    "a cap below zero": (put(*MOB, "cap", -1), "/units/1/cap", "-1"),
    "a kind of item nobody knows": (put(*SHIELD, "item", "hat"), "/units/0/options/0/item", "hat"),
    "yes for true": (
        put(*SHIELD, "one_of_a_kind", "yes"),
        "/units/0/options/0/one_of_a_kind",
        "true or false",
    ),
    "one organisation only": (drop("organisations", 0), "/organisations", "1 entries"),
    "an id with a slash": (put(*SHIELD, "id", "a/b"), "/units/0/options/0/id", "a/b"),
    "points left out": (drop(*MOB, "points"), "/units/1", "points"),
    "a gap that does not say what": (put("gaps", [{"where": "mob"}]), "/gaps/0", "what"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_mistake_in_an_army_book_is_told(name: str, tmp_path: Path) -> None:
    change, where, word = BREAKS[name]
    library = load(tmp_path, change)
    told(library, BOOK, where, word)
    assert list(library.systems) == ["tiny"]
    assert library.books["tiny"] == {}


def test_a_group_asked_of_one_unit_must_stand_in_no_other(tmp_path: Path) -> None:
    asked = put(*MOUNT, "needs", {"taken": "lord/arms", "in": "army"})
    alone, both = tmp_path / "alone", tmp_path / "both"
    alone.mkdir()
    both.mkdir()
    assert load(alone, asked).problems == ()

    def shared(data: Data) -> None:
        asked(data)
        data["units"][1]["options"].append(group("arms", option("pike", 1)))

    told(load(both, shared), BOOK, "/units/0/options/3", "lord/arms")


SYSTEM_BREAKS: dict[str, tuple[Break, str, str]] = {
    "a role that may not be had by a role nobody defines": (
        put("rules", 2, "role", "captain"),
        "/rules/2/role",
        "captain",
    ),
    "units that count as one by what nobody defines": (
        put("rules", 3, "as_one", {"ability": "cannon"}),
        "/rules/3/as_one/ability",
        "cannon",
    ),
    "units in dispute by what nobody defines": (
        put("rules", 3, "disputed", {"colour": "red"}),
        "/rules/3/disputed/colour",
        "colour",
    ),
    "an unclear unit by what nobody defines": (
        put("rules", 3, "unclear", {"colour": "red"}),
        "/rules/3/unclear/colour",
        "colour",
    ),
    "an aspect nobody knows": (put("rules", 0, "aspect", "ugly"), "/rules/0/aspect", "ugly"),
    "a scale of no size": (
        put("rules", 4, "scale", [{"share": "1/2"}]),
        "/rules/4/scale/0",
        "One of “at_least”, “at_most”",
    ),
    "a bound that moves and does not say how": (
        put("rules", 5, "max", {"number": 2}),
        "/rules/5/max",
        "when",
    ),
    "a size whose name comes first": (
        put("facts", 0, "sizes", [["Small", 50]]),
        "/facts/0/sizes/0/0",
        "Small",
    ),
    "sized in words": (put("sized", "yes"), "/sized", "yes"),
}


@pytest.mark.parametrize("name", SYSTEM_BREAKS)
def test_a_mistake_in_the_rules_of_armies_is_told(name: str, tmp_path: Path) -> None:
    change, where, word = SYSTEM_BREAKS[name]
    library = load(tmp_path, of_system=change)
    problem = library.problems[0]
    assert (problem.file, problem.pointer) == (SYSTEM, where), library.problems
    assert word in problem.message
    assert library.systems == {}


def test_all_mistakes_of_an_army_book_are_told_at_once(tmp_path: Path) -> None:
    names = (
        "a need of what nobody has",
        "a category joined that nobody has",
        "a share above the most",
        "a choice above the most",
        "an allowance on an option",
        "a count of nothing",
    )
    library = load(tmp_path, *(BREAKS[name][0] for name in names))
    assert sorted(problem.pointer for problem in library.problems) == sorted(
        BREAKS[name][1] for name in names
    )


def test_a_mistake_in_a_shared_option_is_told_once_however_often_it_is_used(tmp_path: Path) -> None:
    library = load(tmp_path, put("options", 0, "needs", {"taken": "rign"}))
    told(library, BOOK, "/options/0", "rign")


def test_shared_options_that_use_each_other_in_a_ring_are_told_and_not_followed(
    tmp_path: Path,
) -> None:
    ring = [
        group("a", {"use": "b"}, default="x"),
        group("b", {"use": "c"}),
        group("c", {"use": "a"}, {"use": "b"}),
    ]
    library = load(tmp_path, put("options", ring), put(*LORD, "options", []), drop(*MOB, "options"))
    wheres = [problem.pointer for problem in library.problems]
    assert wheres == ["/options/0", "/options/1", "/options/2"]
    assert all("contains itself" in problem.message for problem in library.problems)


@pytest.mark.parametrize(
    ("name", "message", "advice"),
    [
        (
            "a need of what nobody has",
            "“rign” is no option, group or unit here.",
            "Fix the spelling.",
        ),
        (
            "an allowance on an option",
            "An option has no “allowance”.",
            "Remove it; see “option” in catalogs/README.md.",
        ),
        (
            "a smallest size above the largest",
            "The minimum, 30, is above the maximum, 10.",
            "Write the smaller number first.",
        ),
    ],
)
def test_the_messages_of_armies_read_as_a_person_would_say_them(
    name: str, message: str, advice: str, tmp_path: Path
) -> None:
    (problem,) = load(tmp_path, BREAKS[name][0]).problems
    assert (problem.message, problem.advice) == (message, advice)


def test_uses_that_multiply_are_told_and_not_walked(tmp_path: Path) -> None:
    """Each of 40 shared groups holds the next one twice: a few lines, and billions of options."""

    def grow(data: Data) -> None:
        for number in range(40):
            halves = [
                {
                    "group": f"half-{number}-{half}",
                    "name": "Half",
                    "options": [{"use": f"level-{number + 1}"}],
                }
                for half in "ab"
            ]
            level = {"group": f"level-{number}", "name": "Level", "options": halves}
            data["options"].append(level)
        data["options"].append({"id": "level-40", "name": "Level"})
        data["units"][0]["options"].append({"use": "level-0"})

    (problem,) = load(tmp_path, grow).problems
    assert problem.pointer == "/units/0"
    assert "maximum 5000" in problem.message
