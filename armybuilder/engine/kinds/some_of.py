"""Kind "some-of": a list keeps at least this many of several restrictions.

Events use it for a free exception: four of these five hold for every army.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Self

from armybuilder.engine.citations import RuleHead
from armybuilder.engine.kinds.weighted import Weighted
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import SelectorIndex
from armybuilder.engine.space.constraints import Expression
from armybuilder.engine.space.space import Space
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.unchecked import Unchecked
from armybuilder.engine.wording import marked


@dataclass(frozen=True, slots=True, eq=False)
class SomeOf(Rule):
    """`among` are the restrictions, each with its name; `least` of them must be kept."""

    kind: ClassVar[str] = "some-of"
    says: ClassVar[frozenset[str]] = frozenset(["names", "number"])
    plain: ClassVar[str] = marked(
        "{summary} Passed: {measured} of {number}; at least {allowed} needed. Failed: {names}."
    )
    among: tuple[Weighted, ...]
    least: int

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        among = [
            Weighted.read(head, {**entry, "gauge": entry["name"]}, selector_index)
            for entry in data["among"]
        ]
        return cls(head, tuple(among), data["least"])

    def judge(self, tally: Tally) -> Iterator[Finding]:
        broken = [
            (one.name, term)
            for one in self.among
            for bound in one.bounds
            for term in bound.broken(tally)
        ]
        kept = len(self.among) - len(broken)
        if kept < self.least:
            units = dict.fromkeys(part.unit for _, term in broken for part in term.parts)
            values = {"names": [name for name, _ in broken], "number": len(self.among)}
            yield self.finding(tuple(units), kept, self.least, values)

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        answers = [one.settled(tally) for one in self.among]
        if answers.count(True) < self.least <= len(answers) - answers.count(False):
            found = (one.unchecked(tally) for one in self.among)
            yield from dict.fromkeys(chain.from_iterable(found))

    def state_of(self, finding: Finding) -> State:
        return State.BROKEN

    def army_tags(self) -> set[str]:
        return {tag for one in self.among for tag in one.army_tags()}

    def constrain(self, space: Space) -> None:
        kept = Expression()
        for one in self.among:
            for bound in one.bounds:
                kept.add(space.constraints.number(bound.kept(space)))
        space.constraints.require(kept, self.least, None, (), space.owner(self.head))
