"""Journeys of players through the whole app in a real Chromium."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from armybuilder.loading.library import shipped_library
from tests.browser.conftest import DESK, PHONE, Open, forget
from tests.browser.steps import create, show

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def start(page: Page, game: str, size: int) -> None:
    systems = shipped_library().systems
    create(page, next(key for key in systems if systems[key].name == game), limit=str(size))


def new_list(open_page: Open, game: str, points: int, size: dict[str, int] = DESK) -> Page:
    """Open a window of a size with a new list of a game."""
    page = open_page(size=size, at="")
    start(page, game, points)
    return page


def start_army(page: Page) -> None:
    create(page, "t9a-2023", name="Guard of the White Tower", books="highborn-elves")
    expect(page.locator("#chip")).to_contain_text("to do")


def new_army(open_page: Open, size: dict[str, int] = DESK) -> Page:
    """Open a window of a size with a new army."""
    page = open_page(size=size, at="")
    start_army(page)
    return page


def add(page: Page, unit: str) -> None:
    show(page, "units")
    page.get_by_role("button", name=f"Add {unit}", exact=True).click()
    expect(page.locator("#said")).to_contain_text(f"Added {unit}")


def expect_models(page: Page, unit: str, number: int) -> None:
    """A row of the army says how many there are, where they are more than one."""
    expect(page.locator(f"#{unit}")).to_be_visible()
    expect(page.locator(f"#{unit} .unit-models")).to_have_text([f"{number}×"] if number > 1 else [])


@pytest.mark.slow
def test_a_warband_with_a_custom_model_is_built(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    for _ in range(2):
        add(page, "Human Warrior")
    expect_models(page, "u1", 2)
    page.get_by_role("button", name="Custom model").click()
    expect(page.locator("#own-name")).to_be_focused()
    page.keyboard.type("Zoë Łukasz Ωmega Ж")
    page.keyboard.press("Enter")
    expect(page.locator("#unit-title")).to_have_text("Zoë Łukasz Ωmega Ж")
    for step, shown in (("fewer-quality", "3+"), ("more-combat", "4")):
        page.locator(f"#{step}").click()
        expect(page.locator(f".own-steps:has(#{step}) strong")).to_have_text(shown)
    page.locator("#own-rule").press_sequentially("leade")
    expect(page.locator("#own-found")).to_contain_text("Leader")
    page.keyboard.press("Enter")
    expect(page.locator(".own-rules")).to_contain_text("Leader +30")
    expect(page.locator("#own-rule")).to_have_value("")
    expect(page.locator(".bar-points")).to_contain_text("130 / 300")
    expect(page.locator("#verdict-title")).to_have_text(re.compile("Legal"))


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_five_own_models_are_made_from_nothing_in_the_builder(
    open_page: Open, size: dict[str, int]
) -> None:
    page = open_page(size=size, at="/new/sbh/")
    page.get_by_role("button", name="Create own models").click()
    names = ("Ada", "Bea", "Cid", "Dov", "Eli")
    for number, name in enumerate(names, 1):
        field = page.locator(f"#unit[data-unit=u{number}] #own-name")
        if number == 1:
            field.click()
            page.evaluate("window.stayed = true")
        expect(field).to_be_focused()
        expect(field).to_have_value("Model 1")
        field.fill(name)
        page.keyboard.press("Enter")
        expect(page.locator("#unit-title")).to_have_text(name)
        if name != names[-1]:
            page.get_by_role("button", name="Add next model").click()
    expect(page.locator("#chip")).to_have_text("Legal")
    assert page.evaluate("window.stayed")
    show(page, "army")
    expect(page.locator(".line .unit-what strong")).to_have_text(names)


@pytest.mark.slow
def test_a_click_changes_verdict_shelf_and_focus_without_a_reload(open_page: Open) -> None:
    page = new_list(open_page, "Chainmail 2002", 100)
    page.evaluate("window.sameDocument = true")
    add(page, "Bannerlady Oresta")
    more = page.get_by_role("button", name="One more Bannerlady Oresta")
    more.click()
    expect_models(page, "u1", 2)
    assert page.evaluate("document.activeElement.id") == "more-u1"
    assert page.evaluate("window.sameDocument")
    evil = page.locator(".entry", has_text="Pack-Mother of the Red Dunes")
    expect(evil).to_contain_text("Good and evil models can’t be in the same warband")
    page.locator("#models-u1").fill("1")
    page.locator("#models-u1").press("Tab")
    expect(page.locator("#said")).to_contain_text("1 × Bannerlady Oresta")
    expect(page.locator(".bar-points")).to_contain_text("38 / 100")
    # The shelf is searched while typing.
    page.get_by_label("Search by name, ability or stat").press_sequentially("oresta", delay=20)
    expect(page.locator("#shelf")).to_contain_text("1 of 34 shown")
    assert page.evaluate("document.activeElement.id") == "find"
    add(page, "Bannerlady Oresta")
    expect(page.locator("#shelf")).to_contain_text("1 of 34 shown")


@pytest.mark.slow
def test_quick_clicks_are_all_kept_and_one_that_fails_is_reported(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    button = page.get_by_role("button", name="Add Human Warrior", exact=True)
    for _ in range(6):
        button.click(no_wait_after=True)
    expect_models(page, "u1", 6)
    # One that fails is told.
    page.route("**/act/**", lambda route: route.abort())
    page.get_by_role("button", name="Add Human Archer", exact=True).click()
    expect(page.locator("#unsent")).to_contain_text("1 change not saved yet")
    page.unroute("**/act/**")
    page.get_by_role("button", name="Try again").click()
    expect_models(page, "u2", 1)
    expect(page.locator("#unsent")).to_be_hidden()


def test_two_windows_of_one_list_keep_what_both_do(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    other = page.context.new_page()
    other.goto(page.url)
    add(page, "Human Warrior")
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("#said")).to_contain_text("Undone: Added Human Warrior.")
    page.get_by_role("button", name="Redo").first.click()
    expect(page.locator("#u1")).to_be_visible()
    for window, name in ((page, "First"), (other, "Second")):
        window.locator("#lists > summary").click()
        window.locator("#list-name").fill(name)
        window.locator("#list-name").press("Enter")
        told, words = ("#said", "Renamed") if window is page else ("#conflict", "changed elsewhere")
        expect(window.locator(told)).to_contain_text(words)
    other.get_by_role("button", name="Make my change now").click()
    expect(other.locator("h1")).to_have_text("Second")


@pytest.mark.slow
def test_typed_text_survives_other_buttons(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    add(page, "Human Warrior")
    add(page, "Human Archer")
    page.locator("#open-u1").click()
    expect(page.locator("#unit[data-unit=u1]")).to_be_visible()
    page.locator("#unit").get_by_text("Name and notes").click()
    page.locator("#notes-u1").fill("half a sentence")
    page.get_by_role("button", name="One more Human Archer").click()
    expect_models(page, "u2", 2)
    expect(page.locator("#notes-u1")).to_have_value("half a sentence")
    page.locator("#unit").get_by_role("button", name="Save").click()
    expect(page.locator("#u1 .line-notes")).to_have_text("half a sentence")
    # The focus goes to the next unit when one is removed.
    page.locator("#open-u1").focus()
    page.keyboard.press("Delete")
    expect(page.locator("#u1")).to_have_count(0)
    expect(page.locator("#u2")).to_be_focused()
    page.keyboard.press("Delete")
    expect(page.locator("#list-title")).to_be_focused()


@pytest.mark.slow
def test_filters_charts_and_texts_follow_the_list(open_page: Open) -> None:
    page = new_list(open_page, "Chainmail 2002", 100)
    page.get_by_label("Search by name, ability or stat").fill("zzz")
    expect(page.locator("#shelf")).to_contain_text("0 of 34 shown")
    page.locator("#shelf").get_by_role("link", name="Show all").click()
    expect(page.locator("#shelf")).to_contain_text("34 of 34 shown")
    expect(page.get_by_label("Search by name, ability or stat")).to_have_value("")
    show(page, "game")
    page.get_by_role("button", name="Add Cards known from public pages").click()
    expect(page.locator("#shelf")).to_contain_text("89 of 89 shown")
    expect(page.locator("#filter-group option", has_text="Thalos")).to_have_count(1)
    # Open charts follow the list.
    add(page, "Captain of the Silver Reed")
    drawn = page.locator("#charts-drawn")
    expect(drawn.locator("svg")).to_have_count(0)
    show(page, "game")
    page.locator("#charts > summary").click()
    expect(drawn.locator("svg").first).to_contain_text("Captain of the Silver Reed")
    page.locator("#more-u1").click()
    expect(page.locator("#said")).to_contain_text("One more")
    expect(drawn.locator("svg").first).to_contain_text("2 × Captain of the Silver Reed")
    # A press copies the chosen form of its text, and says so.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_text(page, "BBCode")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator(".copied")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "[*][b]2 Captain of the Silver Reed[/b], 62" in copied
    assert copied == page.locator("#text").input_value()
    # Without the clipboard it copies too, or says why not.
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', {value: undefined});"
        "document.execCommand = () => window.allowed;"
    )
    open_text(page, "Compact")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator(".copied")).to_contain_text("copy it by hand")
    field = page.locator("#text")
    assert field.evaluate("field => field.selectionEnd") == len(field.input_value())
    page.evaluate("window.allowed = true")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator(".copied")).to_have_text("Copied.")


@pytest.mark.slow
def test_a_reused_browser_keeps_nothing_of_the_test_before(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    page.evaluate("localStorage.setItem('known', '1'); sessionStorage.setItem('known', '1')")
    forget(page.context)
    again = page.context.new_page()
    again.goto("/lists/")
    expect(again.locator(".list-row")).to_have_count(0)
    known = "localStorage.getItem('known') ?? sessionStorage.getItem('known')"
    assert again.evaluate(known) is None


def add_unit(page: Page, unit: str, number: int) -> Locator:
    """Add a unit; its entry, which stands open."""
    page.get_by_role("button", name=f"Add {unit}", exact=True).click()
    pane = page.locator(f"#unit[data-unit=u{number}]")
    expect(pane).to_be_visible()
    return pane


@pytest.mark.slow
def test_what_must_be_fixed_leads_to_the_unit_and_focus_and_folds_stay(open_page: Open) -> None:
    page = new_army(open_page)
    add_unit(page, "Citizen Spears", 1)
    field = page.locator("#unit").get_by_label("Number of models")
    field.fill("60")
    field.press("Enter")
    expect(page.locator(".line.open .unit-models")).to_have_text("60×")
    add_unit(page, "Mage", 2)
    show(page, "errors")
    page.locator(".culprits").get_by_role("link", name="Citizen Spears").first.click()
    expect(page.locator("#unit[data-unit=u1]")).to_be_visible()
    expect(page.locator("#unit-title")).to_be_focused()
    expect(page).to_have_url(re.compile(r"\?open=u1$"))
    page.get_by_role("button", name="5 fewer models").click()
    expect(page.locator("#u1 .unit-models")).to_have_text("50×")
    expect(page.locator("#u1 .badge.error")).to_have_count(0)
    # Focus and folds stay where they are.
    add_unit(page, "High Prince", 3)
    page.locator("#open-u1").click()
    expect(page.locator("#unit[data-unit=u1]")).to_be_visible()
    page.locator("#open-u3").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#open-u3")).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile(r"\?open=u3$"))
    expect(page.locator("#open-u3")).to_be_focused()
    pane = page.locator("#unit[data-unit=u3]")
    items = pane.locator("details", has=page.locator("summary", has_text="Special Equipment")).first
    items.locator("summary").first.click()
    shield = page.locator("#option-u3-shield")
    shield.focus()
    page.keyboard.press("Space")
    expect(shield).to_have_attribute("aria-pressed", "true")
    expect(shield).to_be_focused()
    expect(items).to_have_attribute("open", "")
    page.locator("#remove-u3").click()
    expect(page.locator("#unit-title")).to_be_focused()


@pytest.mark.slow
def test_the_points_of_a_line_open_by_keyboard_and_close(open_page: Open) -> None:
    page = new_list(open_page, "Chainmail 2002", 100, PHONE)
    add(page, "Captain of the Silver Reed")
    show(page, "army")
    page.locator("#open-u1").click()
    points = page.locator("#made-unit")
    points.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(points).to_contain_text("1 model")
    expect(points.locator(".made-of")).to_be_visible()
    page.keyboard.press("Escape")
    expect(points.locator(".made-of")).to_be_hidden()
    expect(points.locator("summary")).to_be_focused()


def open_text(page: Page, form: str) -> None:
    address = page.url.split("?")[0].split("#")[0].removesuffix("text/")
    page.goto(f"{address}text/")
    page.get_by_role("link", name=form, exact=True).click()


@pytest.mark.slow
def test_a_link_to_the_list_is_made_and_copied_at_one_press(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#to-share").click()
    box = page.locator("#share-box:popover-open")
    expect(box).to_be_visible()
    box.get_by_role("button", name="Copy link").first.click()
    expect(box.locator(".copied")).to_have_text("Copied.")
    assert "/shared/" in page.evaluate("navigator.clipboard.readText()")
