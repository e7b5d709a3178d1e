"""A whole army of The Ninth Age in few clicks: fields and selects count as two, as in a study of
such builders, where it took 65 with a mouse and 61 with a finger.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.steps import Finger, Mouse, is_seen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST = 45
#: Units in the order they are added.
UNITS = (
    "High Prince", "Commander", "Mage", "Citizen Spears", "Citizen Archers", "Sea Guard",
    "Sword Masters", "Lion Guard", "Knights of Ryma", "Sky Sloop", "Sea Guard Reaper",
    "Giant Eagles",
)  # fmt: skip
#: Options by the number of their unit, and the units of full size.
OPTIONS = {
    1: ("Dragon", "Dragonforged Armour", "Potion of Swiftness"),
    2: ("Battle Standard Bearer", "Banner of Speed"),
    3: ("Wizard Master", "Pyromancy", "Binding Scroll"),
}
FULL = (4, 5, 7)


class Counting(Mouse):
    """A hand that counts what it does."""

    clicks = 0

    def press(self, target: Locator) -> None:
        self.clicks += 1
        super().press(target)

    def pick(self, field: Locator, option: str) -> None:
        self.clicks += 2
        super().pick(field, option)

    def open_unit(self, number: int) -> None:
        pane = self.page.locator(f"#unit[data-unit=u{number}]")
        if not is_seen(pane):
            self.show("army")
            self.press(self.page.locator(f"#open-u{number}"))
            expect(pane).to_be_visible()

    def take(self, option: str) -> None:
        """Take an option of the open unit, unfolding what it is folded into."""
        page = self.page
        words = page.locator(".option-name", has_text=re.compile(rf"^\s*{option}\b"))
        named = page.locator(".option-button", has=words)
        button = page.locator("#unit").locator(named).first
        while not is_seen(button):
            folds = page.locator("#unit details.fold:not([open])", has=named)
            self.press(folds.first.locator("summary").first)
        self.carry_out(self.press, button)


class CountingFinger(Counting, Finger):
    """The same on a phone, where the next unit is one tap away."""

    def open_unit(self, number: int) -> None:
        after = self.page.locator("#unit-after")
        here = self.page.locator(f"#unit[data-unit=u{number - 1}]")
        if not is_seen(here):
            return super().open_unit(number)
        self.press(after)
        expect(self.page.locator(f"#unit[data-unit=u{number}]")).to_be_visible()
        return None


@pytest.fixture(params=[Counting, CountingFinger], ids=["desk", "phone"])
def hand(request: Any, chromium: Browser, live_server: Any) -> Iterator[Counting]:
    kind: type[Counting] = request.param
    context = chromium.new_context(base_url=live_server.url, **kind.context)
    page = context.new_page()
    page.goto("/")
    yield kind(page)
    context.close()


def build(hand: Counting, page: Page) -> None:
    hand.press(page.get_by_role("link", name="Start an army : The Ninth Age 2023"))
    hand.pick(page.locator("select[name=books]"), "Highborn Elves")
    hand.press(page.get_by_role("button", name="Create list"))
    expect(page.locator("#chip")).to_contain_text("to do")
    for unit in UNITS:
        hand.carry_out(hand.add, unit)


def equip(hand: Counting, page: Page) -> None:
    for number, options in OPTIONS.items():
        hand.open_unit(number)
        for option in options:
            hand.take(option)
        if number == 1:
            hand.carry_out(hand.press, page.get_by_role("button", name="Make General"))
    for number in FULL:
        hand.open_unit(number)
        hand.carry_out(hand.press, page.locator(f"#most-u{number}"))


@pytest.mark.slow
def test_an_army_takes_at_most_45_clicks(hand: Counting) -> None:
    page = hand.page
    build(hand, page)
    equip(hand, page)
    expect(page.locator("#chip")).to_have_text("Legal")
    expect(page.locator(".line")).to_have_count(len(UNITS))
    print(f"{type(hand).__name__}: {hand.clicks} clicks")
    assert hand.clicks <= MOST
