"""A game at the table in a real Chromium: taps, undo, two tabs, no storage, a changed list."""

import json
import random
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from armybuilder.lists.models import ArmyList
from armybuilder.lists.services import create_list
from tests.browser.conftest import Open
from tests.building.documents import army, skirmish, value_of
from tests.pages.forces.armies import Pond

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NARROW = {"width": 360, "height": 740}
GAMES = ("sbh", "chainmail-2002", "ddm-2008", "t9a-2023", "files")
#: Rows that fit a phone: models of a skirmish, units of an army.
ROWS = {"t9a-2023": 12, "files": 12}
#: Plays so many random acts and undos on values alone, and returns what did not hold.
PROPERTY = """async ([address, seed, taps]) => {
  const game = await import(address);
  const { sides } = JSON.parse(document.getElementById("play-data").textContent);
  const both = [sides[0], sides[0]];
  let word = seed;
  const any = (most) => (word = (word * 48271) % 2147483647) % most;
  const wrong = [];
  let log = game.emptyLog();
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const before = [];
  for (let tap = 0; tap < taps; tap += 1) {
    const at = any(2);
    const number = any(both[at].rows.length);
    const row = both[at].rows[number];
    const acts = [
      ["hit", at, number, any(9) - 3], ["hit", at, number, 1], ["done", at, number],
      ["tick", at, number, any(12)], ["use", at, number, any(4), any(2) ? 1 : -1],
      ["next"], ["back"], ["points", at, any(40) - 15], ["goal", at], ["nonsense"], null,
    ];
    if (log.acts.length && any(4) === 0) {
      log = game.undone(log);
      const state = game.replay(both, log);
      if (!same(state, before.pop())) wrong.push("undo does not lead back");
    } else {
      const act = acts[any(acts.length)];
      const state = game.replay(both, log);
      const text = JSON.stringify(state);
      const after = game.reduce(both, state, act);
      if (JSON.stringify(state) !== text) wrong.push("the state before was changed");
      if (!game.isAct(both, act)) {
        if (after !== state) wrong.push("no act did something");
        continue;
      }
      before.push(state);
      log = game.added(both, log, act);
      if (!same(game.replay(both, log), after)) wrong.push("the acts tell another state");
    }
    const state = game.replay(both, log);
    for (const [place, side] of both.entries()) {
      const view = game.sideView(side, state.sides[place]);
      for (const [one, kept] of state.sides[place].rows.entries()) {
        const shown = view.rows[one];
        const most = side.rows[one].health + (side.rows[one].over ? 1 : 0);
        if (kept.lost < 0 || kept.lost > most) wrong.push("health out of bounds");
        const { models } = side.rows[one];
        if (shown.models < 0 || shown.models > models) wrong.push("models out of bounds");
        for (const [use, times] of Object.entries(kept.used)) {
          if (times < 1 || times > side.rows[one].uses[use].max) wrong.push("uses out of bounds");
        }
      }
      if (view.done > view.standing) wrong.push("more have acted than stand");
      for (const { lost, models } of view.breaks) {
        if (lost < 0 || lost > models) wrong.push("losses out of bounds");
      }
      if (view.losses.points < 0) wrong.push("a score below nothing by losses");
    }
  }
  while (log.acts.length) log = game.undone(log);
  if (!same(game.replay(both, log), game.start(both))) wrong.push("all undone is not the start");
  return wrong;
}"""


def made(document: dict[str, Any]) -> tuple[Client, str]:
    """A browser with a list, and the address at which that is played."""
    client = Client()
    client.get("/")
    session = client.session
    session["holder"] = "player"
    session.save()
    version = create_list("player", value_of(document), "Made.")
    return client, f"/lists/{version.army_list_id}/play/"


def made_of(game: str) -> tuple[Client, str]:
    """The same with a list of a game; "files": of one that is brought as files."""
    if game != "files":
        return made(army() if game == "t9a-2023" else skirmish(game))
    pond = Pond(Client())
    for _each in range(6):
        pond.add("squad")
        pond.add("boat")
    return pond.client, f"{pond.address}play/"


def row(page: Page, number: int) -> Any:
    return page.locator(f"#side-0 [data-row='{number}']")


