"""Kind "suggested": a note that some units' points are suggestions, for the players to agree on.

Every system has this rule of itself; books say which prices nobody has published.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.findings import Citation, Finding, RuleHead, Severity
from armybuilder.engine.rules import Rule
from armybuilder.engine.tally import Tally
from armybuilder.engine.wording import Later


@dataclass(frozen=True, slots=True, eq=False)
class Suggested(Rule):
    kind: ClassVar[str] = "suggested"
    says: ClassVar[frozenset[str]] = frozenset(["names"])

    def judge(self, tally: Tally) -> Iterator[Finding]:
        lines = [line for line in tally.lines if line.unit.suggested]
        if lines:
            names = [line.unit.name for line in lines]
            yield self.finding(tuple(line.pick.id for line in lines), values={"names": names})


def suggested_rule() -> Suggested:
    """The rule that every system has."""
    return Suggested(
        RuleHead(
            id="suggested",
            pointer="",
            order=10_001,
            code="price.suggested",
            severity=Severity.NOTE,
            citation=Citation(Later("Your books"), Later("suggested points")),
            summary=Later("Points that nobody has published are suggestions: agree on them."),
        )
    )
