"""Kind "belongs": every unit has the value of an attribute that the player chose for the list.

D&D Miniatures, Battle Rules p. 14: a warband has one faction, and each creature belongs to it; a
Warband Building power may let others in (p. 48), which is a lift of this rule.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from armybuilder.engine.about import AboutList, AboutSetting
from armybuilder.engine.bounds import Bound, ForFound, ForList
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.ends import Fixed
from armybuilder.engine.fields import choice, given
from armybuilder.engine.lines import Line
from armybuilder.engine.queries import Chosen, OfBarred
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.space.constraints import TRUE
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import MODELS, Term
from armybuilder.engine.view import Subject, View


@dataclass(frozen=True, slots=True, eq=False)
class Belongs(Rule):
    """`head` has the code for units that do not belong; `choose` that for nothing chosen."""

    kind: ClassVar[str] = "belongs"
    says: ClassVar[frozenset[str]] = frozenset(["faction", "names"])
    can_be_lifted: ClassVar[bool] = True
    attribute: str
    choose: RuleHead = choice("choose")
    setting: str = given()

    def make_bounds(self) -> Iterator[Bound]:
        choice = Chosen(self.setting, attribute=self.attribute)
        open_ = ForList(AboutSetting(self.setting, "choice"))
        yield Bound(self.choose, choice, low=Fixed(1), each=open_)
        yield Bound(self.head, OfBarred(MODELS), high=Fixed(0), each=ForFound(self._strangers))

    def _strangers(self, view: View[Any]) -> Iterator[Subject]:
        """Return those of other values than the chosen one, if any is chosen, without exceptions.

        A card without a value is reported as incomplete, not here.
        """
        known = frozenset(view.system.attributes[self.attribute].values)
        none, strangers = ~view.among(self.setting, known), []
        for member in view.members:
            having = member.unit.attributes.get(self.attribute)
            fits = view.among(self.setting, known.intersection(having)) if having else TRUE
            if fits != TRUE:
                allowed = view.algebra.any_of([fits, view.spared(self.head.id, member), none])
                if allowed != TRUE:
                    strangers.append((member, ~allowed))
        yield Subject("", strangers, about=AboutList("strangers"))

    @property
    def lasting(self) -> tuple[RuleHead, ...]:
        """Additions leave strangers strangers."""
        return self.head, self.choose

    def values_for(self, finding: Finding, tallies: tuple[Tally, ...]) -> Iterator[tuple[str, str]]:
        """Those that suit every unit of the list."""
        return ((self.setting, value) for value in self.shared(tallies[0]))

    def removals(self, tally: Tally) -> Iterator[tuple[Line, ...]]:
        """All strangers, unless one of them lets others in."""
        for term in self.terms(tally):
            if term.lines and not any(line.lifts(self.head.id) for line in term.lines):
                yield term.lines

    def state_of(self, finding: Finding) -> State:
        return State.MISSING if finding.head is self.choose else State.BROKEN

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        if term.head is self.choose:
            return {"count": "open"}
        chosen = str(tally.roster.settings[self.setting])
        return {
            "count": "belongs",
            "faction": tally.system.attributes[self.attribute].values[chosen],
            "names": sorted({part.label for part in term.parts}),
        }

    def shared(self, tally: Tally) -> tuple[str, ...]:
        """Return the values that would suit every unit of the list."""
        having = [
            line.unit.attributes.get(self.attribute)
            for line in tally.lines
            if not tally.spares(self.head.id, line)
        ]
        values = tally.system.attributes[self.attribute].values
        return tuple(one for one in values if all(not has or one in has for has in having))
