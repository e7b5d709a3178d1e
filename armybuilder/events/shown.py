"""The lists of an event as far as somebody may see them: nothing else of a submission goes out."""

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
from armybuilder.events.seeing import Person, Sight
from armybuilder.events.selectors import shown_entries, sight_of
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import judge
from armybuilder.loading.library import Library
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.setup import Setup, left_out
from armybuilder.sheets.content.structure import AtEvent, Sheet


@dataclass(frozen=True, eq=False)
class ShownList:
    """A submission that somebody may see, the open list or all of it."""

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
        found: ArmyList = self.submission.document
        return found if self.whole else None

    @property
    def at_event(self) -> AtEvent:
        """The event's verdict and the state of the list, in words."""
        kept = self.submission
        report, unchecked = kept.event_report, len(kept.event_report["unchecked"])
        verdict = event_words(kept.legal, report["refusals"], unchecked)
        said = [verdict, status_words()[self.entry.status]]
        said += [_("late")] if kept.late else []
        return AtEvent(" · ".join(said), outcome_of(kept.legal, unchecked))

    @cached_property
    def material(self) -> Material:
        """What its sheets are made of. Raises Refusal as `Material` does."""
        made = self.submission.document, self.library, self.day
        return Material(*made, at_event=self.at_event)

    @cached_property
    def sheet(self) -> Sheet:
        """What may be seen of it, without the player's notes where that is not all."""
        if self.whole:
            return self.material.sheet
        return left_out(self.material.open_sheet, Setup(notes=False))


def hides_cost(event: Event, sight: Sight, library: Library) -> bool:
    """Return whether somebody must not be told what a list spends: it would tell what the items
    cost that the open list hides.
    """
    system = library.systems.get(event.system)
    return sight is Sight.OPEN and (system is None or system.sized)


def status_words() -> dict[str, str]:
    """Return the state of a list that counts, by the status of its entry."""
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
    """Return a submission as far as the person may see it now; None where its list may not be."""
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
    """Yield the lists that count and that the person may see now, by the numbers of entries: of
    all, or of these `entries`, each with its submission.
    """
    for entry in checked(shown_entries(event).iterator(100) if entries is None else entries):
        if entry.submission is not None:
            found = show(person, event, entry, entry.submission, now, library)
            if found is not None:
                yield found


def changed_lines(before: Submission, after: Submission, library: Library) -> tuple[str, ...]:
    """Return what differs between two submissions of one entry, in short lines."""
    was, now = (judge(one.document, library) for one in (before, after))
    return difference(was, now).lines()
