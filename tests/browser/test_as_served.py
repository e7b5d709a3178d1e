"""What `make run` sends, with its files packed and compressed: little, and it works."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page

from tests.browser.seeds import Seeds
from tests.browser.survey import DESK, open_context, settle, weight
from tests.serving import as_made_to_run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def seeds(transactional_db: None) -> Seeds:
    return Seeds()


@pytest.fixture
def opened(transactional_db: None, chromium: Browser, seeds: Seeds) -> Iterator[list[Page]]:
    """Pages of two browsers that have been nowhere yet."""
    with as_made_to_run(settings.VAR_DIR, settings.DATABASES["default"]["NAME"]) as server:
        contexts = [open_context(chromium, server.url, seeds, **DESK) for _ in range(2)]
        yield [context.new_page() for context in contexts]
        for context in contexts:
            context.close()


@pytest.mark.slow
def test_pages_are_light_and_their_scripts_run(opened: list[Page], seeds: Seeds) -> None:
    first, page = opened
    sent, unpacked = weight(first, "/")
    assert 20 < sent < unpacked <= 150

    troubles: list[str] = []
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    sent, unpacked = weight(page, "{army-20}".format(**seeds.places))
    assert 40 < sent <= 60
    page.goto("{army-20}?open=u7&view=unit".format(**seeds.places))
    before = page.locator("#u7").inner_text()
    page.locator("#more-u7-unit").click()
    page.wait_for_function(
        "before => document.querySelector('#u7').innerText !== before", arg=before
    )
    settle(page)
    page.keyboard.press("Control+k")
    page.locator("#palette[open]").wait_for()
    assert troubles == []
