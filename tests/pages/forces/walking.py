"""A walk over the builder's page: what its forms offer is pressed at random, as a browser would."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import lxml.html
from django.test import Client


class Press(NamedTuple):
    """A button that can be pressed, with the fields of its form."""

    address: str
    fields: dict[str, str]

    @property
    def act(self) -> str:
        """The act that it asks for, without what it is of."""
        if "add" in self.fields:
            return "add"
        return self.fields.get("act", "").partition(":")[0]


class Walk:
    """A walk over the page of one list; `statuses` and `seconds` are those of the answers."""

    def __init__(self, client: Client, address: str, random: Random) -> None:
        self.client = client
        self.address = address
        self.random = random
        self.statuses: list[int] = []
        self.seconds: list[tuple[str, float]] = []
        self.page = self._get(address)

    def _get(self, address: str) -> Any:
        begun = time.process_time()
        answer = self.client.get(address, follow=True)
        self.statuses.append(answer.status_code)
        self.seconds.append(("page", time.process_time() - begun))
        return lxml.html.fromstring(answer.content)

    def presses(self) -> list[Press]:
        """Return all that can be pressed on the page."""
        return [press for form in self.page.iter("form") for press in self._of(form)]

    def _of(self, form: Any) -> Iterator[Press]:
        if form.get("method") != "post" or "/forces/act/" not in form.get("action", ""):
            return
        fields: dict[str, str] = {}
        for field in form.iter("input", "select", "textarea"):
            name, kind = field.get("name"), field.get("type")
            if not name or (kind in ("radio", "checkbox") and field.get("checked") is None):
                continue
            fields[name] = self._value(field)
        for button in form.iter("button"):
            live = button.get("disabled") is None and button.get("aria-disabled") != "true"
            if live and button.get("type") != "button":
                name = button.get("name")
                more = {name: button.get("value")} if name else {}
                yield Press(form.get("action"), {**fields, **more})

    def _value(self, field: Any) -> str:
        if field.tag == "select":
            return str(self.random.choice([one.get("value") for one in field.iter("option")]))
        if field.tag == "textarea":
            return str(field.text or "")
        value = str(field.get("value", ""))
        if field.get("type") == "number" and self.random.random() < 0.5:
            return str(self.random.randint(0, 12))
        return value

    def press(self, press: Press, by_script: bool = False) -> int:
        """Press a button; by script the page is asked for again afterwards."""
        begun = time.process_time()
        more = {"HX-Request": "true"} if by_script else {}
        answer = self.client.post(press.address, press.fields, headers=more)
        self.seconds.append((press.act, time.process_time() - begun))
        self.statuses.append(answer.status_code)
        if answer.status_code == 302:
            self.page = self._get(answer["Location"])
        elif answer.status_code != 200 or by_script:
            self.page = self._get(self.address)
        return int(answer.status_code)

    def step(self) -> Press:
        """Press something, or open a unit; return what was pressed."""
        units = self.page.xpath("//a[contains(@class, 'unit-line')]/@href")
        if units and self.random.random() < 0.3:
            self.page = self._get(self.random.choice(units))
        presses = self.presses()
        acts = sorted({press.act for press in presses})
        weights = [
            {"remove": 0.3, "undo": 0.5, "add-force": 0.2, "add": 3}.get(act, 1) for act in acts
        ]
        act = self.random.choices(acts, weights)[0]
        press = self.random.choice([press for press in presses if press.act == act])
        self.press(press, by_script=self.random.random() < 0.3)
        return press

    @property
    def path(self) -> str:
        """The path of the list's page."""
        return urlsplit(self.address).path
