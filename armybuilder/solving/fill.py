"""Fill: spend the remaining points, all of them if possible, by the player's wishes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from armybuilder.engine import Severity, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import PossibleLists, Scope, most_points, possible_lists
from armybuilder.engine.meanings import Meanings
from armybuilder.engine.selectors import SPENT
from armybuilder.engine.space.candidates import Candidate, Takable, Wanted, everything
from armybuilder.engine.space.constraints import FALSE, Expression, sum_of
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving import steps
from armybuilder.solving.collecting import uncollected
from armybuilder.solving.decoding import decode, judged
from armybuilder.solving.keeping import grown_lists
from armybuilder.solving.port import Answer, Impossible, Problem, Solution, Solver
from armybuilder.solving.reach import is_beyond, is_whole, whole
from armybuilder.solving.scopes import (
    COPIES,
    MANY,
    WIDE,
    adding,
    affordable,
    is_faulty,
    settled,
    thin,
)
from armybuilder.solving.sizes import size_of
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
#: How much is looked at, as `size_of` counts it, before it is said that there is no such list.
MOST_WORK = 7_000
#: How many cards there are to fill in.
CARDS = 5
#: So near to the best taste is near enough: far less than a point that is left.
NEAR = 30


class Filled(NamedTuple):
    """A filled list with its points left; `proved`: none has fewer.

    It is legal unless it is `unfinished`: has cards to fill in, or is filled only `partly`.
    """

    army_list: ArmyList
    left: int
    proved: bool
    unfinished: bool = False
    partly: bool = False


class Filling(NamedTuple):
    """The filled list; without one, `impossible`: no card that is surely complete makes one."""

    filled: Filled | None
    impossible: bool = False


@uncollected
def filling(
    army_list: ArmyList,
    catalogue: Catalogue,
    solver: Solver,
    seed: int,
    wishes: Wishes = NO_WISHES,
    seconds: float = SECONDS,
    few: bool = False,
) -> Filling:
    """Return the list with units, models and options added until the points are spent, and if there
    is none, whether that is proved. Nothing of it goes, no role either. The same for the same seed.

    `few`: changes three units at most, see `steps`: as many points as these can are spent, and if
    they don't make the list legal, the first steps towards that are made. Raises NoSolver if no
    solver is installed.
    """
    if len(army_list.units) > ENTRIES:
        return Filling(None)
    chance = Random(seed)  # noqa: S311, chance for play, not for secrets
    filler = _Filler(army_list, catalogue, solver, chance, wishes, seconds)
    return filler.steps() if few else filler.filling()


@dataclass
class _Filler:
    """A list that is to be filled, and how."""

    army_list: ArmyList
    catalogue: Catalogue
    solver: Solver
    rng: Random
    wishes: Wishes
    seconds: float

    def __post_init__(self) -> None:
        self.army_list = settled(self.army_list, self.catalogue)
        self.roster = make_roster(self.army_list, self.catalogue)
        self.report = validate(self.roster, self.catalogue)
        self.meanings: Meanings | None = None

    def steps(self) -> Filling:
        """Return the list with a few units changed."""
        self.meanings = Meanings(self.catalogue)
        some = self._part(self._scope(COPIES), SIZED)
        possible = self._possible(some)
        units = steps.changed_units(possible)
        possible.constraints.require(units, None, steps.MAX_CHANGED)
        objective = _gap(possible) * steps.STEPS.left + units * steps.STEP
        objective.add(tastes(possible, self.rng, self.wishes, steps.STEPS))
        problem = Problem(possible.constraints, objective, near=steps.NEAR, steady=True)
        answer = self.solver.solve(problem, self.seconds)
        if isinstance(answer, Solution):
            return Filling(self._filled(possible, answer))
        whole = self.filling()
        if whole.filled is None or whole.filled.unfinished:
            return whole
        made = steps.first_steps(self.army_list, whole.filled.army_list, self.catalogue)
        report = validate(make_roster(made, self.catalogue), self.catalogue)
        return Filling(Filled(made, report.limit - report.spent, proved=False, partly=True))

    def _worthwhile(self, scope: Scope) -> Wanted:
        """Return which of the options of a scope are bought for their own sake."""
        meanings = self.meanings
        if meanings is None:
            return scope.wanted
        return lambda candidate, takable: (
            scope.wanted(candidate, takable) and steps.is_worthwhile(candidate, takable, meanings)
        )

    def filling(self) -> Filling:
        """Return a filled list, or whether it is proved that there is none."""
        answer: Answer | None = None
        for scope in self._tries():
            possible = self._possible(scope)
            gap = _gap(possible)
            objective = gap * TASTE.left
            objective.add(tastes(possible, self.rng, self.wishes))
            problem = Problem(possible.constraints, objective, near=NEAR, steady=True)
            answer = self.solver.solve(problem, self.seconds)
            if isinstance(answer, Solution):
                if not answer.proved and gap.at(answer.values):
                    answer = self._exact(possible, objective, answer)
                filled = self._filled(possible, answer)
                return Filling(filled if filled is None else self._closest(filled))
        faulty = (is_faulty(unit, self.roster) for unit in self.catalogue.units.values())
        if not self.roster.picks and any(faulty):
            return self._cards()
        if self.meanings is not None and isinstance(answer, Impossible):
            # Only options worth buying for their own sake were looked at.
            self.meanings = None
            return self.filling()
        looked_at_all = scope.wanted is everything and not is_beyond(possible)
        return Filling(None, isinstance(answer, Impossible) and looked_at_all)

    def _possible(self, scope: Scope) -> PossibleLists:
        scope = replace(scope, wanted=self._worthwhile(scope))
        possible = grown_lists(self.roster, self.catalogue, scope)
        _hold_to(self.wishes, possible)
        return possible

    def _tries(self) -> Iterator[Scope]:
        """Yield which units may come: some by chance, others where these make no legal list, then
        all, then more copies, and at last every option as well.
        """
        scope = self._scope(1 if self.wishes.no_copies else COPIES)
        units, some = len(scope.added), SIZED if self.catalogue.system.sized else UNITS
        for most in [some] * 3 * (units > some) + [units]:
            yield self._part(scope, most)
        scope = self._scope(1 if self.wishes.no_copies else MANY)
        if not self.wishes.no_copies:
            yield self._part(scope, units)
        work = sum(
            number * size_of(self.catalogue.units[ref]) for ref, number in scope.added.items()
        )
        if units <= ALL and work <= MOST_WORK:
            yield replace(scope, wanted=everything, extent=WIDE)
        every = whole(scope, self.roster, self.catalogue)
        if every is not None and not self.wishes.no_copies:
            yield every

    def _scope(self, copies: int) -> Scope:
        """Return that units may come: those that can be paid, and that the player wishes."""
        roster, catalogue, wishes = self.roster, self.catalogue, self.wishes
        usually = adding(self.army_list, roster, catalogue, copies)
        scope = affordable(usually, roster, catalogue, self.report.spent)
        there = {pick.ref for pick in roster.picks} if wishes.no_copies else set()
        return replace(scope, added={ref: n for ref, n in scope.added.items() if ref not in there})

    def _exact(self, possible: PossibleLists, objective: Expression, found: Solution) -> Solution:
        """Return a filling that spends all points, in any taste; the one found, if there is none
        in time."""
        possible.constraints.require(_left(possible), 0, 0)
        problem = Problem(possible.constraints, objective, near=TASTE.left, steady=True)
        answer = self.solver.solve(problem, self.seconds)
        return answer if isinstance(answer, Solution) else found

    def _filled(self, possible: PossibleLists, answer: Solution) -> Filled | None:
        made, report = judged(possible, answer.values, self.army_list, "a filled list")
        left = report.limit - report.spent
        return Filled(made, left, proved=not left) if report.legal else None

    def _closest(self, filled: Filled) -> Filled:
        """Return the filling, or one that leaves fewer points, where all lists can be looked at:
        proved then.
        """
        scope = whole(self._scope(MANY), self.roster, self.catalogue) if filled.left else None
        if scope is None:
            return filled
        possible = self._possible(scope)
        gap = _gap(possible)
        possible.constraints.require(gap, None, abs(filled.left) - 1)
        problem = Problem(possible.constraints, gap, steady=True)
        answer = self.solver.solve(problem, self.seconds)
        # Points that a setting may cost could be spent on it instead.
        may_buy = not possible.constraints.capped.isdisjoint(possible.free.numbers.values())
        is_sure = is_whole(possible) and not may_buy
        if isinstance(answer, Impossible):
            return filled._replace(proved=is_sure)
        closer = self._filled(possible, answer) if isinstance(answer, Solution) else None
        if closer is None:
            return filled
        proved = isinstance(answer, Solution) and answer.proved and is_sure
        return closer._replace(proved=closer.proved or proved)

    def _cards(self) -> Filling:
        """Return cards to fill in, if nothing can be built from the books: a few by chance that
        break no rule but those of their own cards."""
        army_list, roster, catalogue, rng = self.army_list, self.roster, self.catalogue, self.rng
        refs = rng.sample(list(catalogue.units), min(UNITS, len(catalogue.units)))
        scope = adding(army_list, roster, catalogue, copies=1)
        scope = replace(scope, added=dict.fromkeys(sorted(refs), 1), legal=False)
        possible = possible_lists(roster, catalogue, scope)
        rules = (*catalogue.system.always, *catalogue.system.rules)
        off = {rule.head.pointer: FALSE for rule in rules if rule.card_fields}
        models = possible.spaces[0].all_models()
        possible.constraints.require(models, 1, CARDS)
        objective = tastes(possible, rng, NO_WISHES).add(models, -TASTE.left)
        problem = Problem(possible.constraints, objective, near=NEAR, steady=True, switches=off)
        answer = self.solver.solve(problem, SECONDS)
        if not isinstance(answer, Solution):
            return Filling(None)
        made = decode(possible, answer.values, army_list)
        report = validate(make_roster(made, catalogue), catalogue)
        if any(not found.rule.card_fields for found in report.of(Severity.ERROR)):
            return Filling(None)
        return Filling(Filled(made, report.limit - report.spent, answer.proved, unfinished=True))

    def _part(self, scope: Scope, most: int) -> Scope:
        """Return the scope with as many units as the time allows, and a few options of each, both
        by chance, besides those that matter for a legal list.
        """
        chosen = self._some(scope, min(most, ALL))
        considered: dict[str, set[tuple[str, ...]]] = {}
        always = [wish for wish in self.catalogue.system.wishes.values() if wish.always]

        def wanted(candidate: Candidate, takable: Takable) -> bool:
            if thin(candidate, takable) or any(is_meant(wish, takable) for wish in always):
                return True
            offered = list(candidate.unit.offer.slots)
            chosen = considered.setdefault(
                candidate.key,
                {(one,) for one in self.rng.sample(offered, min(OPTIONS, len(offered)))},
            )
            return takable.path in chosen

        added = {ref: number for ref, number in scope.added.items() if ref in chosen}
        return replace(scope, added=added, wanted=wanted)

    def _some(self, scope: Scope, most: int) -> set[str]:
        """Return some units, those of one theme first: that of the list, or one by chance."""
        refs = self.rng.sample(list(scope.added), len(scope.added))
        if len(refs) <= most:
            return set(refs)
        units, system = self.catalogue.units, self.catalogue.system
        there = (pick.ref for pick in self.roster.picks)
        first = next((ref for ref in there if ref in units), refs[0])
        theme = set(themes(units[first], system))
        refs.sort(key=lambda ref: theme.isdisjoint(themes(units[ref], system)))
        return set(refs[:most])


def _left(possible: PossibleLists) -> Expression:
    spent = possible.spaces[0].counted(SPENT)
    return Expression(possible.roster.limit) - spent


def _gap(possible: PossibleLists) -> Expression:
    """Return how far the points that are spent lie from the game size, which a list may exceed
    where no rule in force forbids that.
    """
    left, both = _left(possible), possible.constraints
    budget = most_points(possible.roster, possible.catalogue)
    if budget is not None and budget <= possible.roster.limit:
        return left
    return both.choose(both.at_least(left, 0), left, left * -1)


def _hold_to(wishes: Wishes, possible: PossibleLists) -> None:
    """Allow at most one model or unit of a kind if the player wants no duplicates."""
    if not wishes.no_copies:
        return
    by_ref: dict[str, list[Candidate]] = {}
    for candidate in possible.candidates:
        by_ref.setdefault(candidate.unit.ref, []).append(candidate)
    both = possible.constraints
    for ref, some in by_ref.items():
        unit = possible.catalogue.units.get(ref)
        if unit is None:
            continue
        if unit.size is None:
            had = sum(one.pick.models for one in some if one.pick is not None)
            both.require(sum_of(one.size for one in some), None, max(1, had))
        else:
            new = [both.number(one.present) for one in some if one.pick is None]
            both.require(sum_of(new), None, 1)
