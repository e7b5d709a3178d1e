"""Both verdicts on a list for an event, and what of it a human has to look at."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.books.paths import is_own_id
from armybuilder.engine.citations import Severity
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import canonical, catalogue_of
from armybuilder.loading.event_judging import JudgedAt, judge_at
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack
from armybuilder.sharing.reports import report_then

#: What a commitment begins with: whoever makes it anew knows what was hashed.
COMMITMENT = b"armylist-commit/1"


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What is found about a list for an event, as a submission keeps it."""

    game_report: Mapping[str, Any]
    event_report: Mapping[str, Any]
    legal: bool
    needs: tuple[str, ...]
    revisions: Mapping[str, str]

    @property
    def errors(self) -> list[Mapping[str, Any]]:
        """Why the list may not be played at the event."""
        return errors_of(self.event_report["findings"])


def errors_of(findings: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the errors among the findings that a report keeps."""
    return [one for one in findings if one["severity"] == Severity.ERROR]


def verdicts_on(document: ArmyList, pack: Pack, library: Library) -> Verdicts:
    """Return both verdicts. Raises Refusal for a list of another game, or that cannot be judged."""
    at = judge_at(document, catalogue_of(document, library), pack)
    return Verdicts(
        report_then(at.report.game),
        {**report_then(at.report.event), "refusals": _refusals(at), "language": _language()},
        at.report.legal,
        tuple(_needs(document, at)),
        {book.id: book.revision for book in at.game.catalogue.books},
    )


def _refusals(at: JudgedAt) -> int:
    """Return how many errors by the event's own rules there are."""
    return sum(1 for one in at.report.refusals if one.severity is Severity.ERROR)


def _language() -> str:
    return get_language() or "en"


def _needs(document: ArmyList, at: JudgedAt) -> Iterator[str]:
    """Yield why a human has to look at a list, gravest first (`need_words`)."""
    if not at.report.legal:
        yield "errors"
    if at.report.event.unchecked:
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
    """Return what may be told of a list before it is shown: 64 hexadecimal digits. `salt` is 64
    hexadecimal digits, too.
    """
    return hashlib.sha256(COMMITMENT + bytes.fromhex(salt) + canonical(document)).hexdigest()
