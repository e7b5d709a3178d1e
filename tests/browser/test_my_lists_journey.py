"""Journeys through one's lists in a real Chromium: finding, ticking, undoing, tabs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from armybuilder.engine.options import Offer
from armybuilder.engine.units import Unit
from armybuilder.loading.library import shipped_library
from armybuilder.printing.models import PrintJob
from tests.browser.conftest import Open
from tests.browser.steps import is_seen, show
from tests.building.documents import list_of
from tests.conftest import Builder
from tests.pages.test_pages import upload

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def with_three_lists(open_page: Open, **options: Any) -> Page:
    """Open the lists of somebody who has three, of two games."""
    client = Client()
    made = (("chainmail-2002", 100, "practice"), ("sbh", 250, "profiles"), ("sbh", 300, "profiles"))
    for system, limit, book in made:
        Builder(client, system, limit=limit, books=[book])
    return open_page(at="/lists/", client=client, **options)


@pytest.mark.slow
def test_lists_are_found_while_typing_and_the_address_keeps_it(open_page: Open) -> None:
    page = with_three_lists(open_page)
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
def test_ticks_outlast_searches_and_what_is_done_with_them(open_page: Open) -> None:
    page = with_three_lists(open_page)
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
    page.get_by_label("Tags, separated by commas").last.fill("club")
    bar.get_by_role("button", name="Add").click()
    expect(page.locator(".lists-done")).to_contain_text("Tagged 2 lists: club.")
    expect(page.locator(".list-tick :checked")).to_have_count(2)
    expect(bar.locator("summary", has_text="Tag")).to_be_focused()
    bar.get_by_role("button", name="Clear selection").click()
    expect(bar).to_be_hidden()
    # They are ticked and tagged by keyboard alone.
    page.get_by_label("Select all").press("Space")
    page.locator(".chosen-bar summary", has_text="Tag").press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("club night")
    page.keyboard.press("Enter")
    expect(page.locator(".lists-done")).to_contain_text("Tagged 3 lists: club night.")
    expect(page.locator(".tag", has_text="club night")).to_have_count(3)


#: Drops files with these names and texts onto the page.
DROP = """files => {
  const carried = new DataTransfer();
  for (const [name, text] of files) carried.items.add(new File([text], name));
  for (const type of ["dragover", "drop"])
    document.body.dispatchEvent(
      new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


@pytest.mark.slow
def test_files_dropped_anywhere_on_the_page_become_lists(open_page: Open) -> None:
    names = ("Mill", "Marsh", "Moor")
    files = [
        [f"{name}.json", json.dumps(list_of("sbh", [], [], limit=300, name=name))] for name in names
    ]
    for address in ("/lists/", "/lists/import/"):
        page = open_page(at=address)
        page.evaluate(DROP, files)
        expect(page.locator(".lists-done")).to_contain_text("Imported 3 lists.")
        expect(page.locator(".row-name")).to_have_text(names)


@pytest.mark.slow
def test_on_a_phone_the_first_list_is_near_the_top_and_filters_open_from_below(
    open_page: Open,
) -> None:
    page = with_three_lists(open_page, size={"width": 360, "height": 740})
    boxes = [row.bounding_box() or {} for row in page.locator(".list-row").all()]
    assert boxes[0]["y"] < 200
    assert all(box["height"] <= 64 for box in boxes)
    expect(page.get_by_label("Sort by")).to_be_hidden()
    page.get_by_role("button", name="Filter").click()
    page.get_by_label("Game").select_option(label="Chainmail 2002 (1)")
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".list-row")).to_have_count(1)
    expect(page.get_by_label("Sort by")).to_be_hidden()


# Printing, and pages that follow a worker until it is through.


def open_example(page: Page) -> None:
    page.goto("/new/sbh/")
    page.locator("button[formaction*='/example/']").first.click()
    expect(page.locator("#chip")).to_be_visible()
    if not is_seen(page.locator("#to-print")):  # on a phone among what else there is
        show(page, "game")
    page.get_by_role("link", name="Print", exact=True).click()
    expect(page.locator(".print-pages img").first).to_be_visible()


