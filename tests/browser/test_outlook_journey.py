"""Looking ahead in the builder: what can still become of a list, dead ends, and why."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE
from tests.browser.steps import show
from tests.browser.survey import axe_findings
from tests.browser.test_journeys import add

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Milliseconds for what is looked for longer, on a busy machine.
LONG = 20_000
HALBERDIER, LURKER = "Toll-Gate Halberdier", "Lurker of the Ninth Stair"


def creatures(open_page: Callable[..., Page], size: dict[str, int]) -> Page:
    """A list with one creature beside which some others can no longer stand."""
    page = open_page(size=size, at="")
    page.goto("/new/ddm-2008/")
    page.get_by_label("(points)").fill("200")
    page.get_by_role("button", name="Create list").click()
    add(page, HALBERDIER)
    return page


def army(open_page: Callable[..., Page], size: dict[str, int], units: int) -> Page:
    """An army with so many of a unit of which two are allowed."""
    page = open_page(True, size, at="")
    page.goto("/new/t9a-2023/")
    page.get_by_label("(points)").fill("2000")
    page.locator("select[name=books]").select_option(label="Highborn Elves")
    page.get_by_role("button", name="Create list").click()
    for number in range(1, units + 1):
        show(page, "units")
        page.get_by_role("button", name="Add Sword Masters", exact=True).click()
        expect(page.locator("#unit")).to_have_attribute("data-unit", f"u{number}")
    return page


@pytest.mark.slow
def test_a_dead_end_is_marked_with_its_reason(open_page: Callable[..., Page]) -> None:
    page = creatures(open_page, PHONE)
    show(page, "units")
    entry = page.locator(".entry", has_text=LURKER)
    expect(entry.locator(".entry-mark")).to_contain_text("Dead end", timeout=LONG)
    entry.locator("summary").click()
    expect(entry).to_contain_text("the list can no longer become legal")
    expect(entry.locator(".entry-why")).to_contain_text("cannot stand together", timeout=LONG)
    expect(entry.locator(".entry-why cite").first).to_be_visible()
    assert list(axe_findings(page)) == []
    # Nobody is kept from adding it; then the whole list is told so, until that is taken back.
    add(page, LURKER)
    show(page, "errors")
    outlook = page.locator("#outlook")
    expect(outlook).to_contain_text("can no longer make it legal", timeout=LONG)
    page.locator("#undo").click()
    expect(outlook.get_by_text("can no longer make it legal")).to_have_count(0, timeout=LONG)


@pytest.mark.slow
def test_what_is_needed_and_why_it_cannot_be(open_page: Callable[..., Page]) -> None:
    page = army(open_page, DESK, 1)
    show(page, "errors")
    outlook = page.locator("#outlook")
    expect(outlook).to_contain_text("Core still needs 500 points", timeout=LONG)
    for number in (2, 3, 4):
        show(page, "units")
        page.get_by_role("button", name="Add Sword Masters", exact=True).click()
        expect(page.locator("#unit")).to_have_attribute("data-unit", f"u{number}")
    show(page, "errors")
    expect(outlook).to_contain_text("can no longer make it legal", timeout=LONG)
    outlook.get_by_text("Why can it not become legal?").click()
    expect(outlook).to_contain_text("Sword Masters (3)", timeout=LONG)
    why = page.locator("#findings details.why").first
    why.locator("summary").click()
    expect(why).to_contain_text("cannot stand together", timeout=LONG)
    assert list(axe_findings(page)) == []
    page.locator("#undo").click()
    page.locator("#undo").click()
    expect(outlook).to_contain_text("can still make it legal", timeout=LONG)
