"""Rules that count over the list: limit, copies, clash, price-cap, available."""

from typing import Any

import pytest

from armybuilder.engine import Severity
from tests.building.tiny import codes, game, judge, only, rule, take, unit


def test_points_may_reach_the_limit_but_not_pass_it() -> None:
    catalogue = game(rule("limit", count="points", max="limit"))
    assert judge(catalogue, take("soldier", 10), limit=50).legal
    finding = only(judge(catalogue, take("soldier", 10), take("knight"), limit=57))
    assert (finding.measured, finding.allowed, finding.excess) == (58, 57, 1)
    assert finding.units == ("u1", "u2")
    assert finding.severity is Severity.ERROR


def test_a_minimum_of_points_is_met_exactly() -> None:
    catalogue = game(rule("limit", count="points", min={"share": "1/2", "of": "limit"}))
    assert judge(catalogue, take("soldier", 10), limit=100).legal
    finding = only(judge(catalogue, take("soldier", 10), limit=101))
    assert (finding.measured, finding.allowed, finding.excess) == (50, 51, 1)


def test_settings_that_cost_points_count_into_the_sum() -> None:
    catalogue = game(rule("limit", count="points", max="limit", gauge="Points"))
    assert judge(catalogue, take("soldier"), limit=9, bonus=2).legal
    report = judge(catalogue, take("soldier"), limit=10, bonus=3)
    assert only(report).measured == report.spent == 11
    assert [(part.label, part.amount) for part in report.gauges[0].parts] == [
        ("Soldier", 5),
        ("Bonus", 6),
    ]


def test_models_of_a_selector_are_counted_with_only_them_as_culprits() -> None:
    catalogue = game(rule("limit", count="models", of={"ability": "big"}, max=2))
    assert judge(catalogue, take("giant"), take("soldier", 9), take("titan")).legal
    report = judge(catalogue, take("giant", 2), take("soldier", 9), take("titan"))
    finding = only(report)
    assert (finding.measured, finding.allowed, finding.units) == (3, 2, ("u1", "u3"))


def test_picks_count_lines_and_not_their_models() -> None:
    catalogue = game(rule("limit", count="picks", max=2))
    assert judge(catalogue, take("soldier", 9), take("knight", 9)).legal
    finding = only(judge(catalogue, take("soldier"), take("soldier"), take("soldier")))
    assert (finding.measured, finding.allowed) == (3, 2)


def test_points_of_a_selector_are_what_is_paid_in_a_role() -> None:
    catalogue = game(rule("limit", count="points", of={"role": "reserve"}, max=10))
    assert judge(catalogue, take("giant", 1, "reserve")).legal
    finding = only(judge(catalogue, take("soldier", 4, "reserve")))
    assert finding.measured == 12, "four models at 5 / 2, each rounded up to 3"


def test_a_list_without_models_is_too_few() -> None:
    catalogue = game(rule("limit", count="models", min=1))
    assert judge(catalogue, take("soldier")).legal
    finding = only(judge(catalogue))
    assert (finding.measured, finding.allowed, finding.units) == (0, 1, ())


@pytest.mark.parametrize(
    ("pieces", "verdict"),
    [
        (["rock"], True),
        (["idol", "rock"], True),
        (["idol", "altar"], False),
        (["altar"] * 2, False),
    ],
)
def test_pieces_are_counted_by_their_tags_and_repeats_count(
    pieces: list[str], verdict: bool
) -> None:
    catalogue = game(rule("limit", count="pieces", setting="terrain", of={"tag": "lone"}, max=1))
    report = judge(catalogue, terrain=pieces)
    assert report.legal is verdict
    if not verdict:
        assert (only(report).measured, only(report).allowed, only(report).units) == (2, 1, ())


def test_a_minimum_and_a_maximum_of_one_rule_are_both_watched() -> None:
    catalogue = game(rule("limit", count="models", min=2, max=3))
    verdicts = [judge(catalogue, take("soldier", models)).legal for models in (1, 2, 3, 4)]
    assert verdicts == [False, True, True, False]


