"""Loadouts: options in options, groups in groups, what is given, and what shared options share."""

from typing import Any

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.loadout import Taken
from tests.building.regiments import army, field, group, of_code, option, spent, taken, unit
from tests.building.tiny import codes, document, judge, only, roster


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


def test_an_option_written_twice_counts_once_and_is_told() -> None:
    catalogue = army(unit("lord", 50, option("ring", 5)))
    report = judge(catalogue, field("lord", "ring", "ring"))
    assert (codes(report), report.spent) == (["option.too-often"], 55)


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
    cases: list[tuple[list[str], list[tuple[str, str, int, int]]]] = [
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
    ]
    for options, found in cases:
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


DEFAULTS = unit(
    "mob",
    10,
    option("drum", 1, number=[1, 1]),
    group("arms", option("club", 1), option("axe", 2), choose=[1, 1], default="axe"),
    group("hats", option("cap", 1), choose=[0, 1], default="cap"),
    group(
        "kit",
        group(
            "mount",
            option(
                "pony",
                5,
                group("tack", option("saddle"), option("rope"), choose=[1, 1], default="rope"),
            ),
            option("mule", 4),
        ),
        choose=[1, 1],
        default="pony",
    ),
)


def test_a_new_unit_starts_with_the_defaults_of_groups_that_must_not_stay_empty() -> None:
    fresh = army(DEFAULTS).units["book/mob"].fresh
    assert [(pick.id, pick.given) for pick in fresh] == [
        ("drum", True),
        ("axe", False),
        ("pony", False),
    ]
    assert [pick.id for pick in fresh[2].picks] == ["rope"]


def test_a_new_unit_with_its_defaults_is_legal() -> None:
    assert judge(army(DEFAULTS), field("mob", "axe", taken("pony", "rope"))).legal


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
