"""Look-ahead: whether a list can become legal by adding, and which additions block that."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from time import monotonic
from typing import Generic, TypeVar

from armybuilder.engine import validate
from armybuilder.engine.amounts import NONE
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.choices import harmless
from armybuilder.engine.constraining import PossibleLists, Scope, possible_lists
from armybuilder.engine.selectors import SPENT
from armybuilder.engine.space.candidates import Candidate
from armybuilder.engine.space.constraints import FALSE, Expression, Literal, is_true
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving.asked import Asked
from armybuilder.solving.collecting import uncollected
from armybuilder.solving.decoding import decode, judged, one_less
from armybuilder.solving.keeping import (
    entries,
    grown_lists,
    growth,
    keep_pieces,
    keep_roles,
    keep_whole,
)
from armybuilder.solving.port import Answer, Impossible, Problem, Relaxation, Solution, Solver
from armybuilder.solving.reach import is_beyond
from armybuilder.solving.scopes import has_unfinished, is_unfinished, relaxation_for
from armybuilder.solving.unfinished import Beside, lasting_rules, unfinished

#: Seconds for a whole shelf.
SECONDS = 0.25
#: The part of the time that goes into how few points are enough.
FOR_POINTS = 0.4
#: So few are asked about in earnest.
ALMOST_NONE = 3
#: Without so many models in turn a list that was found is tried with others.
TRIED = 2
Key = TypeVar("Key", bound=Hashable)
Path = tuple[str, ...]


class Fate(Enum):
    """The fate of a list with one more of a unit: it can become legal if units are only added, it
    can't, or that is unknown: the time was up, or a card isn't filled in.
    """

    OPEN = "open"
    DEAD = "dead"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Outlook:
    """The fate of a list if units are only added, and with one more of each unit, by its ref.

    `points`: the fewest more points that make it legal; None: unknown. `cards`: some fates are
    unknown until cards are filled in.
    """

    whole: Fate
    units: Mapping[str, Fate] = field(default_factory=dict)
    points: int | None = None
    cards: bool = False


@uncollected
def look_ahead(
    army_list: ArmyList, catalogue: Catalogue, solver: Solver, seconds: float = SECONDS
) -> Outlook:
    """Return whether a list can become legal if units and options are added, and with which units.

    DEAD is returned only if it also holds with more copies of each unit and all their options.
    Raises NoSolver if no solver is installed.
    """
    asked = Asked(army_list, catalogue, solver, monotonic() + seconds)
    if has_unfinished(asked.roster):
        found = Outlook(Fate.UNKNOWN, cards=True)
    else:
        found = _beside_cards(asked, _look(asked))
    fates = {ref: found.units.get(ref, Fate.UNKNOWN) for ref in catalogue.units}
    return replace(found, units=fates)


def _beside_cards(asked: Asked, found: Outlook) -> Outlook:
    """Return an outlook whose "no" also holds beside cards to fill in; anything that may depend
    on these is unknown."""
    cards = unfinished(asked.catalogue, asked.roster)
    seeming = {ref for ref, fate in found.units.items() if fate is Fate.DEAD}
    if not cards or not (seeming or found.whole is Fate.DEAD):
        return found
    scope, _fits = asked.scope()
    if scope is None:
        return Outlook(Fate.UNKNOWN)
    roster, catalogue = asked.roster, asked.catalogue
    if found.whole is Fate.DEAD:
        is_dead = Beside(roster, catalogue, scope, cards).is_dead(asked.ask)
        return found if is_dead else Outlook(Fate.UNKNOWN, cards=True)
    # What breaks no lasting rule, beside a list that breaks none either, may come: that needs no
    # solving. An open choice, such as of a faction, breaks one.
    lasting, doubted = lasting_rules(catalogue), set[str]()
    if lasting.isdisjoint(finding.head.pointer for finding in asked.report.findings):
        asked_of = (catalogue.units[ref] for ref in seeming)
        doubted = {unit.ref for unit in harmless(roster, catalogue, asked_of, lasting)}
    left = seeming - doubted
    if left:
        # An excess that stays with any additions is there without other units, too.
        meant = left | {ref for ref, unit in catalogue.units.items() if unit.lifts}
        added = {ref: number for ref, number in scope.added.items() if ref in meant}
        beside = Beside(roster, catalogue, replace(scope, added=added), cards)
        doubted |= left - beside.dead(left, asked.ask)
    fates = {**found.units, **dict.fromkeys(doubted, Fate.UNKNOWN)}
    return replace(found, units=fates, cards=bool(doubted))


def _look(asked: Asked) -> Outlook:
    """Return the same of a list whose cards say all; of units whose cards do not, nothing."""
    catalogue = asked.catalogue
    scope, fits = asked.scope()
    if scope is None:
        return Outlook(Fate.OPEN if asked.report.legal else Fate.UNKNOWN)
    units = (catalogue.units[ref] for ref in scope.added)
    bare = all(unit.size is None and not unit.offer.slots for unit in units)
    # Of units bought singly, without options, the scope has all that may come.
    whole_space = asked.wide(scope) if fits and bare else None
    narrow = _shelf(asked, whole_space or scope, _Models if whole_space else _Fates[str])
    # A legal list stays legal with what breaks nothing: that needs no solving.
    known = harmless(asked.roster, catalogue) if asked.report.legal and fits else ()
    narrow.settle([unit.ref for unit in known])
    if whole_space or not narrow.says_no:
        narrow.doubt()
        return Outlook(narrow.whole, narrow.fates, narrow.points)
    seeming = {*narrow.keys(Fate.DEAD)} & scope.added.keys()
    sure = asked.certainly_dead(scope, seeming, narrow.whole is Fate.DEAD) if fits else set()
    if fits and sure >= seeming:
        return Outlook(narrow.whole, narrow.fates, narrow.points)
    left = {ref: number for ref, number in scope.added.items() if ref not in sure}
    wide_scope = asked.wide(replace(scope, added=left)) if fits else None
    again = narrow.again(_shelf(asked, wide_scope, _Fates[str]) if wide_scope else None)
    fates = {**again.fates, **dict.fromkeys(sure, Fate.DEAD)}
    return Outlook(again.whole, fates, again.points)


@uncollected
def options_ahead(
    army_list: ArmyList, catalogue: Catalogue, solver: Solver, unit: str, seconds: float = SECONDS
) -> Mapping[Path, Fate]:
    """Return the outlook of a list with each option that an entry hasn't taken, by its path;
    nothing if the list itself isn't known to have a way.

    For an option, others may go if only a limited number is allowed with it. Raises NoSolver if no
    solver is installed.
    """
    asked = Asked(army_list, catalogue, solver, monotonic() + seconds)
    scope, fits = asked.scope()
    if scope is None or not fits or has_unfinished(asked.roster):
        return {}
    # What is taken in place of something else may leave more points to spend.
    scope = replace(scope, room=None)
    narrow = _options(asked, scope, unit)
    narrow.settle()
    if narrow.whole is not Fate.OPEN:
        return {}
    if not narrow.says_no:
        return narrow.fates
    wide_scope = asked.wide(scope)
    return narrow.again(_options(asked, wide_scope, unit) if wide_scope else None).fates


def _doubted(fate: Fate) -> Fate:
    """A "no" that was not asked again is none."""
    return Fate.UNKNOWN if fate is Fate.DEAD else fate


def _shelf(asked: Asked, scope: Scope, made: type[_Fates[str]]) -> _Fates[str]:
    """Return the question about each unit that may be added."""
    possible = grown_lists(asked.roster, asked.catalogue, scope)
    units, more = asked.catalogue.units, dict(growth(possible))
    # Of a card that is filled in on the list there may be more models.
    told = [ref for ref in units if ref in more or not is_unfinished(units[ref], asked.roster)]
    return made(asked, possible, more, told)


def _options(asked: Asked, scope: Scope, unit: str) -> _Fates[Path]:
    """Return the questions about each option that an entry hasn't taken."""
    possible = possible_lists(asked.roster, asked.catalogue, scope)
    keep_pieces(possible)
    both = possible.constraints
    more: dict[Path, list[Literal]] = {}
    for key, candidates in entries(possible).items():
        if key != unit:
            keep_whole(possible, candidates)
            continue
        for candidate in candidates:
            _keep_but_rivals(possible, candidate)
            for takable in candidate.takables:
                if not takable.was and not takable.given:
                    more.setdefault(takable.path, []).append(takable.taken)
    wanted = {path: both.any_of(literals) for path, literals in more.items()}
    return _Fates(asked, possible, wanted, wanted)


