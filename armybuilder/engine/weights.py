"""Weights: what counts how much in a sum over a list, such as half a machine each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from armybuilder.engine.lines import Line
from armybuilder.engine.prices import Share
from armybuilder.engine.queries import Query
from armybuilder.engine.selectors import Count, Selector, SelectorIndex
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import UNITS, Part, part_of
from armybuilder.engine.view import THE_LIST, N, Subject, View


@dataclass(frozen=True, slots=True)
class Weight:
    """Weight of a thing, in whole `parts`."""

    count: Count
    parts: int


@dataclass(frozen=True, slots=True)
class Weights(Query):
    """All that counts, in parts."""

    weights: tuple[Weight, ...]
    field: str = "weighted"

    def measure(self, view: View[N], subject: Subject = THE_LIST) -> N:
        return view.algebra.sum(view.counted(one.count) * one.parts for one in self.weights)

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        lines: dict[str, tuple[Line, int]] = {}
        for weight in self.weights:
            for one in tally.contributions(weight.count):
                _, had = lines.get(one.line.key, (one.line, 0))
                parts = had + getattr(one, weight.count.field) * weight.parts
                lines[one.line.key] = one.line, parts
        for line, parts in lines.values():
            if parts:
                yield part_of(line, parts, parts // line.units if line.unit.size is None else 0)


def read_weights(
    data: Iterable[Mapping[str, Any]], selector_index: SelectorIndex
) -> tuple[tuple[Weight, ...], int]:
    """Return what counts, and how many parts make one whole: 2 where something counts a half."""
    entries = [(entry, Share.read(entry.get("each", 1))) for entry in data]
    whole = lcm(*(share.denominator for _, share in entries))
    weights = []
    for entry, share in entries:
        selector = Selector.read(entry["of"])
        parts = share.numerator * whole // share.denominator
        count = Count(entry.get("count", UNITS), selector, selector_index.add(selector))
        weights.append(Weight(count, parts))
    return tuple(weights), whole


def fraction(parts: int, whole: int) -> str:
    """Return a number of parts as people write it: "3", "1/2", "2 1/2"."""
    full, rest = divmod(Fraction(parts, whole), 1)
    return " ".join(str(one) for one in (full, rest) if one) or "0"
