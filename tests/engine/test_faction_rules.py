"""Rules about the warband's faction: faction, capacity, and what is cross-faction."""

from typing import Any

from tests.building.tiny import codes, game, judge, only, rule, take, unit

FACTION = rule(
    "faction",
    "faction.mixed",
    id="faction",
    attribute="faction",
    none="none",
    ability="chief",
    setting="faction",
    each_lineup=True,
    choose={"code": "faction.choose", "summary": "Choose."},
)
CAPACITY = rule(
    "capacity",
    "command.capacity",
    id="capacity",
    supply="chief",
    gauge="Capacity",
    each_lineup=True,
    needs=[
        {
            "of": {"all": [{"ability": "wild"}, {"ability": "hard"}]},
            "own": 1,
            "cross": 2,
            "times_rating": "hard",
        },
        {"of": {"ability": "hard"}, "own": 0, "cross": 1, "times_rating": "hard"},
        {"of": {"ability": "wild"}, "own": 1, "cross": 2},
        {"of": {}, "own": 0, "cross": 1},
    ],
)
UNITS = [
    unit("red-chief", 10, "chief 3", faction="red"),
    unit("red-boss", 9, "chief 1", faction="red"),
    unit("red-man", 5, faction="red"),
    unit("red-wolf", 5, "wild", faction="red"),
    unit("blue-chief", 12, "chief 3", faction="blue"),
    unit("blue-boss", 11, "chief 2", faction="blue"),
    unit("blue-man", 5, faction="blue"),
    unit("blue-wolf", 5, "wild", faction="blue"),
    unit("blue-brute", 5, "hard 2", faction="blue"),
    unit("blue-beast", 5, "wild", "hard 2", faction="blue"),
    unit("red-beast", 5, "wild", "hard 2", faction="red"),
    unit("green-chief", 10, "chief 3", faction="green"),
    unit("free-chief", 10, "chief 5", faction="none"),
    unit("free-man", 5, faction="none"),
    unit("nameless", 5),
]
GAME = game(FACTION, CAPACITY, units=UNITS, sometimes="reserve")


def numbers(*entries: Any, **settings: Any) -> tuple[str | None, int, int | None]:
    """Faction, needed and capacity of a list whose only troubles may be of capacity."""
    report = judge(GAME, *entries, **settings)
    assert set(codes(report)) <= {"command.capacity"}
    gauge = report.gauges[0]
    assert report.legal is (gauge.used <= (gauge.maximum or 0)) is gauge.ok
    return report.faction, gauge.used, gauge.maximum


def test_the_faction_with_most_command_points_in_total_is_the_warbands() -> None:
    assert numbers(take("red-chief"), take("blue-boss")) == ("red", 1, 3)
    assert numbers(take("red-chief"), take("blue-boss", 2)) == ("blue", 1, 4)


def test_a_tie_is_open_until_one_of_the_tied_is_chosen() -> None:
    tie = (take("red-chief"), take("blue-man"), take("blue-chief"))
    finding = only(judge(GAME, *tie))
    assert finding.code == "faction.choose"
    assert finding.units == ("u1", "u3"), "the commanders that tie"
    assert finding.values["factions"] == ["Blue", "Red"]
    assert numbers(*tie, faction="red") == ("red", 2, 3)
    assert numbers(*tie, faction="blue") == ("blue", 1, 3)


def test_choosing_a_faction_that_does_not_tie_leaves_the_tie_open() -> None:
    tie = (take("red-chief"), take("blue-chief"), take("green-chief"), take("blue-boss"))
    assert judge(GAME, *tie, faction="red").faction == "blue", "blue has five, no tie"
    assert codes(judge(GAME, *tie[:2], faction="green")) == ["faction.choose"]


def test_a_choice_without_a_tie_is_ignored() -> None:
    assert numbers(take("red-chief"), take("blue-boss"), faction="blue") == ("red", 1, 3)


def test_without_command_points_all_models_are_of_one_faction() -> None:
    report = judge(GAME, take("red-man", 3))
    assert (report.faction, report.legal) == ("red", True)
    finding = only(judge(GAME, take("red-man"), take("blue-man")))
    assert (finding.code, finding.measured, finding.allowed) == ("faction.mixed", 2, 1)
    assert finding.units == ("u1", "u2")
    assert finding.values["factions"] == ["Blue", "Red"]


