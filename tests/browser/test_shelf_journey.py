"""The book as a shop window in a real Chromium: filters, ticks, adding several, comparing;
and a card of one's own.
"""

import re

import pytest
from django.test import Client
from playwright.sync_api import Page, Request, Route, expect

from tests.books.shelf import Shelf
from tests.browser.conftest import DESK, PHONE, Open
from tests.browser.steps import is_seen, show
from tests.browser.test_journeys import add, expect_models, new_list

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: On a phone the box to select is beside what a tap tells of the unit.
AT_THE_UNIT = re.compile("Gatehouse Recruit")


def warband(open_page: Open, size: dict[str, int] = DESK) -> Page:
    page = new_list(open_page, "Chainmail 2002", 100, size)
    show(page, "units")
    return page


def tick(page: Page, *units: str) -> None:
    for unit in units:
        box = page.get_by_role("checkbox", name=f"Select {unit}", exact=True)
        if not is_seen(box):  # on a phone beside what a tap tells of the unit
            sign = {"x": 4, "y": 4}  # at the middle may be its name, which leads elsewhere
            page.locator(".entry-more > summary", has_text=unit).click(position=sign)  # type: ignore[arg-type]
        box.check()


@pytest.mark.slow
def test_counts_of_filters_follow_the_search_and_the_list(open_page: Open) -> None:
    page = warband(open_page)
    safe = page.locator("label", has=page.locator("#filter-safe"))
    expect(safe).to_have_text("Allowed 26")
    add(page, "Bannerlady Oresta")
    expect(safe).to_have_text("Allowed 24")
    page.locator("#more-filters > summary").click()
    page.locator("#filter-safe").press("Space")
    expect(page.locator(".chip.set")).to_contain_text("allowed")
    expect(page.locator(".entry.breaks")).to_have_count(0)
    expect(page.locator("#filter-safe")).to_be_focused()
    expect(page.locator("#filter-alignment option", has_text="Evil (0)")).to_be_disabled()


