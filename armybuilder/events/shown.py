"""A submitted list as far as a person may see it: of our own books, or by files."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.engine.event_report import event_words
from armybuilder.engine.verdict import outcome_of
from armybuilder.events.models import Entry, Submission
from armybuilder.events.rules import Sight
from armybuilder.lists.drawn import DrawnList, drawn_list
from armybuilder.lists.models import ListDocument
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.structure import AtEvent


def book_names(submission: Submission | None, library: Library) -> str:
    """Return the names of the army books of a list; "" for lists of a community's files."""
    content = submission.content if submission else None
    if not isinstance(content, ArmyList):
        return ""
    known = library.books.get(content.system, {})
    names = (
        known[book.id].name if book.id in known else _("custom book") for book in content.books
    )
    return ", ".join(names)


@dataclass(eq=False)
class ShownList:
    """A visible submission, the open list or all of it."""

    entry: Entry
    submission: Submission
    sight: Sight
    day: datetime.date

    @property
    def whole(self) -> bool:
        return self.sight is Sight.FULL

    @property
    def content(self) -> ListDocument:
        """The list. Raises Refusal where it was removed."""
        if (content := self.submission.content) is None:
            raise Refusal(_("This list was removed."))
        return content

    @cached_property
    def document(self) -> ListDocument | None:
        """The list itself, where all of it may be seen."""
        return self.content if self.whole else None

    @property
    def at_event(self) -> AtEvent:
        """The event's verdict and the state of the list, in words."""
        kept = self.submission
        report, unchecked = kept.event_report, len(kept.event_report["unchecked"])
        verdict = event_words(kept.legal, report["refusals"], unchecked)
        state = {
            Entry.Status.ENTERED: _("To check"),
            Entry.Status.RETURNED: _("Returned"),
            Entry.Status.ACCEPTED: _("Accepted"),
            Entry.Status.WITHDRAWN: _("Withdrawn"),
        }[Entry.Status(self.entry.status)]
        words = [verdict, state, *([_("late")] if kept.late else [])]
        return AtEvent(" · ".join(words), outcome_of(kept.legal, unchecked))

    @cached_property
    def visible(self) -> DrawnList:
        """The visible part: the open one without the player's notes, none with texts of files."""
        seen = {"kind": "full" if self.whole else "open", "notes": self.whole, "texts": False}
        return drawn_list(self.content, day=self.day, at_event=self.at_event, **seen)

    @property
    def key(self) -> str:
        """Key in a cache of what exported files say of it."""
        return f"{self.submission.pk} {self.day} {self.at_event.alone}"

    @cached_property
    def drawn(self) -> Mapping[str, Any]:
        """Facts and text of the list for exported files, as tournaments ask for them."""
        visible, sheet = self.visible, self.visible.sheet
        form, spent, limit = "t9a" if sheet.army else "lines", sheet.spent, sheet.limit
        if visible.of_files:
            report = self.submission.event_report
            form, spent, limit = "compact", report["spent"], report["limit"]
        text = visible.text(visible.forms[form])
        return {"books": list(sheet.books), "points": spent, "limit": limit, "text": text}