def test_a_gauge_tells_number_bounds_and_parts() -> None:
    catalogue = game(rule("limit", count="models", min=2, max=3, gauge="Models"))
    gauge = judge(catalogue, take("soldier", 4, name="Bert")).gauges[0]
    assert (gauge.name, gauge.used, gauge.minimum, gauge.maximum) == ("Models", 4, 2, 3)
    assert not gauge.ok
    assert [(part.unit, part.label, part.amount) for part in gauge.parts] == [("u1", "Bert", 4)]


def test_a_severity_other_than_error_leaves_the_list_legal() -> None:
    catalogue = game(rule("limit", count="models", max=1, severity="warning"))
    report = judge(catalogue, take("soldier", 2))
    assert report.legal
    assert [finding.severity for finding in report.findings] == [Severity.WARNING]


def test_copies_of_one_unit_are_counted_over_all_its_lines() -> None:
    catalogue = game(rule("copies", of={"ability": "big"}, min=2, max=3))
    assert judge(catalogue, take("giant"), take("soldier"), take("giant")).legal
    assert judge(catalogue, take("giant", 2), take("giant")).legal
    few = only(judge(catalogue, take("giant"), take("soldier")))
    assert (few.measured, few.allowed, few.units, few.about.text) == (1, 2, ("u1",), "book/giant")
    many = only(judge(catalogue, take("giant", 3), take("soldier"), take("giant")))
    assert (many.measured, many.allowed, many.units) == (4, 3, ("u1", "u3"))


def test_copies_of_two_units_are_two_findings() -> None:
    catalogue = game(rule("copies", of={"ability": "big"}, min=2))
    report = judge(catalogue, take("giant"), take("titan"))
    assert [finding.about.text for finding in report.findings] == ["book/giant", "book/titan"]
    assert [finding.values["unit"] for finding in report.findings] == ["Giant", "Titan"]


def test_copies_say_nothing_of_units_that_are_not_there_or_not_meant() -> None:
    catalogue = game(rule("copies", of={"ability": "big"}, min=2))
    assert judge(catalogue, take("soldier")).findings == ()


SIDES = [
    unit("saint", 5, side="good"),
    unit("fiend", 5, side="evil"),
    unit("cat", 5, side="neutral"),
]


def test_two_sides_that_clash_are_told_with_all_their_models() -> None:
    catalogue = game(rule("clash", between=[{"side": "good"}, {"side": "evil"}]), units=SIDES)
    assert judge(catalogue, take("saint", 2), take("cat")).legal
    assert judge(catalogue, take("fiend", 2), take("cat")).legal
    finding = only(judge(catalogue, take("fiend"), take("cat"), take("saint", 3)))
    assert finding.units == ("u1", "u3")
    assert finding.values == {"first": 3, "second": 1}
    assert (finding.measured, finding.allowed) == (1, 0), "one model fewer would mend it"


def test_a_price_cap_is_on_the_normal_points_of_one_model() -> None:
    catalogue = game(
        rule("price-cap", of={"role": "reserve"}, max={"share": "1/10", "of": "limit"})
    )
    assert judge(catalogue, take("knight", 3, "reserve"), limit=80).legal
    finding = only(judge(catalogue, take("soldier"), take("knight", 1, "reserve"), limit=79))
    assert (finding.measured, finding.allowed, finding.units) == (8, 7, ("u2",))
    assert judge(catalogue, take("giant"), limit=10).legal, "not in reserve"


def test_two_costly_units_are_two_findings_of_a_price_cap() -> None:
    catalogue = game(rule("price-cap", of={"role": "reserve"}, max=7))
    tom = take("giant", 1, "reserve", name="Tom")
    report = judge(catalogue, take("knight", 1, "reserve"), tom)
    assert [finding.values["unit"] for finding in report.findings] == ["Knight", "Tom"]
    assert [finding.units for finding in report.findings] == [("u1",), ("u2",)]


