"""Kind "stat": a statistic of the units a selector matches lies between bounds."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.fields import given
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import EVERYTHING, Selector
from armybuilder.engine.states import State
from armybuilder.engine.units import Fault, Unit
from armybuilder.engine.wording import Later, Words, spelled


@dataclass(frozen=True, slots=True, eq=False)
class StatBounds(Rule):
    """`best` is "min" or "max": which bound the sentence calls the best; "" where it is plain."""

    kind: ClassVar[str] = "stat"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "stat", "bounds"])
    state: ClassVar[State] = State.BROKEN
    stat: str = given()
    selector: Selector = given("of", Selector.read, default=EVERYTHING)
    low: int | None = given("min", default=None)
    high: int | None = given("max", default=None)
    best: str = given(default="")

    def faults(self, unit: Unit) -> Iterator[Fault]:
        value = unit.stats.get(self.stat)
        if not isinstance(value, int) or not self.selector.matches(unit.tags):
            return
        values = {"stat": str(spelled(self.stat)), "bounds": self._bounds()}
        if self.low is not None and value < self.low:
            yield Fault(self.head, value, self.low, values)
        if self.high is not None and value > self.high:
            yield Fault(self.head, value, self.high, values)

    def _bounds(self) -> Words:
        if self.low is None or self.high is None:
            return (
                Later("at least {number}", number=self.low)
                if self.high is None
                else Later("at most {number}", number=self.high)
            )
        low, high = (
            Later("{number} (best)", number=number) if side == self.best else number
            for side, number in (("min", self.low), ("max", self.high))
        )
        return Later("from {low} to {high}", low=low, high=high)
