"""Spending the rest in Chromium: three proposals, one of them taken and undone, on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.steps import show

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def start(page: Page, system: str, book: str) -> None:
    """Start an empty list."""
    page.goto(f"/new/{system}/")
    page.locator(f"input[name=books][value={book}]").check()
    page.get_by_role("button", name="Create list").click()
    expect(page.locator("#to-fill")).to_have_count(1)


@pytest.mark.slow
def test_one_of_three_proposals_is_taken_and_undone(open_page: Callable[..., Page]) -> None:
    page = open_page(size=PHONE, at="")
    start(page, "sbh", "profiles")
    page.locator(".views a[data-view=army]").click()
    page.locator("#to-fill").click()
    proposals = page.locator(".proposal")
    expect(proposals).to_have_count(3)
    shown = [one.inner_text() for one in proposals.all()]
    assert len(set(shown)) == 3
    assert all("300 of 300 points" in one for one in shown)
    box = proposals.nth(1).bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= PHONE["width"]
    proposals.nth(1).get_by_role("button").click()
    expect(page.locator("#chip")).to_contain_text("Legal")
    expect(proposals).to_have_count(0)
    page.locator("#undo").click()
    expect(page.locator(".empty.begin")).to_be_visible()


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


@pytest.mark.slow
def test_a_question_is_answered_and_taken_and_undone(open_page: Callable[..., Page]) -> None:
    page = open_page(size=PHONE, at="")
    start(page, "ddm-2008", "practice")
    show(page, "errors")
    page.get_by_role("link", name="What is possible?").click()
    page.get_by_role("link", name="The most models").click()
    expect(page.get_by_text("10 models.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Add this").click()
    expect(page.locator("#chip")).to_contain_text("Legal")
    page.locator("#undo").click()
    expect(page.locator("#chip")).not_to_contain_text("Legal")
