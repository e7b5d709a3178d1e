"""A list as text: a press copies it, and without script it is there to be copied by hand."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_journeys import add, start

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_text(page: Page, form: str) -> None:
    page.goto(f"{page.url.split('?')[0].split('#')[0]}text/")
    page.get_by_role("link", name=form, exact=True).click()


@pytest.mark.slow
def test_a_press_copies_the_chosen_form_and_says_so(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    start(page, "Chainmail 2002", 100)
    add(page, "Captain of the Silver Reed")
    open_text(page, "BBCode")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator(".copied")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "[*][b]1 Captain of the Silver Reed[/b], 31" in copied
    assert copied == page.locator("#text").input_value()


@pytest.mark.slow
def test_without_the_clipboard_it_copies_too_or_says_why_not(
    open_page: Callable[..., Page],
) -> None:
    page = open_page()
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', {value: undefined});"
        "document.execCommand = () => window.allowed;"
    )
    start(page, "Chainmail 2002", 100)
    open_text(page, "Compact")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator(".copied")).to_contain_text("copy it by hand")
    field = page.locator("#text")
    assert field.evaluate("field => field.selectionEnd") == len(field.input_value())
    page.evaluate("window.allowed = true")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator(".copied")).to_have_text("Copied.")
