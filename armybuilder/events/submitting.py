"""Writes of players: a list submitted. Each is a numbered copy that is never changed."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Sum
from django.utils.translation import gettext as _

from armybuilder import __version__
from armybuilder.books.pinning import keep
from armybuilder.events.entering import PLAYER
from armybuilder.events.judging import (
    BothVerdicts,
    by_event_books,
    commitment_of,
    take_books,
    verdicts_on,
    with_revisions,
)
from armybuilder.events.log import locked, write_line
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
    """Return the next submission of an entry, which arrived `now` ("list", "file", "text", "api").

    Raises Refusal if it is not the entry's turn, the list cannot be judged, or has no unit.
    """
    paper = hash_of(document)
    event = take_books(find_event(event_id), now, library)
    pack, document, verdicts = _judged(event.entries.get(number=number), event, document, library)
    # By these revisions of all its books it is judged from now on.
    document = with_revisions(document, dict(verdicts.revisions))
    with locked(event_id) as event:
        entry = event.entries.get(number=number)
        turn = turn_of(event, entry, now)
        if not turn.allowed:
            raise Refusal(turn.reason)
        if newest_pack(event).pk != pack.pk:
            raise Refusal(_("The rules of the event have just been changed. Try again."))
        about = {"source": source, "received": now, "late": turn.late, "paper_hash": paper}
        made = _store(event, entry, document, pack, verdicts, **about)
        data = {"number": made.number, "commitment": made.commitment, "legal": made.legal}
        write_line(event, now, actor, "submitted", number, late=turn.late, **data)
        keep(document, library)
        data = {"entry": number, "submission": made.number, "legal": made.legal, "late": made.late}
        tell(event, "submission.received", now, **data)
        return made


def try_list(entry: Entry, document: ArmyList, library: Library) -> BothVerdicts:
    """Return the verdicts on a list if it were submitted now; raises Refusal as `submit` does."""
    return _judged(entry, find_event(entry.event_id), document, library)[2]


def _judged(
    entry: Entry, event: Event, document: ArmyList, library: Library
) -> tuple[EventPack, ArmyList, BothVerdicts]:
    if not document.units:
        raise Refusal(_("This list is empty."))
    pack, document = newest_pack(event), by_event_books(document, event)
    return pack, document, verdicts_on(document, pack_of_entry(entry, pack), library)


def _store(
    event: Event,
    entry: Entry,
    document: ArmyList,
    pack: EventPack,
    verdicts: BothVerdicts,
    **about: Any,
) -> Submission:
    """Store a submission. Raises Refusal if an entry, or the whole event, would keep too much."""
    before = entry.submissions.aggregate(number=Count("pk"), size=Sum("size"))
    if before["number"] >= MOST_SUBMISSIONS:
        sentence = _("A list can be submitted {most} times at most.")
        raise Refusal(sentence.format(most=MOST_SUBMISSIONS))
    size = len(canonical(document))
    if (before["size"] or 0) + size > MOST_OF_ENTRY or event.size + size > MOST_OF_EVENT:
        raise Refusal(_("Too much has been submitted already. Ask the organisers."))
    event.size += size
    event.save(update_fields=["size"])
    salt = new_salt()
    made = Submission.objects.create(
        entry=entry,
        number=before["number"] + 1,
        document=document,
        salt=salt,
        size=size,
        commitment=commitment_of(document, salt),
        list_hash=hash_of(document),
        engine=__version__,
        pack=pack,
        revisions=dict(verdicts.revisions),
        game_report=dict(verdicts.game_report),
        event_report=dict(verdicts.event_report),
        legal=verdicts.legal,
        needs=[*verdicts.needs, *(["late"] if about["late"] else [])],
        **about,
    )
    SubmissionBook.objects.bulk_create(
        SubmissionBook(submission=made, book_id=book, revision=revision)
        for book, revision in verdicts.revisions.items()
    )
    entry.submission, entry.status = made, Entry.Status.ENTERED
    entry.save(update_fields=["submission", "status"])
    return made
