"""Fill in a few large steps: a suggestion changes three units at most, by options that a player
would buy for their own sake, so by no weapon or armour.
"""

from __future__ import annotations

from itertools import combinations, islice

from armybuilder.engine import Report, Severity, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import PossibleLists
from armybuilder.engine.meaning import NameKind
from armybuilder.engine.meanings import Meanings
from armybuilder.engine.space.candidates import Candidate, Takable
from armybuilder.engine.space.constraints import Expression, Literal
from armybuilder.engine.states import State
from armybuilder.loading.armylist import ArmyList, changed
from armybuilder.loading.documents import make_roster
from armybuilder.solving.keeping import is_own
from armybuilder.solving.scopes import is_needed
from armybuilder.solving.weights import Taste

#: How many units a suggestion changes.
MAX_CHANGED = 3
#: Points of taste for each of them: as much as so many thousandths of a point left.
STEP = 4000
#: Beside steps and points: chance may cost some points, for suggestions are to differ.
STEPS = Taste(
    liking=8000,
    option=500,
    dressed=-2000,
    model=0,
    repeated=2000,
    theme=10_000,
    large=0,
    unchecked=20_000,
    wished=8000,
    always=4000,
    body=200,
    single=2000,
    unit=1000,
)
#: So near to the best is near enough, in points of taste.
NEAR = 300
#: Of how many of the dearest changes some are chosen, and in how many ways.
DEAREST, TRIES = 6, 12
GEAR = (NameKind.WEAPON, NameKind.ARMOUR)


def is_worthwhile(candidate: Candidate, takable: Takable, meanings: Meanings) -> bool:
    """Return whether an option is bought for its own sake, or the unit needs it."""
    if takable.was or is_needed(candidate, takable):
        return True
    names = (takable.option.name, *takable.option.on)
    return not any(one.kind in GEAR for name in names for one in meanings.explained(name))


def changed_units(possible: PossibleLists) -> Expression:
    """Return how many units are new, or have more models, options or roles than before."""
    total = Expression()
    for candidate in possible.candidates:
        changes = _changes(possible, candidate) if is_own(candidate) else [candidate.present]
        total.add(possible.constraints.number(possible.constraints.any_of(changes)))
    return total


def _changes(possible: PossibleLists, candidate: Candidate) -> list[Literal]:
    """Return where an entry has more models, another option or role, or puts one on a piece."""
    constraints, pick = possible.constraints, candidate.pick
    models = pick.models if pick is not None else 0
    more = [(candidate.size, models), *((one.number, one.was) for one in candidate.takables)]
    roles = candidate.free_roles.items()
    new = [literal for role, literal in roles if pick is None or role not in pick.roles]
    loose = (one for one in candidate.takables if one.was and not one.was_on)
    put_on = [literal for one in loose for literal in one.on.values()]
    return [*new, *put_on, *(constraints.at_least(number, was + 1) for number, was in more)]


def first_steps(army_list: ArmyList, made: ArmyList, catalogue: Catalogue) -> ArmyList:
    """Return the list with the dearest of the changes that make a filled one of it.

    They break no rule that was not broken; the rest of the way may follow later.
    """
    before, former = _judged(army_list, catalogue), {unit.id: unit for unit in army_list.units}
    points, spent = _points(_judged(made, catalogue)), _points(before)
    gains = {
        unit.id: points.get(unit.id, 0) - spent.get(unit.id, 0)
        for unit in made.units
        if former.get(unit.id) != unit
    }
    dearest = sorted(gains, key=lambda unit: -gains[unit])[:DEAREST]
    broken = _broken(before)
    numbers = range(min(MAX_CHANGED, len(dearest)), 0, -1)
    ways = (way for number in numbers for way in combinations(dearest, number))
    for way in islice(ways, TRIES):
        units = (unit if unit.id in way else former.get(unit.id) for unit in made.units)
        partly = changed(made, units=tuple(unit for unit in units if unit is not None))
        if _broken(_judged(partly, catalogue)) <= broken:
            return partly
    return army_list


def _points(report: Report) -> dict[str, int]:
    return {line.pick.id: line.points for line in report.full.lines}


def _judged(army_list: ArmyList, catalogue: Catalogue) -> Report:
    return validate(make_roster(army_list, catalogue), catalogue)


def _broken(report: Report) -> set[tuple[object, ...]]:
    errors = report.of(Severity.ERROR)
    return {(one.code, *one.key) for one in errors if one.state is State.BROKEN}
