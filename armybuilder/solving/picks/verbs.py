"""Repair of a list of picks, filling, explanation, and look-ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set
from enum import StrEnum
from itertools import islice
from random import Random
from time import monotonic
from typing import Final, NamedTuple, TypeAlias

from armybuilder.engine.kernel.branches import Breach
from armybuilder.engine.kernel.conditions import Number
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.owned import counted_unit, is_counted, models_in, models_stated
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.engine.kernel.statement import StatedDemand
from armybuilder.engine.kernel.supposing import Supposed
from armybuilder.engine.kernel.unknowns import NotStated
from armybuilder.engine.space.constraints import Expression, Literal, sum_of
from armybuilder.solving.collecting import uncollected
from armybuilder.solving.cores import clash_of, smaller
from armybuilder.solving.owned import Models
from armybuilder.solving.picks.edits import Edit, edits_between
from armybuilder.solving.picks.reach import MOST_COPIES, Reach
from armybuilder.solving.picks.search import (
    Keeps,
    Late,
    Search,
    errors_of,
    keeps_all,
    keeps_nothing,
)
from armybuilder.solving.port import Impossible, Problem, Solution, Solver
from armybuilder.solving.questions import Question, Sought
from armybuilder.solving.weights import TASTE

#: Seconds for a verb by the clock.
SECONDS = 1.0
#: How many units of each force a filling draws from.
MOST_DRAWN: Final = 12
#: How often what is at fault for what a change breaks is let in.
MOST_ROUNDS = 8
#: How often units are drawn for the most of something.
MOST_DRAWS: Final = 4
#: How many lists with a force more are looked at.
MOST_FORCES: Final = 4


#: Lists with a force more than one has, of those that have one of some tags.
MoreForces: TypeAlias = Callable[[PickList, Set[str]], Iterator[PickList]]


def no_more(roster: PickList, wanted: Set[str]) -> Iterator[PickList]:
    """Add no force."""
    return iter(())


class Outcome(StrEnum):
    """Result of a search: a list; none among those looked at; provably none; or the time was up."""

    FOUND = "found"
    NONE_SEEN = "none seen"
    NONE = "none"
    TIME = "time"


class Found(NamedTuple):
    """A list and the edits that lead to it. `best`: no list costs less."""

    outcome: Outcome
    roster: PickList | None = None
    edits: tuple[Edit, ...] = ()
    best: bool = False


class Goal(NamedTuple):
    """A number that is to be small, or the `most` possible: stated, and counted on a list."""

    stated: Callable[[Search], Expression]
    counted: Callable[[Evaluation], Number]
    most: bool = False


#: The most models.
LARGEST: Final = Goal(
    lambda search: sum_of(models for _unit, _of, models in models_stated(search.statement)),
    lambda evaluation: models_in(evaluation.roster.forces).total(),
    True,
)


def cheapest(cost: str) -> Goal:
    """Return the goal of as little of a cost as possible."""
    return Goal(lambda search: search.spent(cost), lambda evaluation: evaluation.spent(cost))


def goals(costs: Iterable[str]) -> dict[Question, Goal]:
    """Return the questions about a list with their goals: most models, least of the first cost."""
    least = {Question(Sought.CHEAPEST): cheapest(cost) for cost in islice(costs, 1)}
    return {Question(Sought.MODELS): LARGEST, **least}


@uncollected
def repair(
    evaluation: Evaluation,
    solver: Solver,
    seconds: float = SECONDS,
    keeps: Keeps = keeps_nothing,
    forces: MoreForces = no_more,
    owned: Models | None = None,
) -> Found:
    """Return the list with the fewest changes that is legal, as far as it is checked, and that
    `keeps` its pins.

    First units at fault may change, and missing ones come; then their options, and what conditions
    ask for; then anything may be added; then one of the requested `forces`. Additions are of
    `owned` models, where these are given. Raises NoSolver if no solver is installed.
    """
    until = monotonic() + seconds
    found = _mended(evaluation, solver, until, keeps, owned)
    if found.roster is not None:
        return found
    errors, reach = errors_of(evaluation), Reach()
    reach.grow(evaluation, errors)
    reach.widen(errors)
    for roster in islice(forces(evaluation.roster, reach.wanted.keys()), MOST_FORCES):
        more = _mended(Evaluation(roster, evaluation), solver, until + seconds, keeps, owned)
        if more.roster is not None:
            return more._replace(edits=edits_between(evaluation.roster, more.roster), best=False)
        found = Found(Outcome.NONE_SEEN)  # another force may help
    return found


@uncollected
def look_ahead(
    evaluation: Evaluation, solver: Solver, seconds: float = SECONDS, owned: Models | None = None
) -> Found:
    """Return whether a list can become legal by adding alone, and the list that shows it.

    Of `owned` models, where these are given.
    """
    return _mended(evaluation, solver, monotonic() + seconds, keeps_all, owned)


@uncollected
def extreme(
    evaluation: Evaluation,
    goal: Goal,
    solver: Solver,
    seconds: float = SECONDS,
    owned: Models | None = None,
) -> Found:
    """Return the legal list with the least or the most of something, as a goal says, that adding
    alone can make, of `owned` models; `best` if no list has less or more.
    """
    until, best, value = monotonic() + seconds, Found(Outcome.TIME), goal.counted(evaluation)
    if not errors_of(evaluation):
        best = Found(Outcome.FOUND, evaluation.roster)
    for reach in _reaches(evaluation, goal, until, owned):
        answer = _within(evaluation, reach, solver, until, keeps_all, goal.stated, goal.most)
        if answer.roster is None:
            best = best if best.roster is not None else answer
            continue
        reached = goal.counted(Evaluation(answer.roster, evaluation))
        if best.roster is None or (reached > value if goal.most else reached < value):
            best, value = answer, reached
        if answer.best:
            return best._replace(best=True)
    return best


def _reaches(
    evaluation: Evaluation, goal: Goal, until: float, owned: Models | None
) -> Iterator[Reach]:
    """Yield the freedom of each search: for the most of something units drawn, always the same;
    else units that errors ask for, then all.
    """
    errors = errors_of(evaluation)
    for seed in range(MOST_DRAWS if goal.most else 2):
        reach = Reach(owned=owned, options=not goal.most)
        reach.grow(evaluation, errors)
        reach.widen(errors)
        if goal.most:
            chance = Random(seed)  # noqa: S311 no secret
            reach.units = frozenset(_drawn(evaluation, chance, until, owned))
            reach.wanted.update((one.key, MOST_COPIES) for one in reach.units)
        else:
            reach.free.update(branch.pick.id for branch in evaluation.all_branches())
            reach.units = None if seed else frozenset()
        yield reach


@uncollected
def fill(
    evaluation: Evaluation,
    cost: str,
    solver: Solver,
    seed: int = 0,
    seconds: float = SECONDS,
    owned: Models | None = None,
) -> Found:
    """Return the list with as many additions as its limit of a cost allows, and legal. Additions
    are drawn by chance, from `seed`, of the units that its forces may have, and of `owned` models.
    """
    until, limit = monotonic() + seconds, evaluation.roster.limits.get(cost, -1)
    if limit < 0 or evaluation.spent(cost) > limit:
        return Found(Outcome.NONE)
    chance, reach = Random(seed), Reach(owned=owned)  # noqa: S311 no secret
    reach.grow(evaluation, errors_of(evaluation))
    reach.free.clear()
    units = set(_drawn(evaluation, chance, until, owned))
    reach.units = frozenset(units)

    def leave_out(after: Evaluation, errors: Iterable[Breach]) -> bool:
        """Leave out the units that have a part in errors."""
        nodes = (node for error in errors for node in (error.node, *after.parts(error)))
        units.difference_update(node.branch.root.definition for node in nodes if node.branch)
        reach.units = frozenset(units)
        return True

    def wish(search: Search) -> Expression:
        return _wish(search, cost, chance)

    return _within(evaluation, reach, solver, until, keeps_all, wish, True, leave_out)


def _wish(search: Search, cost: str, chance: Random) -> Expression:
    """Return the objective: points spent first, then preferences by chance."""
    statement, both = search.statement, search.constraints
    wish = search.spent(cost) * max(1, TASTE.left // statement.scales.get(cost, 1))
    for spot in statement.spots:
        if spot.was is None and spot.above is not None and not spot.above.in_branch:
            wish.add(both.number(spot.taken), chance.randint(0, TASTE.liking))
    return wish


def _drawn(
    evaluation: Evaluation, chance: Random, until: float, owned: Models | None
) -> Iterator[Definition]:
    """Yield some units that the forces of a list may have without breaking a rule."""
    left = None if owned is None else Counter(owned) - models_in(evaluation.roster.forces)
    for force in evaluation.forces:
        supposed, drawn = Supposed(evaluation, force), 0
        offered = [
            one
            for one in force.definition.offered
            if left is None or not is_counted(one) or left[counted_unit(one).id]
        ]
        for definition in chance.sample(offered, len(offered)):
            supposed.take(definition)
            if not supposed.judge()[0]:
                drawn += 1
                yield definition
            if drawn == MOST_DRAWN or monotonic() > until:
                break


def _mended(
    evaluation: Evaluation, solver: Solver, until: float, keeps: Keeps, owned: Models | None = None
) -> Found:
    errors = errors_of(evaluation)
    if not errors:
        return Found(Outcome.FOUND, evaluation.roster, (), True)
    found = Found(Outcome.TIME)
    for reach in _wider(evaluation, errors, owned):
        found = _within(evaluation, reach, solver, until, keeps)
        if found.outcome is not Outcome.NONE_SEEN:
            break
    return found


def _wider(
    evaluation: Evaluation, errors: Iterable[Breach], owned: Models | None
) -> Iterator[Reach]:
    """Yield the freedom of each search of a repair, wider each time."""
    reach = Reach(owned=owned)
    reach.grow(evaluation, errors)
    yield reach
    reach.widen(errors)
    yield reach
    reach.free.update(branch.pick.id for branch in evaluation.all_branches())
    yield reach
    reach.options, reach.units = True, None
    yield reach


def _within(
    evaluation: Evaluation,
    reach: Reach,
    solver: Solver,
    until: float,
    keeps: Keeps,
    stated: Callable[[Search], Expression] = Search.distance,
    most: bool = False,
    change: Callable[[Evaluation, list[Breach]], bool] | None = None,
) -> Found:
    """Return the best legal list within a reach; for new breaches that `change`s, if it can: it
    grows by their causes, if nothing else is given.
    """
    try:
        for _ in range(MOST_ROUNDS):
            search = Search(evaluation, reach, until, keeps)
            answer = search.solve(solver, stated(search), until, most)
            if not isinstance(answer, Solution):
                nothing = Outcome.NONE if search.is_whole else Outcome.NONE_SEEN
                return Found(nothing if isinstance(answer, Impossible) else Outcome.TIME)
            roster = search.list_of(answer)
            after = Evaluation(roster, evaluation)
            errors = errors_of(after)
            if not errors:
                edits = edits_between(evaluation.roster, roster)
                return Found(Outcome.FOUND, roster, edits, answer.proved and search.is_whole)
            if not (change or reach.grow)(after, errors):
                break
    except Late:
        return Found(Outcome.TIME)
    except NotStated:  # prices that hang on each other, or are not understood
        pass
    return Found(Outcome.NONE_SEEN)


class Clash(NamedTuple):
    """Bounds that can't all hold while some picks stay, with the additions that were tried.

    `minimal`: without any one they could.
    """

    demands: tuple[StatedDemand, ...]
    picks: tuple[Pick, ...]
    minimal: bool


@uncollected
def explain(
    evaluation: Evaluation, solver: Solver, seconds: float = SECONDS, owned: Models | None = None
) -> Clash | None:
    """Return a smallest set of bounds and picks because of which a list cannot become legal by
    adding alone, of `owned` models if given; None where it can, or where that is not known in time.
    """
    until = monotonic() + seconds
    errors, reach = errors_of(evaluation), Reach(owned=owned)
    reach.grow(evaluation, errors)
    reach.widen(errors)
    try:
        search = Search(evaluation, reach, until)
    except Late:
        return None
    both = search.constraints
    owners = dict.fromkeys(
        [*(one.owner for one in both.clauses), *(one.owner for one in both.linear)]
    )
    demands = {both.yes_no(): one for one in owners if isinstance(one, StatedDemand)}
    switches = {demand: switch for switch, demand in demands.items()}
    kept: dict[Literal, Pick] = {}
    for spot in search.statement.spots:
        if spot.was is not None and not spot.is_held:
            keep = both.yes_no()
            both.require(spot.number, spot.was.number, None, (keep,))
            kept[keep] = spot.was

    def clash(literals: list[Literal]) -> set[Literal] | None:
        problem = Problem(both, assumptions=tuple(literals), switches=switches, simplified=False)
        return clash_of(problem, solver, until)

    found = clash([*kept, *demands])
    if found is None:
        return None
    ordered = sorted(found, key=lambda literal: literal in demands)
    every, minimal = smaller(clash, [], ordered, until)
    return Clash(
        tuple(demands[one] for one in every if one in demands),
        tuple(kept[one] for one in every if one in kept),
        minimal,
    )
