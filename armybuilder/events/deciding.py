"""Writes of those who check lists: accept, return, break a seal; points besides the games."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Sum
from django.utils.translation import gettext as _

from armybuilder.engine.names import look_key
from armybuilder.events.log import locked, write_line
from armybuilder.events.models import Decision, Entry, Event, LedgerLine, Staff, Submission
from armybuilder.events.rules import EventState, Rules, Sight
from armybuilder.events.selectors import helper_to, sight_of
from armybuilder.events.unchecked import checks_of, needs_of, tick
from armybuilder.events.webhooks import tell
from armybuilder.loading.problems import Refusal

#: Letters of a text to a player, or for the staff.
MOST_WORDS = 8_000
What = Decision.What


def decide(
    event_id: UUID,
    number: int,
    seen: int,
    what: Decision.What,
    by: Staff,
    now: datetime,
    to_player: str = "",
    for_staff: str = "",
    judged: str = "",
    checked: Collection[str] = (),
    for_book: bool = False,
) -> Decision:
    """Accept or return the current submission of an entry.

    `checked` are the marks of restrictions that `by` has checked, for this list or also `for_book`.
    `seen` is the number of the submission that was looked at, `judged` the mark of its verdict
    then, if known. Raises Refusal if either has changed, a return has no reason for the player, or
    the event is over.
    """
    with locked(event_id) as event:
        entry, submission = _find_submission(event, number, seen, by, now)
        if judged and judged != submission.judged:
            raise Refusal(_("This list was rechecked after you opened it. Review it again."))
        if what is What.RETURNED and not to_player.strip():
            raise Refusal(_("Tell the player why the list is returned."))
        entry.change(status=what.value)
        ticked = tick(event, submission, checked, by.name if for_book else "", now)
        return _store(event, entry, submission, what, by, now, to_player, for_staff, ticked)


def accept_clean(event_id: UUID, seen: Iterable[tuple[int, int]], by: Staff, now: datetime) -> int:
    """Accept the entries, `seen` with these submissions, that need no review; count them."""
    wanted = dict(seen)
    with locked(event_id) as event:
        check_open(event, now)
        entries = event.entries.filter(number__in=wanted, status=Entry.Status.ENTERED)
        checks, person = checks_of(event), helper_to(event, by)
        done = 0
        for entry in entries.exclude(submission=None).select_related("submission"):
            submission = entry.submission
            if submission is None or _is_own(entry, by) or _is_in_conflict(entry, by):
                continue
            whole = sight_of(person, event, entry, submission, now) is Sight.FULL
            if needs_of(submission, checks if whole else {}):
                continue
            if submission.number == wanted[entry.number]:
                entry.change(status=Entry.Status.ACCEPTED)
                _store(event, entry, submission, What.ACCEPTED, by, now)
                done += 1
        return done


def unseal(
    event_id: UUID, number: int, seen: int, by: Staff, now: datetime, reason: str
) -> Decision:
    """Open one sealed list to the staff, for a reason that its player reads."""
    with locked(event_id) as event:
        if not reason.strip():
            raise Refusal(_("Give a reason; the player will see it."))
        entry, _submission = _find_submission(event, number, seen, by, now)
        return break_seal(event, entry, by, now, reason, opened=True)


def check_promise(event: Event, by: Staff, reason: str, rules: Rules, sentence: str = "") -> None:
    """Raise Refusal unless a promise to players, made by these rules, may be broken.

    That requires a reason, which they read, otherwise `sentence` is the refusal; and a person who
    doesn't play, unless the rules said that staff who play see lists.
    """
    if not reason.strip():
        wider = _("This shows submitted lists to more people. Give a reason; players will see it.")
        raise Refusal(sentence or wider)
    playing = event.entries.exclude(status=Entry.Status.WITHDRAWN).filter(holder=by.holder)
    if by.holder and not rules.staff_plays and playing.exists():
        raise Refusal(_("You play at this event, so another member of staff must decide this."))


def widen(event: Event, entry: Entry, by: Staff, now: datetime, reason: str) -> Decision:
    """Tell a player, at their list, that more people see it than were promised."""
    if entry.submission is None:
        raise Refusal(_("This player has no list to review."))
    return _store(event, entry, entry.submission, What.WIDENED, by, now, reason)


def break_seal(
    event: Event, entry: Entry, by: Staff, now: datetime, reason: str, opened: bool
) -> Decision:
    """Break the seal of an entry's current list: `opened` now, or shown sooner than announced."""
    submission = entry.submission
    if submission is None:
        raise Refusal(_("This player has no list to review."))
    if opened:
        Submission.objects.filter(pk=submission.pk).update(unsealed=True)
    return _store(event, entry, submission, What.UNSEALED, by, now, reason)


def check_other(entry: Entry, by: Staff, own: str, team: str = "") -> None:
    """Raise Refusal if the entry is the helper's, or of a team in their conflicts.

    `own` and `team` are the sentences for each.
    """
    if _is_own(entry, by):
        raise Refusal(own)
    if _is_in_conflict(entry, by):
        raise Refusal(team or _("Another member of staff must decide this for this team."))


