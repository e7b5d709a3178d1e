"""Rules about the warband's faction: faction, capacity, and what is cross-faction."""

from typing import Any

import pytest

from tests.building.tiny import codes, game, judge, only, rule, take, unit
from tests.engine.tables import claim, claims, hold, judged

FACTION = rule(
    "faction", "faction.mixed", id="faction", attribute="faction", none="none", ability="chief",
    setting="faction", each_lineup=True, choose={"code": "faction.choose", "summary": "Choose."},
)  # fmt: skip
BOTH = {"all": [{"ability": "wild"}, {"ability": "hard"}]}
CAPACITY = rule(
    "capacity", "command.capacity", id="capacity", supply="chief", gauge="Capacity",
    each_lineup=True,
    needs=[
        {"of": BOTH, "own": 1, "cross": 2, "times_rating": "hard"},
        {"of": {"ability": "hard"}, "own": 0, "cross": 1, "times_rating": "hard"},
        {"of": {"ability": "wild"}, "own": 1, "cross": 2},
        {"of": {}, "own": 0, "cross": 1},
    ],
)  # fmt: skip
ALWAYS = rule(
    "capacity", "command.limit", id="limit", supply="chief", gauge="Troops", always=True,
    needs=[{"of": {"ability": "chief"}, "own": 0, "cross": 0}, {"of": {}, "own": 1, "cross": 1}],
)  # fmt: skip
#: Without an ability: all of one faction, and nothing else is asked.
ONE_FACTION = rule("faction", "faction.mixed", id="faction", attribute="faction", none="none")
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


@pytest.mark.parametrize(
    ("text", "faction", "used", "most"),
    [
        # the faction with most command points in total is the warband's
        ("red-chief, blue-boss", "red", 1, 3),
        ("red-chief, blue-boss 2", "blue", 1, 4),
        # a tie is open until one of the tied is chosen; else a choice is ignored
        ("red-chief, blue-man, blue-chief | faction=red", "red", 2, 3),
        ("red-chief, blue-man, blue-chief | faction=blue", "blue", 1, 3),
        ("red-chief, blue-boss | faction=blue", "red", 1, 3),
        # commanders without a faction claim none
        ("free-chief, red-boss", "red", 1, 1),
        # what a model needs depends on its side and the first need that matches
        ("red-chief, red-man", "red", 0, 3),
        ("red-chief, red-wolf", "red", 1, 3),
        ("red-chief, red-beast", "red", 2, 3),
        ("red-chief, blue-man", "red", 1, 3),
        ("red-chief, blue-wolf", "red", 2, 3),
        ("red-chief, blue-brute", "red", 2, 3),
        ("red-chief, blue-beast", "red", 4, 3),
        ("red-chief, free-man", "red", 1, 3),
        ("red-chief, nameless", "red", 1, 3),
        # it is used up exactly
        ("red-chief, blue-man 3", "red", 3, 3),
    ],
)
def test_a_warband_has_a_faction_and_a_capacity(
    text: str, faction: str, used: int, most: int
) -> None:
    report = judged(GAME, text)
    gauge = report.gauges[0]
    assert (report.faction, gauge.used, gauge.maximum) == (faction, used, most)
    assert report.legal is gauge.ok is (used <= most)


CAPACITY_LISTS = {
    "red-chief, blue-man 3, red-wolf": "command.capacity 4/3 u2 u3",
    "red-chief, blue-man 4, red-boss reserve":
        "command.capacity 4/3 u2 (without the reserve)",
    "red-chief, blue-man 3, red-wolf reserve":
        "command.capacity 4/3 u2 u3 (with the reserve)",
    "red-boss, blue-man 3, red-wolf reserve":
        "command.capacity 4/1 u2 u3 (with the reserve);"
        " command.capacity 3/1 u2 (without the reserve)",
}  # fmt: skip
CLAIMS = {
    "a tie is told with the commanders that tie": claim(
        FACTION, CAPACITY, units=UNITS, sometimes="reserve", lists={
            "red-chief, blue-man, blue-chief": "faction.choose u1 u3",
            # choosing one that does not tie leaves it open
            "red-chief, blue-chief | faction=green": "faction.choose u1 u2",
            "red-chief, blue-chief, blue-wolf 9": "faction.choose u1 u2",
            "red-chief, blue-chief reserve": "faction.choose u1 u2 (with the reserve)",
            "red-chief, blue-chief reserve | faction=red": ""}),
    "without command points all models are of one faction": claim(
        FACTION, CAPACITY, units=UNITS, lists={
            "red-man 3": "", "red-man, blue-man": "faction.mixed 2/1 u1 u2"}),
    "models and commanders without a faction alone are mixed too": claim(
        FACTION, CAPACITY, units=UNITS, lists={
            "free-man": "faction.mixed 1/1 u1", "free-chief": "faction.mixed 1/1 u1",
            "nameless": "faction.mixed 1/1 u1",
            "free-chief, red-man": "faction.mixed 2/1 u1 u2"}),
    "capacity is passed by those that need it, not the commander, with and without the reserve":
        claim(FACTION, CAPACITY, units=UNITS, sometimes="reserve", lists=CAPACITY_LISTS),
    "cross-faction models are counted by the warband's faction": claim(
        FACTION, rule("limit", "tiny.barred", id="x", count="models", max=0,
                      of={"ability": "wild", "cross_faction": True}),
        units=UNITS, lists={
            "red-chief, red-wolf": "", "red-chief, red-wolf, blue-wolf 2": "barred 2/0 u3"}),
    **{f"{count} of cross-faction models are counted too": claim(
        FACTION, rule("limit", id="x", count=count, of={"cross_faction": True}, max=1),
        units=UNITS, lists={
            "red-chief, blue-man 2, free-man, red-man": f"{measured}/1 u2 u3"})
       for count, measured in (("picks", 3), ("points", 15), ("models", 3))},
    "without an ability command points decide nothing": claim(ONE_FACTION, units=UNITS, lists={
        "red-chief, red-man": "", "": "", "free-man": "faction.mixed 1/1 u1",
        "red-chief, blue-man, free-man": "faction.mixed 3/1 u1 u2 u3",
        "red-chief, blue-chief": "faction.mixed 2/1 u1 u2"}),
    "a capacity may be judged while the faction is open": claim(
        ONE_FACTION, ALWAYS, units=UNITS, lists={
            "red-boss, blue-boss, red-man 2, blue-man": "faction.mixed 2/1 u1 u2 u3 u4",
            "red-boss, blue-boss, red-man 2, blue-man 2":
                "faction.mixed 2/1 u1 u2 u3 u4; command.limit 4/3 u3 u4"}),
    "a capacity judged always needs no rule of factions": claim(ALWAYS, units=UNITS, lists={
        "red-boss, blue-man": "", "red-boss, blue-man 2": "command.limit 2/1 u2"}),
}  # fmt: skip


