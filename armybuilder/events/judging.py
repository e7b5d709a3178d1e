"""Verdicts on a list for an event, and why a human has to look at it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.books.paths import is_own_id
from armybuilder.engine.citations import Severity
from armybuilder.events.models import Submission
from armybuilder.events.selectors import pack_of_entry
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import canonical, catalogue_of
from armybuilder.loading.event_judging import JudgedAt, judge_at
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.sharing.selectors import report_then

#: What a commitment begins with: whoever makes it anew knows what was hashed.
COMMITMENT = b"armylist-commit/1"

Finding = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Verdicts on a list by its game and by an event, as a submission keeps them."""

    game_report: Mapping[str, Any]
    event_report: Mapping[str, Any]
    legal: bool
    needs: tuple[str, ...]
    revisions: Mapping[str, str]

    @property
    def errors(self) -> list[Finding]:
        """Why the list may not be played at the event."""
        return errors_of(self.event_report["findings"])


def errors_of(findings: Iterable[Finding]) -> list[Finding]:
    """Return the errors among the findings that a report keeps."""
    return [finding for finding in findings if finding["severity"] == Severity.ERROR]


def verdicts_on(document: ArmyList, pack: Pack, library: Library) -> Verdicts:
    """Return both verdicts. Raises Refusal for a list of another game, or that cannot be judged."""
    judged = judge_at(document, catalogue_of(document, library), pack)
    refusals = sum(one.severity is Severity.ERROR for one in judged.report.refusals)
    language = get_language() or "en"
    return Verdicts(
        report_then(judged.report.game),
        {**report_then(judged.report.event), "refusals": refusals, "language": language},
        judged.report.legal,
        tuple(_needs(document, judged)),
        {book.id: book.revision for book in judged.game.catalogue.books},
    )


def _needs(document: ArmyList, judged: JudgedAt) -> Iterator[str]:
    """Yield why a human has to look at a list, gravest first (`need_words`)."""
    if not judged.report.legal:
        yield "errors"
    if judged.report.event.unchecked:
        yield "unchecked"
    if any(is_own_id(book.id) for book in document.books):
        yield "own-book"
    if any(unit.profile is not None for unit in document.units):
        yield "own-model"


def need_words() -> dict[str, str]:
    """Return what pages say of why a human has to look at a list."""
    return {
        "errors": _("not legal at this event"),
        "unchecked": _("has restrictions that are not checked"),
        "own-book": _("draws from a custom book"),
        "own-model": _("has a model of its own"),
        "late": _("came late"),
        "books": _("draws from a book as it was before the rules were final"),
    }


def commitment_of(document: ArmyList, salt: str) -> str:
    """Return what may be published of a list before it is shown; both are 64 hexadecimal digits."""
    return hashlib.sha256(COMMITMENT + bytes.fromhex(salt) + canonical(document)).hexdigest()


class EventFindings(NamedTuple):
    """Findings as reports keep them, and the language of their sentences."""

    findings: Sequence[Finding]
    language: str

    @property
    def errors(self) -> list[Finding]:
        """Those for which the list may not be played."""
        return errors_of(self.findings)


def findings_on(submission: Submission, library: Library) -> EventFindings:
    """Return what the event finds about a list, in the reader's language if possible."""
    report, reader = submission.event_report, get_language() or "en"
    then = EventFindings(report["findings"], report["language"])
    if then.language == reader or not then.findings or submission.document is None:
        return then
    pack = pack_of_entry(submission.entry, submission.pack)
    try:
        now = verdicts_on(submission.document, pack, library).event_report["findings"]
    except Refusal:
        return then
    # What of a finding is the same in all languages.
    facts = itemgetter("code", "severity", "state")
    same = list(map(facts, now)) == list(map(facts, then.findings))
    return EventFindings(now, reader) if same else then
