"""Printing in a real Chromium: the set-up is changed, looked at, saved and used."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import is_seen, show

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_example(page: Page) -> None:
    page.goto("/new/sbh/")
    page.locator("button[formaction*='/example/']").first.click()
    expect(page.locator("#chip")).to_be_visible()
    if not is_seen(page.locator("#to-print")):  # on a phone among what else there is
        show(page, "game")
    page.get_by_role("link", name="Print", exact=True).click()
    expect(page.locator(".print-pages img").first).to_be_visible()


def drawn(page: Page) -> list[tuple[int, int]]:
    """Width and height in pixels of each picture, once all have arrived."""
    for picture in page.locator(".print-pages img").all():
        picture.scroll_into_view_if_needed()
    pictures = "[...document.querySelectorAll('.print-pages img')]"
    # A function: our CSP lets no text be evaluated once the page has to be asked again.
    page.wait_for_function(f"() => {pictures}.every((one) => one.complete && one.naturalWidth)")
    sizes = page.evaluate(f"{pictures}.map((one) => [one.naturalWidth, one.naturalHeight])")
    return [(width, height) for width, height in sizes]


@pytest.mark.slow
def test_the_preview_follows_the_set_up_and_the_focus_stays(
    open_page: Callable[..., Page],
) -> None:
    page = open_page()
    open_example(page)
    assert all(width < height for width, height in drawn(page))
    page.evaluate("window.stayed = true")
    page.get_by_label("Name").fill("Small")
    page.get_by_label("Orientation").select_option("1")
    page.wait_for_url(re.compile("landscape=1"))
    before = drawn(page)
    assert all(width > height for width, height in before)
    page.get_by_label("Quick reference").focus()
    page.keyboard.press("Space")
    page.wait_for_url(re.compile("kinds=full,quick"))
    expect(page.get_by_label("Quick reference")).to_be_focused()
    assert len(drawn(page)) > len(before)
    expect(page.locator("#print-said")).to_contain_text(f"Fits on {len(drawn(page))} pages")
    page.locator("#up-quick").click()
    page.wait_for_url(re.compile("kinds=quick,full"))
    expect(page.locator(".print-kinds li").first).to_have_id("row-quick")
    expect(page.locator("#up-quick")).to_be_focused()
    assert page.evaluate("window.stayed"), "nothing was loaded anew"
    expect(page.get_by_label("Name")).to_have_value("Small")
    page.reload()
    expect(page.locator(".print-kinds li").first).to_have_id("row-quick")


@pytest.mark.slow
def test_without_a_sheet_chosen_the_page_says_so_and_goes_on(
    open_page: Callable[..., Page],
) -> None:
    page = open_page()
    open_example(page)
    page.get_by_label("Full sheet").uncheck()
    expect(page.locator("#print-said")).to_contain_text("Choose at least one sheet.")
    expect(page.locator(".print-pages")).to_have_count(0)
    page.get_by_label("Compact sheet").check()
    expect(page.locator("#print-said")).to_contain_text("Fits on 1 page")
