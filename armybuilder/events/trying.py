"""What if: the lists of an event judged by another pack, before that counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils import translation

from armybuilder.engine.citations import Severity
from armybuilder.events.judging import Verdicts, verdicts_on
from armybuilder.events.models import Entry, Event, Submission
from armybuilder.events.selectors import shown_entries
from armybuilder.loading.deadline import checked
from armybuilder.loading.event_judging import judge_team
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack, pack_for
from armybuilder.loading.problems import Refusal


class Error(NamedTuple):
    """An error that a list would have, with the place that its rule is cited by."""

    code: str
    citation: str
    said: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a pack makes of an entry's list that counts, and whether that was legal before.
    `refused` is why it cannot be judged. It `worsens` where it does not fall, but would have errors
    that it has not now, or something else that a human has to look at.
    """

    entry: Entry
    submission: Submission
    was_legal: bool
    verdicts: Verdicts | None
    refused: str = ""
    worsens: bool = False

    @property
    def legal(self) -> bool:
        """Whether the list would be legal."""
        return self.verdicts is not None and self.verdicts.legal

    @property
    def falls(self) -> bool:
        """Whether a list that is legal would not be any more."""
        return self.was_legal and not self.legal

    @property
    def rises(self) -> bool:
        """Whether a list that is not legal would be."""
        return self.legal and not self.was_legal

    @property
    def is_looked_at_again(self) -> bool:
        """Whether somebody has accepted the list, and would have to look at it again."""
        accepted = self.entry.status == Entry.Status.ACCEPTED
        return accepted and (self.falls or self.worsens)

    @property
    def errors(self) -> list[Error]:
        """The errors that the list would have."""
        return errors_in(self.verdicts.event_report) if self.verdicts else []


def errors_in(report: Mapping[str, Any]) -> list[Error]:
    """Return the errors in a report as a submission keeps it."""
    return [
        Error(one["code"], one["citation"], one["sentence"])
        for one in report["findings"]
        if one["severity"] == Severity.ERROR
    ]


def try_pack(event: Event, pack: Pack, library: Library) -> Iterator[Outcome]:
    """Yield what the pack makes of each list that counts, by the numbers of entries."""
    for entry in checked(shown_entries(event).iterator(100)):
        if entry.submission is not None:
            yield outcome_of(entry, entry.submission, pack, library)


def outcome_of(entry: Entry, submission: Submission, pack: Pack, library: Library) -> Outcome:
    """Return what the pack makes of one list."""
    before = submission.legal
    try:
        playing = pack_for(pack, entry.part)
        found = verdicts_on(submission.document, playing, library)
        worsens = (not before or found.legal) and _worsens(submission, found, playing, library)
    except Refusal as refusal:
        return Outcome(entry, submission, before, None, refusal.sentence, not before)
    return Outcome(entry, submission, before, found, worsens=worsens)


def _worsens(submission: Submission, found: Verdicts, pack: Pack, library: Library) -> bool:
    """Return whether there is more about a list that a human has to look at than now."""
    unchecked = len(found.event_report["unchecked"]) > len(submission.event_report["unchecked"])
    if unchecked or not set(found.needs) <= set(submission.needs):
        return True
    return not found.legal and any(_added(submission, found, pack, library))


def _added(
    submission: Submission, found: Verdicts, pack: Pack, library: Library
) -> Iterator[Error]:
    """Return the errors that a list has not now. They are told apart by their sentences, so that
    both must be of one language.
    """
    kept, after = submission.event_report, found.event_report
    if after["language"] != kept["language"]:
        with translation.override(kept["language"]):
            after = verdicts_on(submission.document, pack, library).event_report
    return (Counter(errors_in(after)) - Counter(errors_in(kept))).elements()


class Waiver(NamedTuple):
    """A rule by which lists fall: how many, and how many would stand if it alone were waived."""

    citation: str
    lists: int
    saved: int


def waivers(outcomes: Iterable[Outcome]) -> list[Waiver]:
    """Return the rules by which lists fall, those first that save most lists if waived."""
    lists: Counter[tuple[str, str]] = Counter()
    alone: Counter[tuple[str, str]] = Counter()
    for outcome in outcomes:
        if outcome.falls:
            broken = {(error.code, error.citation) for error in outcome.errors}
            lists.update(broken)
            if len(broken) == 1:
                alone.update(broken)
    found = [Waiver(rule[1], number, alone[rule]) for rule, number in lists.items()]
    return sorted(found, key=lambda one: (-one.saved, -one.lists, one.citation))


@dataclass(frozen=True, slots=True)
class TeamOutcome:
    """What the lists of a team come to together: whose they are, whether all is as the pack wants
    it, and what it finds, in sentences. `missing` lists have not been submitted.
    """

    name: str
    entries: tuple[Entry, ...]
    legal: bool
    findings: tuple[str, ...]
    missing: int


def judge_teams(
    event: Event, pack: Pack, library: Library, only: str = ""
) -> Iterator[TeamOutcome]:
    """Yield what the lists of each team come to, by the teams' names, or of one team `only`;
    nothing where the pack is for no teams. Teams are one whatever the case of their letters.
    """
    if "team" not in pack.data:
        return
    teams: dict[str, list[Entry]] = {}
    for entry in shown_entries(event).exclude(team=""):
        if not only or entry.team.casefold() == only.casefold():
            teams.setdefault(entry.team.casefold(), []).append(entry)
    for _name, entries in sorted(checked(teams.items())):
        documents = [one.submission.document for one in entries if one.submission is not None]
        parts = [one.part for one in entries if one.submission is not None]
        judged = judge_team(documents, library, pack, parts)
        said = tuple(f"{one.sentence} ({one.citation})" for one in judged.findings)
        missing = max(0, judged.number - len(documents))
        yield TeamOutcome(entries[0].team, tuple(entries), judged.legal, said, missing)
