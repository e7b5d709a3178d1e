"""What is shown before the server has answered, and what is drawn only when somebody can see it."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Open
from tests.browser.steps import show
from tests.browser.survey import settle
from tests.browser.test_journeys import add, new_army, new_list
from tests.browser.test_panes import DESK, PHONE, SIZES, army_page

__all__ = ["army_page"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OPEN = "?open=u7&view=unit"


class Held:
    """Requests to an address, which wait until they are let go."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route(address, lambda route: self.routes.append(route))

    def next(self) -> Route:
        """The one that came first, once it is there."""
        for _frame in range(1000):
            if self.routes:
                return self.routes.pop(0)
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
        raise AssertionError("nothing was asked")

    def let_go(self) -> None:
        self.next().continue_()

    def fail(self, failing: str, word: str) -> None:
        """Let it be lost, or be refused for a word that nobody understands."""
        route = self.next()
        if failing == "lost":
            route.abort()
            expect(self.page.locator("#unsent")).to_contain_text("1 change not saved yet")
        else:
            said = str(route.request.post_data).replace(word, f"{word}-unheard-of")
            route.continue_(post_data=said)
            told = self.page.locator("#refused:visible, .toast.bad:visible")
            expect(told.first).to_be_visible()


def numbers(page: Page) -> tuple[str, str]:
    """How many models the open unit has, in its row and in its pane."""
    row = page.locator("#u7 .unit-models").text_content() or ""
    return row.rstrip("×"), page.locator("#models-u7").input_value()


@pytest.mark.slow
@SIZES
def test_a_size_is_shown_at_once_and_taken_back_where_it_was_refused(
    army_page: Open, size: dict[str, int]
) -> None:
    page = army_page(OPEN, size=size)
    before = int(numbers(page)[0])
    held = Held(page, "**/act/**")
    page.locator("#more-u7-unit").click()
    assert numbers(page) == (str(before + 1),) * 2
    assert page.locator("#said").text_content() == ""
    held.let_go()
    expect(page.locator("#said")).to_contain_text("points.")
    assert numbers(page) == (str(before + 1),) * 2
    page.locator("#more-u7-unit").click()
    assert numbers(page) == (str(before + 2),) * 2
    held.fail("refused", "act=more")
    assert numbers(page) == (str(before + 1),) * 2


@pytest.mark.slow
def test_a_change_that_was_not_saved_is_undone_on_screen(army_page: Open) -> None:
    page = army_page(OPEN)
    before = numbers(page)
    held = Held(page, "**/act/**")
    page.locator("#more-u7-unit").click()
    assert numbers(page) != before
    held.fail("lost", "")
    assert numbers(page) == before


@pytest.mark.slow
@SIZES
def test_a_unit_opens_at_once_and_panes_that_nobody_sees_are_drawn_when_they_are_opened(
    army_page: Open, size: dict[str, int]
) -> None:
    page = army_page("?open=u1&view=army", size=size)
    held = Held(page, "**part=list**")
    name = page.locator("#open-u7 strong").text_content() or ""
    title, unit = page.locator("#unit-title"), page.locator("#unit")
    page.locator("#open-u7").click()
    expect(title).to_have_text(name)
    expect(title).to_be_visible()
    assert unit.get_attribute("data-unit") == "u1"
    # What is of the unit before cannot be pressed.
    pressed = ":is(form, fieldset, details):not([inert] *, [inert], .made)"
    assert unit.locator(pressed).count() == 0
    held.let_go()
    expect(unit).to_have_attribute("data-unit", "u7")
    expect(title).to_have_text(name)
    assert page.locator("#unit [inert]").count() == 0
    expect(page.locator(".line.open")).to_have_attribute("id", "u7")
    # An act brings what is seen, and the verdict comes when somebody is about to open it.
    verdict = page.locator("#verdict").text_content()
    with page.expect_response("**/act/**") as answer:
        page.locator("#more-u7-unit").click()
    sent = answer.value.text()
    assert '<section id="verdict" data-same data-stale></section>' in sent
    assert 'id="unit-title"' in sent
    settle(page)
    expect(page.locator("#verdict")).to_have_attribute("data-stale", "")
    assert page.locator("#verdict").text_content() == verdict
    page.locator(".views a[data-view=errors]").dispatch_event("pointerover")
    expect(page.locator("#verdict")).not_to_have_attribute("data-stale", "")
    assert page.locator("#verdict").text_content() != verdict
    show(page, "errors")
    points = page.locator(".bar-points b").text_content() or "?"
    expect(page.locator("#checks")).to_contain_text(points)


def press(page: Page, unit: str) -> None:
    page.get_by_role("button", name=f"Add {unit}", exact=True).click()


