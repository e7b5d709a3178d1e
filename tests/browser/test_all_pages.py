"""What holds for every page of the site, seen in a real Chromium: axe finds nothing, fingers meet
what they aim at, nothing scrolls sideways, nothing moves by itself. The builder's bars stay short
on the narrowest phone in every language; and what `make run` sends is little, and works.
"""

import json
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils.translation import gettext, override
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import PAGES
from tests.browser.seeds import Seeds
from tests.browser.survey import (
    DESK,
    DEVICES,
    LOOKING,
    PHONE,
    Notes,
    axe_findings,
    open_context,
    settle,
    shift_behind_slow_scripts,
    show,
    survey,
    weight,
)
from tests.building.documents import list_of
from tests.effort import THOROUGH
from tests.serving import as_made_to_run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Findings of axe that are meant, by the beginning of what is told of them, and why.
MEANT: dict[str, str] = {}
#: What may be smaller than 44 pixels on a phone, by its beginning, and why.
SMALL: dict[str, str] = {}


#: A layout-shift score that nobody sees.
STILL = 0.001
#: The walk in parts, for several workers.
PARTS = {"desk": 6, "phone": 3} if THOROUGH else {"desk": 1, "phone": 1}
MAIN = [shown for shown in PAGES if shown.main]
GALLERY = [shown for shown in PAGES if shown.name == "gallery"]
EVERY = [shown for shown in PAGES if not shown.only_pictured]
#: Where there is less time: the page with every component, and some of the main ones on a phone:
#: on a desk axe takes long.
LOOKED_AT = {
    "desk": EVERY if THOROUGH else GALLERY,
    "phone": EVERY if THOROUGH else [*GALLERY, *MAIN[::6]],
}
WALK = [(device, part) for device, parts in PARTS.items() for part in range(parts)]


@pytest.mark.parametrize(("device", "part"), WALK)
def test_no_page_troubles_axe_or_fingers_or_scrolls_sideways(
    chromium: Browser, live_server: object, device: str, part: int
) -> None:
    pages = LOOKED_AT[device][part :: PARTS[device]]
    notes = survey(chromium, str(live_server), device, pages)
    assert [seen.page for seen in notes] == [shown.name for shown in pages]
    found = [f"{seen.page}: {told}" for seen in notes for told in troubles(seen)]
    assert not found, "\n".join(found)


def troubles(seen: Notes) -> Iterator[str]:
    """What nothing excuses."""
    yield from (f"{impact}: {told}" for impact, told in seen.axe if unexplained(told, MEANT))
    yield from (f"too small: {told}" for told in seen.small if unexplained(told, SMALL))
    if seen.wide > 0:
        yield f"scrolls sideways by {seen.wide} pixels"


def unexplained(told: str, exceptions: dict[str, str]) -> bool:
    return not told.startswith(tuple(exceptions))


@pytest.mark.parametrize("device", [pytest.param("desk", marks=pytest.mark.slow), "phone"])
def test_no_page_moves_by_itself_while_it_loads(
    chromium: Browser, live_server: object, device: str
) -> None:
    seeds = Seeds()
    context = open_context(chromium, str(live_server), seeds, **DEVICES[device])
    page = context.new_page()
    looked_at = MAIN if THOROUGH else MAIN[::10]
    moved = {one.name: moves(page, one.at(seeds)) for one in looked_at}
    context.close()
    assert {name: shift for name, shift in moved.items() if shift > STILL} == {}


def moves(page: Page, address: str) -> float:
    """How much a page moves. One that is drawn before all of it has come moves by chance: so where
    it did, it is looked at once more.
    """
    shift = shift_behind_slow_scripts(page, address)
    return shift if shift <= STILL else min(shift, shift_behind_slow_scripts(page, address))


def test_a_page_with_every_fault_has_each_of_them_noted(chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 360, "height": 780})
    page.add_init_script(path=LOOKING)
    page.goto("about:blank")
    page.set_content(FAULTY)
    assert page.evaluate("looking.small(44)") == ["button “Tiny” 20 × 20", "a “Alone” 40 × 18"]
    assert page.evaluate("looking.wide()") > 0
    rules = {told.partition(",")[0] for _, told in axe_findings(page)}
    assert {"color-contrast", "image-alt"} <= rules
    page.evaluate("document.querySelector('main').prepend(document.querySelector('img'))")
    page.evaluate("document.querySelector('img').style.height = '300px'")
    page.evaluate("looking.until(() => looking.shift > 0.001)")
    page.close()


