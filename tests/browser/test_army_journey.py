"""A player's way from nothing to a printed, legal army of The Ninth Age in a real Chromium."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import create, show

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def start_army(page: Page) -> None:
    create(page, "t9a-2023", name="Guard of the White Tower", books="highborn-elves")
    expect(page.locator("#chip")).to_contain_text("to do")


def add(page: Page, unit: str, number: int) -> Locator:
    """Add a unit; its entry, which stands open."""
    page.get_by_role("button", name=f"Add {unit}", exact=True).click()
    pane = page.locator(f"#unit[data-unit=u{number}]")
    expect(pane).to_be_visible()
    return pane


def resize(pane: Locator, models: int) -> None:
    field = pane.get_by_label("How many models")
    field.fill(str(models))
    field.press("Enter")
    expect(pane.page.locator(".line.open .unit-models")).to_have_text(f"{models}×")


@pytest.mark.slow
def test_focus_and_folds_stay_where_they_are(open_page: Callable[..., Page]) -> None:
    page = open_page(at="")
    start_army(page)
    add(page, "High Prince", 1)
    add(page, "Mage", 2)
    page.locator("#open-u1").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#open-u1")).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile(r"\?open=u1$"))
    expect(page.locator("#open-u1")).to_be_focused()
    pane = page.locator("#unit[data-unit=u1]")
    items = pane.locator("details", has=page.locator("summary", has_text="Special Equipment")).first
    items.locator("summary").first.click()
    shield = page.locator("#option-u1-shield")
    shield.focus()
    page.keyboard.press("Space")
    expect(shield).to_have_attribute("aria-pressed", "true")
    expect(shield).to_be_focused()
    expect(items).to_have_attribute("open", "")
    page.locator("#remove-u1").click()
    expect(page.locator("#unit-title")).to_be_focused()


@pytest.mark.slow
def test_what_must_be_mended_leads_to_the_unit(open_page: Callable[..., Page]) -> None:
    page = open_page(at="")
    start_army(page)
    add(page, "Citizen Spears", 1)
    resize(page.locator("#unit"), 60)
    add(page, "Mage", 2)
    show(page, "errors")
    page.locator(".culprits").get_by_role("link", name="Citizen Spears").first.click()
    expect(page.locator("#unit[data-unit=u1]")).to_be_visible()
    expect(page.locator("#unit-title")).to_be_focused()
    expect(page).to_have_url(re.compile(r"\?open=u1$"))
    page.get_by_role("button", name="5 models fewer").click()
    expect(page.locator("#u1 .unit-models")).to_have_text("50×")
    expect(page.locator("#u1 .badge.error")).to_have_count(0)
