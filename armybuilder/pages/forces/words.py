"""Words for costs and names of a list of files on its page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from armybuilder.battlescribe.files.building import primary_of
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.showing import number_text
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.conditions import Number
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.lists.worked_out import WorkedOut

#: Names of categories whose entries set up a list: sizes, switches for display.
_SETTINGS = "configuration"


def primary_category(definition: Definition) -> str:
    """Return the category of an entry before any moves; "" for none."""
    return next((tag for tag, primary in definition.categories.items() if primary), "")


class ListWords:
    """Names of one list's costs, categories and picks."""

    def __init__(self, one: WorkedOut) -> None:
        self.one = one
        self._categories: dict[str, str] = {}

    @cached_property
    def costs(self) -> dict[str, str]:
        """Names of costs by their ids, in the order of the file."""
        return {cost.id: cost.get("name").strip() for cost in self.one.cost_types}

    def price(self, prices: Mapping[str, Number]) -> str:
        """Return the price of something, without costs of 0: "120 pts, 2 US".

        If the game shows only one cost, its name is in the bar and nowhere else.
        """
        words = []
        for cost, name in self.costs.items():
            if number := prices.get(cost, 0):
                text = number_text(number)
                words.append(text if cost == self._only_cost else f"{text} {name}")
        return ", ".join(words)

    @cached_property
    def _only_cost(self) -> str:
        shown = [cost.id for cost in self.one.cost_types if not cost.says("hidden")]
        return shown[0] if len(shown) == 1 else ""

    def spent(self, node: Node) -> str:
        """Return the cost of a unit, with everything below it."""
        evaluation, branch = self.one.evaluation, node.branch
        if branch is not None and node is branch.root:
            prices = {cost: evaluation.branch_cost(branch, cost) for cost in self.costs}
        else:
            prices = {cost: evaluation.total(node, cost) for cost in self.costs}
        return self.price(prices)

    def name(self, node: Node) -> str:
        """Return a pick's name: its player's, else the one shown by the file."""
        said = node.pick.said if node.pick is not None else {}
        return said.get("customName") or self.shown(node)

    def shown(self, node: Node) -> str:
        """Return the name of a pick as its file shows it."""
        return self.one.teller.shown.name(node).strip() or node.definition.key

    def category(self, tag: str, of: Definition) -> str:
        """Return the name of a category, as seen from something that has it."""
        if tag not in self._categories:
            name = ""
            if tag and isinstance(of, FileDefinition):
                found = of.book.game.find(tag, of.book.root)
                name = found.get("name").strip() if found is not None else ""
            self._categories[tag] = name
        return self._categories[tag]

    def is_setting(self, node: Node) -> bool:
        """Return whether a force's entry is a setting of the list."""
        return self.sets_up(primary_of(node), node.definition)

    def sets_up(self, category: str, definition: Definition) -> bool:
        """Return whether an entry of a category says how a list is set up."""
        upgrade = isinstance(definition, FileDefinition) and definition.type == "upgrade"
        return upgrade and _SETTINGS in self.category(category, definition).casefold()
