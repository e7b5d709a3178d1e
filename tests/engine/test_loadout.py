"""Units as their entries allow them (kind "entry"), and loadouts: options in options and groups."""

from typing import Any

import pytest

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.loadout import Taken
from armybuilder.engine.sentences import sentence
from tests.building.regiments import ENTRY, army, field, group, of_code, option, spent, taken, unit
from tests.building.tiny import Data, codes, document, judge, only, roster, rule

HORDE = unit(
    "horde",
    30,
    option("spear", 1, when=[{"if": {"taken": "pike"}, "set": {"max": 2}}]),
    option("flask", 2, number=[0, 3]),
    option("pike", 1, not_with=["banner"]),
    option("banner", 5, option("ribbon", 1), needs={"models": {"at_least": 15}}),
    group("arms", option("shield", 1), option("bow", 2), choose=[0, 1]),
    group("oath", option("red"), option("blue"), option("green"), choose=[1, 2]),
    group("items", option("ring", 20), option("cup", 15), option("hat", 10), allowance=30),
    size=[10, 20],
    points_per_model=2,
    when=[{"if": {"taken": "bow"}, "set": {"max": 12}}],
)


@pytest.mark.parametrize("models", [10, 15, 20])
def test_what_keeps_to_its_entry_breaks_nothing(models: int) -> None:
    entry = field("horde", "spear", "shield", "red", "blue", "ring", "hat", models=models)
    assert judge(army(HORDE), entry).legal


def test_each_departure_from_an_entry_is_told_with_its_numbers() -> None:
    cases: list[tuple[list[Any], int, str, int | None, int | None]] = [
        (["red"], 9, "too-small", 9, 10),
        (["red"], 21, "too-large", 21, 20),
        (["red", "bow"], 13, "too-large", 13, 12),
        (["red", "banner"], 14, "unavailable", None, None),
        (["red", "pike", "banner"], 15, "unavailable", None, None),
        (["red", taken("spear", number=2)], 10, "too-often", 2, 1),
        (["red", taken("flask", number=4)], 10, "too-often", 4, 3),
        (["red", "pike", taken("spear", number=3)], 10, "too-often", 3, 2),
        (["red", "shield", "bow"], 10, "group-over", 2, 1),
        (["red", "blue", "green"], 10, "group-over", 3, 2),
        ([], 10, "group-under", 0, 1),
        (["red", "ring", "cup"], 10, "allowance", 35, 30),
    ]
    for options, models, aspect, measured, allowed in cases:
        finding = only(judge(army(HORDE), field("horde", *options, models=models, name="Mob")))
        assert finding.code == f"tiny.{aspect}", (options, models)
        assert (finding.measured, finding.allowed, finding.units) == (measured, allowed, ("u1",)), (
            options,
            models,
        )
        assert finding.values["unit"] == "Mob", (options, models)
        assert finding.citation == f"{finding.head.citation}, The Tiny Horde", (options, models)


def test_a_rule_tells_its_own_aspect_only() -> None:
    one = rule("entry", "tiny.size", aspect="too-small")
    catalogue = army(HORDE, rules=[one])
    bad = field("horde", "shield", "bow", taken("flask", number=9), models=9)
    assert codes(judge(catalogue, bad)) == ["tiny.size"]
    assert judge(catalogue, field("horde", "shield", "bow", models=10)).legal


def test_every_departure_of_every_unit_is_told_and_none_twice() -> None:
    bad = field("horde", taken("flask", number=9), models=9)
    report = judge(army(HORDE), bad, field("horde", "red", models=12), bad)
    assert [(found.code, found.units) for found in report.findings] == [
        ("tiny.too-small", ("u1",)),
        ("tiny.too-small", ("u3",)),
        ("tiny.too-often", ("u1",)),
        ("tiny.too-often", ("u3",)),
        ("tiny.group-under", ("u1",)),
        ("tiny.group-under", ("u3",)),
    ]
    assert len({found.key for found in report.findings}) == len(report.findings)


def test_two_departures_of_one_aspect_in_one_unit_are_two_findings() -> None:
    pairs = [group(name, option(f"{name}-a"), option(f"{name}-b"), choose=[0, 1]) for name in "gh"]
    report = judge(army(unit("rider", 5, *pairs)), field("rider", "g-a", "g-b", "h-a", "h-b"))
    assert [(found.code, found.values["group"]) for found in report.findings] == [
        ("tiny.group-over", "G"),
        ("tiny.group-over", "H"),
    ]