def test_models_without_a_faction_alone_are_mixed_too() -> None:
    for entry in ("free-man", "free-chief", "nameless"):
        assert codes(judge(GAME, take(entry))) == ["faction.mixed"]


def test_commanders_without_a_faction_claim_none() -> None:
    assert codes(judge(GAME, take("free-chief"), take("red-man"))) == ["faction.mixed"]
    assert numbers(take("free-chief"), take("red-boss")) == ("red", 1, 1)


def test_what_a_model_needs_depends_on_its_side_and_the_first_need_that_matches() -> None:
    needs = {
        "red-man": 0,
        "red-wolf": 1,
        "red-beast": 2,
        "blue-man": 1,
        "blue-wolf": 2,
        "blue-brute": 2,
        "blue-beast": 4,
        "blue-boss": 1,
        "free-man": 1,
        "nameless": 1,
    }
    for entry, need in needs.items():
        assert numbers(take("red-chief"), take(entry)) == ("red", need, 3), entry
        report = judge(GAME, take("red-chief", 2), take(entry, 2))
        assert report.lines["u2"].need == 2 * need
        assert report.lines["u2"].cross_faction is not entry.startswith("red")


def test_capacity_is_used_up_exactly_and_not_beyond() -> None:
    assert numbers(take("red-chief"), take("blue-man", 3)) == ("red", 3, 3)
    finding = only(judge(GAME, take("red-chief"), take("blue-man", 3), take("red-wolf")))
    assert (finding.code, finding.measured, finding.allowed) == ("command.capacity", 4, 3)
    assert finding.units == ("u2", "u3"), "those that need it, not the commander"


def test_supply_comes_from_the_own_commanders_only() -> None:
    report = judge(GAME, take("red-chief", 2), take("blue-chief"))
    assert [report.lines[unit].supply for unit in ("u1", "u2")] == [6, 0]


def test_capacity_is_not_judged_while_the_faction_is_open() -> None:
    tie = (take("red-chief"), take("blue-chief"), take("blue-wolf", 9))
    report = judge(GAME, *tie)
    assert codes(report) == ["faction.choose"]
    assert report.gauges == ()
    assert all(numbers.need == numbers.supply == 0 for numbers in report.lines.values())


def test_a_rule_of_cross_faction_models_counts_them_by_the_warbands_faction() -> None:
    barred = rule(
        "limit",
        "barred",
        id="x",
        count="models",
        of={"ability": "wild", "cross_faction": True},
        max=0,
    )
    barred["code"] = "tiny.barred"
    catalogue = game(FACTION, barred, units=UNITS)
    assert judge(catalogue, take("red-chief"), take("red-wolf")).legal
    finding = only(judge(catalogue, take("red-chief"), take("red-wolf"), take("blue-wolf", 2)))
    assert (finding.code, finding.measured, finding.units) == ("tiny.barred", 2, ("u3",))


def test_a_reserve_is_judged_with_and_without_and_the_finding_says_which() -> None:
    paying = judge(GAME, take("red-chief"), take("blue-man", 4), take("red-boss", 1, "reserve"))
    finding = only(paying)
    assert (finding.lineup, finding.measured, finding.allowed) == ("without the reserve", 4, 3)
    needing = judge(GAME, take("red-chief"), take("blue-man", 3), take("red-wolf", 1, "reserve"))
    finding = only(needing)
    assert (finding.lineup, finding.measured, finding.allowed) == ("with the reserve", 4, 3)


def test_what_fails_with_and_without_the_reserve_tells_the_numbers_of_both() -> None:
    report = judge(GAME, take("red-boss"), take("blue-man", 3), take("red-wolf", 1, "reserve"))
    told = [(finding.lineup, finding.measured) for finding in report.findings]
    assert told == [("with the reserve", 4), ("without the reserve", 3)]


def test_a_tie_only_with_the_reserve_names_it() -> None:
    report = judge(GAME, take("red-chief"), take("blue-chief", 1, "reserve"))
    assert (only(report).code, only(report).lineup) == ("faction.choose", "with the reserve")
    assert judge(GAME, take("red-chief"), take("blue-chief", 1, "reserve"), faction="red").legal


def test_another_role_than_the_reserve_changes_no_line_up() -> None:
    report = judge(GAME, take("red-chief"), take("red-man", 1, "general"))
    assert len(report.tallies) == 1
    assert report.full.lineup == ""


