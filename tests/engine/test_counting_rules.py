"""Rules that count over the list: limit, copies, clash, price-cap, available."""

from typing import Any

from armybuilder.engine import Severity
from tests.building.tiny import game, judge, only, rule, take, unit
from tests.engine.tables import claim, claims, hold, judged

SIDES = [
    unit("saint", 5, side="good"),
    unit("fiend", 5, side="evil"),
    unit("cat", 5, side="neutral"),
]
BY_BOTH = {"by": ["ground", "players"], "table": {"open": {"2": 3, "4": 1}, "cave": {"2": 4}}}


@claims(
    {
        "points may reach the limit but not pass it": claim(
            rule("limit", count="points", max="limit"),
            lists={"soldier 10 | limit=50": "", "soldier 10, knight | limit=57": "58/57 u1 u2"},
        ),
        "a minimum of points is met exactly": claim(
            rule("limit", count="points", min={"share": "1/2", "of": "limit"}),
            lists={"soldier 10 | limit=100": "", "soldier 10 | limit=101": "50/51 u1"},
        ),
        "models of a selector are counted with only them as culprits": claim(
            rule("limit", count="models", of={"ability": "big"}, max=2),
            lists={"giant, soldier 9, titan": "", "giant 2, soldier 9, titan": "3/2 u1 u3"},
        ),
        "picks of models that are bought singly are these, in however many lines": claim(
            rule("limit", count="picks", max=2),
            lists={"soldier 2": "", "soldier 3": "3/2 u1", "soldier 2, soldier": "3/2 u1 u2"},
        ),
        "points of a selector are what is paid in a role, each model rounded up": claim(
            rule("limit", count="points", of={"role": "reserve"}, max=10),
            lists={"giant reserve": "", "soldier 4 reserve": "12/10 u1"},
        ),
        "a list without models is too few": claim(
            rule("limit", count="models", min=1), lists={"soldier": "", "": "0/1"}
        ),
        "pieces are counted by their tags and repeats count": claim(
            rule("limit", count="pieces", setting="terrain", of={"tag": "lone"}, max=1),
            lists={
                "| terrain=rock": "",
                "| terrain=idol+rock": "",
                "| terrain=idol+altar": "2/1",
                "| terrain=altar+altar": "2/1",
            },
        ),
        "pieces of a table bound follow both settings": claim(
            rule("limit", count="pieces", setting="terrain", min=BY_BOTH, max=BY_BOTH),
            lists={
                **{f"| players={number} ground=open": "0/3" for number in (2, 3)},
                **{f"| players={number} ground=open": "0/1" for number in (4, 9)},
                **{f"| players={number} ground=cave": "0/4" for number in (2, 9)},
            },
        ),
        "a minimum and a maximum of one rule are both watched": claim(
            rule("limit", count="models", min=2, max=3),
            lists={"soldier": "1/2 u1", "soldier 2": "", "soldier 3": "", "soldier 4": "4/3 u1"},
        ),
        "copies of one unit are counted over all its lines": claim(
            rule("copies", of={"ability": "big"}, min=2, max=3),
            lists={
                "giant, soldier, giant": "",
                "giant 2, giant": "",
                "giant, soldier": "1/2 u1",
                "giant 3, soldier, giant": "4/3 u1 u3",
            },
        ),
        "copies say nothing of units that are not there or not meant": claim(
            rule("copies", of={"ability": "big"}, min=2), lists={"soldier": ""}
        ),
        "two sides that clash are told with all their models, the fewer are too many": claim(
            rule("clash", between=[{"side": "good"}, {"side": "evil"}]),
            units=SIDES,
            lists={"saint 2, cat": "", "fiend 2, cat": "", "fiend, cat, saint 3": "1/0 u1 u3"},
        ),
        "a price cap is on the normal points of one model of those that are meant": claim(
            rule("price-cap", of={"role": "reserve"}, max={"share": "1/10", "of": "limit"}),
            lists={
                "knight 3 reserve | limit=80": "",
                "soldier, knight reserve | limit=79": "8/7 u2",
                "giant | limit=10": "",
            },
        ),
        "findings stand in the order gravity, rule, place": claim(
            rule("limit", "tiny.note", id="a", count="models", max=0, severity="note"),
            rule("copies", "tiny.copies", id="b", max=1),
            rule("limit", "tiny.first", id="c", count="models", max=0),
            lists={
                "knight 2, soldier 2, gone": "unit.unknown u3; copies 2/1 u1; copies 2/1 u2;"
                " first 4/0 u1 u2; note note 4/0 u1 u2"
            },
        ),
        "a rule not asked of each line-up is judged with all models": claim(
            rule("limit", count="models", max=1),
            sometimes="reserve",
            lists={"soldier, knight reserve": "2/1 u1 u2"},
        ),
        "a rule asked of each line-up names it": claim(
            rule("limit", count="models", max=1, each_lineup=True),
            sometimes="reserve",
            lists={"soldier, knight reserve": "2/1 u1 u2 (with the reserve)"},
        ),
    }
)
def test_a_count_must_stay_within_its_bounds(made: Any, lists: Any) -> None:
    hold(made, lists)


