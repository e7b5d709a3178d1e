"""Kind "entry": a unit is taken as its entry in the book allows.

One rule per aspect: its size ("too-small", "too-large"), options that may not be taken here
("unavailable") or not so often ("too-often"), groups of options ("group-over", "group-under") and
the points they may cost ("allowance"). What a unit's entry says, the book says; see `loadout`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.about import AboutOption, AboutSize
from armybuilder.engine.amounts import NONE
from armybuilder.engine.conditions import Taken
from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Breach
from armybuilder.engine.rules import Rule
from armybuilder.engine.standing import Standing
from armybuilder.engine.tallies import Tallies
from armybuilder.engine.wording import listed, say


@dataclass(frozen=True, slots=True, eq=False)
class Entry(Rule):
    """It speaks of the `groups` only, where some are named, and not of those of other rules.
    `option_cite` is cited where an option made the largest size smaller.
    """

    kind: ClassVar[str] = "entry"
    aspect: str
    groups: frozenset[str] = frozenset()
    not_groups: frozenset[str] = frozenset()
    option_cite: str = ""

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        only, others = (frozenset(data.get(key, ())) for key in ("groups", "not_groups"))
        return cls(head, data["aspect"], only, others, data.get("option_cite", ""))

    def judge(self, standing: Standing) -> Iterator[Finding]:
        for line in standing.lines:
            for breach in line.loadout.breaches:
                if breach.aspect == self.aspect and self._speaks_of(breach):
                    yield self._finding(line, breach)

    def _speaks_of(self, breach: Breach) -> bool:
        group = breach.path[-1] if breach.path else ""
        return (not self.groups or group in self.groups) and group not in self.not_groups

    def _finding(self, line: Line, breach: Breach) -> Finding:
        head = self.head
        values = {"unit": line.name, "book": line.unit.book_name, **breach.values}
        if self.aspect == "too-large" and (options := lowering(line)):
            head = head.citing(self.option_cite, beside=False)
            values["why"] = say(" with {options}", options=listed(options))
        key = line.pick.id
        about = AboutSize(key) if breach.path is None else AboutOption(key, breach.path)
        return Finding(self, head, (key,), breach.measured, breach.allowed, values, about)


def lowering(line: Line) -> list[str]:
    """The options that make the unit's largest size smaller, by name."""
    most = line.unit.size[1] if line.unit.size is not None else NONE
    taken = line.place.taken
    return [
        name
        for change in most.changes
        if most.base is not None and (change.number < (0 if change.adds else most.base))
        if change.condition is not None and change.holds(line.place)
        for part in change.condition.parts()
        if isinstance(part, Taken) and not part.army
        for tag, name in zip(part.tags, part.names, strict=True)
        if taken.get(tag, 0)
    ]
