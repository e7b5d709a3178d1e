"""Weights: what counts how much in a sum over a list, such as half a machine each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import lcm
from typing import Any

from armybuilder.engine.prices import Share
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.selectors import Selector
from armybuilder.engine.tally import Contribution, Tally
from armybuilder.engine.terms import UNITS


@dataclass(frozen=True, slots=True)
class Weight:
    """What counts: each of the models, units, picks or points that a selector matches, for a whole
    number of `parts`. `number` is that of the selector in the index.
    """

    selector: Selector
    number: int
    count: str
    parts: int

    def contributions(self, tally: Tally) -> Iterator[tuple[Contribution, int]]:
        """Return what each line adds, in parts. A unit counts as one only as a whole."""
        for one in tally.contributions(self.selector, self.number):
            if one.whole or self.count != UNITS:
                yield one, getattr(one, self.count) * self.parts


def read_weights(
    data: Iterable[Mapping[str, Any]], selector_index: SelectorIndex
) -> tuple[tuple[Weight, ...], int]:
    """Return what counts, and how many parts make one whole: 2 where something counts a half."""
    entries = [(entry, _share(entry.get("each", 1))) for entry in data]
    whole = lcm(*(share.denominator for _, share in entries))
    weights = []
    for entry, share in entries:
        selector = Selector.read(entry["of"])
        parts = share.numerator * whole // share.denominator
        number = selector_index.add(selector)
        weights.append(Weight(selector, number, entry.get("count", UNITS), parts))
    return tuple(weights), whole


def parts_in(weights: Iterable[Weight], tally: Tally) -> int:
    """Return how many parts a line-up has of all that counts."""
    return sum(parts for weight in weights for _, parts in weight.contributions(tally))


def _share(each: int | str) -> Share:
    return Share.read(each) if isinstance(each, str) else Share(each, 1)


def fraction(parts: int, whole: int) -> str:
    """Return a number of parts as people write it: "3", "1/2", "2 1/2"."""
    full, rest = divmod(parts, whole)
    if not rest:
        return str(full)
    shortened = lcm(rest, whole) // rest
    piece = f"{rest * shortened // whole}/{shortened}"
    return f"{full} {piece}" if full else piece
