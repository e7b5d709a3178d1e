"""Trials of remedies: one is offered if its finding is gone, or smaller, and no error is new."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.advice.answers import Remedy, Subject, size_of
from armybuilder.advice.remedies.reductions import RemedyContext, with_note
from armybuilder.engine import Finding
from armybuilder.engine.about import About
from armybuilder.engine.citations import Severity
from armybuilder.engine.nouns import counted
from armybuilder.engine.report import Report
from armybuilder.engine.states import State
from armybuilder.engine.terms import POINTS, PRICE
from armybuilder.engine.validate import again
from armybuilder.engine.wording import change_of
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import changed_roster
from armybuilder.loading.problems import Refusal

#: Does what a remedy's fields ask for: the list after, None where that takes more than the list.
#: Raises Refusal where it cannot be done.
Perform = Callable[[Subject, Mapping[str, str]], ArmyList | None]
#: A fault, whatever its numbers are.
Fault = tuple[str, str, About]
#: Remedies of one finding that are tried at most, and at least where there are tries left; among
#: so many findings the tries of a list are shared out, the first ones first.
EACH, LEAST, SHARED = 7, 2, 5
#: A list of so many units and options could be tried once; a smaller one so much more often, but
#: never more than MOST_TRIES for all of its findings.
ONCE, MOST_TRIES = 1200, 40


class Trial(NamedTuple):
    """What a list has after a remedy: its errors, by how much each fault is off, and its points."""

    errors: Mapping[Fault, State]
    faults: Mapping[Fault, int]
    points: int


def tries_for(report: Report) -> int:
    """Return how many remedies may be tried for a list, at some 3 ms in all for a common one."""
    return max(1, min(MOST_TRIES, ONCE // max(size_of(report), 1)))


class Promises:
    """Tries remedies for one list; `tries` is how many at most, of all its findings."""

    def __init__(self, subject: Subject, perform: Perform, tries: int) -> None:
        self.subject = subject
        self.perform = perform
        self.tries = tries
        report = subject.report
        self.before = _trial(report.findings, report.spent)
        self._tried: dict[tuple[tuple[str, str], ...], Trial | None] = {}

    def share(self, findings: int) -> int:
        """Return how many remedies of each of so many findings are tried."""
        return max(LEAST, min(EACH, self.tries // max(1, min(findings, SHARED))))

    def kept(
        self, case: RemedyContext, remedies: Iterable[Remedy], each: int = EACH
    ) -> Iterator[Remedy]:
        """Yield the remedies that settle a finding; else those that reduce it, else exchange it."""
        partly: list[Remedy] = []
        instead: list[tuple[int, Remedy]] = []
        settled = False
        for remedy in islice(remedies, each if self.tries else 0):
            if remedy.spare and settled:
                break
            left = self._left(case.finding, remedy)
            if left is None:
                continue
            off, to_do = left
            if off:
                partly.append(_remaining(remedy, case, off))
            elif to_do:
                label = ngettext(
                    "{remedy} (then {number} more to do)",
                    "{remedy} (then {number} more to do)",
                    to_do,
                ).format(remedy=remedy.label, number=to_do)
                instead.append((to_do, replace(remedy, label=label)))
            else:
                settled = True
                yield self._priced(remedy)
        if not settled:
            fewest = sorted(instead, key=lambda pair: pair[0])
            yield from partly or [remedy for _, remedy in fewest]

    def _left(self, finding: Finding, remedy: Remedy) -> tuple[int, int] | None:
        """Return how far a finding is still off, and how much is newly to do; None: no gain."""
        trial = self._trial_of(remedy)
        if trial is None:
            return None
        new = [trial.errors[fault] for fault in trial.errors.keys() - self.before.errors.keys()]
        fault = _fault(finding)
        off = trial.faults.get(fault, 0)
        if fault in trial.faults:
            lessened = 0 < off < self.before.faults[fault]
            return (off, 0) if lessened and not new else None
        if State.BROKEN in new or (new and finding.state is State.MISSING):
            return None
        return 0, len(new)

    def _trial_of(self, remedy: Remedy) -> Trial | None:
        key = tuple(sorted(remedy.fields.items()))
        if key not in self._tried:
            if self.tries <= 0:
                return None
            self.tries -= 1
            self._tried[key] = self._try(remedy)
        return self._tried[key]

    def _try(self, remedy: Remedy) -> Trial | None:
        subject = self.subject
        try:
            after = self.perform(subject, remedy.fields)
            if after is None:
                # A book that is not at hand yet: it brings the units that are not known.
                return Trial({}, {}, self.before.points)
            roster = changed_roster(after, subject.catalogue, subject.document, subject.roster)
        except Refusal:
            return None
        return _trial(*again(roster, subject.report))

    def _priced(self, remedy: Remedy) -> Remedy:
        trial = self._trial_of(remedy)
        if not remedy.priced or trial is None:
            return remedy
        points = trial.points - self.before.points
        note = _("free") if not points else change_of(points)
        return replace(remedy, label=with_note(remedy.label, note))


def _trial(findings: Iterable[Finding], points: int) -> Trial:
    errors: dict[Fault, State] = {}
    faults: dict[Fault, int] = {}
    for finding in findings:
        fault = _fault(finding)
        faults[fault] = max(faults.get(fault, 0), finding.excess)
        if finding.severity is Severity.ERROR:
            errors[fault] = finding.state
    return Trial(errors, faults, points)


def _fault(finding: Finding) -> Fault:
    return finding.code, *finding.key


def _remaining(remedy: Remedy, case: RemedyContext, left: int) -> Remedy:
    over = (case.finding.measured or 0) > (case.finding.allowed or 0)
    points = case.term is not None and case.term.count in (POINTS, PRICE)
    what = counted(left, "point") if points else str(left)
    label = _("{remedy}: still {number} over") if over else _("{remedy}: still {number} to go")
    return replace(remedy, label=label.format(remedy=remedy.label, number=what))
