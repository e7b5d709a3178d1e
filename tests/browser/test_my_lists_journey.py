"""Journeys through one's lists in a real Chromium: finding, ticking, undoing, tabs."""

import json
import re

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_journeys import new_list
from tests.building.documents import list_of
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


def test_lists_are_found_while_typing_and_the_address_keeps_it(open_page: Open) -> None:
    page = open_page()
    three_lists(page)
    page.goto("/lists/")
    find = page.get_by_role("searchbox", name="Search")
    find.press_sequentially("song of")
    expect(page.locator("#lists-number")).to_have_text("2 of 3 lists")
    expect(page.locator(".list-row")).to_have_count(2)
    expect(find).to_be_focused()
    expect(page).to_have_url(re.compile(r"q=song\+of"))
    page.reload()
    expect(page.locator(".list-row")).to_have_count(2)
    page.get_by_role("link", name="Show all").click()
    expect(page.locator(".list-row")).to_have_count(3)


@pytest.mark.slow
def test_lists_are_ticked_and_tagged_by_keyboard_alone(open_page: Open) -> None:
    page = open_page()
    three_lists(page)
    page.goto("/lists/")
    page.get_by_label("Select all").press("Space")
    page.locator(".chosen-bar summary", has_text="Tag").press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("club night")
    page.keyboard.press("Enter")
    expect(page.locator(".lists-done")).to_contain_text("Tagged 3 lists: club night.")
    expect(page.locator(".tag")).to_have_count(3)


@pytest.mark.slow
def test_ticks_outlast_searches_and_what_is_done_with_them(open_page: Open) -> None:
    page = open_page()
    three_lists(page)
    page.goto("/lists/")
    bar, find = page.locator(".chosen-bar"), page.get_by_role("searchbox", name="Search")
    find.press_sequentially("song")
    expect(page.locator(".list-row")).to_have_count(2)
    page.locator(".list-tick input").first.check()
    expect(page.locator(".list-tick :checked")).to_have_count(1)
    find.fill("chainmail")
    expect(page.locator(".list-row")).to_have_count(1)
    expect(bar).to_contain_text("1 list selected, not shown here")
    page.locator(".list-tick input").check()
    expect(bar).to_contain_text("2 lists selected, 1 of them not shown here")
    page.get_by_role("link", name="Show all").click()
    expect(page.locator(".list-tick :checked")).to_have_count(2)
    expect(find).to_have_value("")
    bar.locator("summary", has_text="Tag").click()
    page.get_by_label("Tags, with commas between").last.fill("club")
    bar.get_by_role("button", name="Add").click()
    expect(page.locator(".lists-done")).to_contain_text("Tagged 2 lists: club.")
    expect(page.locator(".list-tick :checked")).to_have_count(2)
    expect(bar.locator("summary", has_text="Tag")).to_be_focused()
    bar.get_by_role("button", name="Clear selection").click()
    expect(bar).to_be_hidden()


@pytest.mark.slow
def test_history_shows_the_time_of_the_reader(open_page: Open) -> None:
    page = new_list(open_page, "Chainmail 2002", 100)
    page.goto(page.url.split("#")[0] + "history/")
    time = page.locator(".moment time").first
    expect(time).not_to_contain_text("UTC")
    expect(time).to_have_attribute("title", re.compile("UTC$"))


#: Drops files with these names and texts onto the page.
DROP = """files => {
  const carried = new DataTransfer();
  for (const [name, text] of files) carried.items.add(new File([text], name));
  for (const type of ["dragover", "drop"])
    document.body.dispatchEvent(
      new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


@pytest.mark.parametrize(
    "address", [pytest.param("/lists/", marks=pytest.mark.slow), "/lists/import/"]
)
def test_files_dropped_anywhere_on_the_page_become_lists(open_page: Open, address: str) -> None:
    page = open_page(at="")
    page.goto(address)
    names = ("Mill", "Marsh", "Moor")
    files = [
        [f"{name}.json", json.dumps(list_of("sbh", [], [], limit=300, name=name))] for name in names
    ]
    page.evaluate(DROP, files)
    expect(page.locator(".lists-done")).to_contain_text("Imported 3 lists.")
    expect(page.locator(".row-name")).to_have_text(names)


def test_on_a_phone_the_first_list_is_near_the_top_and_filters_open_from_below(
    open_page: Open,
) -> None:
    page = open_page(size={"width": 360, "height": 740})
    three_lists(page)
    page.goto("/lists/")
    boxes = [row.bounding_box() or {} for row in page.locator(".list-row").all()]
    assert boxes[0]["y"] < 200
    assert all(box["height"] <= 64 for box in boxes)
    expect(page.get_by_label("Sort by")).to_be_hidden()
    page.get_by_role("button", name="Filter").click()
    page.get_by_label("Game").select_option(label="Chainmail 2002 (1)")
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".list-row")).to_have_count(1)
    expect(page.get_by_label("Sort by")).to_be_hidden()
