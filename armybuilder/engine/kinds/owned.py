"""Kind "owned": a note if a list has more models of a unit than its owner has.

Every system has this rule of itself; the numbers are those of players' own books. Advice on what
somebody owns is worked out by the same rule as an error, with the numbers of a collection.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from armybuilder.engine.bounds import Bound, ForSame
from armybuilder.engine.citations import Citation, RuleHead, Severity
from armybuilder.engine.ends import Stock
from armybuilder.engine.queries import OfMembers
from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import MODELS, Term
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import Later


@dataclass(frozen=True, slots=True, eq=False)
class Owned(Rule):
    kind: ClassVar[str] = "owned"
    says: ClassVar[frozenset[str]] = frozenset(["unit"])
    stated: ClassVar[bool] = False
    collection: Mapping[str, int] | None = None

    @classmethod
    def of_every_system(cls) -> Self:
        """Return the note."""
        return cls(
            RuleHead(
                id="owned",
                pointer="",
                order=10_000,
                code="copies.owned",
                severity=Severity.NOTE,
                citation=Citation(Later("Your book"), Later("copies owned")),
                summary=Later("A list can have no more models than you own."),
            )
        )

    def of_collection(self, numbers: Mapping[str, int]) -> Self:
        head = replace(
            self.head,
            id="collection",
            pointer="/collection",
            severity=Severity.ERROR,
            citation=Citation(Later("Your collection"), ""),
        )
        return replace(self, head=head, collection=numbers)

    def make_bounds(self) -> Iterator[Bound]:
        yield Bound(self.head, OfMembers(MODELS), high=Stock(self._number), each=ForSame())

    def _number(self, roster: Roster, unit: Unit) -> int | None:
        """Return how many of a unit its owner has: by a collection, else by its card."""
        return unit.owned if self.collection is None else self.collection.get(unit.ref, 0)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if self.collection is not None or any(line.unit.owned is not None for line in tally.lines):
            yield from Rule.judge(self, tally)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"unit": term.lines[0].unit.name}
