"""Kind "bearer": certain options are taken only by who bears what they are put on.

The Ninth Age, Rulebook 22.A.c: Banner Enchantments are upgrades to Standard Bearers and Battle
Standard Bearers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine import conditions
from armybuilder.engine.about import AboutUnit
from armybuilder.engine.conditions import AllOf, AnyOf, Condition
from armybuilder.engine.fields import counted, given
from armybuilder.engine.kinds.per_unit import names_in
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.options import Slot
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import BARRED, Term, just, options_of


@dataclass(frozen=True, slots=True, eq=False)
class Bearer(Rule):
    """`by` matches the bearer, or the option that makes one; `by_name` says it in words. Whatever
    an entry ties to an option of its own, that option bears; a unit whose entry says how many
    items of the kind (`item`) it may have bears them itself.
    """

    kind: ClassVar[str] = "bearer"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names", "needs"])
    number: int = counted("of")
    item: str = given("of", lambda of: of.get("item", ""))
    by: Selector = given(read=Selector.read)
    by_number: int = counted("by")
    by_name: str = given()

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return what units have taken and do not bear, of which there may be nothing."""
        for line, free in self._free(tally):
            part = options_of(line, ((taken, taken.number) for taken in free))
            about = AboutUnit(line.pick.id)
            yield Term(self.head, BARRED, part.amount, None, 0, just(part), about)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if tally.options_by[self.number]:
            yield from Rule.judge(self, tally)

    def constrain(self, space: Space) -> None:
        for candidate in space.candidates:
            if self.item in candidate.unit.item_limits:
                continue
            free = [
                taken
                for placed, taken in space.options(candidate, self.number)
                if not (placed.above or is_tied(placed.slot))
            ]
            if free:
                bears = space.constraints.any_of(
                    [space.has_option(candidate, self.by_number), candidate.matches(self.by)]
                )
                for taken in free:
                    space.forbid(self.head, taken, ~bears, about=AboutUnit(candidate.key))

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (part,) = term.parts
        return {"unit": part.label, "names": names_in(part), "needs": self.by_name}

    def _free(self, tally: Tally) -> Iterator[tuple[Line, list[Taken]]]:
        """Return the units with what they do not bear."""
        bearers = {line.pick.id for line, _ in tally.options_by[self.by_number]}
        for line, items in tally.having(self.number):
            key = line.pick.id
            if key in bearers or self.by.matches(line.tags) or self.item in line.unit.item_limits:
                continue
            free = [taken for taken, _ in items if taken.parent < 0 and not is_tied(taken.slot)]
            if free:
                yield line, free


def is_tied(slot: Slot) -> bool:
    """Return whether the entry itself says with which option of the unit one goes: it cannot be
    taken without it. One that stands on an option goes with that.
    """
    return any(map(_ties, slot.needs))


def _ties(condition: Condition) -> bool:
    if isinstance(condition, AllOf):
        return any(map(_ties, condition.others))
    if isinstance(condition, AnyOf):
        return all(map(_ties, condition.others))
    return (
        isinstance(condition, conditions.OptionTaken)
        and not condition.army
        and (condition.low or 0) > 0
    )
