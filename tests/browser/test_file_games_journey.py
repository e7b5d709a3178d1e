"""Communities' games in a real Chromium, on a desk and a phone: from the zip to the event.

`LOOK=1 THOROUGH=1 pytest tests/browser/test_file_games_journey.py` takes pictures of each step.
"""

import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from armybuilder.battlescribe.files.view import view_of
from armybuilder.events.models import Submission
from armybuilder.games.models import Game
from armybuilder.games.services import keep
from armybuilder.lists.models import Version
from armybuilder.lists.worked_out import worked_out
from armybuilder.packs.selectors import read_pack
from armybuilder.pages.forces import verbs
from armybuilder.solving.picks.verbs import repair
from tests.battlescribe.files.random_lists import GAMES
from tests.battlescribe.files.test_event_rules import pack_of
from tests.browser.conftest import Open
from tests.browser.steps import VERSION, Finger, Mouse
from tests.events.builders import NOW, OWNER
from tests.kept_games.test_journeys import CATALOGUES
from tests.pages.events.people import CLOCK, People

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.skipif(not GAMES, reason="community files of games are not here"),
]

HANDS: dict[str, tuple[type[Mouse], dict[str, Any]]] = {
    "desk": (Mouse, {"size": {"width": 1180, "height": 820}}),
    "phone": (Finger, {**Finger.window, "size": {"width": 360, "height": 740}}),
}
PICTURES = Path(__file__).parents[2] / "var" / "look" / "journeys"
#: Something that leaves the page on the right.
WIDE = "document.documentElement.scrollWidth - innerWidth"


class Journey:
    """A player with a list of a game; each step ends with the page in order, and a picture."""

    def __init__(self, page: Page, hand: Mouse, name: str) -> None:
        self.page, self.hand, self.name = page, hand, name
        self.steps = 0

    def press(self, name: str, role: Any = "button", within: str = "main") -> None:
        found = self.page.locator(within).get_by_role(role, name=name, exact=True)
        self.hand.press(found.first)

    def seen(self, step: str) -> None:
        """Nothing on the page is wider than the window."""
        self.page.wait_for_load_state()
        expect(self.page.locator(".htmx-request")).to_have_count(0)
        if os.environ.get("LOOK"):
            self.steps += 1
            PICTURES.mkdir(parents=True, exist_ok=True)
            path = PICTURES / f"{self.name}-{self.steps:02}-{step}.png"
            self.page.screenshot(path=path, full_page=True)
        assert self.page.evaluate(WIDE) <= 0, step

    def bring(self, zip: Path, catalogue: str) -> None:
        """Upload a zip, read the report, keep what is in it, and start a list."""
        self.page.goto("/books/upload/")
        self.page.locator("#id_file").set_input_files(zip)
        self.press("Upload")
        expect(self.page.get_by_role("button", name="Save", exact=True)).to_be_visible()
        self.seen("report")
        self.press("Save")
        expect(self.page.locator("h1")).to_be_visible()
        self.seen("kept")
        game = self._with(catalogue)
        self.page.goto(f"/games/{game}/")
        self.seen("game")
        self.press("New list", "link")
        self.seen("catalogues")
        links = self.page.locator(".row-name", has_text=catalogue)
        names = sorted(links.all_inner_texts(), key=len)
        self.press(names[0], "link")
        self.seen("new")
        self.press("Start list")
        expect(self.page.locator("#chip")).to_be_visible()

    def _with(self, catalogue: str) -> str:
        """Return the key of the game with a catalogue that is named most like this."""
        named = [
            (one["name"], game.pk)
            for game in Game.objects.all()
            for one in game.report["catalogues"]
            if catalogue in one["name"]
        ]
        return str(min(named, key=lambda one: len(one[0]))[1])

    @property
    def list_id(self) -> str:
        return self.page.url.split("/lists/")[1].split("/")[0]

    @property
    def version(self) -> Version:
        return Version.objects.get(pk=self.page.evaluate(VERSION))

    def add(self, number: int) -> None:
        """Add the first units of a price that nothing speaks against."""
        self.hand.show("units")
        self.seen("units")
        ids = self.page.locator("#shelf-form > * li.entry, #shelf-form > li.entry").evaluate_all(
            "rows => rows.filter(row => /[1-9]/.test(row.querySelector('.entry-points').innerText)"
            " && !row.querySelector('.entry-why-not')).map(row => row.querySelector('.add').id)"
        )
        assert ids
        for id in ids[:number]:
            self.hand.show("units")
            self.hand.carry_out(self.hand.press, self.page.locator(f"[id='{id}']"))
        self.hand.show("army")
        self.seen("army")

    def open_unit(self) -> None:
        self.hand.show("army")
        self.hand.press(self.page.locator(".unit-line").first)
        expect(self.page.locator("#unit-title")).to_be_visible()
        self.seen("unit")

    def mend(self) -> None:
        """Take the fix that the pane of errors offers."""
        self.hand.show("errors")
        self.seen("errors")
        if not worked_out(self.version).report.legal:
            self.press("Suggested fixes", "link")
            button = self.page.locator(".ways-list").get_by_role("button", name="Apply").first
            expect(button).to_be_visible()
            self.seen("fixes")
            self.hand.carry_out(self.hand.press, button)
            self.hand.show("errors")
        self.seen("mended")
        assert worked_out(self.version).report.legal

    def limit(self, more: int) -> None:
        """Set the limit of the first cost to what is spent and so many more."""
        cost = worked_out(self.version).costs[0]
        self.hand.show("game")
        self.hand.write(self.page.locator("#limit-1"), str(int(cost.spent) + more))
        form = self.page.locator("form", has=self.page.locator("#limit-1"))
        set_it = form.get_by_role("button", name="Set")
        self.hand.carry_out(self.hand.press, set_it)
        self.seen("game-pane")

    def print(self) -> None:
        """Look at the pages and take the file."""
        self.page.goto(f"/lists/{self.list_id}/print/")
        expect(self.page.locator("#print-said")).to_contain_text("Fits on")
        self.seen("print")
        pdf = self.page.request.get(f"/lists/{self.list_id}/print.pdf?kinds=full,cards")
        assert pdf.body().startswith(b"%PDF-")
        if os.environ.get("LOOK"):
            (PICTURES / f"{self.name}.pdf").write_bytes(pdf.body())

    def share(self, stranger: Page) -> None:
        """Make a link, and open it in another browser."""
        self.page.goto(f"/lists/{self.list_id}/share/")
        self.seen("share")
        self.hand.press(self.page.get_by_role("button", name="Create link").first)
        link = self.page.locator("#way-full").input_value()
        self.seen("shared")
        stranger.goto(link[link.index("/shared/") :])
        other = Journey(stranger, self.hand, self.name)
        other.steps = 30
        other.seen("stranger")
        for name in {unit.name for unit in self._units()}:
            assert name in stranger.locator("main").inner_text()

    def _units(self) -> list[Any]:
        latest = Version.objects.filter(army_list=self.list_id).latest("number")
        one = worked_out(latest)
        return [line.pick for line in view_of(one.game, one.evaluation).units if line.costs]

    def submit(self, people: People) -> None:
        """Register for the event, and submit the list."""
        list_id = self.list_id
        self.page.goto(people.url)
        self.hand.write(self.page.locator("#id_name"), "Anne")
        agrees = self.page.locator("[name=agrees]")
        if agrees.count():
            agrees.check()
        self.seen("event")
        self.press("Register")
        self.seen("registered")
        self.page.goto(f"{people.url}submit/")
        self.page.locator(f"[name=list][value='{list_id}']").check()
        self.seen("submit")
        self.press("Check it first")
        expect(self.page.locator("#tried")).to_be_visible()
        self.seen("checked")
        self.press("Submit")
        expect(self.page.locator("h1")).to_be_visible()
        self.seen("submitted")


