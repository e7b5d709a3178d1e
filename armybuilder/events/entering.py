"""Writes of players: enter, bring others, withdraw, come back, more time, captains, lists.

Nobody becomes captain of players who were there before, unless the organisers say so. A submitted
list is a numbered copy that is never changed.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from armybuilder import __version__
from armybuilder.books.pinning import keep
from armybuilder.engine.names import look_key
from armybuilder.events import judging, selectors
from armybuilder.events.deciding import check_open, check_other, check_promise, widen
from armybuilder.events.lending import lend_game, take_room
from armybuilder.events.log import locked, write_line
from armybuilder.events.models import (
    Entry,
    Event,
    EventPack,
    Staff,
    Submission,
    SubmissionBook,
    new_salt,
)
from armybuilder.events.news import PLAYER, WAITING_LIST
from armybuilder.events.rules import EventState
from armybuilder.events.webhooks import tell
from armybuilder.lists.models import ListDocument
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import canonical, hash_of
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.jsontext import canonical_json
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_of
from armybuilder.writable import count_bytes

#: Entries of one event: beyond this no page helps anybody.
MOST_ENTRIES = 5_000
#: Players who enter with the same email: nobody has us flood somebody else's mailbox.
MOST_ALIKE = 20
#: Who acts for a team, as the log says it.
CAPTAIN = "captain"


def enter(
    event_id: UUID,
    holder: str,
    name: str,
    email: str,
    team: str,
    now: datetime,
    library: Library,
    captain: bool = False,
    agrees: bool = False,
) -> Entry:
    """Return the holder's new entry, or the one that they had withdrawn.

    Who enters for a team that has a captain `agrees` that this one reads the list. Raises Refusal
    if the event takes none, is full, or the holder cannot enter so.
    """
    with _locked_open(event_id, now) as event:
        existing = event.entries.filter(holder=holder).order_by("number").first()
        if existing is not None:
            if existing.status != Entry.Status.WITHDRAWN:
                raise Refusal(_("You are already registered."))
            _check_reader(event, holder, now)
            return _restore(event, existing, PLAYER, now, library)
        team = " ".join(team.split())[:80]
        leader = selectors.captain_of(event, team)
        if captain:
            if not team:
                raise Refusal(_("Enter the name of your team."))
            if leader is not None:
                raise Refusal(_("This team already has a captain."))
            teams = event.entries.exclude(team="").values_list("team", flat=True)
            if look_key(team) in map(look_key, teams):
                sentence = _(
                    "Others registered for this team before you. Register as a player; the "
                    "organisers can then make you captain."
                )
                raise Refusal(sentence)
        elif leader is not None and not agrees:
            sentence = _(
                "{captain} is the captain of “{team}” and could see your list and submit "
                "for you. Confirm that this is your team, or enter another name."
            )
            raise Refusal(sentence.format(captain=leader.name, team=leader.team))
        about = {"holder": holder, "email": email.strip()[:254], "captain": captain}
        alike = event.entries.filter(main=None, email__iexact=about["email"]).exclude(email="")
        if alike.count() >= MOST_ALIKE:
            raise Refusal(_("Too many players have this email. Enter another, or none."))
        return add_player(event, name, team, PLAYER, now, **about)


def enter_lists(event_id: UUID, number: int, now: datetime) -> None:
    """Make the further entries of a player that the event takes by now; raises as `enter` does."""
    with _locked_open(event_id, now) as event:
        _add_lists(event, event.entries.get(number=number), PLAYER, now)


def bring(event_id: UUID, captain: Entry, name: str, now: datetime) -> Entry:
    """Return a new entry for a player of the captain's team; raises as `enter` does."""
    with _locked_open(event_id, now) as event:
        return add_player(event, name, captain.team, CAPTAIN, now)


@contextmanager
def _locked_open(event_id: UUID, now: datetime) -> Iterator[Event]:
    """Open a transaction with the event locked. Raises Refusal if it takes no entries now."""
    with locked(event_id) as event:
        if event.state(now) in (EventState.DRAFT, EventState.CANCELLED):
            raise Refusal(_("Registration is not open."))
        if not event.takes_entries(now):
            raise Refusal(_("Registration is closed."))
        yield event


def add_player(
    event: Event, name: str, team: str, actor: str, now: datetime, **about: Any
) -> Entry:
    """Return the new entry of a player at a locked event. Raises Refusal for one too many."""
    name = " ".join(name.split())[:80]
    if not name:
        raise Refusal(_("Enter the name opponents know you by."))
    _check_room(event)
    _check_reader(event, about.get("holder", ""), now)
    team = " ".join(team.split())[:80]
    _check_team(event, team)
    about.setdefault("language", get_language() or "en")
    lend_game(event, about.get("holder", ""))
    entry = _create(event, actor, now, name=name, team=team, **about)
    _add_lists(event, entry, actor, now)
    return entry


