"""Books change, lists do not: a list keeps the content it took until its player says otherwise; and
a list switched to another edition of its game.
"""

import html
import re
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from armybuilder.books import services
from armybuilder.books.models import Kept, OwnBook
from armybuilder.engine.catalogue import Contents
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.page import BuilderPage
from tests.building.tiny import book_data
from tests.conftest import Builder
from tests.markup import found_in, lacking, refused
from tests.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]

ORC: dict[str, Any] = {
    "id": "orc", "name": "Cave Orc", "points": 10,
    "attributes": {"faction": "drazens-horde", "alignment": "evil"},
    "stats": {"health": 3, "melee_attack": 5}, "abilities": ["wild-troop"],
}  # fmt: skip
CHIEF: dict[str, Any] = {
    "id": "chief", "name": "Cave Chief", "points": 30,
    "attributes": {"faction": "drazens-horde", "alignment": "evil"},
    "stats": {"health": 5}, "abilities": ["commander 2", "rage 2"],
}  # fmt: skip


def content(book_id: str, *units: dict[str, Any], system: str = "chainmail-2002") -> dict[str, Any]:
    abilities = [{"id": "rage", "name": "Rage", "rating": "plus"}]
    about = {"id": book_id, "system": system, "name": "Cave Folk", "kind": "own"}
    return book_data(*units, **about, abilities=abilities)


@pytest.fixture
def book(client: Client) -> OwnBook:
    """A book of the client's own; the client holds lists already."""
    Builder(client, "sbh", limit=300, books=["profiles"])
    holder = client.session["holder"]
    return services.create_book(holder, content("own-0123456789abcdef", ORC, CHIEF))


def change(book: OwnBook, *units: dict[str, Any]) -> None:
    document = content(book.id, *units)
    services.change_book(
        book.holder, book.id, lambda old: services.BookResult(document, "Changed.")
    )


@pytest.fixture
def cave(client: Client, book: OwnBook) -> Builder:
    """A list of a chief and two orcs."""
    builder = Builder(client, "chainmail-2002", limit=60, books=[book.id])
    builder.act("add", ref=f"{book.id}/chief")
    for _ in range(2):
        builder.act("add", ref=f"{book.id}/orc")
    return builder


def outputs_of(builder: Builder) -> list[bytes]:
    """All that a list is shown and printed as."""
    names = ("sheet.txt", "sheet.pdf", "cards.pdf", "list.json")
    pages = [builder.client.get(f"{builder.url}{name}").content for name in names]
    sheet = builder.client.get(f"{builder.url}sheet/").content
    sheet = sheet.partition(b"<main")[2].partition(b"</main>")[0]
    page = BuilderPage(builder.version, shipped_library())
    return [*pages, sheet, repr(page.report.findings).encode(), page.report.verdict.encode()]


def codes(page: BuilderPage) -> list[str]:
    return [finding.code for finding in page.report.findings]


def test_custom_and_shipped_cards_are_checked_together(cave: Builder, book: OwnBook) -> None:
    page = BuilderPage(cave.version, shipped_library())
    assert codes(page) == ["terrain.count"]
    assert page.report.spent == 50
    assert lacking(cave.page, "Cave Chief", "Rage +2") == []
    assert cave.document["books"] == [{"id": book.id, "revision": book.revision}]
    # An own book stands beside shipped ones.
    cave.act("add-book", book="practice")
    assert [entry["id"] for entry in cave.document["books"]][1:] == ["practice"]
    assert lacking(cave.page, "Dune Jackal", "Cave Orc") == []


def test_changing_a_book_changes_no_list_until_its_player_says_so(
    cave: Builder, book: OwnBook
) -> None:
    before = outputs_of(cave)
    change(book, {**ORC, "points": 15, "attributes": {**ORC["attributes"], "alignment": "good"}})
    assert outputs_of(cave) == before

    assert "has changed; this list keeps it as it was" in cave.page
    cave.act("more", unit="u2")
    assert BuilderPage(cave.version, shipped_library()).report.spent == 60
    cave.act("undo")
    assert outputs_of(cave) == before

    asked = cave.client.get(f"{cave.url}changes/?book={book.id}").text
    for words in ("Cave Orc", "10", "15", "no longer in the book", "Evil", "Good"):
        assert words in asked
    assert outputs_of(cave) == before

    cave.act("update-book", book=book.id)
    page = BuilderPage(cave.version, shipped_library())
    assert page.report.spent == 30
    assert "unit.unknown" in codes(page)
    assert "keeps it as it was" not in cave.page
    cave.act("undo")
    assert outputs_of(cave)[:3] == before[:3]
    # Deleting it leaves its lists as they were.
    before = outputs_of(cave)
    services.delete_book(book.holder, book.id)
    assert outputs_of(cave) == before
    assert "has changed" not in cave.page


