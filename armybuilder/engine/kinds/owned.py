"""Kind "owned": a note where a list has more models of a unit than its owner says there are.

Every system has this rule of itself; the numbers stand in players' own books.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from armybuilder.engine.citations import Citation, RuleHead, Severity
from armybuilder.engine.kinds.copies import copies_term, unit_name
from armybuilder.engine.kinds.pool import by_unit
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.wording import Later


@dataclass(frozen=True, slots=True, eq=False)
class Owned(Rule):
    kind: ClassVar[str] = "owned"
    says: ClassVar[frozenset[str]] = frozenset(["unit"])
    stated: ClassVar[bool] = False

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
                summary=Later("A list needs as many models as you own."),
            )
        )

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the models of each unit of which the owner says how many there are."""
        for ref, lines in by_unit(tally).items():
            if lines[0].unit.owned is not None:
                yield copies_term(self, ref, lines, None, lines[0].unit.owned)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if any(line.unit.owned is not None for line in tally.lines):
            yield from Rule.judge(self, tally)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"unit": unit_name(term)}
