"""Kind "fixed": a setting has one of some values, as an event plays it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.about import AboutSetting
from armybuilder.engine.fields import given
from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.space.constraints import Expression, Literal
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.vocabulary import Vocabulary
from armybuilder.engine.wording import either, marked, say


@dataclass(frozen=True, slots=True, eq=False)
class FixedSetting(Rule):
    """`allowed` are ids of values, or numbers."""

    kind: ClassVar[str] = "fixed"
    says: ClassVar[frozenset[str]] = frozenset(["setting", "chosen", "wanted"])
    plain: ClassVar[str] = marked("{setting}: {chosen}. Needed: {wanted}. {summary}")
    allowed: tuple[str | int, ...] = given("values", tuple)
    setting: str = given()

    def judge(self, tally: Tally) -> Iterator[Finding]:
        chosen = tally.roster.settings.get(self.setting)
        if chosen not in self.allowed:
            values = {
                "setting": tally.system.settings[self.setting].name,
                "chosen": _name(chosen, self.setting, tally.system),
                "wanted": either(_name(one, self.setting, tally.system) for one in self.allowed),
            }
            yield self.finding(values=values, about=AboutSetting(self.setting, "fixed"))

    def values_for(self, finding: Finding, tallies: tuple[Tally, ...]) -> Iterator[tuple[str, str]]:
        """Those that are allowed."""
        return ((self.setting, one) for one in self.allowed if isinstance(one, str))

    def fixed_for(self, roster: Roster) -> Iterator[tuple[str, str | int]]:
        """The first that is allowed."""
        if roster.settings.get(self.setting) not in self.allowed:
            yield self.setting, self.allowed[0]

    def constrain(self, space: Space) -> None:
        about = AboutSetting(self.setting, "fixed")
        wanted = [self._is_in(one, space) for one in self.allowed]
        space.constraints.require_any(wanted, space.owner(self.head, about))

    def _is_in(self, value: str | int, space: Space) -> Literal:
        """Return whether the setting has a value, in a space of lists."""
        number = space.free.numbers.get(self.setting)
        if isinstance(value, int) and number is not None:
            return space.constraints.between(Expression.of(number), value, value)
        return space.where.army.setting_is(self.setting, value)


def _name(value: object, setting: str, system: Vocabulary) -> str:
    """Return a value by the name that players know it by."""
    known = system.settings[setting]
    if isinstance(value, str) and known.kind == "attribute":
        return say(system.attributes[known.attribute].values[value])
    if isinstance(value, str) and value in known.values:
        return say(known.values[value].name)
    return say("nothing chosen") if value is None else str(value)
