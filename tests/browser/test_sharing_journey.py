"""A list goes from one Chromium to another by a link, and to paper with a code, and back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.sharing.codes import codes_on, text_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_example(page: Page) -> str:
    """The name of an example that is opened now."""
    page.goto("/new/t9a-2023/")
    page.locator("button[formaction*='/example/']").first.click()
    expect(page.locator("#to-share")).to_be_visible()
    return page.locator("h1").inner_text()


@pytest.mark.slow
def test_a_list_is_shared_looked_at_elsewhere_copied_and_withdrawn(
    open_page: Callable[..., Page],
) -> None:
    page = open_page()
    name = open_example(page)
    page.locator("#to-share").click()
    page.get_by_label("A frozen copy").check()
    page.get_by_label("The full list").check()
    page.get_by_label("Name").fill("For Ann")
    page.get_by_role("button", name="Create link", exact=True).click()
    expect(page.get_by_role("heading", name="For Ann")).to_be_visible()
    address = page.get_by_label("Address").input_value()
    page.locator(".share-code summary").click()
    picture = page.locator(".share-code img")
    expect(picture).to_be_visible()
    expect(picture).to_have_js_property("complete", value=True)

    friend = open_page(script=False, size=PHONE)
    friend.goto(address)
    expect(friend.get_by_role("heading", name=name, level=1)).to_be_visible()
    friend.get_by_role("button", name="Copy to my lists").click()
    expect(friend.locator("h1")).to_have_text(name)
    friend.goto("/lists/")
    expect(friend.get_by_role("link", name=name, exact=True).first).to_be_visible()

    page.locator("summary", has_text="Revoke").click()
    page.get_by_role("button", name="Revoke permanently").click()
    expect(page.get_by_text("Only you can see this list.")).to_be_visible()
    friend.goto(address)
    expect(friend.get_by_role("heading", name="This link no longer works")).to_be_visible()


@pytest.mark.slow
def test_the_code_on_paper_leads_another_browser_to_the_list(
    open_page: Callable[..., Page],
) -> None:
    page = open_page()
    name = open_example(page)
    page.locator("#to-print").click()
    page.get_by_label("QR code").check()
    page.wait_for_url(re.compile("qr=1"))
    page.get_by_role("button", name="Create a link for the QR code").click()
    expect(page.get_by_text("The code links to a copy")).to_be_visible()
    pdf = page.request.get(page.locator("#print-pdf").get_attribute("href") or "").body()
    ((_number, code),) = codes_on(pdf)
    friend = open_page(size=PHONE)
    friend.goto(text_of(code.pattern))
    expect(friend.get_by_role("heading", name=name, level=1)).to_be_visible()
