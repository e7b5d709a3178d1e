"""Journeys through printing many lists at once in a real Chromium."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from armybuilder.printing.models import PrintJob
from tests.browser.test_my_lists_journey import three_lists

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def tick_and_print(page: Page) -> None:
    """To the page where it is chosen how the first two of three lists are printed."""
    three_lists(page)
    page.goto("/lists/")
    for number in (0, 1):
        page.locator(".list-tick input").nth(number).check()
    page.locator(".chosen-bar").get_by_role("button", name="Print", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Print 2 lists")


@pytest.mark.slow
def test_the_page_follows_the_worker_until_the_file_is_there(
    open_page: Callable[..., Page],
) -> None:
    page = open_page()
    tick_and_print(page)
    page.get_by_role("button", name="Print 2 lists").click()
    expect(page.get_by_role("status")).to_contain_text("2 lists are printed.")
    PrintJob.objects.update(state="working", done=0, moved=timezone.now())
    page.reload()
    expect(page).to_have_title("Printing…")
    cancel = page.get_by_role("button", name="Cancel")
    cancel.focus()
    PrintJob.objects.update(done=1)
    expect(page.get_by_role("progressbar", name="1 of 2 printed")).to_be_visible()
    expect(cancel).to_be_focused()
    PrintJob.objects.update(state="done", done=2)
    expect(page).to_have_title("Printed")
    expect(page.locator("main a.primary")).to_have_text(re.compile("PDF"))
