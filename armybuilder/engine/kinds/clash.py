"""Kind "clash": matches of two selectors can't be in one list (good and evil)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.bounds import Bound
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.ends import Fixed
from armybuilder.engine.lines import Line
from armybuilder.engine.queries import Groups
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import CROSS_FACTION, Selector, SelectorIndex
from armybuilder.engine.space.constraints import Literal
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.view import N, Subject, View


@dataclass(frozen=True, slots=True)
class _Sides(Groups):
    """The sides that are on a list."""

    sides: tuple[Selector, ...]
    rule: str

    @property
    def crosses(self) -> bool:
        return any(side.mentions(CROSS_FACTION) for side in self.sides)

    def groups(self, view: View[N]) -> Mapping[str, list[tuple[Any, Literal]]]:
        sides = (list(view.matched(side, self.rule)) for side in self.sides)
        return {str(number): side for number, side in enumerate(sides)}

    def barred(self, space: Space, subject: Subject) -> tuple[list[Literal]]:
        sides = self.groups(space).values()
        return ([space.algebra.any_of(meant for _, meant in side) for side in sides],)


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

    def make_bounds(self) -> Iterator[Bound]:
        yield Bound(self.head, _Sides(self.sides_of, self.head.id), high=Fixed(1))

    @property
    def lasting(self) -> tuple[RuleHead, ...]:
        return tuple(bound.head for bound in self.bounds if bound.lasts)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if all(tally.models_by[number] for number in self.numbers):
            yield from Rule.judge(self, tally)

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
        return [[line for line, _ in tally.matched(side, self.head.id)] for side in self.sides_of]

    def told(self, term: Term, tally: Tally) -> Finding:
        first, second = (sum(line.models for line in side) for side in self._sides(tally))
        culprits = set(term.culprits)
        units = tuple(line.pick.id for line in tally.lines if line.pick.id in culprits)
        return self.finding(units, min(first, second), 0, {"first": first, "second": second})
