"""A real Chromium for the journeys, against the live server of the test run."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.browser.find_chromium import FLAGS, find_chromium

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find_chromium()
    assert path, "no Chromium on this machine: make test installs one"
    with sync_playwright() as playwright:
        args = [*FLAGS, "--process-per-site"]
        browser = playwright.chromium.launch(executable_path=path, args=args)
        yield browser
        browser.close()


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
) -> Iterator[Callable[..., Page]]:
    """Open the start page, another one or none in a browser of its own. The test fails on any error
    in its console.
    """
    opened: list[tuple[str, BrowserContext]] = []
    troubles: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        # Refused and conflicting acts answer 409 and 422, a test cuts the line, and a search takes
        # the place of the one before, on purpose.
        meant = (
            "status of 4",
            "net::ERR_FAILED",
            "net::ERR_INTERNET_DISCONNECTED",
            "htmx:sendError",
            "htmx:sendAbort",
            "htmx:responseError",
            "htmx:afterRequest",
        )
        if message.type == "error" and not any(text in message.text for text in meant):
            troubles.append(message.text)

    def open_it(script: bool = True, size: dict[str, int] = DESK, at: str = "/") -> Page:
        like = f"{script} {size}"
        if not idle[like]:
            idle[like].append(new_context(chromium, live_server.url, script, size))
        context = idle[like].pop()
        opened.append((like, context))
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


def new_context(browser: Browser, url: str, script: bool, size: dict[str, int]) -> BrowserContext:
    context = browser.new_context(
        base_url=url,
        java_script_enabled=script,
        viewport=size,  # type: ignore[arg-type]
    )
    context.set_default_timeout(10_000)
    keep_warm(context)
    return context


def keep_warm(context: BrowserContext) -> None:
    """Leave a page open: its process draws the others too, which is half the cost of a journey."""
    context.new_page().goto("/favicon.ico")


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
