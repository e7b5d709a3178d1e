"""Choices for a force or a pick: price, number, and the reason if barred."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.filling import (
    each_on,
    is_collective,
    joins,
    minimum,
    missing,
    scaled,
)
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
    """Something that can be taken once more, or the reason why not; computed on demand."""

    def __init__(self, trial: _Trial, definition: Definition) -> None:
        self.definition = definition
        self._trial = trial

    @cached_property
    def _there(self) -> list[Node]:
        """Copies of it that are taken already."""
        return self._trial.there.get(_place_of(self.definition), [])

    @cached_property
    def _each(self) -> int:
        return each_on(self._trial.on, self.definition)

    @cached_property
    def number(self) -> int:
        """The number of it that is taken."""
        return sum([node.number for node in self._there]) // self._each

    @cached_property
    def hidden(self) -> bool:
        """Return whether the files hide it by its own conditions, so that nobody can take it."""
        hides = (self.definition, *self.definition.groups, *self._trial.sections)
        if not any(one.hidden.base or one.hidden.changes for one in hides):
            return False
        return self._trial.supposed.is_hidden(self._alone()) is True

    @cached_property
    def name(self) -> str:
        """The name that the files show."""
        return self._trial.teller.shown.name(self._alone())

    @cached_property
    def _weighed(self) -> Weighed:
        """Consequences of one more."""
        self._take()
        supposed = self._trial.supposed
        breaches, times = supposed.judge()
        most = None if times is None else max(0, self.number + times)
        reason = self._trial.teller.said(breaches[0]) if breaches else ""
        return Weighed(supposed.prices, most, reason)

    @property
    def prices(self) -> Mapping[str, Number]:
        """Price of one more with what comes along, by cost; those of 0 are left out."""
        return self._weighed.prices

    @property
    def most(self) -> int | None:
        """The greatest number of it here; None: any number."""
        return self._weighed.most

    @cached_property
    def least(self) -> int:
        """The smallest number of it here."""
        floors, trial = self.definition.floors, self._trial
        return minimum(trial.supposed, self.definition, floors, trial.on) if floors else 0

    @property
    def pick(self) -> Pick:
        """One more of it with what comes along, without ids."""
        self._take()
        return _pick_at(self._trial.supposed.root)

    @cached_property
    def reason(self) -> str:
        """Errors that one more would cause; for hidden entries that they are hidden."""
        if self.hidden:
            return say("{name} can’t be taken here.", name=self.name)
        return self._weighed.reason

    def _alone(self) -> Node:
        """Suppose one more of it, without what comes along."""
        return self._trial.alone(self.definition, self._each)

    def _take(self) -> None:
        """Suppose one more of it, with what comes along."""
        there, trial = self._there, self._trial
        same = there[0].pick if there and trial.on.branch and joins(self.definition) else None
        if same is None:
            trial.take(self.definition, self._each)
        else:
            trial.swell(there[0], scaled(same, same.number + self._each))


def choices_on(
    evaluation: Evaluation, on: Node, among: Iterable[Definition] | None = None
) -> list[Choice]:
    """Return the entries that a force can have, or the options of a pick, out of their groups;
    `among`: only some of them.
    """
    force = on.force.definition
    if not isinstance(force, FileDefinition):
        return []
    trial = _Trial(evaluation, on, force.book.game)
    return [Choice(trial, one) for one in (on.definition.offered if among is None else among)]


class _Trial:
    """A list with one thing more on a pick, or in a force; for all choices there, one by one.

    `there` are the copies that are taken already, by their places.
    """

    def __init__(self, evaluation: Evaluation, on: Node, game: GameFiles) -> None:
        self.on = on
        self.supposed = Supposed(evaluation, on)
        self.teller = Teller(game, self.supposed)
        self.there: dict[tuple[str, tuple[Definition, ...]], list[Node]] = {}
        self._alone: tuple[Definition, Node] | None = None
        roots = (branch.root for branch in evaluation.branches.get(on, ()))
        for node in on.below if on.branch is not None else roots:
            self.there.setdefault(_place_of(node.definition), []).append(node)

    @cached_property
    def sections(self) -> tuple[Definition, ...]:
        """The categories that may hide contents of the force."""
        return tuple(self.on.definition.sections.values())

    def alone(self, definition: Definition, number: int) -> Node:
        """Suppose something without what comes along."""
        if self._alone is None or self._alone[0] is not definition:
            self._alone = definition, self.supposed.take(definition, number)
        return self._alone[1]

    def swell(self, was: Node, pick: Pick) -> None:
        """Suppose more of a pick that is there."""
        self._alone = None
        self.supposed.swell(was, pick)

    def take(self, definition: Definition, number: int) -> None:
        """Suppose something with what comes along."""
        self._alone = None
        self._bring(self.supposed.take(definition, number))

    def _bring(self, node: Node) -> None:
        """Add the entries that must come along."""
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
