"""Kind "capacity": the supply of commanders of the warband's faction covers the needs of models.

Chainmail 2002, rules 103, 103.1 and 701.2; there it is not judged while the faction is open.
Chainmail 2001, p. 12: the commander limit of the Basic rules counts all commanders (`always`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from armybuilder.engine.about import WHOLE_LIST
from armybuilder.engine.bounds import Bound, ForFound
from armybuilder.engine.ends import Edge, End
from armybuilder.engine.fields import each_of, given
from armybuilder.engine.queries import Query
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.constraints import FALSE, TRUE
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import COMMAND, Part, part_of
from armybuilder.engine.units import Unit
from armybuilder.engine.view import N, Subject, View


@dataclass(frozen=True, slots=True)
class Need:
    """Demand of a model that `selector` matches: points of capacity on its own faction's side
    and as cross-faction. With an `ability` they are multiplied by its rating, unless `own` is
    flat."""

    selector: Selector = given("of", Selector.read)
    own: int = given()
    cross: int = given()
    ability: str = given("times_rating", default="")
    own_flat: bool = given(default=False)

    def of(self, unit: Unit, cross: bool) -> int:
        """Points of capacity one model of the unit needs."""
        factor = self.cross if cross else self.own
        if not self.ability or (self.own_flat and not cross):
            return factor
        return factor * unit.ratings.get(self.ability, 0)


@dataclass(frozen=True, slots=True)
class _Command(Query, End):
    """The command that models need, at most what those of the warband's faction give."""

    own: ClassVar[bool] = True
    supply: str
    field: str = COMMAND

    def measure(self, view: View[N], subject: Subject) -> N:
        return view.algebra.sum([member.models * need for member, need in subject.items])

    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        giving = self._giving(subject)
        return Edge(view.algebra.sum([member.models * rating for member, rating in giving]))

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        return (part_of(line, each * line.models, each) for line, each in subject.items)

    def culprits(self, tally: Tally, subject: Subject) -> Iterator[str]:
        return (line.key for line, _ in subject.items)

    def against(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        return (part_of(line, each * line.models, each) for line, each in self._giving(subject))

    def _giving(self, subject: Subject) -> Iterator[tuple[Any, int]]:
        """Return the commanders, with the command one model of each gives."""
        return ((member, member.unit.ratings[self.supply]) for member, _ in subject.members)


@dataclass(frozen=True, slots=True, eq=False)
class Capacity(Rule):
    """`needs` are tried in order; the first that matches a unit holds."""

    kind: ClassVar[str] = "capacity"
    commands: str = given("supply")
    needs: tuple[Need, ...] = given(read=each_of(Need))
    name: str = given("gauge")
    always: bool = given(default=False)

    def make_bounds(self) -> Iterator[Bound]:
        command = _Command(self.commands)
        each = ForFound(self._by_faction)
        yield Bound(self.head, command, high=command, each=each, name=self.name)

    def _by_faction(self, view: View[Any]) -> Iterator[Subject]:
        """Return who may give command and who needs how much, for each faction that it may be.

        A commander with an incomplete card gives an unknown amount: no verdict either way.
        """
        blank = f"ratings.{self.commands}"
        for faction, chosen in view.factions:
            if chosen == FALSE or (faction is None and not self.always):
                continue
            giving, needing, unknown = [], [], []
            for member in view.members:
                unit = member.unit
                cross = faction is not None and view.faction_of(member) != faction
                if not cross and unit.ratings.get(self.commands):
                    giving.append((member, TRUE))
                if not cross and unit.blanks and blank in unit.blank_fields:
                    unknown.append(member.present)
                if need := need_of(self, unit, cross):
                    needing.append((member, need))
            when = (chosen, ~view.algebra.any_of(unknown))
            yield Subject("", giving, needing, when, WHOLE_LIST)


@lru_cache(maxsize=8192)
def need_of(rule: Capacity, unit: Unit, cross: bool) -> int:
    """Return the points of capacity that one model of the unit needs."""
    needs = (need.of(unit, cross) for need in rule.needs if need.selector.matches(unit.tags))
    return next(needs, 0)
