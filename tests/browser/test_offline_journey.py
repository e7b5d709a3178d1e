"""Without a connection, in a browser that is closed and opened again."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect

from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.services import create_list
from tests.api.calls import make_user
from tests.browser.conftest import cookies_of
from tests.browser.find_chromium import FLAGS, find_chromium
from tests.browser.test_unsent_journey import press_add
from tests.building.documents import army, skirmish, value_of
from tests.pages.forces.armies import Pond

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NARROW = {"width": 360, "height": 740}
#: Some time after 2100: a browser that is closed keeps cookies with an end alone.
LATE = 4_102_444_800
#: The addresses of saved pages, without this server's.
SAVED = """caches.open("pages").then((pages) => pages.keys())
  .then((keys) => keys.map((key) => new URL(key.url).pathname))"""

CONTROLLED = """new Promise((done) => {
  if (navigator.serviceWorker.controller) done(true);
  navigator.serviceWorker.addEventListener("controllerchange", () => done(true));
})"""
#: Waits until the saved page of the list has so many units.
UNTIL_SAVED = """async (number) => {
  const text = async () => (await caches.match(location.pathname, { ignoreVary: true }))?.text();
  const read = (html) => new DOMParser().parseFromString(html ?? "", "text/html");
  const rows = (html) => read(html).querySelectorAll(".line").length;
  while (rows(await text()) !== number) await new Promise(requestAnimationFrame);
}"""


@contextmanager
def opened(chromium: Browser, folder: Path, url: str) -> Iterator[BrowserContext]:
    """A browser that keeps what it stores in a folder, as one that is started again."""
    context = chromium.browser_type.launch_persistent_context(
        folder, executable_path=find_chromium(), args=FLAGS, base_url=url, viewport=NARROW
    )
    context.set_default_timeout(60_000)
    yield context
    context.close()


def lists_of(name: str) -> tuple[Client, list[str]]:
    """A browser signed in to an account that has two lists, and their addresses."""
    user = make_user(name)
    client = Client()
    client.force_login(user)
    session = client.session
    session.set_expiry(10**6)  # stays signed in
    session.save()
    versions = [create_list(user.holder, value_of(skirmish("sbh")), "Made.") for _ in range(2)]
    return client, [f"/lists/{version.army_list_id}/" for version in versions]


def table_of(game: str) -> tuple[Client, str, str]:
    """A browser that stays signed in with a list of a game: its address, and a unit to add."""
    unit = {
        "chainmail-2002": "Millbrook Spearhand",
        "ddm-2008": "Toll-Gate Halberdier",
        "t9a-2023": "Mage",
    }
    if game == "files":
        pond = Pond(Client())
        pond.add("squad")
        stays(pond.client)
        return pond.client, pond.address, "Boat"
    client = Client()
    client.get("/")
    session = client.session
    session["holder"] = "player"
    session.save()
    document = army() if game == "t9a-2023" else skirmish(game)
    version = create_list("player", value_of(document), "Made.")
    stays(client)
    return client, f"/lists/{version.army_list_id}/", unit[game]


def stays(client: Client) -> None:
    """Let a session outlive its browser."""
    session = client.session
    session.set_expiry(10**6)
    session.save()


def two_turns(page: Page, address: str) -> str:
    """Play two turns of a game by its own phases; return the phase that it is then."""
    page.goto(f"{address}play/")
    expect(page.locator("#offline-saved")).to_contain_text("You’re offline")
    game = json.loads(page.locator("#play-data").text_content() or "")["sides"][0]["game"]
    at_first = page.locator("#play-phase").inner_text()
    for _step in range(2 * (len(game["phases"]) or 1) * (2 if game["round"]["each"] else 1)):
        page.get_by_role("button", name="Next").click()
    expect(page.locator("#play-phase")).not_to_have_text(at_first)
    page.locator("#side-0 [data-row='0'] .play-tick:visible").last.click()
    return page.locator("#play-phase").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["chainmail-2002", "ddm-2008", "t9a-2023", "files"])
def test_two_turns_of_each_game_and_an_edit_without_a_connection(
    chromium: Browser, live_server: Any, tmp_path: Path, game: str
) -> None:
    client, address, unit = table_of(game)
    with opened(chromium, tmp_path, live_server.url) as context:
        cookies = [{**cookie, "expires": LATE} for cookie in cookies_of(client, live_server.url)]
        context.add_cookies(cookies)
        page = context.pages[0]
        page.goto("/lists/")
        page.evaluate(CONTROLLED)
        for part in ("play/", "sheet/", ""):
            page.goto(address + part)
        lines = page.locator(".line").count()
        page.evaluate(UNTIL_SAVED, lines)
        number = ArmyList.objects.get(pk=address.split("/")[2]).number
        context.set_offline(True)
        phase = two_turns(page, address)
        page.goto(address)
        press_add(page, unit)
        waits(page, 1)
    with opened(chromium, tmp_path, live_server.url) as context:
        context.set_offline(True)
        page = context.new_page()
        page.goto(f"{address}play/")
        expect(page.locator("#play-phase")).to_have_text(phase)
        expect(page.locator("#side-0 [data-row='0']")).to_have_class("play-row out")
        page.goto(address)
        expect(page.locator("#offline-saved")).to_contain_text("page and verdict as of")
        expect(page.locator(".line").nth(lines - 1)).to_be_attached()
        context.set_offline(False)
        page.goto(address)
        expect(page.locator("#unsent")).to_be_hidden(timeout=30_000)
        expect(page.locator(".line-new")).to_have_count(0)
        sent = Version.objects.get(army_list_id=address.split("/")[2], number__gt=number)
        assert unit in sent.act


def waits(page: Page, number: int) -> None:
    """Acts wait to be sent, and no verdict looks as if it were of the list with them."""
    expect(page.locator("#unsent")).to_contain_text(
        re.compile(rf"\b{number} changes? not saved yet")
    )
    expect(page.locator("#chip")).to_have_text("not checked yet", use_inner_text=True)


def two_rounds(page: Page, address: str) -> str:
    page.goto(f"{address}play/")
    expect(page.locator("#offline-saved")).to_contain_text("You’re offline")
    for _turn in range(4):
        page.get_by_role("button", name="Next").click()
    return page.locator("#play-phase").inner_text()


def test_lists_acts_and_play_go_on_without_a_connection(
    chromium: Browser, live_server: Any, tmp_path: Path
) -> None:
    client, (address, never) = lists_of("ann")
    with opened(chromium, tmp_path, live_server.url) as context:
        cookies = [{**cookie, "expires": LATE} for cookie in cookies_of(client, live_server.url)]
        context.add_cookies(cookies)
        page = context.pages[0]
        page.goto("/lists/")
        page.evaluate(CONTROLLED)
        for part in ("play/", "sheet/", ""):
            page.goto(address + part)
        press_add(page, "Human Warrior")
        expect(page.locator(".line")).to_have_count(7)
        page.evaluate(UNTIL_SAVED, 7)
        number = ArmyList.objects.get(pk=address.split("/")[2]).number
        context.set_offline(True)
        page.reload()
        # As it was seen last, and no verdict as if it were of now.
        expect(page.locator("#offline-saved")).to_contain_text("page and verdict as of")
        expect(page.locator(".line")).to_have_count(7)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        press_add(page, "Human Archer", 2)
        waits(page, 2)
        page.close()
        page = context.new_page()
        page.goto(never)
        expect(page.get_by_role("alert")).to_contain_text("isn’t saved in this browser")
        expect(page.locator("#offline-unsent a")).to_have_count(1)
        phase = two_rounds(page, address)
        page.goto("/lists/")  # the start of the installed app
        expect(page.locator(".list-row")).to_have_count(2)
    # A browser that closes is online for a moment, and may send an act; sent again, it counts once.
    with opened(chromium, tmp_path, live_server.url) as context:
        context.set_offline(True)
        page = context.new_page()
        page.goto(f"{address}play/")
        expect(page.locator("#play-phase")).to_have_text(phase)
        page.goto(address)
        waits(page, 2)
        expect(page.locator(".line-new, .toast")).not_to_have_count(0)
        context.set_offline(False)
        expect(page.locator("#unsent")).to_be_hidden(timeout=30_000)
        expect(page.locator("#offline-saved")).to_be_hidden()
        expect(page.locator(".not-checked")).to_have_count(0)
        versions = Version.objects.filter(army_list_id=address.split("/")[2], number__gt=number)
        assert len({version.act_key for version in versions}) == 2
        archers = [unit for unit in versions.last().document.units if "human-archer" in unit.ref]
        assert sum(unit.models for unit in archers) == 3 + 2
        # Who signs out leaves nothing: no page, no act, no game.
        page.goto("/account/sign-out/")
        page.locator("main form button").last.click()
        page.wait_for_url("**/")
        assert page.evaluate(SAVED) == []
        assert page.evaluate("Object.keys(localStorage).filter((one) => one.includes(':'))") == []
        context.set_offline(True)
        page.goto(address)
        expect(page.get_by_role("alert")).to_contain_text("isn’t saved in this browser")
