"""Three hands that build lists: a mouse on a desk, a finger on a phone, a keyboard alone.

A journey tells what is done; a hand knows how.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import lxml.html
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import DESK, PHONE

#: How many times Tab is pressed on the way to something, before it counts as out of reach.
FAR = 120

#: What is seen of the builder in one look. `kept` says that no other page was loaded and that the
#: live region is still the one that screen readers listen to.
LOOK = """() => {
  const words = (selector) =>
    (document.querySelector(selector)?.textContent || "").replace(/\\s+/g, " ").trim();
  const box = document.querySelector("#chip").getBoundingClientRect();
  const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return {
    said: words("#said"), verdict: words("#chip"),
    focused: document.activeElement !== document.body,
    barInSight: Boolean(there?.closest("#chip")) && box.bottom <= window.innerHeight,
    kept: Boolean(document.getElementById("said").kept),
  };
}"""

#: The version of the list that the page shows, and whether it shows another one by now.
VERSION = "document.querySelector('#hand-form input[name=version]').value"
IS_ANOTHER = f"before => {VERSION} !== before"


def create(page: Page, system: str, **fields: str) -> None:
    """Start a list with what its form holds and these fields, and show it in the builder. The form
    itself is not drawn: `test_system_journeys` goes through that.
    """
    address = f"/new/{system}/"
    forms = lxml.html.fromstring(page.request.get(address).text()).forms
    form = next(form for form in forms if "limit" in form.fields)
    held = [(name, value) for name, value in form.form_values() if name not in fields]
    answer = page.request.post(
        address,
        data=urlencode([*held, *fields.items()]),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        max_redirects=0,
    )
    assert answer.status == 302, answer.text()
    page.goto(answer.headers["location"])
    expect(page.locator("#chip")).to_be_visible()


def is_seen(target: Locator) -> bool:
    """Tell whether something is seen on the page as drawn: before its style came, all of it is."""
    target.page.wait_for_load_state()
    return target.is_visible()


def show(page: Page, view: str) -> None:
    """Show a pane of the builder, where it is not beside the others anyway."""
    if not is_seen(page.locator(f"[data-pane={view}]")):
        page.locator(f".views a[data-view={view}]").click()
        expect(page.locator(f"[data-pane={view}]")).to_be_visible()


class Mouse:
    """A pointer on a desk. The other hands differ from it where they must."""

    thumb = False
    window: dict[str, Any] = {"size": DESK}

    def __init__(self, page: Page) -> None:
        self.page = page

    def carry_out(self, act: Callable[..., None], *what: Any) -> None:
        """Do something to the list and wait until the page shows what became of it."""
        before = self.page.evaluate(VERSION)
        act(*what)
        self.page.wait_for_function(IS_ANOTHER, arg=before)

    def press(self, target: Locator) -> None:
        target.click()

    def write(self, field: Locator, words: str) -> None:
        """Write into a field, in place of what stands there."""
        self.press(field)
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(words)

    def pick(self, field: Locator, option: str) -> None:
        """One of several. The menu of choices is drawn outside the page, where only keys reach."""
        field.select_option(label=option)

    def show(self, view: str) -> None:
        """Show a pane of the builder, where it is not beside the others anyway."""
        if not is_seen(self.page.locator(f"[data-pane={view}]")):
            self.press(self.page.locator(f".views a[data-view={view}]"))
            expect(self.page.locator(f"[data-pane={view}]")).to_be_visible()

    def add(self, unit: str) -> None:
        self.show("units")
        self.press(self.page.get_by_role("button", name=f"Add {unit}", exact=True))

    def settle(self, button: Locator) -> None:
        """Press what a finding offers."""
        self.show("errors")
        self.press(button)

    def undo(self) -> None:
        self.press(self.page.locator("#undo"))

    def redo(self) -> None:
        self.press(self.page.locator("#redo"))

    def choose(self, setting: str, option: str) -> None:
        """A choice of the game, or one piece more where it has pieces."""
        self.show("game")
        self.pick(self.page.locator(f"#set-{setting}"), option)
        button = self.page.locator(f"#add-{setting}")
        if button.count():
            self.press(button)

    def rename(self, name: str) -> None:
        self.press(self.page.locator("#lists > summary"))
        field = self.page.locator("#list-name")
        self.write(field, name)
        self.press(self.page.locator("form", has=field).get_by_role("button", name="Rename"))

    def look_at_sheet(self) -> None:
        self.press(self.page.locator("#to-print"))
        self._from_print_to_sheet()

    def _from_print_to_sheet(self) -> None:
        self.press(self.page.locator(".print-preview").get_by_role("link", name="Roster sheet"))


class Finger(Mouse):
    """A thumb on a phone: one pane at a time."""

    thumb = True
    window: dict[str, Any] = {"size": PHONE, "has_touch": True, "is_mobile": True}

    def press(self, target: Locator) -> None:
        target.tap()

    def redo(self) -> None:
        self.show("game")
        self.press(self.page.locator("#redo-here"))

    def look_at_sheet(self) -> None:
        menu = self.page.locator("#lists")
        if menu.get_attribute("open") is None:
            self.press(menu.locator("summary"))
        self.press(menu.get_by_role("link", name="Print"))
        self._from_print_to_sheet()


class Keyboard(Mouse):
    """Keys alone: Tab, Enter, letters, and the app's own."""

    def key(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def reach(self, target: Locator) -> None:
        """Go there from where the focus is, as often as it takes."""
        for _ in range(FAR):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.key("Tab")
        raise AssertionError(f"{target} is out of reach of Tab")

    def press(self, target: Locator) -> None:
        self.reach(target)
        self.key("Enter")

    def write(self, field: Locator, words: str) -> None:
        self.reach(field)
        self.key("ControlOrMeta+a")
        self.page.keyboard.type(words)

    def pick(self, field: Locator, option: str) -> None:
        """By typing its name, with the choices open: only Enter takes it then."""
        self.reach(field)
        self.key("Alt+ArrowDown")
        self.page.keyboard.type(option)
        self.key("Enter")
        expect(field.locator("option:checked")).to_have_text(option)

    def show(self, view: str) -> None:
        keys = {"errors": "v", "units": "b", "army": "l"}
        if not is_seen(self.page.locator(f"[data-pane={view}]")):
            self.key(keys[view]) if view in keys else super().show(view)

    def command(self, words: str) -> None:
        """What the palette finds first."""
        self.key("ControlOrMeta+k")
        self.page.keyboard.type(words)
        expect(self.page.locator("#palette-0")).to_be_visible()
        self.key("Enter")
        expect(self.page.locator("#palette")).to_be_hidden()

    def add(self, unit: str) -> None:
        self.command(f"add {unit}")

    def settle(self, button: Locator) -> None:
        self.key("v")
        self.press(button)

    def undo(self) -> None:
        self.key("u")

    def redo(self) -> None:
        self.key("y")

    def choose(self, setting: str, option: str) -> None:
        self.command(f"set {setting}")
        super().choose(setting, option)

    def rename(self, name: str) -> None:
        self.command("rename the list")
        self.write(self.page.locator("#list-name"), name)
        self.key("Enter")

    def look_at_sheet(self) -> None:
        self.key("Escape")  # out of the menu in which it was renamed
        self.key("p")
        self._from_print_to_sheet()


HANDS: dict[str, type[Mouse]] = {
    "mouse": Mouse,
    "finger": Finger,
    "keyboard": Keyboard,
}
