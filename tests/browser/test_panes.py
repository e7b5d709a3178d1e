"""The builder's panes in a real Chromium: how much they show, that the page never scrolls, and that
nothing moves under the hand.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from armybuilder.lists.models import Version
from tests.browser.conftest import Open
from tests.browser.seeds import Seeds
from tests.browser.steps import show
from tests.browser.survey import LOOKING
from tests.browser.test_journeys import add, new_army, new_list, start_army
from tests.browser.test_unsent_journey import press_add
from tests.building.documents import army, repeated, skirmish, value_of
from tests.effort import THOROUGH

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK, PHONE = {"width": 1440, "height": 900}, {"width": 360, "height": 740}
SIZES = pytest.mark.parametrize(
    "size", [DESK, pytest.param(PHONE, marks=pytest.mark.slow)], ids=["desk", "phone"]
)
#: How many of some elements are wholly to be seen in their pane.
IN_SIGHT = """selector => [...document.querySelectorAll(selector)].filter((one) => {
  const box = one.getBoundingClientRect(), pane = one.closest(".pane").getBoundingClientRect();
  return box.height && box.top >= pane.top && box.bottom <= Math.min(pane.bottom, innerHeight) + 1;
}).length"""
#: Whether the whole page is the window, and no wider.
FITS = """() => document.documentElement.scrollHeight <= innerHeight
  && document.documentElement.scrollWidth <= innerWidth"""
#: The rows of units in which what comes first, say faction and alignment, is cut off.
CUT = """() => [...document.querySelectorAll(".entry-facts")].filter((one) => {
  const shown = document.createRange(), text = one.firstChild;
  shown.setStart(text, 0);
  shown.setEnd(text, text.data.split(" · ").slice(0, 2).join(" · ").length);
  return shown.getBoundingClientRect().right > one.getBoundingClientRect().right;
}).map((one) => one.textContent)"""


@pytest.fixture
def army_page(open_page: Open) -> Open:
    """Open the army of twenty units in a window of a size."""
    seeds = Seeds.with_an_army()

    def open_it(query: str = "", size: dict[str, int] = DESK, **options: bool) -> Page:
        page = open_page(size=size, at="", client=seeds.client, **options)
        page.emulate_media(reduced_motion="reduce")
        page.add_init_script(path=LOOKING)
        for _ in range(2):  # what was said on the pages before is told once
            page.goto(f"{seeds.places['army-20']}{query}")
        return page

    return open_it


def an_army(page: Page) -> None:
    """Show an army of twenty units as players field them: three characters, and regiments."""
    start_army(page)
    document = army()
    characters, regiments = document["units"][:3], document["units"][6:]
    chosen = [*characters, *(regiments * 3)[:17]]
    stored(
        page, {**document, "units": [{**unit, "id": f"u{at}"} for at, unit in enumerate(chosen, 1)]}
    )


def stored(page: Page, document: dict[str, Any]) -> None:
    """Show another document in the list that was made last."""
    version = Version.objects.latest("pk")
    version.document = value_of(document)
    version.save()
    page.reload()


@pytest.mark.slow
def test_a_desk_shows_twenty_units_to_add_and_eighteen_of_the_army_a_phone_ten_and_nine(
    open_page: Open,
) -> None:
    page = open_page(at="")
    an_army(page)
    assert page.evaluate(IN_SIGHT, ".entry") >= 20
    assert page.evaluate(IN_SIGHT, ".line") >= 18
    assert page.evaluate(FITS)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.reload()
    assert page.evaluate(IN_SIGHT, ".line") >= 9
    show(page, "units")
    assert page.evaluate(IN_SIGHT, ".entry") >= 10
    assert page.evaluate(FITS)


@pytest.mark.slow
def test_units_to_add_are_shown_without_cuts(open_page: Open) -> None:
    page = new_list(open_page, "D&D Miniatures 2008", 200, DESK)
    for size in (DESK, {"width": 1280, "height": 800}, {"width": 1024, "height": 768}, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        show(page, "units")
        assert page.evaluate(CUT) == [], size
    assert page.evaluate(IN_SIGHT, ".entry") >= 9
    # The way there is shown where they are not in sight already.
    show(page, "errors")
    way = page.locator("#findings").get_by_text("Go to the units")
    expect(way).to_be_visible()
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    expect(way).to_be_hidden()


@pytest.mark.slow
def test_at_every_width_of_tablet_and_desk_units_and_army_stand_beside_each_other(
    army_page: Open,
) -> None:
    page = army_page()
    for width in range(768, 1441, 16 if THOROUGH else 96):
        page.set_viewport_size({"width": width, "height": 800})
        for part in ("#book", "#list"):
            assert page.locator(part).is_visible(), (width, part)
        assert page.evaluate(FITS), width


@pytest.mark.slow
def test_clicks_at_one_point_add_the_same_unit(open_page: Open) -> None:
    page = new_army(open_page)
    number = 0
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 844})
        show(page, "units")
        place = page.get_by_role("button", name="Add Mage", exact=True).bounding_box()
        assert place
        for _click in range(5):
            number += 1
            page.mouse.click(place["x"] + 10, place["y"] + 10)
            expect(page.locator(".line")).to_have_count(number)
        assert page.evaluate("scrollY") == 0
    assert page.locator(".line strong").all_text_contents() == ["Mage"] * number


@pytest.mark.slow
def test_without_script_clicks_at_one_point_add_the_same_unit(open_page: Open) -> None:
    page = open_page(java_script_enabled=False, at="")
    start_army(page)
    place = page.get_by_role("button", name="Add Elein Reavers", exact=True).bounding_box()
    assert place
    for _ in range(3):
        with page.expect_navigation():
            page.mouse.click(place["x"] + 10, place["y"] + 10)
    assert page.locator(".line strong").all_text_contents() == ["Elein Reavers"] * 3


@pytest.mark.slow
@SIZES
def test_the_head_of_the_open_unit_and_the_verdict_stay_in_sight(
    army_page: Open, size: dict[str, int]
) -> None:
    page = army_page("?open=u2&view=unit", size=size)
    for fold in page.locator("#unit details.fold > summary").all()[:4]:
        fold.click()
    page.locator("#unit").evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    expect(page.locator("#unit-title")).to_be_in_viewport()
    expect(page.locator("#chip")).to_be_in_viewport()
    page.locator("#open-u3" if size is DESK else "#unit-after").click()
    expect(page.locator("#unit[data-unit]:not([data-unit=u2])")).to_be_visible()
    assert page.locator("#unit").evaluate("pane => pane.scrollTop") == 0


@pytest.mark.slow
def test_each_pane_keeps_its_place(army_page: Open) -> None:
    page = army_page(size=PHONE, has_touch=True, is_mobile=True)
    page.locator("#list").evaluate("pane => { pane.scrollTop = 200 }")
    show(page, "units")
    page.locator("#book").evaluate("pane => { pane.scrollTop = 300 }")
    show(page, "army")
    assert page.locator("#list").evaluate("pane => pane.scrollTop") == 200
    show(page, "units")
    assert page.locator("#book").evaluate("pane => pane.scrollTop") == 300
    page.reload()
    assert page.locator("#book").evaluate("pane => pane.scrollTop") == 300
    show(page, "army")
    page.goto(page.url.split("?")[0] + "print/")
    page.go_back()
    assert page.locator("#list").evaluate("pane => pane.scrollTop") == 200
    show(page, "units")
    assert page.locator("#book").evaluate("pane => pane.scrollTop") == 300


def test_unchanged_panes_are_not_sent(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300)
    for unit in ("Human Warrior", "Human Archer"):
        page.get_by_role("button", name=f"Add {unit}", exact=True).click()
        expect(page.locator("#said")).to_contain_text(f"Added {unit}")
    with page.expect_response("**/act/**") as answer:
        page.locator("#more-u1").click()
    sent = answer.value.text()
    assert '<li id="u2" data-same></li>' in sent
    expect(page.locator("#u1 .unit-models")).to_have_text("2×")
    expect(page.locator("#u2 strong")).to_have_text("Human Archer")
    with page.expect_response("**/act/**"):
        page.locator("#more-u2").click()  # its form knows the version that came meanwhile
    expect(page.locator("#said")).to_contain_text("One more Human Archer.")
    expect(page.locator("#u2 .unit-models")).to_have_text("2×")
    expect(page.locator("#conflict")).to_have_count(0)
    page.locator(".views a[data-view=errors]").hover()
    expect(page.locator("#verdict[data-stale]")).to_have_count(0)
    with page.expect_response("**part=list**") as answer:
        page.locator("#open-u1").click()
    assert '<section id="verdict" data-same></section>' in answer.value.text()
    expect(page.locator("#unit-title")).to_have_text("Human Warrior")


@pytest.mark.slow
def test_the_points_breakdown_is_shown_without_cuts(open_page: Open) -> None:
    page = new_list(open_page, "Song of Blades and Heroes", 300, PHONE)
    add(page, "Human Warrior")
    show(page, "army")
    page.locator("#open-u1").click()
    page.locator("#made-unit > summary").click()
    for width in (360, 800, 1440):
        page.set_viewport_size({"width": width, "height": 740})
        box = page.locator("#made-unit .menu-body").bounding_box()
        around = page.locator("#unit").bounding_box()
        assert box
        assert around
        assert around["x"] <= box["x"], width
        assert box["x"] + box["width"] <= around["x"] + around["width"], width
        assert box["width"] >= 200, width


@pytest.mark.slow
def test_back_on_a_phone_leads_to_the_view_before(open_page: Open) -> None:
    page = new_army(open_page, {"width": 360, "height": 740})
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
        depth = 0 if name == "army" else 1
        page.wait_for_function("depth => history.state.depth === depth", arg=depth)
    assert page.evaluate("history.length") <= steps + 1
    page.locator(".views a[data-view=errors]").click()
    page.reload()
    expect(builder).to_have_attribute("data-view", "errors")
    page.evaluate("history.back()")
    expect(builder).to_have_attribute("data-view", "army")
    # A desk keeps no steps.
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
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

#: A finger that presses on does not meet what has just come.
HAS_COME = "line => Promise.all(line.getAnimations().map((one) => one.finished)).then(() => null)"


@pytest.mark.slow
def test_a_new_error_is_announced_where_the_eye_is(open_page: Open) -> None:
    page = new_army(open_page, PHONE)
    for number in range(1, 4):
        press_add(page, "Sky Sloop")
        expect(page.locator(".line")).to_have_count(number)
    line = page.locator(".news-line")
    expect(line).to_contain_text("Sky Sloop: 3 taken, maximum 2.")
    for width in (1440, 900, 360):
        page.set_viewport_size({"width": width, "height": 740})
        expect(line).to_be_in_viewport(ratio=1)
        assert page.evaluate(COVERED) == [], width
    expect(page.locator("#said")).to_contain_text("Sky Sloop: 3 taken, maximum 2.")
    line.evaluate(HAS_COME)
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
    line.evaluate(HAS_COME)
    page.locator("#news-answer").click()
    expect(line).to_have_count(0)


@pytest.mark.slow
def test_all_of_a_long_list_is_reached_takes_no_focus_and_acts_go_on(open_page: Open) -> None:
    page = new_list(open_page, "Chainmail 2002", 140)
    stored(page, repeated(skirmish("chainmail-2002"), 70))
    expect(page.locator("#u1.line")).to_be_visible()
    expect(page.locator("#shelf .add").first).to_be_visible()
    assert page.locator(".line").count() < 70
    for _stretch in range(2):
        more = page.locator(".more-units a").last
        unit = more.get_attribute("data-goto")
        more.scroll_into_view_if_needed()
        expect(page.locator(f"#{unit}.line")).to_be_visible()
    expect(page.locator("#u70.line")).to_be_visible()
    expect(page.locator(".line")).to_have_count(70)
    assert page.evaluate("document.activeElement === document.body")
    page.locator("#more-u33").click()
    expect(page.locator("#more-u33")).to_be_focused()
    expect(page.locator("#more-u33")).to_be_in_viewport()
    expect(page.locator("#said")).to_contain_text("points")
