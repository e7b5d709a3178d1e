"""Kind "suggested": a note that some units' points are suggestions, for the players to agree on.

Every system has this rule; books name the prices that nobody has published.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from armybuilder.engine.citations import Citation, RuleHead, Severity
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.wording import Later


@dataclass(frozen=True, slots=True, eq=False)
class Suggested(Rule):
    kind: ClassVar[str] = "suggested"
    says: ClassVar[frozenset[str]] = frozenset(["names"])
    state: ClassVar[State] = State.MISSING
    stated: ClassVar[bool] = False

    @classmethod
    def of_every_system(cls) -> Self:
        """Return the note."""
        return cls(
            RuleHead(
                id="suggested",
                pointer="",
                order=10_001,
                code="price.suggested",
                severity=Severity.NOTE,
                citation=Citation(Later("Your books"), Later("suggested points")),
                summary=Later(
                    "Points that were never published are suggestions. Agree on "
                    "them with your opponent."
                ),
            )
        )

    def judge(self, tally: Tally) -> Iterator[Finding]:
        lines = [line for line in tally.lines if line.unit.suggested]
        if lines:
            names = sorted({line.unit.name for line in lines})
            yield self.finding(tuple(line.pick.id for line in lines), values={"names": names})
