"""Worlds in which an event is played, by visitors whose requests go to the views at once.

No cookie, session or password is stored: what stands between a browser and a view knows nothing of
events. So a visit costs what its view and page do.
"""

import json
import re
from collections.abc import Iterator, Sequence, Set
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages
from django.contrib.messages.storage.session import SessionStorage
from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpResponse
from django.test import RequestFactory
from django.urls import resolve

from armybuilder.accounts.models import User
from armybuilder.certificates.making import check
from armybuilder.events.models import Entry, Event, Submission
from armybuilder.events.rules import Sight
from armybuilder.events.selectors import sight_of
from armybuilder.loading.documents import canonical
from armybuilder.loading.problems import Refusal
from armybuilder.packs.possible import possible_with
from tests.events.builders import NOW, OWNER, person
from tests.pages.events.test_walk import told_by

#: What is in the list that is another in each world, and written about it.
WORDS = (("Zilpzalpa", "Rohrdommel"), ("Wendehalsig", "Nachtreiher, der lange steht"))
_REQUESTS = RequestFactory()


def holder(name: str) -> str:
    return {"owner": OWNER, "nobody": ""}.get(name, f"holder-{name}")


class Visitor:
    """Somebody in a browser, who is signed in if they hold anything."""

    def __init__(self, name: str) -> None:
        self.session = SessionBase()
        self.user: User | AnonymousUser = AnonymousUser()
        if name != "nobody":
            self.session["holder"] = holder(name)
            self.user = User(pk=sum(name.encode()), username=name, holder=holder(name))

    def ask(self, path: str, fields: Any) -> str:
        """What a request is answered: status, place, messages, and all that is in the body."""
        request: Any
        if fields is None:
            request = _REQUESTS.get(path)
        elif path.startswith("/api/"):
            request = _REQUESTS.post(path, json.dumps(fields), "application/json")
        else:
            request = _REQUESTS.post(path, fields)
        request.session, request.user, request.htmx = self.session, self.user, False
        request._messages, request._dont_enforce_csrf_checks = SessionStorage(request), True
        found = request.resolver_match = resolve(request.path_info)
        try:
            answer = found.func(request, *found.args, **found.kwargs)
            if not getattr(answer, "is_rendered", True):
                answer.render()
        except Http404:
            answer = HttpResponse("no such page", status=404)
        except Refusal as refusal:
            answer = HttpResponse(f"{refusal.sentence} {refusal.problems}", status=422)
        body = told_by(answer) if answer.content else ""
        return " ".join(
            [
                f"{answer.status_code}",
                answer.get("Location", ""),
                *map(str, get_messages(request)),
                body,
            ]
        )


CERTIFICATE = re.compile(r"eyJ[\w-]+\.[\w-]+\.[\w-]+")
#: What may be random in each answer: keys, marks of readers, and the salted hashes of lists that
#: everybody reads.
_LONG = re.compile(r"whsec_[\w+/=]+|[\w-]{12,}")
_HASH = re.compile(r"[0-9a-f]{12}|[0-9a-f]{64}")
_NOISE = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[\w-]{43}|[A-Za-z0-9]{64}|whsec_.*|[av][0-9a-f]{12}"
)
#: Who was told what, without its noise.
Line = tuple[str, str]


@dataclass
class World:
    """An event with its people; `number` says which of the two lists is Anne's.

    `before`: what was told in the other world. What is otherwise here, or holds a secret, goes to
    `wrong` if whoever is told it may not see more of Anne's lists than verdicts.
    """

    number: int
    event_id: UUID
    before: Sequence[Line] = ()
    now: datetime = NOW
    visitors: dict[str, Visitor] = field(default_factory=dict)
    told: list[Line] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def event(self) -> Event:
        return Event.objects.get(pk=self.event_id)

    @property
    def url(self) -> str:
        return f"/events/{self.event_id}/"

    @property
    def api(self) -> str:
        return f"/api/v1/events/{self.event_id}/"

    def entry(self, number: int) -> Entry:
        return Entry.objects.get(event=self.event_id, number=number)

    def ask(self, who: str, path: str, fields: Any = None) -> None:
        if who not in self.visitors:
            self.visitors[who] = Visitor(who)
        self.tell(who, self.visitors[who].ask(path, fields))

    def tell(self, who: str, words: str) -> None:
        hashes = set[str]()

        def masked(found: re.Match[str]) -> str:
            if _HASH.fullmatch(word := found[0]):
                hashes.add(word)
            return "…" if word in hashes or _NOISE.fullmatch(word) else word

        words = CERTIFICATE.sub(_list_in, words)
        line = who, _LONG.sub(masked, words)
        before = self.before[len(self.told)] if len(self.told) < len(self.before) else line
        self.told.append(line)
        secret = self._secret_in(words, hashes)
        if (secret or line != before) and not self._may_see(who):
            there = words if secret else line[1]
            at = words.find(secret) if secret else _parting(line[1], before[1])
            self.wrong.append(f"{who} is told {there[max(0, at - 200) : at + 200]!r} {before[0]}")

    def _secret_in(self, words: str, hashes: Set[str]) -> str:
        """A word or hash that only one of the lists has; "" if there is none."""
        there = [one for pair in WORDS for word in pair if (one := word.split()[0]) in words]
        if hashes:
            kept = Submission.objects.filter(entry__event=self.event_id, entry__number=1)
            rows = kept.values_list("list_hash", "paper_hash", "salt")
            there += [one for row in rows for one in row if hashes & {one, one[:12]}]
        return next(iter(there), "")

    def _may_see(self, who: str) -> bool:
        event = Event.objects.filter(pk=self.event_id).first()
        if event is None:
            return False
        asking, entry = person(event, holder(who)), event.entries.get(number=1)
        return entry.pk in asking.own or any(
            sight_of(asking, event, entry, one, self.now) > Sight.VERDICT
            for one in entry.submissions.defer("document")
        )

    @contextmanager
    def lived_in(self) -> Iterator[None]:
        """Let it be this world's time; mails and calls are told to whom they go, at once."""

        def mail(subject: str, body: str, _sender: str, to: list[str]) -> None:
            self.tell(to[0].partition("@")[0], f"{subject} {body}")

        def call(_hook: int, _message: str, body: str) -> None:
            self.tell("webhook", body)

        with ExitStack() as patches:
            for place, instead in (
                ("django.utils.timezone.now", lambda: self.now),
                ("django.db.transaction.on_commit", lambda do, *_where: do()),
                ("armybuilder.events.notifications.send_mail", mail),
                ("armybuilder.events.webhooks.call", SimpleNamespace(enqueue=call)),
                ("armybuilder.pages.events.organise.possible_with", _possible),
                ("armybuilder.pages.packs.editor.possible_with", _possible),
            ):
                patches.enter_context(patch(place, instead))
            yield


def _parting(first: str, second: str) -> int:
    """Where two texts begin to differ."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))


def _list_in(found: re.Match[str]) -> str:
    """The list that is in a certificate, in place of it."""
    return canonical(check(found[0]).claims.army_list).decode()


_answers: dict[str, Any] = {}


def _possible(pack: Any, library: Any) -> Any:
    """Whether a pack leaves legal lists, solved once: nothing of any list is in it."""
    if pack.revision not in _answers:
        _answers[pack.revision] = possible_with(pack, library)
    return _answers[pack.revision]
