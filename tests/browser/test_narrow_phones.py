"""The builder on the narrowest phone, in every language: short bars, and nothing to the side."""

import json

import pytest
from django.conf import settings
from django.utils.translation import gettext, override
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import PAGES
from tests.browser.seeds import Seeds
from tests.browser.survey import PHONE, open_context, show
from tests.building.documents import list_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Those with many open lists above them, since each page opened before adds one.
BUILDERS = [page for page in PAGES if page.name.startswith("builder-") and page.main]


def rows_of(page: Page, selector: str) -> int:
    """In how many rows the elements stand that are drawn."""
    tops = page.locator(selector).evaluate_all(
        "all => all.filter(one => looking.drawn(one))"
        ".map(one => Math.round(one.getBoundingClientRect().top))"
    )
    assert tops
    return len(set(tops))


#: How far the first twelve letters of the list's name reach beyond what is seen of it.
NAME_CUT = """() => {
    const title = document.querySelector(".lists-menu h1");
    const letters = document.createRange();
    letters.setStart(title.firstChild, 0);
    letters.setEnd(title.firstChild, Math.min(12, title.firstChild.length));
    return letters.getBoundingClientRect().right - title.getBoundingClientRect().right;
}"""

#: The verdict with one word: in how many lines it stands.
LINES = """word => {
    const chip = document.getElementById("chip"), letters = document.createRange();
    chip.lastChild.data = word;
    letters.selectNodeContents(chip.lastChild);
    return letters.getClientRects().length;
}"""

#: German words are the longest: where they fit, the others do.
LANGUAGES = [
    pytest.param(code, marks=[pytest.mark.slow] if code != "de" else [])
    for code, _ in settings.LANGUAGES
]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_bars_of_the_builder_stay_short_in_every_language(
    chromium: Browser, live_server: object, language: str
) -> None:
    seeds = Seeds()
    context = open_context(chromium, str(live_server), seeds, **PHONE)
    cookie = {"name": "django_language", "value": language, "url": str(live_server)}
    context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    for shown in BUILDERS:
        show(page, shown, seeds)
        assert page.evaluate("looking.wide()") == 0, shown.name
        assert page.evaluate("document.querySelector('.bar-top').offsetHeight") == 48, shown.name
        assert rows_of(page, ".views a") == 1, shown.name
        assert page.evaluate(NAME_CUT) <= 0 or "WWW" in page.title(), shown.name
    with override(language):
        expect(page.locator("#undo")).to_have_accessible_name(gettext("Undo"))
        assert page.evaluate(LINES, gettext("Legal")) == 1
    context.close()


@pytest.mark.slow
def test_a_sheet_with_many_boxes_scrolls_not_to_the_side(
    chromium: Browser, live_server: object
) -> None:
    page = open_context(chromium, str(live_server), Seeds(), **PHONE).new_page()
    unit = {"id": "u1", "unit": "practice/bramble-elder", "models": 1}
    document = list_of("ddm-2008", ["practice"], [unit], limit=200)
    page.goto("/lists/import/")
    page.locator("#text").fill(json.dumps(document))
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#chip")).to_be_visible()
    page.goto(f"{page.url.partition('?')[0]}sheet/")
    expect(page.locator(".health-row .boxes").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
