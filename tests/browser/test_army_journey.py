"""A player's way from nothing to a printed, legal army of The Ninth Age in a real Chromium."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import DESK
from tests.browser.steps import create, is_seen, show
from tests.browser.test_journeys import pdf_text

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Units in the order they are added: name, size (0: it has no choice), options pressed.
ARMY: list[tuple[str, int, tuple[str, ...]]] = [
    ("High Prince", 0, ("Dragonforged Armour", "Shield")),
    ("Mage", 0, ("Wizard Master", "Pyromancy")),
    ("Citizen Spears", 40, ("Champion", "Standard Bearer", "Musician")),
    ("Citizen Archers", 20, ()),
    ("Highborn Lancers", 10, ()),
    ("Sword Masters", 30, ()),
    ("Lion Guard", 23, ()),
    ("Sea Guard Reaper", 0, ()),
    ("Lion Chariot", 0, ()),
    ("Lion Chariot", 0, ()),
    ("Giant Eagles", 1, ()),
    ("Giant Eagles", 1, ()),
    ("Sky Sloop", 0, ()),
    ("Sky Sloop", 0, ()),
    ("Reaver Chariots", 2, ()),
]


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


def take(pane: Locator, option: str) -> None:
    named = pane.page.locator(".option-button", has=pane.page.get_by_text(option, exact=True))
    button = pane.locator(named)
    if not is_seen(button):
        pane.locator("details.fold:not([open])", has=named).first.locator("summary").first.click()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_a_highborn_army_from_nothing_to_print(open_page: Callable[..., Page]) -> None:
    page = open_page(at="")
    start_army(page)
    for number, (unit, models, options) in enumerate(ARMY, 1):
        entry = add(page, unit, number)
        if models > 1:
            resize(entry, models)
        for option in options:
            take(entry, option)
    page.locator("#open-u1").click()
    page.get_by_role("button", name="Make General").click()
    expect(page.locator("#u1 .mark.role")).to_have_text("General")
    expect(page.locator("#verdict-title")).to_have_text(re.compile("Legal"))
    page.locator("#unit summary", has_text="Stats and rules").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= DESK["width"]
    page.locator("#to-print").click()
    page.get_by_role("link", name="Roster sheet").click()
    expect(page.locator(".sheet")).to_contain_text("Citizen Spears")
    text = pdf_text(page)
    for expected in ("Guard of the White Tower", "High Prince", "Sword Masters", "Legal"):
        assert expected in text


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
