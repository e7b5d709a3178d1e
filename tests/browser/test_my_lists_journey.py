"""Journeys through one's lists in a real Chromium: finding, ticking, undoing, tabs."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from tests.browser.conftest import SIZES, WITH_AND_WITHOUT_SCRIPT
from tests.browser.test_journeys import start
from tests.conftest import Builder

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def three_lists(page: Page) -> list[str]:
    """Give the browser three lists of two games; their addresses."""
    client = Client()
    made = (("chainmail-2002", 100, "practice"), ("sbh", 250, "profiles"), ("sbh", 300, "profiles"))
    lists = [Builder(client, system, limit=limit, books=[book]) for system, limit, book in made]
    site = re.sub("/$", "", page.url)
    cookies = [
        {"name": name, "value": morsel.value, "url": site}
        for name, morsel in client.cookies.items()
    ]
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    return [site + one.url for one in lists]


def rows(page: Page) -> int:
    return page.locator(".list-row").count()


def test_lists_are_found_while_typing_and_the_address_keeps_it(
    open_page: Callable[..., Page],
) -> None:
    page = open_page()
    three_lists(page)
    page.goto("/lists/")
    find = page.get_by_role("searchbox", name="Find")
    find.press_sequentially("song of")
    expect(page.locator("#lists-number")).to_have_text("2 of 3 lists")
    expect(page.locator(".list-row")).to_have_count(2)
    expect(find).to_be_focused()
    expect(page).to_have_url(re.compile(r"q=song\+of"))
    page.reload()
    expect(page.locator(".list-row")).to_have_count(2)
    page.get_by_role("link", name="Show all").click()
    expect(page.locator(".list-row")).to_have_count(3)


@SIZES
@WITH_AND_WITHOUT_SCRIPT
def test_ticked_lists_are_archived_together_and_brought_back(
    open_page: Callable[..., Page], script: bool, size: dict[str, int]
) -> None:
    page = open_page(script, size)
    three_lists(page)
    page.goto("/lists/")
    bar = page.locator(".chosen-bar")
    expect(bar).to_be_hidden()
    for number in (0, 1):
        page.locator(".list-tick input").nth(number).check()
    expect(bar).to_be_visible()
    if script:
        expect(bar).to_contain_text("2 lists ticked")
    bar.get_by_role("button", name="Archive").click()
    expect(page.locator(".lists-done")).to_contain_text("Archived 2 lists.")
    assert rows(page) == 1
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".lists-done")).to_contain_text("2 lists are out of the archive.")
    assert rows(page) == 3


def test_lists_are_ticked_and_tagged_by_keyboard_alone(open_page: Callable[..., Page]) -> None:
    page = open_page()
    three_lists(page)
    page.goto("/lists/")
    page.get_by_label("Tick all").press("Space")
    page.locator(".chosen-bar summary", has_text="Tag").press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("club night")
    page.keyboard.press("Enter")
    expect(page.locator(".lists-done")).to_contain_text("Tagged 3 lists: club night.")
    expect(page.locator(".tag")).to_have_count(3)


def test_ticks_outlast_searches_and_what_is_done_with_them(open_page: Callable[..., Page]) -> None:
    page = open_page()
    three_lists(page)
    page.goto("/lists/")
    bar, find = page.locator(".chosen-bar"), page.get_by_role("searchbox", name="Find")
    find.press_sequentially("song")
    expect(page.locator(".list-row")).to_have_count(2)
    page.locator(".list-tick input").first.check()
    expect(page.locator(".list-tick :checked")).to_have_count(1)
    find.fill("chainmail")
    expect(page.locator(".list-row")).to_have_count(1)
    expect(bar).to_contain_text("1 list ticked, not shown here")
    page.locator(".list-tick input").check()
    expect(bar).to_contain_text("2 lists ticked, 1 of them not shown here")
    page.get_by_role("link", name="Show all").click()
    expect(page.locator(".list-tick :checked")).to_have_count(2)
    expect(find).to_have_value("")
    bar.locator("summary", has_text="Tag").click()
    page.get_by_label("Tags, with commas between").last.fill("club")
    bar.get_by_role("button", name="Add").click()
    expect(page.locator(".lists-done")).to_contain_text("Tagged 2 lists: club.")
    expect(page.locator(".list-tick :checked")).to_have_count(2)
    expect(bar.locator("summary", has_text="Tag")).to_be_focused()
    bar.get_by_role("button", name="Untick all").click()
    expect(bar).to_be_hidden()


def test_history_shows_the_time_of_the_reader(open_page: Callable[..., Page]) -> None:
    page = open_page()
    start(page, "Chainmail 2002", 100)
    page.goto(page.url.split("#")[0] + "history/")
    time = page.locator(".moment time").first
    expect(time).not_to_contain_text("UTC")
    expect(time).to_have_attribute("title", re.compile("UTC$"))


@SIZES
def test_open_lists_stand_in_tabs_that_follow_their_names(
    open_page: Callable[..., Page], size: dict[str, int]
) -> None:
    page = open_page(size=size)
    addresses = first, _, last = three_lists(page)
    for address in addresses:
        page.goto(address)
    tabs = page.get_by_role("navigation", name="Open lists")
    expect(tabs.locator(".tab")).to_have_count(3)
    expect(tabs.locator("[aria-current=page]")).to_have_count(1)
    page.get_by_text("Name, size, books").click()
    page.locator("#about").get_by_label("Name", exact=True).fill("Another name")
    page.locator("#about").get_by_label("Name", exact=True).press("Enter")
    expect(tabs.locator("[aria-current=page]")).to_have_text("Another name")
    tabs.locator(".tab a").first.click()
    expect(page).to_have_url(re.compile(re.escape(first.split("#")[0])))
    tabs.get_by_role("link", name="Side by side").click()
    expect(page.locator(".beside section")).to_have_count(2)
    page.goto(last)
    tabs.locator(".tab.current").get_by_role("button").click()
    expect(tabs.locator(".tab")).to_have_count(2)
