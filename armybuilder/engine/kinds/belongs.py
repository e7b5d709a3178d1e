"""Kind "belongs": every unit has the value of an attribute that the player chose for the list.

D&D Miniatures, Battle Rules p. 14: a warband has one faction, and each creature belongs to it; a
Warband Building power may let others in (p. 48), which is a lift of this rule.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.about import AboutList, AboutSetting
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.kinds.faction import choice_head
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import SelectorIndex
from armybuilder.engine.space.space import Space
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import MODELS, Term, just, part_of

OPEN: Mapping[str, object] = {"count": "open"}
STRANGERS = AboutList("strangers")


@dataclass(frozen=True, slots=True, eq=False)
class Belongs(Rule):
    """`head` has the code for units that do not belong; `choose` that for nothing chosen."""

    kind: ClassVar[str] = "belongs"
    says: ClassVar[frozenset[str]] = frozenset(["faction", "names"])
    can_be_lifted: ClassVar[bool] = True
    attribute: str
    choose: RuleHead
    setting: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        choose = choice_head(head, data["choose"])
        return cls(head, data["attribute"], choose, data["setting"])

    @property
    def lasting(self) -> tuple[RuleHead, ...]:
        """Additions leave strangers strangers."""
        return self.head, self.choose

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the models of factions other than the chosen one, of which none are allowed."""
        chosen = tally.roster.settings.get(self.setting)
        if isinstance(chosen, str):
            parts = [
                part_of(line, line.models, each=1)
                for line in tally.lines
                if self.is_strange(line, chosen, tally)
            ]
            measured = sum(part.amount for part in parts)
            yield Term(self.head, MODELS, measured, None, 0, just(*parts), STRANGERS)

    def constrain(self, space: Space) -> None:
        values = space.system.attributes[self.attribute].values
        chosen = {value: space.where.army.setting_is(self.setting, value) for value in values}
        about = AboutSetting(self.setting, "choice")
        space.constraints.require_any(chosen.values(), space.owner(self.head, about))
        none = ~space.constraints.any_of(chosen.values())
        for candidate in space.candidates:
            having = candidate.unit.attributes.get(self.attribute, ())
            if having:
                fitting = [chosen[value] for value in having if value in chosen]
                spared = space.spared(self.head.id, candidate)
                allowed = space.constraints.any_of([*fitting, spared, none])
                space.forbid(self.head, candidate.present, ~allowed, about=STRANGERS)

    def values_for(self, finding: Finding, tallies: tuple[Tally, ...]) -> Iterator[tuple[str, str]]:
        """Those that suit every unit of the list."""
        return ((self.setting, value) for value in self.shared(tallies[0]))

    def removals(self, tally: Tally) -> Iterator[tuple[Line, ...]]:
        """All strangers, unless one of them lets others in."""
        for term in self.terms(tally):
            lines = tuple(part.line for part in term.parts if part.line is not None)
            if not any(line.lifts(self.head.id) for line in lines):
                yield lines

    def state_of(self, finding: Finding) -> State:
        return State.MISSING if finding.head is self.choose else State.BROKEN

    def judge(self, tally: Tally) -> Iterator[Finding]:
        chosen = tally.roster.settings.get(self.setting)
        if not isinstance(chosen, str):
            yield Finding(
                self, self.choose, values=OPEN, about=AboutSetting(self.setting, "choice")
            )
            return
        yield from (self.told(term, tally) for term in self.terms(tally) if term.is_over)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        chosen = str(tally.roster.settings[self.setting])
        return {
            "count": "belongs",
            "faction": tally.system.attributes[self.attribute].values[chosen],
            "names": sorted({part.label for part in term.parts}),
        }

    def is_strange(self, line: Line, chosen: str, tally: Tally) -> bool:
        """Return whether the line has values other than the chosen one, and no exception.

        A card without a value is reported as incomplete, not here.
        """
        values = line.unit.attributes.get(self.attribute, ())
        strange = bool(values) and chosen not in values
        return strange and not tally.spares(self.head.id, line)

    def shared(self, tally: Tally) -> tuple[str, ...]:
        """Return the values that would suit every unit of the list."""
        return tuple(
            value
            for value in tally.system.attributes[self.attribute].values
            if not any(self.is_strange(line, value, tally) for line in tally.lines)
        )