def kept(page: Page) -> Any:
    return page.evaluate("Object.entries(localStorage).find(([key]) => key.startsWith('play:'))[1]")


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.one_in(5)) for game in GAMES]
)
def test_two_rounds_of_each_game_are_tapped_undone_and_come_back(
    open_page: Open, game: str
) -> None:
    client, address = made_of(game)
    page = open_page(NARROW, address, client)
    expect(page.locator(".play-row").nth(ROWS.get(game, 10) - 1)).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = page.evaluate(
        "[...document.querySelectorAll('#play button, #play summary')].filter((one) =>"
        " one.offsetParent && (one.offsetHeight < 44 || one.offsetWidth < 44)).length"
    )
    assert small == 0
    at_first = page.locator("#play-phase").text_content()
    lose = page.locator(".play-health button").first
    if lose.count():
        before = page.locator("[data-health]").first.text_content()
        lose.click()
        expect(page.locator("[data-health]").first).not_to_have_text(before or "")
    row(page, 1).locator(".play-tick:visible").last.click()
    expect(row(page, 1)).to_have_class("play-row out")
    phases = json.loads(page.locator("#play-data").text_content() or "")["sides"][0]["game"]
    for _step in range(2 * (len(phases["phases"]) or 1) * (2 if phases["round"]["each"] else 1)):
        page.get_by_role("button", name="Next").click()
    assert page.locator("#play-phase").text_content() != at_first
    shown = page.locator("#play-sides").inner_text()
    page.reload()
    expect(row(page, 1)).to_have_class("play-row out")
    assert page.locator("#play-sides").inner_text() == shown
    undo = page.get_by_role("button", name="Undo")
    for _act in range(60):
        if undo.is_disabled():
            break
        undo.click()
    expect(undo).to_be_disabled()
    assert page.locator("#play-phase").text_content() == at_first
    assert page.locator(".play-row.out").count() == 0
    for seed in (7, 4711):
        script = page.evaluate(
            "[...document.scripts].find((one) => one.type === 'module').src"
        ).replace("play.", "play_state.")
        there = page.evaluate(
            "[...document.querySelectorAll('link[rel=modulepreload]')].map((one) => one.href)"
            ".find((one) => one.includes('play_state'))"
        )
        assert page.evaluate(PROPERTY, [there or script, seed, 200]) == []


@pytest.mark.slow
def test_a_list_that_changed_meanwhile_is_reported_and_the_game_goes_on(open_page: Open) -> None:
    client, address = made(skirmish("chainmail-2002"))
    page = open_page(NARROW, address, client)
    row(page, 0).locator(".play-health button").first.click()
    listed = ArmyList.objects.get()
    version = listed.versions.get()
    document = version.document.to_dict()
    version.document = value_of({**document, "units": document["units"][1:]})
    version.save()
    page.reload()
    expect(page.locator("#play-older")).to_be_visible()
    expect(page.locator(".play-row h3").first).to_have_text("Bannerlady Oresta")
    page.get_by_text("New game", exact=True).click()
    page.get_by_role("button", name="Start new game").click()
    expect(page.locator("#play-older")).to_be_hidden()
    expect(page.locator(".play-row h3").first).not_to_have_text("Bannerlady Oresta")


@pytest.mark.slow
def test_two_tabs_show_one_game_and_say_so(open_page: Open) -> None:
    client, address = made(skirmish("sbh"))
    page = open_page(NARROW, address, client)
    other = page.context.new_page()
    other.goto(address)
    other.locator("#side-0 [data-row='2'] .play-tick:visible").last.click()
    expect(page.locator("#play-elsewhere")).to_be_visible()
    expect(row(page, 2)).to_have_class("play-row out")
    row(page, 3).locator(".play-tick:visible").last.click()
    expect(other.locator(".play-row.out")).to_have_count(2)
    other.close()


@pytest.mark.slow
def test_without_storage_the_game_goes_on_and_says_so(open_page: Open) -> None:
    client, address = made(skirmish("ddm-2008"))
    page = open_page(NARROW, "", client)
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    page.goto(address)
    row(page, 0).locator(".play-health button").first.click()
    row(page, 0).locator(".play-health button").first.click()
    expect(page.locator("#play-memory")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


@pytest.mark.slow
def test_what_a_browser_kept_may_be_anything(open_page: Open) -> None:
    client, address = made(skirmish("sbh"))
    page = open_page(NARROW, address, client)
    key = json.loads(page.locator("#play-data").text_content() or "")["key"]
    nonsense = ['"x"', "{}", "not JSON", '{"number":1,"sides":[],"log":{"acts":[]}}']
    for text in random.sample(nonsense, len(nonsense)):
        page.evaluate("([key, text]) => localStorage.setItem(`play:${key}`, text)", [key, text])
        page.reload()
        expect(page.locator(".play-row").nth(9)).to_be_attached()


@pytest.mark.slow
def test_a_phone_that_sleeps_and_has_a_wrong_clock_goes_on(open_page: Open) -> None:
    client, address = made(skirmish("sbh"))
    page = open_page(NARROW, "", client)
    page.clock.set_fixed_time("1999-12-31T23:59:00")
    page.goto(address)
    row(page, 1).locator(".play-tick:visible").last.click()
    asleep = page.context.new_cdp_session(page)
    asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    page.clock.set_fixed_time("2041-01-01T00:00:00")
    asleep.send("Page.setWebLifecycleState", {"state": "active"})
    row(page, 2).locator(".play-tick:visible").last.click()
    expect(page.locator(".play-row.out")).to_have_count(2)
    page.clock.set_fixed_time("2001-01-01T00:00:00")
    page.reload()
    expect(page.locator(".play-row.out")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".play-row.out")).to_have_count(1)
