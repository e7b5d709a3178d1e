"""Explanation of contradictions between choices and rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.constraining import PossibleLists, Scope, possible_lists
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.constraints import Literal
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving.collecting import uncollected
from armybuilder.solving.cores import clash_of, smaller
from armybuilder.solving.dead_ends import beside_others, can_tell
from armybuilder.solving.keeping import entries, keep_pieces, keep_whole
from armybuilder.solving.port import Problem, Relaxation, Solver
from armybuilder.solving.reach import is_beyond, widest_in_time
from armybuilder.solving.scopes import COPIES, adding, settled
from armybuilder.solving.sizes import is_in_time

#: Seconds until the first core is made as small as it is by then.
SECONDS = 0.25
#: Points limits that copies of units may cost: the limit may be no part of a core.
BUDGETS = 2


@dataclass(frozen=True, slots=True)
class Core:
    """Units, by their entries' ids, that can't all stay under these rules, with any additions.

    `minimal`: without any one of these units and rules, the others can.
    """

    rules: tuple[RuleHead, ...]
    units: tuple[str, ...]
    minimal: bool


@uncollected
def explain(
    army_list: ArmyList,
    catalogue: Catalogue,
    solver: Solver,
    seconds: float = SECONDS,
    rule: str = "",
) -> Core | None:
    """Return why a list cannot become legal by adding alone; None where it can, or where the time
    was up before it was known. `rule` is the pointer of one that is to be among the reasons.

    Raises NoSolver where no solver is installed.
    """
    until = monotonic() + seconds
    army_list = settled(army_list, catalogue)
    roster = make_roster(army_list, catalogue)
    narrow = adding(army_list, roster, catalogue, COPIES, legal=False)
    if not is_in_time(roster, catalogue, narrow, until):
        return None
    core = _Explaining(roster, catalogue, solver, until, narrow).core(rule)
    if core is None:
        return None
    # What is impossible with few copies, bare units and kept entries may be possible otherwise.
    # What is needed there is needed here all the more.
    free = replace(narrow, entries=False)
    if can_tell(catalogue):
        beside = beside_others(free, catalogue, ())
        if _Explaining(roster, catalogue, solver, until, beside).is_clash(core):
            return core  # no addition can settle it
    wide = widest_in_time(free, roster, catalogue, until, BUDGETS)
    if wide is None:
        return None
    explaining = _Explaining(roster, catalogue, solver, until, wide)
    if is_beyond(explaining.possible):
        return None  # more than these copies may be enough
    return core if explaining.is_clash(core) else explaining.core(rule)


class _Explaining:
    def __init__(
        self, roster: Roster, catalogue: Catalogue, solver: Solver, until: float, scope: Scope
    ) -> None:
        self.possible: PossibleLists = possible_lists(roster, catalogue, scope)
        self.solver = solver
        sized = catalogue.system.sized
        self.relaxation = Relaxation.STRONG if sized else Relaxation.NONE
        self.until = until
        both = self.possible.constraints
        self.heads: dict[Literal, RuleHead] = {}
        self.switches: dict[str, Literal] = {}
        for head in both.heads():
            switch = self.switches[head.pointer] = both.yes_no()
            self.heads[switch] = head
        self.kept: dict[Literal, str] = {}
        for key, candidates in entries(self.possible).items():
            keep = both.yes_no()
            self.kept[keep] = key
            keep_whole(self.possible, candidates, keep)
        keep_pieces(self.possible)

    def is_clash(self, core: Core) -> bool:
        """Return whether the same contradiction exists here, too."""
        pointers = {head.pointer for head in core.rules}
        rules = [switch for pointer, switch in self.switches.items() if pointer in pointers]
        units = [keep for keep, key in self.kept.items() if key in core.units]
        return self._clash([*units, *rules]) is not None

    def core(self, rule: str = "") -> Core | None:
        """Return the core, as small as it gets in time; with a given rule in it, if any."""
        needed = [self.switches[rule]] if rule in self.switches else []
        found = None
        if needed:
            # The rule alone and what is on the list, if that is enough.
            found = self._clash([*self.kept, *needed])
        if found is None:
            found = self._clash([*self.kept, *self.heads])
        if found is None:
            return None
        # Rules are left out last: they tell more than units.
        ordered = sorted(found, key=lambda literal: literal in self.heads)
        left = [literal for literal in ordered if literal not in needed]
        every, minimal = smaller(self._clash, needed, left, self.until)
        heads = (self.heads[one] for one in every if one in self.heads)
        rules = sorted(heads, key=lambda head: head.order)
        units = tuple(key for one, key in self.kept.items() if one in every)
        return Core(tuple(rules), units, minimal)

    def _clash(self, literals: list[Literal]) -> set[Literal] | None:
        problem = Problem(
            self.possible.constraints,
            assumptions=tuple(literals),
            switches=self.switches,
            simplified=False,
            relaxation=self.relaxation,
        )
        return clash_of(problem, self.solver, self.until)
