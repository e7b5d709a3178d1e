"""Kind "capacity": the supply of commanders of the warband's faction covers the needs of models.

Chainmail 2002, rules 103, 103.1 and 701.2; there it is not judged while the faction is open.
Chainmail 2001, p. 12: the commander limit of the Basic rules counts all commanders (`always`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from armybuilder.engine.fields import each_of, given
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.constraints import FALSE, Expression, Literal
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import COMMAND, Term, just, part_of
from armybuilder.engine.units import Unit

#: Command that a model needs, by its unit and whether it is cross-faction.
Needs: TypeAlias = dict[tuple[int, bool], int]


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


@dataclass(frozen=True, slots=True, eq=False)
class Capacity(Rule):
    """`needs` are tried in order; the first that matches a unit holds."""

    kind: ClassVar[str] = "capacity"
    supply: str = given()
    needs: tuple[Need, ...] = given(read=each_of(Need))
    name: str = given("gauge")
    always: bool = given(default=False)

    def need(self, unit: Unit, cross: bool) -> int:
        """Points of capacity one model of the unit needs."""
        for need in self.needs:
            if need.selector.matches(unit.tags):
                return need.of(unit, cross)
        return 0

    @property
    def commands(self) -> str:
        return self.supply

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the demand; commanders are the supply `against` it."""
        if tally.faction is None and not self.always:
            return
        needs, gives = (
            tuple(part_of(line, each * line.models, each=each) for line, each in side)
            for side in (self._needing(tally), self._giving(tally))
        )
        needed, given = (sum(part.amount for part in parts) for parts in (needs, gives))
        yield Term(
            self.head, COMMAND, needed, None, given, just(*needs), name=self.name, against=gives
        )

    def constrain(self, space: Space) -> None:
        cases: list[tuple[str | None, Literal]] = [*space.allegiances.factions.items()]
        if self.always:
            cases.append((None, ~space.allegiances.settled))
        needs: Needs = {}
        for faction, chosen in cases:
            if chosen != FALSE:
                self._constrain_with(space, faction, chosen, needs)

    def _constrain_with(
        self, space: Space, faction: str | None, chosen: Literal, needs: Needs
    ) -> None:
        """Demand it where the warband's faction is this one; None: where it is open."""
        lacking, unknown = Expression(), [FALSE]
        for candidate in space.candidates:
            unit = candidate.unit
            own = space.sides.faction_of(unit.attributes) if space.sides and faction else faction
            cross = own != faction
            if not cross and f"ratings.{self.supply}" in unit.blank_fields:
                unknown.append(candidate.present)
            given = 0 if cross else unit.ratings.get(self.supply, 0)
            need = needs.get((id(unit), cross))
            if need is None:
                need = needs[id(unit), cross] = self.need(unit, cross)
            lacking.add(candidate.models, need - given)
        when = (chosen, ~space.constraints.any_of(unknown))
        space.constraints.require(lacking, None, 0, when, space.owner(self.head))

    def _giving(self, tally: Tally) -> list[tuple[Line, int]]:
        """Return the commanders that are not cross-faction, with the command one model of each
        gives.
        """
        return [
            (line, rating)
            for line in tally.lines
            if (rating := line.unit.ratings.get(self.supply, 0)) and line.pick.id not in tally.cross
        ]

    def _needing(self, tally: Tally) -> list[tuple[Line, int]]:
        """Return the lines that need command, with the need of one model of each."""
        return [
            (line, need)
            for line in tally.lines
            if (need := self.need(line.unit, line.pick.id in tally.cross))
        ]

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if tally.faction is None and not self.always:
            return
        if any(
            f"ratings.{self.supply}" in line.unit.blank_fields
            for line in tally.lines
            if line.unit.blanks and line.pick.id not in tally.cross
        ):
            return  # what such a commander supplies is not known: no verdict either way
        needing = self._needing(tally)
        needed = sum(need * line.models for line, need in needing)
        given = sum(rating * line.models for line, rating in self._giving(tally))
        if needed > given:
            yield self.finding(tuple(line.pick.id for line, _ in needing), needed, given)
