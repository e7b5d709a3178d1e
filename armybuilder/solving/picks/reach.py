"""Freedom of a search: possible changes of a list, and possible additions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import ceil

from armybuilder.engine.kernel.branches import Breach, Node, Why
from armybuilder.engine.kernel.conditions import FORCES, NUMBER, Has, Kind, Query, Scope
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.parts import parts_in
from armybuilder.engine.kernel.picks import Pick
from armybuilder.engine.kernel.spots import Spot, most_of
from armybuilder.solving.owned import Models

#: Spots that may come to a list at most; of one group, of one thing in a force; and how deep.
MOST_ADDED, MOST_OF_GROUP, MOST_COPIES, MOST_DEPTH = 400, 12, 3, 8


@dataclass(slots=True)
class Reach:
    """Freedom of a search: picks in forces that may change, by their ids (`free`), and how many
    more of a tag may be added (`wanted`). `options`: all options of free picks; `units`: also
    units; `dearer`: more of things with a number. `owned`: the models that are to suffice, by unit.
    `is_whole`: no possible addition was left out."""

    free: set[str] = field(default_factory=set)
    wanted: dict[str, int] = field(default_factory=dict)
    options: bool = False
    units: frozenset[Definition] | None = frozenset()
    owned: Models | None = None
    is_whole: bool = True
    added: int = 0
    dearer: bool = False
    _needed: dict[Definition, frozenset[Definition]] = field(default_factory=dict)

    def offer(self, above: Spot, definition: Definition) -> tuple[int, int]:
        """Return how many more spots there are for something, and how many may be taken on each."""
        spots, most = self._offered(above, definition)
        if spots and self.added + spots > MOST_ADDED:
            spots = 0
        scopes = (Scope.PARENT,) if above.in_branch else (Scope.PARENT, Scope.FORCE, Scope.LIST)
        self.is_whole = self.is_whole and 0 < most_of(definition, scopes) <= spots * most
        self.added += spots
        return spots, most

    def _offered(self, above: Spot, definition: Definition) -> tuple[int, int]:
        wanted = max((self.wanted.get(tag, 0) for tag in definition.tags), default=0)
        if not above.in_branch:
            if wanted:
                return min(wanted, MOST_COPIES), 1
            return (1, 1) if self.units is None or definition in self.units else (0, 0)
        each = each_of(above, definition)
        most = (most_of(definition) or 1) * each
        if above.was is None:
            around = [spot.definition.key for spot in above.chain()]
            if definition.key in around or len(around) > MOST_DEPTH:
                return 0, 0
            needed = definition in self._needed_on(above.definition)
            return (1, max(most, self._more(least_of(definition) * each))) if needed else (0, 0)
        there = any(spot.definition.is_as(definition) for spot in above.below)
        if there and not definition.offered:
            return 0, 0
        return (1, max(most, wanted)) if wanted or self.options else (0, 0)

    def _needed_on(self, definition: Definition) -> frozenset[Definition]:
        known = self._needed.get(definition)
        if known is None:
            known = self._needed[definition] = frozenset(needed_on(definition))
        return known

    def room(self, above: Spot, pick: Pick) -> int:
        """Return the maximum of something that is already picked."""
        if not above.in_branch:
            return pick.number
        wanted = max((self.wanted.get(tag, 0) for tag in pick.definition.tags), default=0)
        most = most_of(pick.definition)
        self.is_whole = self.is_whole and most > 0
        each = each_of(above, pick.definition)
        return max(self._more(pick.number) + wanted, most * each)

    def _more(self, number: int) -> int:
        """Return the maximum of things with a number, if more costs more."""
        return 2 * number if self.dearer and number > 1 else number

    def grow(self, evaluation: Evaluation, breaches: Iterable[Breach]) -> bool:
        """Let the causes of breaches change; return whether any of them could not before."""
        was = len(self.free), dict(self.wanted)
        for breach in breaches:
            nodes: tuple[Node, ...] = (breach.node, breach.at, *evaluation.parts(breach))
            for node in nodes:
                if node.branch is not None:
                    self.free.add(node.branch.pick.id)
            bound = breach.bound
            if breach.why is Why.BOUND and bound is not None and not breach.is_over:
                query, number = bound.query, 1
                if query.field == NUMBER:
                    number = ceil(breach.allowed - breach.measured)
                    number *= max(1, breach.at.number) if bound.per_model else 1
                else:
                    self.dearer = True
                    number = MOST_COPIES
                for tag in (query.tag,) if query.tag else bound.definition.tags:
                    self.wanted[tag] = max(self.wanted.get(tag, 0), number)
        return was != (len(self.free), self.wanted)

    def widen(self, breaches: Iterable[Breach]) -> None:
        """Let the tags be added that conditions of breached bounds ask for."""
        for breach in breaches:
            parts: list[object] = [breach.node.definition.hidden, breach.notice]
            parts += [group.hidden for group in breach.node.definition.groups]
            if breach.bound is not None:
                parts += [breach.bound.low, breach.bound.high]
            for part in parts:
                for tag in asked_in(part):
                    self.wanted.setdefault(tag, 1)


def asked_in(part: object) -> Iterator[str]:
    """Yield the tags that a condition, or anything made of conditions, asks for; "": any force."""
    for one in parts_in(part):
        if (isinstance(one, Has) and one.tag) or (
            isinstance(one, Query) and (one.tag or one.field == FORCES)
        ):
            yield one.tag


def each_of(above: Spot, definition: Definition) -> int:
    """Return the number of models that the bounds of something are multiplied by."""
    per_model = any(
        bound.per_model for part in (definition, *definition.groups) for bound in part.bounds
    )
    return max(1, above.most) if per_model else 1


def least_of(definition: Definition) -> int:
    """Return how many of something must be taken at least wherever it is, or may have to be."""
    lows = [bound.low for bound in definition.floors if bound.query.field == NUMBER]
    bases = [
        max(int(low.base), int(any(change.number for change in low.changes)))
        for low in lows
        if low is not None
    ]
    return max(bases, default=0)


def needed_on(definition: Definition) -> set[Definition]:
    """Return the contents that may be needed: by themselves, or for a group with a minimum."""
    found: set[Definition] = set()
    for child in definition.children:
        if child.kind is not Kind.GROUP:
            if least_of(child):
                found.add(child)
            continue
        found |= needed_on(child)
        if least_of(child) and not any(child in one.groups for one in found):
            plain = sorted(
                child.offered, key=lambda one: one.hidden.base or bool(one.hidden.changes)
            )
            found.update(plain[:MOST_OF_GROUP])
    return found
