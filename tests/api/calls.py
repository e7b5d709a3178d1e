"""A program that calls the API, for tests."""

import json
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from armybuilder.accounts.models import User
from armybuilder.accounts.tokens import make_token
from armybuilder.events.entering import enter, submit
from armybuilder.events.models import Event
from armybuilder.events.organising import EventDetails, create_event, set_standing
from armybuilder.events.rules import Audience, EventTimes, Rules, StaffRole, Standing
from armybuilder.loading.documents import read_document
from armybuilder.loading.library import shipped_library

#: Ten warriors for 300 points, not a point too many.
DOCUMENT: dict[str, Any] = {
    "format": "armylist/1",
    "system": "sbh",
    "books": [{"id": "profiles"}],
    "name": "Ten men",
    "limit": 300,
    "units": [{"id": "u1", "unit": "profiles/human-warrior", "models": 10}],
}
#: A book of a player's own.
OWN_BOOK: dict[str, Any] = {
    "format": "book/1",
    "id": "own-0123456789abcdef",
    "system": "sbh",
    "name": "Mill guard",
    "about": "Who keeps the mill.",
    "kind": "own",
    "source": {"title": "Made by a player"},
    "units": [
        {
            "id": "miller",
            "name": "Miller",
            "points": 30,
            "stats": {"quality": 3, "combat": 3},
            "group": "Humans",
        }
    ],
}


def make_user(name: str = "ann") -> User:
    return User.objects.create_user(name, f"{name}@example.org", "a long password")


class Caller:
    """Calls with a user's token, or as nobody. `start` is what all addresses begin with."""

    start = "/api/v1"

    def __init__(self, user: User | None = None) -> None:
        self.user = user
        self.client = Client(raise_request_exception=False)
        self.headers = {}
        if user is not None:
            self.headers["Authorization"] = f"Bearer {make_token(user, 'test')[1]}"

    def __call__(self, method: str, address: str, body: Any = None, **headers: str) -> Any:
        """Return the answer. A body that is no bytes is sent as JSON; headers are like If_Match."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        kind = named.pop("Content-Type", "application/json")
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        data = {} if body is None else {"data": content, "content_type": kind}
        call = getattr(self.client, method)
        return call(self.start + address, **data, headers={**self.headers, **named})

    def store(self, **changed: Any) -> Any:
        """Store the example's document as a list."""
        answer = self("post", "/lists/", {**DOCUMENT, **changed})
        assert answer.status_code == 201, answer.content
        return answer


def an_event(owner: Caller) -> Event:
    """Return an event that takes entries now, which this caller organises and plays in.

    Another has entered as number 2 and submitted a list.
    """
    assert owner.user is not None
    now, library = timezone.now(), shipped_library()
    days = [now + timedelta(days=number) for number in range(1, 6)]
    rules = Rules(Audience.PUBLIC, shows_all=False, sealed=False, staff_plays=False)
    about = EventDetails("Raven Cup", "", "", "UTC", EventTimes(*days), rules)
    holder = owner.user.holder
    event = create_event(holder, "Ann", about, library.packs["raven-cup"], now)
    set_standing(event.pk, Standing.PUBLISHED, StaffRole.OWNER, now)
    for number, one in enumerate((holder, f"other-{event.pk}"), 1):
        enter(event.pk, one, f"Player {number}", "", "", now, library)
    submit(event.pk, 2, read_document(json.dumps(DOCUMENT).encode(), "list"), "list", library, now)
    return event
