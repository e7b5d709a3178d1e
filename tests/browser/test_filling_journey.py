"""Spending the rest in Chromium: three proposals, one of them taken and undone, on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def start(page: Page, system: str, book: str) -> None:
    """Start an empty list."""
    page.goto(f"/new/{system}/")
    page.locator(f"input[name=books][value={book}]").check()
    page.get_by_role("button", name="Create list").click()
    expect(page.locator("#to-fill")).to_have_count(1)


@pytest.mark.slow
def test_wishes_bring_other_proposals_in_place(open_page: Callable[..., Page]) -> None:
    page = open_page(at="")
    start(page, "chainmail-2002", "practice")
    page.locator("#to-fill").click()
    expect(page.locator(".proposal")).to_have_count(3)
    before = page.locator(".proposals").inner_text()
    page.get_by_text("What would you like?").first.click()
    page.get_by_label("Nothing twice").check()
    page.get_by_role("button", name="Show proposals").click()
    expect(page.locator(".proposals")).not_to_have_text(before)
    expect(page.locator("details[open] [value=no-copies]")).to_be_checked()
    expect(page.locator(".proposal")).to_have_count(3)
    units = page.locator(".proposal .new-unit").all_inner_texts()
    assert units
    assert not any(re.match(r"\d+ ×", unit) for unit in units)
    before = page.locator(".proposal").first.inner_text()
    page.get_by_role("link", name="Other proposals").click()
    expect(page.locator(".proposal").first).not_to_have_text(before)
    expect(page.get_by_label("Nothing twice")).to_be_checked()