@pytest.mark.parametrize(("size", "smallest"), [(None, 1), (1, 1), (5, 5), ([2, 8], 2)])
def test_a_size_may_be_one_number_and_is_one_model_where_nothing_is_said(
    size: Any, smallest: int
) -> None:
    more: Data = {} if size is None else {"size": size}
    catalogue = army(unit("rider", 5, **more))
    assert catalogue.units["book/rider"].smallest == smallest
    assert judge(catalogue, field("rider", models=smallest)).legal
    if not isinstance(size, list):
        assert codes(judge(catalogue, field("rider", models=smallest + 1))) == ["tiny.too-large"]


def test_a_unit_that_may_not_be_taken_here_says_why() -> None:
    guard = unit("guard", 10, needs={"taken": "king", "in": "army"}, not_with=[])
    catalogue = army(unit("king", 20), guard)
    assert judge(catalogue, field("guard"), field("king")).legal
    finding = only(judge(catalogue, field("guard")))
    assert (finding.code, finding.values["why"]) == ("tiny.unavailable", "needs King in the army")


@pytest.mark.parametrize("times", [2, 3])
def test_an_option_written_again_is_told_as_such_and_counts_once(times: int) -> None:
    report = judge(army(HORDE), field("horde", "red", *["spear"] * times, models=10))
    finding = only(report)
    assert (finding.code, finding.head.id) == ("option.too-often", "unknown-repeated")
    assert (finding.units, report.spent) == (("u1",), 31)
    assert sentence(finding) == ("“Spear” is on this unit more than once; only the first counts.")


def test_an_option_that_may_be_taken_often_is_written_with_its_number() -> None:
    catalogue = army(HORDE)
    assert judge(catalogue, field("horde", "red", taken("flask", number=2), models=10)).legal
    twice = only(judge(catalogue, field("horde", "red", "flask", "flask", models=10)))
    assert twice.head.id == "unknown-repeated"
    assert codes(judge(catalogue, field("horde", "red", "hat", "wig", models=10))) == [
        "option.unknown"
    ]


def test_a_group_that_is_shut_off_asks_for_nothing_and_allows_nothing() -> None:
    paths = group("path", option("fire"), option("ice"), choose=[1, 1], needs={"taken": "wizard"})
    catalogue = army(unit("sage", 20, option("wizard", 10), paths))
    assert judge(catalogue, field("sage")).legal
    assert judge(catalogue, field("sage", "wizard", "fire")).legal
    assert codes(judge(catalogue, field("sage", "wizard"))) == ["tiny.group-under"]
    assert codes(judge(catalogue, field("sage", "fire"))) == ["tiny.unavailable"]


def test_an_option_may_be_asked_for_by_what_is_taken() -> None:
    must = option("licence", 1, when=[{"if": {"taken": "dragon"}, "set": {"min": 1}}])
    catalogue = army(unit("lord", 20, option("dragon", 50), must))
    assert judge(catalogue, field("lord")).legal
    assert judge(catalogue, field("lord", "licence")).legal
    finding = only(judge(catalogue, field("lord", "dragon")))
    assert (finding.code, finding.measured, finding.allowed) == ("tiny.group-under", 0, 1)
    assert finding.values["group"] == "Licence"


def test_an_army_choice_is_no_unit_and_has_no_models() -> None:
    sin = unit("sin", 0, group("which", option("pride"), option("envy"), choose=[1, 1]))
    counted = [rule("limit", "tiny.models", id="models", count="models", max=3)]
    catalogue = army({**sin, "army_choice": True}, unit("imp", 5), rules=[*ENTRY, *counted])
    report = judge(catalogue, field("sin", "envy"), *[field("imp")] * 3)
    assert (report.findings, report.models, report.spent) == ((), 3, 15)
    assert codes(judge(catalogue, field("sin"))) == ["tiny.group-under"]


BAND = (option("chief", 5), option("piper", 5), option("flag", 5, option("ribbon", 1)))
MODEL_EACH = rule(
    "model-each", "tiny.each", id="each", of={"option": ["chief", "piper", "flag"]}, cite="8.9"
)


