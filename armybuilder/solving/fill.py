"""Fill: spend what is left, exactly where that can be, by what the player wishes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from armybuilder.engine import Report, Severity, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import PossibleLists, Scope, possible_lists
from armybuilder.engine.roster import Roster
from armybuilder.engine.selectors import EVERYTHING
from armybuilder.engine.space.candidates import Candidate, Takable
from armybuilder.engine.space.constraints import FALSE
from armybuilder.engine.space.expressions import Expression
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving.collecting import uncollected
from armybuilder.solving.decoding import decode, judged
from armybuilder.solving.keeping import keep_settings, keep_whole
from armybuilder.solving.port import Answer, Impossible, Problem, Solution, Solver
from armybuilder.solving.reach import reaches_end
from armybuilder.solving.scopes import COPIES, MANY, is_faulty, own_settings, thin, usual
from armybuilder.solving.taste import NO_WISHES, Wishes, is_meant, tastes, themes
from armybuilder.solving.weights import TASTE

#: Seconds of solving for one proposal, counted in work.
SECONDS = 0.12
#: How many of the options of a new unit one proposal considers; of how many units; and of how long
#: a list at most.
OPTIONS, UNITS, ENTRIES = 5, 60, 80
#: Of how many units in a game of units of many, each with its options; and of how many at most,
#: where fewer do not make a legal list.
SIZED, ALL = 32, 160
#: How many cards there are to fill in.
CARDS = 5
#: So near to the best taste is near enough: far less than a point that is left.
NEAR = 30


class Filled(NamedTuple):
    """A list with so many points left; `proved`: no fewer can be, as far as was looked. It is legal
    unless it is `unfinished`: of cards that are to be filled in.
    """

    army_list: ArmyList
    left: int
    proved: bool
    unfinished: bool = False


class Filling(NamedTuple):
    """The filled list; without one, `impossible`: cards as they are surely make none."""

    filled: Filled | None
    impossible: bool = False


def fill(
    army_list: ArmyList,
    catalogue: Catalogue,
    solver: Solver,
    seed: int,
    wishes: Wishes = NO_WISHES,
    seconds: float = SECONDS,
) -> Filled | None:
    """Return the list with units, models and options added until the points are spent; nothing of
    it goes, no role either. The same for the same seed. None: it cannot become legal, or was not
    found in time.

    Raises NoSolver where no solver is installed.
    """
    return filling(army_list, catalogue, solver, seed, wishes, seconds).filled


@uncollected
def filling(
    army_list: ArmyList,
    catalogue: Catalogue,
    solver: Solver,
    seed: int,
    wishes: Wishes = NO_WISHES,
    seconds: float = SECONDS,
) -> Filling:
    """Return the same, and where there is no such list, whether that is proved.

    Raises NoSolver where no solver is installed.
    """
    if len(army_list.units) > ENTRIES:
        return Filling(None)
    roster = make_roster(army_list, catalogue)
    rng = Random(seed)  # noqa: S311, chance for play, not for secrets
    report = validate(roster, catalogue)
    answer: Answer | None = None
    for scope, most in _tries(roster, catalogue, report, wishes):
        possible = possible_lists(roster, catalogue, _part(scope, roster, catalogue, rng, most))
        keep_whole(possible)
        keep_settings(possible, army_list.settings)
        _hold_to(wishes, possible)
        objective = _left(possible) * TASTE.left
        objective.add(tastes(possible, rng, wishes))
        problem = Problem(possible.constraints, objective, near=NEAR, steady=True)
        answer = solver.solve(problem, seconds)
        if isinstance(answer, Solution):
            if not answer.proved and _left(possible).at(answer.values):
                answer = _exact(possible, objective, answer, solver, seconds)
            made, report = judged(possible, answer.values, army_list, "a filled list")
            left = report.limit - report.spent
            proved = answer.proved and not reaches_end(possible, answer.values)
            filled = Filled(made, left, proved or not left)
            return Filling(filled if report.legal else None)
    if not roster.picks and any(is_faulty(unit, roster) for unit in catalogue.units.values()):
        return _cards(army_list, roster, catalogue, solver, rng)
    seen = len(scope.added) <= ALL and not possible.constraints.out_of_reach
    return Filling(None, isinstance(answer, Impossible) and seen)


def _exact(
    possible: PossibleLists,
    objective: Expression,
    found: Solution,
    solver: Solver,
    seconds: float,
) -> Solution:
    """Return a filling that spends all points, whatever it tastes like; what was found, where there
    is none in time.
    """
    possible.constraints.require(_left(possible), 0, 0)
    problem = Problem(possible.constraints, objective, near=TASTE.left, steady=True)
    answer = solver.solve(problem, seconds)
    return answer if isinstance(answer, Solution) else found


def _left(possible: PossibleLists) -> Expression:
    spent = possible.spaces[0].counted("points", EVERYTHING, 0, "")
    return Expression(possible.roster.limit) - spent


def _tries(
    roster: Roster, catalogue: Catalogue, report: Report, wishes: Wishes
) -> Iterator[tuple[Scope, int]]:
    """Yield which units may come, and of how many of them a filling is made: of some by chance, of
    others where these make no legal list, then of all, and at last of more copies.
    """
    scope = _scope(roster, catalogue, report, wishes, 1 if wishes.no_copies else COPIES)
    units, some = len(scope.added), SIZED if catalogue.system.sized else UNITS
    if units > some:
        yield from [(scope, some)] * 3
    yield scope, units
    if not wishes.no_copies:
        yield _scope(roster, catalogue, report, wishes, MANY), units


def _cards(
    army_list: ArmyList, roster: Roster, catalogue: Catalogue, solver: Solver, rng: Random
) -> Filling:
    """Cards to fill in, where nothing can be built of what the books say: a few by chance that
    break no rule but those of their own cards.
    """
    refs = rng.sample(list(catalogue.units), min(UNITS, len(catalogue.units)))
    scope = Scope(dict.fromkeys(sorted(refs), 1), own_settings(catalogue), wanted=thin)
    possible = possible_lists(roster, catalogue, scope)
    rules = (*catalogue.system.always, *catalogue.system.rules)
    off = {rule.head.pointer: FALSE for rule in rules if rule.card_fields}
    models = possible.spaces[0].models
    possible.constraints.require(models, 1, CARDS)
    objective = tastes(possible, rng, NO_WISHES).add(models, -TASTE.left)
    problem = Problem(possible.constraints, objective, near=NEAR, steady=True, switches=off)
    answer = solver.solve(problem, SECONDS)
    if not isinstance(answer, Solution):
        return Filling(None)
    made = decode(possible, answer.values, army_list)
    report = validate(make_roster(made, catalogue), catalogue)
    if any(not found.rule.card_fields for found in report.of(Severity.ERROR)):
        return Filling(None)
    return Filling(Filled(made, report.limit - report.spent, answer.proved, unfinished=True))


def _scope(
    roster: Roster, catalogue: Catalogue, report: Report, wishes: Wishes, copies: int
) -> Scope:
    """Return that units may come: those that can be paid, and that the player wishes."""
    scope = usual(roster, catalogue, copies)
    there = {pick.ref for pick in roster.picks}
    room = roster.limit - report.spent
    moving = any(pick.unit is not None and pick.unit.price_changes for pick in roster.picks)

    def suits(ref: str) -> bool:
        unit = catalogue.units[ref]
        if (wishes.owned and not unit.owned) or (wishes.no_copies and ref in there):
            return False
        dear = unit.size is not None and not unit.price_changes and not moving
        return not dear or (unit.price.start or 0) <= room

    return replace(scope, added={ref: n for ref, n in scope.added.items() if suits(ref)})


def _part(scope: Scope, roster: Roster, catalogue: Catalogue, rng: Random, most: int) -> Scope:
    """Return the scope with so many units that it is settled in time, and a few options of each,
    both by chance, beside those that matter to what is legal.
    """
    chosen = _some(scope, roster, catalogue, rng, min(most, ALL))
    considered: dict[str, set[tuple[str, ...]]] = {}
    always = [wish for wish in catalogue.system.wishes.values() if wish.always]

    def wanted(candidate: Candidate, takable: Takable) -> bool:
        if thin(candidate, takable) or any(is_meant(wish, takable) for wish in always):
            return True
        offered = list(candidate.unit.offer.slots)
        chosen = considered.setdefault(
            candidate.key, {(one,) for one in rng.sample(offered, min(OPTIONS, len(offered)))}
        )
        return takable.path in chosen

    added = {ref: number for ref, number in scope.added.items() if ref in chosen}
    return replace(scope, added=added, wanted=wanted)


def _some(scope: Scope, roster: Roster, catalogue: Catalogue, rng: Random, most: int) -> set[str]:
    """Return so many units, those of one theme first: that of the list, or one by chance."""
    refs = rng.sample(list(scope.added), len(scope.added))
    if len(refs) <= most:
        return set(refs)
    units, system = catalogue.units, catalogue.system
    there = (pick.ref for pick in roster.picks)
    first = next((ref for ref in there if ref in units), refs[0])
    theme = set(themes(units[first], system))
    refs.sort(key=lambda ref: theme.isdisjoint(themes(units[ref], system)))
    return set(refs[:most])


def _hold_to(wishes: Wishes, possible: PossibleLists) -> None:
    """No more models of a unit come than its owner has, or, where nothing is to be twice, one."""
    models: dict[str, Expression] = {}
    had: dict[str, int] = {}
    for candidate in possible.candidates:
        ref, pick = candidate.unit.ref, candidate.pick
        models.setdefault(ref, Expression()).add(candidate.size)
        had[ref] = had.get(ref, 0) + (pick.models if pick is not None else 0)
    for ref, number in models.items():
        unit = possible.catalogue.units.get(ref)
        if unit is None:
            continue
        if wishes.owned:
            possible.constraints.require(number, None, max(unit.owned or 0, had[ref]))
        if wishes.no_copies and unit.size is None:
            possible.constraints.require(number, None, max(1, had[ref]))
