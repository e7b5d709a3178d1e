"""Contents that come along with a new pick: required entries and the defaults of groups."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import accumulate, takewhile

from armybuilder.battlescribe.files.definitions import FileDefinition, Need
from armybuilder.battlescribe.files.reading import number_of
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.conditions import NUMBER, Kind, Scope
from armybuilder.engine.kernel.counting import Counting
from armybuilder.engine.kernel.definitions import Bound, Definition
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import Pick


def missing(facts: Evaluation, need: Need, on: Node) -> Iterator[tuple[Definition, int]]:
    """Yield definitions that a need of a pick demands, or that it has by default, and how many;
    none that would contain itself without end.
    """
    definition = need.definition
    least = minimum(facts, definition, need.floors, on)
    usual = default_number(facts, definition, on)
    if usual > least and not facts.is_hidden(Node(definition, on, None, on.branch)):
        least = usual
    if least <= 0:
        return
    if definition.kind is not Kind.GROUP:
        around = (on.definition, *(node.definition for node in on.chain()))
        if ids_of(definition)[0] not in {ids_of(one)[0] for one in around}:
            yield definition, least
        return
    each = on.number if is_collective(definition) else 1
    least -= int(facts.count(on, NUMBER, ids_of(definition)[0], False, False)) // each
    default = default_of(definition)
    if default is not None and least > 0:
        yield default, least


def default_number(facts: Counting, definition: FileDefinition, on: Node) -> int:
    """Return how many of something a pick has by default.

    "1,9" are two stacks of it, which make ten; "1,0" on one of these: one for the first stack, none
    for the second.
    """
    amounts = _default_amounts(facts, definition, on)
    outer: tuple[int, ...] = ()
    if on.above is not None and isinstance(on.definition, FileDefinition):
        outer = _default_amounts(facts, on.definition, on.above)
    if len(amounts) < 2 or (len(outer) < 2 and 0 not in amounts):
        return sum(amounts)
    ends = [*accumulate(outer)] if len(outer) > 1 else range(1, len(amounts) + 1)
    stack = bisect_right(ends, _number_before(on))
    return amounts[min(stack, len(ends) - 1, len(amounts) - 1)]


def _default_amounts(facts: Counting, definition: FileDefinition, on: Node) -> tuple[int, ...]:
    """Return the default amounts of something on a pick, a number for each stack."""
    text, place = definition.get("defaultAmount"), Node(definition, on, None, on.branch)
    for change in definition.changes("defaultAmount"):
        if change.act == "set" and change.times(facts, place):
            text = change.value
    numbers = (number_of(part) for part in text.rstrip(", ").split(","))
    return tuple(max(0, int(number or 0)) for number in numbers)


def _number_before(node: Node) -> int:
    """Return how many of the same are before a pick, on the same."""
    beside = node.above.below if node.above is not None else ()
    before = takewhile(lambda one: one is not node, beside)
    return sum(one.number for one in before if one.definition.is_as(node.definition))


def minimum(facts: Counting, definition: Definition, floors: Iterable[Bound], on: Node) -> int:
    """Return how many of something must be taken more on a pick, as its bounds say."""
    place = Node(definition, on, None, on.branch)
    least = 0
    for bound in floors:
        if bound.low is None or bound.query.field != NUMBER or bound.share:
            continue
        low = bound.low.at(facts, place)
        if low is None:
            continue
        if bound.query.scope in (Scope.FORCE, Scope.LIST):
            at = facts.within(bound.query.scope, place)
            if at is not None:
                low -= facts.count(at, NUMBER, ids_of(definition)[0], True, True)
        least = max(least, int(low))
    return least


def ids_of(definition: Definition) -> tuple[str, ...]:
    """Return the ids by which a definition is known: its own, and that of the link to it."""
    return definition.ids if isinstance(definition, FileDefinition) else (definition.key,)


def is_collective(definition: Definition) -> bool:
    """Return whether each model of its parent takes it."""
    return isinstance(definition, FileDefinition) and definition.is_collective


def each_on(node: Node, definition: Definition) -> int:
    """Return how many one more of something on a pick is: one for each model, if each has it."""
    return max(1, node.number) if node.branch is not None and is_collective(definition) else 1


def joins(definition: Definition) -> bool:
    """Return whether all of it on a pick is one pick: its models share all options."""
    return not isinstance(definition, FileDefinition) or definition.joins


def scaled(pick: Pick, number: int) -> Pick:
    """Return copies of a pick, with its contents in proportion."""
    below = (scaled(one, one.number * number // pick.number) for one in pick.below if pick.number)
    return replace(pick, number=number, below=tuple(one for one in below if one.number > 0))


def default_of(group: Definition) -> Definition | None:
    """Return the default of a group, or its only entry."""
    named = group.get("defaultSelectionEntryId") if isinstance(group, FileDefinition) else ""
    if named:
        return next((leaf for leaf in group.offered if named in ids_of(leaf)), None)
    return group.offered[0] if len(group.offered) == 1 else None
