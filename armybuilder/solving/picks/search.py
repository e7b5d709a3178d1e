"""Search for a similar list: possible changes as constraints, their costs as the objective."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from time import monotonic
from typing import Final, TypeAlias

from armybuilder.engine.kernel.branches import Breach, Why
from armybuilder.engine.kernel.conditions import Condition
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.owned import hold_to
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.engine.kernel.spots import Spot, Spots
from armybuilder.engine.kernel.statement import Statement
from armybuilder.engine.space.constraints import Expression, Literal
from armybuilder.solving.picks.reach import Reach
from armybuilder.solving.port import Answer, Problem, Relaxation, Solution, Solver
from armybuilder.solving.weights import USUAL, Weights

#: Seconds of solving at once: what is found by then is good enough.
LONGEST: Final = 0.4


def errors_of(evaluation: Evaluation) -> list[Breach]:
    """Return the breaches of a list that changes may settle."""
    return [
        breach
        for breach in evaluation.breaches
        if breach.severity == "error" and breach.why is not Why.LOOP
    ]


#: Says of a pick whether it stays.
Keeps: TypeAlias = Callable[[Pick], bool]


def keeps_nothing(pick: Pick) -> bool:
    """Let anything change."""
    return False


def keeps_all(pick: Pick) -> bool:
    """Let nothing become less."""
    return True


class Late(Exception):
    """The time was up before all was stated."""


class _Timed(Statement):
    """A statement that is given up at a point in time. Raises Late."""

    def __init__(self, space: Spots, until: float) -> None:
        self._until = until
        super().__init__(space)

    def literal(self, condition: Condition, seen: Spot) -> Literal:
        """Return whether a condition holds of a spot, if that is there. Raises Late."""
        if monotonic() > self._until:
            raise Late
        return super().literal(condition, seen)


class Search:
    """Lists that may become of one within a reach. What `keeps` says stays, and is not less. Raises
    Late where the time is up before that is stated.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        reach: Reach,
        until: float,
        keeps: Keeps = keeps_nothing,
        weights: Weights = USUAL,
    ) -> None:
        self.evaluation = evaluation
        self.reach = reach
        self.weights = weights
        roster = evaluation.roster
        branches = list(evaluation.all_branches())
        held = {branch.pick for branch in branches if branch.pick.id not in reach.free}
        reach.is_whole, reach.added = not held, 0
        self.statement = _Timed(Spots(roster, reach.offer, held, reach.room), until)
        self.constraints = self.statement.constraints
        if reach.owned is not None:
            hold_to(self.statement, reach.owned)
        taken = {pick.id for force in roster.forces for pick in force.walk()}
        numbers = count(1)
        self._ids = (id for id in map("new-{}".format, numbers) if id not in taken)
        for spot in self.statement.spots:
            if spot.was is not None and spot.variable is not None and keeps(spot.was):
                self.constraints.require(spot.number, spot.was.number, None)

    @property
    def is_whole(self) -> bool:
        """Return whether all possible lists were looked at, with all their demands."""
        return self.reach.is_whole and not self.statement.unstated

    def solve(
        self, solver: Solver, objective: Expression, until: float, most: bool = False
    ) -> Answer:
        """Return the answer of a solver by a point in time."""
        problem = Problem(
            self.constraints, objective, most, simplified=False, relaxation=Relaxation.WEAK
        )
        return solver.solve(problem, min(LONGEST, max(0.05, until - monotonic())))

    def list_of(self, answer: Solution) -> PickList:
        """Return the list of an answer."""
        return self.statement.space.list_of(answer.values, lambda: next(self._ids))

    def spent(self, cost: str) -> Expression:
        """Return the cost of the list."""
        return self.statement.count(self.statement.top, cost, "", True, True)

    # What a change costs

    def distance(self) -> Expression:
        """Return what all changes cost together."""
        total = Expression()
        for spot in self.statement.spots:
            if spot.variable is not None:
                self._add_cost(spot, total)
        return total

    def _add_cost(self, spot: Spot, total: Expression) -> None:
        both, weights, above = self.constraints, self.weights, spot.above
        present = both.number(spot.taken)
        is_unit = above is not None and not above.in_branch
        if spot.was is None:
            if is_unit:
                price = weights.added + self._share(spot.definition, weights.added_share)
            else:
                is_new = above is not None and above.was is None
                price = weights.new_option if is_new else weights.option
            total.add(present, price).add(spot.number, 0 if is_unit else weights.new_option)
            return
        around = Expression(1) if is_unit or above is None else both.number(above.taken)
        change = weights.model if not is_unit and spot.was.number > 1 else weights.option
        if is_unit:
            chosen = sum(1 for pick in spot.was.walk()) - 1
            price = weights.unit + self._share(spot.definition, weights.unit_share)
            price += weights.equipped * chosen + weights.described * bool(spot.was.said)
            total.add(present, -price).add(Expression(price))
        off = self._off(spot.number, around * spot.was.number, both.high[spot.variable or 0])
        total.add(off, change)

    def _off(self, number: Expression, was: Expression, most: int) -> Expression:
        """Return the distance of a number from its earlier value."""
        both = self.constraints
        low, high = both.range_of(number - was)
        if high <= 0 or low >= 0:
            return (number - was) * (1 if low >= 0 else -1)
        more = Expression.of(both.whole(0, max(most, high, -low)))
        both.require(more - (number - was), 0, None)
        both.require(more - (was - number), 0, None)
        return more

    def _share(self, definition: Definition, share: int) -> int:
        """Return the part of a share that one of something is of the limit."""
        limits = self.evaluation.roster.limits.items()
        parts = (
            max(0, definition.prices[cost].base) * share // limit
            for cost, limit in limits
            if limit > 0 and cost in definition.prices
        )
        return int(min(share, max(parts, default=0)))
