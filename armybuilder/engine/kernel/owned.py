"""Models that a player owns, on lists of picks: counted by unit, and as bounds for a solver.

A unit counts the models in it, or itself if it has none. A model outside of units counts itself,
apart in each upgrade that has it: files keep one "Warrior" for the warriors of many peoples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from armybuilder.engine.kernel.branches import Why
from armybuilder.engine.kernel.conditions import Kind
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.engine.kernel.spots import Spot
from armybuilder.engine.kernel.statement import StatedDemand, Statement
from armybuilder.engine.space.constraints import Expression, sum_of

P = TypeVar("P", Pick, Spot)


class CountedUnit(NamedTuple):
    """The id and the name by which a collection knows a unit, or a model outside of units."""

    id: str
    name: str

    def within(self, upgrade: CountedUnit | None) -> CountedUnit:
        """Return the same for a model that an upgrade has."""
        if upgrade is None:
            return self
        named = upgrade.name.casefold().endswith(self.name.casefold())
        name = upgrade.name if named else f"{upgrade.name}: {self.name}"
        return CountedUnit(f"{upgrade.id}/{self.id}", name)


def counted_unit(definition: Definition) -> CountedUnit:
    """Return the id and the name of an entry, without links to it."""
    return CountedUnit(definition.key.rpartition("::")[2], definition.name.strip())


def is_counted(definition: Definition) -> bool:
    """Return whether it is a unit or a model."""
    return not definition.tags.isdisjoint(("unit", "model"))


def units_in(
    places: Iterable[P], above: Definition | None = None
) -> Iterator[tuple[CountedUnit, P, list[P]]]:
    """Yield the units with the models in them, and the models outside of units."""
    for place in places:
        definition = place.definition
        if "unit" in definition.tags:
            inside = [one for one in _inside(place) if "model" in one.definition.tags]
            yield counted_unit(definition), place, inside
            continue
        if is_counted(definition):
            is_of = above is not None and above.kind is Kind.ENTRY and not is_counted(above)
            upgrade = counted_unit(above) if is_of and above is not None else None
            yield counted_unit(definition).within(upgrade), place, []
        yield from units_in(place.below, definition)


def _inside(place: P) -> Iterator[P]:
    for below in place.below:
        yield below
        yield from _inside(below)


def models_in(picks: Iterable[Pick]) -> Counter[str]:
    """Return how many models of each unit there are, by the unit's id."""
    models: Counter[str] = Counter()
    for unit, pick, inside in units_in(picks):
        models[unit.id] += sum(one.number for one in inside) or pick.number
    return models


def beyond(roster: PickList, owned: Mapping[str, int]) -> list[str]:
    """Return the models on a list beyond those owned: "2 × Orc Raider"."""
    names = dict(unit for unit, _pick, _inside in units_in(roster.forces))
    lacking = ((id, number - owned.get(id, 0)) for id, number in models_in(roster.forces).items())
    return [f"{number} × {names[id]}" for id, number in lacking if number > 0]


def models_stated(
    statement: Statement,
) -> Iterator[tuple[CountedUnit, Definition, Expression]]:
    """Yield the units that a list may have, each with the number of its models."""
    constraints = statement.constraints
    for unit, spot, inside in units_in(statement.top.below):
        alone = ~constraints.any_of(one.taken for one in inside)
        numbers = [*(one.number for one in inside), constraints.where(alone, spot.number)]
        yield unit, spot.definition, sum_of(numbers)


def hold_to(statement: Statement, owned: Mapping[str, int]) -> None:
    """State that no unit has more models than are owned; those on the list may stay."""
    on_list = models_in(statement.roster.forces)
    totals: dict[str, tuple[Definition, list[Expression]]] = {}
    for unit, definition, models in models_stated(statement):
        totals.setdefault(unit.id, (definition, []))[1].append(models)
    for id, (definition, numbers) in totals.items():
        demand = StatedDemand(Why.OWNED, None, definition, statement.top)
        most = max(owned.get(id, 0), on_list[id])
        statement.constraints.require(sum_of(numbers), None, most, (), demand)
