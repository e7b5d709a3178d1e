"""Who may see what of a submitted list at which time: pages and files ask only `may_see`."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from armybuilder.events.clock import EventState


class Sight(IntEnum):
    """How much of a submission somebody may see.

    `VERDICT`, for the staff, is whether it is legal, with points and numbers of findings: no unit,
    and no sentence about one. `OPEN` is the open list, without what the whole list spends if that
    would tell what its hidden items cost.
    """

    NOTHING = 0
    VERDICT = 1
    OPEN = 2
    FULL = 3


class StaffRole(StrEnum):
    """Role of somebody among the staff of an event."""

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

    `shows_all`: the full lists are shown, else the open ones. `sealed`: nobody sees a list before,
    the staff neither. `staff_plays`: staff who have entered may see lists nevertheless; the
    event's page says so.
    """

    audience: Audience
    shows_all: bool
    sealed: bool
    staff_plays: bool


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who asks.

    The role among the staff, the keys of the `own` entries, the teams whose lists are not for these
    eyes, and whether somebody `plays` or has withdrawn. Somebody `leads` the team of that name, in
    small letters, as its captain; `met` are the entries of those they are paired with.
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
        """Whether this person may change the event."""
        return self.role in (StaffRole.OWNER, StaffRole.ORGANISER)

    @property
    def decides(self) -> bool:
        """Whether this person may accept and return lists."""
        return self.organises or self.role is StaffRole.CHECKER


@dataclass(frozen=True, slots=True)
class Seen:
    """Facts about a submission that decide who sees it; `counts`: it is the current list."""

    entry: int
    team: str = ""
    plays: bool = True
    counts: bool = True
    unsealed: bool = False


NOBODY = Person()


def may_see(person: Person, seen: Seen, rules: Rules, state: EventState) -> Sight:
    """Return how much of the submission the person may see while the event is at this state."""
    if seen.entry in person.own:
        return Sight.FULL
    if not seen.plays:
        return Sight.NOTHING
    if person.leads and person.plays and seen.team.casefold() == person.leads:
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
    own_team = bool(seen.team) and seen.team.casefold() in person.conflicts
    early = person.role is StaffRole.JUDGE and state is not EventState.LOCKED
    closed = rules.sealed and not seen.unsealed
    return Sight.VERDICT if plays or own_team or early or closed else Sight.FULL


def _is_audience(person: Person, seen: Seen, audience: Audience) -> bool:
    if audience is Audience.OPPONENTS:
        return person.is_entered and seen.entry in person.met
    return audience is Audience.PUBLIC or (audience is Audience.ENTRANTS and person.is_entered)