def test_pieces_must_suit_the_other_settings() -> None:
    for ground, pieces, wrong in [
        ("open", ["tree", "rock"], []),
        ("open", ["idol", "tree", "idol"], ["Idol", "Idol"]),
        ("cave", ["idol", "altar"], []),
        ("cave", ["tree"], ["Tree"]),
    ]:
        catalogue = game(rule("available", setting="terrain"))
        report = judge(catalogue, ground=ground, terrain=pieces)
        found: list[Any] = [
            (finding.values["names"], finding.measured) for finding in report.findings
        ]
        assert found == ([(wrong, len(wrong))] if wrong else []), (ground, pieces)


def test_pieces_of_a_table_bound_follow_both_settings() -> None:
    table = {"open": {"2": 3, "4": 1}, "cave": {"2": 4}}
    bound = {"by": ["ground", "players"], "table": table}
    catalogue = game(rule("limit", count="pieces", setting="terrain", min=bound, max=bound))

    def allowed(players: int, ground: str) -> int | None:
        return only(judge(catalogue, players=players, ground=ground)).allowed

    assert [allowed(players, "open") for players in (2, 3, 4, 9)] == [3, 3, 1, 1]
    assert [allowed(players, "cave") for players in (2, 9)] == [4, 4]


def test_findings_stand_in_the_order_gravity_rule_place() -> None:
    catalogue = game(
        rule("limit", "tiny.note", id="a", count="models", max=0, severity="note"),
        rule("copies", "tiny.copies", id="b", max=1),
        rule("limit", "tiny.first", id="c", count="models", max=0),
    )
    report = judge(catalogue, take("knight", 2), take("soldier", 2), take("gone"))
    assert [(finding.code, finding.units[0]) for finding in report.findings] == [
        ("unit.unknown", "u3"),
        ("tiny.copies", "u1"),
        ("tiny.copies", "u2"),
        ("tiny.first", "u1"),
        ("tiny.note", "u1"),
    ]


def test_a_finding_points_to_its_rule_and_cites_it() -> None:
    catalogue = game(
        rule("limit", id="a", count="models", min=0),
        rule("limit", id="b", count="models", max=0, cite={"source": "faq", "place": "page 7"}),
    )
    head = only(judge(catalogue, take("soldier"))).head
    assert (head.pointer, head.id, str(head.citation)) == ("/rules/1", "b", "Tiny FAQ page 7")


def test_unknown_units_stay_and_count_nothing() -> None:
    catalogue = game(rule("limit", count="models", max=1))
    report = judge(catalogue, take("gone", 5), take("soldier"))
    assert codes(report) == ["unit.unknown"]
    assert only(report).units == ("u1",)
    assert (report.spent, report.models) == (5, 1)


def test_the_gauge_of_pieces_has_one_part_for_each() -> None:
    catalogue = game(
        rule("limit", count="pieces", setting="terrain", of={"tag": "lone"}, max=1, gauge="Lone")
    )
    gauge = judge(catalogue, terrain=["idol", "rock", "altar"]).gauges[0]
    assert [(part.label, part.amount) for part in gauge.parts] == [("Idol", 1), ("Altar", 1)]
    assert (gauge.used, gauge.maximum) == (2, 1)


def test_the_gauge_of_some_points_leaves_the_settings_out() -> None:
    catalogue = game(rule("limit", count="points", of={"ability": "big"}, max=50, gauge="Big"))
    gauge = judge(catalogue, take("giant"), take("soldier"), bonus=3).gauges[0]
    assert gauge.used == sum(part.amount for part in gauge.parts) == 20


def test_a_rule_not_asked_of_each_line_up_is_judged_with_all_models() -> None:
    once = rule("limit", count="models", max=1)
    report = judge(game(once, sometimes="reserve"), take("soldier"), take("knight", 1, "reserve"))
    assert (only(report).measured, only(report).lineup) == (2, "")
    both = rule("limit", count="models", max=1, each_lineup=True)
    report = judge(game(both, sometimes="reserve"), take("soldier"), take("knight", 1, "reserve"))
    assert (only(report).measured, only(report).lineup) == (2, "with the reserve")
