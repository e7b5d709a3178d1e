"""Kind "entry": a unit is taken as its entry in the book allows.

One rule per aspect: its size ("too-small", "too-large"), options that may not be taken here
("unavailable") or not so often ("too-often"), groups of options ("group-over", "group-under") and
the points they may cost ("allowance"). What a unit's entry says, the book says; see `loadout`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.standing import Standing
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class Entry(Rule):
    kind: ClassVar[str] = "entry"
    aspect: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        return cls(head, data["aspect"])

    def judge(self, standing: Standing) -> Iterator[Finding]:
        for line in standing.lines:
            for breach in line.loadout.breaches:
                if breach.aspect == self.aspect:
                    yield Finding(
                        self.head,
                        (line.pick.id,),
                        breach.measured,
                        breach.allowed,
                        {"unit": line.name, "book": line.unit.book_name, **breach.values},
                        f"{line.pick.id}/{breach.subject}",
                    )
