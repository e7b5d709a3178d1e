"""Preview of another pack: the lists of an event judged by it before it is in effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils import translation

from armybuilder.events.judging import Verdicts, errors_of, verdicts_on
from armybuilder.events.models import Entry, Event, Submission
from armybuilder.events.selectors import shown_entries
from armybuilder.loading.deadline import checked
from armybuilder.loading.event_judging import judge_team
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack, pack_for
from armybuilder.loading.problems import Refusal


class Error(NamedTuple):
    """Error that a list would have, with the place that its rule is cited by."""

    code: str
    citation: str
    said: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """Verdict of a pack on an entry's current list, and whether that was legal before.

    `refused` is why it cannot be judged. It `worsens` if it does not fall, but would have errors
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
    def differs(self) -> bool:
        """Whether its player has to be told."""
        return self.falls or self.rises or self.worsens

    @property
    def is_looked_at_again(self) -> bool:
        """Whether somebody has accepted the list, and would have to look at it again."""
        accepted = self.entry.status == Entry.Status.ACCEPTED
        return accepted and (self.falls or self.worsens)

    @property
    def errors(self) -> list[Error]:
        """The errors that the list would have."""
        return _errors_in(self.verdicts.event_report) if self.verdicts else []


def _errors_in(report: Mapping[str, Any]) -> list[Error]:
    return [
        Error(finding["code"], finding["citation"], finding["sentence"])
        for finding in errors_of(report["findings"])
    ]


def try_pack(event: Event, pack: Pack, library: Library) -> Iterator[Outcome]:
    """Yield what the pack makes of each current list, by the numbers of entries."""
    for entry in checked(shown_entries(event).iterator(100)):
        if entry.submission is not None:
            yield outcome_of(entry, entry.submission, pack, library)


def outcome_of(entry: Entry, submission: Submission, pack: Pack, library: Library) -> Outcome:
    """Return what the pack makes of one list."""
    before = submission.legal
    try:
        playing = pack_for(pack, entry.part)
        verdicts = verdicts_on(submission.document, playing, library)
        worsens = (not before or verdicts.legal) and _worsens(
            submission, verdicts, playing, library
        )
    except Refusal as refusal:
        return Outcome(entry, submission, before, None, refusal.sentence, not before)
    return Outcome(entry, submission, before, verdicts, worsens=worsens)


def _worsens(submission: Submission, verdicts: Verdicts, pack: Pack, library: Library) -> bool:
    """Return whether there is more about a list that a human has to look at than now."""
    before, after = submission.event_report, verdicts.event_report
    more_unchecked = len(after["unchecked"]) > len(before["unchecked"])
    if more_unchecked or not set(verdicts.needs) <= set(submission.needs):
        return True
    if verdicts.legal:
        return False
    # Errors are told apart by their sentences, so that both must be of one language.
    if after["language"] != before["language"]:
        with translation.override(before["language"]):
            after = verdicts_on(submission.document, pack, library).event_report
    return bool(Counter(_errors_in(after)) - Counter(_errors_in(before)))


class Waiver(NamedTuple):
    """Rule by which lists fall: how many, and how many would stand if it alone were waived."""

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
    rules = [Waiver(rule[1], number, alone[rule]) for rule, number in lists.items()]
    return sorted(rules, key=lambda rule: (-rule.saved, -rule.lists, rule.citation))


@dataclass(frozen=True, slots=True)
class TeamOutcome:
    """Verdict on the lists of a team together, with its findings as sentences."""

    name: str
    entries: tuple[Entry, ...]
    legal: bool
    findings: tuple[str, ...]
    missing: int


def judge_teams(
    event: Event, pack: Pack, library: Library, only: str = ""
) -> Iterator[TeamOutcome]:
    """Yield the verdict on each team, or on the team `only`, if the pack is for teams."""
    if "team" not in pack.data:
        return
    teams: dict[str, list[Entry]] = {}
    for entry in shown_entries(event).exclude(team=""):
        if not only or entry.team.casefold() == only.casefold():
            teams.setdefault(entry.team.casefold(), []).append(entry)
    for _name, entries in sorted(checked(teams.items())):
        submitted = [(entry.submission, entry.part) for entry in entries if entry.submission]
        documents = [submission.document for submission, _part in submitted]
        judged = judge_team(documents, library, pack, [part for _submission, part in submitted])
        findings = tuple(f"{one.sentence} ({one.citation})" for one in judged.findings)
        missing = max(0, judged.number - len(documents))
        yield TeamOutcome(entries[0].team, tuple(entries), judged.legal, findings, missing)
