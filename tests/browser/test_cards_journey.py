"""Cards of one's own, typed in a real Chromium."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Open
from tests.browser.steps import is_seen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def open_book(page: Page, game: str = "Chainmail 2002") -> None:
    site = page.get_by_role("navigation", name="Site")
    menu = site.get_by_role("button", name="Menu")
    if is_seen(menu):
        menu.click()
    site.get_by_role("link", name="Custom books").click()
    page.locator(".games").get_by_role("link", name=game).click()
    page.get_by_label("Name", exact=True).fill("Mill Folk")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Mill Folk")).to_be_visible()


@pytest.mark.slow
def test_cards_are_typed_with_the_keyboard_alone(open_page: Open) -> None:
    """Enter saves a card and opens the next, whose name is typed at once."""
    page = open_page()
    open_book(page)
    page.get_by_role("link", name="Add a card").press("Enter")
    for number, name in enumerate(("Mill Captain", "Mill Guard"), 1):
        expect(page.get_by_label("Name", exact=True)).to_be_focused()
        page.keyboard.type(name)
        page.keyboard.press("Tab")
        page.keyboard.type("8")
        page.get_by_role("textbox", name="Abilities").press_sequentially("Scent")
        page.get_by_label("Health").press("Enter")
        expect(page.locator("#saved")).to_contain_text(f"Saved “{name}”")
        expect(page.locator("#saved")).to_contain_text(f"{number} card")


@pytest.mark.slow
def test_words_that_complete_an_ability_are_in_sight_as_soon_as_they_are_there(
    open_page: Open,
) -> None:
    page = open_page(size=PHONE)
    open_book(page)
    page.get_by_role("link", name="Add a card").click()
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.keyboard.type("Yard Dog")
    while not page.get_by_role("textbox", name="Abilities").evaluate("it => it.matches(':focus')"):
        page.keyboard.press("Tab")
    page.keyboard.type("wild")
    word = page.locator(".suggestions button", has_text="Wild Troop")
    expect(word).to_be_in_viewport()
    bar = page.locator(".card-buttons").bounding_box()
    place = word.bounding_box()
    assert bar is not None
    assert place is not None
    assert place["y"] + place["height"] <= bar["y"]
