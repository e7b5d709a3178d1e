"""What looks depend on, in a real Chromium: the typeface, columns of rows, shared lists."""

import pytest

from armybuilder.sharing.models import Share
from tests.browser.conftest import PHONE, Open
from tests.browser.seeds import Seeds

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Where the points of the units to add end, before their plus, and the middles of their buttons.
COLUMNS = """() => {
  const ends = new Set(), middles = new Set();
  for (const entry of document.querySelectorAll(".entry")) {
    const digits = document.createRange(), points = entry.querySelector(".entry-points");
    const parts = [...points.childNodes];
    digits.selectNode(parts.find((part) => part.nodeType === Node.TEXT_NODE && part.data.trim()));
    ends.add(Math.round(digits.getBoundingClientRect().right));
    const button = entry.querySelector(".add").getBoundingClientRect();
    middles.add(Math.round(button.left + button.width / 2));
  }
  return [ends.size, middles.size];
}"""
#: How far apart the feet of what stands on the first line of each row of the army are, at most.
FEET = """() => Math.max(...[...document.querySelectorAll(".line")].map((line) => {
  const feet = [".unit-what strong", ".unit-points"].map((one) => {
    const probe = document.createElement("span");
    probe.style.display = "inline-block";
    line.querySelector(one).append(probe);
    const foot = probe.getBoundingClientRect().bottom;
    probe.remove();
    return foot;
  });
  return Math.abs(feet[0] - feet[1]);
}))"""
LOADED = """() => document.fonts.check('600 15px "Source Serif 4"', "Ab")"""
HEIGHT = "() => document.documentElement.scrollHeight"


@pytest.mark.slow
def test_names_have_our_typeface_and_rows_their_columns(open_page: Open) -> None:
    seeds = Seeds.with_an_army()
    page = open_page(at=seeds.places["army-20"], client=seeds.client)
    page.evaluate("() => document.fonts.ready.then(() => true)")
    assert page.evaluate(LOADED)
    assert page.evaluate(COLUMNS) == [1, 1]
    assert page.evaluate(FEET) < 1


@pytest.mark.slow
def test_a_shared_list_has_its_units_on_the_first_screen_and_all_on_paper(open_page: Open) -> None:
    seeds = Seeds.with_an_army()
    address = f"{seeds.places['army-20']}share/make/"
    seeds.client.post(address, {"what": "current", "view": "full", "name": ""})
    page = open_page(size=PHONE, at=f"/shared/{Share.objects.get().token}/", client=seeds.client)
    units = page.locator(":is(.army-unit, .sheet-card) > summary")
    box = units.first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= PHONE["height"]
    body = page.locator(":is(.army-unit, .sheet-card) > :not(summary)").first
    assert not body.is_visible()
    units.first.click()
    assert body.is_visible()
    page.reload()
    folded = page.evaluate(HEIGHT)
    page.emulate_media(media="print")
    assert body.is_visible()
    assert page.evaluate(HEIGHT) > folded
