"""Draws against all draws there are, and whole tournaments drawn by chance."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from unittest.mock import patch

import pytest

from armybuilder.tournament.pairing import BLOCK, Contender, draw_round
from armybuilder.tournament.pairing import shuffled as by_chance
from armybuilder.tournament.standings import Game, Scoring, TieBreak, standings
from tests.effort import scaled
from tests.tournament.fields import all_draws, cost_of, random_field

FIELDS, TOURNAMENTS = scaled(60, 300, 300), scaled(2, 15, 200)


@pytest.mark.parametrize("clubs_apart", [False, True])
def test_no_other_draw_of_a_small_field_is_better(clubs_apart: bool) -> None:
    chance = Random(41)  # noqa: S311, chance for tests alone
    for _number in range(FIELDS):
        ranked = random_field(chance, chance.randint(2, 8))
        drawn = draw_round(ranked, clubs_apart)
        draws = all_draws([one.key for one in ranked])
        least = min(cost_of(ranked, draw, clubs_apart) for draw in draws)
        assert cost_of(ranked, drawn, clubs_apart) == least, ranked


def test_blocks_of_a_field_are_drawn_as_well_as_the_whole() -> None:
    ranked = [
        replace(one, met=frozenset({one.key ^ 1}), had_bye=False)
        for one in random_field(Random(5), BLOCK)  # noqa: S311
    ]
    whole = draw_round(ranked)
    with patch("armybuilder.tournament.pairing.BLOCK", BLOCK // 3):
        blocks = draw_round(ranked)
    assert cost_of(ranked, blocks, clubs_apart=False)[0] == 0
    scores, least = (cost_of(ranked, one, clubs_apart=False)[2] for one in (blocks, whole))
    assert least <= scores <= least + 2


@pytest.mark.slow
def test_tournaments_have_no_game_twice_and_no_second_bye() -> None:
    chance = Random(12)  # noqa: S311
    for _number in range(TOURNAMENTS):
        count = chance.randint(8, 200)
        rounds = chance.randint(3, 5)
        games = play(chance, count, rounds)
        pairs = [frozenset((game.first, game.second)) for game in games]
        assert len(set(pairs)) == len(pairs) == rounds * ((count + 1) // 2)


def play(chance: Random, count: int, rounds: int) -> list[Game]:
    """The games of a tournament; everybody is in each round once."""
    games: list[Game] = []
    scoring = Scoring()
    for _round in range(rounds):
        ranked = standings(range(count), games, scoring, [TieBreak.OPPONENTS], {})
        contenders = [Contender(one.key, one.points) for one in ranked]
        field = [with_games(one, games) for one in contenders]
        drawn = draw_round(field)
        assert sorted(key for pair in drawn for key in pair if key is not None) == list(
            range(count)
        )
        games += [
            Game(one, other, chance.randint(0, 20), chance.randint(0, 20)) for one, other in drawn
        ]
    return games


def with_games(one: Contender, games: Sequence[Game]) -> Contender:
    sides = [(game.first, game.second) for game in games if one.key in (game.first, game.second)]
    others = [b if a == one.key else a for a, b in sides]
    met = frozenset(other for other in others if other is not None)
    return replace(one, met=met, had_bye=None in others)


def test_clubs_are_kept_apart_where_that_can_be() -> None:
    field = [Contender(key, club="Mill" if key < 4 else f"{key}") for key in range(8)]
    for seed in range(20):
        drawn = draw_round(by_chance(field, Random(seed)), clubs_apart=True)  # noqa: S311
        assert cost_of(field, drawn, clubs_apart=True)[:2] == (0, 0)


def test_a_game_within_a_club_is_better_than_one_played_before() -> None:
    field = [
        Contender(1, club="Mill", met=frozenset({3, 4})),
        Contender(2, club="Mill", met=frozenset({3, 4})),
        Contender(3, met=frozenset({1, 2})),
        Contender(4, met=frozenset({1, 2})),
    ]
    assert draw_round(field, clubs_apart=True) == [(1, 2), (3, 4)]


def test_the_bye_goes_to_the_last_who_has_had_none() -> None:
    field = [Contender(1, 6), Contender(2, 3), Contender(3, 0, had_bye=True)]
    assert draw_round(field) == [(1, 3), (2, None)]
    assert draw_round([Contender(7)]) == [(7, None)]
    assert draw_round([]) == []


def test_equal_scores_meet_and_the_best_play_at_the_first_table() -> None:
    field = [Contender(key, 6 if key < 4 else 0) for key in range(8)]
    assert draw_round(field) == [(0, 1), (2, 3), (4, 5), (6, 7)]


def test_chance_does_not_look_at_scores() -> None:
    field = [Contender(key, key, met=frozenset({key ^ 1})) for key in range(8)]
    draws = {tuple(draw_round(by_chance(field, Random(seed)))) for seed in range(20)}  # noqa: S311
    assert len(draws) > 10
    assert all(a ^ 1 != b for draw in draws for a, b in draw)