def event_for(version: Version) -> People:
    """Return an event for lists like one, held by somebody who has the same files."""
    one = worked_out(version)
    cost, game = one.costs[0], version.content.to_dict()["game"]
    keep(OWNER, game["key"])
    limit = {"kind": "limit", "cost": {"id": cost.id, "name": cost.name}}
    limit |= {"max": int(cost.spent) + 1}
    return People(pack=read_pack({**pack_of(limit), "game": game}))


@pytest.mark.parametrize("where", HANDS)
@pytest.mark.parametrize("stem", CATALOGUES)
def test_a_game_goes_from_its_zip_to_an_event(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, stem: str, where: str
) -> None:
    # However busy the machine is: what is claimed is that there is a fix.
    monkeypatch.setattr(verbs, "repair", partial(repair, seconds=60))
    monkeypatch.setattr(CLOCK, lambda: NOW)
    hand, window = HANDS[where]
    page = open_page(at="", **window)
    journey = Journey(page, hand(page), f"{stem}-{where}")
    journey.bring(next(path for path in GAMES if path.stem == stem), CATALOGUES[stem])
    address = page.url
    journey.add(2)
    journey.mend()
    assert worked_out(journey.version).report.numbers[0] > 0
    journey.open_unit()
    journey.limit(-1)
    expect(page.locator("#chip")).to_contain_text("error")
    journey.limit(1)
    journey.mend()
    latest = journey.version
    journey.print()
    page.goto(address)
    journey.share(open_page(at="", **window))
    people = event_for(latest)
    page.goto(address)
    journey.submit(people)
    assert Submission.objects.get().content == latest.content
