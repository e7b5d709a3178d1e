"""Kind "units": how many units the list has, where some do not count and others count as one.

The Ninth Age, Rulebook 8.B.c.3: characters do not count, all war machines together count once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from armybuilder.engine.bounds import Bound, read_bound
from armybuilder.engine.findings import Finding, Gauge, Part, RuleHead, Severity
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Line, Standing
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class Units(Rule):
    """`disputed` units do not count by the reading we took; where counting them would decide,
    the finding is a warning.
    """

    kind: ClassVar[str] = "units"
    selector: Selector
    as_one: Selector
    disputed: Selector
    minimum: Bound
    name: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        minimum = read_bound(data["min"])
        if minimum is None:
            raise ValueError("units: no minimum")
        of, as_one, disputed = (Selector.read(data[key]) for key in ("of", "as_one", "disputed"))
        return cls(head, of, as_one, disputed, minimum, data["gauge"])

    def judge(self, standing: Standing) -> Iterator[Finding]:
        counted, disputed = self._split(standing)
        least = self.minimum.lower(standing)
        measured = self._number(counted)
        if measured >= least:
            return
        head = self.head
        doubtful = self._number([*counted, *disputed]) >= least
        if doubtful:
            head = replace(head, severity=Severity.WARNING)
        where = tuple(line.pick.id for line in (disputed if doubtful else counted))
        names = [line.name for line in disputed]
        yield Finding(head, where, measured, least, {"names": names, "doubtful": doubtful})

    def gauge(self, standing: Standing) -> Gauge | None:
        counted, _ = self._split(standing)
        parts = tuple(Part(line.pick.id, line.name, 1) for line in counted)
        least = self.minimum.lower(standing)
        return Gauge(self.head, self.name, self._number(counted), least, None, "", parts)

    def _split(self, standing: Standing) -> tuple[list[Line], list[Line]]:
        counted: list[Line] = []
        disputed: list[Line] = []
        for line in standing.lines:
            if self.selector.matches(line.tags):
                (disputed if self.disputed.matches(line.tags) else counted).append(line)
        return counted, disputed

    def _number(self, lines: list[Line]) -> int:
        grouped = sum(1 for line in lines if self.as_one.matches(line.tags))
        return len(lines) - max(0, grouped - 1)