@claims(CLAIMS)
def test_a_warband_keeps_to_its_faction_and_capacity(made: Any, lists: Any) -> None:
    hold(made, lists)


@pytest.mark.parametrize(
    ("made", "text", "factions"),
    [
        (GAME, "red-chief, blue-man, blue-chief", ["Blue", "Red"]),
        (GAME, "red-man, blue-man", ["Blue", "Red"]),
        (
            game(ONE_FACTION, units=UNITS),
            "red-chief, blue-man, free-man",
            ["Blue", "models of no faction", "Red"],
        ),
    ],
)
def test_factions_that_mix_or_tie_are_named(made: Any, text: str, factions: list[str]) -> None:
    assert only(judged(made, text)).values["factions"] == factions


@pytest.mark.parametrize(
    ("entry", "need"),
    [
        ("red-man", 0), ("red-wolf", 1), ("red-beast", 2), ("blue-man", 1), ("blue-wolf", 2),
        ("blue-brute", 2), ("blue-beast", 4), ("blue-boss", 1), ("free-man", 1), ("nameless", 1),
    ],
)  # fmt: skip
def test_two_models_need_twice_as_much_and_are_cross_faction_or_not(entry: str, need: int) -> None:
    line = judged(GAME, f"red-chief 2, {entry} 2").lines["u2"]
    assert (line.need, line.cross_faction) == (2 * need, not entry.startswith("red"))


def test_only_the_factions_own_commanders_supply_command() -> None:
    # Who has most is no tie.
    text = "red-chief, blue-chief, green-chief, blue-boss | faction=red"
    assert judged(GAME, text).faction == "blue", "blue has five"
    # Supply comes from the own commanders only.
    report = judged(GAME, "red-chief 2, blue-chief")
    assert [report.lines[unit].supply for unit in ("u1", "u2")] == [6, 0]
    # Another role than the reserve changes no line up.
    report = judged(GAME, "red-chief, red-man general")
    assert len(report.tallies) == 1
    assert report.full.lineup == ""
    # Gauges of line ups that differ come one each.
    report = judged(GAME, "red-chief, blue-man, red-boss reserve")
    assert [(gauge.lineup, gauge.used, gauge.maximum) for gauge in report.gauges] == [
        ("with the reserve", 1, 4),
        ("without the reserve", 1, 3),
    ]
    parts = report.gauges[0].parts
    assert [(part.unit, part.label, part.amount) for part in parts] == [("u2", "Blue Man", 1)]
    # Without an ability a faction is known and a mixture told in words of its own.
    catalogue = game(ONE_FACTION, units=UNITS)
    assert judged(catalogue, "red-chief, red-man").faction == "red"
    assert only(judged(catalogue, "red-chief, blue-man, free-man")).values["count"] == "one"


def test_while_the_faction_is_open_capacity_is_reported_only_where_it_is_always_judged() -> None:
    # Capacity is not told while the faction is open.
    report = judged(GAME, "red-chief, blue-chief, blue-wolf 9")
    assert report.gauges == ()
    assert all(numbers.need == numbers.supply == 0 for numbers in report.lines.values())
    # A capacity judged while the faction is open tells its numbers.
    catalogue = game(ONE_FACTION, ALWAYS, units=UNITS)
    report = judged(catalogue, "red-boss, blue-boss, red-man 2, blue-man")
    gauge = report.gauges[0]
    assert (gauge.used, gauge.maximum, gauge.ok) == (3, 3, True)
    numbers = [(line.need, line.supply) for line in report.lines.values()]
    assert numbers == [(0, 1), (0, 2), (2, 0), (1, 0)]
    # A commander of unknown rating leaves the capacity without a verdict.
    complete = rule("complete", "unit.incomplete", id="complete", ratings=["chief"])
    catalogue = game(complete, ALWAYS, units=[unit("riddle", 5, "chief ?"), *UNITS])
    report = judge(catalogue, take("riddle"), take("red-man", 9))
    assert codes(report) == ["unit.incomplete"]
    filled = take("riddle", card={"ratings": {"chief": 2}})
    assert codes(judge(catalogue, filled, take("red-man", 9))) == ["command.limit"]
