"""A long list in a real Chromium: what is scrolled to comes by itself, and links lead there too."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from armybuilder.lists.models import Version
from tests.browser.test_journeys import start
from tests.building.documents import repeated, skirmish, value_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def long_list(open_page: Callable[..., Page]) -> Page:
    page = open_page(at="")
    start(page, "Chainmail 2002", 140)
    version = Version.objects.latest("pk")
    version.document = value_of(repeated(skirmish("chainmail-2002"), 70))
    version.save()
    page.reload()
    return page


@pytest.mark.slow
def test_all_of_a_long_list_is_reached(open_page: Callable[..., Page]) -> None:
    page = long_list(open_page)
    expect(page.locator("#u1.line")).to_be_visible()
    assert page.locator(".line").count() < 70
    for _stretch in range(2):
        more = page.locator(".more-units a").last
        unit = more.get_attribute("data-goto")
        more.scroll_into_view_if_needed()
        expect(page.locator(f"#{unit}.line")).to_be_visible()
    expect(page.locator("#u70.line")).to_be_visible()
    expect(page.locator(".line")).to_have_count(70)


@pytest.mark.slow
def test_what_comes_by_itself_takes_no_focus_and_acts_go_on(open_page: Callable[..., Page]) -> None:
    page = long_list(open_page)
    expect(page.locator("#shelf .add").first).to_be_visible()
    assert page.evaluate("document.activeElement === document.body")
    page.locator(".more-units a").last.scroll_into_view_if_needed()
    expect(page.locator("#u31.line")).to_be_visible()
    assert page.evaluate("document.activeElement === document.body")
    page.locator("#more-u33").click()
    expect(page.locator("#more-u33")).to_be_focused()
    expect(page.locator("#more-u33")).to_be_in_viewport()
    expect(page.locator("#said")).to_contain_text("points")
