"""What holds for every page of the site, seen in a real Chromium: axe finds nothing, fingers meet
what they aim at, nothing scrolls sideways, nothing moves by itself.
"""

import pytest
from playwright.sync_api import Browser

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
    weight,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Findings of axe that are meant, by the beginning of what is told of them, and why.
MEANT: dict[str, str] = {}
#: What may be smaller than 44 pixels on a phone, by its beginning, and why.
SMALL: dict[str, str] = {}


@pytest.fixture(scope="session")
def walked() -> list[Notes]:
    """Filled by the first test that asks: the walk takes a while and serves them all."""
    return []


@pytest.fixture
def notes(walked: list[Notes], chromium: Browser, live_server: object) -> list[Notes]:
    if not walked:
        walked.extend(survey(chromium, str(live_server), Seeds()))
    return walked


def unexplained(told: str, exceptions: dict[str, str]) -> bool:
    return not told.startswith(tuple(exceptions))


def test_axe_finds_nothing_on_any_page(notes: list[Notes]) -> None:
    found = [
        f"{impact}: {told} [{seen.page}, {seen.device}]"
        for seen in notes
        for impact, told in seen.axe
        if unexplained(told, MEANT)
    ]
    assert not found, "\n".join(found)


def test_whatever_a_finger_presses_is_44_pixels_large(notes: list[Notes]) -> None:
    found = [
        f"{told} [{seen.page}]" for seen in notes for told in seen.small if unexplained(told, SMALL)
    ]
    assert not found, "\n".join(found)


def test_no_page_scrolls_sideways_even_on_a_small_phone(notes: list[Notes]) -> None:
    assert [(seen.page, seen.device, seen.wide) for seen in notes if seen.wide > 0] == []


@pytest.mark.parametrize("device", DEVICES)
def test_no_page_moves_by_itself_while_it_loads(
    chromium: Browser, live_server: object, device: str
) -> None:
    seeds = Seeds()
    context = open_context(chromium, str(live_server), seeds, **DEVICES[device])
    page = context.new_page()
    looked_at = [shown for shown in PAGES if shown.main]
    moved = {one.name: shift_behind_slow_scripts(page, one.at(seeds)) for one in looked_at}
    context.close()
    assert {name: shift for name, shift in moved.items() if shift > 0.001} == {}


def test_the_first_page_weighs_150_kilobytes_at_most(
    chromium: Browser, live_server: object
) -> None:
    page = chromium.new_page()
    sent, unpacked = weight(page, str(live_server))
    page.close()
    assert 20 < sent < unpacked <= 150


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
