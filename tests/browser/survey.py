"""A walk through pages on a desk or on a phone, which notes what the tests ask about.

Axe looks at pages on a desk with all they can unfold and, where there is time (`tests/effort.py`),
again at the main ones, on a desk in the dark and on a phone as they are. (The gallery shows
every component in the dark, and a test of the colours holds their contrasts.)
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, Response, Route

from tests.browser.pages import Shown
from tests.browser.seeds import Seeds
from tests.effort import THOROUGH

DESK = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True}
DEVICES: dict[str, dict[str, Any]] = {"desk": DESK, "phone": PHONE}
LOOKING = Path(__file__).with_name("looking.js")

#: Every script but the one that a page waits for.
_DEFERRED = re.compile(r"/(?!js\.js)[^/]+\.js$")

#: To look into stylesheets that are imported, axe would write styles into the page.
_EVERYTHING: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
#: Colours change in the dark, nothing else does.
_COLOURS = {**_EVERYTHING, "runOnly": ["color-contrast", "link-in-text-block"]}


@dataclass
class Notes:
    """What was seen of one page on one device.

    `axe`: (impact, "rule: element") of each finding, light or dark; `small`: what is too small
    for a finger (phones only); `wide`: pixels it scrolls sideways.
    """

    page: str
    device: str
    axe: list[tuple[str, str]] = field(default_factory=list)
    small: list[str] = field(default_factory=list)
    wide: int = 0


def open_context(browser: Browser, url: str, seeds: Seeds, **options: Any) -> BrowserContext:
    """A browser that holds the seeded lists and books, and moves nothing about."""
    context = browser.new_context(base_url=url, reduced_motion="reduce", **options)
    context.set_default_timeout(10_000)
    context.add_cookies(seeds.cookies(url))  # type: ignore[arg-type]
    context.add_init_script(path=LOOKING)
    return context


def show(page: Page, shown: Shown, seeds: Seeds) -> None:
    """Bring the page into its state."""
    _sit_at(page, seeds.browser_for(shown.signed_in))
    with shown.settings:
        page.goto(shown.at(seeds))
    for selector in shown.press:
        page.locator(selector).first.click()
    if shown.keys:
        page.keyboard.press(shown.keys)
    if shown.press or shown.keys:
        settle(page)


def _sit_at(page: Page, client: Client) -> None:
    wanted = client.cookies["sessionid"].value
    for cookie in page.context.cookies():
        if cookie["name"] == "sessionid" and cookie["value"] != wanted:
            page.context.add_cookies([{**cookie, "value": wanted}])  # type: ignore[typeddict-item]


def settle(page: Page) -> None:
    """Wait until nothing more is asked of the server."""
    page.wait_for_timeout(60)  # what a swap sets off begins a moment later
    page.evaluate("looking.quiet()")


def survey(browser: Browser, url: str, device: str, pages: Sequence[Shown]) -> list[Notes]:
    """Notes of pages on a device."""
    seeds = Seeds()
    context = open_context(browser, url, seeds, **DEVICES[device])
    page = context.new_page()
    notes = [_look(page, shown, device, seeds) for shown in pages]
    context.close()
    return notes


def _look(page: Page, shown: Shown, device: str, seeds: Seeds) -> Notes:
    notes = Notes(shown.name, device)
    page.emulate_media(color_scheme="light")
    show(page, shown, seeds)
    notes.wide = page.evaluate("looking.wide()")
    if device == "phone":
        notes.small = page.evaluate("looking.small(44)")
    else:
        page.evaluate("looking.unfold()")
    if device == "desk" or (shown.main and THOROUGH):
        dark = device == "desk" and ((THOROUGH and shown.main) or shown.while_debugging)
        notes.axe = list(axe_findings(page, dark))
    return notes


def axe_findings(page: Page, dark: bool = True) -> Iterator[tuple[str, str]]:
    """(impact, what and where) of all that axe finds, in light; then of colours in the `dark`."""
    page.evaluate(AXE_SCRIPT)
    yield from _findings(page, _EVERYTHING, "light")
    if dark:
        page.emulate_media(color_scheme="dark")
        yield from _findings(page, _COLOURS, "dark")


def shift_behind_slow_scripts(page: Page, address: str) -> float:
    """How much of a page moves by itself, as a layout-shift score, where its deferred scripts come
    only when it can be seen already.
    """
    held: list[Route] = []
    page.route(_DEFERRED, lambda route: held.append(route))
    page.goto(address, wait_until="commit")
    page.evaluate("looking.seen()")
    for route in held:
        route.continue_()
    page.unroute_all(behavior="wait")
    page.wait_for_load_state("load")
    settle(page)
    return float(page.evaluate("looking.shift"))


def weight(page: Page, address: str) -> tuple[float, float]:
    """Kilobytes of a page with all it needs: as the server sends it, and unpacked."""
    answers: list[Response] = []

    def note(answer: Response) -> None:
        answers.append(answer)

    page.on("response", note)
    page.goto(address, wait_until="networkidle")
    page.remove_listener("response", note)
    sent = sum(answer.request.sizes()["responseBodySize"] for answer in answers)
    return sent / 1024, sum(len(answer.body()) for answer in answers) / 1024


def _findings(page: Page, options: dict[str, Any], colours: str) -> Iterator[tuple[str, str]]:
    found = page.evaluate(f"axe.run({json.dumps(options)})")
    for violation in found["violations"]:
        for node in violation["nodes"]:
            element = " ".join(node["html"].split())[:160]
            why = " ".join(one["message"] for one in node["any"])[:200]
            told = f"{violation['id']}, {colours}: {node['target'][0]} {element} ({why})"
            yield violation["impact"] or "minor", told
