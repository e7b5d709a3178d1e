"""Do the constraints say of a list what `validate` says of it?"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple

from armybuilder.engine import Report, Severity, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import PossibleLists, Scope, possible_lists
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.constraints import Expression
from armybuilder.loading.documents import make_roster
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.decoding import decode
from armybuilder.solving.port import Impossible, Problem, Solution
from armybuilder.solving.scopes import usual
from tests.building.aimed_lists import Drawn, varied_lists
from tests.building.documents import value_of
from tests.solving.shared_spaces import OWN, spaces_of

#: Lists of one space, and of how many one is asked of constraints made for it alone too.
TOGETHER, ALONE = 250, 125
#: Lists of one space where the solver reads all of it for each of them.
FEW = 25
#: Seconds in which a solver must come to an end.
LONG = 60.0


class Verdicts(NamedTuple):
    """The rules that a list breaks, by their ids: as `validate` says it, and as constraints do."""

    judged: frozenset[str]
    constrained: frozenset[str]


class Compared(NamedTuple):
    """How often each rule was broken ("" in legal lists), and where the two differ, in words."""

    seen: Counter[str]
    wrong: list[str]


def verdicts_of(document: dict[str, Any], catalogue: Catalogue) -> Verdicts:
    return verdicts_of_roster(make_roster(value_of(document), catalogue), catalogue)


def verdicts_of_roster(roster: Roster, catalogue: Catalogue) -> Verdicts:
    return Verdicts(_judged(validate(roster, catalogue)), _alone(roster, catalogue))


def _judged(report: Report) -> frozenset[str]:
    errors = (one for one in report.findings if one.severity is Severity.ERROR)
    return frozenset(finding.rule.head.id for finding in errors)


def _told(report: Report) -> Iterator[str]:
    """Return the rules of errors, each once, by the ids that they are told under; and those that a
    unit lifts from another.
    """
    yield from dict.fromkeys(
        finding.head.id for finding in report.findings if finding.severity is Severity.ERROR
    )
    tally = report.full
    for rule in tally.lifts:
        if any(tally.spares(rule, line) for line in tally.lines):
            yield f"{rule}, lifted"


def disagreements(game: str, seed: int, number: int, alike: int = 10, aim: str = "") -> Compared:
    """Judge so many random lists of a game in both ways; so many of them begin `alike`. All may be
    aimed at one rule, by its id.
    """
    found, rosters = Compared(Counter(), []), _rosters(game, seed, number, alike, aim)
    judged: list[frozenset[str]] = []
    for roster, catalogue in rosters:
        report = validate(roster, catalogue)
        judged.append(_judged(report))
        found.seen.update(_told(report))
        found.seen[""] += not judged[-1]
    for place, constrained in sorted(_constrained(rosters), key=itemgetter(0)):
        if constrained != judged[place]:
            more, less = constrained - judged[place], judged[place] - constrained
            differing = f"{sorted(more)}, not {sorted(less)}"
            found.wrong.append(f"{game}, seed {seed} {aim}, list {place}: {differing}")
    return found


def _rosters(
    game: str, seed: int, number: int, alike: int, aim: str = ""
) -> list[tuple[Roster, Catalogue]]:
    return [
        (make_roster(value_of(drawn.document), drawn.catalogue), drawn.catalogue)
        for drawn in islice(varied_lists(game, seed, alike, aim), number)
    ]


def _constrained(
    rosters: list[tuple[Roster, Catalogue]],
) -> Iterator[tuple[int, frozenset[str]]]:
    """Return the rules that the constraints of spaces of many lists say that each list breaks; and
    of some what constraints made for it alone say.
    """
    for places, space in spaces_of(rosters, TOGETHER):
        for number, place in enumerate(places):
            constrained = space.broken(number)
            if constrained is not None:
                yield place, constrained
            if constrained is None or place % ALONE == 0:
                yield place, _alone(*rosters[place])


def _alone(roster: Roster, catalogue: Catalogue) -> frozenset[str]:
    """Return the rules that a list's own constraints say that it breaks."""
    possible = possible_lists(roster, catalogue, Scope({}, OWN))
    return frozenset(owner.head.id for owner in possible.broken(possible.as_it_stands()))


def solved(game: str, seed: int, number: int, alike: int = 10) -> Compared:
    """Let the solver decide of so many random lists, which it may not change, whether they are
    legal; with constraints as the verbs have them, which say no more than a legal list needs.
    """
    found, rosters = Compared(Counter(), []), _rosters(game, seed, number, alike)
    solver = CpSat()
    for places, space in spaces_of(rosters, FEW, legal=True):
        for number_in_space, place in enumerate(places):
            legal = validate(*rosters[place]).legal
            point = space.point(number_in_space)
            if point is None:  # more than a legal list can have
                if legal:
                    found.wrong.append(f"{game}, seed {seed}, list {place} is not in its space")
                continue
            problem = Problem(space.possible.constraints, fixed=space.decisions | point)
            answer = solver.solve(problem, LONG)
            found.seen[""] += legal
            known = isinstance(answer, Solution | Impossible)
            if isinstance(answer, Solution) != legal or not known:
                told = f"{game}, seed {seed}, list {place}: {legal}, solver: {answer}"
                found.wrong.append(told[:200])
    return found


def made(game: str, seed: int, number: int, alike: int = 10) -> Compared:
    """Let the solver make so many lists, each by an aim of chance, some `alike` of them beginning
    with the same random list, and judge them.
    """
    found, rng = Compared(Counter(), []), Random(f"made {seed}")  # noqa: S311, no secrets
    starts = islice(varied_lists(game, seed), -(-number // alike))
    built = chain.from_iterable(_built(drawn, rng, alike) for drawn in starts)
    for place, (roster, catalogue) in enumerate(islice(built, number)):
        if roster is None:
            found.seen["none"] += 1
            continue
        report = validate(roster, catalogue)
        found.seen[""] += report.legal
        if not report.legal:
            codes = sorted({finding.head.id for finding in report.findings})
            found.wrong.append(f"{game}, seed {seed}, list {place}, made: {codes}")
    return found


def _built(drawn: Drawn, rng: Random, number: int) -> Iterator[tuple[Roster | None, Catalogue]]:
    """Return so many lists that the solver makes; None where nothing legal may be."""
    army_list, catalogue = value_of(drawn.document), drawn.catalogue
    roster = make_roster(army_list, catalogue)
    scope = usual(roster, catalogue)
    chosen = rng.sample(sorted(scope.added), min(25, len(scope.added)))
    scope = replace(scope, added=dict.fromkeys(chosen, 1))
    possible = possible_lists(roster, catalogue, scope)
    for _ in range(number):
        answer = CpSat().solve(Problem(possible.constraints, _aim(possible, rng)), LONG)
        if isinstance(answer, Solution):
            made_of = decode(possible, answer.values, army_list)
            yield make_roster(made_of, catalogue), catalogue
        else:
            yield None, catalogue


def _aim(possible: PossibleLists, rng: Random) -> Expression:
    """Return something to make as small as can be: models, options and roles by chance."""
    total = Expression()
    for candidate in possible.candidates:
        total.add(candidate.size, rng.randint(-3, 3))
        total.add(possible.constraints.number(candidate.present), rng.randint(-20, 20))
        for takable in candidate.takables:
            if takable.variable is not None and rng.random() < 0.3:
                total.add(Expression.of(takable.variable), rng.randint(-9, 9))
        for role in candidate.free_roles.values():
            total.add(possible.constraints.number(role), rng.randint(-9, 9))
    return total
