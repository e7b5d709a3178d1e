"""Facts of a warband of creatures on game day: numbers per creature, meaning of choices."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from armybuilder.engine.facts import Fact, FactRule
from armybuilder.engine.fields import given
from armybuilder.engine.lines import Line
from armybuilder.engine.prices import Share
from armybuilder.engine.roster import Roster
from armybuilder.engine.tally import Tally
from armybuilder.engine.wording import say


@dataclass(frozen=True, slots=True, eq=False)
class EachStat(FactRule):
    """A share of a statistic, rounded down to a multiple of `step`, for every unit (bloodied at
    half the hit points).
    """

    kind: ClassVar[str] = "each-stat"
    stat: str = given()
    share: Share = given(read=Share.read)
    step: int = given(default=1)

    def tell(self, tally: Tally) -> Fact | None:
        return _per_unit(self, tally, self._of)

    def _of(self, line: Line) -> int | None:
        value = line.unit.stats.get(self.stat)
        return self.share.down(value) // self.step * self.step if isinstance(value, int) else None


@dataclass(frozen=True, slots=True, eq=False)
class Worth(FactRule):
    """Value of each unit to the enemy: its points, with a bonus by the value of a setting
    (victory points, in some scenarios)."""

    kind: ClassVar[str] = "worth"
    setting: str = ""
    more: Mapping[str, int] = field(default_factory=dict)

    def tell(self, tally: Tally) -> Fact | None:
        return _per_unit(self, tally, lambda line: self.of(line, tally.roster))

    def of(self, line: Line, roster: Roster) -> int | None:
        """Return the worth of each model of a line; None if its price is unknown."""
        more = self.more.get(str(roster.settings.get(self.setting)), 0)
        return None if line.unit.price.start is None else line.each + more


@dataclass(frozen=True, slots=True, eq=False)
class ByChoice(FactRule):
    """A text that goes with the value chosen in a setting."""

    kind: ClassVar[str] = "by-choice"
    setting: str
    texts: Mapping[str, str]

    def tell(self, tally: Tally) -> Fact | None:
        text = self.texts.get(str(tally.roster.settings.get(self.setting)))
        return self.fact(say(text)) if text else None


def _per_unit(rule: FactRule, tally: Tally, number: Callable[[Line], int | None]) -> Fact | None:
    """Return a number for each unit of the list, every unit once: "Warlord 40, Guard 25"."""
    told: dict[str, str] = {}
    for line in tally.lines:
        value = number(line)
        told.setdefault(line.name, "?" if value is None else str(value))
    if not told or set(told.values()) == {"?"}:
        return None
    return rule.fact(", ".join(f"{name} {value}" for name, value in told.items()))


CREATURE_FACTS: tuple[type[FactRule], ...] = (EachStat, Worth, ByChoice)
