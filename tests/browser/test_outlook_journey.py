"""What a solver says of a list, in Chromium: dead ends, ways to make it legal, the rest spent."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Open
from tests.browser.steps import show
from tests.browser.survey import axe_findings
from tests.browser.test_journeys import add

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Milliseconds for what is looked for longer, on a busy machine.
LONG = 20_000
HALBERDIER, LURKER = "Toll-Gate Halberdier", "Lurker of the Ninth Stair"


def creatures(open_page: Open, size: dict[str, int]) -> Page:
    """A list with one creature beside which some others can no longer stand."""
    page = open_page(size=size, at="")
    page.goto("/new/ddm-2008/")
    page.get_by_label("(points)").fill("200")
    page.get_by_role("button", name="Create list").click()
    add(page, HALBERDIER)
    return page


def army(open_page: Open, size: dict[str, int], units: int) -> Page:
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
def test_a_dead_end_is_marked_with_its_reason(open_page: Open) -> None:
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
def test_what_is_needed_and_why_it_cannot_be(open_page: Open) -> None:
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


#: The narrowest phone.
NARROW = {"width": 360, "height": 740}
NO_WAY = "There is no way that keeps all of these."


def too_dear_a_dragon(page: Page) -> None:
    """A small army whose General rides a dragon that is too dear for it."""
    page.goto("/new/t9a-2023/")
    page.get_by_label("(points)").fill("2000")
    page.locator("select[name=books]").select_option(label="Highborn Elves")
    page.get_by_role("button", name="Create list").click()
    show(page, "units")
    page.get_by_role("button", name="Add High Prince", exact=True).click()
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
    page.get_by_role("button", name="Show ways").click()


def in_sight(page: Page, words: str) -> None:
    """What is said stands where the eye is, after all that was unfolded below it."""
    expect(page.locator(".ways").get_by_text(words).first).to_be_in_viewport(timeout=LONG)


def test_a_way_keeps_what_is_pinned_and_is_taken_and_undone(open_page: Open) -> None:
    page = open_page(size=NARROW)
    too_dear_a_dragon(page)
    show(page, "errors")
    page.locator("#ways-4").scroll_into_view_if_needed()  # those of the fourth version
    ways = page.locator(".way")
    expect(ways).to_have_count(3, timeout=LONG)
    pin(page, "Dragon")
    in_sight(page, NO_WAY)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    expect(page.locator("#ways-title")).to_be_focused()
    assert list(axe_findings(page)) == []
    pin(page, "Dragon", pinned=False)
    expect(ways).to_have_count(3, timeout=LONG)
    pin(page, "General")
    in_sight(page, "High Prince: without Dragon")
    expect(page.get_by_label("General", exact=True)).to_be_checked()
    assert "no longer General" not in page.locator(".ways-list").inner_text()
    ways.first.get_by_role("button", name="Do this").click()
    expect(page.locator("#chip")).to_contain_text("Legal")
    show(page, "army")
    expect(page.locator("#u1 .mark.role")).to_have_text("General")
    page.locator("#undo").click()
    expect(page.locator("#chip")).to_contain_text("1 error")
    expect(page.locator("#u1")).to_contain_text("Dragon")


@pytest.mark.slow
@pytest.mark.parametrize(("place", "button"), [("ways", "Do this"), ("fill", "Add this")])
def test_what_pages_of_their_own_offer_is_taken_with_script_too(
    open_page: Open, place: str, button: str
) -> None:
    page = open_page()
    page.goto("/new/sbh/")
    page.get_by_role("button", name="Create list").click()
    page.goto(f"{page.url.split('?')[0]}{place}/")
    page.get_by_role("button", name=button).first.click()
    expect(page.locator("#chip")).to_contain_text("Legal")
    expect(page.locator("#undo")).to_be_visible()


@pytest.mark.slow
def test_wishes_bring_other_proposals_in_place(open_page: Open) -> None:
    page = open_page(at="")
    page.goto("/new/chainmail-2002/")
    page.locator("input[name=books][value=practice]").check()
    page.get_by_role("button", name="Create list").click()
    page.locator("#to-fill").click()
    expect(page.locator(".proposal")).to_have_count(3)
    before = page.locator(".proposals").inner_text()
    page.get_by_text("What would you like?").first.click()
    page.get_by_label("Nothing twice").check()
    page.get_by_role("button", name="Show proposals").click()
    expect(page.locator(".proposals")).not_to_have_text(before)
    expect(page.locator("details[open] [value=no-copies]")).to_be_checked()
    expect(page.locator(".proposal")).to_have_count(3)
    units = page.locator(".proposal .new-unit").all_inner_texts()
    assert units
    assert not any(re.match(r"\d+ ×", unit) for unit in units)
    before = page.locator(".proposal").first.inner_text()
    page.get_by_role("link", name="Other proposals").click()
    expect(page.locator(".proposal").first).not_to_have_text(before)
    expect(page.get_by_label("Nothing twice")).to_be_checked()
