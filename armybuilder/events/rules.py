"""Rules of an event: its states by the time, and who may see what of a submitted list.

All states follow from stored times, no job runs at a deadline. Pages and files ask only `may_see`.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum, StrEnum
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from armybuilder.engine.names import look_key
from armybuilder.loading.problems import Refusal


class EventState(StrEnum):
    """States of an event, in order; `CANCELLED` may follow any."""

    DRAFT = "draft"
    OPEN = "open"
    CORRECTING = "correcting"
    LOCKED = "locked"
    REVEALED = "revealed"
    OVER = "over"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class EventTimes:
    """Times of an event, each with its zone, in this order; raises Refusal if they are not."""

    frozen: datetime
    due: datetime
    corrected: datetime
    revealed: datetime
    over: datetime
    grace: timedelta = timedelta()

    def __post_init__(self) -> None:
        for (earlier, name), (later, next_name) in pairwise(time_names().items()):
            if getattr(self, later) < getattr(self, earlier):
                sentence = _("“{later}” must not come before “{earlier}”.")
                raise Refusal(sentence.format(later=next_name, earlier=name))


def time_names() -> dict[str, str]:
    """Return the names of the times on pages, in their order."""
    return {
        "frozen": _("Rules lock"),
        "due": _("List deadline"),
        "corrected": _("Correction deadline"),
        "revealed": _("Lists published"),
        "over": _("Event ends"),
    }


class Standing(StrEnum):
    """Decision of the organiser about an event besides its times."""

    DRAFT = "draft"
    PUBLISHED = "published"
    CANCELLED = "cancelled"


def state_at(times: EventTimes, standing: Standing, now: datetime) -> EventState:
    """Return the state of an event at a time."""
    if standing is not Standing.PUBLISHED:
        return EventState(standing.value)
    if now >= times.over:
        return EventState.OVER
    if now >= times.revealed:
        return EventState.REVEALED
    if now >= times.corrected:
        return EventState.LOCKED
    return EventState.CORRECTING if now > times.due + times.grace else EventState.OPEN


class Turn(NamedTuple):
    """The right of an entry to submit: `until` when, whether that is `late`; if not, why."""

    allowed: bool
    late: bool = False
    reason: str = ""
    until: datetime | None = None


def turn_at(
    times: EventTimes,
    standing: Standing,
    now: datetime,
    *,
    returned: bool = False,
    accepted: bool = False,
    extended: datetime | None = None,
    late_allowed: bool = False,
) -> Turn:
    """Return whether an entry may submit now: in time, more time given, `returned`, or late.

    A list that is `accepted` is replaced until the deadline only, or in more time that was given.
    """
    state = state_at(times, standing, now)
    if state is EventState.DRAFT:
        return Turn(False, reason=_("The event is not open yet."))
    if state is EventState.CANCELLED:
        return Turn(False, reason=_("The event is cancelled."))
    if now >= times.revealed:
        return Turn(False, reason=_("Lists are published, so none can be submitted any more."))
    ends = []
    if state is EventState.OPEN:
        ends.append(times.due if now <= times.due else times.due + times.grace)
    if returned and now < times.corrected:
        ends.append(times.corrected)
    if extended is not None and now <= extended:
        ends.append(extended)
    if ends:
        return Turn(True, until=max(ends))
    if accepted:
        return Turn(False, reason=_("Your list is accepted, and locked since the deadline."))
    if state is EventState.CORRECTING and late_allowed:
        return Turn(True, late=True, until=times.corrected)
    return Turn(False, reason=_("The deadline has passed. Ask the organisers for more time."))


class LocalTime(NamedTuple):
    """Moment typed as local time; `twice`: clocks show it twice, and the first is meant."""

    moment: datetime
    twice: bool = False


def read_local(text: str, zone: str) -> LocalTime:
    """Return the moment of a local time in a zone (IANA). Raises Refusal if there is none."""
    place = zone_of(zone)
    try:
        local = datetime.fromisoformat(text)
    except ValueError:
        local = None
    if local is None or local.tzinfo is not None or not 2000 <= local.year <= 2200:
        raise Refusal(_("“{text}” is not a date and time.").format(text=text[:40]))
    first, second = (local.replace(tzinfo=place, fold=fold) for fold in (0, 1))
    moment = first.astimezone(UTC)
    if moment.astimezone(place).replace(tzinfo=None) != local:
        sentence = _("Clocks in {zone} go forward that night, so {time} does not exist.")
        raise Refusal(sentence.format(zone=zone, time=f"{local:%H:%M}"))
    return LocalTime(moment, first.utcoffset() != second.utcoffset())


def say_local(when: datetime, zone: str) -> str:
    """Return a moment as clocks in a zone show it: "Fri 3 Apr 2026, 20:00 (Berlin time)".

    Where clocks go back and show it twice, the difference to UTC says which is meant.
    """
    local = when.astimezone(zone_of(zone))
    moment, place = date_format(local, _("D j M Y, H:i")), zone.rpartition("/")[2].replace("_", " ")
    if place == "UTC":
        return f"{moment} (UTC)"
    if local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset():
        place = f"{place}, UTC{local:%z}"
    return _("{moment} ({place} time)").format(moment=moment, place=place)


def time_left(until: datetime, now: datetime) -> str:
    """Return how long it is until then, as a bar has room for it: "3 d 4 h"."""
    minutes = max(0, int((until - now).total_seconds()) // 60)
    hours, days = minutes // 60, minutes // 1440
    if days:
        return _("{days} d {hours} h").format(days=days, hours=hours % 24)
    if hours:
        return _("{hours} h {minutes} min").format(hours=hours, minutes=minutes % 60)
    return _("{minutes} min").format(minutes=minutes)


@cache
def zone_names() -> frozenset[str]:
    """Return the IANA names of all time zones; to find them, hundreds of files are opened."""
    return frozenset(available_timezones())


def zone_of(name: str) -> ZoneInfo:
    """Return a zone by its IANA name. Raises Refusal for an unknown name."""
    if name not in zone_names():
        sentence = _("There is no time zone “{zone}”. Write it as Europe/Berlin or UTC.")
        raise Refusal(sentence.format(zone=name[:40]))
    return ZoneInfo(name)


class Sight(IntEnum):
    """The part of a submission that a person may see.

    `VERDICT`, for the staff, is whether it is legal, with points and numbers of findings: no unit,
    and no sentence about one. `OPEN` is the open list, without the points of the whole list if they
    would reveal the price of its hidden items.
    """

    NOTHING = 0
    VERDICT = 1
    OPEN = 2
    FULL = 3


class StaffRole(StrEnum):
    """Role of a person among the staff of an event."""

    OWNER = "owner"
    ORGANISER = "organiser"
    CHECKER = "checker"
    JUDGE = "judge"


class Audience(StrEnum):
    """To whom lists are shown once revealed; opponents are whom an entry was paired with."""

    STAFF = "staff"
    OPPONENTS = "opponents"
    ENTRANTS = "entrants"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Rules:
    """Visibility rules of an event.

    `shows_all`: full lists are published, otherwise open ones. `sealed`: nobody sees a list
    earlier, not even the staff. `staff_plays`: staff who play may see lists all the same; the
    event's page says so.
    """

    audience: Audience
    shows_all: bool
    sealed: bool
    staff_plays: bool

    def shows_more_than(self, other: "Rules") -> bool:
        """Return whether a person may see more of a list by these rules than by others."""
        order = list(Audience)
        wider = order.index(self.audience) > order.index(other.audience)
        more = (self.shows_all, self.staff_plays, other.sealed)
        less = (other.shows_all, other.staff_plays, self.sealed)
        return wider or any(now and not then for now, then in zip(more, less, strict=True))


@dataclass(frozen=True, slots=True)
class Person:
    """A person, as an event sees them.

    Role among the staff, keys of the `own` entries, teams whose lists they may not see, and whether
    they `plays` or have withdrawn. `leads` is the key of the team that they captain; `met` are the
    entries of their opponents.
    """

    role: StaffRole | None = None
    own: frozenset[int] = frozenset()
    conflicts: frozenset[str] = frozenset()
    plays: bool = True
    leads: str = ""
    met: frozenset[int] = frozenset()

    @property
    def is_entered(self) -> bool:
        return bool(self.own) and self.plays

    @property
    def organises(self) -> bool:
        """Return whether this person may change the event."""
        return self.role in (StaffRole.OWNER, StaffRole.ORGANISER)

    @property
    def decides(self) -> bool:
        """Return whether this person may accept and return lists."""
        return self.organises or self.role is StaffRole.CHECKER


@dataclass(frozen=True, slots=True)
class Seen:
    """Facts about a submission that decide who sees it; `counts`: it is the current list."""

    entry: int
    team: str = ""
    plays: bool = True
    counts: bool = True
    unsealed: bool = False


def may_see(person: Person, seen: Seen, rules: Rules, state: EventState) -> Sight:
    """Return how much of the submission the person may see while the event is at this state."""
    if seen.entry in person.own:
        return Sight.FULL
    if not seen.plays:
        return Sight.NOTHING
    if person.leads and person.plays and look_key(seen.team) == person.leads:
        return Sight.FULL
    if state in (EventState.REVEALED, EventState.OVER):
        if person.role is not None:
            return Sight.FULL
        if not _is_audience(person, seen, rules.audience) or not seen.counts:
            return Sight.NOTHING
        return Sight.FULL if rules.shows_all else Sight.OPEN
    if person.role is None:
        return Sight.NOTHING
    plays = person.is_entered and not rules.staff_plays
    own_team = bool(seen.team) and look_key(seen.team) in person.conflicts
    early = person.role is StaffRole.JUDGE and state is not EventState.LOCKED
    closed = rules.sealed and not seen.unsealed
    return Sight.VERDICT if plays or own_team or early or closed else Sight.FULL


def _is_audience(person: Person, seen: Seen, audience: Audience) -> bool:
    if audience is Audience.OPPONENTS:
        return person.is_entered and seen.entry in person.met
    return audience is Audience.PUBLIC or (audience is Audience.ENTRANTS and person.is_entered)
