"""Times of an event in browsers whose clocks show another time, and the same."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_event_journey import sign_up
from tests.events.builders import open_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_own_time_stands_beside_that_of_the_place_where_it_is_another(
    open_page: Callable[..., Page],
) -> None:
    event, page = open_event(), open_page(at="")
    clocks = page.context.new_cdp_session(page)
    clocks.send("Emulation.setTimezoneOverride", {"timezoneId": "America/Denver"})
    page.goto(f"/events/{event.pk}/")
    frozen = page.locator(".event-times div").first
    expect(frozen).to_contain_text("Tue 2 Jun 2026, 14:00 (Berlin time)")
    expect(frozen.locator("time")).to_have_text(re.compile(r"6:00.AM MDT$"))
    sign_up(page)
    expect(page.get_by_label("Time zone")).to_have_value("America/Denver")
    clocks.send("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Berlin"})
    page.goto(f"/events/{event.pk}/")
    expect(frozen.locator("time")).to_have_count(0)
    clocks.detach()