def test_findings_tell_how_much_too_much_there_is() -> None:
    # How much too much it is is told as an error.
    most = game(rule("limit", count="points", max="limit"))
    finding = only(judged(most, "soldier 10, knight | limit=57"))
    assert (finding.excess, finding.severity) == (1, Severity.ERROR)
    least = game(rule("limit", count="points", min={"share": "1/2", "of": "limit"}))
    assert only(judged(least, "soldier 10 | limit=101")).excess == 1
    # Settings that cost points count into the sum.
    catalogue = game(rule("limit", count="points", max="limit", gauge="Points"))
    assert judged(catalogue, "soldier | limit=9 bonus=2").legal
    report = judged(catalogue, "soldier | limit=10 bonus=3")
    assert only(report).measured == report.spent == 11
    assert [(part.label, part.amount) for part in report.gauges[0].parts] == [
        ("Soldier", 5),
        ("Bonus", 6),
    ]
    # A severity other than error leaves the list legal.
    catalogue = game(rule("limit", count="models", max=1, severity="warning"))
    report = judged(catalogue, "soldier 2")
    assert report.legal
    assert [finding.severity for finding in report.findings] == [Severity.WARNING]


def test_findings_of_copies_clashes_and_prices_tell_of_whom_they_are() -> None:
    # Copies of two units are two findings.
    catalogue = game(rule("copies", of={"ability": "big"}, min=2))
    report = judged(catalogue, "giant, titan")
    assert [finding.about.text for finding in report.findings] == ["book/giant", "book/titan"]
    assert [finding.values["unit"] for finding in report.findings] == ["Giant", "Titan"]
    # A clash tells how many there are of each side.
    catalogue = game(rule("clash", between=[{"side": "good"}, {"side": "evil"}]), units=SIDES)
    assert only(judged(catalogue, "fiend, saint 3")).values == {"first": 3, "second": 1}
    # Two costly units are two findings of a price cap.
    catalogue = game(rule("price-cap", of={"role": "reserve"}, max=7))
    tom = take("giant", 1, "reserve", name="Tom")
    report = judge(catalogue, take("knight", 1, "reserve"), tom)
    assert [(found.values["unit"], found.units) for found in report.findings] == [
        ("Knight", ("u1",)),
        ("Tom", ("u2",)),
    ]


def test_pieces_must_suit_the_other_settings() -> None:
    catalogue = game(rule("available", setting="terrain"))
    for settings, wrong in [
        ("ground=open terrain=tree+rock", []),
        ("ground=open terrain=idol+tree+idol", ["Idol", "Idol"]),
        ("ground=cave terrain=idol+altar", []),
        ("ground=cave terrain=tree", ["Tree"]),
    ]:
        found: list[Any] = [
            (finding.values["names"], finding.measured)
            for finding in judged(catalogue, f"| {settings}").findings
        ]
        assert found == ([(wrong, len(wrong))] if wrong else []), settings


def test_a_finding_cites_its_rule_and_unknown_units_count_nothing() -> None:
    # A finding points to its rule and cites it.
    catalogue = game(
        rule("limit", id="a", count="models", min=0),
        rule("limit", id="b", count="models", max=0, cite={"source": "faq", "place": "page 7"}),
    )
    head = only(judged(catalogue, "soldier")).head
    assert (head.pointer, head.id, str(head.citation)) == ("/rules/1", "b", "Tiny FAQ page 7")
    # Unknown units stay and count nothing.
    report = judged(game(rule("limit", count="models", max=1)), "gone 5, soldier")
    assert (only(report).code, only(report).units) == ("unit.unknown", ("u1",))
    assert (report.spent, report.models) == (5, 1)


def test_gauges_tell_what_is_counted() -> None:
    # A gauge tells number bounds and parts.
    catalogue = game(rule("limit", count="models", min=2, max=3, gauge="Models"))
    gauge = judge(catalogue, take("soldier", 4, name="Bert")).gauges[0]
    assert (gauge.name, gauge.used, gauge.minimum, gauge.maximum) == ("Models", 4, 2, 3)
    assert not gauge.ok
    assert [(part.unit, part.label, part.amount) for part in gauge.parts] == [("u1", "Bert", 4)]
    # The gauge of pieces has one part for each.
    catalogue = game(
        rule("limit", count="pieces", setting="terrain", of={"tag": "lone"}, max=1, gauge="Lone")
    )
    gauge = judged(catalogue, "| terrain=idol+rock+altar").gauges[0]
    assert [(part.label, part.amount) for part in gauge.parts] == [("Idol", 1), ("Altar", 1)]
    assert (gauge.used, gauge.maximum) == (2, 1)
    # The gauge of some points leaves the settings out.
    catalogue = game(rule("limit", count="points", of={"ability": "big"}, max=50, gauge="Big"))
    gauge = judged(catalogue, "giant, soldier | bonus=3").gauges[0]
    assert gauge.used == sum(part.amount for part in gauge.parts) == 20
