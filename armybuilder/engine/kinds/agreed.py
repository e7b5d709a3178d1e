"""Kind "agreed": at game sizes for which the rulebook has no numbers, tells which are still open.

D&D Miniatures, Battle Rules p. 14: the table knows 200, 100 and 50 points.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.standing import Standing
from armybuilder.engine.tallies import Tallies
from armybuilder.engine.wording import inside


@dataclass(frozen=True, slots=True, eq=False)
class Agreed(Rule):
    kind: ClassVar[str] = "agreed"
    sizes: frozenset[int]
    settings: tuple[str, ...]

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        return cls(head, frozenset(data["sizes"]), tuple(data["settings"]))

    def judge(self, standing: Standing) -> Iterator[Finding]:
        roster = standing.roster
        if roster.limit in self.sizes:
            return
        open_ones = [key for key in self.settings if roster.settings.get(key) is None]
        if open_ones:
            names = [str(inside(standing.system.settings[key].name)) for key in open_ones]
            yield self.finding(values={"names": names, "size": roster.limit})
