"""Cards that no book has, in a real Chromium: a name of 119 letters, forty rules that nobody has
explained, stats that are sentences, no stats at all. Every page with such a unit has it whole.
"""

import pytest
from django.test import Client
from playwright.sync_api import Page

from armybuilder.loading.library import shipped_library
from tests.books.shelf import Shelf
from tests.browser.conftest import Open
from tests.browser.survey import LOOKING
from tests.conftest import Builder
from tests.markup import lacking

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

LONG = "Aldershield Bearer of the Third Watch " * 3 + "Marsh"
RULES = tuple(f"Oath of the Marsh Kings {number}" for number in range(40))
BARE = "Nameless Wanderer"
SIZES = ({"width": 360, "height": 780}, {"width": 1440, "height": 900})


def extreme_list(client: Client, system: str) -> Builder:
    """Return a list of two cards of an own book: one that says too much, one next to nothing."""
    book, rules = Shelf(client, system), ", ".join(RULES)
    shared = {"points": "7", "size": "1-10", "stat-quality": "3", "stat-combat": "3"}
    stats = [stat for stat in shipped_library().system(system).stats.values() if stat.text]
    talks = {f"stat-{stat.id}": f"{stat.name} as the wagon’s" for stat in stats}
    for card in ({"name": LONG, "abilities": rules, "keywords": rules} | talks, {"name": BARE}):
        answer = client.post(f"{book.url}units/new/", shared | card)
        assert answer.status_code == 302, answer.text
    made = Builder(client, system, limit=300, books=[book.id])
    for unit in book.data["units"]:
        made.act("add", ref=f"{book.id}/{unit['id']}")
    return made


def expect_whole(page: Page, address: str, *words: str) -> None:
    """Expect words on a page, with all of it unfolded, and no text that is cut or shortened."""
    page.goto(address)
    page.evaluate("looking.unfold()")
    assert lacking(page.locator("main").inner_text().replace("\n", " "), *words) == [], address
    assert page.evaluate("looking.unfit()") == [], (address, page.viewport_size)


@pytest.mark.parametrize("system", sorted(shipped_library().systems))
def test_what_is_long_is_whole_and_missing_stats_are_told(
    open_page: Open, client: Client, system: str
) -> None:
    made = extreme_list(client, system)
    ref = made.document["units"][0]["unit"]
    told = () if system == "sbh" else ("The file has no stat line for this unit.",)
    for size in SIZES:
        page = open_page(size=size, at="", client=client)
        page.add_init_script(path=LOOKING)
        expect_whole(page, f"{made.url}?open=u1&view=unit", LONG, *RULES)
        expect_whole(page, f"{made.url}?open=u2&view=unit", BARE, *told)
        expect_whole(page, f"{made.url}?preview={ref}&view=unit", LONG, *RULES)
        expect_whole(page, f"{made.url}?view=units", LONG, BARE)
        expect_whole(page, f"{made.url}?view=army", LONG, BARE)
        expect_whole(page, f"{made.url}sheet/", LONG, *RULES, BARE)
        expect_whole(page, f"{made.url}play/", LONG, *RULES, BARE)
        expect_whole(page, f"/books/{ref.partition('/')[0]}/", LONG, BARE)
