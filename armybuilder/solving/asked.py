"""Questions about a list: which units can be added to it, and which rules block it."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import Scope
from armybuilder.engine.roster import Roster
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving.dead_ends import beside_others, can_tell, dead_units, is_dead
from armybuilder.solving.port import Answer, Problem, Solver
from armybuilder.solving.reach import widest_in_time
from armybuilder.solving.scopes import COPIES, adding, affordable, settled
from armybuilder.solving.sizes import in_time, is_in_time, room_until, size_of_list


class Asked:
    """A list, its report, and the time limit for questions about it."""

    def __init__(
        self, army_list: ArmyList, catalogue: Catalogue, solver: Solver, until: float
    ) -> None:
        self.army_list = settled(army_list, catalogue)
        self.catalogue = catalogue
        self.solver = solver
        self.until = until
        self.roster: Roster = make_roster(self.army_list, catalogue)
        self.report: Report = validate(self.roster, catalogue)

    def scope(self) -> tuple[Scope | None, bool]:
        """Return the possible additions, and whether they are complete: for a large book there may
        be time for some units only; None: for none."""
        usually = adding(self.army_list, self.roster, self.catalogue, COPIES)
        scope = affordable(usually, self.roster, self.catalogue, self.report.spent)
        if room_until(self.until) < size_of_list(self.roster):
            return None, False
        added = in_time(self.roster, self.catalogue, scope, self.until)
        return replace(scope, added=added), len(added) == len(scope.added)

    def wide(self, scope: Scope) -> Scope | None:
        """Return the scope with more copies of units and all their options; None if there is no
        time for them.
        """
        return widest_in_time(scope, self.roster, self.catalogue, self.until)

    def certainly_dead(self, scope: Scope, seeming: set[str], whole: bool) -> set[str]:
        """Return those of some seeming dead ends that are certain; `whole`: the list itself seems
        to be one."""
        roster, catalogue = self.roster, self.catalogue
        if not seeming or not can_tell(catalogue):
            return set()
        beside = beside_others(scope, catalogue, seeming)
        if not is_in_time(roster, catalogue, beside, self.until):
            return set()

        if whole:
            return seeming if is_dead(roster, catalogue, scope, self.ask) else set()
        return dead_units(roster, catalogue, scope, seeming, self.ask)

    def ask(self, problem: Problem) -> Answer | None:
        """Ask the solver in the time that is left."""
        left = self.until - monotonic()
        return self.solver.solve(problem, left) if left > 0 else None
