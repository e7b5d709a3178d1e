"""A real Chromium for the journeys, against the live server of the test run."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

from armybuilder.lists import outlooks
from tests.browser.find_chromium import FLAGS, find_chromium
from tests.browser.typefaces import MACHINES, environment_of

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}
#: Milliseconds until something counts as missing: much, for a machine that has other work.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)
#: What opens a page for a test.
Open = Callable[..., Page]
#: Refused and conflicting acts answer 409 and 422, a test cuts the line, and a search takes the
#: place of the one before, on purpose.
MEANT = (
    "status of 4",
    "net::ERR_FAILED",
    "net::ERR_INTERNET_DISCONNECTED",
    "htmx:sendError",
    "htmx:sendAbort",
    "htmx:responseError",
    "htmx:afterRequest",
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    assert find_chromium(), "no Chromium on this machine: make test installs one"
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        yield browser
        browser.close()


def launch(kind: BrowserType, env: dict[str, str] | None = None) -> Browser:
    args = [*FLAGS, "--process-per-site"]
    return kind.launch(executable_path=find_chromium(), args=args, env=env)


@pytest.fixture(autouse=True)
def brief_outlooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spend little on what can become of each list, where that is not the claim."""
    for seconds in ("SHORT", "LONG"):
        monkeypatch.setattr(outlooks, seconds, 0.03)


@pytest.fixture(scope="session")
def machines(chromium: Browser) -> Iterator[dict[str, Browser]]:
    """A Chromium with the typefaces of each machine whose typefaces are at hand."""
    there = {name: environment_of(name) for name in MACHINES}
    started = {name: launch(chromium.browser_type, env) for name, env in there.items() if env}
    yield started
    for browser in started.values():
        browser.close()


@pytest.fixture(scope="session")
def android(machines: dict[str, Browser]) -> Browser:
    """A Chromium that knows Roboto and Noto Serif alone."""
    if "android" not in machines:
        pytest.skip("Android's typefaces aren't here: tests/browser/typefaces.py --install")
    return machines["android"]


@pytest.fixture(scope="session")
def idle(chromium: Browser) -> dict[str, list[BrowserContext]]:
    """Browsers that a journey is through with, by what they are like. The next one takes them over
    without anything that was done in them: they keep the app's styles and scripts, and a page whose
    process draws the next ones too.
    """
    return defaultdict(list)


@pytest.fixture
def open_page(
    chromium: Browser, live_server: Any, idle: dict[str, list[BrowserContext]]
) -> Iterator[Open]:
    """Open the start page, another one or none in a browser of its own, or in that of a `client`.
    The test fails on any error in its console.
    """
    opened: list[tuple[str, BrowserContext]] = []
    troubles: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(text in message.text for text in MEANT):
            troubles.append(f"{message.text} ({message.location['url']})")

    def open_it(
        size: dict[str, int] = DESK, at: str = "/", client: Client | None = None, **options: Any
    ) -> Page:
        # Their worker is tried in one of its own: test_offline_journey.py.
        options = {"service_workers": "block", **options}
        like = f"{size} {options}"
        if not idle[like]:
            context = chromium.new_context(base_url=live_server.url, viewport=size, **options)
            context.set_default_timeout(PATIENCE)
            # A page that stays: its process draws the others too, half the cost of a journey.
            context.new_page().goto("/favicon.ico")
            idle[like].append(context)
        context = idle[like].pop()
        opened.append((like, context))
        if client:
            context.add_cookies(cookies_of(client, live_server.url))
        page = context.new_page()
        page.on("console", listen)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        if at:
            page.goto(at)
        return page

    yield open_it
    for like, context in opened:
        forget(context)
        idle[like].append(context)
    assert troubles == []


def cookies_of(client: Client, url: str) -> list[Any]:
    """What a real browser must hold to be this one."""
    held = client.cookies.items()
    return [{"name": name, "value": morsel.value, "url": url} for name, morsel in held]


def forget(context: BrowserContext) -> None:
    """Leave nothing in a browser but its first page and the app's files."""
    context.set_offline(False)
    first, *others = context.pages
    origin = "/".join(first.url.split("/")[:3])
    stores = {"origin": origin, "storageTypes": "local_storage,indexeddb,cache_storage"}
    session = context.new_cdp_session(first)
    session.send("Storage.clearDataForOrigin", stores)
    session.detach()
    for page in others:
        page.close()
    context.clear_cookies()
    context.clear_permissions()
