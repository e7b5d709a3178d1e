"""What is shown before the server has answered, and what is drawn only when somebody can see it."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Open
from tests.browser.steps import show
from tests.browser.survey import settle
from tests.browser.test_journeys import new_army, new_list
from tests.browser.test_panes import DESK, PHONE, SIZES, army_page

__all__ = ["army_page"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OPEN = "?open=u7&view=unit"


def hold(page: Page, address: str) -> list[Route]:
    """Requests to an address, which wait until they are let go."""
    held: list[Route] = []
    page.route(address, lambda route: held.append(route))
    return held


def fail(page: Page, asked: Route, failing: str, word: str) -> None:
    """Let a request be lost, or be refused for a word that nobody understands."""
    if failing == "lost":
        asked.abort()
        expect(page.locator("#unsent")).to_contain_text("1 change not saved yet")
    else:
        asked.continue_(post_data=str(asked.request.post_data).replace(word, f"{word}-unheard-of"))
        expect(page.locator("#refused")).to_be_visible()


def numbers(page: Page) -> tuple[str, str]:
    """How many models the open unit has, in its row and in its pane."""
    row = page.locator("#u7 .unit-models").text_content() or ""
    return row.rstrip("×"), page.locator("#models-u7").input_value()


@pytest.mark.slow
@SIZES
def test_a_size_is_shown_at_once(army_page: Open, size: dict[str, int]) -> None:
    page = army_page(OPEN, viewport=size)
    before = int(numbers(page)[0])
    held = hold(page, "**/act/**")
    page.locator("#more-u7-unit").click()
    assert numbers(page) == (str(before + 1),) * 2
    assert page.locator("#said").text_content() == ""
    page.wait_for_timeout(50)
    held.pop().continue_()
    expect(page.locator("#said")).to_contain_text("points.")
    assert numbers(page) == (str(before + 1),) * 2


@pytest.mark.parametrize("failing", ["lost", pytest.param("refused", marks=pytest.mark.slow)])
def test_what_came_to_nothing_is_taken_back(army_page: Open, failing: str) -> None:
    page = army_page(OPEN, viewport=DESK)
    before = numbers(page)
    held = hold(page, "**/act/**")
    page.locator("#more-u7-unit").click()
    assert numbers(page) != before
    page.wait_for_timeout(50)
    fail(page, held.pop(), failing, "act=more")
    assert numbers(page) == before


@pytest.mark.slow
@SIZES
def test_a_unit_opens_at_once_and_its_options_follow(army_page: Open, size: dict[str, int]) -> None:
    page = army_page("?open=u1&view=army", viewport=size)
    held = hold(page, "**part=list**")
    name = page.locator("#open-u7 strong").text_content() or ""
    page.locator("#open-u7").click()
    expect(page.locator("#unit-title")).to_have_text(name)
    expect(page.locator("#unit-title")).to_be_visible()
    assert page.locator("#unit").get_attribute("data-unit") == "u1"
    # What is of the unit before cannot be pressed.
    assert (
        page.locator("#unit :is(form, fieldset, details):not([inert] *, [inert], .made)").count()
        == 0
    )
    held.pop().continue_()
    expect(page.locator("#unit")).to_have_attribute("data-unit", "u7")
    expect(page.locator("#unit-title")).to_have_text(name)
    assert page.locator("#unit [inert]").count() == 0
    expect(page.locator(".line.open")).to_have_attribute("id", "u7")


def press(page: Page, unit: str) -> None:
    page.get_by_role("button", name=f"Add {unit}", exact=True).click()


def test_an_added_unit_has_a_row_at_once(open_page: Open) -> None:
    page = new_army(open_page)
    press(page, "Sword Masters")
    expect(page.locator("#u1")).to_be_visible()
    held = hold(page, "**/act/**")
    press(page, "Citizen Spears")
    press(page, "Sword Masters")
    rows = page.locator(".line-new")
    expect(rows).to_have_count(2)
    assert rows.first.text_content() == "20×Citizen Spears not saved yet260"
    expect(rows.last).to_have_attribute("aria-busy", "true")
    # Each stands where it will, under a heading that is there already or comes before it.
    expect(page.locator("#army-form .category h3")).to_have_text(["Core", "Special"])
    page.wait_for_timeout(50)
    held.pop().continue_()
    expect(page.locator("#u2 strong")).to_have_text("Citizen Spears")
    expect(rows).to_have_count(1)
    page.wait_for_timeout(50)
    held.pop().continue_()
    expect(page.locator(".line")).to_have_count(3)
    expect(rows).to_have_count(0)


@pytest.mark.slow
def test_who_goes_to_another_pane_meanwhile_stays_there(open_page: Open) -> None:
    page = new_army(open_page)
    held = hold(page, "**/act/**")
    press(page, "Sword Masters")
    press(page, "Citizen Spears")
    page.locator(".views").get_by_role("link", name="Game").click()
    page.wait_for_timeout(50)
    for number in (1, 2):  # the second is sent when the first is answered
        held.pop().continue_()
        expect(page.locator(f"#u{number}")).to_be_visible()
        page.wait_for_timeout(50)
    expect(page.locator('[data-pane="game"]')).to_be_visible()


@pytest.mark.slow
def test_a_row_of_what_was_refused_is_taken_back(open_page: Open) -> None:
    page = new_army(open_page)
    held = hold(page, "**/act/**")
    press(page, "Mage")
    expect(page.locator(".line-new")).to_have_count(1)
    page.wait_for_timeout(50)
    fail(page, held.pop(), "refused", "mage")
    expect(page.locator(".line-new, .category")).to_have_count(0)


@pytest.mark.slow
def test_where_no_row_is_seen_a_note_says_it(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300, PHONE)
    show(page, "units")
    held = hold(page, "**/act/**")
    press(page, "Human Warrior")
    expect(page.locator(".toast")).to_have_text("Human Warrior: not saved yet")
    page.wait_for_timeout(50)
    held.pop().continue_()
    expect(page.locator(".toast")).to_contain_text("Added Human Warrior.")


@pytest.mark.slow
def test_letters_typed_while_the_palette_loads_count(open_page: Open) -> None:
    page = new_army(open_page)
    held = hold(page, "**/palette*.js")
    page.keyboard.press("Control+k")
    page.keyboard.type("sword")
    page.wait_for_timeout(50)
    held.pop().continue_()
    expect(page.locator("#palette-list [role=option]").first).to_contain_text("Add Sword Masters")
    assert page.locator("#palette-find").input_value() == "sword"


@pytest.mark.slow
def test_what_cannot_be_opened_is_not_called_unsaved(open_page: Open) -> None:
    page = new_army(open_page)
    press(page, "Mage")
    press(page, "Sword Masters")
    expect(page.locator(".line")).to_have_count(2)
    page.context.set_offline(True)
    page.locator("#open-u1").click()
    expect(page.locator("#trouble")).to_have_text("That did not load. Check the connection.")
    page.context.set_offline(False)
    page.locator("#open-u1").click()
    expect(page.locator("#unit")).to_have_attribute("data-unit", "u1")
    expect(page.locator("#trouble")).to_be_empty()


@pytest.mark.slow
@SIZES
def test_panes_that_nobody_sees_follow(army_page: Open, size: dict[str, Any]) -> None:
    page = army_page(OPEN, viewport=size)
    verdict = page.locator("#verdict").inner_html()
    with page.expect_response("**/act/**") as answer:
        page.locator("#more-u7-unit").click()
    sent = answer.value.text()
    assert '<section id="verdict" data-same data-stale></section>' in sent
    assert 'id="unit-title"' in sent
    expect(page.locator("[data-stale]")).to_have_count(0)
    settle(page)
    assert page.locator("#verdict").inner_html() != verdict
    show(page, "errors")
    points = page.locator(".bar-points b").text_content() or "?"
    expect(page.locator("#checks")).to_contain_text(points)


@pytest.mark.slow
def test_a_pane_that_is_asked_for_does_not_wait(army_page: Open) -> None:
    page = army_page(OPEN, viewport=PHONE)
    # No clock of the page goes on: what follows by itself does not.
    page.evaluate("window.setTimeout = () => 1")
    with page.expect_response("**/act/**"):
        page.locator("#more-u7-unit").click()
    expect(page.locator("#verdict")).to_have_attribute("data-stale", "")
    show(page, "errors")
    expect(page.locator("#verdict")).not_to_have_attribute("data-stale", "")
