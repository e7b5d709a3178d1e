"""A player's way from a handful of cards to a printed warband in a real Chromium: type them in,
build with them, print; and a table pasted from a spreadsheet.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.steps import is_seen
from tests.pdfs import pages_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Name, points, health, abilities. Faction, alignment and type stay as the first card has them.
CARDS = [
    ("Mill Captain", "20", "5", "Commander 3, cleave"),
    ("Mill Guard", "8", "3", ""),
    ("Mill Archer", "9", "2", "Precise Shot"),
    ("Old Ferryman", "7", "3", "Independent Troop 0; Oar Sweep +2"),
    ("Yard Dog", "4", "1", "Wild Troop, Scent"),
]


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


def type_cards(page: Page) -> None:
    """Five cards with the keyboard alone: Enter saves and opens the next card."""
    page.get_by_role("link", name="Add a card").press("Enter")
    for number, (name, points, health, abilities) in enumerate(CARDS, 1):
        expect(page.get_by_label("Name", exact=True)).to_be_focused()
        page.keyboard.type(name)
        page.keyboard.press("Tab")
        page.keyboard.type(points)
        if number == 1:
            page.get_by_label("Faction").select_option(label="Thalos")
            page.get_by_label("Alignment").select_option(label="Good")
            page.get_by_label("Type", exact=True).select_option(label="Humanoid")
        page.get_by_label("Health").press_sequentially(health)
        page.get_by_role("textbox", name="Abilities").press_sequentially(abilities)
        page.get_by_label("Health").press("Enter")
        expect(page.locator("#saved")).to_contain_text(f"Saved “{name}”")
        expect(page.locator("#saved")).to_contain_text(f"{number} card")


def cards_on(page: Page, path: str) -> tuple[int, str]:
    """Pages and words of a PDF that this browser may have."""
    answer = page.request.get(path)
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/pdf"
    told = pages_of(answer.body())
    return len(told), " ".join(told)


@pytest.mark.slow
def test_a_player_types_five_cards_builds_a_warband_and_prints_it(
    open_page: Callable[..., Page],
) -> None:
    page = open_page()
    open_book(page)
    type_cards(page)
    page.get_by_role("link", name="Mill Folk").click()
    rows = page.locator("table tbody tr")
    expect(rows).to_have_count(5)
    expect(page.locator("main")).to_contain_text("Oar Sweep +2")
    book = page.url
    pages, words = cards_on(page, f"{book}cards.pdf")
    assert pages == 1
    assert all(name in words for name, *_ in CARDS)

    page.get_by_role("link", name="Start a list").click()
    expect(page.get_by_role("checkbox", name="Mill Folk")).to_be_checked()
    page.get_by_label("Point value").fill("50")
    page.get_by_role("button", name="Create list").click()
    for name, *_ in CARDS:
        page.get_by_role("button", name=f"Add {name}", exact=True).click()
        expect(page.locator("#list")).to_contain_text(name)
    page.locator(".views").get_by_role("link", name="Game").click()
    for piece in ("Hill", "Woods", "Hut"):
        page.get_by_label("Add to terrain").select_option(label=piece)
        page.get_by_role("button", name="Add terrain").click()
        expect(page.locator(".pieces")).to_contain_text(piece)
    expect(page.locator("#verdict-title")).to_have_text("Legal")
    builder = page.url.split("?")[0].split("#")[0]

    page.goto(f"{book}")
    page.get_by_role("link", name="Yard Dog").click()
    page.get_by_label("Points").fill("40")
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()
    page.goto(builder)
    expect(page.locator("#verdict-title")).to_have_text("Legal")
    page.get_by_role("link", name="See the differences").click()
    expect(page.locator("main")).to_contain_text("Yard Dog")
    page.get_by_role("link", name="Keep the list as it is").click()
    expect(page.locator("#verdict-title")).to_have_text("Legal")

    page.locator("#to-print").click()
    page.get_by_role("link", name="Roster sheet").click()
    expect(page.locator(".sheet")).to_contain_text("48 of 50")
    _, words = cards_on(page, builder + "sheet.pdf")
    assert "Legal: 48 of 50 points." in words


@pytest.mark.slow
def test_a_table_is_pasted_its_bad_cells_are_named_and_nothing_is_half_saved(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(size=PHONE)
    open_book(page)
    page.get_by_role("link", name="Paste a table").click()
    table = (
        "Name\tCost\tFaction\tAlignment\tHealth\nA\t5\tThalos\tgood\t2\nB\t7,5\tThalos\tgod\t2\n"
    )
    page.locator("textarea").fill(table)
    page.get_by_role("button", name="Preview").click()
    wrong = page.locator("tr.wrong td.wrong")
    expect(wrong).to_have_count(2)
    expect(wrong.first).to_contain_text("7,5")
    expect(page.locator(".notice.error")).to_contain_text("Row 3")
    expect(page.get_by_role("button", name="Save 2 cards")).to_have_count(0)
    page.get_by_text("Edit the table").click()
    page.locator("textarea").fill(table.replace("7,5", "7").replace("god", "good"))
    page.get_by_role("button", name="Check again").click()
    page.get_by_role("button", name="Save 2 cards").click()
    expect(page.locator("table tbody tr")).to_have_count(2)


@pytest.mark.slow
def test_a_shared_book_is_read_and_copied_by_another_until_sharing_ends(
    open_page: Callable[..., Page], live_server: Any
) -> None:
    owner = open_page()
    open_book(owner)
    owner.get_by_role("link", name="Add a card").click()
    expect(owner.get_by_label("Name", exact=True)).to_be_focused()
    owner.keyboard.type("Mill Guard")
    owner.keyboard.press("Enter")
    owner.get_by_role("link", name="Mill Folk").click()
    owner.get_by_text("Share", exact=True).click()
    owner.get_by_role("button", name="Share this book").click()
    link = owner.locator("input[readonly]").input_value()

    friend = open_page()
    friend.goto(link)
    expect(friend.locator("main")).to_contain_text("Mill Guard")
    friend.get_by_role("button", name="Copy to my custom books").click()
    expect(friend.get_by_role("heading", name="Mill Folk")).to_be_visible()

    owner.get_by_role("button", name="Stop sharing").click()
    expect(owner.locator("main")).to_contain_text("No longer shared")
    assert friend.goto(link).status == 404  # type: ignore[union-attr]


@pytest.mark.slow
def test_words_that_complete_an_ability_are_in_sight_as_soon_as_they_are_there(
    open_page: Callable[..., Page],
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