def test_gauges_of_line_ups_that_differ_come_one_each() -> None:
    report = judge(GAME, take("red-chief"), take("blue-man"), take("red-boss", 1, "reserve"))
    assert [(gauge.lineup, gauge.used, gauge.maximum) for gauge in report.gauges] == [
        ("with the reserve", 1, 4),
        ("without the reserve", 1, 3),
    ]
    parts = report.gauges[0].parts
    assert [(part.unit, part.label, part.amount) for part in parts] == [("u2", "Blue Man", 1)]


def test_picks_and_points_of_cross_faction_models_are_counted_too() -> None:
    for count, measured in (("picks", 2), ("points", 15), ("models", 3)):
        most = rule("limit", id="x", count=count, of={"cross_faction": True}, max=1)
        report = judge(
            game(FACTION, most, units=UNITS),
            take("red-chief"), take("blue-man", 2), take("free-man"), take("red-man"),
        )  # fmt: skip
        assert (only(report).measured, only(report).units) == (measured, ("u2", "u3"))


# Without an ability: all of one faction, and nothing else is asked


ONE_FACTION = rule("faction", "faction.mixed", id="faction", attribute="faction", none="none")


def test_without_an_ability_command_points_decide_nothing() -> None:
    catalogue = game(ONE_FACTION, units=UNITS)
    report = judge(catalogue, take("red-chief"), take("red-man"))
    assert (report.faction, report.findings) == ("red", ())
    finding = only(judge(catalogue, take("red-chief"), take("blue-man"), take("free-man")))
    assert (finding.code, finding.measured, finding.allowed) == ("faction.mixed", 3, 1)
    assert finding.values["count"] == "one", "told in words of its own"
    assert finding.values["factions"] == ["Blue", "models of no faction", "Red"]


def test_without_an_ability_models_of_no_faction_alone_are_mixed_too() -> None:
    catalogue = game(ONE_FACTION, units=UNITS)
    assert codes(judge(catalogue, take("free-man"))) == ["faction.mixed"]
    assert codes(judge(catalogue)) == []


def test_without_an_ability_nobody_is_asked_to_choose() -> None:
    assert codes(judge(game(ONE_FACTION, units=UNITS), take("red-chief"), take("blue-chief"))) == [
        "faction.mixed"
    ]


# Capacity that is judged always


ALWAYS = rule(
    "capacity",
    "command.limit",
    id="limit",
    supply="chief",
    gauge="Troops",
    always=True,
    needs=[{"of": {"ability": "chief"}, "own": 0, "cross": 0}, {"of": {}, "own": 1, "cross": 1}],
)


def test_a_capacity_may_be_judged_while_the_faction_is_open() -> None:
    catalogue = game(ONE_FACTION, ALWAYS, units=UNITS)
    mixed = (take("red-boss"), take("blue-boss"))
    report = judge(catalogue, *mixed, take("red-man", 2), take("blue-man"))
    assert codes(report) == ["faction.mixed"]
    gauge = report.gauges[0]
    assert (gauge.used, gauge.maximum, gauge.ok) == (3, 3, True)
    assert [(line.need, line.supply) for line in report.lines.values()] == [
        (0, 1),
        (0, 2),
        (2, 0),
        (1, 0),
    ]
    report = judge(catalogue, *mixed, take("red-man", 2), take("blue-man", 2))
    assert codes(report) == ["faction.mixed", "command.limit"]
    finding = report.findings[1]
    assert (finding.measured, finding.allowed, finding.units) == (4, 3, ("u3", "u4"))


def test_a_capacity_judged_always_needs_no_rule_of_factions() -> None:
    catalogue = game(ALWAYS, units=UNITS)
    assert judge(catalogue, take("red-boss"), take("blue-man")).findings == ()
    assert codes(judge(catalogue, take("red-boss"), take("blue-man", 2))) == ["command.limit"]


def test_a_commander_of_unknown_rating_leaves_the_capacity_without_a_verdict() -> None:
    complete = rule("complete", "unit.incomplete", id="complete", ratings=["chief"])
    catalogue = game(complete, ALWAYS, units=[unit("riddle", 5, "chief ?"), *UNITS])
    report = judge(catalogue, take("riddle"), take("red-man", 9))
    assert codes(report) == ["unit.incomplete"]
    filled = take("riddle", card={"ratings": {"chief": 2}})
    assert codes(judge(catalogue, filled, take("red-man", 9))) == ["command.limit"]
