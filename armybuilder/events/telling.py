"""What an event finds about a list, told to whoever reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import get_language

from armybuilder.events.judging import errors_of, verdicts_on
from armybuilder.events.models import Submission
from armybuilder.events.selectors import pack_of_entry
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

Finding = Mapping[str, Any]


class Told(NamedTuple):
    """Findings as reports keep them, and the language of their sentences."""

    findings: Sequence[Finding]
    language: str

    @property
    def errors(self) -> list[Finding]:
        """Those for which the list may not be played."""
        return errors_of(self.findings)


def told_of(submission: Submission, library: Library) -> Told:
    """Return what the event finds about a list, in the reader's language. Where the list cannot be
    judged as it was, the sentences are those of then.
    """
    report, reader = submission.event_report, get_language() or "en"
    then = Told(report["findings"], report["language"])
    if then.language == reader or not then.findings or submission.document is None:
        return then
    pack = pack_of_entry(submission.entry, submission.pack)
    try:
        found = verdicts_on(submission.document, pack, library).event_report["findings"]
    except Refusal:
        return then
    return Told(found, reader) if list(map(_fact, found)) == list(map(_fact, then[0])) else then


def _fact(finding: Finding) -> tuple[str, ...]:
    """Return what of a finding is the same in all languages."""
    return finding["code"], finding["severity"], finding["state"]
