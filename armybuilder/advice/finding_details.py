"""Details of a finding on the page: amounts, units, places and buttons.

Buttons are acts, found by `list_remedies` and tried first (`Promises`): the list is checked after
each, and the button is kept if the finding is gone or smaller and no error is new.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from operator import itemgetter
from typing import NamedTuple, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from armybuilder.advice.answers import (
    Culprit,
    FindingView,
    Remedy,
    RemedyPlace,
    Subject,
    own_unit,
    size_of,
    standing_of,
)
from armybuilder.advice.remedies import list_remedies
from armybuilder.advice.remedies.reductions import (
    Reducer,
    RemedyContext,
    brought,
    distinct,
    with_note,
)
from armybuilder.editing.unit_edits import MAX_ID
from armybuilder.engine import Finding
from armybuilder.engine.about import WHOLE_LIST, About, AboutCap, AboutCategory, AboutName
from armybuilder.engine.citations import Severity
from armybuilder.engine.nouns import counted
from armybuilder.engine.sentences import sentence, tells_how_much
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import PICKS, POINTS, PRICE, Term
from armybuilder.engine.validate import again
from armybuilder.engine.wording import change_of, inside, listed
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import changed_roster
from armybuilder.loading.problems import Refusal

#: Does what a remedy's fields ask for: the list after, None where that takes more than the list.
#: Raises Refusal where it cannot be done.
Perform = Callable[[Subject, Mapping[str, str]], ArmyList | None]
#: The fields of a remedy, which identify it; remedies by them.
Key = tuple[tuple[str, str], ...]
Remedies = Mapping[Key, Remedy]
#: A fault, regardless of its numbers.
Fault = tuple[str, str, About]
Amount = TypeVar("Amount")
#: Remedies of one finding that are tried at most, and at least where there are tries left; among
#: so many findings the tries of a list are shared out, the first ones first.
EACH, LEAST, SHARED = 7, 2, 5
#: A list of so many units and options could be tried once; a smaller one so much more often, but
#: never more than MOST_TRIES for all of its findings: some 3 ms in all for a common one.
ONCE, MOST_TRIES = 1200, 40
#: Other errors whose fixes are tried for the announced one, at most.
BESIDE = 2
#: Newer than every unit.
LAST_ACT = MAX_ID + 1


class Trial(NamedTuple):
    """State of a list after a remedy: errors, the size of each, and points.

    `late`: the number of the newest unit that changed; LAST_ACT if it is as it was before the last
    act. `new` are states of errors that weren't there before; `gone` counts the errors settled.
    """

    errors: Mapping[Fault, State]
    faults: Mapping[Fault, int]
    points: int
    late: int = 0
    new: tuple[State, ...] = ()
    gone: int = 0


class Promises:
    """Tries remedies for one list; `tries` is how many at most, of all its findings."""

    def __init__(self, subject: Subject, perform: Perform, tries: int) -> None:
        self.subject = subject
        self.perform = perform
        self.tries = tries
        report = subject.report
        self.before = _trial(report.findings, report.full)
        self._tried: dict[Key, Trial | None] = {}

    def share(self, findings: int) -> int:
        """Return how many remedies of each finding are tried."""
        return max(LEAST, min(EACH, self.tries // max(1, min(findings, SHARED))))

    def try_all(self, offers: Iterable[tuple[Finding, Remedies]]) -> None:
        """Try the remedies of some findings: the first of each before the second of any."""
        settled: set[int] = set()
        several = [(finding, list(remedies.items())) for finding, remedies in offers]
        for turn in range(EACH):
            for place, (finding, remedies) in enumerate(several):
                if turn >= len(remedies):
                    continue
                key, remedy = remedies[turn]
                if remedy.spare and place in settled:
                    continue
                if key not in self._tried and self.tries > 0:
                    self.tries -= 1
                    trial = self._try(remedy)
                    self._tried[key] = trial and self._compared(trial)
                if self._left(finding, self._tried.get(key)) == (0, 0):
                    settled.add(place)

    def is_done(self, key: Key) -> bool:
        """Return whether a remedy was tried and could be done."""
        return self._tried.get(key) is not None

    def kept(self, case: RemedyContext, own: Remedies, others: Remedies) -> list[Remedy]:
        """Return the tried remedies that settle a finding; else those that reduce or exchange it.

        The first settles the most errors; of equals, it takes away the last addition, or else
        changes the fewest points. `others` were found for other findings.
        """
        ways: dict[str, list[tuple[tuple[int, ...], Remedy]]] = {}
        for key, remedy in {**others, **own}.items():
            trial = self._tried.get(key)
            left = self._left(case.finding, trial)
            if trial is None or left is None or (left != (0, 0) and key not in own):
                continue
            rank = (-trial.gone, *left, -trial.late, abs(trial.points - self.before.points))
            kind = "partly" if left[0] else "instead" if left[1] else "whole"
            ways.setdefault(kind, []).append((rank, self._labelled(remedy, case, trial, *left)))
        best = ways.get("whole") or ways.get("partly") or ways.get("instead") or []
        return [remedy for _, remedy in sorted(best, key=itemgetter(0))]

    def _left(self, finding: Finding, trial: Trial | None) -> tuple[int, int] | None:
        """Return how far a finding is still off, and how much is newly to do; None: no gain."""
        if trial is None:
            return None
        new, fault = trial.new, _fault(finding)
        off = trial.faults.get(fault, 0)
        if fault in trial.faults:
            lessened = 0 < off < self.before.faults[fault]
            return (off, 0) if lessened and not new else None
        if State.BROKEN in new or (new and finding.state is State.MISSING):
            return None
        return 0, len(new)

    def _compared(self, trial: Trial) -> Trial:
        before, after = self.before.errors, trial.errors
        new = tuple(after[fault] for fault in after.keys() - before.keys())
        return trial._replace(new=new, gone=len(before.keys() - after.keys()))

    def _try(self, remedy: Remedy) -> Trial | None:
        subject = self.subject
        try:
            after = self.perform(subject, remedy.fields)
            if after is None:
                # A book that is not at hand yet: it brings the units that are not known.
                before = self.before
                return Trial(_known(before.errors), _known(before.faults), before.points)
            roster = changed_roster(after, subject.catalogue, subject.document, subject.roster)
        except Refusal:
            return None
        trial = _trial(*again(roster, subject.report))
        return trial._replace(late=_late(subject, after))

    def after_both(self, first: Remedy, second: Remedy) -> ArmyList | None:
        """Return the list after two remedies, where only both leave nothing broken."""
        subject, alone = self.subject, self._tried.get(_key(first))
        if alone is None or State.BROKEN not in alone.errors.values():
            return None
        try:
            made: ArmyList | None = subject.document
            for remedy in (first, second):
                made = made and self.perform(replace(subject, document=made), remedy.fields)
            if made is None:
                return None
            roster = changed_roster(made, subject.catalogue, subject.document, subject.roster)
        except Refusal:
            return None
        trial = _trial(*again(roster, subject.report))
        return None if State.BROKEN in trial.errors.values() else made

    def _labelled(
        self, remedy: Remedy, case: RemedyContext, trial: Trial, off: int, to_do: int
    ) -> Remedy:
        """Return a remedy whose label has its price, and the rest after it."""
        label, finding = remedy.label, case.finding
        if off:
            points = case.term is not None and case.term.count in (POINTS, PRICE)
            what = counted(off, "point") if points else str(off)
            text = _("{remedy}: still {number} over")
            if (finding.measured or 0) <= (finding.allowed or 0):
                text = _("{remedy}: still {number} to go")
            label = text.format(remedy=label, number=what)
        elif to_do:
            label = ngettext(
                "{remedy} (then {number} more to do)",
                "{remedy} (then {number} more to do)",
                to_do,
            ).format(remedy=label, number=to_do)
        elif remedy.priced:
            more = trial.points - self.before.points
            label = with_note(label, change_of(more) if more else _("free"))
        return replace(remedy, label=label)


def _key(remedy: Remedy) -> Key:
    return tuple(sorted(remedy.fields.items()))


def _late(subject: Subject, after: ArmyList) -> int:
    """Return how new the lost or changed units are: LAST_ACT, or the number of a unit's id."""
    if subject.former is not None and _choices(after) == _choices(subject.former):
        return LAST_ACT
    left = {unit.id: unit for unit in after.units}
    changed = (unit for unit in subject.document.units if left.get(unit.id) != unit)
    return max((int(unit.id[1:]) for unit in changed), default=0)


