"""Kind "unknown": everything that a list names exists (units, options, roles, abilities, books),
and no option is on one thing twice.

Every system has this rule: things that the books no longer have stay in the list and are reported,
never dropped.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from armybuilder.engine.about import AboutName
from armybuilder.engine.citations import Citation, RuleHead, Severity
from armybuilder.engine.roster import Roster, Stray
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.wording import Later


@dataclass(frozen=True, slots=True, eq=False)
class Unknown(Rule):
    kind: ClassVar[str] = "unknown"
    says: ClassVar[frozenset[str]] = frozenset(["name"])
    heads: tuple[tuple[str, RuleHead], ...]

    @classmethod
    def of_every_system(cls) -> Self:
        """Return the rule, with one code per kind of reference ("unit.unknown", ...)."""
        head = RuleHead(
            id="unknown",
            pointer="",
            order=-1,
            code="unit.unknown",
            severity=Severity.ERROR,
            citation=Citation(Later("Army list"), ""),
            summary=Later(
                "Everything on the list must be found in the game system and the chosen books."
            ),
        )
        kinds = ("unit", "option", "role", "ability", "book", "setting")
        heads = {
            kind: replace(head, id=f"unknown-{kind}", code=f"{kind}.unknown") for kind in kinds
        }
        heads["repeated"] = replace(
            head,
            id="unknown-repeated",
            code="option.too-often",
            summary=Later("List an option once per unit, with a number."),
        )
        return cls(head, tuple(heads.items()))

    def constrain(self, space: Space) -> None:
        """Demand that unknown things go."""
        for stray in self._strays(space.roster):
            about = AboutName(stray.kind, stray.pick, stray.name)
            space.forbid(self.head, about=about)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        for stray in self._strays(tally.roster):
            units = (stray.pick,) if stray.pick else ()
            about = AboutName(stray.kind, stray.pick, stray.name)
            values = {"name": stray.label or stray.name}
            yield Finding(self, dict(self.heads)[stray.kind], units, values=values, about=about)

    @staticmethod
    def _strays(roster: Roster) -> list[Stray]:
        unknown = [Stray(pick.id, "unit", pick.ref) for pick in roster.picks if pick.unit is None]
        return [*roster.strays, *unknown]
