"""Kind "some-of": a list keeps at least this many of several restrictions.

Events use it for a free exception: four of these five hold for every army.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Self

from armybuilder.engine.bounds import Bound
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.ends import Fixed
from armybuilder.engine.kinds.weighted import Weighted
from armybuilder.engine.queries import Query
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import SelectorIndex
from armybuilder.engine.space.constraints import Literal
from armybuilder.engine.space.space import Space
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Part, Term
from armybuilder.engine.unchecked import Unchecked
from armybuilder.engine.view import N, Subject, View
from armybuilder.engine.wording import marked


@dataclass(frozen=True, slots=True)
class _Kept(Query):
    """Number of restrictions that a list keeps, at least `least`; its parts are those of the
    broken ones.
    """

    among: tuple[Bound, ...]
    least: int
    field: str = "kept"

    def measure(self, view: View[N], subject: Subject) -> N:
        return view.algebra.sum(view.algebra.number(bound.kept(view)) for bound in self.among)

    def barred(self, space: Space, subject: Subject) -> tuple[tuple[Literal]]:
        """Return that fewer are kept: more units never make more than all of them."""
        return ((~space.algebra.at_least(self.measure(space, subject), self.least),),)

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        broken = chain.from_iterable(bound.broken(tally) for bound in self.among)
        return (part for term in broken for part in term.parts)


@dataclass(frozen=True, slots=True, eq=False)
class SomeOf(Rule):
    """`among` are the restrictions, each with its name; `least` of them must be kept."""

    kind: ClassVar[str] = "some-of"
    says: ClassVar[frozenset[str]] = frozenset(["names", "number"])
    state: ClassVar[State] = State.BROKEN
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

    def make_bounds(self) -> Iterator[Bound]:
        bounds = tuple(bound for one in self.among for bound in one.bounds)
        kept = _Kept(bounds, self.least)
        yield Bound(self.head, kept, low=Fixed(self.least))

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        broken = (one.name for one in self.among if any(one.judge(tally)))
        return {"names": [*broken], "number": len(self.among)}

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        answers = [one.settled(tally) for one in self.among]
        if answers.count(True) < self.least <= len(answers) - answers.count(False):
            found = (one.unchecked(tally) for one in self.among)
            yield from dict.fromkeys(chain.from_iterable(found))

    def army_tags(self) -> set[str]:
        return {tag for one in self.among for tag in one.army_tags()}
