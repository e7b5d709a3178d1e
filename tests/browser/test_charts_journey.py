"""Charts below the verdict: drawn when opened, and anew, where they are seen, after a change."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.steps import show
from tests.browser.test_journeys import add, start

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.slow
def test_open_charts_follow_the_list(open_page: Callable[..., Page]) -> None:
    page = open_page(at="")
    start(page, "Chainmail 2002", 100)
    add(page, "Captain of the Silver Reed")
    drawn = page.locator("#charts-drawn")
    expect(drawn.locator("svg")).to_have_count(0)
    show(page, "game")
    page.locator("#charts > summary").click()
    expect(drawn.locator("svg").first).to_contain_text("Captain of the Silver Reed")
    page.locator("#more-u1").click()
    expect(page.locator("#said")).to_contain_text("One more")
    expect(drawn.locator("svg").first).to_contain_text("2 × Captain of the Silver Reed")


@pytest.mark.slow
def test_the_points_of_a_line_open_by_keyboard_and_close(open_page: Callable[..., Page]) -> None:
    page = open_page(size=PHONE, at="")
    start(page, "Chainmail 2002", 100)
    add(page, "Captain of the Silver Reed")
    show(page, "army")
    page.locator("#open-u1").click()
    points = page.locator("#made-unit")
    points.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(points).to_contain_text("1 model")
    expect(points.locator(".made-of")).to_be_visible()
    page.keyboard.press("Escape")
    expect(points.locator(".made-of")).to_be_hidden()
    expect(points.locator("summary")).to_be_focused()
