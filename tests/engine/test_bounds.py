"""Bounds and shares: whole numbers, rounded so that comparing them is exact."""

from fractions import Fraction
from math import ceil, floor
from types import SimpleNamespace
from typing import Any

import pytest

from armybuilder.engine.bounds import read_bound
from armybuilder.engine.prices import Share


def standing(limit: int = 100, models: int = 7, **settings: Any) -> Any:
    return SimpleNamespace(roster=SimpleNamespace(limit=limit, settings=settings), models=models)


@pytest.mark.parametrize(
    ("limit", "most", "least"),
    [(99, 33, 33), (100, 33, 34), (101, 33, 34), (102, 34, 34), (1, 0, 1)],
)
def test_at_most_a_third_rounds_down_and_at_least_a_third_up(
    limit: int, most: int, least: int
) -> None:
    bound = read_bound({"share": "1/3", "of": "limit"})
    assert bound is not None
    assert (bound.upper(standing(limit)), bound.lower(standing(limit))) == (most, least)


def test_a_share_of_the_models_goes_by_their_number() -> None:
    bound = read_bound({"share": "1/2", "of": "models"})
    assert bound is not None
    assert (bound.upper(standing(models=7)), bound.lower(standing(models=7))) == (3, 4)


def test_a_share_is_exact_where_floats_are_not() -> None:
    for numerator, denominator in ((1, 3), (2, 3), (1, 10), (7, 10), (33, 100)):
        share = Share.read(f"{numerator}/{denominator}")
        for number in (*range(200), 10**17 + 1):
            exact = Fraction(numerator, denominator) * number
            assert (share.up(number), share.down(number)) == (ceil(exact), floor(exact))


def test_bounds_are_read_from_numbers_and_names() -> None:
    fixed, limit, models = read_bound(5), read_bound("limit"), read_bound("models")
    assert fixed
    assert limit
    assert models
    assert [bound.upper(standing()) for bound in (fixed, limit, models)] == [5, 100, 7]
    assert [bound.lower(standing()) for bound in (fixed, limit, models)] == [5, 100, 7]
    assert read_bound(None) is None
    assert read_bound(0) is not None, "nothing at all is a bound too"


@pytest.mark.parametrize(("players", "number"), [(1, 3), (2, 3), (4, 3), (5, 1), (99, 1)])
def test_a_table_takes_the_largest_step_that_is_not_above(players: int, number: int) -> None:
    bound = read_bound({"by": ["ground", "players"], "table": {"open": {"5": 1, "2": 3}}})
    assert bound is not None
    stands = standing(ground="open", players=players)
    assert bound.upper(stands) == bound.lower(stands) == number


def test_a_table_over_something_other_than_a_number_is_a_bug_and_not_a_verdict() -> None:
    bound = read_bound({"by": ["ground", "players"], "table": {"open": {"2": 3}}})
    assert bound is not None
    with pytest.raises(TypeError):
        bound.upper(standing(ground="open", players="two"))
