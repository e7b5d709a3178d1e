"""Journeys through what was and what would be: a labelled version found again, a changed book taken
over on yes alone, and all data carried into another browser.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.steps import show
from tests.browser.test_journeys import add, start

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Points of a model of quality 4 and combat 2, and of one of combat 5.
WEAK, STRONG = 15, 38


def own_book(page: Page, name: str, combat: int) -> str:
    """Make a book with one card; its address."""
    page.goto("/books/new/sbh/")
    page.get_by_label("Name", exact=True).fill(name)
    page.locator("main form button.primary").click()
    page.wait_for_url("**/books/own-*/")
    book = page.url
    write_card(page, f"{book}units/new/", combat)
    return book


def write_card(page: Page, card: str, combat: int) -> None:
    """Fill in a card; the game works its points out."""
    page.goto(card)
    page.locator("input[name=name]").fill("Marsh Troll")
    page.locator("[name=stat-quality]").fill("4")
    page.locator("[name=stat-combat]").fill(str(combat))
    with page.expect_navigation():
        page.locator("[name=stat-combat]").press("Enter")


@pytest.mark.slow
def test_a_changed_book_changes_a_list_only_on_yes(open_page: Callable[..., Page]) -> None:
    page = open_page(size=PHONE)
    book = own_book(page, "Marsh folk", 2)
    page.goto("/new/sbh/")
    page.get_by_label("Marsh folk").check()
    page.locator("input[name=limit]").fill("30")
    page.locator("main form button.primary").first.click()
    page.wait_for_url("**/lists/*-*/")
    builder = page.url
    show(page, "units")
    page.get_by_role("button", name="Add Marsh Troll", exact=True).click()
    spent = page.locator(".bar-points, .spent").first
    expect(spent).to_contain_text(f"{WEAK}")

    write_card(page, f"{book}units/marsh-troll/", 5)
    page.goto("/lists/")
    page.get_by_role("link", name="A book has changed").click()
    expect(page.get_by_role("heading", name="Points that change")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Not legal")
    page.get_by_role("link", name="Keep the list as it is").click()
    expect(spent).to_contain_text(f"{WEAK}")

    page.goto(f"{builder}changes/")
    page.get_by_role("button", name="Apply the changes").click()
    expect(spent).to_contain_text(f"{STRONG}")
    page.goto("/lists/")
    expect(page.get_by_role("link", name="A book has changed")).to_have_count(0)


@pytest.mark.slow
def test_a_labelled_version_is_found_again_and_all_data_goes_along(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_page(size=PHONE, at="")
    start(page, "Chainmail 2002", 100)
    add(page, "Captain of the Silver Reed")
    builder = page.url.partition("?")[0].partition("#")[0]
    page.goto(f"{builder}history/")
    page.locator("#version-2 .moment-labelling > summary").click()
    page.get_by_label("Label of version 2").fill("Ready for the club")
    page.get_by_label("Label of version 2").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Version 2 is now labelled")
    page.get_by_label("only labelled").check()
    page.locator(".history-search button").click()
    expect(page.locator(".moment")).to_have_count(1)
    expect(page.locator(".moment-label")).to_contain_text("Ready for the club")

    page.goto("/account/data/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export everything as a file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)

    other = open_page(script=False)
    other.goto("/account/data/")
    expect(other.locator("main")).to_contain_text("There is nothing here yet.")
    other.get_by_label("File (.zip)").set_input_files(file)
    other.get_by_role("button", name="Import").click()
    expect(other.get_by_role("status")).to_contain_text("1 new list.")
    other.goto("/lists/")
    other.locator(".row-name").click()
    expect(other.locator("main")).to_contain_text("Captain of the Silver Reed")
