"""Making a list legal in Chromium: ways that keep what is pinned, one of them taken and undone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import show
from tests.browser.survey import axe_findings
from tests.browser.test_outlook_journey import LONG

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: The narrowest phone.
PHONE = {"width": 360, "height": 740}
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


def test_a_way_keeps_what_is_pinned_and_is_taken_and_undone(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(size=PHONE)
    too_dear_a_dragon(page)
    show(page, "errors")
    page.locator("#ways-4").scroll_into_view_if_needed()  # those of the fourth version
    ways = page.locator(".way")
    expect(ways).to_have_count(3, timeout=LONG)
    pin(page, "Dragon")
    in_sight(page, NO_WAY)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
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
    open_page: Callable[..., Page], place: str, button: str
) -> None:
    page = open_page()
    page.goto("/new/sbh/")
    page.get_by_role("button", name="Create list").click()
    page.goto(f"{page.url.split('?')[0]}{place}/")
    page.get_by_role("button", name=button).first.click()
    expect(page.locator("#chip")).to_contain_text("Legal")
    expect(page.locator("#undo")).to_be_visible()
