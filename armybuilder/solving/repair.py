"""Repair: the smallest changes that make a list legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from armybuilder.editing.list_edits import forget_all
from armybuilder.editing.unit_edits import next_id
from armybuilder.engine import Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.citations import Severity
from armybuilder.engine.constraining import PossibleLists, Scope, is_error, possible_lists
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.constraints import Expression, Literal, Values
from armybuilder.loading.armylist import ArmyList, ListUnit
from armybuilder.loading.documents import make_roster
from armybuilder.solving.changes import Change, distance_of, is_made, made_in
from armybuilder.solving.collecting import uncollected
from armybuilder.solving.decoding import judged
from armybuilder.solving.keeping import NO_PINS, Pins, keep_pinned, loses
from armybuilder.solving.port import Answer, Impossible, Problem, Solution, Solver, Unknown
from armybuilder.solving.reach import is_beyond, widest
from armybuilder.solving.scopes import relaxation_for, settled, usual
from armybuilder.solving.sizes import size_of_list
from armybuilder.solving.weights import USUAL, Weights

#: Seconds of solving for all that are asked for, counted in work.
SECONDS = 0.3
#: The part of the time in which the smallest is sought from below, before any will do.
UPWARD = 0.5
#: Units of the books that may come; units and options of a list that is looked through at all.
MOST_ADDED, MOST_WORK = 200, 3_000


class Repair(NamedTuple):
    """A list made legal, by which changes, at what cost. `proved`: no other way costs less."""

    army_list: ArmyList
    changes: tuple[Change, ...]
    cost: int
    proved: bool


class Repairs(NamedTuple):
    """The ways to make a list legal, the smallest first. `impossible`: there is provably none with
    the changes that are allowed.
    """

    found: tuple[Repair, ...]
    impossible: bool = False


class _Order(NamedTuple):
    """A request for some ways: the books, the solver, the parts to keep, and the time."""

    catalogue: Catalogue
    solver: Solver
    number: int
    pins: Pins
    weights: Weights
    seconds: float


@uncollected
def repairs(
    army_list: ArmyList,
    catalogue: Catalogue,
    solver: Solver,
    number: int = 3,
    pins: Pins = NO_PINS,
    weights: Weights = USUAL,
    seconds: float = SECONDS,
) -> Repairs:
    """Return different ways to make a list legal, each the smallest of the rest.

    If the rules require another size, or another agreement, every way begins with that: the nearest
    size with a way. Unknown things go first, unless pinned. None for a list that is too long.
    Raises NoSolver if no solver is installed.
    """
    order = _Order(catalogue, solver, number, pins, weights, seconds)
    found, known = Repairs(()), _known(army_list, catalogue, pins)
    begun = known
    for begun in _begun(known, catalogue):
        found = _repairs(begun, order)
        if not found.impossible:
            break
    first = tuple(_first_changes(army_list, begun))
    ways = (way._replace(changes=(*first, *way.changes)) for way in found.found)
    return found._replace(found=tuple(_renumbered(way, army_list, known) for way in ways))


def _first_changes(army_list: ArmyList, begun: ArmyList) -> Iterator[Change]:
    """Yield the changes that every way begins with: size, settings, unknown entries removed."""
    if begun.limit != army_list.limit:
        yield Change("size", "", (str(begun.limit),))
    for setting in sorted({*army_list.settings, *begun.settings}):
        value = begun.settings.get(setting)
        if value != army_list.settings.get(setting):
            yield Change("setting", "", (setting, *(() if value is None else (str(value),))))
    left = {unit.id: unit for unit in begun.units}
    for unit in army_list.units:
        if left.get(unit.id) != unit:
            yield Change("unknown" if unit.id in left else "remove", unit.ref)


def _renumbered(way: Repair, army_list: ArmyList, known: ArmyList) -> Repair:
    """Return the way without ids of unknown entries that went: a new unit with one of them would
    be reported as that entry, changed."""
    gone = {unit.id for unit in army_list.units} - {unit.id for unit in known.units}
    made: list[ListUnit] = []
    for unit in way.army_list.units:
        if unit.id in gone:
            taken = (*army_list.units, *way.army_list.units, *made)
            unit = replace(unit, id=next_id(replace(army_list, units=taken)))
        made.append(unit)
    return way._replace(army_list=replace(way.army_list, units=tuple(made))) if gone else way


def _known(army_list: ArmyList, catalogue: Catalogue, pins: Pins) -> ArmyList:
    """Return the list without unknown entries, which no rule allows; unchanged if it would lose a
    pin.
    """
    known = forget_all(army_list, catalogue, make_roster(army_list, catalogue))
    return army_list if loses(pins, army_list, known) else known


def _begun(army_list: ArmyList, catalogue: Catalogue) -> Iterator[ArmyList]:
    """Yield the list for each size that the rules take, the nearest first, with the settings that
    they fix.
    """
    roster = make_roster(army_list, catalogue)
    army_list = settled(army_list, catalogue, otherwise=True)
    rules = (rule for rule in catalogue.system.rules if is_error(rule.head, roster))
    sizes = {size for rule in rules for size in rule.sizes_for(roster)} or {army_list.limit}
    for size in sorted(sizes, key=lambda size: (abs(size - army_list.limit), -size)):
        yield replace(army_list, limit=size)


def _repairs(army_list: ArmyList, order: _Order) -> Repairs:
    catalogue = order.catalogue
    roster = make_roster(army_list, catalogue)
    if size_of_list(roster) > MOST_WORK:
        return Repairs(())
    scope, found = usual(roster, catalogue), Repairs(())
    # What cannot be done with one more of each unit as it starts may be done with several and their
    # options, or with more of them.
    for one in (scope, *reversed([*widest(scope, roster, catalogue)])):
        search = _Search(army_list, roster, order, one)
        found = search.run()
        if not found.impossible:
            break
    if found.impossible and is_beyond(search.possible):
        found = found._replace(impossible=False)  # still more may be enough
    return found


def _some(added: Mapping[str, int]) -> Mapping[str, int]:
    """Return units from all over a large book, of which a few hundred are enough to mend a list."""
    if len(added) <= MOST_ADDED:
        return added
    every = len(added) // MOST_ADDED + 1
    return {ref: added[ref] for ref in list(added)[::every]}


class _Search:
    """The search for ways that differ, one after the other."""

    def __init__(self, army_list: ArmyList, roster: Roster, order: _Order, scope: Scope) -> None:
        self.army_list = army_list
        self.order = order
        some = _some(scope.added)
        #: Whether no list was left out or cut off that may be legal.
        self.is_exact = len(some) == len(scope.added)
        scope = replace(scope, added=some)
        self.possible = possible_lists(roster, order.catalogue, scope)
        keep_pinned(self.possible, order.pins)
        self.distance = distance_of(self.possible, order.weights)
        self.objective = self.distance.cost
        self.found: list[Repair] = []

    def run(self) -> Repairs:
        """Return ways, as many as are found in the given time."""
        left = self.order.seconds
        while len(self.found) < self.order.number and left > 0:
            answer = self._solved(left)
            if not isinstance(answer, Solution):
                nothing = isinstance(answer, Impossible) and not self.found
                return Repairs(self.in_order(), nothing and self.is_exact)
            left -= answer.seconds
            if not self.take(answer):
                break
        return Repairs(self.in_order())

    def _solved(self, seconds: float) -> Answer:
        """Return the smallest way that is left. The first is sought from below, and only where that
        is not done soon, as any that is found; others are seldom small.
        """
        problem, solver = self.problem, self.order.solver
        if self.found:
            return solver.solve(problem, seconds)
        answer = solver.solve(replace(problem, upward=True), seconds * UPWARD)
        if isinstance(answer, Unknown):
            answer = solver.solve(problem, seconds * (1 - UPWARD))
        return answer

    @property
    def problem(self) -> Problem:
        """The problem that is to be solved next."""
        return Problem(
            self.possible.constraints,
            self.objective,
            steady=True,
            simplified=False,
            relaxation=relaxation_for(self.order.catalogue),
        )

    def in_order(self) -> tuple[Repair, ...]:
        """Return the ways found, the smallest first."""
        return tuple(sorted(self.found, key=lambda one: one.cost))

    def take(self, answer: Solution) -> bool:
        """Keep a list that was found, if it is legal, and request another if more are wanted.

        Return whether that makes sense.
        """
        made, report = judged(self.possible, answer.values, self.army_list, "a repair")
        if not report.legal:
            _cut_off(self.possible, answer.values, made, report)
            self.is_exact = False
            return True
        changes = tuple(
            change for change, made in self.distance.changes.items() if is_made(made, answer.values)
        )
        cost = self.distance.cost.at(answer.values)
        self.found.append(Repair(made, changes, cost, answer.proved and self.is_exact))
        if changes and len(self.found) < self.order.number:
            self._want_another(changes)
        return bool(changes)

    def _want_another(self, changes: tuple[Change, ...]) -> None:
        """Require a way without one of these changes, preferably without all; the same units
        with other numbers, or another leader, are not another way."""
        both, distance = self.possible.constraints, self.distance
        if len(self.found) == 1:
            both.require(distance.cost, None, self.order.weights.dearest(self.found[0].cost))
        told = [change for change in changes if change.is_told]
        kinds = {change.kind for change in told}
        ways = {
            change: made_in(both, made)
            for change, made in distance.changes.items()
            if change.is_told
        }
        literals = {change: both.any_of(ways[change]) for change in told}
        both.require_any(~literal for literal in literals.values())
        both.require_any(
            literal
            for change, others in ways.items()
            if change not in literals
            # Another setting alone makes another way only where settings are what it is about.
            if change.kind != "setting" or "setting" in kinds
            for literal in others
        )
        self.objective = self.objective.copy()
        for literal in literals.values():
            self.objective.add(both.number(literal), self.order.weights.again)


def _cut_off(possible: PossibleLists, values: Values, made: ArmyList, report: Report) -> None:
    """Forbid that all entries of a list with errors stay unchanged; if none takes part, the list
    as a whole.

    That may exclude a list that is legal by another change: later results aren't proved.
    """
    errors = (one for one in report.findings if one.severity is Severity.ERROR)
    units = {unit for finding in errors for unit in finding.units}
    refs = {entry.ref for entry in made.units if entry.id in units}
    concerned = [one for one in possible.candidates if one.unit.ref in refs]
    if concerned:
        decisions = [variable for one in concerned for variable in one.as_it_stands()]
    else:
        decisions = list(possible.as_it_stands())
    same = [literal for one in decisions for literal in _as_it_is(possible, one, values)]
    possible.constraints.require_any(~literal for literal in same)


def _as_it_is(possible: PossibleLists, variable: int, values: Values) -> Iterator[Literal]:
    """Return literals that hold together where a variable keeps its value."""
    both, value = possible.constraints, values[variable]
    if both.is_yes_no(variable):
        yield variable if value else ~variable
        return
    number = Expression.of(variable)
    yield both.at_least(number, value)
    yield ~both.at_least(number, value + 1)
