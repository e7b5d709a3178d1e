"""Restrictions that the program can't check, by rule, and the checks that people made.

A check for a book is valid for all lists of it that have the same units under the same rule; a list
with another unit is checked again.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.utils import translation
from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.reports import Told
from armybuilder.engine.report import Report
from armybuilder.events.models import BookCheck, Event, Submission

#: Who checked what: names by the books of lists and the mark of a restriction.
Checks = Mapping[tuple[str, str], str]


class OpenRule(NamedTuple):
    """Restriction that is not checked, with the units that it is about and who checked it.

    `marks` name it in forms, one for each unit, the same in all languages.
    """

    said: str
    reason: str
    citation: str
    subjects: list[str]
    marks: list[str]
    by: str = ""


def restrictions_of(report: Report) -> list[dict[str, str]]:
    """Return a report's unchecked restrictions, as a submission keeps them."""
    with translation.override("en"):
        same = list(report.find_unchecked())
    return [
        {
            "said": one.restriction,
            "of": one.subject,
            "reason": one.reason,
            "citation": one.citation,
            "mark": _mark(english.citation, english.sentence),
        }
        for one, english in zip(report.unchecked, same, strict=True)
    ]


def restrictions_told(unchecked: Iterable[Told]) -> list[dict[str, str]]:
    """Return the same of a list of a game from files."""
    return [_alone(one.sentence, one.cited) for one in unchecked]


def _alone(sentence: str, citation: str = "") -> dict[str, str]:
    mark = _mark(citation, sentence)
    return {"said": sentence, "of": "", "reason": "", "citation": citation, "mark": mark}


def _mark(citation: str, sentence: str) -> str:
    return hashlib.sha256(f"{citation}\n{sentence}".encode()).hexdigest()[:16]


def open_rules(
    report: Mapping[str, Any], checks: Checks | None = None, books: str = ""
) -> list[OpenRule]:
    """Return a report's unchecked restrictions by rule, with who checked them for the books."""
    # Lists that were submitted to an earlier version have sentences alone.
    kept = report.get("restrictions") or [_alone(one) for one in report["unchecked"]]
    rules: dict[tuple[str, str], OpenRule] = {}
    for one in kept:
        key = one["said"], one["citation"]
        rule = rules.setdefault(key, OpenRule(one["said"], one["reason"], one["citation"], [], []))
        rule.marks.append(one["mark"])
        if one["of"] and one["of"] not in rule.subjects:
            rule.subjects.append(one["of"])
    return [one._replace(by=_checked_by(one, checks or {}, books)) for one in rules.values()]


def _checked_by(rule: OpenRule, checks: Checks, books: str) -> str:
    if not all((books, mark) in checks for mark in rule.marks):
        return ""
    names = dict.fromkeys(checks[books, mark] for mark in rule.marks)
    return ", ".join(filter(None, names)) or _("the staff")


def books_of(submission: Submission) -> str:
    """Return the books of a list, as checks are kept by them."""
    return " ".join(sorted(submission.revisions))[:400]


def checks_of(event: Event) -> Checks:
    """Return the checks made for all lists of a book."""
    rows = BookCheck.objects.filter(event=event).values_list("books", "mark", "by")
    return {(books, mark): by for books, mark, by in rows}


def is_settled(submission: Submission, checks: Checks) -> bool:
    """Return whether all that is not checked of a list was checked for its books."""
    rules = open_rules(submission.event_report, checks, books_of(submission))
    return bool(rules) and all(one.by for one in rules)


def needs_of(submission: Submission, checks: Checks) -> list[str]:
    """Return the reasons to review a list, without restrictions checked for its books."""
    needs: list[str] = submission.needs
    if "unchecked" in needs and is_settled(submission, checks):
        return [one for one in needs if one != "unchecked"]
    return needs


def tick(
    event: Event, submission: Submission, marks: Collection[str], for_book: str, now: datetime
) -> list[list[str]]:
    """Return the rules that somebody ticked, in words; kept `for_book` by that name, if given."""
    rules = open_rules(submission.event_report)
    ticked = [one for one in rules if one.marks[0] in marks]
    if for_book:
        books = books_of(submission)
        for mark in {mark for one in ticked for mark in one.marks}:
            about = {"by": for_book, "at": now}
            BookCheck.objects.get_or_create(event=event, books=books, mark=mark, defaults=about)
    return [[one.said, one.citation] for one in ticked]
