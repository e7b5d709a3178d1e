"""Events for tests: one that is open, with people who come and go, at times that a test says."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from armybuilder.events import entering, organising
from armybuilder.events.models import Entry, Event, Staff, Submission
from armybuilder.events.organising import EventDetails
from armybuilder.events.rules import Audience, EventTimes, Person, Rules, StaffRole, Standing
from armybuilder.events.selectors import entries_held, person_to, staff_of
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
TIMES = EventTimes(NOW + DAY, NOW + 2 * DAY, NOW + 4 * DAY, NOW + 6 * DAY, NOW + 8 * DAY)
RULES = Rules(Audience.ENTRANTS, shows_all=False, sealed=False, staff_plays=False)
ABOUT = EventDetails("Raven Cup", "A day of it.", "The mill", "Europe/Berlin", TIMES, RULES)
OWNER = "owner" * 8


def open_event(pack: str | Pack = "raven-cup", **said: Any) -> Event:
    """An event of this pack that takes entries; `said`: what its details say, or its rules."""
    event = draft_event(OWNER, pack, **said)
    return organising.set_standing(event.pk, Standing.PUBLISHED, StaffRole.OWNER, NOW)


def draft_event(holder: str, pack: str | Pack = "raven-cup", **said: Any) -> Event:
    """The same in draft, of this owner."""
    rules = {key: said.pop(key) for key in list(said) if hasattr(RULES, key)}
    about = replace(ABOUT, **said, rules=replace(RULES, **rules))
    chosen = shipped_library().packs[pack] if isinstance(pack, str) else pack
    return organising.create_event(holder, "Olga", about, chosen, NOW)


def entered(event: Event, name: str = "Anne", team: str = "", email: str = "") -> Entry:
    """Somebody who has entered, held by the name."""
    about = (f"holder-{name}", name, email, team, NOW, shipped_library())
    return entering.enter(event.pk, *about, agrees=True)


def legal_list(name: str = "Ravens") -> ArmyList:
    """A list that the Raven Cup takes."""
    return replace(_example("sbh"), name=name)


def _example(system: str) -> ArmyList:
    return shipped_examples().by_system[system][0].document


def submitted(
    event: Event, entry: Entry, document: ArmyList | None = None, now: datetime = NOW
) -> Submission:
    """A list that the entry has submitted at that time."""
    chosen = document or legal_list()
    return entering.submit(event.pk, entry.number, chosen, "list", shipped_library(), now)


def helper(event: Event, role: StaffRole, name: str, *conflicts: str) -> Staff:
    """Somebody of the staff, held by the name."""
    made = organising.invite(event.pk, role, name, conflicts, StaffRole.OWNER, NOW)
    return organising.join(event.pk, made.secret, f"holder-{name}", NOW)


def person(event: Event, holder: str) -> Person:
    """Who somebody is to the event."""
    return person_to(event, staff_of(event, holder), entries_held(event, holder))


def owner_of(event: Event) -> Staff:
    """The event's owner."""
    return Staff.objects.get(event=event, role=StaffRole.OWNER)


def with_a_list(**said: Any) -> tuple[Event, Entry]:
    """An open event with one entry, which has submitted a legal list."""
    event = open_event(**said)
    entry = entered(event)
    submitted(event, entry)
    entry.refresh_from_db()
    return event, entry
