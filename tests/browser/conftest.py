"""A real Chromium for the journeys, against the live server of the test run."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.browser.find_chromium import FLAGS, find_chromium

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1440, "height": 900}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A journey that fails is tried once more, and told: on a busy machine browser and test may
    come too late for each other.
    """
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find_chromium()
    assert path, "no Chromium on this machine: make test installs one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, live_server: Any, settings: Any) -> Iterator[Callable[..., Page]]:
    """Open the start page in a browser of its own. The test fails on any error in its console."""
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        # Refused and conflicting acts answer 409 and 422, a test cuts the line, and a search takes
        # the place of the one before, on purpose.
        meant = (
            "status of 4",
            "net::ERR_FAILED",
            "htmx:sendError",
            "htmx:sendAbort",
            "htmx:responseError",
            "htmx:afterRequest",
        )
        if message.type == "error" and not any(text in message.text for text in meant):
            troubles.append(message.text)

    def open_it(script: bool = True, size: dict[str, int] = DESK) -> Page:
        context = chromium.new_context(
            base_url=live_server.url,
            java_script_enabled=script,
            viewport=size,  # type: ignore[arg-type]
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", listen)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto("/")
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert troubles == []
