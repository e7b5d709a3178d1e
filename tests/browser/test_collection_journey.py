"""What a player owns in a real Chromium: counted in place, and used in the builder."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Open
from tests.browser.steps import show
from tests.browser.test_journeys import add, new_list

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.slow
def test_models_are_counted_from_the_keyboard_and_a_list_is_built_from_them(
    open_page: Open,
) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300, PHONE)
    address = page.url.partition("?")[0]
    add(page, "Troll")
    page.goto("/collection/sbh/?book=profiles&q=elf+archer")
    row = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Elf Archer"))
    more = row.get_by_role("button", name="One more").first
    more.press("Enter")
    expect(row.locator("output").first).to_have_text("1")
    expect(more).to_be_focused()
    for _ in range(4):  # faster than the answers come
        more.press("Enter")
    expect(row.locator("output").first).to_have_text("5")
    row.get_by_role("button", name="One fewer").first.press("Enter")
    expect(row.locator("output").first).to_have_text("4")
    page.goto(f"{address}?view=errors")
    expect(page.locator("#missing")).to_contain_text("1 × Troll")
    show(page, "units")
    page.locator("#more-filters > summary").click()
    page.locator("#filter-owned").press("Space")
    expect(page.locator("#shelf .entry")).to_have_count(1)
    expect(page.locator("#shelf .entry")).to_contain_text("4 left in my collection")
