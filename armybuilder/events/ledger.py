"""Writes of points besides the games: penalties and bonuses, by the ladder of an event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db.models import Sum
from django.utils.translation import gettext as _

from armybuilder.events.clock import State
from armybuilder.events.deciding import check_other
from armybuilder.events.log import locked, write_line
from armybuilder.events.models import Event, LedgerLine, Staff
from armybuilder.loading.problems import Refusal

#: Rungs of a ladder, letters of a reason, and points of one line either way.
MOST_RUNGS, MOST_WORDS, MOST_POINTS = 20, 80, 1_000


def read_ladder(text: str) -> dict[str, int]:
    """Return points by reason from lines such as "Late list: -3". Raises Refusal for others."""
    ladder: dict[str, int] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        reason, colon, points = line.rpartition(":")
        number = points.strip().replace("−", "-").removeprefix("+")
        digits = number.removeprefix("-")
        if not (colon and reason.strip() and digits.isascii() and digits.isdigit()):
            sentence = _("Write each as “Late list: -3”; “{line}” is not.")
            raise Refusal(sentence.format(line=line[:MOST_WORDS]))
        if len(digits) > 4 or abs(int(number)) > MOST_POINTS or len(reason) > MOST_WORDS:
            raise Refusal(_("“{line}” is too much.").format(line=line[:MOST_WORDS]))
        ladder[" ".join(reason.split())] = int(number)
    if len(ladder) > MOST_RUNGS:
        raise Refusal(_("A ladder has at most {most} rungs.").format(most=MOST_RUNGS))
    return ladder


def ladder_text(ladder: Mapping[str, int]) -> str:
    """Return the lines that `read_ladder` reads."""
    return "\n".join(f"{reason}: {points:+}" for reason, points in ladder.items())


def give_points(
    event_id: UUID, number: int, reason: str, key: UUID, by: Staff, now: datetime
) -> LedgerLine:
    """Give an entry the points that the ladder has for a reason.

    `key` names this one time: who sends it again, for lack of an answer, gives nothing twice.
    Raises Refusal for a reason that is not on the ladder, and before the event is open.
    """
    with locked(event_id) as event:
        known = LedgerLine.objects.filter(key=key, entry__event=event).first()
        if known is not None:
            return known
        if event.state(now) in (State.DRAFT, State.CANCELLED):
            raise Refusal(_("The event is not open yet."))
        if reason not in event.ladder:
            raise Refusal(_("This is not on the event’s ladder of penalties."))
        entry = event.entries.get(number=number)
        check_other(entry, by)
        points = event.ladder[reason]
        line = LedgerLine.objects.create(
            entry=entry, key=key, reason=reason, points=points, by=by.name, at=now
        )
        write_line(event, now, by.role, "points", number, points=points, why=reason)
        return line


def take_back(event_id: UUID, number: int, key: UUID, by: Staff, now: datetime) -> None:
    """Take back points that were given; the log tells of both."""
    with locked(event_id) as event:
        lines = LedgerLine.objects.filter(entry__event=event, entry__number=number, key=key)
        line = lines.select_related("entry").first()
        if line is not None and line.undone is None:
            check_other(line.entry, by)
            line.undone = now
            line.save(update_fields=["undone"])
            write_line(event, now, by.role, "taken-back", number, points=line.points)


def standing_of(event: Event) -> dict[int, int]:
    """Return the sums of all entries that have any, by their numbers."""
    lines = LedgerLine.objects.filter(entry__event=event, undone=None)
    return dict(lines.values_list("entry__number").annotate(all=Sum("points")))