def _keep_but_rivals(possible: PossibleLists, candidate: Candidate) -> None:
    """Let an entry lose no models, and no options except those in a group with a maximum:
    another may replace them."""
    if candidate.pick is None or not candidate.pick.models:
        return
    require = possible.constraints.require
    require(candidate.size, candidate.pick.models, None)
    keep_roles(possible, candidate)
    for takable in candidate.takables:
        groups = (group for slot in takable.slots for group in slot.groups)
        if takable.was > takable.given and all(group.most is NONE for group in groups):
            require(takable.number, takable.was, None)


class _Fates(Generic[Key]):
    """The fates of a list with one more of each of some keys, in one space of lists."""

    def __init__(
        self,
        asked: Asked,
        possible: PossibleLists,
        more: Mapping[Key, Literal],
        keys: Iterable[Key],
    ) -> None:
        self.asked = asked
        self.possible = possible
        self.more = more
        self.fates = {
            key: Fate.DEAD if more.get(key, FALSE) == FALSE else Fate.UNKNOWN for key in keys
        }
        self.whole = Fate.OPEN if asked.report.legal else Fate.UNKNOWN
        self.points: int | None = None

    @property
    def says_no(self) -> bool:
        """Return whether something blocks a legal list."""
        return self.whole is Fate.DEAD or Fate.DEAD in self.fates.values()

    def keys(self, fate: Fate) -> list[Key]:
        """Return the things that have this fate."""
        return [key for key, one in self.fates.items() if one is fate]

    def doubt(self, surely: bool = False) -> None:
        """Make each DEAD unknown if more of something than the space allows may help, or
        `surely`."""
        if surely or is_beyond(self.possible):
            self.whole = _doubted(self.whole)
            self.fates = {key: _doubted(fate) for key, fate in self.fates.items()}

    def again(self, wide: _Fates[Key] | None) -> _Fates[Key]:
        """Return the fates with each "no" asked again in a wider space; None: no time for one."""
        if wide is None:
            self.doubt(surely=True)
            return self
        wide.whole = Fate.OPEN if self.whole is Fate.OPEN else wide.whole
        wide.settle(self.keys(Fate.OPEN), few=True)
        wide.doubt()
        wide.points = wide.points if self.points is None else self.points
        return wide

    def settle(self, open_ones: Iterable[Key] = (), few: bool = False) -> None:
        """Ask about the list, unless it is known to have a way, and about each unknown key. `few`:
        most keys are known.
        """
        if self.whole is not Fate.OPEN:
            self._ask_whole()
        if self.whole is not Fate.OPEN:
            self.fates = dict.fromkeys(self.fates, self.whole)
            return
        self.fates.update(dict.fromkeys(open_ones, Fate.OPEN))
        if few:
            self._ask_few()
        else:
            self._ask_all()

    def _ask_whole(self) -> None:
        """Ask for the fewest points that make the list legal; if that takes too long, for any."""
        spent = self.possible.spaces[0].counted(SPENT)
        problem = replace(self._problem(spent), most=False, upward=True, relaxation=Relaxation.WEAK)
        answer = self._solved(problem, FOR_POINTS)
        if isinstance(answer, Solution):
            self.points = answer.worth - self.asked.report.spent
        elif not isinstance(answer, Impossible):
            answer = self._solved(self._problem())
        if isinstance(answer, Impossible):
            self.whole = Fate.DEAD
        elif isinstance(answer, Solution):
            # The judge has the last word.
            _, report = judged(
                self.possible, answer.values, self.asked.army_list, "a list looked ahead to"
            )
            self.whole = Fate.OPEN if report.legal else Fate.UNKNOWN
            self.points = self.points if report.legal else None

    def _problem(self, objective: Expression | None = None, near: int = 0) -> Problem:
        """Return the problem of maximising an objective."""
        return Problem(
            self.possible.constraints,
            objective,
            most=True,
            near=near,
            simplified=False,
            relaxation=relaxation_for(self.asked.catalogue),
        )

    def _solved(self, problem: Problem, part: float = 1.0) -> Answer | None:
        left = (self.asked.until - monotonic()) * part
        if left <= 0:
            return None
        answer = self.asked.solver.solve(problem, left)
        if isinstance(answer, Solution):
            unknown = self.keys(Fate.UNKNOWN)
            found = [key for key in unknown if is_true(self.more[key], answer.values)]
            self.fates.update(dict.fromkeys(found, Fate.OPEN))
            self._learn(found, answer)
        return answer

    def _learn(self, found: list[Key], answer: Solution) -> None:
        """Use a list that was found, with some of the keys, to settle others."""

    def _ask_all(self) -> None:
        """Settle everything: as much of the rest as can be together, again and again; anything
        that comes with none of it is blocked. If much is left, nearly as much will do, which
        is faster."""
        near = int(self.asked.catalogue.system.sized)
        while left := self.keys(Fate.UNKNOWN):
            near = near if len(left) > ALMOST_NONE else 0
            together = Expression()
            for key in left:
                together.add(self.possible.constraints.number(self.more[key]))
            answer = self._solved(self._problem(together, near))
            if not isinstance(answer, Solution):
                return
            if not answer.worth and not near:
                if answer.proved:
                    self.fates.update(dict.fromkeys(left, Fate.DEAD))
                return
            near = near if answer.worth else 0

    def _ask_few(self) -> None:
        """Settle the rest by whether any of it can be, again and again: for few things, and
        models bought one by one, that is faster than asking how many can be together."""
        both = self.possible.constraints
        while left := self.keys(Fate.UNKNOWN):
            some = both.any_of(self.more[key] for key in left)
            problem = Problem(
                both, assumptions=(some,), simplified=False, relaxation=Relaxation.WEAK
            )
            answer = self._solved(problem)
            if isinstance(answer, Impossible):
                self.fates.update(dict.fromkeys(left, Fate.DEAD))
            if not isinstance(answer, Solution):
                return


class _Models(_Fates[str]):
    """The fates of a list with one more of each model that is bought singly."""

    def _ask_all(self) -> None:
        self._ask_few()

    def _learn(self, found: list[str], answer: Solution) -> None:
        """Take a list that was found, without a model that it was found for: where it is legal, so
        it is with any other model instead that breaks nothing. That needs no solving.
        """
        army_list = self.asked.army_list
        made = decode(self.possible, answer.values, army_list)
        for ref in found[:TRIED]:
            without = one_less(made, army_list, ref)
            if without is not None:
                self._learn_from(without)

    def _learn_from(self, army_list: ArmyList) -> None:
        catalogue = self.asked.catalogue
        roster = make_roster(army_list, catalogue)
        report = validate(roster, catalogue)
        if not report.legal:
            return
        room = report.limit - report.spent
        asked = (catalogue.units[ref] for ref in self.keys(Fate.UNKNOWN))
        units = [one for one in asked if one.price_changes or (one.price.start or 0) <= room]
        self.fates.update((unit.ref, Fate.OPEN) for unit in harmless(roster, catalogue, units))