@pytest.mark.slow
def test_an_added_unit_has_a_row_at_once_and_none_where_it_was_refused(open_page: Open) -> None:
    page = new_army(open_page)
    press(page, "Sword Masters")
    expect(page.locator("#u1")).to_be_visible()
    held = Held(page, "**/act/**")
    press(page, "Citizen Spears")
    press(page, "Sword Masters")
    rows = page.locator(".line-new")
    expect(rows).to_have_count(2)
    assert rows.first.text_content() == "Citizen Spears 20× not saved yet260"
    expect(rows.last).to_have_attribute("aria-busy", "true")
    # Each stands where it will, under a heading that is there already or comes before it.
    expect(page.locator("#army-form .category h3")).to_have_text(["Core", "Special"])
    held.let_go()
    expect(page.locator("#u2 strong")).to_have_text("Citizen Spears")
    expect(rows).to_have_count(1)
    # Who goes to another pane meanwhile stays there.
    page.locator(".views").get_by_role("link", name="Game").click()
    held.let_go()
    expect(page.locator(".line")).to_have_count(3)
    expect(rows).to_have_count(0)
    expect(page.locator('[data-pane="game"]')).to_be_visible()
    # A row of what was refused is taken back, with its heading.
    press(page, "Mage")
    expect(rows).to_have_count(1)
    held.fail("refused", "mage")
    expect(rows).to_have_count(0)
    expect(page.locator(".category")).to_have_count(2)


@pytest.mark.slow
def test_on_a_phone_a_note_says_what_is_not_saved_yet(
    open_page: Open,
) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300, PHONE)
    show(page, "units")
    held = Held(page, "**/act/**")
    press(page, "Human Warrior")
    expect(page.locator(".toast")).to_have_text("Human Warrior: not saved yet")
    held.let_go()
    expect(page.locator(".toast")).to_contain_text("Added Human Warrior.")
    show(page, "army")
    # No clock of the page goes on: what follows by itself does not.
    page.evaluate("window.setTimeout = () => 1")
    page.locator("#more-u1").click()
    with page.expect_response("**/act/**"):
        held.let_go()
    expect(page.locator("#verdict")).to_have_attribute("data-stale", "")
    show(page, "errors")
    expect(page.locator("#verdict")).not_to_have_attribute("data-stale", "")


#: Where units and panes are asked for.
PANES = "**/lists/*/?*"
#: Whether what a pane holds can be seen.
SHOWN = "pane => pane.firstElementChild.checkVisibility({ opacityProperty: true })"


@pytest.mark.slow
def test_errors_that_are_older_than_the_verdict_are_not_shown(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300, PHONE)
    add(page, "Human Warrior")
    show(page, "army")
    verdict, points = page.locator("#verdict"), page.locator(".bar-points b")
    before = points.text_content() or "?"
    panes = Held(page, PANES)
    page.locator("#more-u1").click()
    expect(points).not_to_have_text(before)
    show(page, "errors")
    expect(verdict).to_have_attribute("aria-busy", "true")
    assert not verdict.evaluate(SHOWN)
    page.route(PANES, lambda route: route.continue_())  # those that are yet to come
    while panes.routes:
        panes.let_go()
    expect(verdict).not_to_have_attribute("data-stale", "")
    assert verdict.get_attribute("aria-busy") is None
    assert verdict.evaluate(SHOWN)
    expect(page.locator("#checks")).to_contain_text(points.text_content() or "?")


@pytest.mark.slow
def test_opening_the_errors_before_an_answer_does_not_wait(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300, PHONE)
    add(page, "Human Warrior")
    show(page, "army")
    points = page.locator(".bar-points b")
    before = points.text_content() or "?"
    held = Held(page, "**/act/**")
    # No clock of the page goes on: what follows by itself does not.
    page.evaluate("window.setTimeout = () => 1")
    page.locator("#more-u1").click()
    show(page, "errors")
    held.let_go()
    expect(points).not_to_have_text(before)
    expect(page.locator("#verdict")).not_to_have_attribute("data-stale", "")
    expect(page.locator("#checks")).to_contain_text(points.text_content() or "?")
    assert page.locator("#verdict").evaluate(SHOWN)


@pytest.mark.slow
def test_letters_typed_while_the_palette_loads_count_and_what_did_not_open_is_not_unsaved(
    open_page: Open,
) -> None:
    page = new_army(open_page, DESK)
    with page.expect_request("**/palette*.js"):
        held: list[Route] = []
        page.route("**/palette*.js", lambda route: held.append(route))
        page.keyboard.press("Control+k")
    page.keyboard.type("sword")
    held.pop().continue_()
    expect(page.locator("#palette-list [role=option]").first).to_contain_text("Add Sword Masters")
    assert page.locator("#palette-find").input_value() == "sword"
    page.keyboard.press("Escape")
    press(page, "Mage")
    press(page, "Sword Masters")
    expect(page.locator(".line")).to_have_count(2)
    page.context.set_offline(True)
    page.locator("#open-u1").click()
    expect(page.locator("#trouble")).to_have_text("This didn’t load. Check the connection.")
    page.context.set_offline(False)
    page.locator("#open-u1").click()
    expect(page.locator("#unit")).to_have_attribute("data-unit", "u1")
    expect(page.locator("#trouble")).to_be_empty()