@pytest.mark.parametrize(
    ("size", "models", "options", "needed"),
    [
        ([1, 4], 3, ["chief", "piper", "flag"], None),
        ([1, 4], 2, ["chief", "piper"], None),
        ([1, 4], 2, ["chief", "piper", taken("flag", "ribbon")], 3),
        ([1, 4], 1, ["chief", "piper"], 2),
        ([1, 4], 1, ["flag"], None),
        ([1, 4], 1, [], None),
        (1, 1, ["chief", "flag"], 2),
        ([2, 4], 2, ["chief", "piper", "flag"], 3),
        ([2, 4], 1, ["chief", "piper", "flag"], 3),
        # the entry asks for as many by itself
        ([3, 4], 2, ["chief", "piper", "flag"], None),
    ],
)
def test_each_of_a_command_group_is_another_model(
    size: Any, models: int, options: list[Any], needed: int | None
) -> None:
    catalogue = army(unit("crew", 9, *BAND, size=size), rules=[MODEL_EACH])
    report = judge(catalogue, field("crew", *options, models=models), field("crew", models=3))
    told = [(found.units, found.measured, found.allowed) for found in report.findings]
    assert told == ([] if needed is None else [(("u1",), models, needed)])


def test_a_model_too_few_for_its_command_group_is_told_with_its_names() -> None:
    named = {**MODEL_EACH, "code": "unit.too-small", "id": "command-group"}
    catalogue = army(unit("crew", 9, *BAND, size=[1, 4]), rules=[named])
    assert sentence(only(judge(catalogue, field("crew", "chief", "piper", "flag")))) == (
        "Crew: 1 model, but Chief, Piper and Flag need 3, one model each."
    )


def test_an_option_taken_several_times_takes_as_many_models() -> None:
    crew = unit("crew", 9, option("chief", 1, number=[0, 3]), size=[1, 4])
    catalogue = army(crew, rules=[MODEL_EACH])
    assert judge(catalogue, field("crew", taken("chief", number=2), models=2)).legal
    assert only(judge(catalogue, field("crew", taken("chief", number=3), models=2))).allowed == 3


LARGEST = rule(
    "entry", "unit.too-large", id="largest", aspect="too-large", cite="8.1", option_cite="8.3"
)


def test_a_size_that_an_option_lowers_names_it_and_cites_its_place() -> None:
    for options, models, said, cited in [
        (["red"], 21, "maximum 20.", "Tiny 8.1, The Tiny Horde"),
        (["red", "bow"], 13, "maximum 12 with Bow.", "Tiny 8.3, The Tiny Horde"),
        (["red", "bow"], 21, "maximum 12 with Bow.", "Tiny 8.3, The Tiny Horde"),
    ]:
        finding = only(judge(army(HORDE, rules=[LARGEST]), field("horde", *options, models=models)))
        assert sentence(finding) == f"Horde: {models} models, {said}", (options, models)
        assert finding.citation == cited, (options, models)


def test_what_raises_a_size_or_is_not_taken_is_not_named() -> None:
    when = [
        {"if": {"taken": "drum"}, "set": {"max": 30}},
        {"if": {"any": [{"taken": "sled"}, {"taken": "raft"}]}, "add": {"max": -5}},
        {"if": {"not": {"taken": "raft"}}, "add": {"max": -1}},
    ]
    nodes = [option(name) for name in ("drum", "sled", "raft")]
    crew = unit("crew", 9, *nodes, size=[1, 20], when=when)
    finding = only(judge(army(crew, rules=[LARGEST]), field("crew", "drum", "sled", models=25)))
    assert sentence(finding) == "Crew: 25 models, maximum 24 with Sled."


def test_a_rule_may_speak_of_some_groups_and_leave_them_to_no_other() -> None:
    paths = group("path", option("fire"), option("ice"), choose=[1, 1])
    oath = group("oath", option("red"), option("blue"), choose=[1, 1])
    under = rule("entry", "group.under", aspect="group-under")
    catalogue = army(
        unit("sage", 9, oath, option("wand", 1, paths)),
        rules=[
            {**under, "id": "path", "groups": ["path"]},
            {**under, "id": "rest", "not_groups": ["path"]},
        ],
    )
    report = judge(catalogue, field("sage", "wand"))
    assert [(found.head.id, found.values["group"]) for found in report.findings] == [
        ("path", "Path"),
        ("rest", "Oath"),
    ]


