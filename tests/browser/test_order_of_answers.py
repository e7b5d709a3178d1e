"""Answers that come in another order than they were asked for in: a page is of one version."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Open
from tests.browser.steps import show
from tests.browser.test_before_the_answer import Held
from tests.browser.test_journeys import add, new_list
from tests.browser.test_panes import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: What follows by itself after a while does not follow: an answer is not overtaken by that.
STOP_CLOCK = "() => { window.held = window.setTimeout; window.setTimeout = () => 1 }"
START_CLOCK = "() => { window.setTimeout = window.held }"
CHECKS = "#verdict .gauges"


def _act(page: Page, button: str) -> None:
    with page.expect_response("**/act/**"):
        page.locator(button).click()


@pytest.mark.slow
@pytest.mark.parametrize("late", ["after the act's", "before the act's"])
def test_errors_of_an_older_version_do_not_stay(open_page: Open, late: str) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300, PHONE)
    add(page, "Human Warrior")
    show(page, "errors")
    points = page.locator(".bar-points b").text_content() or "?"
    expect(page.locator(CHECKS)).to_contain_text(f"{points} of 300")
    show(page, "army")
    expect(page.locator("#verdict[data-stale]")).to_have_count(0)
    page.evaluate(STOP_CLOCK)
    _act(page, "#more-u1")
    panes = Held(page, "**/lists/*/?*")
    show(page, "errors")  # has its pane drawn anew
    asked = panes.next()
    older = asked.fetch()
    acts = Held(page, "**/act/**")
    page.locator("#undo").click()
    act = acts.next()
    page.unroute("**/lists/*/?*")
    in_order: list[Route] = [asked, act] if late.startswith("before") else [act, asked]
    for route in in_order:
        with page.expect_response(route.request.url):
            route.fulfill(response=older) if route is asked else route.continue_()
    page.evaluate(START_CLOCK)
    expect(page.locator(".bar-points b")).to_have_text(points)
    expect(page.locator("#verdict[data-stale]")).to_have_count(0)
    expect(page.locator(CHECKS)).to_contain_text(f"{points} of 300")


def test_an_opened_unit_stays_when_the_units_come_after_it(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    for unit in ("Human Warrior", "Human Archer"):
        add(page, unit)
    show(page, "errors")
    _act(page, "#more-u2")
    expect(page.locator("#unit[data-stale]")).to_have_count(1)
    page.wait_for_load_state("networkidle")
    units = Held(page, "**/lists/*/?*view=units*")
    page.locator("#open-u1").click()
    expect(page.locator("#unit[data-unit=u1]")).to_be_visible()
    asked = units.next()
    assert "open=u2" in asked.request.url
    with page.expect_response(asked.request.url):
        asked.continue_()
    page.wait_for_load_state("networkidle")
    expect(page.locator("#unit[data-unit=u1]")).to_be_visible()


@pytest.mark.slow
def test_an_answer_is_laid_on_the_page_whole_though_its_button_has_gone(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    add(page, "Human Warrior")
    acts = Held(page, "**/act/**")
    page.locator("#copy-u1").click()
    page.locator("#unit .unit-acts").evaluate("form => form.remove()")
    acts.let_go()
    expect(page.locator(".line")).to_have_count(2)
    expect(page.locator("#said")).to_contain_text("Copied Human Warrior")


def test_a_new_unit_stays_open_when_the_units_say_first_that_the_list_is_newer(
    open_page: Open,
) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    add(page, "Human Warrior")
    page.wait_for_load_state("networkidle")
    acts = Held(page, "**/act/**")
    page.locator("#copy-u1").click()
    act = acts.next()
    answer = act.fetch()
    with page.expect_response("**/lists/*/?*view=units*"):
        page.locator("#find").fill("Elf")
    act.fulfill(response=answer)
    expect(page.locator("#unit[data-unit=u2]")).to_be_visible()
    expect(page.locator("#shelf .entry strong").first).to_contain_text("Elf")
    page.wait_for_load_state("networkidle")
    expect(page.locator("#unit[data-unit=u2]")).to_be_visible()


@pytest.mark.slow
def test_what_another_window_changed_is_shown_whole(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    add(page, "Human Warrior")
    other = page.context.new_page()
    other.goto(page.url)
    add(other, "Human Archer")
    expect(page.locator(".line")).to_have_count(1)
    page.locator("#find").fill("Elf")
    expect(page.locator(".line")).to_have_count(2)
    expect(page.locator("#shelf .entry strong").first).to_contain_text("Elf")
    expect(page.locator("#said")).to_contain_text("points")
