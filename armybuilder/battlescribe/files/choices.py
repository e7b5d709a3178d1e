"""Choices for a force or a pick: price, number, and the reason if barred."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.filling import is_collective, joins, minimum, missing, scaled
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.telling import Teller
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.conditions import Number
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import Pick
from armybuilder.engine.kernel.supposing import Supposed
from armybuilder.engine.wording import say

#: How many picks one choice brings along at most.
MAX_ALONG = 200


class Weighed(NamedTuple):
    """Consequences of one more: its `prices` by cost with everything included, where not 0; the
    maximum `most` (None: any number); and the errors it would cause."""

    prices: Mapping[str, Number]
    most: int | None
    reason: str


class Choice:
    """Something that can be taken once more, or the reason why not; computed on demand.

    There are `number` of it.
    """

    def __init__(self, choosing: _Choosing, definition: Definition) -> None:
        self.definition = definition
        self._choosing = choosing

    @cached_property
    def number(self) -> int:
        """The number of it that is taken."""
        there = self._choosing.there_of(self.definition)
        return sum([node.number for node in there]) // self._choosing.each(self.definition)

    @cached_property
    def hidden(self) -> bool:
        """Return whether the files hide it, so that nobody can take one more."""
        return self._choosing.is_hidden(self.definition)

    @cached_property
    def name(self) -> str:
        """The name that the files show."""
        return self._choosing.name(self.definition)

    @cached_property
    def weighed(self) -> Weighed:
        """Consequences of one more."""
        return self._choosing.weigh(self.definition)

    @property
    def prices(self) -> Mapping[str, Number]:
        """Price of one more with what comes along, by cost; those of 0 are left out."""
        return self.weighed.prices

    @property
    def most(self) -> int | None:
        """The greatest number of it here; None: any number."""
        return self.weighed.most

    @cached_property
    def least(self) -> int:
        """The smallest number of it here."""
        floors, choosing = self.definition.floors, self._choosing
        return minimum(choosing.supposed, self.definition, floors, choosing.on) if floors else 0

    @property
    def pick(self) -> Pick:
        """One more of it with what comes along, without ids."""
        return self._choosing.pick(self.definition)

    @cached_property
    def reason(self) -> str:
        """Errors that one more would cause; for hidden entries that they are hidden."""
        if self.hidden:
            return say("{name} can’t be taken here.", name=self.name)
        return self.weighed.reason


def root_choices(
    evaluation: Evaluation, force: Node, among: Iterable[Definition] | None = None
) -> list[Choice]:
    """Return the entries that a force can have; `among`: only some of them."""
    return _choices(evaluation, force, among)


def option_choices(evaluation: Evaluation, node: Node) -> list[Choice]:
    """Return the options that a pick can have, out of their groups."""
    return _choices(evaluation, node)


def _choices(
    evaluation: Evaluation, on: Node, among: Iterable[Definition] | None = None
) -> list[Choice]:
    force = on.force.definition
    if not isinstance(force, FileDefinition):
        return []
    choosing = _Choosing(evaluation, on, force.book.game)
    offered = on.definition.offered if among is None else among
    return [Choice(choosing, definition) for definition in offered]


class _Choosing:
    """Choices on a pick, in the order of the file; supposes one thing at a time."""

    def __init__(self, evaluation: Evaluation, on: Node, game: GameFiles) -> None:
        self.on = on
        self._alone: tuple[Definition, Node] | None = None
        self.supposed = Supposed(evaluation, on)
        self.teller = Teller(game, self.supposed)
        self._there: dict[tuple[str, tuple[Definition, ...]], list[Node]] = {}
        roots = (branch.root for branch in evaluation.branches.get(on, ()))
        for node in on.below if on.branch is not None else roots:
            self._there.setdefault(_place_of(node.definition), []).append(node)

    def there_of(self, definition: Definition) -> list[Node]:
        """Return the copies of an entry that are taken already."""
        return self._there.get(_place_of(definition), [])

    def each(self, definition: Definition) -> int:
        """Return how many one more of something are."""
        return max(1, self.on.number) if self.on.branch and is_collective(definition) else 1

    def _take_alone(self, definition: Definition) -> Node:
        """Suppose one more of something, without what comes along."""
        if self._alone is None or self._alone[0] is not definition:
            self._alone = definition, self.supposed.take(definition, self.each(definition))
        return self._alone[1]

    def _take(self, definition: Definition) -> None:
        """Suppose one more of something, with what comes along."""
        self._alone = None
        there, each = self.there_of(definition), self.each(definition)
        same = there[0].pick if there and self.on.branch and joins(definition) else None
        if same is not None:
            self.supposed.swell(there[0], scaled(same, same.number + each))
        else:
            self._bring(self.supposed.take(definition, each))

    def pick(self, definition: Definition) -> Pick:
        """Return one more of something as a pick, with what comes along."""
        self._take(definition)
        return _pick_at(self.supposed.root)

    def name(self, definition: Definition) -> str:
        """Return the name of an entry as the files show it at its place."""
        return self.teller.shown.name(self._take_alone(definition))

    def is_hidden(self, definition: Definition) -> bool:
        """Return whether the files hide an entry where it would be taken, by its own conditions."""
        hides = (definition, *definition.groups, *self._sections)
        if not any(one.hidden.base or one.hidden.changes for one in hides):
            return False
        return self.supposed.is_hidden(self._take_alone(definition)) is True

    @cached_property
    def _sections(self) -> tuple[Definition, ...]:
        """The categories that may hide contents of the force."""
        return tuple(self.on.definition.sections.values())

    def weigh(self, definition: Definition) -> Weighed:
        """Return what taking one more of something comes to."""
        number = sum([node.number for node in self.there_of(definition)]) // self.each(definition)
        self._take(definition)
        breaches, times = self.supposed.judge()
        most = None if times is None else max(0, number + times)
        reason = self.teller.said(breaches[0]) if breaches else ""
        return Weighed(self.supposed.prices, most, reason)

    def _bring(self, node: Node) -> None:
        """Add, on trial, the entries that must come along."""
        definition = node.definition
        for need in definition.needs if isinstance(definition, FileDefinition) else ():
            if len(self.supposed.extra) < MAX_ALONG:
                for taken, number in missing(self.supposed, need, node):
                    each = node.number if is_collective(taken) else 1
                    one_by_one = "," in need.definition.get("defaultAmount") and not joins(taken)
                    times = number if one_by_one else 1
                    for _ in range(times):
                        more = self.supposed.take_on(node, taken, number * each // times)
                        self._bring(more)


def _pick_at(node: Node) -> Pick:
    return Pick("", node.definition, node.number, tuple(map(_pick_at, node.below)))


def _place_of(definition: Definition) -> tuple[str, tuple[Definition, ...]]:
    return definition.key, definition.groups