def loadout(catalogue: Catalogue, *entries: Any) -> tuple[Taken, ...]:
    line = judge(catalogue, *entries).line("u1")
    assert line is not None
    return line.loadout.taken


def told(catalogue: Catalogue, *entries: Any) -> list[tuple[str, int, int, int]]:
    """(name, number, own points, points with all that is on it) of what the first unit has."""
    return [
        (found.option.name, found.number, found.points, found.total)
        for found in loadout(catalogue, *entries)
    ]


LORD = unit("lord", 50, option("dragon", 100, option("rider-s-lance", 5), option("scales", 20)))


def test_options_of_options_count_in_the_total_of_their_parent_once() -> None:
    mounted = field("lord", taken("dragon", "rider-s-lance", "scales"))
    assert told(army(LORD), mounted) == [
        ("Dragon", 1, 100, 125),
        ("Rider s lance", 1, 5, 5),
        ("Scales", 1, 20, 20),
    ]
    assert spent(army(LORD), mounted, limit=999) == 175


def test_an_option_of_an_option_is_unknown_without_its_parent() -> None:
    finding = only(judge(army(LORD), field("lord", "scales")))
    assert (finding.code, finding.values["name"]) == ("option.unknown", "scales")
    assert spent(army(LORD), field("lord", "scales")) == 50


NESTED = unit(
    "lord",
    50,
    group(
        "arms",
        option("sword", 1),
        group("bows", option("bow", 2), option("crossbow", 3), choose=[0, 1]),
        group("tricks", option("net", 4), option("whip", 5), allowance=4),
        choose=[0, 2],
        allowance=8,
    ),
)


def test_what_stands_in_a_group_counts_in_those_around_it() -> None:
    for options, found in [
        (["sword", "bow"], []),
        (["bow", "net"], []),
        (["sword", "bow", "net"], [("tiny.group-over", "Arms", 3, 2)]),
        (["bow", "crossbow"], [("tiny.group-over", "Bows", 2, 1)]),
        (["whip"], [("tiny.allowance", "Tricks", 5, 4)]),
        (
            ["crossbow", "whip", "sword"],
            [
                ("tiny.group-over", "Arms", 3, 2),
                ("tiny.allowance", "Arms", 9, 8),
                ("tiny.allowance", "Tricks", 5, 4),
            ],
        ),
    ]:
        report = judge(army(NESTED), field("lord", *options))
        assert [
            (finding.code, finding.values["group"], finding.measured, finding.allowed)
            for finding in report.findings
        ] == found, options


def test_an_allowance_counts_what_is_taken_on_the_items_and_how_often() -> None:
    items = group(
        "items", option("staff", 20, option("gem", 15)), option("charm", 6, number=[0, 9])
    )
    catalogue = army(unit("sage", 50, {**items, "allowance": 30}))
    assert judge(catalogue, field("sage", "staff")).legal
    finding = only(judge(catalogue, field("sage", taken("staff", "gem"))))
    assert (finding.measured, finding.allowed) == (35, 30)
    assert judge(catalogue, field("sage", taken("charm", number=5))).legal
    finding = only(judge(catalogue, field("sage", taken("charm", number=6))))
    assert (finding.code, finding.measured) == ("tiny.allowance", 36)


def test_what_is_given_is_there_without_being_written_down_and_has_its_price() -> None:
    catalogue = army(unit("mob", 10, option("torch", 2, number=[2, 2]), option("cart", 3)))
    assert told(catalogue, field("mob", "cart")) == [("Torch", 2, 4, 4), ("Cart", 1, 3, 3)]
    assert judge(catalogue, field("mob", "cart")).legal
    pick = roster(document(field("mob")), catalogue).picks[0].picks[0]
    assert (pick.given, pick.number) == (True, 2)


def test_what_may_move_or_is_asked_for_only_sometimes_is_not_given() -> None:
    moving = option("torch", 2, number=[1, 1], when=[{"if": {"taken": "cart"}, "set": {"max": 2}}])
    needy = option("lamp", 2, number=[1, 1], needs={"taken": "cart"})
    catalogue = army(unit("mob", 10, moving, needy, option("cart", 3)))
    assert told(catalogue, field("mob")) == []
    assert [found.values["group"] for found in judge(catalogue, field("mob")).findings] == ["Torch"]
    report = judge(catalogue, field("mob", "cart", "torch"))
    assert [found.values["group"] for found in report.findings] == ["Lamp"]