def test_the_page_of_changes_says_what_stays(cave: Builder, book: OwnBook) -> None:
    change(book, ORC, CHIEF, {**ORC, "id": "scout", "name": "Cave Scout"})
    page = cave.client.get(f"{cave.url}changes/?book={book.id}").text
    assert "Nothing on this list differs." in page
    cave.act("update-book", book=book.id)
    assert "Cave Scout" in cave.page
    # A finding that stays with other numbers is told once.
    cave.act("limit", limit=45)
    change(book, {**ORC, "points": 15}, CHIEF)
    asked = cave.client.get(f"{cave.url}changes/?book={book.id}").text
    assert "Findings that stay" in asked
    assert found_in(asked, "New findings", "Findings that go away") == []
    # Nobody takes the book of another.
    stranger = Builder(Client(), "chainmail-2002", limit=60, books=["practice"])
    answer = stranger.act("add-book", book=book.id)
    assert answer.status_code == 422
    assert [entry["id"] for entry in stranger.document["books"]] == ["practice"]
    assert "Cave Folk" not in stranger.page
    refused = stranger.client.post(
        "/new/chainmail-2002/", {"name": "x", "limit": 50, "books": [book.id]}
    )
    assert refused.status_code == 422


@pytest.mark.slow
def test_a_shipped_book_is_kept_as_it_was_too(
    chainmail: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    chainmail.act("add", ref="practice/dune-jackal")
    revision = chainmail.document["books"][0]["revision"]
    assert Kept.objects.filter(book_id="practice", revision=revision).exists()
    before = outputs_of(chainmail)
    shipped, empty = shipped_library().books["chainmail-2002"], partial(Contents, {})
    newer = replace(shipped["practice"], revision="0" * 16, names={}, contents=empty)
    monkeypatch.setitem(shipped, "practice", newer)  # type: ignore[misc]
    assert outputs_of(chainmail) == before
    assert "keeps it as it was" in chainmail.page


def test_what_would_differ_costs_the_same_queries_however_long_the_list(
    cave: Builder, book: OwnBook
) -> None:
    change(book, {**ORC, "points": 15})
    asked = f"{cave.url}changes/?book={book.id}"
    cave.client.get(asked)
    spent = []
    for units in (1, 40):
        orc = {"unit": f"{book.id}/orc", "models": 1}
        cave.store(units=[{"id": f"u{n}", **orc} for n in range(units)])
        queries = queries_of(cave.client.get, asked)
        spent.append(len(queries))
    assert spent[0] == spent[1]


def test_a_list_is_switched_to_another_edition_and_back(chainmail: Builder) -> None:
    chainmail.store(settings={"terrain": ["hill", "dragon-claw"], "tactical_advantage": 3})
    document = chainmail.document
    assert "Switch to Chainmail 2001" in chainmail.page
    asked = chainmail.client.get(f"{chainmail.url}changes/?edition=chainmail-2001-basic")
    assert "Switch to Chainmail 2001, Basic" in asked.text
    chainmail.act("edition", system="chainmail-2001-basic")
    assert chainmail.document["system"] == "chainmail-2001-basic"
    assert chainmail.document["settings"]["tactical_advantage"] == 3
    chainmail.act("undo")
    assert chainmail.document == document


def test_an_edition_with_a_book_of_its_own_judges_by_that_one(client: Client) -> None:
    builder = Builder(client, "t9a-2023/example/the-princes-dragon")
    before = builder.document
    asked = client.get(f"{builder.url}changes/?edition=t9a-2024").text
    assert "Nothing on this list differs" not in asked
    assert lacking(asked, "Not legal", "Regal Dragon") == []
    assert "Keywords" not in asked, "that the file of 2024 has few of them is no difference"
    builder.act("edition", system="t9a-2024")
    shipped = shipped_library().books["t9a-2024"]["highborn-elves"]
    assert builder.document["books"] == [{"id": "highborn-elves", "revision": shipped.revision}]
    assert "keeps it as it was" not in builder.page
    page = BuilderPage(builder.version, shipped_library())
    assert page.catalogue.books == (shipped,)
    assert not page.report.legal
    builder.act("edition", system="t9a-2023")
    assert builder.document == before
    # A list that names an edition and the book of another is judged by its own.
    builder.store(system="t9a-2024")
    page = BuilderPage(builder.version, shipped_library())
    assert page.catalogue.books == (shipped_library().books["t9a-2024"]["highborn-elves"],)
    assert not page.report.legal


def test_no_other_game_is_offered_and_another_word_is_no_change(chainmail: Builder) -> None:
    assert chainmail.act("edition", system="sbh").status_code == 422
    assert chainmail.client.get(f"{chainmail.url}changes/?edition=sbh").status_code == 422
    assert chainmail.document["system"] == "chainmail-2002"
    # Another word for the same is no change of a unit.
    chainmail.act("add", ref="practice/wandering-bladesworn")
    asked = chainmail.client.get(f"{chainmail.url}changes/?edition=chainmail-2001-advanced")
    assert "Wandering" in chainmail.page
    assert "Units that change" not in asked.text


def test_own_books_of_one_edition_serve_the_others(client: Client, book: OwnBook) -> None:
    builder = Builder(client, "chainmail-2001-advanced", limit=60, books=[book.id])
    builder.act("add", ref=f"{book.id}/chief")
    assert "Cave Chief" in builder.page
    assert escape("Chainmail 2001") in builder.page
    builder.act("edition", system="chainmail-2002")
    assert "Cave Chief" in builder.page
    assert codes(BuilderPage(builder.version, shipped_library())) == ["terrain.count"]


def test_a_book_that_does_not_suit_an_edition_is_refused_by_name(
    client: Client, book: OwnBook
) -> None:
    loose = {**ORC, "abilities": ["difficult-troop"]}  # 2001 writes no rating, 2002 needs one
    services.create_book(
        book.holder, content("own-00000000000000ff", loose, system="chainmail-2001-basic")
    )
    fields = {"name": "x", "limit": 50, "books": ["own-00000000000000ff"]}
    assert "does not fit Chainmail 2002" in refused(client.post("/new/chainmail-2002/", fields))
    assert client.post("/new/chainmail-2001-basic/", fields).status_code == 302


@pytest.mark.slow
def test_settings_that_do_not_matter_are_neither_shown_nor_printed(client: Client) -> None:
    builder = Builder(client, "ddm-2008", limit=200, books=["practice"])
    builder.act("setting", setting="game", value="sealed")
    builder.act("add-piece", setting="pool", piece="practice/lamp-street-crossbow")
    assert "Your boosters" in builder.page
    assert "Lamp Street Crossbow" in builder.client.get(f"{builder.url}sheet.txt").text
    assert 'name="setting" value="faction"' not in builder.page
    builder.act("setting", setting="game", value="constructed")
    assert "Your boosters" not in builder.page
    assert "Your boosters" not in builder.client.get(f"{builder.url}sheet.txt").text
    assert "Maximum cost" not in builder.page
    builder.act("limit", limit=150)
    assert "Maximum cost" in builder.page


def test_a_change_of_one_of_two_options_of_a_name_is_reported(
    client: Client, book: OwnBook
) -> None:
    swords = [
        {
            "group": hand,
            "name": hand,
            "options": [{"id": f"{hand}-sword", "name": "Sword", "points": 2}],
        }
        for hand in ("left", "right")
    ]
    change(book, {**ORC, "options": swords}, CHIEF)
    builder = Builder(client, "chainmail-2002", limit=60, books=[book.id])
    builder.act("add", ref=f"{book.id}/orc")
    dearer = [{**swords[0], "options": [{**swords[0]["options"][0], "points": 5}]}, swords[1]]
    change(book, {**ORC, "options": dearer}, CHIEF)
    asked = builder.client.get(f"{builder.url}changes/?book={book.id}").text
    assert lacking(asked, "Option Sword", "+2, +2", "+5, +2") == []


#: What each of the two books has at first, and then.
CAVE, MARSH = "own-0123456789abcdef", "own-00000000000000aa"
DEARER = {**ORC, "points": 15}


@pytest.fixture
def books(client: Client) -> list[OwnBook]:
    Builder(client, "sbh", limit=300, books=["profiles"])
    holder = client.session["holder"]
    marsh = {**content(MARSH, {**ORC, "id": "troll", "name": "Marsh Troll"}), "name": "Marsh Folk"}
    return [services.create_book(holder, one) for one in (content(CAVE, ORC, CHIEF), marsh)]


@pytest.fixture
def warband(client: Client, books: list[OwnBook]) -> Builder:
    """A chief, two orcs and a troll: 60 points of 60."""
    builder = Builder(client, "chainmail-2002", limit=60, books=[CAVE, MARSH])
    builder.act("setting", setting="terrain", value="hill")
    for ref in (f"{CAVE}/chief", f"{CAVE}/orc", f"{MARSH}/troll"):
        builder.act("add", ref=ref)
    builder.act("models", unit="u2", models="2")
    return builder


def both_change(books: list[OwnBook]) -> None:
    change(books[0], DEARER, CHIEF)
    marsh = {**books[1].data, "units": [{**books[1].data["units"][0], "points": 8}]}
    services.change_book(books[1].holder, MARSH, lambda old: services.BookResult(marsh, "Changed."))


def report(builder: Builder, **query: str) -> str:
    answer = builder.client.get(f"{builder.url}changes/", query)
    assert answer.status_code == 200
    return html.unescape(answer.text)


def table(page: str, title: str) -> list[list[str]]:
    """The rows of the table under a heading, as texts."""
    body = page.partition(f">{title}</h2>")[2].partition("</tbody>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", body.partition("<tbody>")[2], re.DOTALL)
    return [
        [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in rows
    ]


def fields(page: str) -> dict[str, str]:
    shown = page[page.rindex("<main") :]
    return dict(re.findall(r'type="hidden" name="(book|revision)" value="([^"]*)"', shown))


def test_it_tells_points_of_units_and_the_verdict(warband: Builder, books: list[OwnBook]) -> None:
    change(books[0], DEARER, CHIEF)
    page = report(warband, book=CAVE)
    assert table(page, "Points that change") == [["2 × Cave Orc", "20", "30"]]
    assert table(page, "Units that change") == [["Cave Orc", "Points", "10 points", "15 points"]]
    numbers = page.partition("<tbody>")[2].partition("</tbody>")[0]
    words = re.sub(r"<[^>]+>", " ", numbers).split()
    assert words == ["Verdict", "Not", "legal", "Not", "legal", "Points", "60", "70"]
    # A unit that is gone costs nothing any more.
    change(books[0], ORC)
    assert table(report(warband, book=CAVE), "Points that change") == [["Cave Chief", "30", "–"]]


def test_one_report_tells_of_all_changed_books_and_one_yes_takes_them_over(
    warband: Builder, books: list[OwnBook]
) -> None:
    both_change(books)
    before = warband.document
    assert "See the differences of all of them" in warband.page
    page = report(warband)
    assert "2 books have changed" in page
    assert table(page, "Points that change") == [
        ["2 × Cave Orc", "20", "30"],
        ["Marsh Troll", "10", "8"],
    ]
    assert f'href="?book={MARSH}"' in page
    assert warband.document == before
    warband.act("update-book", **fields(page))
    now = {book.pk: book.revision for book in OwnBook.objects.all()}
    assert {book["id"]: book["revision"] for book in warband.document["books"]} == now
    assert warband.version.act == "Applied the changes to Cave Folk, Marsh Folk."
    warband.act("undo")
    assert warband.document == before
    # One of several can be taken over alone.
    page = report(warband, book=MARSH)
    assert table(page, "Points that change") == [["Marsh Troll", "10", "8"]]
    warband.act("update-book", **fields(page))
    page_now = BuilderPage(warband.version, shipped_library())
    assert [book.id for book in page_now.changed_books] == [CAVE]


def test_changes_the_player_has_not_seen_are_not_applied(
    warband: Builder, books: list[OwnBook]
) -> None:
    change(books[0], DEARER, CHIEF)
    seen = fields(report(warband))
    change(books[0], {**ORC, "points": 20}, CHIEF)
    before = warband.document
    assert "has changed again" in refused(warband.act("update-book", **seen))
    assert warband.document == before


def test_a_book_that_the_list_does_not_use_is_not_taken_over(warband: Builder) -> None:
    assert warband.act("update-book", book="practice").status_code == 422
    assert warband.act("update-book", book=f"{CAVE},practice").status_code == 422
    assert len(warband.document["books"]) == 2
    # Where no book has changed there is no report.
    answer = warband.client.get(f"{warband.url}changes/")
    assert "No book of this list has changed" in refused(answer)


def test_my_lists_mark_the_lists_whose_books_have_changed(
    warband: Builder, books: list[OwnBook]
) -> None:
    def marks() -> list[str]:
        page = warband.client.get("/lists/").text
        return re.findall(r'href="(/lists/[^"]+/changes/)"', page)

    assert marks() == []
    both_change(books)
    page = warband.client.get("/lists/").text
    assert "2 books have changed" in page
    assert marks() == [f"{warband.url}changes/"]
    assert warband.client.get(marks()[0]).status_code == 200
    services.delete_book(books[0].holder, CAVE)
    assert "A book has changed" in warband.client.get("/lists/").text


@pytest.mark.slow
def test_marks_cost_one_query_however_many_lists(warband: Builder, books: list[OwnBook]) -> None:
    counts = []
    both_change(books)
    for _ in range(2):
        warband.client.get("/lists/")
        queries = queries_of(warband.client.get, "/lists/")
        counts.append(len(queries))
        for _ in range(5):
            warband.client.post(f"{warband.url}copy/")
    assert counts[0] == counts[1] == 8
