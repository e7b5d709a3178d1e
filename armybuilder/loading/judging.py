"""A document judged: with the catalogue that it draws from, its roster and the report on it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import Roster
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import Library

_watchers: list[Callable[[float], None]] = []


def watch(told: Callable[[float], None]) -> None:
    """From now on, tell of each verdict in how many seconds it was reached."""
    _watchers[:] = [told]


@dataclass(frozen=True, slots=True)
class Judged:
    """A document with its catalogue, roster and report."""

    document: ArmyList
    catalogue: Catalogue
    roster: Roster
    report: Report


def judge(document: ArmyList, library: Library) -> Judged:
    """The document judged with the books that it pins. Raises Refusal as `catalogue_of` and
    `make_roster` do.
    """
    return judge_by(document, catalogue_of(document, library))


def judge_by(document: ArmyList, catalogue: Catalogue) -> Judged:
    """The document judged by a catalogue. Raises Refusal as `make_roster` does."""
    roster = make_roster(document, catalogue)
    return Judged(document, catalogue, roster, report_on(roster, catalogue))


def report_on(roster: Roster, catalogue: Catalogue) -> Report:
    """The engine's report, for whoever shows it."""
    start = time.perf_counter()
    report = validate(roster, catalogue)
    for told in _watchers:
        told(time.perf_counter() - start)
    return report
