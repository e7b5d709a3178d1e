"""What holds for every page of the site, seen in a real Chromium: axe finds nothing, fingers meet
what they aim at, nothing scrolls sideways, nothing moves by itself. The builder's bars stay short
on the narrowest phone in every language; and what `make run` sends is little, and works.
"""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils.translation import gettext, override
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import PAGES, Shown
from tests.browser.seeds import Seeds
from tests.browser.survey import (
    DESK,
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
from tests.effort import THOROUGH
from tests.serving import as_made_to_run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: A layout-shift score that nobody sees.
STILL = 0.001
MAIN = [shown for shown in PAGES if shown.main]
GALLERY = [shown for shown in PAGES if shown.name == "gallery"]
EVERY = [shown for shown in PAGES if not shown.only_pictured]
#: Where there is less time: the page with every component, and some of the main ones.
LOOKED_AT = EVERY if THOROUGH else [*GALLERY, *MAIN[::6]]
MOVED = MAIN if THOROUGH else MAIN[::10]
#: The walk in parts, for several workers.
PARTS = 2 if THOROUGH else 1


@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_troubles_axe_or_fingers_or_scrolls_sideways_or_moves_by_itself(
    chromium: Browser, live_server: object, part: int
) -> None:
    seeds, pages = Seeds(), LOOKED_AT[part::PARTS]
    moved = moving(chromium, str(live_server), MOVED[part::PARTS], seeds)
    assert {name: shift for name, shift in moved.items() if shift > STILL} == {}
    notes = survey(chromium, str(live_server), pages, seeds)
    assert [seen.page for seen in notes] == [shown.name for shown in pages]
    found = [f"{seen.page}: {told}" for seen in notes for told in troubles(seen)]
    assert not found, "\n".join(found)


def troubles(seen: Notes) -> Iterator[str]:
    """What nothing excuses."""
    yield from (f"{impact}: {told}" for impact, told in seen.axe)
    yield from (f"too small: {told}" for told in seen.small)
    yield from (f"covered: {told}" for told in seen.covered)
    if seen.wide > 0:
        yield f"scrolls sideways by {seen.wide} pixels"


def moving(
    browser: Browser, url: str, pages: list[Shown], seeds: Seeds
) -> dict[tuple[str, int], float]:
    """How much pages move by themselves while they load, by their names and the device's width."""
    moved = {}
    for device in (PHONE, DESK) if THOROUGH else (PHONE,):
        context = open_context(browser, url, seeds, **device)
        page = context.new_page()
        for one in pages:
            moved[one.name, device["viewport"]["width"]] = moves(page, one.at(seeds))
        context.close()
    return moved


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
    assert page.evaluate("looking.covered()") == ["a “Alone” 40 × 18"]
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
<p style="width: 900px; margin-top: -40px; position: relative">Wide</p>
<img src="data:,"></main></html>"""


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
    const verdict = chip.querySelector("span");
    verdict.textContent = word;
    letters.selectNodeContents(verdict);
    return letters.getClientRects().length;
}"""


@pytest.mark.slow
def test_bars_of_the_builder_stay_short_in_every_language(
    chromium: Browser, live_server: object
) -> None:
    seeds = Seeds()
    for language, _name in settings.LANGUAGES:
        context = open_context(chromium, str(live_server), seeds, **PHONE)
        cookie = {"name": "django_language", "value": language, "url": str(live_server)}
        context.add_cookies([cookie])  # type: ignore[list-item]
        page = context.new_page()
        for shown in BUILDERS:
            show(page, shown, seeds)
            assert page.evaluate("looking.wide()") == 0, shown.name
            bar = page.evaluate("document.querySelector('.bar-top').offsetHeight")
            assert bar == 48, (shown.name, language)
            assert rows_of(page, ".views a") == 1, (shown.name, language)
            assert page.evaluate(NAME_CUT) <= 0 or "WWW" in page.title(), (shown.name, language)
        with override(language):
            expect(page.locator("#undo")).to_have_accessible_name(gettext("Undo"))
            assert page.evaluate(LINES, gettext("Legal")) == 1
        context.close()


@pytest.mark.slow
def test_pages_are_light_and_their_scripts_run(transactional_db: None, chromium: Browser) -> None:
    """Each is opened by a browser that has been nowhere yet."""
    seeds = Seeds.with_an_army()
    with as_made_to_run(settings.VAR_DIR, settings.DATABASES["default"]["NAME"]) as server:
        contexts = [open_context(chromium, server.url, seeds, **DESK) for _ in range(3)]
        first, page, play = [context.new_page() for context in contexts]
        sent, unpacked, _letters = weight(first, "/")
        assert 20 < sent < unpacked <= 150
        sent, _unpacked, letters = weight(play, f"{seeds.places['army-20']}play/")
        assert 20 < letters < 30 < sent + letters <= 60
        troubles: list[str] = []
        page.on(
            "console", lambda said: troubles.append(said.text) if said.type == "error" else None
        )
        page.on("pageerror", lambda error: troubles.append(str(error)))
        sent, unpacked, _letters = weight(page, seeds.places["army-20"])
        assert 40 < sent <= 60
        page.goto(f"{seeds.places['army-20']}?open=u7&view=unit")
        before = page.locator("#u7").inner_text()
        page.locator("#more-u7-unit").click()
        page.wait_for_function(
            "before => document.querySelector('#u7').innerText !== before", arg=before
        )
        settle(page)
        page.keyboard.press("Control+k")
        page.locator("#palette[open]").wait_for()
        assert troubles == []
        for context in contexts:
            context.close()
