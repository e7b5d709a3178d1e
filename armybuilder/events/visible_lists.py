"""Lists of an event as far as somebody may see them: nothing else of a submission goes out."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from armybuilder.comparing.difference import difference
from armybuilder.engine.event_report import event_words
from armybuilder.engine.verdict import outcome_of
from armybuilder.events.models import Entry, Event, Submission
from armybuilder.events.selectors import shown_entries, sight_of
from armybuilder.events.visibility import Person, Sight
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import judge
from armybuilder.loading.library import Library
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.setup import Setup, left_out
from armybuilder.sheets.content.structure import AtEvent, Sheet


@dataclass(frozen=True, eq=False)
class ShownList:
    """Submission that somebody may see, the open list or all of it."""

    entry: Entry
    submission: Submission
    sight: Sight
    library: Library
    day: datetime.date

    @property
    def whole(self) -> bool:
        """Whether all of it may be seen."""
        return self.sight is Sight.FULL

    @cached_property
    def document(self) -> ArmyList | None:
        """The list itself, where all of it may be seen."""
        document: ArmyList = self.submission.document
        return document if self.whole else None

    @property
    def at_event(self) -> AtEvent:
        """The event's verdict and the state of the list, in words."""
        kept = self.submission
        report, unchecked = kept.event_report, len(kept.event_report["unchecked"])
        verdict = event_words(kept.legal, report["refusals"], unchecked)
        words = [verdict, status_words()[self.entry.status], *([_("late")] if kept.late else [])]
        return AtEvent(" · ".join(words), outcome_of(kept.legal, unchecked))

    @cached_property
    def material(self) -> Material:
        """What its sheets are made of. Raises Refusal as `Material` does."""
        document = self.submission.document
        return Material(document, self.library, self.day, at_event=self.at_event)

    @cached_property
    def sheet(self) -> Sheet:
        """What may be seen of it, without the player's notes if that is not all."""
        if self.whole:
            return self.material.sheet
        return left_out(self.material.open_sheet, Setup(notes=False))


def hides_cost(event: Event, sight: Sight, library: Library) -> bool:
    """Return whether the points of a list are hidden: they would tell what hidden items cost."""
    system = library.systems.get(event.system)
    return sight is Sight.OPEN and (system is None or system.sized)


def status_words() -> dict[str, str]:
    """Return words for the state of a current list, by the status of its entry."""
    return {
        Entry.Status.ENTERED: _("To check"),
        Entry.Status.RETURNED: _("Returned"),
        Entry.Status.ACCEPTED: _("Accepted"),
        Entry.Status.WITHDRAWN: _("Withdrawn"),
    }


def show(
    person: Person,
    event: Event,
    entry: Entry,
    submission: Submission,
    now: datetime.datetime,
    library: Library,
) -> ShownList | None:
    """Return a submission as far as the person may see it now; None if its list may not be."""
    sight = sight_of(person, event, entry, submission, now)
    if sight < Sight.OPEN or entry.forgotten is not None:
        return None
    return ShownList(entry, submission, sight, library, now.date())


def shown_lists(
    person: Person,
    event: Event,
    now: datetime.datetime,
    library: Library,
    entries: Iterable[Entry] | None = None,
) -> Iterator[ShownList]:
    """Yield the current lists, of all `entries` or these, that the person may see now."""
    for entry in checked(shown_entries(event).iterator(100) if entries is None else entries):
        if entry.submission is not None:
            shown = show(person, event, entry, entry.submission, now, library)
            if shown is not None:
                yield shown


def changed_lines(before: Submission, after: Submission, library: Library) -> tuple[str, ...]:
    """Return what differs between two submissions of one entry, in short lines."""
    was, now = (judge(one.document, library) for one in (before, after))
    return difference(was, now).lines()
