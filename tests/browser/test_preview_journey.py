"""A unit is looked at before it is added, and found by what it is like, in a real Chromium."""

import re

import pytest
from playwright.sync_api import Page, expect

from armybuilder.loading.library import shipped_library
from tests.browser.conftest import Open
from tests.browser.steps import Finger, Mouse, create

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Games whose lists begin without a book, with one of theirs.
BOOKS = {
    "essence-of-war": "beast-herds",
    "t9a-2023": "highborn-elves",
    "t9a-2024": "highborn-elves",
    "t9a-3rd": "highborn-elves",
}
#: On a phone in one game by `make test`; in all games both ways by `make thorough`.
LOOKED = [
    pytest.param(
        hand,
        system,
        marks=() if (hand, system) == (Finger, "chainmail-2002") else pytest.mark.slow,
    )
    for system in shipped_library().systems
    for hand in (Mouse, Finger)
]


def units_of(hand: Mouse, system: str) -> Page:
    """Return a new list, with the units to add shown."""
    books = {"books": BOOKS[system]} if system in BOOKS else {}
    create(hand.page, system, **books)
    hand.show("units")
    return hand.page


@pytest.mark.parametrize(("kind", "system"), LOOKED)
def test_a_unit_is_looked_at_by_its_name_and_added_at_once_by_its_plus(
    open_page: Open, kind: type[Mouse], system: str
) -> None:
    hand = kind(open_page(at="", **kind.window))
    page = units_of(hand, system)
    name = page.locator("#shelf .peek").first
    unit = name.inner_text()
    hand.press(name)
    pane = page.locator("#unit:not([data-unit])")
    expect(pane.locator("#unit-title")).to_have_text(unit)
    expect(pane.locator("#unit-title")).to_be_focused()
    expect(pane.locator(".unit-card")).to_be_visible()
    expect(page.locator(".line")).to_have_count(0)
    hand.carry_out(hand.press, pane.get_by_role("button", name="Add", exact=True))
    expect(page.locator("#unit[data-unit=u1] #unit-title")).to_have_text(unit)
    spent = page.locator(".bar-points").inner_text()
    hand.carry_out(hand.add, unit)
    expect(page.locator(".bar-points")).not_to_have_text(spent)


#: What is searched for in a game, a unit that is found, and why it says that it was.
SEARCHED = [
    ("t9a-2023", "Str 5", "Highborn Giant", "Str 5"),
    ("t9a-2023", "sliver", "High Prince", "Sliver of the Blazing Dawn"),
    ("chainmail-2002", "cleave", "Bannerlady Oresta", "Cleave"),
    ("sbh", "Q3", "Human Leader", "Q 3+"),
]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Mouse, Finger])
@pytest.mark.parametrize(("system", "words", "unit", "why"), SEARCHED)
def test_units_are_found_by_stat_rule_and_item(
    open_page: Open, kind: type[Mouse], system: str, words: str, unit: str, why: str
) -> None:
    hand = kind(open_page(at="", **kind.window))
    page = units_of(hand, system)
    entries = page.locator("#shelf .entry")
    everything = entries.count()
    hand.write(page.locator("#find"), words)
    expect(page.locator(".chip.set")).to_contain_text(words)
    assert 0 < entries.count() < everything
    found = entries.filter(has=page.get_by_role("button", name=f"Add {unit}", exact=True))
    expect(found.locator(".entry-found")).to_have_text(re.compile(rf"^Has: .*{re.escape(why)}"))
    assert page.locator("#shelf .entry-found").count() == entries.count()
    hand.carry_out(hand.add, unit)
    expect(page.locator("#said")).to_contain_text(f"Added {unit}.")
