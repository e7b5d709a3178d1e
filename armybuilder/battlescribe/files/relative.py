"""Relative changes of New Recruit: of names, values and notes that are shown of other picks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.reading import FileElement, is_far
from armybuilder.battlescribe.files.rules import Strange
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.conditions import Change, Reach
from armybuilder.engine.kernel.evaluation import Evaluation

#: The end of a way down: profiles, of one type if that is named.
_PROFILES: Final = re.compile(r"(?:^|\.)profiles(?:\.(?P<type>.+))?$")
#: What is changed by a way of its own, or may be of weight in a verdict, which is told there.
_ELSEWHERE: Final = {"category", "hidden", "error", "warning", "info"}


class RelativeChange(NamedTuple):
    """A change of a field of other picks, of a kind of profile if `type` names one; None: of the
    picks' own names.
    """

    field: str
    change: Change
    modifier: FileElement
    reach: Reach
    type: str | None


class ReachedChange(NamedTuple):
    """A relative change that reaches a pick, and the pick that it comes from."""

    relative: RelativeChange
    source: Node


_known: WeakKeyDictionary[FileDefinition, tuple[RelativeChange, ...]] = WeakKeyDictionary()


def relative_changes(definition: FileDefinition) -> tuple[RelativeChange, ...]:
    """Return the changes that a definition makes on how other picks are shown."""
    known = _known.get(definition)
    if known is None:
        known = _known[definition] = tuple(_relative(definition))
    return known


def _relative(definition: FileDefinition) -> Iterator[RelativeChange]:
    for field, modifiers in definition.modifiers.items():
        if field in _ELSEWHERE:
            continue
        for modifier, around in modifiers:
            if not is_far(modifier):
                continue
            affects = modifier.get("affects")
            found = _PROFILES.search(affects)
            path = affects[: found.start()] if found else affects
            try:
                reach = definition.rules.reach(modifier, path)
            except Strange as strange:
                definition.book.game.note(definition.main, str(strange))
                continue
            change = definition.rules.change(modifier, around)
            type = (found["type"] or "") if found else None
            yield RelativeChange(field, change, modifier, reach, type)


def reached_changes(evaluation: Evaluation) -> dict[Node, list[ReachedChange]]:
    """Return the relative changes of a list, by the picks that they reach."""
    found: dict[Node, list[ReachedChange]] = {}
    for node in (*evaluation.forces, *evaluation.nodes()):
        if isinstance(node.definition, FileDefinition):
            for relative in relative_changes(node.definition):
                at = evaluation.within(relative.reach.scope, node)
                if at is not None:
                    for other in _reached(evaluation, relative.reach, at):
                        found.setdefault(other, []).append(ReachedChange(relative, node))
    return found


def _reached(evaluation: Evaluation, reach: Reach, at: Node) -> Iterator[Node]:
    """Yield the picks that a change within one reaches."""
    nodes = [at] if reach.itself else []
    if at.branch is not None:
        nodes += at.walk() if reach.deep else at.below if reach.below else ()
    elif reach.below:
        nodes += (
            node
            for branch in evaluation.all_branches()
            if at is evaluation.top or branch.root.force is at
            for node in (branch.nodes if reach.deep else (branch.root,))
        )
    for node in nodes:
        if not reach.tag or reach.tag in node.tags:
            yield node
