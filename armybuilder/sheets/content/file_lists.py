"""The sheet of a list of a community's files: what its head and its findings say."""

import datetime
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.reports import Told
from armybuilder.battlescribe.files.view import ListView
from armybuilder.engine.event_report import event_words
from armybuilder.engine.nouns import counted
from armybuilder.engine.states import TO_DO
from armybuilder.engine.verdict import Counts, outcome_of, verdict_sentence
from armybuilder.engine.wording import say
from armybuilder.sheets.content.printable import one_line, tidy
from armybuilder.sheets.content.setup import Setup, at_table
from armybuilder.sheets.content.structure import UNCHECKED, AtEvent, FindingLine, Sheet


def sheet_of(view: ListView, title: str, day: datetime.date, hash: str, notes: str = "") -> Sheet:
    """Return the sheet of a list without its units, which a drawer has of its view."""
    counts = _counts(finding for finding in view.findings if not finding.of_event)
    costs = [cost for cost in view.costs if cost.number or cost.limit > 0] or view.costs[:1]
    revision = say("revision {revision}", revision=view.revision or "?")
    return Sheet(
        title=one_line(title) or view.game,
        system=view.game,
        books=view.books,
        models=counted(view.models, "models") if view.models else "",
        outcome=outcome_of(not counts.errors, counts.unchecked),
        counts=counts,
        verdict=f"{verdict_sentence(counts)}.",
        date=day,
        findings=tuple(
            FindingLine(finding.mark, tidy(finding.sentence), finding.cited, "")
            for finding in view.findings
        ),
        notes=tidy(notes),
        hash=hash,
        editions=(revision, *view.books),
        costs=", ".join(cost.of_limit for cost in costs),
    )


def at_event(view: ListView) -> AtEvent:
    """Return the verdict of the event whose rules the list was checked by, too."""
    counts = _counts(view.findings)
    asked = sum(finding.is_error for finding in view.findings if finding.of_event)
    words = event_words(not counts.errors, asked, counts.unchecked)
    return AtEvent(words, outcome_of(not counts.errors, counts.unchecked))


def _counts(findings: Iterable[Told]) -> Counts:
    marks = Counter(finding.mark for finding in findings)
    return Counts(marks["error"], marks[TO_DO], marks["warning"], marks[UNCHECKED])


@dataclass(frozen=True, slots=True)
class FileList:
    """A list to draw: its contents, and the sheet with its head and its verdict."""

    view: ListView
    sheet: Sheet

    def shown(self, setup: Setup) -> "FileList":
        """Return it with who plays where, without parts that the set-up leaves out."""
        sheet = at_table(self.sheet, setup)
        if not setup.notes:
            sheet = replace(sheet, notes="")
        if not setup.prices:
            sheet = replace(sheet, left_out=_("The points of single units are left out."))
        return replace(self, sheet=sheet)
