"""One story for every game: from an empty list over a broken rule to the sheet on the table, told
with three hands.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

from armybuilder.loading.library import shipped_library
from tests.browser.conftest import keep_warm
from tests.browser.steps import HANDS, LOOK, Mouse
from tests.effort import THOROUGH
from tests.stories import STORIES, Story

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Milliseconds for one act, on a machine that has much else to do.
PATIENCE = 20_000

#: The game that a hand plays in every run.
ONE_GAME = {"finger": "chainmail-2002"}
if THOROUGH:
    ONE_GAME |= {"mouse": "sbh", "keyboard": "ddm-2008"}

#: What htmx tells of the shelf when the page is left before it was drawn anew.
LEFT_BEHIND = ("htmx:sendError", "htmx:sendAbort", "htmx:afterRequest")


@pytest.fixture(scope="module")
def contexts(chromium: Browser, live_server: Any) -> Iterator[dict[str, BrowserContext]]:
    """One browser for each hand, which keeps styles and scripts for the next game."""
    opened = {}
    for name, hand in HANDS.items():
        opened[name] = chromium.new_context(
            base_url=live_server.url, reduced_motion="reduce", **hand.context
        )
        opened[name].set_default_timeout(PATIENCE)
        keep_warm(opened[name])
    yield opened
    for context in opened.values():
        context.close()


@pytest.fixture
def hand(request: pytest.FixtureRequest, contexts: dict[str, BrowserContext]) -> Iterator[Mouse]:
    """A hand at the start page, unknown to the app. Any error in its console fails the test."""
    context = contexts[request.param]
    context.clear_cookies()
    page = context.new_page()
    troubles: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(LEFT_BEHIND):
            troubles.append(f"{message.text} ({message.location['url']})")

    page.on("console", listen)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto("/")
    yield HANDS[request.param](page)
    page.close()
    assert troubles == []


def start(hand: Mouse, story: Story) -> None:
    page = hand.page
    hand.press(
        page.get_by_role("link", name=re.compile(f"^Start an? .*: {re.escape(story.game)}$"))
    )
    hand.write(page.get_by_label("Name (optional)"), "A first try")
    hand.write(page.locator("#id_limit"), str(story.size))
    if story.book:
        hand.pick(page.get_by_label("Army book", exact=True), story.book)
    hand.press(page.get_by_role("button", name="Create list"))
    expect(page.locator("#chip")).to_contain_text("to do")
    page.wait_for_load_state("domcontentloaded")  # keys count from then on
    page.evaluate("document.getElementById('said').kept = true")


def do(hand: Mouse, words: str, act: Any, *what: Any) -> dict[str, Any]:
    """Do something to the list, wait for it, and look at what holds after every act: the words are
    said, with the verdict, and the focus is somewhere. What the verdict is then.
    """
    hand.carry_out(act, *what)
    seen: dict[str, Any] = hand.page.evaluate(LOOK)
    assert seen["said"].startswith(f"{words} ")
    # Behind the verdict an error is told that was not there before.
    assert " points." in seen["said"]
    assert seen["focused"], words
    assert seen["kept"], words
    if hand.thumb:
        assert seen["barInSight"], words
    return seen


def told(page: Page, words: str) -> Locator:
    """The finding that says this."""
    return page.locator("#findings > .finding", has_text=words)


def break_and_settle(hand: Mouse, story: Story) -> None:
    """Break a rule, take it back, do it again, and settle what is found."""
    page, broken = hand.page, told(hand.page, story.finding)
    added = f"Added {story.breaks}."
    expect(broken).to_have_count(0)
    do(hand, added, hand.add, story.breaks)
    expect(broken).to_have_count(1)
    do(hand, f"Undone: {added}", hand.undo)
    expect(broken).to_have_count(0)
    do(hand, f"Redone: {added}", hand.redo)
    expect(broken).to_have_count(1)
    for place, (answer, said) in enumerate(story.answers):
        around = page.locator("#findings") if place else broken
        do(hand, said, hand.settle, around.get_by_role("button", name=answer, exact=True))
        expect(broken).to_have_count(0)


#: Every game with a finger, and one with every other hand; otherwise a warband with a finger.
#: test_few_clicks builds an army with a mouse, test_hand_journey a warband with keys alone, and
#: tests/plain plays every game without script.
PLAYED = [
    pytest.param(hand, story, id=f"{hand}-{story.system}")
    for hand in HANDS
    for story in STORIES
    if (THOROUGH and hand == "finger") or story.system == ONE_GAME.get(hand)
]


@pytest.mark.parametrize(("hand", "story"), PLAYED, indirect=["hand"])
def test_a_list_of_every_game_goes_from_nothing_to_its_sheet(hand: Mouse, story: Story) -> None:
    page = hand.page
    start(hand, story)
    for unit in story.units:
        do(hand, f"Added {unit}.", hand.add, unit)
    break_and_settle(hand, story)
    for setting, option, said in story.choices:
        do(hand, said, hand.choose, setting, option)
    renamed = do(hand, f"Renamed the list to {story.name}.", hand.rename, story.name)
    assert renamed["verdict"].startswith(story.ends)
    hand.look_at_sheet()
    sheet = page.locator(".sheet")
    expect(sheet.get_by_role("heading", level=1)).to_have_text(story.name)
    expect(sheet.locator(".sheet-verdict")).to_contain_text(
        "Legal" if story.ends == "Legal" else "Not legal"
    )
    for unit in story.units:
        expect(sheet).to_contain_text(unit)


#: Games of other books: `tests/random_armies` builds, prints and sends armies of each of those.
OF_OTHER_BOOKS = {"t9a-2024", "essence-of-war"}


def test_every_game_has_its_story() -> None:
    told = {story.system for story in STORIES}
    assert told | OF_OTHER_BOOKS == set(shipped_library().systems)
