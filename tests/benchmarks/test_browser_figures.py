"""What a player waits for and what is sent to them, measured in a real Chromium by `make bench`.

A click lasts from the pointer's event to the frame that shows the changed list; what is sure is
seen before that. The server is that of `make run`, on the database of the test.
"""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page

from tests.benchmarks.percentiles import p95
from tests.benchmarks.test_figures import plain_templates
from tests.browser.conftest import chromium
from tests.browser.seeds import Seeds
from tests.browser.survey import DESK, PHONE, open_context, settle, weight
from tests.serving import as_made_to_run

__all__ = ["chromium", "plain_templates"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLOCK = Path(__file__).with_name("clicks.js")
#: Milliseconds until something of a changed list is seen, and all of it; by 4G all of it.
SEEN, SHOWN, BY_4G = 60, 100, 250
#: What to reach until all of it is seen: an army; a warband.
AIM = {True: 60, False: 40}
#: Milliseconds of delay, bits a second, and how many times slower the processor is.
DELAY, SPEED, SLOWER = 70, 9_000_000, 4
#: Kilobytes of the first page and all it needs, unpacked; of an army of 20 units, as it is sent,
#: in Play with the letters of names; which else come besides with the first page, for all others.
FIRST_PAGE, ARMY, TYPEFACE = 150, 60, 25
#: Clicks that do not count.
WARMING = 12
STAGES = ("sent", "answered", "read", "swapped", "shown")


@pytest.fixture
def served(transactional_db: None) -> Iterator[str]:
    with as_made_to_run(settings.VAR_DIR, settings.DATABASES["default"]["NAME"]) as server:
        yield server.url


@pytest.fixture
def seeds(transactional_db: None) -> Seeds:
    return Seeds()


@pytest.fixture(params=[DESK, PHONE], ids=["desk", "phone"])
def page(request: Any, chromium: Browser, served: str, seeds: Seeds) -> Iterator[Page]:
    context = open_context(chromium, served, seeds, **request.param)
    context.add_init_script(path=CLOCK)
    yield context.new_page()
    context.close()


def on_a_phone_by_4g(page: Page) -> None:
    """Let the page be on an ordinary phone, somewhere outside."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    rate = SPEED / 8
    limits = {"latency": DELAY, "downloadThroughput": rate, "uploadThroughput": rate}
    session.send("Network.emulateNetworkConditions", {"offline": False, **limits})
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def click_in_turn(page: Page, buttons: tuple[str, str], rounds: int) -> list[dict[str, float]]:
    """Press two buttons in turn, of which one undoes the other. The first few do not count: each
    worker of the server reads its templates then.
    """
    for number in range(-WARMING, rounds):
        settle(page)
        if number == 0:
            page.evaluate("looking.shift = 0")
        before = page.evaluate("clicks.length")
        page.locator(buttons[number % 2]).first.click()
        page.evaluate("before => looking.until(() => clicks.length > before)", before)
    settle(page)
    return list(page.evaluate("clicks"))[WARMING:]


SIZE = ("#more-u7-unit", "#fewer-u7-unit")
UNITS = ("#unit-after", "#unit-before")
MODELS = ("#more-u2", "#fewer-u2")
ADD = (".add", "button[value=undo]:visible")
#: Where it is clicked, and the two buttons.
CLICKS = {
    "size in an army of 20 units": ("{army-20}?open=u7&view=unit", SIZE),
    "unit opened in an army of 20 units": ("{army-20}?open=u7&view=unit", UNITS),
    "unit added to an army of 20 units, undone": ("{army-20}?view=units", ADD),
    "size in an army of 50 units": ("{army-50}?open=u7&view=unit", SIZE),
    "model in Chainmail": ("{skirmish}", MODELS),
    "model in Song of Blades": ("{worked-on}", MODELS),
}


@pytest.mark.usefixtures("plain_templates")
@pytest.mark.parametrize("told", CLICKS)
def test_a_click_until_the_changed_list_is_seen(page: Page, seeds: Seeds, told: str) -> None:
    address, buttons = CLICKS[told]
    page.goto(address.format(**seeds.places))
    clicks = click_in_turn(page, buttons, 80)
    width = page.viewport_size["width"]  # type: ignore[index]
    seen, shown = report(f"{told}, {width} px wide", clicks, AIM["army" in told])
    print(f"moved by itself: {page.evaluate('looking.shift'):.4f}")
    if "50" not in told:  # told, not promised
        assert shown <= SHOWN
        assert seen <= SEEN or "added" in told


def report(told: str, clicks: list[dict[str, float]], aim: int) -> tuple[float, float]:
    """Tell how long clicks lasted; 95 of 100 until something is seen, and until all is."""
    reached = ", ".join(f"{stage} {median(c[stage] for c in clicks):.0f}" for stage in STAGES)
    both = []
    for what, stage in (("something", "seen"), ("all", "shown")):
        times = [click[stage] for click in clicks]
        both.append(p95(times))
        print(
            f"\nclick until {what} is seen, {told}: median {median(times):.0f} ms,"
            f" p95 {both[-1]:.0f} ms (aim {aim}); reached after ms: {reached}"
        )
    return both[0], both[1]


@pytest.mark.usefixtures("plain_templates")
@pytest.mark.parametrize("told", [told for told in CLICKS if "50" not in told])
@pytest.mark.parametrize("page", [PHONE], ids=["phone"], indirect=True)
def test_a_click_on_a_phone_by_4g(page: Page, seeds: Seeds, told: str) -> None:
    address, buttons = CLICKS[told]
    page.goto(address.format(**seeds.places))
    on_a_phone_by_4g(page)
    __, shown = report(f"{told}, by 4G", click_in_turn(page, buttons, 40), BY_4G)
    assert shown <= BY_4G


PLACES = {
    "the first page": "/",
    "my lists": "/lists/",
    "an army of 20 units": "{army-20}",
    "an army of 20 units in Play": "{army-20}play/",
}


@pytest.mark.parametrize("told", PLACES)
def test_the_weight_of_a_page_with_all_it_needs(page: Page, seeds: Seeds, told: str) -> None:
    sent, unpacked, typeface = weight(page, PLACES[told].format(**seeds.places))
    shift = page.evaluate("looking.shift")
    print(
        f"\nweight of {told}: {sent:.0f} KB sent, {unpacked:.0f} KB unpacked,"
        f" and {typeface:.0f} KB of letters; moved {shift:.4f}"
    )
    assert 0 < typeface <= TYPEFACE
    assert shift <= 0.001
    if told == "the first page":
        assert unpacked <= FIRST_PAGE
    if "army" in told:
        assert sent + (typeface if "Play" in told else 0) <= ARMY
