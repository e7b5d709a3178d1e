"""The open unit: its head, its models in stacks, and the options of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from armybuilder.battlescribe.files.building import Stack, stacks_of
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.view import UnitLines, unit_of
from armybuilder.engine.kernel.branches import Node
from armybuilder.html import Html
from armybuilder.lists.worked_out import Told
from armybuilder.pages.forces.options import OptionDrawer, holders
from armybuilder.pages.forces.words import ListWords

#: How deep stacks on stacks are shown, and how many of one unit.
MAX_DEPTH: Final = 5
MAX_STACKS: Final = 60


class StackView(NamedTuple):
    """Equal picks of a unit with their options; the first represents them.

    `of` says how many can be changed separately, `summary` their options, `depth` their depth in
    the unit.
    """

    id: str
    name: str
    number: int
    of: int
    price: str
    summary: str
    options: Html
    depth: int
    bad: bool


class UnitViewer:
    def __init__(self, words: ListWords, told: tuple[Told, ...], asks: Html, why: str) -> None:
        self.why = why
        self.words = words
        self.told = told
        self.asks = asks
        self.wrong = words.one.broken_bounds

    def view(self, node: Node) -> dict[str, Any]:
        pick = node.pick
        assert pick is not None  # noqa: S101 units are picks
        says = [one for one in self.told if one.unit == pick.id]
        return {
            "id": pick.id,
            "name": self.words.name(node),
            "own_name": pick.said.get("customName", ""),
            "unit_name": self.words.shown(node),
            "notes": pick.said.get("customNotes", ""),
            "points": self.words.spent(node),
            "card": self._card(node),
            "says": says,
            "options": self.drawer(node).html(),
            "stacks": list(self.stacks(node)),
        }

    def _card(self, node: Node) -> UnitLines | None:
        """Return profiles, rules and keywords of the unit, as its sheet has them."""
        if node.branch is None:
            return None
        return unit_of(self.words.one.game, self.words.one.evaluation, node.branch)

    def stacks(self, node: Node, depth: int = 0) -> Iterator[StackView]:
        """Yield the stacks on a pick, each before those on it."""
        if depth >= MAX_DEPTH:
            return
        for stack in stacks_of(holders(node))[:MAX_STACKS]:
            drawer = self.drawer(stack.first)
            if stack.number > 1 or is_model(stack.first) or drawer.is_live:
                yield self._stack(stack, drawer, depth)
                yield from self.stacks(stack.first, depth + 1)

    def drawer(self, node: Node) -> OptionDrawer:
        return OptionDrawer(node, self.words, self.asks, self.wrong, self.why)

    def _stack(self, stack: Stack, drawer: OptionDrawer, depth: int) -> StackView:
        first = stack.first
        ids = {node.pick.id for node in stack.nodes if node.pick is not None}
        return StackView(
            id=first.pick.id if first.pick is not None else "",
            name=self.words.name(first),
            number=stack.number,
            of=stack.number if len(stack.nodes) > 1 or stack.number > 1 else 0,
            price=self.words.spent(first),
            summary=taken_on(first, self.words),
            options=drawer.html(),
            depth=depth,
            bad=any(one.pick in ids for one in self.told),
        )


def is_model(node: Node) -> bool:
    definition = node.definition
    return isinstance(definition, FileDefinition) and definition.type == "model"


def taken_on(node: Node, words: ListWords, deep: int = 3) -> str:
    """Return the picks below one in a line, equal ones together."""
    parts = []
    for stack in stacks_of(node.below):
        name = words.name(stack.first)
        text = f"{stack.number} × {name}" if stack.number > 1 else name
        inner = taken_on(stack.first, words, deep - 1) if deep else ""
        parts.append(f"{text} ({inner})" if inner else text)
    return ", ".join(parts)
