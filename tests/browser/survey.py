"""A walk through pages on a phone and then on a desk, which notes what the tests ask about.

Where there is time (`tests/effort.py`) axe looks at every page on a desk, with all it can unfold,
and at the main ones on a phone too, as they are. It looks at colours, in light and in the dark, on
the main ones and on the gallery, which shows every component; a test holds their contrasts.
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

from tests.browser.conftest import PATIENCE, cookies_of
from tests.browser.pages import Shown
from tests.browser.seeds import Seeds
from tests.effort import THOROUGH

DESK = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True}
#: Upright, where the builder has two narrow panes.
TABLET = {"width": 768, "height": 1024}
LOOKING = Path(__file__).with_name("looking.js")

#: Every script but the one that a page waits for.
_DEFERRED = re.compile(r"/(?!js\.js)[^/]+\.js$")

#: To look into stylesheets that are imported, axe would write styles into the page.
_EVERYTHING: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
#: Colours change in the dark, nothing else does.
_COLOURS = {**_EVERYTHING, "runOnly": ["color-contrast", "link-in-text-block"]}
_BUT_COLOURS = {**_EVERYTHING, "rules": {key: {"enabled": False} for key in _COLOURS["runOnly"]}}


@dataclass
class Notes:
    """What was seen of one page.

    `axe`: (impact, "rule: element") of each finding; `small`: what is too small for a finger on a
    phone; `wide`: pixels it scrolls sideways; `covered`: what has something else over it on a
    tablet.
    """

    page: str
    axe: list[tuple[str, str]] = field(default_factory=list)
    small: list[str] = field(default_factory=list)
    wide: int = 0
    covered: list[str] = field(default_factory=list)


def open_context(browser: Browser, url: str, seeds: Seeds, **options: Any) -> BrowserContext:
    """A browser that holds the seeded lists and books, and moves nothing about."""
    context = browser.new_context(base_url=url, reduced_motion="reduce", **options)
    context.set_default_timeout(PATIENCE)
    context.add_cookies(cookies_of(seeds.client, url))
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
    page.evaluate("looking.quiet()")


def survey(browser: Browser, url: str, pages: Sequence[Shown], seeds: Seeds) -> list[Notes]:
    """Notes of pages, each of which is opened on a phone that becomes a desk."""
    context = open_context(browser, url, seeds, **PHONE)
    page = context.new_page()
    notes = [_look(page, shown, seeds) for shown in pages]
    context.close()
    return notes


def _look(page: Page, shown: Shown, seeds: Seeds) -> Notes:
    page.set_viewport_size(PHONE["viewport"])
    page.emulate_media(color_scheme="light")
    show(page, shown, seeds)
    notes = Notes(shown.name, small=page.evaluate("looking.small(44)"))
    notes.wide = page.evaluate("looking.wide()")
    if shown.main and THOROUGH:
        notes.axe += axe_findings(page, colours=False)
    if THOROUGH:
        page.set_viewport_size(TABLET)
        notes.covered += page.evaluate("looking.covered()")
    if shown.while_debugging or THOROUGH:
        page.set_viewport_size(DESK["viewport"])
        notes.wide = max(notes.wide, page.evaluate("looking.wide()"))
        page.evaluate("looking.unfold()")
        notes.axe += axe_findings(page, colours=shown.main or shown.while_debugging)
    return notes


def axe_findings(page: Page, colours: bool = True) -> Iterator[tuple[str, str]]:
    """(impact, what and where) of all that axe finds, of `colours` in light and in the dark."""
    page.evaluate(AXE_SCRIPT)
    yield from _findings(page, _EVERYTHING if colours else _BUT_COLOURS, "light")
    if colours:
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


def weight(page: Page, address: str) -> tuple[float, float, float]:
    """Kilobytes of a page with all it needs: as the server sends it, and unpacked; and those of
    letters, which are fetched once for all pages.
    """
    answers: list[Response] = []

    def note(answer: Response) -> None:
        answers.append(answer)

    page.on("response", note)
    page.goto(address, wait_until="networkidle")
    page.remove_listener("response", note)
    letters = [answer for answer in answers if answer.request.resource_type == "font"]
    pages = [answer for answer in answers if answer not in letters]
    sent = sum(answer.request.sizes()["responseBodySize"] for answer in pages)
    unpacked, typeface = (sum(len(one.body()) for one in part) for part in (pages, letters))
    return sent / 1024, unpacked / 1024, typeface / 1024


def _findings(page: Page, options: dict[str, Any], colours: str) -> Iterator[tuple[str, str]]:
    found = page.evaluate(f"axe.run({json.dumps(options)})")
    for violation in found["violations"]:
        for node in violation["nodes"]:
            element = " ".join(node["html"].split())[:160]
            why = " ".join(one["message"] for one in node["any"])[:200]
            told = f"{violation['id']}, {colours}: {node['target'][0]} {element} ({why})"
            yield violation["impact"] or "minor", told
