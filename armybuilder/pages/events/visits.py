"""Visits to an event: who opens a page and when, asked once for each request, and who may."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, wraps
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.accounts.holders import holder_of
from armybuilder.engine.names import look_key
from armybuilder.events.models import Entry, Event, Staff
from armybuilder.events.rules import EventState, Person, Sight, StaffRole
from armybuilder.events.selectors import (
    entries_held,
    find_entry,
    find_event,
    person_to,
    sight_of,
    staff_of,
)
from armybuilder.loading.library import shipped_library
from armybuilder.pages.answers import private, whole_number

#: Digits of numbers and keys in addresses and forms.
KEY = 9


@dataclass(frozen=True)
class EventVisit:
    """Request to an event: who asks, and when it came."""

    event: Event
    holder: str
    now: datetime

    @cached_property
    def entries(self) -> list[Entry]:
        """The visitor's own entries, one for each list that a player hands in."""
        return entries_held(self.event, self.holder)

    @property
    def entry(self) -> Entry | None:
        """The entry of the first list."""
        return self.entries[0] if self.entries else None

    @cached_property
    def staff(self) -> Staff | None:
        return staff_of(self.event, self.holder)

    @property
    def helper(self) -> Staff:
        """The same; raises Http404 for others."""
        if self.staff is None:
            raise Http404("no such page")
        return self.staff

    @property
    def role(self) -> StaffRole:
        return StaffRole(self.helper.role)

    @cached_property
    def person(self) -> Person:
        return person_to(self.event, self.staff, self.entries)

    @cached_property
    def state(self) -> EventState:
        return self.event.state(self.now)

    @property
    def reveals(self) -> bool:
        return self.state in (EventState.REVEALED, EventState.OVER)

    @property
    def context(self) -> dict[str, Any]:
        return {
            "event": self.event,
            "person": self.person,
            "own": self.entry,
            "state": self.state.value,
            "now": self.now,
        }

    def sight(self, entry: Entry) -> Sight:
        """Return how much of the entry's current list the visitor may see."""
        if entry.submission is None:
            return Sight.NOTHING
        return sight_of(self.person, self.event, entry, entry.submission, self.now)


def arrival() -> datetime:
    """Return when the request came: asked before anything is read, locked or judged."""
    return timezone.now()


View = Callable[..., HttpResponse]
#: Permissions that a page may require.
READ, WRITE, FORM = ("GET", "HEAD"), ("POST",), ("GET", "HEAD", "POST")


def is_staff(person: Person) -> bool:
    """Return whether a person decides about lists or judges."""
    return person.role is not None


def organises(person: Person) -> bool:
    return person.organises


def owns(person: Person) -> bool:
    return person.role is StaffRole.OWNER


def visited(
    methods: Sequence[str], may: Callable[[Person], bool] = lambda person: True
) -> Callable[[View], View]:
    """Give a view the visit, if the visitor `may` see the page; nothing is cached.

    For others there is no such page. An event in draft exists for its staff only.
    """

    def decorator(view: View) -> View:
        allowed = require_http_methods(methods)(view)

        @never_cache
        @wraps(view)
        def wrapped(request: HttpRequest, event_id: UUID, **more: Any) -> HttpResponse:
            visit = EventVisit(find_event(event_id), holder_of(request), arrival())
            if visit.state is EventState.DRAFT and visit.person.role is None:
                raise Http404("no such event")
            if not may(visit.person):
                raise Http404("no such page")
            return private(allowed(request, visit, **more))

        return wrapped

    return decorator


def hands_in(visit: EventVisit, entry: Entry) -> bool:
    """Return whether the visitor hands in lists of an entry: the own, or of the captain's team."""
    if entry.pk in visit.person.own:
        return True
    leads, plays = visit.person.leads, entry.status != Entry.Status.WITHDRAWN
    return bool(leads) and look_key(entry.team) == leads and plays


def handed_in_by(visit: EventVisit, number: int) -> Entry:
    """Return an entry for which the visitor hands in lists. Raises Http404 for any other."""
    entry = find_entry(visit.event, number)
    if not hands_in(visit, entry):
        raise Http404("nobody of this visitor's team")
    return entry


class EventGame(NamedTuple):
    """The game of an event: its name, where to start lists for it, and its `files`."""

    name: str
    new_list: str
    files: str = ""


def game_of(event: Event) -> EventGame:
    """Return the game of an event, of our own books or by files."""
    if event.game is not None:
        address = reverse("new-forces", args=[event.game_id])
        game = event.game
        dated = date_format(game.dated) if game.dated else ""
        revision = _("Uses the community’s files, revision {number}.").format(number=game.revision)
        if dated:
            revision = _("Uses the community’s files of {day}, revision {number}.").format(
                day=dated, number=game.revision
            )
        return EventGame(game.name, f"{address}?event={event.pk}", revision)
    system = shipped_library().systems.get(event.system)
    if system is None:  # its files are gone, or this site has the game no longer
        return EventGame(event.system, reverse("event", args=[event.pk]))
    address = reverse("new-list", args=[event.system])
    return EventGame(system.name, f"{address}?event={event.pk}")


def event_address(request: HttpRequest, event: Event) -> str:
    return request.build_absolute_uri(reverse("event", args=[event.pk]))


def page_number(request: HttpRequest, digits: int = KEY) -> int:
    return whole_number(request.GET.get("page", ""), digits) or 1