def test_what_would_be_given_in_a_group_that_may_be_shut_is_asked_for_while_it_is_open() -> None:
    kit = group("kit", option("rope", 1, number=[1, 1]), needs={"taken": "climber"})
    catalogue = army(unit("mob", 10, option("climber", 1), kit))
    assert judge(catalogue, field("mob")).legal
    assert judge(catalogue, field("mob", "climber", "rope")).legal
    assert codes(judge(catalogue, field("mob", "climber"))) == ["tiny.group-under"]


def test_options_may_be_taken_on_what_is_given() -> None:
    banner = option("banner", 0, option("flag", 5), number=[1, 1])
    catalogue = army(unit("mob", 10, banner))
    assert told(catalogue, field("mob")) == [("Banner", 1, 0, 0)]
    report = judge(catalogue, field("mob", taken("banner", "flag")))
    assert (codes(report), report.spent) == ([], 15)
    assert judge(catalogue, field("mob", "banner")).legal


SHARED = [
    option("banner", 20, option("tassel", 1), one_of_a_kind=True),
    group("mounts", option("horse", 10), option("wolf", 12), choose=[0, 1]),
]


def test_a_use_may_set_its_own_price_name_and_number() -> None:
    catalogue = army(
        unit("a", 10, {"use": "banner"}),
        unit("b", 10, {"use": "banner", "points": 15, "name": "Old banner", "number": [0, 2]}),
        unit("c", 10, {"use": "mounts", "choose": [1, 1]}),
        shared=SHARED,
    )
    assert told(catalogue, field("a", taken("banner", "tassel"))) == [
        ("Banner", 1, 20, 21),
        ("Tassel", 1, 1, 1),
    ]
    twice = taken("banner", number=2)
    assert told(catalogue, field("b", twice)) == [("Old banner", 2, 30, 30)]
    assert judge(catalogue, field("b", twice)).legal
    assert codes(judge(catalogue, field("a", twice))) == ["tiny.too-often"]
    assert codes(judge(catalogue, field("c"))) == ["tiny.group-under"]


def test_the_needs_of_a_use_and_of_what_it_uses_must_both_hold() -> None:
    shared = [option("staff", 5, needs={"taken": "wizard"})]
    use = {"use": "staff", "needs": {"taken": "robe"}}
    catalogue = army(unit("sage", 10, option("wizard"), option("robe"), use), shared=shared)
    assert judge(catalogue, field("sage", "wizard", "robe", "staff")).legal
    for missing in (["robe"], ["wizard"], []):
        report = judge(catalogue, field("sage", "staff", *missing))
        assert codes(report) == ["tiny.unavailable"], missing


def test_a_shared_option_in_several_places_takes_the_one_that_is_open() -> None:
    shared = [option("lance", 4)]
    catalogue = army(
        unit(
            "rider",
            10,
            option("horse", 5),
            option("griffon", 30),
            group("on-horse", {"use": "lance", "points": 6}, needs={"taken": "horse"}),
            group(
                "on-griffon",
                {"use": "lance", "points": 9},
                needs={"taken": "griffon"},
                allowance=8,
            ),
        ),
        shared=shared,
    )
    assert spent(catalogue, field("rider", "horse", "lance")) == 21
    assert judge(catalogue, field("rider", "horse", "lance")).legal
    report = judge(catalogue, field("rider", "griffon", "lance"))
    assert (report.spent, codes(report)) == (49, ["tiny.allowance"])
    closed = of_code(judge(catalogue, field("rider", "lance")), "tiny.unavailable")
    assert [found.values["why"] for found in closed] == ["needs Horse"]


def test_what_is_given_cannot_be_taken_fewer_times() -> None:
    rig = army(unit("rig", 10, option("gun", 10, number=[3, 3])))
    assert spent(rig, field("rig")) == 40
    assert spent(rig, field("rig", taken("gun", number=2))) == 40


def test_a_piece_that_nothing_can_be_put_on_is_told() -> None:
    rig = army(unit("rig", 10, option("horn", 10)))
    found = judge(rig, field("rig", taken("horn", on="shield"))).findings
    assert [(finding.code, finding.values["name"]) for finding in found] == [
        ("option.unknown", "horn on shield")
    ]