def _check_reader(event: Event, holder: str, now: datetime) -> None:
    """Raise Refusal for staff who can read lists of others, unless staff who play may see them.

    Who does not play, or has withdrawn, could read all lists first and then submit one against
    them.
    """
    staff = selectors.staff_of(event, holder)
    if staff is None or event.rules.staff_plays:
        return
    if not selectors.sees_any(event, selectors.helper_to(event, staff), now):
        return
    raise Refusal(
        _(
            "You can read submitted lists as staff. Before you can play, an organiser must allow "
            "staff who play to see lists; players get the reason."
        )
    )


def _check_team(event: Event, team: str) -> None:
    """Raise Refusal if a team has as many players already as the pack allows it lists."""
    pack = pack_of(selectors.newest_pack(event))
    if team and "team" in pack.data:
        most = pack.data["team"]["lists"] // pack.lists
        if len([one for one in selectors.team_of(event, team) if one.main_id is None]) >= most:
            sentence = _("“{team}” has {most} players already, as many as the event pack allows.")
            raise Refusal(sentence.format(team=team, most=most))


def _create(event: Event, actor: str, now: datetime, **fields: Any) -> Entry:
    if event.entry_count >= MOST_ENTRIES:
        sentence = _("An event can have at most {most} players.")
        raise Refusal(sentence.format(most=MOST_ENTRIES))
    event.change(entry_count=event.entry_count + 1)
    entry = Entry.objects.create(event=event, number=event.entry_count, **fields)
    write_line(event, now, actor, "entered", entry.number)
    return entry


def _add_lists(event: Event, main: Entry, actor: str, now: datetime) -> None:
    wanted, existing = pack_of(selectors.newest_pack(event)).lists, main.further.count() + 1
    same = {key: getattr(main, key) for key in ("holder", "email", "team", "language")}
    for part in range(existing + 1, wanted + 1):
        _create(event, actor, now, main=main, part=part, name=f"{main.name[:75]} ({part})", **same)


def take_back(event_id: UUID, number: int, actor: str, now: datetime, library: Library) -> Entry:
    """Let a withdrawn player in again with all lists. Raises Refusal if it is over, or full."""
    gone = Entry.Status.WITHDRAWN
    with locked(event_id) as event:
        entry = event.entries.select_related("main").get(number=number)
        if event.state(now) is EventState.OVER:
            raise Refusal(_("The event is over."))
        if entry.main is not None and entry.main.status == gone:
            entry = entry.main
        return _restore(event, entry, actor, now, library) if entry.status == gone else entry


def _restore(event: Event, entry: Entry, actor: str, now: datetime, library: Library) -> Entry:
    if entry.main_id is None:
        _check_room(event)
    for each in (entry, *entry.further.filter(status=Entry.Status.WITHDRAWN)):
        judging.play_again(event, each, actor, now, library)
    return entry


def _check_room(event: Event) -> None:
    if selectors.is_full(event):
        raise Refusal(_("The event is full."))


def choose_role(event_id: UUID, number: int, role: str, now: datetime) -> None:
    """Let a player have a role of the event pack in the team, or none for "".

    Raises Refusal for a role that the pack doesn't have, and once lists are published.
    """
    with locked(event_id) as event:
        if (state := event.state(now)) is EventState.CANCELLED:
            raise Refusal(_("The event is cancelled."))
        if state in (EventState.REVEALED, EventState.OVER):
            raise Refusal(_("Lists are published, so roles can’t change."))
        if role and role not in pack_of(selectors.newest_pack(event)).roles:
            raise Refusal(_("The event pack has no such role."))
        event.entries.get(number=number).change(role=role)


def withdraw(event_id: UUID, number: int, actor: str, now: datetime) -> Entry:
    """Withdraw an entry from the event, a player's first with all others; nobody sees them."""
    with locked(event_id) as event:
        entry = event.entries.get(number=number)
        if event.state(now) is EventState.OVER:
            raise Refusal(_("The event is over."))
        was_captain = entry.captain
        for each in (entry, *entry.further.all()):
            if each.status != Entry.Status.WITHDRAWN:
                each.change(status=Entry.Status.WITHDRAWN, captain=False)
                write_line(event, now, actor, "withdrawn", each.number)
        if was_captain and actor == PLAYER:
            next_captain(event, number, entry.team, now)
        move_up(event, now)
        return entry