def _choices(army_list: ArmyList) -> tuple[object, ...]:
    return army_list.units, army_list.limit, army_list.settings


def _known(faults: Mapping[Fault, Amount]) -> dict[Fault, Amount]:
    """Return the faults but for unknown names."""
    return {fault: one for fault, one in faults.items() if not isinstance(fault[-1], AboutName)}


def _trial(findings: Iterable[Finding], full: Tally) -> Trial:
    errors: dict[Fault, State] = {}
    faults: dict[Fault, int] = {}
    for finding in findings:
        fault = _fault(finding)
        faults[fault] = max(faults.get(fault, 0), finding.excess)
        if finding.severity is Severity.ERROR:
            errors[fault] = finding.state
    return Trial(errors, faults, full.points)


def _fault(finding: Finding) -> Fault:
    return finding.code, *finding.key


#: How many answers a finding has at most.
MOST = 4
BOOK = RemedyPlace("#book-title", _lazy("Go to the units"))


class FindingPresenter:
    """Presents the findings of one list. `perform` applies an answer's act.

    `opens` gives the URL that opens a unit, "" for none; `changes` the URL that edits a custom
    unit, and `pack` the fields of an act that makes the list another one. At most `tries` answers
    are tried, in the order of the findings.
    """

    def __init__(
        self,
        subject: Subject,
        perform: Perform,
        opens: Callable[[str], str] = lambda unit: "",
        changes: Callable[[str], str] = lambda unit: "",
        pack: Callable[[ArmyList], Mapping[str, str]] = lambda made: {},
        tries: int | None = None,
    ) -> None:
        self.subject = subject
        if tries is None:
            tries = max(1, min(MOST_TRIES, ONCE // max(size_of(subject.report), 1)))
        self.promises = Promises(subject, perform, tries)
        self.opens = opens
        self.changes = changes
        self.pack = pack

    @cached_property
    def reducers(self) -> list[Reducer]:
        """Return the reducers of numbers, one for each line-up."""
        return [Reducer(tally, self.subject) for tally in self.subject.report.tallies]

    def tellings(
        self, findings: Iterable[Finding], new: Iterable[Finding] = ()
    ) -> list[FindingView]:
        """Return findings with their buttons, the best first."""
        cases = [self.case(finding) for finding in checked(findings)]
        newest = set(map(id, new))
        return [
            self._telling(case, answers, id(case.finding) in newest)
            for case, answers in zip(cases, self._answers(cases), strict=True)
        ]

    def announcement(self, finding: Finding, broken: Iterable[Finding], new: bool) -> FindingView:
        """Return one of the broken findings alone, with the first of its answers.

        Where that leaves something broken, with two that settle all of it.
        """
        others = (one for one in broken if one is not finding)
        cases = [self.case(one) for one in (finding, *islice(others, BESIDE))]
        firsts = [answers[:1] for answers in self._answers(cases)]
        pair = self._pair(*(one for one, *_ in filter(None, firsts))) if all(firsts) else ()
        return self._telling(cases[0], pair or firsts[0], new)

    def _pair(self, first: Remedy, *others: Remedy) -> tuple[Remedy, ...]:
        """Return two remedies as one, where they settle all that is broken and one does not."""
        for second in others:
            made = None if second == first else self.promises.after_both(first, second)
            if made is not None:
                words = _("Fix all: {first}; {second}")
                label = words.format(first=first.label, second=second.label)
                return (Remedy(label, self.pack(made)),)
        return ()

    def answers(self, finding: Finding) -> tuple[Remedy, ...]:
        """Return the buttons that settle a finding."""
        return self._answers([self.case(finding)])[0]

    def _answers(self, cases: Sequence[RemedyContext]) -> list[tuple[Remedy, ...]]:
        """Return the buttons for each finding; a remedy for one may settle others, too."""
        each = self.promises.share(len(self.subject.report.findings))
        offers = [
            {_key(one): one for one in islice(self._candidates(case), each)} for case in cases
        ]
        pairs = list(zip((case.finding for case in cases), offers, strict=True))
        self.promises.try_all(pairs)
        tried = [
            (own_unit(finding), key, remedy)
            for finding, remedies in pairs
            for key, remedy in remedies.items()
            if self.promises.is_done(key)
        ]
        answers = []
        for case, own in zip(cases, offers, strict=True):
            # A finding about one unit may leave out its name.
            known = ("", own_unit(case.finding))
            others = {key: remedy for unit, key, remedy in tried if unit in known}
            kept = self.promises.kept(case, own, others)
            answers.append(tuple(islice(distinct(kept), MOST)))
        return answers

    def _candidates(self, case: RemedyContext) -> Iterator[Remedy]:
        """Return possible remedies for a finding; for an empty list, none for missing things."""
        if self.subject.document.units or case.finding.state is State.BROKEN:
            yield from candidates(case)

    def _telling(self, case: RemedyContext, answers: tuple[Remedy, ...], new: bool) -> FindingView:
        finding = case.finding
        bringing = _bringing(case.term)
        # Where everything on the list takes part, naming all of it would tell nothing, unless it
        # takes part by what comes with it.
        everything = len(finding.units) == len(self.subject.names) > 1 and not bringing
        units = () if everything else finding.units
        return FindingView(
            id=place_of(finding),
            severity=finding.severity.value,
            state=standing_of(finding),
            sentence=sentence(finding),
            by=_off_by(finding, case.term),
            rule=finding.head,
            citation=finding.citation,
            own=own_unit(finding) != "",
            place=self._place(finding, case.term),
            culprits=tuple(self._culprits(units, bringing)),
            answers=answers,
            new=new,
            several=len(finding.units) > 1,
        )

    def _culprits(self, units: Iterable[str], bringing: Mapping[str, str]) -> Iterator[Culprit]:
        """Yield the units a finding speaks of; those of one name once, with how many they are."""
        named: dict[str, list[str]] = {}
        for unit in units:
            name, by = self.subject.names[unit], bringing.get(unit)
            named.setdefault(f"{name} ({by})" if by else name, []).append(unit)
        for name, same in named.items():
            words = f"{name} ({len(same)})" if len(same) > 1 else name
            yield Culprit(same[0], words, self.opens(same[0]))

    def case(self, finding: Finding) -> RemedyContext:
        """Return a finding with its reducer, for the smallest line-up in which it fails."""
        less = self.reducers[-1 if finding.head.each_lineup else 0]
        if finding.lineup:
            there = (one for one in self.reducers if one.tally.lineup == finding.lineup)
            less = next(there, less)
        return RemedyContext(self.subject, finding, less, finding.rule.term_of(finding, less.tally))

    def _place(self, finding: Finding, term: Term | None) -> RemedyPlace | None:
        roster, settings = self.subject.roster, self.subject.system.settings
        for key in finding.rule.settings_asked(self.subject.report.full):
            setting = settings.get(key)
            if setting is not None and setting.matters(roster.limit, roster.settings):
                name = inside(_(setting.name))
                return RemedyPlace(f"#set-{key}", _("Go to {place}").format(place=name))
        if own_unit(finding):
            unit = finding.units[0]
            line = self.reducers[0].lines.get(unit)
            if line is None:
                return None
            if fields := finding.rule.card_fields:
                blank = next((blank for blank in line.unit.blanks if blank.field in fields), None)
                if blank is None:
                    return None
                place = f"{self.opens(unit)}#{unit}-{blank.field}"
                return RemedyPlace(place, _("Fill in the card"), unit)
            if line.unit.own and term is None and (url := self.changes(unit)):
                return RemedyPlace(url, _("Change {unit}").format(unit=self.subject.names[unit]))
            return None
        of_list = finding.about == WHOLE_LIST or isinstance(finding.about, AboutCategory)
        short = term is not None and (finding.measured or 0) < (finding.allowed or 0)
        empty = finding.lineup and self.subject.report.models
        return BOOK if of_list and short and not empty else None


def _bringing(term: Term | None) -> dict[str, str]:
    """Return the units that bring options under one cap, each with their names and numbers."""
    bringing: dict[str, str] = {}
    if term is None or term.count != PICKS or not isinstance(term.about, AboutCap):
        return bringing
    for part in term.parts:
        line = None if part.whole else part.line
        by = {} if line is None else brought(line, list_remedies.worth_in(part))
        if line is not None and by:
            taken = line.loadout.taken
            names = [(taken[place].option.name if place >= 0 else "", by[place]) for place in by]
            words = (f"{name} ×{number}" if number > 1 else name for name, number in names)
            bringing[part.unit] = listed(filter(None, map(str.strip, words)))
    return bringing


def place_of(finding: Finding) -> str:
    """Return the id of a finding on a page."""
    name = f"why-{finding.code}-{finding.head.id}-{finding.about.text}-{finding.lineup}"
    return re.sub(r"[^a-z0-9]+", "-", name.casefold())[:120]


def candidates(case: RemedyContext) -> Iterator[Remedy]:
    """Return possible remedies for a finding, not tried yet, no button twice."""
    about = case.finding.about
    if isinstance(about, AboutName):
        return distinct(list_remedies.unknown(case, about))
    return distinct(list_remedies.answers(case))


def _off_by(finding: Finding, term: Term | None) -> str:
    """Return how far the number is off, in words; "" where the sentence says it, or none is."""
    if term is None or not finding.excess or not finding.allowed or tells_how_much(finding):
        return ""
    over = (finding.measured or 0) > finding.allowed
    if term.count in (POINTS, PRICE):
        text = _("{points} over") if over else _("{points} short")
        return text.format(points=counted(finding.excess, "point"))
    text = _("{number} too many") if over else _("{number} more needed")
    return text.format(number=finding.excess)
