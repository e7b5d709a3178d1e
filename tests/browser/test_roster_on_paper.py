"""The roster page on paper: a browser prints all columns of every unit's statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page

from armybuilder.engine.options import Offer
from armybuilder.engine.units import Unit
from armybuilder.loading.library import shipped_library
from tests.pages.test_pages import upload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: A4 between margins of 1 cm, in CSS pixels; the narrower Letter is wider than that.
WIDTH = 718
#: The longest names of units and of what they ride, and the most stat lines of one unit.
BOOKS = ("daemon-legions", "dwarven-holds", "vermin-swarm", "warriors-of-the-dark-gods")
CUT_OFF = """() => [...document.querySelectorAll(".scroll")]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => `${one.getAttribute("aria-label")} ${one.scrollWidth} > ${one.clientWidth}`)"""


def mounts(unit: Unit) -> Iterator[tuple[str, ...]]:
    """The paths of the options that bring stat lines."""

    def walk(offer: Offer, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for option_id, slots in offer.slots.items():
            here = (*path, option_id)
            if slots[0].option.profiles:
                yield here
            yield from walk(slots[0].option.offer, here)

    return walk(unit.offer, ())


def entries(book: str) -> Iterator[dict[str, Any]]:
    """Every unit of a book as it comes, and with each mount."""
    catalogue = shipped_library().catalogue("t9a-2023", [book])
    for unit in catalogue.units.values():
        for path in ((), *mounts(unit)):
            entry: dict[str, Any] = {"unit": unit.ref, "models": 1}
            holder = entry
            for part in path:
                holder["options"] = [{"id": part}]
                (holder,) = holder["options"]
            yield entry


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_every_statistic_is_on_paper(
    open_page: Callable[..., Page], live_server: Any, book: str
) -> None:
    client = Client()
    units = [{**entry, "id": f"u{number}"} for number, entry in enumerate(entries(book))][:400]
    place = upload(
        client,
        {
            "format": "armylist/1",
            "system": "t9a-2023",
            "books": [{"id": book}],
            "name": "All",
            "limit": 4500,
            "units": units,
        },
    )
    page = open_page(size={"width": WIDTH, "height": 1000})
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page.emulate_media(media="print")
    page.goto(f"{place}sheet/")
    assert page.locator(".army-unit").count() == len(units)
    assert page.evaluate(CUT_OFF) == []