def _is_own(entry: Entry, by: Staff) -> bool:
    return bool(by.holder) and by.holder == entry.holder


def _is_in_conflict(entry: Entry, by: Staff) -> bool:
    return bool(entry.team) and look_key(entry.team) in map(look_key, by.conflicts)


def _find_submission(
    event: Event, number: int, seen: int, by: Staff, now: datetime
) -> tuple[Entry, Submission]:
    check_open(event, now)
    entry = event.entries.select_related("submission").get(number=number)
    own, team = _("You can’t review your own list."), _("You can’t review lists of this team.")
    check_other(entry, by, own, team)
    if entry.submission is None or entry.status == Entry.Status.WITHDRAWN:
        raise Refusal(_("This player has no list to review."))
    if entry.submission.number != seen:
        raise Refusal(
            _("Another list was submitted since you opened this one. Review the new list first.")
        )
    return entry, entry.submission


def check_open(event: Event, now: datetime) -> None:
    """Raise Refusal if nothing is decided about lists now."""
    if event.state(now) in (EventState.DRAFT, EventState.CANCELLED, EventState.OVER):
        raise Refusal(_("Lists can’t be reviewed right now."))


def _store(
    event: Event,
    entry: Entry,
    submission: Submission,
    what: Decision.What,
    by: Staff,
    now: datetime,
    to_player: str = "",
    for_staff: str = "",
    checked: Sequence[Sequence[str]] = (),
) -> Decision:
    decision = Decision.objects.create(
        submission=submission,
        what=what,
        by=by.name,
        to_player=to_player.strip()[:MOST_WORDS],
        for_staff=for_staff.strip()[:MOST_WORDS],
        checked=list(checked),
    )
    number, kind = submission.number, what.value
    write_line(event, now, by.role, kind, entry.number, number=number)
    data = {"entry": entry.number, "submission": number, "decision": kind}
    tell(event, "submission.decided", now, **data)
    return decision


#: Rungs of a ladder, letters of a reason, and points of one line either way.
MOST_RUNGS, MOST_REASON, MOST_POINTS = 20, 80, 1_000


def read_ladder(text: str) -> dict[str, int]:
    """Return points by reason from lines such as "Late list: -3". Raises Refusal for others."""
    ladder: dict[str, int] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        reason, colon, points = line.rpartition(":")
        number = points.strip().replace("−", "-").removeprefix("+")
        digits = number.removeprefix("-")
        if not (colon and reason.strip() and digits.isascii() and digits.isdigit()):
            sentence = _("Write each like “Late list: -3”, not “{line}”.")
            raise Refusal(sentence.format(line=line[:MOST_REASON]))
        if len(digits) > 4 or abs(int(number)) > MOST_POINTS or len(reason) > MOST_REASON:
            raise Refusal(_("“{line}” is too long or too large.").format(line=line[:MOST_REASON]))
        ladder[" ".join(reason.split())] = int(number)
    if len(ladder) > MOST_RUNGS:
        raise Refusal(_("Define at most {most} penalties and bonuses.").format(most=MOST_RUNGS))
    return ladder


def ladder_text(ladder: Mapping[str, int]) -> str:
    """Return the lines that `read_ladder` reads."""
    return "\n".join(f"{reason}: {points:+}" for reason, points in ladder.items())


def give_points(
    event_id: UUID, number: int, reason: str, key: UUID, by: Staff, now: datetime
) -> LedgerLine:
    """Give an entry the ladder's points for a reason; `key`: once, however often it is sent."""
    with locked(event_id) as event:
        known = LedgerLine.objects.filter(key=key, entry__event=event).first()
        if known is not None:
            return known
        if event.state(now) in (EventState.DRAFT, EventState.CANCELLED):
            raise Refusal(_("The event is not open yet."))
        if reason not in event.ladder:
            raise Refusal(_("This event doesn’t define that penalty."))
        entry = event.entries.get(number=number)
        check_other(entry, by, _("You can’t give yourself points."))
        points = event.ladder[reason]
        line = LedgerLine.objects.create(
            entry=entry, key=key, reason=reason, points=points, by=by.name, at=now
        )
        write_line(event, now, by.role, "points", number, points=points, why=reason)
        return line


def take_back(event_id: UUID, number: int, key: UUID, by: Staff, now: datetime) -> None:
    """Take back points that were given; the log has both."""
    with locked(event_id) as event:
        lines = LedgerLine.objects.filter(entry__event=event, entry__number=number, key=key)
        line = lines.select_related("entry").first()
        if line is not None and line.undone is None:
            check_other(line.entry, by, _("You can’t take back your own points."))
            line.change(undone=now)
            write_line(event, now, by.role, "taken-back", number, points=line.points)


def standing_of(event: Event) -> dict[int, int]:
    """Return the sums of all entries that have any, by their numbers."""
    lines = LedgerLine.objects.filter(entry__event=event, undone=None)
    return dict(lines.values_list("entry__number").annotate(all=Sum("points")))
