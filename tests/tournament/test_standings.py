"""Standings worked out by hand."""

import pytest

from armybuilder.tournament.standings import Game, Scoring, ScoringKind, TieBreak, standings

#: Two rounds of five: 1 beats 2, 3 and 4 draw, 5 has a bye; then 1 beats 3, 4 beats 5, 2 a bye.
GAMES = [
    Game(1, 2, 10, 4),
    Game(3, 4, 7, 7),
    Game(5),
    Game(1, 3, 12, 2),
    Game(4, 5, 9, 8),
    Game(2),
]


def placed(*tie_breaks: TieBreak, **said: object) -> list[tuple[int, int, int]]:
    scoring = Scoring(**said)  # type: ignore[arg-type]
    rows = standings(range(1, 6), GAMES, scoring, tie_breaks, {})
    return [(row.place, row.key, row.points) for row in rows]


def test_points_come_first_and_equals_share_a_place() -> None:
    assert placed() == [(1, 1, 6), (2, 4, 4), (3, 2, 3), (3, 5, 3), (5, 3, 1)]


def test_tie_breaks_part_equals_in_their_order() -> None:
    # 2 met 1 (6 points), 5 met 4 (4 points); 2 lost by six, 5 by one.
    assert [key for _place, key, _points in placed(TieBreak.OPPONENTS)][2:4] == [2, 5]
    assert [key for _place, key, _points in placed(TieBreak.DIFFERENCE)][2:4] == [5, 2]
    assert [key for _place, key, _points in placed(TieBreak.SCORED)][2:4] == [5, 2]
    assert placed(TieBreak.WINS)[2:4] == [(3, 2, 3), (3, 5, 3)]


def test_points_that_are_entered_are_the_points() -> None:
    assert placed(kind=ScoringKind.POINTS, bye=10) == [
        (1, 1, 22),
        (2, 5, 18),
        (3, 4, 16),
        (4, 2, 14),
        (5, 3, 9),
    ]


@pytest.mark.parametrize(("extra", "first"), [({4: 3}, 4), ({1: -5}, 4), ({3: 1}, 1)])
def test_penalties_and_bonuses_count(extra: dict[int, int], first: int) -> None:
    rows = standings(range(1, 6), GAMES, Scoring(), [], extra)
    assert rows[0].key == first
    assert {row.key: row.extra for row in rows if row.extra} == extra


def test_an_event_without_games_has_everybody_first() -> None:
    rows = standings([3, 1, 2], [], Scoring(), [TieBreak.OPPONENTS], {})
    assert [(row.place, row.key) for row in rows] == [(1, 3), (1, 1), (1, 2)]