def move_up(event: Event, now: datetime) -> None:
    """Let in who waits, in order, while a locked event takes entries and has places."""
    while event.takes_entries(now):
        first = event.waiting.order_by("pk").first()
        if first is None or selectors.is_full(event):
            return
        first.delete()
        about = {"holder": first.holder, "email": first.email, "language": first.language}
        if not event.entries.filter(holder=first.holder).exists():
            # Whose team has become full has lost the place to the next.
            with suppress(Refusal):
                add_player(event, first.name, first.team, WAITING_LIST, now, **about)


def extend(
    event_id: UUID, number: int, until: datetime, reason: str, by: Staff, now: datetime
) -> Entry:
    """Extend an entry's time before lists are published, for a reason in the log."""
    with locked(event_id) as event:
        if not reason.strip():
            raise Refusal(_("Give a reason for the log."))
        if until >= event.revealed_at or now >= event.revealed_at:
            raise Refusal(_("An extension can’t run past the time lists are published."))
        if until <= now:
            raise Refusal(_("This time is in the past. Give a later one."))
        entry = event.entries.get(number=number)
        check_other(entry, by, _("You can’t give yourself more time."))
        entry.change(extended_to=until)
        data = {"until": until.isoformat(), "reason": reason.strip()[:200]}
        write_line(event, now, by.role, "extended", number, **data)
        return entry


def come_back(event: Event, secret: str, holder: str, now: datetime) -> Entry | None:
    """Let the browser that knows an entry's secret address hold it, unless it has another."""
    with transaction.atomic():
        entry = event.entries.select_for_update().filter(secret=secret, forgotten=None).first()
        if entry is None or not secret:
            return None
        player = Q(pk=entry.main_id or entry.pk) | Q(main=entry.main_id or entry.pk)
        if event.entries.filter(holder=holder).exclude(player).exists():
            return None
        if entry.holder != holder:
            _check_reader(event, holder, now)
        event.entries.filter(player).update(holder=holder)
        lend_game(event, holder)
        return entry


def name_captain(event_id: UUID, number: int, by: Staff, now: datetime, reason: str = "") -> None:
    """Let an organiser name the captain of a team, replacing the former one.

    Players with lists are informed, since the captain sees them; this requires `check_promise`.
    """
    with locked(event_id) as event:
        entry = event.entries.get(number=number)
        check_other(entry, by, _("You can’t make yourself captain."))
        if not entry.team or entry.main_id or entry.status == Entry.Status.WITHDRAWN:
            raise Refusal(_("Only players on a team can be its captain."))
        former = selectors.captain_of(event, entry.team)
        if former is not None:
            Entry.objects.filter(pk=former.pk).update(captain=False)
        _set_captain(event, entry, by.role, now)
        if mates := _mates_with_lists(event, entry):
            check_promise(event, by, reason, event.rules)
        for mate in mates:
            widen(event, mate, by, now, reason)


def _mates_with_lists(event: Event, captain: Entry) -> list[Entry]:
    """Return the team's other entries that have lists, which the captain sees."""
    return [
        mate
        for mate in selectors.team_of(event, captain.team)
        if mate.submission is not None and captain.pk not in (mate.pk, mate.main_id)
    ]


def next_captain(event: Event, former: int, team: str, now: datetime) -> None:
    """Name the captain after entry `former`: the first whom they brought in and who has come.

    Players with lists are informed, since the new captain sees them.
    """
    named = event.log.filter(act="captain", entry=former).order_by("sequence").last()
    brought = event.log.filter(act="entered", actor=CAPTAIN)
    if named is not None:
        brought = brought.filter(sequence__gt=named.sequence)
    numbers = set(brought.values_list("entry", flat=True))
    for entry in selectors.team_of(event, team):
        if entry.holder and entry.main_id is None and entry.number in numbers:
            _set_captain(event, entry, CAPTAIN, now)
            for mate in _mates_with_lists(event, entry):
                with override(mate.language):
                    reason = _("The captain has left, and {name} is captain now.")
                widen(event, mate, Staff(role=CAPTAIN), now, reason.format(name=entry.name))
            return


def _set_captain(event: Event, entry: Entry, actor: str, now: datetime) -> None:
    entry.change(captain=True)
    write_line(event, now, actor, "captain", entry.number)


#: Submissions of one entry, and bytes that they come to.
MOST_SUBMISSIONS = 100
MOST_OF_ENTRY = 2 * 1024 * 1024


