"""Lists of a community's files as programs see them: what they are asked of, and their verdicts."""

from typing import Any, TypeAlias

from django.utils.translation import gettext as _

from armybuilder.accounts.models import User
from armybuilder.api.parsing import any_document_of
from armybuilder.comparing.difference import Difference, difference
from armybuilder.comparing.file_lists import file_difference
from armybuilder.engine import Report
from armybuilder.engine.unchecked import REASONS
from armybuilder.engine.wording import say
from armybuilder.lists.file_sheets import side_of
from armybuilder.lists.models import OfFiles, Version
from armybuilder.lists.services import check_game
from armybuilder.lists.worked_out import Told, WorkedOut, file_report_then, work_out, worked_out
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

#: What a program asks something of: a list of our books, or of a community's files, worked out.
Subject: TypeAlias = ArmyList | WorkedOut


def subject_of(version: Version) -> Subject:
    """Return what is asked of a stored list. Raises Refusal where its game's files are gone."""
    return worked_out(version) if isinstance(version.content, ForceList) else version.document


def subject_sent(data: Any, user: Any) -> Subject:
    """Return what is asked of a document that is sent.

    Raises Refusal where it is of files that its sender may not see.
    """
    document = any_document_of(data)
    if isinstance(document, ArmyList):
        return document
    check_game(user.holder if isinstance(user, User) else "", document)
    return work_out(document)


def verdict_on(subject: Subject) -> Report | WorkedOut:
    """Return what `ReportSerializer` shows of a list."""
    if isinstance(subject, WorkedOut):
        return subject
    return judge(subject, shipped_library()).report


def difference_of(before: Subject, after: Subject) -> Difference:
    """Compare two lists. Raises Refusal where one is of our books and the other of files."""
    if isinstance(before, WorkedOut) and isinstance(after, WorkedOut):
        return file_difference(side_of(before), side_of(after), one_list=False)
    if isinstance(before, WorkedOut) or isinstance(after, WorkedOut):
        raise Refusal(_("These lists are for different games. Choose two lists for one game."))
    library = shipped_library()
    return difference(judge(before, library), judge(after, library), one_list=False)


def of_our_books(subject: Subject) -> ArmyList:
    """Return a list of our books. Raises OfFiles for another."""
    if isinstance(subject, WorkedOut):
        raise OfFiles
    return subject


def report_data(one: WorkedOut) -> dict[str, Any]:
    """Return the verdict on a list of files in the form of that on one of our books.

    The gauges are what it costs; a rule is named by the id of its constraint in the files.
    """
    then, report = file_report_then(one), one.report
    return {
        **{key: then[key] for key in ("legal", "spent", "limit", "models")},
        "complete": not report.counts.unchecked,
        "verdict": report.outcome_words,
        "reservation": report.reservation,
        "faction": None,
        "findings": [_finding(told) for told in one.told if told.mark != "unchecked"],
        "unchecked": [_unchecked(told) for told in one.told if told.mark == "unchecked"],
        "gauges": [
            {
                "name": cost.name,
                "used": int(cost.spent),
                "minimum": None,
                "maximum": int(cost.limit) if cost.limit >= 0 else None,
                "lineup": "",
                "parts": [],
            }
            for cost in one.costs
        ],
        "facts": [],
    }


def _finding(told: Told) -> dict[str, Any]:
    return {
        "code": told.code,
        "severity": told.severity,
        "state": told.state,
        "origin": "event" if told.of_event else "game",
        "sentence": told.sentence,
        "units": [told.unit] if told.unit else [],
        "rule": told.code,
        "citation": told.citation.strip("()"),
        "reading": "",
        "measured": None,
        "allowed": None,
        "lineup": "",
    }


def _unchecked(told: Told) -> dict[str, Any]:
    why = "sentence" if told.of_event else "condition"
    return {
        "units": [told.unit] if told.unit else [],
        "name": "",
        "restriction": told.sentence,
        "why": why,
        "sentence": told.sentence,
        "reason": say(REASONS[why]),
        "citation": told.citation.strip("()"),
    }
