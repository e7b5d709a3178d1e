"""Answers to questions: how much of something a list could have besides its contents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import PossibleLists, Scope
from armybuilder.engine.roster import Roster
from armybuilder.engine.selectors import SPENT
from armybuilder.engine.space.candidates import Candidate, Takable, everything
from armybuilder.engine.space.constraints import Expression, sum_of
from armybuilder.engine.vocabulary import Wish
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving.collecting import uncollected
from armybuilder.solving.decoding import judged
from armybuilder.solving.fill import ENTRIES, UNITS
from armybuilder.solving.keeping import grown_lists
from armybuilder.solving.port import Impossible, Problem, Solution, Solver, Unknown
from armybuilder.solving.reach import is_beyond, is_whole, whole
from armybuilder.solving.scopes import MANY, WIDE, adding, is_needed, relaxation_for, settled
from armybuilder.solving.taste import met_by
from armybuilder.solving.unfinished import unfinished

#: Seconds of solving for one question, counted in work.
SECONDS = 0.4


class Sought(Enum):
    """A question's aim: the most models; the fewest points of a legal list; the most points of
    units that meet a wish of the game.
    """

    MODELS = "models"
    CHEAPEST = "cheapest"
    POINTS_OF = "points-of"


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a list; of `wish`, where it is points of that."""

    sought: Sought
    wish: Wish | None = None

    @property
    def id(self) -> str:
        """The name that addresses use."""
        return self.wish.id if self.wish is not None else self.sought.value


class Reply(NamedTuple):
    """The maximum (or minimum), in models or points, and a legal list that has it.

    `proved`: no list has more (or fewer). Without a list, `impossible` says that there is provably
    no legal one, with any values on cards.
    """

    value: int = 0
    army_list: ArmyList | None = None
    proved: bool = False
    impossible: bool = False


def questions(catalogue: Catalogue) -> Iterator[Question]:
    """Return the questions that make sense with some books."""
    yield Question(Sought.MODELS)
    yield Question(Sought.CHEAPEST)
    for wish in catalogue.system.wishes.values():
        if not wish.always and any(wish.meets(unit) for unit in catalogue.units.values()):
            yield Question(Sought.POINTS_OF, wish)


@uncollected
def answer(
    question: Question,
    army_list: ArmyList,
    catalogue: Catalogue,
    solver: Solver,
    seconds: float = SECONDS,
) -> Reply:
    """Return the answer to a question for a list of which nothing goes.

    Raises NoSolver where no solver is installed.
    """
    if len(army_list.units) > ENTRIES:
        return Reply()
    army_list = settled(army_list, catalogue)
    roster = make_roster(army_list, catalogue)
    scope, has_all = _scope(army_list, roster, catalogue)
    every = whole(scope, roster, catalogue) if has_all else None
    first = grown_lists(roster, catalogue, every or scope)
    reply = _answer(question, army_list, first, solver, seconds)
    if reply.impossible and every is None:
        # No list with units as they start: with any of their options, perhaps.
        wide = grown_lists(roster, catalogue, replace(scope, wanted=everything, extent=WIDE))
        reply = _answer(question, army_list, wide, solver, seconds)
    impossible = reply.impossible and has_all and not unfinished(catalogue, roster)
    return reply._replace(proved=reply.proved and has_all, impossible=impossible)


def _answer(
    question: Question, army_list: ArmyList, possible: PossibleLists, solver: Solver, seconds: float
) -> Reply:
    """Return the answer among some lists, of which nothing goes."""
    objective = _objective(question, possible)
    most = question.sought is not Sought.CHEAPEST
    relaxation = relaxation_for(possible.catalogue)
    problem = Problem(possible.constraints, objective, most, steady=True, relaxation=relaxation)
    found = solver.solve(problem, seconds)
    proved = isinstance(found, Solution) and found.proved and is_whole(possible)
    if isinstance(found, Unknown):
        # Any legal list answers "at most" or "at least".
        found = solver.solve(Problem(possible.constraints, steady=True), seconds)
    if not isinstance(found, Solution):
        beyond = is_beyond(possible)
        return Reply(impossible=isinstance(found, Impossible) and not beyond)
    made, report = judged(possible, found.values, army_list, "an answer")
    return Reply(objective.at(found.values), made, proved) if report.legal else Reply()


def _scope(army_list: ArmyList, roster: Roster, catalogue: Catalogue) -> tuple[Scope, bool]:
    """Return which units may come, as they start, and whether these are all that may: of a very
    large book they are the first ones.
    """
    scope = adding(army_list, roster, catalogue, MANY)
    most, every = UNITS if catalogue.system.sized else 3 * UNITS, scope.added
    some = dict(list(every.items())[:most])

    def wanted(candidate: Candidate, takable: Takable) -> bool:
        # Units of the list stay as they are but for what makes the whole legal.
        return takable.was > 0 or is_needed(candidate, takable)

    scope = replace(scope, added=some, wanted=wanted)
    if not catalogue.system.sized:
        scope = replace(scope, extent=WIDE)
    return scope, len(some) == len(every)


def _objective(question: Question, possible: PossibleLists) -> Expression:
    space = possible.spaces[0]
    if question.sought is Sought.MODELS:
        return space.all_models()
    if question.wish is None:
        return space.counted(SPENT)
    met = ((met_by(one, question.wish), one.points) for one in possible.candidates)
    return sum_of(possible.constraints.where(literal, points) for literal, points in met)
