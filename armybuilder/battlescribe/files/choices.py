"""What may be put into a force, or taken on a pick: what it costs, how much of it, and why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.filling import is_collective, joins, minimum, missing, scaled
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.telling import Teller
from armybuilder.engine.kernel.branches import Node, Why
from armybuilder.engine.kernel.conditions import Number
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.supposing import Supposed

#: How many picks one choice brings along at most.
MAX_ALONG = 200


class Choice(NamedTuple):
    """Something that may be taken once more, or why it may not be.

    `prices` are what one more costs with what comes along, by cost, where that is not 0. There are
    `number` of it, at least `least` are needed here, at most `most` allowed (None: any number).
    `reason` says what taking one more would break. `groups` are those it stands in, the outermost
    first.
    """

    definition: Definition
    name: str
    prices: Mapping[str, Number]
    number: int
    least: int
    most: int | None
    reason: str
    hidden: bool
    groups: tuple[Definition, ...]


def root_choices(
    evaluation: Evaluation, force: Node, among: Iterable[Definition] | None = None
) -> list[Choice]:
    """Return what may be put into a force; `among` some of it alone."""
    return _choices(evaluation, force, among)


def option_choices(evaluation: Evaluation, node: Node) -> list[Choice]:
    """Return what may be taken on a pick, out of its groups."""
    return _choices(evaluation, node)


def _choices(
    evaluation: Evaluation, on: Node, among: Iterable[Definition] | None = None
) -> list[Choice]:
    force = on.force.definition
    if not isinstance(force, FileDefinition):
        return []
    choosing = _Choosing(evaluation, on, force.book.game)
    offered = on.definition.offered if among is None else among
    return [choosing.choice(definition) for definition in offered]


class _Choosing:
    """What may be taken on a pick, in the order of the file."""

    def __init__(self, evaluation: Evaluation, on: Node, game: GameFiles) -> None:
        self.on = on
        self.supposed = Supposed(evaluation, on)
        self.teller = Teller(game, self.supposed)
        self.there: dict[tuple[str, tuple[Definition, ...]], list[Node]] = {}
        roots = (branch.root for branch in evaluation.branches.get(on, ()))
        for node in on.below if on.branch is not None else roots:
            key = node.definition.key, node.definition.groups
            self.there.setdefault(key, []).append(node)

    def choice(self, definition: Definition) -> Choice:
        """Return what taking one more of something comes to."""
        on, supposed = self.on, self.supposed
        each = max(1, on.number) if on.branch is not None and is_collective(definition) else 1
        there = self.there.get((definition.key, definition.groups), [])
        same = there[0].pick if there and on.branch is not None and joins(definition) else None
        if same is not None:
            root = supposed.swell(there[0], scaled(same, same.number + each))
        else:
            root = supposed.take(definition, each)
            self._bring(root)
        breaches, times = supposed.judge()
        number = sum([node.number for node in there]) // each
        return Choice(
            definition,
            self.teller.shown.name(root),
            supposed.prices,
            number,
            minimum(supposed, definition, definition.floors, on) if definition.floors else 0,
            None if times is None else max(0, number + times),
            self.teller.said(breaches[0]) if breaches else "",
            any(breach.why is Why.HIDDEN for breach in breaches),
            definition.groups,
        )

    def _bring(self, node: Node) -> None:
        """Suppose what must come along."""
        definition = node.definition
        for need in definition.needs if isinstance(definition, FileDefinition) else ():
            if len(self.supposed.extra) < MAX_ALONG:
                for taken, number in missing(self.supposed, need, node):
                    each = node.number if is_collective(taken) else 1
                    self._bring(self.supposed.take_on(node, taken, number * each))