@pytest.mark.slow
def test_a_reason_is_shown_beside_the_pane_for_one_row_at_a_time(open_page: Open) -> None:
    page = warband(open_page)
    add(page, "Bannerlady Oresta")
    breaks, card = page.locator(".entry.breaks"), page.locator("#entry-card")
    expect(breaks.filter(has_text="Redtusk Overseer")).to_be_visible()  # it is evil
    for size in (DESK, {"width": 1024, "height": 768}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        show(page, "units")
        for row, place in ((breaks.first, "start"), (breaks.last, "end")):
            row.evaluate("(row, block) => row.scrollIntoView({ block })", place)
            row.hover()
            expect(card).to_be_in_viewport(ratio=1)
            expect(card).to_have_text(row.locator(".entry-told").text_content() or "?")
            pane, told = page.locator("#book").bounding_box(), card.bounding_box()
            assert pane
            assert told
            beside = (
                told["x"] + told["width"] <= pane["x"],
                told["x"] >= pane["x"] + pane["width"],
            )
            assert any(beside)
    before = breaks.nth(breaks.count() - 2)
    before.locator(".add").focus()
    breaks.last.locator("summary").hover(position={"x": 5, "y": 5})
    expect(card).to_have_text(breaks.last.locator(".entry-told").text_content() or "?")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(card).to_have_text(before.locator(".entry-told").text_content() or "?")
    page.locator("#find").hover()
    expect(card).to_be_hidden()


@pytest.mark.slow
def test_ticked_units_are_added_together(open_page: Open) -> None:
    page = warband(open_page)
    bar = page.get_by_role("group", name="With the selected units")
    expect(bar).to_be_visible(visible=False)
    tick(page, "Millbrook Spearhand", "Gatehouse Recruit")
    expect(bar).to_be_in_viewport(ratio=1)
    bar.get_by_label("Number of each").fill("3")
    bar.get_by_role("button", name="Add").click()
    expect(page.locator("#said")).to_contain_text("3 × Millbrook Spearhand, 3 × Gatehouse Recruit")
    expect(page.locator("#shelf .tick:checked")).to_have_count(0)
    expect(bar).to_be_hidden()
    expect(page.locator("#shelf :focus")).to_have_accessible_name(AT_THE_UNIT)
    show(page, "army")
    expect_models(page, "u1", 3)
    expect_models(page, "u2", 3)


@pytest.mark.slow
def test_ticks_outlast_a_search_and_an_addition(open_page: Open) -> None:
    page = warband(open_page)
    tick(page, "Millbrook Spearhand", "Bannerlady Oresta")
    page.get_by_label("Search by name, ability or stat").fill("oresta")
    expect(page.locator("#shelf-count")).to_have_text("1 of 34 shown")
    bar = page.get_by_role("group", name="With the selected units")
    expect(bar.get_by_role("checkbox", name="Millbrook Spearhand")).to_be_checked()
    add(page, "Bannerlady Oresta")
    expect(page.get_by_role("checkbox", name="Select Bannerlady Oresta")).to_be_checked()
    page.get_by_role("link", name="Remove this filter").click()
    expect(page.locator("#shelf-count")).to_have_text("34 of 34 shown")
    expect(page.locator("#shelf-count")).to_be_focused()
    expect(page.get_by_role("checkbox", name="Select Millbrook Spearhand")).to_be_checked()
    bar.get_by_role("button", name="Clear").click()
    expect(page.locator("#shelf .tick:checked")).to_have_count(0)
    expect(bar).to_be_hidden()


@pytest.mark.slow
def test_a_plus_with_shift_asks_how_many(open_page: Open) -> None:
    page = warband(open_page)
    page.get_by_role("button", name="Add Millbrook Spearhand").click(modifiers=["Shift"])
    expect(page.get_by_label("Number of each")).to_be_focused()
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect_models(page, "u1", 4)
    expect(page.locator(".line")).to_have_count(1)


@pytest.mark.slow
def test_ticked_units_are_compared_and_one_is_added(open_page: Open) -> None:
    page = warband(open_page, PHONE)
    tick(page, "Bannerlady Oresta", "Redtusk Overseer")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("heading", name="Units side by side")).to_be_visible()
    expect(page.get_by_role("row", name="Speed")).to_be_visible()
    page.get_by_text("Differences only").click()
    expect(page.get_by_role("row", name="Speed")).to_be_hidden()
    expect(page.get_by_role("row", name="Points")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Add Redtusk Overseer").click()
    expect(page.locator("#u1")).to_contain_text("Redtusk Overseer")


def brings_the_shelf(request: Request) -> bool:
    return request.method == "GET" and "sort=" in request.url


@pytest.mark.slow
def test_a_click_does_not_wait_for_the_shelf_to_follow_the_one_before(open_page: Open) -> None:
    page = warband(open_page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        """Keep back what brings the shelf anew; acts pass, and what looks ahead."""
        if brings_the_shelf(route.request):
            held.append(route)
        else:
            route.continue_()

    page.route("**/lists/**", hold)
    for number, unit in enumerate(["Millbrook Spearhand", "Gatehouse Recruit"], 1):
        with page.expect_request(brings_the_shelf):
            page.get_by_role("button", name=f"Add {unit}").click()
        expect(page.locator(".line")).to_have_count(number)
    safe = page.locator("label", has=page.locator("#filter-safe"))
    expect(safe).to_have_text("Allowed 26")
    held[-1].continue_()
    expect(safe).not_to_have_text("Allowed 26")


@pytest.mark.slow
def test_clicks_in_one_breath_all_arrive_and_the_shelf_is_as_the_list_is_then(
    open_page: Open,
) -> None:
    page = warband(open_page)
    page.evaluate(
        "for (const add of [...document.querySelectorAll('#shelf .add')].slice(0, 6)) add.click()"
    )
    expect(page.locator(".line")).to_have_count(6)
    fresh = page.context.new_page()
    fresh.goto(page.url)
    for part in ("#shelf", "#facets"):
        expect(page.locator(part)).to_have_text(fresh.locator(part).text_content() or "nothing")


@pytest.mark.slow
def test_words_that_complete_an_ability_are_in_sight_as_soon_as_they_are_there(
    open_page: Open,
) -> None:
    book = Shelf(Client(), name="Mill Folk")
    page = open_page(size=PHONE, at=f"{book.url}units/new/", client=book.client)
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
