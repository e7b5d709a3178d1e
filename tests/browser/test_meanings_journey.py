"""What names mean opens as a card beside them in a real Chromium, by pointer and by keys."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Open
from tests.browser.steps import show
from tests.browser.test_journeys import add, new_list

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Whether the card and the name that it is of lie on top of each other.
OVERLAPS = """name => {
  const shown = [document.getElementById("meaning"), name];
  const [card, row] = shown.map((one) => one.getBoundingClientRect());
  return card.top < row.bottom && row.top < card.bottom;
}"""


def with_a_unit(open_page: Open, size: dict[str, int]) -> Page:
    page = new_list(open_page, "Chainmail 2002", 100, size)
    show(page, "units")
    add(page, "Bannerlady Oresta")
    page.goto(page.url.partition("#")[0].partition("?")[0] + "?open=u1&view=unit")
    return page


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", [pytest.param(DESK, marks=pytest.mark.slow), PHONE], ids=["desk", "phone"]
)
def test_a_name_opens_its_card_which_never_covers_it_and_closes_by_escape(
    open_page: Open, size: dict[str, int]
) -> None:
    page = with_a_unit(open_page, size)
    name = page.locator("#unit a.means").first
    card = page.locator("#meaning")
    name.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_visible()
    expect(card).to_be_focused()
    expect(page.get_by_role("dialog", name=name.inner_text().rstrip(" 0123456789"))).to_be_visible()
    assert not name.evaluate(OVERLAPS)
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(name).to_be_focused()
    # One at a time, and a press elsewhere closes it.
    for one in (name, page.locator("#unit a.means").nth(1)):
        one.click()
        expect(card).to_be_visible()
        page.keyboard.press("Escape")
    assert page.locator("#meaning").count() == 1