def drawn(page: Page) -> list[tuple[int, int]]:
    """Width and height in pixels of each picture, once all have arrived."""
    for picture in page.locator(".print-pages img").all():
        picture.scroll_into_view_if_needed()
    pictures = "[...document.querySelectorAll('.print-pages img')]"
    # A function: our CSP lets no text be evaluated once the page has to be asked again.
    page.wait_for_function(f"() => {pictures}.every((one) => one.complete && one.naturalWidth)")
    sizes = page.evaluate(f"{pictures}.map((one) => [one.naturalWidth, one.naturalHeight])")
    return [(width, height) for width, height in sizes]


@pytest.mark.slow
def test_the_preview_follows_the_preset_and_the_focus_stays(open_page: Open) -> None:
    page = open_page()
    open_example(page)
    assert all(width < height for width, height in drawn(page))
    page.evaluate("window.stayed = true")
    page.get_by_label("Name").fill("Small")
    page.get_by_label("Orientation").select_option("1")
    page.wait_for_url(re.compile("landscape=1"))
    before = drawn(page)
    assert all(width > height for width, height in before)
    page.get_by_label("Quick reference").focus()
    page.keyboard.press("Space")
    page.wait_for_url(re.compile("kinds=full,quick"))
    expect(page.get_by_label("Quick reference")).to_be_focused()
    assert len(drawn(page)) > len(before)
    expect(page.locator("#print-said")).to_contain_text(f"Fits on {len(drawn(page))} pages")
    page.locator("#up-quick").click()
    page.wait_for_url(re.compile("kinds=quick,full"))
    expect(page.locator(".print-kinds li").first).to_have_id("row-quick")
    expect(page.locator("#up-quick")).to_be_focused()
    assert page.evaluate("window.stayed"), "nothing was loaded anew"
    expect(page.get_by_label("Name")).to_have_value("Small")
    page.reload()
    expect(page.locator(".print-kinds li").first).to_have_id("row-quick")
    # Without a sheet chosen the page says so, and goes on.
    page.get_by_label("Full sheet").uncheck()
    page.get_by_label("Quick reference").uncheck()
    expect(page.locator("#print-said")).to_contain_text("Choose at least one sheet.")
    expect(page.locator(".print-pages")).to_have_count(0)
    page.get_by_label("Compact sheet").check()
    expect(page.locator("#print-said")).to_contain_text("Fits on 1 page")


@pytest.mark.slow
def test_the_page_follows_the_worker_until_the_file_is_there(open_page: Open) -> None:
    page = with_three_lists(open_page)
    for number in (0, 1):
        page.locator(".list-tick input").nth(number).check()
    page.locator(".chosen-bar").get_by_role("button", name="Print", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Print 2 lists")
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


#: A4 between margins of 1 cm, in CSS pixels; the narrower Letter is wider than that.
WIDTH = 718
#: The longest names of units and of what they ride, and the most stat lines of one unit.
BOOKS = ("daemon-legions", "dwarven-holds", "vermin-swarm", "warriors-of-the-dark-gods")
CUT_OFF = """() => [...document.querySelectorAll(".scroll")]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => `${one.getAttribute("aria-label")} ${one.scrollWidth} > ${one.clientWidth}`)"""


def mounts(unit: Unit) -> Iterator[tuple[str, ...]]:
    """The paths of the options that bring stat lines."""

    def walk(offer: Offer, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for option_id, slots in offer.slots.items():
            here = (*path, option_id)
            if slots[0].option.profiles:
                yield here
            yield from walk(slots[0].option.offer, here)

    return walk(unit.offer, ())


def entries(book: str) -> Iterator[dict[str, Any]]:
    """Every unit of a book as it comes, and with each mount."""
    catalogue = shipped_library().catalogue("t9a-2023", [book])
    for unit in catalogue.units.values():
        for path in ((), *mounts(unit)):
            entry: dict[str, Any] = {"unit": unit.ref, "models": 1}
            holder = entry
            for part in path:
                holder["options"] = [{"id": part}]
                (holder,) = holder["options"]
            yield entry


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_every_statistic_is_on_paper(open_page: Open, book: str) -> None:
    client, units = Client(), list(entries(book))[:400]
    place = upload(client, list_of("t9a-2023", [book], units, limit=4500))
    page = open_page(size={"width": WIDTH, "height": 1000}, at="", client=client)
    page.emulate_media(media="print")
    page.goto(f"{place}sheet/")
    assert page.locator(".army-unit").count() == len(units)
    assert page.evaluate(CUT_OFF) == []
