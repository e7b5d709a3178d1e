"""The options of a unit on a phone with the typefaces that Android has: no line of them is high,
and no text stands letter under letter.
"""

import pytest
from django.test import Client
from playwright.sync_api import Browser

from armybuilder.editing.unit_edits import chosen_options
from armybuilder.engine.catalogue import Book
from armybuilder.engine.fresh import fresh_picks
from armybuilder.engine.units import Unit
from armybuilder.loading.library import shipped_library
from tests.browser.conftest import cookies_of
from tests.browser.seeds import Seeds
from tests.building.documents import list_of
from tests.effort import scaled

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (360, 390)
#: A folded group may be so many pixels high.
HIGHEST = 96
#: So many units are on a list: short ones are quick to judge.
AT_ONCE = 4
BOOKS = [
    book
    for system, books in shipped_library().books.items()
    if shipped_library().systems[system].sized
    for book in books.values()
][:: scaled(8, 8, 1)]
#: Fetches the panes of units.
FETCH = """async (units) => {
  window.panes = await Promise.all(units.map(async (unit) => {
    const headers = { "HX-Request": "true", "X-Shown": "unit" };
    const answer = await fetch(`?open=${unit}&part=list`, { headers });
    const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
    return drawn.getElementById("unit");
  }));
}"""
#: Shows each pane in turn and tells what is too high folded, and too narrow unfolded.
MEASURE = """(highest) => {
  const found = [];
  for (const one of window.panes) {
    const pane = one.cloneNode(true);
    document.getElementById("unit").replaceWith(pane);
    const name = pane.querySelector("h2").textContent.trim();
    for (const summary of pane.querySelectorAll("summary")) {
      const high = summary.getBoundingClientRect().height;
      if (high > highest) found.push(`${name}: ${high} px: ${summary.textContent}`);
    }
    for (const fold of pane.querySelectorAll("details")) fold.open = true;
    const texts = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.data.trim();
      if (text.length < 6 || texts.currentNode.parentElement.closest(".hidden")) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 2 && text.length / lines.size < 3) found.push(`${name}: ${text}`);
    }
  }
  return found.map((one) => one.replace(/\\s+/g, " "));
}"""


def laden(unit: Unit) -> list[dict[str, object]]:
    """What a new unit has and, of each group besides, the option with the longest name."""
    taken = {one.id: one.to_dict() for one in chosen_options(unit.fresh)}
    full = {group for pick in unit.fresh for slot in pick.slots for group in slot.groups}
    longest: dict[object, str] = {}
    for option_id, (slot, *_) in unit.offer.slots.items():
        group = slot.groups[-1] if slot.groups else option_id
        if group not in full and not slot.option.given:
            longest[group] = max(longest.get(group, ""), option_id, key=len)
    for option_id in longest.values():
        inner = chosen_options(fresh_picks(unit.offer.slots[option_id][0].option.offer))
        taken[option_id] = {"id": option_id, "options": [one.to_dict() for one in inner]}
    return list(taken.values())


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS, ids=[f"{book.system}/{book.id}" for book in BOOKS])
def test_no_line_of_options_is_high_and_no_text_stands_on_end(
    android: Browser, live_server: object, book: Book
) -> None:
    seeds = Seeds.__new__(Seeds)
    seeds.client, seeds.places = Client(), {}
    units = [
        {"unit": ref, "models": unit.smallest, "options": laden(unit)}
        for ref, unit in shipped_library().catalogue(book.system, [book.id]).units.items()
    ]
    url = live_server.url  # type: ignore[attr-defined]
    context = android.new_context(
        base_url=url, viewport={"width": WIDTHS[0], "height": 780}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    for some in (units[place : place + AT_ONCE] for place in range(0, len(units), AT_ONCE)):
        address = seeds.upload(list_of(book.system, [book.id], some, limit=4500))
        context.add_cookies(cookies_of(seeds.client, url))
        page.goto(f"{address}?open=u1&view=unit")
        names = [f"u{number}" for number in range(1, len(some) + 1)]
        page.evaluate(FETCH, names)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 780})
            assert page.evaluate(MEASURE, HIGHEST) == [], width
    context.close()
