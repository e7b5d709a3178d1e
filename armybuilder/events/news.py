"""News of an event: changes in sentences for players, on its page and in mails."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q, Subquery
from django.utils.translation import gettext as _

from armybuilder.events.models import Entry, Event, LogLine
from armybuilder.events.rules import say_local, time_names

#: How long news stays on an event's page, and how many of them.
NEWS_KEPT, MOST_NEWS = timedelta(days=14), 5
#: Who acts, as the log says it: players, the waiting list, the time that has come.
PLAYER, WAITING_LIST, CLOCK = "player", "waiting list", "clock"
#: Acts that all players hear of, and those that one does.
TO_ALL = ("changed", "cancelled", "published", "revealed")
TO_ONE = ("extended", "points", "taken-back", "withdrawn", "captain", "reinstated")


class News(NamedTuple):
    """Sentences of news about one time (`at`)."""

    at: datetime
    sentences: list[str]


def news_of(event: Event, entries: Iterable[Entry], now: datetime) -> list[News]:
    """Return the latest news for the player of these entries, the latest first."""
    own = list(entries)
    concerns = Q(act__in=TO_ALL) | Q(act__in=TO_ONE, entry__in=[one.number for one in own])
    entered = event.log.filter(act="entered", entry=min(one.number for one in own))
    first = Subquery(entered.order_by("sequence").values("sequence")[:1])
    lines = event.log.filter(concerns, at__gt=now - NEWS_KEPT, sequence__gt=first)
    lines = lines.exclude(act="withdrawn", actor=PLAYER)
    told = (News(line.at, sentences(line, event)) for line in lines.order_by("-sequence")[:50])
    return [one for one in told if one.sentences][:MOST_NEWS]


def sentences(line: LogLine, event: Event) -> list[str]:
    """Return a line's sentences for players, one for each change; none without news for them."""
    if line.act == "changed":
        return list(_new_times(line, event))
    until = line.data.get("until", "")
    words = {
        "cancelled": _("The event is cancelled."),
        "published": _("The event takes place."),
        "revealed": _("The lists are published."),
        "extended": _("You have more time for your list: until {until}."),
        "points": _("You were given {points} points: {why}."),
        "taken-back": _("{points} points that you were given were taken back."),
        "withdrawn": _("You were withdrawn from the event."),
        "captain": _("You are now the captain of your team."),
        "reinstated": _("Your list {number} is current again."),
    }
    if line.act not in words:
        return []
    values = {"points": "", "why": "", "number": "", **line.data}
    values["until"] = say_local(datetime.fromisoformat(until), event.zone) if until else ""
    if line.act in ("points", "taken-back"):
        values["points"] = f"{line.data['points']:+}"
    return [words[line.act].format_map(values)]


def _new_times(line: LogLine, event: Event) -> Iterator[str]:
    """Yield the changed times of the event, and whether it takes late lists."""
    names = {f"{name}_at": said for name, said in time_names().items()}
    names["starts_at"] = _("Play begins")
    values = line.data.get("values", {})
    for key, name in names.items():
        before, after = values.get(key, ("", ""))
        if before != after:
            was, now = (
                say_local(datetime.fromisoformat(one), event.zone) if one else _("not set")
                for one in (before, after)
            )
            yield _("{name}: {now}. Before: {was}.").format(name=name, now=now, was=was)
    if "grace_seconds" in values:
        was, now = (_("{number} min").format(number=one // 60) for one in values["grace_seconds"])
        name = _("Grace period after the list deadline")
        yield _("{name}: {now}. Before: {was}.").format(name=name, now=now, was=was)
    if "late_allowed" in values:
        yield (
            _("Late lists are accepted now, until the correction deadline, marked as late.")
            if values["late_allowed"][1]
            else _("Late lists are no longer accepted.")
        )
