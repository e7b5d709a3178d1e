"""Fields of players for draws: tournaments at random, and what a draw costs, worked out again."""

from collections.abc import Iterator, Sequence
from random import Random

from armybuilder.tournament.pairing import Contender, Pair

#: Games played before, games of one club, differences in score, differences in rank.
Cost = tuple[int, int, int, int]


def cost_of(ranked: Sequence[Contender], pairs: Sequence[Pair], clubs_apart: bool) -> Cost:
    """What speaks against a draw, the worst first."""
    place = {one.key: number for number, one in enumerate(ranked)}
    least = min(one.score for one in ranked)
    again = clubs = scores = ranks = 0
    for key, other_key in pairs:
        one = ranked[place[key]]
        if other_key is None:
            again += one.had_bye
            scores += 2 * (one.score - least)
            ranks += len(ranked) - place[key]
            continue
        other = ranked[place[other_key]]
        again += other_key in one.met
        clubs += clubs_apart and bool(one.club) and one.club == other.club
        scores += abs(one.score - other.score)
        ranks += abs(place[key] - place[other_key])
    return again, clubs, scores, ranks


def all_draws(keys: Sequence[int]) -> Iterator[list[Pair]]:
    """Every way to pair the keys, with one bye where their number is odd."""
    if len(keys) % 2:
        for bye in keys:
            rest = [key for key in keys if key != bye]
            yield from ([*pairs, (bye, None)] for pairs in all_draws(rest))
        return
    if not keys:
        yield []
        return
    first, *others = keys
    for other in others:
        rest = [key for key in others if key != other]
        yield from ([(first, other), *pairs] for pairs in all_draws(rest))


def random_field(chance: Random, count: int) -> list[Contender]:
    """A ranked field in the middle of a tournament."""
    met: dict[int, set[int]] = {key: set() for key in range(count)}
    for _round in range(chance.randint(0, 4)):
        keys = chance.sample(range(count), count)
        for one, other in zip(keys[::2], keys[1::2], strict=False):
            met[one].add(other)
            met[other].add(one)
    field = [
        Contender(
            key,
            chance.randint(0, 6),
            chance.choice(("", "Mill", "Hill", "Weir")),
            frozenset(met[key]),
            chance.random() < 0.2,
        )
        for key in range(count)
    ]
    return sorted(field, key=lambda one: -one.score)
