"""Kinds of rules that events need beside those of games: weighted, each-unit, some-of, fixed,
game-size, books; and copies that count units.
"""

from typing import Any

import pytest

from armybuilder.engine.about import AboutBook
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.sentences import sentence
from armybuilder.engine.states import State
from armybuilder.engine.weights import fraction
from tests.building.event_lists import event_game
from tests.building.regiments import army, unit
from tests.building.tiny import codes, document, game, judge, only, rule, take
from tests.solving.agreement import verdicts_of

Data = dict[str, Any]


def agrees(catalogue: Catalogue, *entries: Data, limit: int = 100, **settings: Any) -> bool:
    """Whether constraints say of a list what its report says."""
    books = [book.id for book in catalogue.books]
    made = document(*entries, limit=limit, settings=settings, books=books)
    both = verdicts_of(made, catalogue)
    return both.judged == both.constrained


MACHINES = game(
    rule(
        "weighted",
        counts=[
            {"of": {"ability": "bow"}, "count": "models", "each": "1/2"},
            {"of": {"ability": "big"}, "count": "models"},
        ],
        max=2,
    )
)


@pytest.mark.parametrize(
    ("bows", "giants", "told"),
    [
        (4, 0, ""),
        (2, 1, ""),
        (0, 2, ""),
        (5, 0, "The tiny rule. Here: 2 1/2, at most 2."),
        (3, 1, "The tiny rule. Here: 2 1/2, at most 2."),
        (0, 3, "The tiny rule. Here: 3, at most 2."),
    ],
)
def test_each_thing_counts_for_its_weight(bows: int, giants: int, told: str) -> None:
    entries = [
        take(name, number) for name, number in (("archer", bows), ("giant", giants)) if number
    ]
    report = judge(MACHINES, *entries)
    assert [sentence(finding) for finding in report.findings] == ([told] if told else [])
    assert agrees(MACHINES, *entries)


def test_what_is_weighed_has_a_lower_bound_too() -> None:
    needy = game(rule("weighted", counts=[{"of": {"ability": "bow"}, "each": 3}], min=3))
    finding = only(judge(needy, take("soldier")))
    assert (finding.measured, finding.allowed, finding.state) == (0, 3, State.MISSING)
    assert codes(judge(needy, take("archer"))) == []
    assert agrees(needy, take("soldier"))


def test_one_unit_counts_for_all_that_it_is() -> None:
    both = [{"of": {"ability": "big"}}, {"of": {"ability": "huge"}, "each": 2}]
    catalogue = game(rule("weighted", counts=both, max=2))
    finding = only(judge(catalogue, take("titan")))
    assert (finding.measured, finding.units) == (3, ("u1",))
    assert agrees(catalogue, take("titan"))


@pytest.mark.parametrize(
    ("parts", "whole", "text"),
    [(0, 2, "0"), (1, 2, "1/2"), (5, 2, "2 1/2"), (6, 2, "3"), (2, 6, "1/3"), (10, 6, "1 2/3")],
)
def test_parts_are_written_as_fractions(parts: int, whole: int, text: str) -> None:
    assert fraction(parts, whole) == text


def test_one_unit_may_not_be_too_large_or_too_dear() -> None:
    crowd = game(rule("each-unit", count="models", of={"not": {"ability": "bow"}}, max=3))
    finding = only(judge(crowd, take("soldier", 4), take("archer", 9), take("knight", 3)))
    assert (finding.units, finding.measured, finding.allowed) == (("u1",), 4, 3)
    assert sentence(finding) == "Soldier: 4, at most 3. The tiny rule."
    assert agrees(crowd, take("soldier", 4), take("archer", 9))
    dear = game(rule("each-unit", count="points", min=6, max=20))
    reports = judge(dear, take("soldier"), take("titan"), take("knight", 2))
    assert [finding.units for finding in reports.findings] == [("u1",), ("u2",)]
    assert agrees(dear, take("soldier"), take("titan"), take("knight", 2))


RESTRICTIONS = game(
    rule(
        "some-of",
        least=2,
        among=[
            {"name": "no archers", "counts": [{"of": {"ability": "bow"}}], "max": 0},
            {"name": "no giants", "counts": [{"of": {"ability": "big"}}], "max": 0},
            {"name": "one soldier", "counts": [{"of": {"unit": "book/soldier"}}], "min": 1},
        ],
    )
)


