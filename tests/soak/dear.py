"""The dearest things that a visitor without an account can ask for."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from armybuilder.loading.documents import MAX_COST, catalogue_of, cost_of
from armybuilder.loading.library import shipped_library
from armybuilder.loading.limits import MAX_UNITS
from armybuilder.sheets.content.setup import KINDS
from tests.building.documents import army, skirmish, value_of
from tests.soak.clients import Answer, Browser, Player

#: How many requests an attacker has under way.
AT_ONCE = 4
Request = Callable[[Browser], Awaitable[Answer]]


def dearest_army() -> dict[str, Any]:
    """The army that costs as much as one list may."""
    document = value_of(army())
    once = cost_of(document, catalogue_of(document, shipped_library()))
    return army(min(MAX_UNITS, 15 * (MAX_COST // once)))


def longest_warband() -> dict[str, Any]:
    document = skirmish("sbh")
    units = document["units"]
    document["units"] = [{**units[n % len(units)], "id": f"u{n}"} for n in range(1, 501)]
    return document


def noted_warband() -> dict[str, Any]:
    """The same with notes on each unit, each of its own."""
    document = longest_warband()
    for number, unit in enumerate(document["units"]):
        unit["notes"] = f"{number}: hold the left flank until the third turn. " * 16
    return document


def _page(path: str, document: Callable[[], dict[str, Any]]) -> Callable[[Browser], Any]:
    async def prepare(browser: Browser) -> Request:
        player = Player(browser.port, browser.address)
        await player.start(json.dumps(document()).encode())
        browser.cookies = player.cookies
        player.close()
        return lambda other: other.get(player.page + path)

    return prepare


def _call(path: str, body: Callable[[], Any]) -> Callable[[Browser], Any]:
    async def prepare(_browser: Browser) -> Request:
        raw = json.dumps(body()).encode()
        headers = {"Content-Type": "application/json"}
        return lambda other: other.ask("POST", f"/api/v1/{path}/", raw, headers)

    return prepare


async def _paste(browser: Browser) -> Request:
    await browser.get("/lists/import/")
    text = "\n".join(f"{number} unheard of soldiers {number}" for number in range(9_900))
    return lambda other: other.post("/lists/paste/", {"text": text, "system": "t9a-2023"})


async def _first_page(_browser: Browser) -> Request:
    return lambda other: other.get("/")


_PREPARED: dict[str, Callable[[Browser], Any]] = {
    "builder of the dearest army": _page("", dearest_army),
    "builder of 500 units": _page("", longest_warband),
    "print of the dearest army": _page("print.pdf?kinds=full", dearest_army),
    "print of 500 units": _page("print.pdf?kinds=full", longest_warband),
    "sheet of 500 units with notes": _page("sheet.pdf", noted_warband),
    "prints of all kinds with notes": _page(f"print.pdf?kinds={','.join(KINDS)}", noted_warband),
    "text of 500 units with notes": _page("sheet.txt", noted_warband),
    "reasons for the dearest army": _page("why/", dearest_army),
    "fills of the dearest army": _page("fill/", dearest_army),
    "offers of the dearest army": _call("choices", dearest_army),
    "verdicts on the dearest army": _call("validate", dearest_army),
    "a batch": _call("batch", lambda: {"documents": [army()] * 200}),
    "a pasted text of 9,900 lines": _paste,
    "the first page": _first_page,
}
DEAREST = list(_PREPARED)


async def attack(
    browser: Browser, what: str
) -> Callable[[Counter[int]], Coroutine[Any, Any, None]]:
    """Prepare an attacker, who asks for the same thing again and again, on several connections;
    the statuses of the answers are counted.
    """
    request = await _PREPARED[what](browser)

    async def again(statuses: Counter[int]) -> None:
        other = Browser(browser.port, browser.address, browser.cookies)
        try:
            while True:
                statuses[(await request(other)).status] += 1
        finally:
            other.close()

    async def run(statuses: Counter[int]) -> None:
        await asyncio.gather(*(again(statuses) for _each in range(AT_ONCE)))

    return run