FAULTY = """<!doctype html><html lang="en"><title>Faults</title><main style="font: 16px monospace">
<h1>Faults</h1>
<p style="color: #999; background: #fff">Pale words with <a href="#x">a link</a> in a sentence.</p>
<p><button style="padding: 0; border: 0; overflow: hidden; width: 20px; height: 20px">Tiny</button>
<button style="width: 60px; height: 60px">Good</button></p>
<p><a href="#y" style="display: inline-block; width: 40px; height: 18px">Alone</a></p>
<p style="width: 900px">Wide</p><img src="data:,"></main></html>"""


#: Those with many open lists above them, since each page opened before adds one.
BUILDERS = [page for page in PAGES if page.name.startswith("builder-") and page.main]


def rows_of(page: Page, selector: str) -> int:
    """In how many rows the elements stand that are drawn."""
    tops = page.locator(selector).evaluate_all(
        "all => all.filter(one => looking.drawn(one))"
        ".map(one => Math.round(one.getBoundingClientRect().top))"
    )
    assert tops
    return len(set(tops))


#: How far the first twelve letters of the list's name reach beyond what is seen of it.
NAME_CUT = """() => {
    const title = document.querySelector(".lists-menu h1");
    const letters = document.createRange();
    letters.setStart(title.firstChild, 0);
    letters.setEnd(title.firstChild, Math.min(12, title.firstChild.length));
    return letters.getBoundingClientRect().right - title.getBoundingClientRect().right;
}"""

#: The verdict with one word: in how many lines it stands.
LINES = """word => {
    const chip = document.getElementById("chip"), letters = document.createRange();
    chip.lastChild.data = word;
    letters.selectNodeContents(chip.lastChild);
    return letters.getClientRects().length;
}"""

#: German words are the longest: where they fit, the others do.
LANGUAGES = [
    pytest.param(code, marks=[pytest.mark.slow] if code != "de" else [])
    for code, _ in settings.LANGUAGES
]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_bars_of_the_builder_stay_short_in_every_language(
    chromium: Browser, live_server: object, language: str
) -> None:
    seeds = Seeds()
    context = open_context(chromium, str(live_server), seeds, **PHONE)
    cookie = {"name": "django_language", "value": language, "url": str(live_server)}
    context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    for shown in BUILDERS:
        show(page, shown, seeds)
        assert page.evaluate("looking.wide()") == 0, shown.name
        assert page.evaluate("document.querySelector('.bar-top').offsetHeight") == 48, shown.name
        assert rows_of(page, ".views a") == 1, shown.name
        assert page.evaluate(NAME_CUT) <= 0 or "WWW" in page.title(), shown.name
    with override(language):
        expect(page.locator("#undo")).to_have_accessible_name(gettext("Undo"))
        assert page.evaluate(LINES, gettext("Legal")) == 1
    context.close()


@pytest.mark.slow
def test_a_sheet_with_many_boxes_scrolls_not_to_the_side(
    chromium: Browser, live_server: object
) -> None:
    page = open_context(chromium, str(live_server), Seeds(), **PHONE).new_page()
    unit = {"id": "u1", "unit": "practice/bramble-elder", "models": 1}
    document = list_of("ddm-2008", ["practice"], [unit], limit=200)
    page.goto("/lists/import/")
    page.locator("#text").fill(json.dumps(document))
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#chip")).to_be_visible()
    page.goto(f"{page.url.partition('?')[0]}sheet/")
    expect(page.locator(".health-row .boxes").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.fixture
def seeds(transactional_db: None) -> Seeds:
    return Seeds()


@pytest.fixture
def opened(transactional_db: None, chromium: Browser, seeds: Seeds) -> Iterator[list[Page]]:
    """Pages of two browsers that have been nowhere yet."""
    with as_made_to_run(settings.VAR_DIR, settings.DATABASES["default"]["NAME"]) as server:
        contexts = [open_context(chromium, server.url, seeds, **DESK) for _ in range(2)]
        yield [context.new_page() for context in contexts]
        for context in contexts:
            context.close()


@pytest.mark.slow
def test_pages_are_light_and_their_scripts_run(opened: list[Page], seeds: Seeds) -> None:
    first, page = opened
    sent, unpacked = weight(first, "/")
    assert 20 < sent < unpacked <= 150

    troubles: list[str] = []
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    sent, unpacked = weight(page, "{army-20}".format(**seeds.places))
    assert 40 < sent <= 60
    page.goto("{army-20}?open=u7&view=unit".format(**seeds.places))
    before = page.locator("#u7").inner_text()
    page.locator("#more-u7-unit").click()
    page.wait_for_function(
        "before => document.querySelector('#u7').innerText !== before", arg=before
    )
    settle(page)
    page.keyboard.press("Control+k")
    page.locator("#palette[open]").wait_for()
    assert troubles == []
