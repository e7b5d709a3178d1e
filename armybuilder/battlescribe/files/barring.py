"""Reasons why files bar something: what hides it, with the numbers of the list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.rules import strange_in
from armybuilder.battlescribe.files.showing import number_text
from armybuilder.battlescribe.files.telling import Teller
from armybuilder.engine.kernel.branches import Node, Why
from armybuilder.engine.kernel.conditions import (
    NUMBER,
    All,
    Any,
    Combined,
    Compare,
    Condition,
    Each,
    Flag,
    Has,
    HasPrimary,
    LimitOf,
    Measure,
    Nearest,
    Not,
    Number,
    Query,
    Reaching,
    Scope,
    Several,
    Within,
)
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.statement import StatedDemand
from armybuilder.engine.wording import marked, say

#: How a number is compared, and how it is not: in words, `{number}` is the other.
_COMPARED: Final = marked(
    {
        "<": "fewer than {number}",
        "<=": "at most {number}",
        "=": "exactly {number}",
        "!=": "other than {number}",
        ">": "more than {number}",
        ">=": "at least {number}",
    }
)
_OPPOSITE: Final = {"<": ">=", "<=": ">", "=": "!=", "!=": "=", ">": "<=", ">=": "<"}
#: Signs between combined numbers.
_SIGNS: Final = {"add": " + ", "subtract": " − ", "multiply": " × ", "min": " / ", "max": " / "}
#: How many parts of one reason are told.
_MOST: Final = 6


class Barring:
    """Explains why something is hidden at its place."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        self.facts = teller.evaluation

    def reasons(self, node: Node) -> list[str]:
        """Return what hides a pick: itself, its enclosing groups, or its category."""
        found: list[str] = []
        for definition, place in self._hiding(node):
            found += self._of_flag(definition, definition.hidden, place)
        return found

    def _hiding(self, node: Node) -> Iterator[tuple[Definition, Node]]:
        around: list[Definition] = list(node.definition.groups)
        sections = node.force.definition.sections if node.above is node.force else {}
        around += (sections[tag] for tag, of in node.categories.items() if of and tag in sections)
        if node.definition.hidden.holds(self.facts, node):
            yield node.definition, node
        for definition in around:
            place = Node(definition, node.above, None, node.branch)
            if definition.hidden.holds(self.facts, place):
                yield definition, place

    def _of_flag(self, definition: Definition, flag: Flag, place: Node) -> Iterator[str]:
        """Yield what makes a definition hidden, the changes that do so; else what would show it."""
        name, node = definition.name.strip(), place
        told = [when for value, when in flag.changes if value and when.holds(self.facts, node)]
        for when in told:
            because = self.words(when, node, True)
            yield say("{name} is hidden: {because}.", name=name, because=because)
        shows = [when for value, when in flag.changes if not value]
        if not told and not shows:
            yield say("The files always hide {name} here.", name=name)
        for when in shows if not told else ():
            lacking = self.words(when, node, False)
            yield say("{name} is hidden: {because}.", name=name, because=lacking)

    def demand(self, demand: StatedDemand) -> str:
        """Return a limit as a sentence; for one that the list breaks, how it does."""
        name, bound = demand.definition.name.strip(), demand.bound
        for breach in self.facts.breaches:
            same = breach.bound is bound and breach.why is demand.why
            if same and (bound is not None or breach.node.definition is demand.definition):
                return self.teller.said(breach)
        if demand.cost:
            cost = self.teller.costs.get(demand.cost, demand.cost)
            limit = number_text(self.facts.limit(demand.cost))
            return say("The list may cost at most {limit} {cost}.", limit=limit, cost=cost)
        if demand.why is Why.OWNED:
            return say("Your collection has no more models of {name}.", name=name)
        if bound is None:
            return say("{name} can’t be taken here.", name=name)
        sides = ((say("at least {number}"), bound.low), (say("at most {number}"), bound.high))
        told = (text.format(number=number_text(side.base)) for text, side in sides if side)
        where = demand.at.definition.name.strip() or say("the list")
        return say("{name} in {where}: {bounds}.", name=name, where=where, bounds=", ".join(told))

    # Conditions

    def words(self, condition: Condition, place: Node, holds: bool) -> str:
        """Return why a condition holds of a pick, or does not, with the numbers it asks for."""
        match condition:
            case Not():
                return self.words(condition.part, place, not holds)
            case All() | Any():
                every = holds is isinstance(condition, All)
                return self._joined(condition.parts, place, holds, every)
            case Several():
                return self._joined(condition.parts, place, True, True)
            case Compare():
                compared = condition.comparison if holds else _OPPOSITE[condition.comparison]
                return self._number(condition.measured, compared, condition.value, place)
            case Each():
                compared = condition.comparison if holds else _OPPOSITE[condition.comparison]
                return self._number(condition, compared, condition.value, place)
            case Has() | HasPrimary():
                return self._tagged(condition, place, holds)
        strange = ", ".join(dict.fromkeys(strange_in(condition)))
        return strange or say("a rule that we can’t put into words")

    def _joined(self, parts: tuple[Condition, ...], place: Node, holds: bool, every: bool) -> str:
        """Return the parts that decide a condition: `every` one, or those that hold."""
        telling = [one for one in parts if every or one.holds(self.facts, place) is holds]
        said = dict.fromkeys(self.words(one, place, holds) for one in telling)
        return (" " + say("and") + " " if every else "; ").join(list(filter(None, said))[:_MOST])

    def _number(self, measured: Measure, comparison: str, value: Number, place: Node) -> str:
        """Return a number of the list, and the number that it is compared with."""
        now = measured.measure(self.facts, place)
        number = number_text(now) if now is not None else "–"
        compared = say(_COMPARED[comparison], number=number_text(value))
        what = self._what(measured, place)
        return say("{what}: {number}, {compared}", what=what, number=number, compared=compared)

    def _tagged(self, condition: Has | HasPrimary, place: Node, holds: bool) -> str:
        """Return what something is, or is not."""
        name = self._tag(condition.tag, place)
        if isinstance(condition, HasPrimary):
            text = say("its category is {name}") if holds else say("its category isn’t {name}")
            return text.format(name=name)
        where = self._scope(condition.scope, place) or say("here")
        text = say("{name} {where}") if holds else say("no {name} {where}")
        return text.format(name=name, where=where)

    def _what(self, measured: Measure, place: Node) -> str:
        if isinstance(measured, LimitOf):
            return say("limit of {cost}", cost=self.teller.costs.get(measured.cost, measured.cost))
        if isinstance(measured, Reaching):
            return self._tag(measured.tag, place)
        if isinstance(measured, Query | Each):
            name = self._tag(measured.tag, place) if measured.tag else ""
            if isinstance(measured, Query) and measured.field != NUMBER:
                cost = self.teller.costs.get(measured.field, "")
                name = (
                    say("{cost} of {name}", cost=cost, name=name) if cost and name else cost or name
                )
            name = name or say("what is taken")
            return f"{name} {self._scope(measured.scope, place)}".strip()
        if isinstance(measured, Combined):
            return _SIGNS[measured.act].join(self._what(part, place) for part in measured.parts)
        return say("a share")

    def _tag(self, tag: str, place: Node) -> str:
        """Return the name of the entry, category, force, catalogue or type that has a tag."""
        definition = place.definition
        if not isinstance(definition, FileDefinition):
            return tag
        game = definition.book.game
        if tag in game.heads:
            return game.heads[tag].get("name").strip()
        return game.name_of(tag, definition.book.root).strip() or tag

    def _scope(self, scope: Within, place: Node) -> str:
        if scope is Scope.LIST:
            return say("in the list")
        if isinstance(scope, Nearest):
            return ""
        at = self.facts.within(scope, place) if scope is not Scope.ANCESTORS else place.above
        if at is None or at is place:
            return ""
        name = self.teller.shown.name(at).strip()
        return say("in {name}", name=name) if name else ""
