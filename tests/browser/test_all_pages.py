"""What holds for every page of the site, seen in a real Chromium: axe finds nothing, fingers meet
what they aim at, nothing scrolls sideways, nothing moves by itself.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.pages import PAGES
from tests.browser.seeds import Seeds
from tests.browser.survey import (
    DEVICES,
    LOOKING,
    Notes,
    axe_findings,
    open_context,
    shift_behind_slow_scripts,
    survey,
)
from tests.effort import THOROUGH

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