def test_some_of_several_restrictions_must_be_kept() -> None:
    for units, broken in [
        (("soldier",), None),
        (("soldier", "archer"), None),
        (("knight",), None),
        (("knight", "archer"), "no archers and one soldier"),
        (("soldier", "archer", "giant"), "no archers and no giants"),
        (("archer", "giant"), "no archers, no giants and one soldier"),
    ]:
        entries = [take(name) for name in units]
        report = judge(RESTRICTIONS, *entries)
        assert agrees(RESTRICTIONS, *entries), units
        if broken is None:
            assert codes(report) == [], units
            continue
        finding = only(report)
        kept = 3 - len(finding.values["names"])  # type: ignore[arg-type]
        assert finding.state is State.BROKEN, units
        assert sentence(finding) == (
            f"The tiny rule. Kept: {kept} of 3, at least 2 needed. Not kept: {broken}."
        ), units


def test_a_setting_is_fixed() -> None:
    cave = game(rule("fixed", setting="ground", values=["cave"]))
    finding = only(judge(cave, take("soldier")))
    assert sentence(finding) == "Ground: Open. Needed: Cave. The tiny rule."
    assert codes(judge(cave, take("soldier"), ground="cave")) == []
    assert agrees(cave, take("soldier"))
    assert list(finding.rule.values_for(finding, ())) == [("ground", "cave")]
    few = game(rule("fixed", setting="players", values=[2, 4]))
    assert codes(judge(few, take("soldier"))) == []
    assert only(judge(few, take("soldier"), players=3)).values["wanted"] == "2 or 4"
    assert agrees(few, take("soldier"), players=3)
    red = game(rule("fixed", setting="faction", values=["red"]))
    assert sentence(only(judge(red, take("soldier")))).startswith(
        "Faction on a tie: nothing chosen"
    )
    assert agrees(red, take("soldier"), faction="red")
    bonus = game(rule("fixed", setting="bonus", values=[0, 3]))
    assert agrees(bonus, take("soldier"), bonus=2)
    assert agrees(bonus, take("soldier"), bonus=3)


def test_a_list_is_for_the_right_size_of_game() -> None:
    sizes = game(rule("game-size", sizes=[50, 75]))
    finding = only(judge(sizes, take("soldier"), limit=100))
    assert sentence(finding) == "The list is for 100 points. Needed: 50 or 75. The tiny rule."
    assert codes(judge(sizes, take("soldier"), limit=75)) == []
    assert agrees(sizes, take("soldier"), limit=100)
    assert agrees(sizes, take("soldier"), limit=50)


@pytest.mark.parametrize(
    ("parameters", "is_refused"),
    [
        ({"allow": ["book"]}, False),
        ({"allow": ["other"]}, True),
        ({"deny": ["book"]}, True),
        ({"kinds": ["invented"]}, False),
        ({"kinds": ["official", "own"]}, True),
        ({"revisions": {"other": "0" * 64}}, False),
        ({"revisions": {"book": "0" * 64}}, True),
    ],
)
def test_books_are_refused(parameters: Data, is_refused: bool) -> None:
    catalogue = event_game(rule("books", **parameters))
    report = judge(catalogue, take("soldier"), take("knight"))
    assert agrees(catalogue, take("soldier"), take("knight"))
    if not is_refused:
        assert codes(report) == []
        return
    finding = only(report)
    assert (finding.units, finding.about) == (("u1", "u2"), AboutBook("book"))
    assert sentence(finding) == "Tiny book: not allowed. The tiny rule."
    going = finding.rule.removals(report.full)
    assert [[line.pick.id for line in lines] for lines in going or ()] == [["u1", "u2"]]


def test_the_same_unit_is_on_the_list_only_so_often() -> None:
    most = rule("copies", of={"not": {"unit": "book/scout"}}, count="units", max=2)
    twice = army(unit("guard"), unit("scout"), rules=[most])
    three = [take("guard", 2), take("guard"), take("guard")]
    assert codes(judge(twice, *three[:2])) == []
    finding = only(judge(twice, *three))
    assert (finding.measured, finding.allowed, finding.units) == (3, 2, ("u1", "u2", "u3"))
    assert codes(judge(twice, *[take("scout")] * 3)) == []
    assert agrees(twice, *three)
