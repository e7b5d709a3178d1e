"""One story for every hand: from an empty list over a broken rule to the sheet on the table. What
every game says on the way, tests/plain tells without script.
"""

import re
from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from armybuilder.loading.library import shipped_library
from tests.browser.conftest import Open
from tests.browser.steps import HANDS, LOOK, Finger, Mouse, is_seen
from tests.stories import STORIES, Story

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: The game that each hand plays. The first two build an army in few clicks besides, and
#: test_hand_journey a warband with keys alone.
PLAYED = [
    ("finger", "chainmail-2002"),
    pytest.param("mouse", "sbh", marks=pytest.mark.slow),
    pytest.param("keyboard", "ddm-2008", marks=pytest.mark.slow),
]


def start(hand: Mouse, story: Story) -> None:
    page = hand.page
    # An edition among several of a game has no more words than its name.
    name = re.compile(f"^(Start an? .*: )?{re.escape(story.game)}$")
    hand.press(page.get_by_role("link", name=name))
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


def finding_with(page: Page, words: str) -> Locator:
    """The finding that says this."""
    return page.locator("#findings > .finding", has_text=words)


def break_and_settle(hand: Mouse, story: Story) -> None:
    """Break a rule, take it back, do it again, and settle what is found."""
    page, broken = hand.page, finding_with(hand.page, story.finding)
    added = f"Added {story.breaks}."

    def expect_told(number: int) -> None:
        hand.show("errors")
        expect(broken).to_have_count(number)

    expect_told(0)
    do(hand, added, hand.add, story.breaks)
    expect_told(1)
    do(hand, f"Undone: {added}", hand.undo)
    expect_told(0)
    do(hand, f"Redone: {added}", hand.redo)
    expect_told(1)
    for place, (answer, said) in enumerate(story.answers):
        around = page.locator("#findings") if place else broken
        do(hand, said, hand.settle, around.get_by_role("button", name=answer, exact=True))
        expect(broken).to_have_count(0)


@pytest.mark.parametrize(("name", "system"), PLAYED)
def test_a_list_of_every_game_goes_from_nothing_to_its_sheet(
    open_page: Open, name: str, system: str
) -> None:
    (story,) = [one for one in STORIES if one.system == system]
    page = open_page(**HANDS[name].window)
    page.emulate_media(reduced_motion="reduce")
    hand = HANDS[name](page)
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
OF_OTHER_BOOKS = {"t9a-2024", "t9a-3rd", "essence-of-war"}


def test_every_game_has_its_story() -> None:
    told = {story.system for story in STORIES}
    assert told | OF_OTHER_BOOKS == set(shipped_library().systems)


MOST = 45
#: A whole army of The Ninth Age, where fields and selects count as two clicks, as in a study of
#: such builders, in which it took 65 with a mouse and 61 with a finger: units in their order.
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


def build_army(hand: Counting, page: Page, units: Iterable[str] = UNITS) -> None:
    hand.press(page.get_by_role("link", name="The Ninth Age 2023"))
    hand.pick(page.locator("select[name=books]"), "Highborn Elves")
    hand.press(page.get_by_role("button", name="Create list"))
    expect(page.locator("#chip")).to_contain_text("to do")
    for unit in units:
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
@pytest.mark.parametrize("kind", [Counting, CountingFinger])
def test_an_army_takes_at_most_45_clicks(open_page: Open, kind: type[Counting]) -> None:
    page = open_page(**kind.window)
    hand = kind(page)
    build_army(hand, page)
    equip(hand, page)
    expect(page.locator("#chip")).to_have_text("Legal")
    expect(page.locator(".line")).to_have_count(len(UNITS))
    print(f"{type(hand).__name__}: {hand.clicks} clicks")
    assert hand.clicks <= MOST


#: The army of the second study, which took 74 clicks with a mouse and 73 with a finger: what is
#: pressed of each unit once it is there, "+5" by the id of its button.
STUDIED = {
    "High Prince": ("Make General", "Dragon", "Potion of Swiftness"),
    "Commander": ("Battle Standard Bearer",),
    "Mage": ("Wizard Master", "Pyromancy"),
    "Citizen Spears": ("Full command", "#most-u4"),
    "Citizen Archers": (),
    "Sea Guard": ("Full command", "#more5-u6-unit"),
    "Sword Masters": ("Full command",),
    "Lion Guard": ("Full command", "#more5-u8-unit"),
    "Flame Wardens": ("Full command", "#more5-u9-unit", "#more5-u9-unit"),
    "Knights of Ryma": (),
    "Sky Sloop": (),
    "Sea Guard Reaper": (),
    "Giant Eagles": (),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Counting, CountingFinger])
def test_an_army_of_five_full_commands_takes_at_most_50_clicks(
    open_page: Open, kind: type[Counting]
) -> None:
    page = open_page(**kind.window)
    hand = kind(page)
    build_army(hand, page, STUDIED)
    for number, presses in enumerate(STUDIED.values(), 1):
        if presses:
            hand.open_unit(number)
        for press in presses:
            if press.startswith("#") or press == "Make General":
                role = page.get_by_role("button", name=press)
                hand.carry_out(hand.press, page.locator(press) if press[0] == "#" else role)
            else:
                hand.take(press)
    expect(page.locator(".bar-points")).to_contain_text("4500 / 4500")
    expect(page.locator("#chip")).to_have_text("Legal")
    print(f"{type(hand).__name__}: {hand.clicks} clicks")
    assert hand.clicks <= 50
