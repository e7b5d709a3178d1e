"""Rules of an event for lists of a game's files, as bounds of the kernel on the whole list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Final

from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.engine.kernel.conditions import (
    FORCES,
    NUMBER,
    TRUE,
    Amount,
    Change,
    Kind,
    Number,
    Query,
    Repeat,
    Scope,
)
from armybuilder.engine.kernel.definitions import Bound, Definition
from armybuilder.loading.file_packs import FilePack

Data = Mapping[str, Any]


class EventRule(Definition):
    """A rule of an event pack, and the bounds that it sets on a list."""

    kind = Kind.CATEGORY

    def __init__(self, data: Data, citation: str, unit: str = "") -> None:
        self.data, self.citation, self.unit = data, citation, unit
        self.key = data["id"]

    @cached_property
    def name(self) -> str:
        summary = str(self.data["summary"])
        return f"{self.unit}: {summary}" if self.unit else summary

    @cached_property
    def standing(self) -> tuple[Bound, ...]:
        return tuple(_KINDS[self.data["kind"]](self)) if self.data["kind"] in _KINDS else ()

    @property
    def is_by_unit(self) -> bool:
        """Return whether it bounds each unit of the catalogues in a list."""
        return self.data["kind"] in _BY_UNIT

    def bounds_of(self, units: Iterable[FileDefinition]) -> Iterator[Bound]:
        """Yield its bounds on each of some units, if it bounds units."""
        named = set(self.ids)
        for unit in units if self.is_by_unit else ():
            meant = not named.isdisjoint(unit.ids)
            if meant != (self.data["kind"] == "only") or not named:
                rule = EventRule(self.data, self.citation, unit.name)
                query = Query(NUMBER, unit.main.id, Scope.LIST, deep=True, forces=True)
                most = Amount(self.data.get("max", 0))
                yield Bound(f"{self.key} {unit.main.id}", rule, query, high=most)

    def measured(self, measured: Number, allowed: Number, over: bool) -> tuple[Number, Number]:
        """Return the measured number of all parts, and the allowed one.

        A bound counts one part of it, against the rest that the others leave.
        """
        whole = self.data["max" if over else "min"]
        return (measured, allowed) if self._is_share else (measured + whole - allowed, whole)

    @property
    def _is_share(self) -> bool:
        return bool(self.data.get("per_cent"))

    @property
    def cost(self) -> str:
        """The id of the cost that it counts, "" where it counts things."""
        return str(self.data["cost"]["id"]) if "cost" in self.data else ""

    @property
    def ids(self) -> list[str]:
        """Ids of the files' entries that the rule counts."""
        return [one["id"] for one in self.data.get("of", ())]


def _limit(rule: EventRule) -> Iterator[Bound]:
    """Yield the least that a list must spend; the most is its limit."""
    if "min" in rule.data:
        query = Query(rule.cost, "", Scope.LIST, deep=True, forces=True)
        yield Bound(rule.key, rule, query, low=Amount(rule.data["min"]))


def _sum(rule: EventRule) -> Iterator[Bound]:
    """Yield the bounds of a sum: each counts a part, against the rest that the others leave."""
    field = rule.cost or NUMBER
    queries = [Query(field, id, Scope.LIST, deep=True, forces=True) for id in rule.ids]
    share = bool(rule.data.get("per_cent"))
    for query in queries:
        others = tuple(Repeat(other, 1) for other in queries if other is not query)
        change = (Change("subtract", "1", 1, TRUE, (others,)),) if others else ()
        low, high = (
            Amount(rule.data[side], change) if side in rule.data else None
            for side in ("min", "max")
        )
        of_limit = field if share else ""
        yield Bound(rule.key, rule, query, low, high, share, of_limit, negative=True)


def _forces(rule: EventRule) -> Iterator[Bound]:
    """Yield that all forces are of some kinds or catalogues, or that there are not too many."""
    every = Query(FORCES, "", Scope.LIST, forces=True)
    for one in rule.data.get("not", ()):
        query = Query(FORCES, one["id"], Scope.LIST, forces=True)
        yield Bound(f"{rule.key} {one['id']}", rule, query, high=Amount(0))
    if "of" in rule.data:
        allowed = (Query(FORCES, id, Scope.LIST, forces=True) for id in rule.ids)
        repeats = (tuple(Repeat(one, 1) for one in allowed),)
        of_them = Amount(0, (Change("add", "1", 1, TRUE, repeats),))
        yield Bound(f"{rule.key} of", rule, every, high=of_them)
    if "max" in rule.data:
        yield Bound(rule.key, rule, every, high=Amount(rule.data["max"]))


_KINDS: Final = {
    "limit": _limit,
    "count": _sum,
    "spent": _sum,
    "forces": _forces,
    "catalogues": _forces,
}


#: Kinds of rules about each unit of the catalogues in a list.
_BY_UNIT: Final = ("each", "only")


@lru_cache(maxsize=64)
def event_rules_of(pack: FilePack) -> tuple[EventRule, ...]:
    """Return the rules of a pack that are judged, the same for the same pack."""
    judged = (rule for rule in pack.rules if rule["kind"] in {*_KINDS, *_BY_UNIT})
    return tuple(EventRule(rule, str(pack.cite(rule["cite"]))) for rule in judged)
