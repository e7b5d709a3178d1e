"""Kind "clash": what two selectors match may not stand in one list (good beside evil)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.citations import RuleHead
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.selectors import CROSS_FACTION, Selector
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import GROUPS, Term, just, part_of


@dataclass(frozen=True, slots=True, eq=False)
class Clash(Rule):
    kind: ClassVar[str] = "clash"
    says: ClassVar[frozenset[str]] = frozenset(["first", "second"])
    can_be_lifted: ClassVar[bool] = True
    sides_of: tuple[Selector, Selector]
    numbers: tuple[int, int]

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        one, other = (Selector.read(side) for side in data["between"])
        return cls(head, (one, other), (selector_index.add(one), selector_index.add(other)))

    @property
    def lasting(self) -> tuple[RuleHead, ...]:
        """Two sides that are there stay two, unless what comes moves the faction."""
        crossing = any(side.mentions(CROSS_FACTION) for side in self.sides_of)
        return () if crossing else (self.head,)

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the sides on the list, of which there may be one."""
        parts = [
            part_of(line, 1, group=str(number))
            for number, side in enumerate(self._sides(tally))
            for line in side
        ]
        yield Term(self.head, GROUPS, len({part.group for part in parts}), None, 1, just(*parts))

    def constrain(self, space: Space) -> None:
        sides = [
            space.constraints.any_of(meant for _, meant in space.matched(side, self.head.id))
            for side in self.sides_of
        ]
        space.forbid(self.head, *sides)

    def removals(self, tally: Tally) -> Iterator[tuple[Line, ...]]:
        """One side, the smaller first. Where one that goes lifts the rule from others of its side,
        these must go with it.
        """
        sides = [
            tuple(tally.matching(side))
            if any(line.lifts(self.head.id) for line in here)
            else tuple(here)
            for side, here in zip(self.sides_of, self._sides(tally), strict=True)
        ]
        yield from sorted(sides, key=lambda lines: sum(line.models for line in lines))

    def _sides(self, tally: Tally) -> list[list[Line]]:
        return [
            [line for line in tally.matching(side) if not tally.spares(self.head.id, line)]
            for side in self.sides_of
        ]

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if all(tally.models_by[number] for number in self.numbers):
            yield from Rule.judge(self, tally)

    def told(self, term: Term, tally: Tally) -> Finding:
        first, second = (sum(line.models for line in side) for side in self._sides(tally))
        culprits = {part.unit for part in term.parts}
        units = tuple(line.pick.id for line in tally.lines if line.pick.id in culprits)
        return self.finding(units, min(first, second), 0, {"first": first, "second": second})