def submit(
    event_id: UUID,
    number: int,
    document: ListDocument,
    source: str,
    library: Library,
    now: datetime,
    actor: str = PLAYER,
) -> Submission:
    """Return the next submission of an entry, which arrived `now` ("list", "file", "text", "api").

    Raises Refusal if it isn't the entry's turn, the list can't be checked, or has no unit.
    """
    paper = hash_of(document)
    event = judging.take_books(selectors.find_event(event_id), now, library)
    pack, document, verdicts = _judged(event.entries.get(number=number), event, document, library)
    # From here on it is checked against these revisions of its books.
    document = judging.with_revisions(document, dict(verdicts.revisions))
    with locked(event_id) as event:
        entry = event.entries.get(number=number)
        turn = selectors.turn_of(event, entry, now)
        if not turn.allowed:
            raise Refusal(turn.reason)
        if selectors.newest_pack(event).pk != pack.pk:
            raise Refusal(_("The event pack has just changed. Try again."))
        about = {"source": source, "received": now, "late": turn.late, "paper_hash": paper}
        made = _store(event, entry, document, pack, verdicts, **about)
        data = {"number": made.number, "commitment": made.commitment, "legal": made.legal}
        write_line(event, now, actor, "submitted", number, late=turn.late, **data)
        if isinstance(document, ArmyList):
            keep(document, library)
        data = {"entry": number, "submission": made.number, "legal": made.legal, "late": made.late}
        tell(event, "submission.received", now, **data)
        return made


def reinstate(
    event_id: UUID, number: int, which: int, by: Staff, now: datetime, reason: str, library: Library
) -> None:
    """Let a former list of an entry be current again, for a reason that the log says."""
    with locked(event_id) as event:
        check_open(event, now)
        if not reason.strip():
            raise Refusal(_("Give a reason for the log."))
        entry = event.entries.get(number=number)
        check_other(entry, by, _("You can’t bring back your own list."))
        former = entry.submissions.filter(number=which).select_related("pack").first()
        if former is None or entry.status == Entry.Status.WITHDRAWN or entry.forgotten:
            raise Refusal(_("This player has no list to review."))
        if former.pk == entry.submission_id:
            raise Refusal(_("This is already the current list."))
        entry.change(submission=former)
        about = {"number": which, "reason": reason.strip()[:200]}
        judging.play_again(event, entry, by.role, now, library, "reinstated", **about)


def try_list(entry: Entry, document: ListDocument, library: Library) -> judging.BothVerdicts:
    """Return the verdicts on a list if it were submitted now; raises Refusal as `submit` does."""
    return _judged(entry, selectors.find_event(entry.event_id), document, library)[2]


def _judged(
    entry: Entry, event: Event, document: ListDocument, library: Library
) -> tuple[EventPack, ListDocument, judging.BothVerdicts]:
    picks = document.all_picks() if isinstance(document, ForceList) else document.units
    if not any(True for _pick in picks):
        raise Refusal(_("This list is empty."))
    pack, document = selectors.newest_pack(event), judging.by_event_books(document, event)
    playing = selectors.pack_of_entry(entry, pack)
    return pack, document, judging.verdicts_on(document, playing, library)


def _store(
    event: Event,
    entry: Entry,
    document: ListDocument,
    pack: EventPack,
    verdicts: judging.BothVerdicts,
    **about: Any,
) -> Submission:
    """Store a submission. Raises Refusal if an entry, or the whole event, would keep too much."""
    before = entry.submissions.aggregate(number=Count("pk"), size=Sum("size"))
    if before["number"] >= MOST_SUBMISSIONS:
        sentence = _("You can submit at most {most} times.")
        raise Refusal(sentence.format(most=MOST_SUBMISSIONS))
    # Of a list that is not legal more is found than it says itself.
    reports = {
        "game_report": dict(verdicts.game_report),
        "event_report": dict(verdicts.event_report),
    }
    size = len(canonical(document)) + len(canonical_json(reports))
    if (before["size"] or 0) + size > MOST_OF_ENTRY:
        raise Refusal(_("Long lists can’t be submitted this often. Ask the organisers."))
    take_room(event, size)
    count_bytes(size)
    salt = new_salt()
    made = Submission.objects.create(
        entry=entry,
        number=before["number"] + 1,
        document=document,
        salt=salt,
        size=size,
        commitment=judging.commitment_of(document, salt),
        list_hash=hash_of(document),
        engine=__version__,
        pack=pack,
        revisions=dict(verdicts.revisions),
        legal=verdicts.legal,
        needs=[*verdicts.needs, *(["late"] if about["late"] else [])],
        **reports,
        **about,
    )
    if isinstance(document, ArmyList):
        SubmissionBook.objects.bulk_create(
            SubmissionBook(submission=made, book_id=book, revision=revision)
            for book, revision in verdicts.revisions.items()
        )
    entry.change(submission=made, status=Entry.Status.ENTERED)
    return made
