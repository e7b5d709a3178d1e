"""Printing in a real Chromium, and pages that follow a worker until it is through."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from armybuilder.engine.options import Offer
from armybuilder.engine.units import Unit
from armybuilder.loading.library import shipped_library
from armybuilder.printing.models import PrintJob
from armybuilder.uploads.models import Upload
from tests.browser.conftest import Open
from tests.browser.steps import is_seen, show
from tests.browser.test_my_lists_journey import three_lists
from tests.building.zips import packed
from tests.pages.test_pages import upload
from tests.uploads.files import OWN_NAME, own_files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


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
def test_the_preview_follows_the_set_up_and_the_focus_stays(open_page: Open) -> None:
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


@pytest.mark.slow
def test_without_a_sheet_chosen_the_page_says_so_and_goes_on(open_page: Open) -> None:
    page = open_page()
    open_example(page)
    page.get_by_label("Full sheet").uncheck()
    expect(page.locator("#print-said")).to_contain_text("Choose at least one sheet.")
    expect(page.locator(".print-pages")).to_have_count(0)
    page.get_by_label("Compact sheet").check()
    expect(page.locator("#print-said")).to_contain_text("Fits on 1 page")


def tick_and_print(page: Page) -> None:
    """To the page where it is chosen how the first two of three lists are printed."""
    three_lists(page)
    page.goto("/lists/")
    for number in (0, 1):
        page.locator(".list-tick input").nth(number).check()
    page.locator(".chosen-bar").get_by_role("button", name="Print", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Print 2 lists")


@pytest.mark.slow
def test_the_page_follows_the_worker_until_the_file_is_there(open_page: Open) -> None:
    page = open_page()
    tick_and_print(page)
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


@pytest.mark.slow
def test_the_page_follows_the_worker_until_the_report_is_there(
    open_page: Open, tmp_path: Path
) -> None:
    file = tmp_path / "otters.zip"
    file.write_bytes(packed(own_files()))
    page = open_page(at="")
    page.goto("/books/upload/")
    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", name=OWN_NAME)).to_be_visible()
    Upload.objects.update(state="working", done=0, total=2, worker="x")
    page.reload()
    expect(page).to_have_title("Reading…")
    Upload.objects.update(done=1)
    expect(page.get_by_role("progressbar", name="1 of 2 books read")).to_be_visible()
    Upload.objects.update(state="done")
    expect(page).to_have_title("What was found")


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
def test_every_statistic_is_on_paper(open_page: Open, live_server: Any, book: str) -> None:
    client = Client()
    units = [{**entry, "id": f"u{number}"} for number, entry in enumerate(entries(book))][:400]
    place = upload(
        client,
        {
            "format": "armylist/1",
            "system": "t9a-2023",
            "books": [{"id": book}],
            "name": "All",
            "limit": 4500,
            "units": units,
        },
    )
    page = open_page(size={"width": WIDTH, "height": 1000})
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page.emulate_media(media="print")
    page.goto(f"{place}sheet/")
    assert page.locator(".army-unit").count() == len(units)
    assert page.evaluate(CUT_OFF) == []
