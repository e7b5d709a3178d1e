"""Writes of players: a list submitted. Each is a numbered copy that is never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from armybuilder import __version__
from armybuilder.books.pinning import keep
from armybuilder.events.books import by_event_books, take_books
from armybuilder.events.entering import PLAYER
from armybuilder.events.judging import Verdicts, commitment_of, verdicts_on
from armybuilder.events.log import lock, write_line
from armybuilder.events.models import Entry, Event, EventPack, Submission, SubmissionBook, new_salt
from armybuilder.events.selectors import find_event, newest_pack, pack_of_entry, turn_of
from armybuilder.events.webhooks import tell
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import canonical, hash_of
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

#: Submissions of one entry, and bytes that those of an entry and of an event come to.
MOST_SUBMISSIONS = 100
MOST_OF_ENTRY, MOST_OF_EVENT = 2 * 1024 * 1024, 512 * 1024 * 1024


def submit(
    event_id: UUID,
    number: int,
    document: ArmyList,
    source: str,
    library: Library,
    now: datetime,
    actor: str = PLAYER,
) -> Submission:
    """Return the next submission of an entry; it counts from now on. `now` is when it arrived.

    `source` is where the list comes from: "list", "file", "text" or "api". A list that is not
    legal is taken: whoever checks it says what becomes of it. Raises Refusal where it is not the
    entry's turn, the list is of another game or has no unit, or the pack was changed at this very
    moment.
    """
    paper = hash_of(document)
    event = take_books(find_event(event_id), now, library)
    pack, document, verdicts = _judged(event.entries.get(number=number), event, document, library)
    document = _pinned(document, verdicts.revisions)
    with transaction.atomic():
        event = lock(event_id)
        entry = event.entries.get(number=number)
        turn = turn_of(event, entry, now)
        if not turn.allowed:
            raise Refusal(turn.reason)
        if newest_pack(event).pk != pack.pk:
            raise Refusal(_("The rules of the event have just been changed. Try again."))
        made = _store(event, entry, document, paper, source, pack, verdicts, now, turn.late)
        told = {"number": made.number, "commitment": made.commitment, "legal": made.legal}
        write_line(event, now, actor, "submitted", number, late=turn.late, **told)
        keep(document, library)
        told = {"entry": number, "submission": made.number, "legal": made.legal, "late": made.late}
        tell(event, "submission.received", now, **told)
        return made


def try_list(entry: Entry, document: ArmyList, library: Library) -> Verdicts:
    """Return what would be found about a list if it were submitted now. Raises Refusal as `submit`
    does.
    """
    return _judged(entry, find_event(entry.event_id), document, library)[2]


def _judged(
    entry: Entry, event: Event, document: ArmyList, library: Library
) -> tuple[EventPack, ArmyList, Verdicts]:
    """Return the verdicts on a list, with the pack and the list that they are of."""
    if not document.units:
        raise Refusal(_("This list is empty."))
    pack, document = newest_pack(event), by_event_books(document, event)
    return pack, document, verdicts_on(document, pack_of_entry(entry, pack), library)


def _pinned(document: ArmyList, revisions: Mapping[str, str]) -> ArmyList:
    """Return the list with the revisions of all its books, by which it is judged from now on."""
    books = (replace(one, revision=revisions.get(one.id, one.revision)) for one in document.books)
    return replace(document, books=tuple(books))


def _take_room(event: Event, entry: Entry, size: int) -> None:
    """Raises Refusal where an entry, or the whole event, would keep too much."""
    before = entry.submissions.aggregate(all=Sum("size"))["all"] or 0
    if before + size > MOST_OF_ENTRY or event.size + size > MOST_OF_EVENT:
        raise Refusal(_("Too much has been submitted already. Ask the organisers."))
    event.size += size
    event.save(update_fields=["size"])


def _store(
    event: Event,
    entry: Entry,
    document: ArmyList,
    paper: str,
    source: str,
    pack: EventPack,
    verdicts: Verdicts,
    now: datetime,
    late: bool,
) -> Submission:
    before = entry.submissions.count()
    if before >= MOST_SUBMISSIONS:
        said = _("A list can be submitted {most} times at most.")
        raise Refusal(said.format(most=MOST_SUBMISSIONS))
    size = len(canonical(document))
    _take_room(event, entry, size)
    salt = new_salt()
    made = Submission.objects.create(
        entry=entry,
        number=before + 1,
        document=document,
        salt=salt,
        size=size,
        commitment=commitment_of(document, salt),
        list_hash=hash_of(document),
        paper_hash=paper,
        source=source,
        received=now,
        late=late,
        engine=__version__,
        pack=pack,
        revisions=dict(verdicts.revisions),
        game_report=dict(verdicts.game_report),
        event_report=dict(verdicts.event_report),
        legal=verdicts.legal,
        needs=[*verdicts.needs, *(["late"] if late else [])],
    )
    SubmissionBook.objects.bulk_create(
        SubmissionBook(submission=made, book_id=one, revision=revision)
        for one, revision in verdicts.revisions.items()
    )
    entry.submission, entry.status = made, Entry.Status.ENTERED
    entry.save(update_fields=["submission", "status"])
    return made
