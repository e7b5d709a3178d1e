"""Bounds and shares: whole numbers, rounded so that comparing them is exact."""

from fractions import Fraction
from math import ceil, floor
from types import SimpleNamespace
from typing import Any

import pytest

from armybuilder.engine.algebra import WHOLE
from armybuilder.engine.ends import End, read_end
from armybuilder.engine.prices import Share
from armybuilder.engine.space.constraints import FALSE, TRUE
from armybuilder.loading.systems import build_system
from tests.building.tiny import MOST, game, judge, rule, system_data, take, unit, with_settings


def tally(limit: int = 100, models: int = 7, **settings: Any) -> Any:
    return SimpleNamespace(
        roster=SimpleNamespace(limit=limit, settings=settings),
        all_models=lambda: models,
        algebra=WHOLE,
        among=lambda setting, values: TRUE if settings[setting] in values else FALSE,
    )


def some_bound(data: Any) -> End:
    bound = read_end(data)
    assert bound is not None
    return bound


@pytest.mark.parametrize(
    ("limit", "most", "least"),
    [(99, 33, 33), (100, 33, 34), (101, 33, 34), (102, 34, 34), (1, 0, 1)],
)
def test_at_most_a_third_rounds_down_and_at_least_a_third_up(
    limit: int, most: int, least: int
) -> None:
    bound = some_bound({"share": "1/3", "of": "limit"})
    assert (bound.upper(tally(limit)), bound.lower(tally(limit))) == (most, least)


def test_bounds_and_shares_are_whole_numbers() -> None:
    # A share of the models goes by their number.
    bound = some_bound({"share": "1/2", "of": "models"})
    assert (bound.upper(tally(models=7)), bound.lower(tally(models=7))) == (3, 4)
    # A share is exact where floats are not.
    for numerator, denominator in ((1, 3), (2, 3), (1, 10), (7, 10), (33, 100)):
        share = Share.read(f"{numerator}/{denominator}")
        for number in (*range(200), 10**17 + 1):
            exact = Fraction(numerator, denominator) * number
            assert (share.up(number), share.down(number)) == (ceil(exact), floor(exact))
    # Bounds are read from numbers and names.
    bounds = [some_bound(data) for data in (5, "limit", "models")]
    assert [bound.upper(tally()) for bound in bounds] == [5, 100, 7]
    assert [bound.lower(tally()) for bound in bounds] == [5, 100, 7]
    assert read_end(None) is None
    assert read_end(0) is not None, "nothing at all is a bound too"


@pytest.mark.parametrize(("players", "number"), [(1, 3), (2, 3), (4, 3), (5, 1), (99, 1)])
def test_a_table_takes_the_largest_step_that_is_not_above(players: int, number: int) -> None:
    bound = some_bound({"by": ["ground", "players"], "table": {"open": {"5": 1, "2": 3}}})
    stands = tally(ground="open", players=players)
    assert bound.upper(stands) == bound.lower(stands) == number


def test_tables_may_have_no_bound_and_go_by_numbers() -> None:
    # A table over something other than a number is a bug and not a verdict.
    bound = some_bound({"by": ["ground", "players"], "table": {"open": {"2": 3}}})
    with pytest.raises(TypeError):
        bound.upper(tally(ground="open", players="two"))
    # A row of a table may have no bound.
    table = {"open": {"2": 3}, "cave": {"2": None, "4": 1}}
    bound = some_bound({"by": ["ground", "players"], "table": table})
    numbers = {
        (ground, players): (
            bound.upper(tally(ground=ground, players=players)),
            bound.lower(tally(ground=ground, players=players)),
        )
        for ground in table
        for players in (2, 4)
    }
    assert numbers == {
        ("open", 2): (3, 3),
        ("open", 4): (3, 3),
        ("cave", 2): (None, None),
        ("cave", 4): (1, 1),
    }


@pytest.mark.parametrize(
    ("limit", "agreed", "number"),
    [(50, None, 6), (50, 9, 6), (100, 9, 8), (75, None, None), (75, 9, 9), (101, None, None)],
)
def test_a_bound_by_game_size_is_else_what_the_players_agreed_on(
    limit: int, agreed: int | None, number: int | None
) -> None:
    bound = some_bound({"sizes": {"50": 6, "100": 8}, "setting": "most"})
    stands = tally(limit=limit, most=agreed)
    assert (bound.upper(stands), bound.lower(stands)) == (number, number)


BY_SIZE = {"sizes": {"50": 6}, "setting": "most"}
BY_TABLE = {"by": ["ground", "players"], "table": {"open": {"2": 6}, "cave": {"2": None}}}


@pytest.mark.parametrize("bound", [BY_SIZE, BY_TABLE], ids=["by size", "by table"])
@pytest.mark.parametrize(
    ("kind", "more"), [("limit", {"count": "models"}), ("copies", {}), ("price-cap", {"of": {}})]
)
def test_where_there_is_no_bound_no_rule_is_broken(kind: str, more: Any, bound: Any) -> None:
    catalogue = game(
        rule(kind, max=bound, **more), units=[unit("soldier", 7)], settings=with_settings(MOST)
    )
    assert not judge(catalogue, take("soldier", 7), limit=50).legal
    assert judge(catalogue, take("soldier", 7), limit=75, ground="cave").legal


def test_a_gauge_without_a_bound_has_no_maximum() -> None:
    # A bound by game size of a setting that is not there is none.
    bound = some_bound({"sizes": {"50": 0}, "setting": "most"})
    assert (bound.upper(tally(limit=75)), bound.upper(tally(limit=50))) == (None, 0)
    # A gauge without a bound has no maximum.
    limit = rule("limit", count="models", max=BY_SIZE, min=BY_SIZE, gauge="Models")
    catalogue = game(limit, settings=with_settings(MOST))
    gauge = judge(catalogue, take("soldier"), limit=75).gauges[0]
    assert (gauge.minimum, gauge.maximum, gauge.ok) == (None, None, True)
    gauge = judge(catalogue, take("soldier"), limit=75, most=1).gauges[0]
    assert (gauge.minimum, gauge.maximum, gauge.ok) == (1, 1, True)


def test_too_much_stays_too_much_but_where_more_models_raise_the_bound() -> None:
    for most, lasts in [(2, True), ({"share": "1/2", "of": "limit"}, True), ("models", False)]:
        data = system_data(rule("limit", count="models", of={"ability": "wild"}, max=most))
        system, problems = build_system(data, "tiny/system.json")
        assert system, problems
        (limit,) = system.rules
        assert bool(limit.lasting) is lasts, most
