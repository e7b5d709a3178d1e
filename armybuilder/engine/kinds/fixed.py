"""Kind "fixed": a setting has one of some values, as an event plays it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.about import AboutSetting
from armybuilder.engine.bounds import Bound, ForList
from armybuilder.engine.ends import Fixed
from armybuilder.engine.fields import given
from armybuilder.engine.queries import Chosen
from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
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

    def make_bounds(self) -> Iterator[Bound]:
        each = ForList(AboutSetting(self.setting, "fixed"))
        yield Bound(self.head, Chosen(self.setting, self.allowed), low=Fixed(1), each=each)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        chosen, system = tally.roster.settings.get(self.setting), tally.system
        return {
            "setting": system.settings[self.setting].name,
            "chosen": _name(chosen, self.setting, system),
            "wanted": either(_name(one, self.setting, system) for one in self.allowed),
        }

    def values_for(self, finding: Finding, tallies: tuple[Tally, ...]) -> Iterator[tuple[str, str]]:
        """Those that are allowed."""
        return ((self.setting, one) for one in self.allowed if isinstance(one, str))

    def fixed_for(self, roster: Roster) -> Iterator[tuple[str, str | int]]:
        """The first that is allowed."""
        if roster.settings.get(self.setting) not in self.allowed:
            yield self.setting, self.allowed[0]


def _name(value: object, setting: str, system: Vocabulary) -> str:
    """Return a value by the name that players know it by."""
    known = system.settings[setting]
    if isinstance(value, str) and known.kind == "attribute":
        return say(system.attributes[known.attribute].values[value])
    if isinstance(value, str) and value in known.values:
        return say(known.values[value].name)
    return say("nothing chosen") if value is None else str(value)
