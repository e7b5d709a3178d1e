"""What a solver says of a list, in Chromium: dead ends, ways to make it legal, the rest spent."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Open
from tests.browser.steps import create, show
from tests.browser.survey import axe_findings
from tests.browser.test_journeys import add

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def brief_outlooks() -> None:
    """Here they are the claim: as long as on a server."""


LURKER = "Lurker of the Ninth Stair"


@pytest.mark.slow
def test_a_unit_that_blocks_a_legal_list_is_marked_with_the_reason(open_page: Open) -> None:
    page = open_page(size=PHONE, at="")
    create(page, "ddm-2008", limit="200")
    add(page, "Toll-Gate Halberdier")  # beside which some can no longer stand
    show(page, "units")
    entry = page.locator(".entry", has_text=LURKER)
    expect(entry.locator(".entry-mark")).to_contain_text("Blocks a legal list")
    entry.locator("summary").click(position={"x": 4, "y": 4})  # its name lies over the middle
    expect(entry).to_contain_text("can’t be made legal by adding")
    expect(entry.locator(".entry-why")).to_contain_text("These choices block")
    expect(entry.locator(".entry-why cite").first).to_be_visible()
    assert list(axe_findings(page)) == []
    # Nobody is kept from adding it; then the whole list is told so, until that is taken back.
    add(page, LURKER)
    show(page, "errors")
    outlook = page.locator("#outlook")
    expect(outlook).to_contain_text("These choices block a legal list:")
    page.locator("#undo").click()
    expect(outlook).not_to_contain_text("These choices block")


#: The narrowest phone.
NARROW = {"width": 360, "height": 740}
NO_WAY = "No fix keeps all of these."


def too_dear_a_dragon(page: Page) -> None:
    """A small army whose General rides a dragon that is too dear for it."""
    create(page, "t9a-2023", limit="2000", books="highborn-elves")
    add(page, "High Prince")
    show(page, "army")
    page.locator("#open-u1").click()
    page.get_by_role("button", name="Make General").click()
    expect(page.get_by_role("button", name="Remove as General")).to_be_visible()
    mounts = page.locator("#unit details.fold", has_text="Mount").first
    if mounts.get_attribute("open") is None:
        mounts.locator("summary").first.click()
    page.locator("#option-u1-dragon").click()
    expect(page.locator("#chip")).to_contain_text("1 error")


def pin(page: Page, part: str, pinned: bool = True) -> None:
    """Keep a part of the High Prince, or no longer, and have the ways looked for again."""
    keep = page.locator(".ways-keep")
    for folded in (keep, keep.locator("details", has_text="Parts of High Prince").first):
        if folded.get_attribute("open") is None:
            folded.locator("summary").first.click()
    keep.get_by_label(part, exact=True).set_checked(pinned)
    page.get_by_role("button", name="Find fixes").click()


def in_sight(page: Page, words: str) -> None:
    """What is said stands where the eye is, after all that was unfolded below it."""
    expect(page.locator(".ways").get_by_text(words).first).to_be_in_viewport()


@pytest.mark.slow
def test_a_fix_keeps_pinned_units_and_can_be_undone(open_page: Open) -> None:
    page = open_page(size=NARROW, at="")
    too_dear_a_dragon(page)
    show(page, "errors")
    page.locator("#ways-4").scroll_into_view_if_needed()  # those of the fourth version
    ways = page.locator(".way")
    expect(ways).to_have_count(3)
    pin(page, "Dragon")
    in_sight(page, NO_WAY)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    expect(page.locator("#ways-title")).to_be_focused()
    assert list(axe_findings(page)) == []
    pin(page, "Dragon", pinned=False)
    expect(ways).to_have_count(3)
    pin(page, "General")
    in_sight(page, "High Prince: without Dragon")
    expect(page.get_by_label("General", exact=True)).to_be_checked()
    assert "no longer General" not in page.locator(".ways-list").inner_text()
    ways.first.get_by_role("button", name="Apply").click()
    expect(page.locator("#chip")).to_contain_text("Legal")
    show(page, "army")
    expect(page.locator("#u1 .mark.role")).to_have_text("General")
    page.locator("#undo").click()
    expect(page.locator("#chip")).to_contain_text("1 error")
    expect(page.locator("#u1")).to_contain_text("Dragon")


@pytest.mark.slow
def test_suggestions_on_their_own_pages_work_with_script(open_page: Open) -> None:
    page = open_page(at="")
    for place, button in (("ways", "Apply"), ("fill", "Add this")):
        create(page, "sbh")
        page.goto(f"{page.url.split('?')[0]}{place}/")
        page.get_by_role("button", name=button).first.click()
        expect(page.locator("#chip")).to_contain_text("Legal")
        expect(page.locator("#undo")).to_be_visible()


@pytest.mark.slow
def test_wishes_replace_the_suggestions_in_place(open_page: Open) -> None:
    page = open_page(at="")
    create(page, "chainmail-2002", books="practice")
    page.locator("#to-fill").click()
    expect(page.locator(".proposal")).to_have_count(3)
    before = page.locator(".proposals").text_content() or ""
    page.get_by_text("What would you like?").first.click()
    page.get_by_label("No duplicates").check()
    page.get_by_role("button", name="Show suggestions").click()
    expect(page.locator(".proposals")).not_to_have_text(before)
    expect(page.locator("details[open] [value=no-copies]")).to_be_checked()
    expect(page.locator(".proposal")).to_have_count(3)
    units = page.locator(".proposal .new-unit").all_text_contents()
    assert units
    assert not any(re.match(r"\s*\d+ ×", unit) for unit in units)
    before = page.locator(".proposal").first.text_content() or ""
    page.get_by_role("link", name="Other suggestions").click()
    expect(page.locator(".proposal").first).not_to_have_text(before)
    expect(page.get_by_label("No duplicates")).to_be_checked()
