"""An account made after the first list, on two devices, in a real Chromium and without script."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "heron-delta-27"  # noqa: S105 - of the tests alone


@pytest.mark.slow
def test_lists_made_before_the_account_are_there_on_another_device(
    open_page: Callable[..., Page],
) -> None:
    desk = open_page()
    desk.get_by_role("link", name="Gruk’s Green Flood").or_(
        desk.get_by_role("button", name="Gruk’s Green Flood")
    ).click()
    desk.locator("#lists > summary").click()
    desk.get_by_role("link", name="Sign in").click()
    desk.get_by_role("link", name="Create one").click()
    expect(desk.get_by_label("Username")).to_be_focused()
    desk.keyboard.type("anne")
    desk.get_by_label("Password", exact=True).fill(PASSWORD)
    desk.get_by_label("Repeat password").fill(PASSWORD)
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("status").first).to_contain_text("What you made in this browser")
    expect(desk.get_by_role("link", name="Gruk’s Green Flood", exact=True)).to_be_visible()

    phone = open_page(script=False, size=PHONE)
    phone.goto("/account/")
    phone.get_by_label("Username or email").fill("anne")
    phone.get_by_label("Password").fill(PASSWORD)
    phone.get_by_role("button", name="Sign in").click()
    expect(phone.get_by_text("here and in 1 other browser")).to_be_visible()
    phone.get_by_role("link", name="My lists").first.click()
    phone.get_by_role("link", name="Gruk’s Green Flood", exact=True).click()
    address = phone.url

    desk.get_by_role("link", name="anne").click()
    desk.get_by_role("button", name="Sign out of the others").click()
    expect(desk.get_by_text("Signed out in 1 browser.")).to_be_visible()
    answer = phone.goto(address)
    assert answer
    assert answer.status == 404
