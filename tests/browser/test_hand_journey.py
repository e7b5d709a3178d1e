"""Speed of hand in a real Chromium: keys, palette, dragging, and a phone held in one hand."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Open
from tests.browser.steps import show
from tests.browser.test_journeys import add, expect_models, new_army, new_list

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def focus(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id"))


def expect_focus(page: Page, element_id: str) -> None:
    expect(page.locator(f'[id="{element_id}"]')).to_be_focused()


def order(page: Page) -> list[str]:
    ids: list[str] = page.eval_on_selector_all(".lines > .line", "all => all.map(one => one.id)")
    return ids


def say(page: Page, words: str) -> None:
    """Type into the palette and press Enter on what it finds first."""
    page.wait_for_load_state()
    page.keyboard.press("Control+k")
    expect(page.locator("#palette-find")).to_be_focused()
    page.keyboard.type(words)
    expect(page.locator("#palette-0")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#palette")).to_be_hidden()


def said(page: Page, words: str) -> None:
    expect(page.locator("#said")).to_contain_text(words)


def test_a_warband_is_built_with_keys_alone(open_page: Open) -> None:
    page = new_list(open_page, "Chainmail 2002", 100)
    key = page.keyboard.press
    for words, name in (
        ("add oresta", "Bannerlady Oresta"),
        ("add 2 spearhand", "2 × Millbrook Spearhand"),
        ("recruit", "Gatehouse Recruit"),
    ):
        say(page, words)
        said(page, f"Added {name}. Not legal")
    expect_focus(page, "u3")
    key("k")
    expect_focus(page, "open-u2")
    key("ArrowUp")
    expect_focus(page, "open-u1")
    for pressed, words in (
        ("+", "One more Bannerlady Oresta."),
        ("-", "One fewer Bannerlady Oresta."),
        ("Alt+ArrowDown", "Moved Bannerlady Oresta down."),
    ):
        key(pressed)
        said(page, words)
        expect_focus(page, "open-u1")
    assert order(page) == ["u2", "u1", "u3"]
    key("c")
    said(page, "Copied Bannerlady Oresta.")
    expect_focus(page, "u4")
    key("Delete")
    said(page, "Removed Bannerlady Oresta.")
    expect_focus(page, "u3")
    key("u")
    said(page, "Undone: Removed")
    key("Control+Shift+z")
    said(page, "Redone: Removed")
    expect(page.locator(".lines > .line")).to_have_count(3)
    expect_focus(page, "u3")
    key("o")
    expect(page.locator("#unit[data-unit=u3]")).to_be_visible()
    page.locator("#unit").get_by_text("Name and notes").click()
    page.locator("#name-u3").focus()
    page.keyboard.type("Jack + Jill")
    key("Enter")
    said(page, "Changed name and notes")
    expect(page.locator("#u3 strong")).to_have_text("Jack + Jill")
    key("p")
    expect_focus(page, "name-u3")  # letters belong to the field


def drag(page: Page, unit: str, to: str) -> None:
    handle = page.locator(f"#{unit} > .handle")
    handle.scroll_into_view_if_needed()
    page.wait_for_function(
        """() => document.getAnimations().every(one =>
          one.playState !== "running" || one.effect.target.closest(".toast"))"""
    )
    start_box, end_box = handle.bounding_box(), page.locator(f"#{to}").bounding_box()
    assert start_box
    assert end_box
    page.mouse.move(start_box["x"] + 8, start_box["y"] + 20)
    page.mouse.down()
    page.mouse.move(end_box["x"] + 20, end_box["y"] + 4, steps=4)


@pytest.mark.slow
def test_a_key_goes_through_what_there_is_to_mend_and_a_unit_is_dragged(open_page: Open) -> None:
    page = new_army(open_page)
    page.wait_for_load_state()
    findings = page.locator("#findings > .finding")
    number = findings.count()
    assert number > 2
    for place in (*range(number), 0):
        page.keyboard.press("n")
        expect(findings.nth(place)).to_be_focused()
    # A unit is dragged to another place.
    for unit in ("High Prince", "Citizen Spears", "Citizen Archers", "Sea Guard"):
        page.get_by_role("button", name=f"Add {unit}", exact=True).click()
        said(page, f"Added {unit}.")
    drag(page, "u4", "u2")
    expect(page.locator("#u2")).to_have_class(re.compile("drop-before"))
    page.keyboard.press("Escape")
    page.mouse.up()
    assert order(page) == ["u1", "u2", "u3", "u4"]
    drag(page, "u4", "u2")
    page.mouse.up()
    said(page, "Moved Sea Guard.")
    assert order(page) == ["u1", "u4", "u2", "u3"]
    expect_focus(page, "u4")
    drag(page, "u4", "u1")  # under another heading: to the first place under its own
    page.mouse.up()
    page.keyboard.press("u")
    said(page, "Undone: Moved Sea Guard.")
    assert order(page) == ["u1", "u2", "u3", "u4"]


@pytest.mark.slow
def test_a_reopened_palette_keeps_its_offers(
    open_page: Open,
) -> None:
    page = open_page()
    page.wait_for_load_state()
    page.keyboard.press("Control+k")
    expect(page.locator("#palette-0")).to_be_visible()
    page.evaluate("document.getElementById('palette').dispatchEvent(new Event('close'))")
    expect(page.locator("#palette-0")).to_be_visible()


@pytest.mark.slow
def test_keys_that_are_pressed_quickly_are_all_done_and_can_be_switched_off(
    open_page: Open,
) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    add(page, "Human Warrior")
    add(page, "Human Archer")
    page.keyboard.press("l")
    for pressed in ("+", "+", "j", "+", "k", "+"):
        page.keyboard.press(pressed)
    expect_models(page, "u1", 4)
    expect_models(page, "u2", 2)
    # They can be switched off for good.
    page.wait_for_load_state()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.locator("#single-keys").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.reload()  # waits for the script
    page.keyboard.press("v")
    page.keyboard.press("?")
    assert focus(page) != "verdict-title"
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("Control+k")
    expect(page.locator("#palette-find")).to_be_focused()
    page.keyboard.type("show shortcuts")
    expect(page.locator("#palette-0")).to_have_text("Show shortcuts")
    page.keyboard.press("Enter")
    expect(page.locator("#keys")).to_be_visible()


@pytest.mark.slow
def test_the_palette_is_read_out_as_what_it_is(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    page.get_by_role("button", name="Search or do anything").first.click()
    field = page.get_by_role("combobox", name="What do you want to do?")
    expect(field).to_be_focused()
    field.fill("add human")
    options = page.get_by_role("dialog").get_by_role("option")
    expect(options.first).to_contain_text("Add Human")
    page.keyboard.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", "palette-1")
    expect(page.locator("#palette-1")).to_have_attribute("aria-selected", "true")
    expect(page.locator("[role=option][aria-selected=true]")).to_have_count(1)
    field.fill("no such thing")
    expect(page.locator("#palette-count")).to_have_text("No match.")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Search or do anything").first).to_be_focused()
    say(page, "rename")
    expect(page.locator("#list-name")).to_be_focused()


@pytest.mark.slow
def test_on_a_phone_every_pane_is_one_tap_away_and_refusals_are_seen(open_page: Open) -> None:
    page = new_list(open_page, "Chainmail 2002", 100, PHONE)
    ways = page.locator(".views")
    ways.get_by_role("link", name="Add").click()
    page.get_by_role("button", name="Add Bannerlady Oresta", exact=True).click()
    toast = page.locator(".toast")
    expect(toast).to_contain_text("Added Bannerlady Oresta.")
    expect(toast).to_be_in_viewport()
    expect(ways).to_be_in_viewport()
    expect(page.locator("#chip")).to_be_in_viewport()
    expect(page.locator("#book")).to_be_visible()
    page.locator("#undo").click()
    expect(toast).to_contain_text("Undone: Added Bannerlady Oresta.")
    for name, place in (
        ("Errors", "#verdict"),
        ("Army", "#list"),
        ("Add", "#book"),
        ("More", "#game"),
    ):
        ways.get_by_role("link", name=name).click()
        expect(page.locator(place)).to_be_visible()
        expect(page.locator("[data-pane]:visible")).to_have_count(1)
    targets = page.locator(".views a:visible, .bar-top button:visible").all()
    assert len(targets) > 4
    for target in targets:
        box = target.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate("document.documentElement.scrollHeight") <= PHONE["height"]
    # What is refused is seen where the thumb is.
    other = page.context.new_page()
    other.goto(page.url.split("?")[0])
    add(page, "Bannerlady Oresta")
    show(page, "army")
    other.reload()
    other.locator("#open-u1").click()
    other.locator("#remove-u1").click()
    expect(other.locator(".line")).to_have_count(0)
    page.locator("#more-u1").click()
    toast = page.locator(".toast.bad")
    expect(toast).to_be_in_viewport()
    expect(toast).to_contain_text("no longer on the list")


@pytest.mark.slow
def test_citations_show_their_rule_the_focus_is_not_lost_and_keys_lead_to_the_parts(
    open_page: Open,
) -> None:
    page = new_list(open_page, "Chainmail 2002", 100)
    cite = page.locator("#findings details.cite").first
    rule = cite.locator("p").first
    visible = "element => element.checkVisibility({contentVisibilityAuto: true})"
    assert not rule.evaluate(visible)
    cite.locator("summary").hover()
    page.wait_for_function(visible, arg=rule.element_handle())
    cite.locator("summary").press("Enter")
    expect(cite).to_have_attribute("open", "")
    expect(rule).to_be_visible()
    # Where the focus was taken away it goes to the part around.
    show(page, "game")
    page.get_by_label("Add to terrain").select_option("hill")
    page.get_by_role("button", name="Add terrain").press("Enter")
    page.get_by_role("button", name="Remove Hill").press("Enter")
    said(page, "Removed Hill.")
    assert page.evaluate("document.activeElement !== document.body")
    add(page, "Bannerlady Oresta")
    page.locator("#unit").get_by_role("button", name="Remove Bannerlady Oresta").press("Enter")
    expect_focus(page, "unit-title")
    # Keys lead to the parts of the page, and to the history, which shows the time of the reader.
    add(page, "Captain of the Silver Reed")
    key = page.keyboard.press
    for pressed, place in (
        ("v", "verdict-title"),
        ("b", "book-title"),
        ("l", "open-u1"),
        ("/", "find"),
    ):
        key(pressed)
        expect_focus(page, place)
    page.keyboard.type("oresta")
    expect(page.locator("#shelf .add")).to_have_count(1)
    key("ArrowDown")
    expect_focus(page, "add-practice/bannerlady-oresta")
    key("Enter")
    said(page, "Added Bannerlady Oresta.")
    expect_focus(page, "add-practice/bannerlady-oresta")
    key("h")
    expect(page).to_have_url(re.compile("/history/$"))
    time = page.locator(".moment time").first
    expect(time).not_to_contain_text("UTC")
    expect(time).to_have_attribute("title", re.compile("UTC$"))


@pytest.mark.slow
def test_options_of_a_long_group_are_found_by_typing(open_page: Open) -> None:
    page = new_army(open_page)
    add(page, "High Prince")
    field = page.locator("#unit .find-options").first
    group = field.locator("xpath=ancestor::details[1]")
    group.locator("summary").first.click()
    options = group.locator(".option:visible")
    before = options.count()
    field.click()
    page.keyboard.type("inscriptions")
    expect(options).to_have_count(1)
    expect(options).to_contain_text("Eldritch Inscriptions")
    assert before > 1
