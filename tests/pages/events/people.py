"""Browsers of people at an event, and the event's pages as each of them opens them."""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any, Self
from unittest.mock import patch

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.events.models import Event, Staff
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.texts.forms import FORMS
from tests.events.builders import NOW, legal_list, open_event, owner_of

PASSWORD = "a long pass phrase"  # noqa: S105  # of nobody
CLOCK = "armybuilder.pages.events.visits.arrival"


class People:
    """An event with its owner signed in; `get` and `post` act at the time `now`."""

    def __init__(self, **said: Any) -> None:
        self.now = NOW
        self.event = open_event(**said)
        olga = User.objects.filter(username="olga").first()
        user = olga or User.objects.create_user("olga", password=PASSWORD)
        Staff.objects.filter(pk=owner_of(self.event).pk).update(holder=user.holder)
        self.owner = Client()
        self.owner.login(username="olga", password=PASSWORD)

    @classmethod
    def and_anne(cls, **said: Any) -> tuple[Self, Client]:
        """An event, and Anne, who has entered."""
        people = cls(**said)
        return people, people.player("Anne")

    @classmethod
    def and_her_list(cls, document: ArmyList | None = None, **said: Any) -> tuple[Self, Client]:
        """The same, where Anne has submitted a list."""
        people, anne = cls.and_anne(**said)
        people.submit(anne, document)
        return people, anne

    @property
    def url(self) -> str:
        return f"/events/{self.event.pk}/"

    def get(self, who: Client, page: str = "", now: datetime | None = None) -> Any:
        with patch(CLOCK, return_value=now or self.now):
            return who.get(f"{self.url}{page}")

    def post(
        self, who: Client, page: str, now: datetime | None = None, **fields: Any
    ) -> HttpResponse:
        with patch(CLOCK, return_value=now or self.now):
            return who.post(f"{self.url}{page}", fields)

    def player(self, name: str, **said: Any) -> Client:
        """Somebody who has entered, and agrees that a captain reads the list."""
        who = Client()
        said = {"agrees": "on", **said}
        assert self.post(who, "enter/", name=name, **said).status_code == 302
        return who

    def submit(
        self, who: Client, document: ArmyList | None = None, now: datetime | None = None
    ) -> HttpResponse:
        text = json.dumps((document or legal_list()).to_dict()).encode()
        return self.post(who, "submit/", now, file=SimpleUploadedFile("list.json", text))

    def refreshed(self) -> Event:
        return Event.objects.get(pk=self.event.pk)


def held(holder: str) -> Client:
    client = Client()
    session = client.session
    session["holder"] = holder
    session.save()
    return client


def marked(word: str) -> ArmyList:
    """A legal list in whose names a word stands that is nowhere else."""
    found = legal_list(f"{word} list")
    units = tuple(replace(one, name=f"{word} unit") for one in found.units)
    return replace(found, units=units, notes=f"{word} notes")


def text_of(document: ArmyList) -> str:
    """A list as the site itself writes it."""
    sheet = Material(document, shipped_library(), NOW.date()).sheet
    return FORMS["lines"].draw(sheet)


def folded(answer: Any) -> str:
    return " ".join(answer.text.split())


def raven_cup(**rule: Any) -> str:
    """The text of the Raven Cup with one rule more."""
    pack = json.loads(json.dumps(shipped_library().packs["raven-cup"].data))
    head = {"id": "few", "kind": "limit", "code": "event.few", "cite": "9", "summary": "Few."}
    pack["rules"].append({**head, "count": "models", **rule})
    return json.dumps(pack)
