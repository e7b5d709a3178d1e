"""The views of the builder: what Back leads to, and where a new error is announced."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_army_journey import start_army
from tests.browser.test_unsent_journey import press_add

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.slow
def test_back_on_a_phone_leads_to_the_view_before(open_page: Callable[..., Page]) -> None:
    page = open_page(size={"width": 360, "height": 740}, at="")
    start_army(page)
    press_add(page, "Mage")
    expect(page.locator("#u1")).to_have_count(1)
    builder = page.locator("#builder")
    page.locator(".views a[data-view=army]").click()
    expect(builder).to_have_attribute("data-view", "army")
    steps = page.evaluate("history.length")
    page.locator("#open-u1").click()
    expect(page.locator("#unit[data-unit=u1]")).to_be_visible()
    page.wait_for_url(re.compile("open=u1"))  # the address follows what is shown
    page.reload()
    expect(page.locator("#unit[data-unit=u1]")).to_be_visible()
    page.evaluate("history.back()")
    expect(builder).to_have_attribute("data-view", "army")
    for name in ("errors", "game", "units", "army") * 2:
        page.locator(f".views a[data-view={name}]").click()
        expect(builder).to_have_attribute("data-view", name)
        page.wait_for_timeout(50)
    assert page.evaluate("history.length") <= steps + 1
    page.locator(".views a[data-view=errors]").click()
    page.reload()
    expect(builder).to_have_attribute("data-view", "errors")
    page.evaluate("history.back()")
    expect(builder).to_have_attribute("data-view", "army")


@pytest.mark.slow
def test_a_desk_keeps_no_steps(open_page: Callable[..., Page]) -> None:
    page = open_page(at="")
    start_army(page)
    press_add(page, "Mage")
    expect(page.locator("#u1")).to_have_count(1)
    steps = page.evaluate("history.length")
    for name in ("errors", "game", "unit") * 3:
        page.locator(f".views a[data-view={name}]").click()
    assert page.evaluate("history.length") == steps


#: The panes that the announced error lies over.
COVERED = """() => {
    const top = document.querySelector(".news").getBoundingClientRect();
    const over = (box) => box.height && box.bottom > top.top && box.top < top.bottom
        && box.right > top.left && box.left < top.right;
    return [...document.querySelectorAll(".pane, .views, .bar-top")]
        .filter((one) => over(one.getBoundingClientRect())).map((one) => one.className);
}"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "width",
    [pytest.param(1440, marks=pytest.mark.slow), pytest.param(900, marks=pytest.mark.slow), 360],
)
def test_a_new_error_is_announced_where_the_eye_is(
    open_page: Callable[..., Page], width: int
) -> None:
    page = open_page(size={"width": width, "height": 740}, at="")
    start_army(page)
    for number in range(1, 4):
        press_add(page, "Sky Sloop")
        expect(page.locator(".line")).to_have_count(number)
    line = page.locator(".news-line")
    expect(line).to_contain_text("Sky Sloop: 3 taken, maximum 2.")
    expect(line).to_be_in_viewport(ratio=1)
    assert page.evaluate(COVERED) == []
    expect(page.locator("#said")).to_contain_text("Sky Sloop: 3 taken, maximum 2.")
    page.wait_for_timeout(800)
    line.get_by_role("button", name="Close").click()
    expect(line).to_have_count(0)
    press_add(page, "Citizen Spears")
    expect(page.locator(".line")).to_have_count(4)
    expect(line).to_have_count(0)
    page.locator("#undo").click()
    expect(page.locator(".line")).to_have_count(3)
    press_add(page, "Giant Eagles")
    press_add(page, "Giant Eagles")
    press_add(page, "Giant Eagles")
    expect(line).to_contain_text("Giant Eagles")
    page.wait_for_timeout(800)
    page.locator("#news-answer").click()
    expect(line).to_have_count(0)
