"""A lost connection, two windows, units that are gone: nothing is lost, and the page says so."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.steps import show
from tests.browser.test_journeys import add as add_model
from tests.browser.test_journeys import new_army, new_list

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def press_add(page: Page, unit: str, times: int = 1) -> None:
    show(page, "units")
    for _ in range(times):
        page.get_by_role("button", name=f"Add {unit}", exact=True).click()


def test_clicks_without_a_connection_are_kept_and_sent(open_page: Open) -> None:
    page = new_army(open_page, {"width": 360, "height": 800})
    press_add(page, "Citizen Spears")
    expect(page.locator("#u1")).to_have_count(1)
    page.context.set_offline(True)
    press_add(page, "Mage", 4)
    expect(page.locator("#unsent")).to_contain_text("4 changes not saved yet")
    expect(page.locator(".toast:visible")).to_have_count(0)
    show(page, "army")
    expect(page.locator(".line")).to_have_count(1)
    expect(page.locator(".line-new", has_text="not saved yet")).to_have_count(4)
    page.context.set_offline(False)
    expect(page.locator(".line")).to_have_count(5)
    expect(page.locator("#unsent")).to_be_hidden()
    expect(page.locator(".line-new")).to_have_count(0)
    names = page.locator(".line strong").all_text_contents()
    assert sorted(names) == ["Citizen Spears", *["Mage"] * 4]


@pytest.mark.slow
def test_steps_of_the_size_are_sent_as_steps_and_leaving_asks_before_they_are(
    open_page: Open,
) -> None:
    page = new_army(open_page)
    press_add(page, "Citizen Spears")
    more = page.get_by_role("button", name="One more model")
    expect(more).to_be_visible()
    page.context.set_offline(True)
    for _ in range(10):
        more.click()
    expect(page.locator("#unsent")).to_contain_text("10 changes")
    page.context.set_offline(False)
    expect(page.locator("#u1 .unit-models")).to_have_text("30×")
    # Leaving asks while something is not sent that the browser cannot store.
    page.context.set_offline(True)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    press_add(page, "Mage")
    expect(page.locator("#unsent")).to_contain_text("1 change not saved yet. Keep this page open")
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()


@pytest.mark.slow
def test_two_windows_keep_what_both_do(open_page: Open) -> None:
    page = new_army(open_page)
    other = page.context.new_page()
    other.goto(page.url)
    cut_off(page)
    press_add(page, "Mage", 2)
    expect(page.locator("#unsent")).to_contain_text("2 changes")
    press_add(other, "High Prince")
    expect(other.locator(".line")).to_have_count(1)
    connect(page)
    expect(page.locator(".line")).to_have_count(3)
    names = page.locator(".line strong").all_text_contents()
    assert sorted(names) == ["High Prince", "Mage", "Mage"]


@pytest.mark.slow
def test_an_act_on_a_unit_that_is_gone_stops_the_rest_and_says_so(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    add_model(page, "Human Warrior")
    other = page.context.new_page()
    other.goto(page.url)
    cut_off(page)
    page.locator("#more-u1").click()
    press_add(page, "Human Archer", 2)
    expect(page.locator("#unsent")).to_contain_text("3 changes")
    other.locator("#open-u1").click()
    other.locator("#remove-u1").click()
    expect(other.locator("#u1")).to_have_count(0)
    connect(page)
    expect(page.locator("#conflict, #refused")).to_be_visible(timeout=20_000)
    expect(page.locator("#unsent")).to_contain_text("Add Human Archer, Add Human Archer")
    expect(page.locator(".line")).to_have_count(0)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#unsent")).to_be_hidden()
    expect(page.locator(".line-new")).to_have_count(0)
    expect(page.locator("#u1 .unit-models, #u2 .unit-models").first).to_be_visible()


def cut_off(page: Page) -> None:
    """Leave one window without a connection, as if it were on another device."""
    page.route("**/act/**", lambda route: route.abort("internetdisconnected"))


def connect(page: Page) -> None:
    """Give it back: what is kept is tried again by itself."""
    page.unroute("**/act/**")
