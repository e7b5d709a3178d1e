"""The update report: what a list would be with its books as they are now, and only on yes."""

import html
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from armybuilder.books import services
from armybuilder.books.models import OwnBook
from tests.conftest import Builder
from tests.pages.builder.test_changes import CHIEF, ORC, change, content

pytestmark = pytest.mark.django_db

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
    return html.unescape(answer.content.decode())


def table(page: str, title: str) -> list[list[str]]:
    """The rows of the table under a heading, as texts."""
    body = page.partition(f">{title}</h2>")[2].partition("</tbody>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", body.partition("<tbody>")[2], re.DOTALL)
    return [
        [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in rows
    ]


def fields(page: str) -> dict[str, str]:
    """The hidden fields of the form that says yes."""
    form = page.rpartition('<form method="post" action="/lists/')[0]
    shown = page[page.rindex("<main") :]
    found = dict(re.findall(r'type="hidden" name="(book|revision)" value="([^"]*)"', shown))
    assert form
    return found


def test_it_tells_points_of_each_unit_in_all_and_the_verdict(
    warband: Builder, books: list[OwnBook]
) -> None:
    change(books[0], DEARER, CHIEF)
    page = report(warband, book=CAVE)
    assert table(page, "Points that change") == [["2 × Cave Orc", "20", "30"]]
    assert table(page, "Units that change") == [["Cave Orc", "Points", "10", "15"]]
    numbers = page.partition("<tbody>")[2].partition("</tbody>")[0]
    words = re.sub(r"<[^>]+>", " ", numbers).split()
    assert words == ["Verdict", "Not", "legal", "Not", "legal", "Points", "60", "70"]


def test_a_unit_that_is_gone_costs_nothing_any_more(warband: Builder, books: list[OwnBook]) -> None:
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


def test_one_of_several_can_be_taken_over_alone(warband: Builder, books: list[OwnBook]) -> None:
    both_change(books)
    page = report(warband, book=MARSH)
    assert table(page, "Points that change") == [["Marsh Troll", "10", "8"]]
    warband.act("update-book", **fields(page))
    assert [book.id for book in changed(warband)] == [CAVE]


def changed(builder: Builder) -> list[Any]:
    from armybuilder.loading.library import shipped_library
    from armybuilder.pages.builder.page import BuilderPage

    return BuilderPage(builder.version, shipped_library()).changed_books


def test_what_nobody_has_seen_is_not_taken_over(warband: Builder, books: list[OwnBook]) -> None:
    change(books[0], DEARER, CHIEF)
    seen = fields(report(warband))
    change(books[0], {**ORC, "points": 20}, CHIEF)
    before = warband.document
    answer = warband.act("update-book", **seen)
    assert answer.status_code == 422
    assert "has changed again" in answer.content.decode()
    assert warband.document == before


def test_a_book_that_the_list_does_not_use_is_not_taken_over(warband: Builder) -> None:
    assert warband.act("update-book", book="practice").status_code == 422
    assert warband.act("update-book", book=f"{CAVE},practice").status_code == 422
    assert len(warband.document["books"]) == 2


def test_where_no_book_has_changed_there_is_no_report(warband: Builder) -> None:
    answer = warband.client.get(f"{warband.url}changes/")
    assert answer.status_code == 422
    assert "No book of this list has changed" in answer.content.decode()


def test_my_lists_mark_the_lists_whose_books_have_changed(
    warband: Builder, books: list[OwnBook]
) -> None:
    def marks() -> list[str]:
        page = warband.client.get("/lists/").content.decode()
        return re.findall(r'href="(/lists/[^"]+/changes/)"', page)

    assert marks() == []
    both_change(books)
    page = warband.client.get("/lists/").content.decode()
    assert "2 books have changed" in page
    assert marks() == [f"{warband.url}changes/"]
    assert warband.client.get(marks()[0]).status_code == 200
    services.delete_book(books[0].holder, CAVE)
    assert "A book has changed" in warband.client.get("/lists/").content.decode()


def test_marks_cost_one_query_however_many_lists(warband: Builder, books: list[OwnBook]) -> None:
    counts = []
    both_change(books)
    for _ in range(2):
        warband.client.get("/lists/")
        with CaptureQueriesContext(connection) as queries:
            warband.client.get("/lists/")
        counts.append(len(queries))
        for _ in range(5):
            warband.client.post(f"{warband.url}copy/")
    assert counts[0] == counts[1] == 7
