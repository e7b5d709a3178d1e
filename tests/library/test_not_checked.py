"""The data page tells what of a book is not checked and what is left out; another page sums up."""

import re
from html import unescape
from typing import Any

from django.test import Client
from django.urls import reverse

from armybuilder.engine.catalogue import Book
from armybuilder.library.book_data import make_book_data, not_checked, tried, truth_tables
from armybuilder.loading.audits import AuditTally, shipped_audits
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make_judge import AboutPart
from tests.building.regiments import army, group, option, unit
from tests.conftest import Builder
from tests.markup import flat

GAME = "t9a-2023"
GILLS = {"what": "only with gills", "why": "sentence"}
WHY = "The book states this only in words."


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def book_of(*units: Any, **more: Any) -> Book:
    (book,) = army(*units, **more).books
    return book


def shipped(book: str) -> Book:
    return shipped_library().books[GAME][book]


def ids(book: Book) -> list[str]:
    return [section.id for section in make_book_data(book)["sections"]]


def test_what_is_not_checked_stands_under_its_units_with_the_reason() -> None:
    mask = option("mask", unchecked=[GILLS])
    eel = unit("eel", 5, group("gear", mask, unchecked=[GILLS]), unchecked=[GILLS])
    assert not_checked(book_of(unit("mob"), eel)) == [
        AboutPart(
            "Eel",
            "book/eel",
            (f"Only with gills. {WHY}", f"Gear: only with gills. {WHY}",
             f"Mask: only with gills. {WHY}"),
        )
    ]  # fmt: skip
    book = book_of(unit("eel", 5, option("horse", 1, option("saddle", 1, unchecked=[GILLS]))))
    assert not_checked(book) == [AboutPart("Eel", "book/eel", (f"Saddle: only with gills. {WHY}",))]
    uses = [{"use": "mask"}]
    shared = [option("mask", unchecked=[GILLS])]
    book = book_of(unit("eel", 5, *uses), unit("carp", 5, *uses), shared=shared)
    assert not_checked(book) == [AboutPart("Mask (Eel, Carp)", "", (f"Only with gills. {WHY}",))]


def test_what_is_meant_on_one_of_the_units_that_share_it_is_told_of_that_one() -> None:
    for asks in ({"unit": "eel"}, {"all": [{"limit": {"at_least": 90}}, {"unit": "eel"}]}):
        uses = [{"use": "mask"}]
        shared = [option("mask", unchecked=[{**GILLS, "if": asks}])]
        book = book_of(unit("carp", 5, *uses), unit("eel", 5, *uses), shared=shared)
        assert not_checked(book) == [
            AboutPart("Eel", "book/eel", (f"Mask: only with gills. {WHY}",))
        ], asks


def test_what_the_army_is_asked_comes_first_units_told_too_little_of_last() -> None:
    army_wide = {"what": "one lake per army", "why": "condition"}
    book = book_of(unit("eel", 5, unchecked=[GILLS]), unchecked=[army_wide])
    first, second = not_checked(book)
    assert (first.name, first.ref) == ("The whole army", "")
    assert first.lines == ("One lake per army. Army Builder has no condition for this yet.",)
    assert second.name == "Eel"
    (found,) = not_checked(book_of(unit("eel", sparse=True), unit("mob"), unit("ox", sparse=True)))
    assert found.name == "2 units without their special rules and equipment"
    (line,) = found.lines
    assert "Eel, Ox." in line
    assert "Mob" not in line


def test_the_data_page_has_all_that_is_not_checked_and_left_out(client: Client) -> None:
    assert not_checked(book_of(unit("mob"))) == []
    html = page(client, "/library/chainmail-2002/practice/data/")
    assert "The program checks everything that this book asks for." in html
    html = page(client, f"/library/{GAME}/sylvan-elves/data/")
    told = re.findall(r'"what": "([^"]+)"', shipped_text("sylvan-elves"))
    assert told
    assert all(what.lower() in html.lower() for what in told)
    sections = {one.id: one for one in make_book_data(shipped("highborn-elves"))["sections"]}
    (mage,) = sections["left-out"].entries
    assert (mage.name, mage.ref) == ("Mage", "highborn-elves/mage")
    assert mage.lines == ("Armour › Dragonforged Armour", "Armour › Heavy Armour")
    html = page(client, f"/library/{GAME}/highborn-elves/data/")
    assert all(line in html for line in mage.lines)


def shipped_text(book: str) -> str:
    """What the file of a book says from its units on: gaps stand before."""
    library = shipped_library()
    text = library.files[GAME, book].content.decode()
    return text[text.index('"categories"') :]


def test_a_book_without_a_ledger_says_nothing_of_one_others_have_its_counts() -> None:
    sections = {one.id: one for one in make_book_data(shipped("beast-herds"))["sections"]}
    assert sections["left-out"].entries == []
    assert ids(book_of(unit("mob"))) == ["not-checked", "gaps"]
    counts = dict(make_book_data(shipped("sylvan-elves"))["counts"])
    tally = shipped_audits().by_book[GAME, "sylvan-elves"].tally
    for told, number in (
        ("checked", tally.judged),
        ("reported as not checked", tally.unchecked),
        ("without effect", tally.idle),
    ):
        assert counts[f"Restrictions in the source: {told}"] == str(number)
    names = dict(make_book_data(book_of(unit("mob")))["counts"])
    assert not [name for name in names if "source" in name]


def test_the_page_of_verdicts_has_every_imported_book_and_its_second_reading(
    client: Client,
) -> None:
    html = page(client, "/library/truth/")
    for verdict in ("Legal", "Legal as far as checked", "Not legal"):
        assert f"{verdict}</dt>" in html
    rows = dict(table_rows(html))
    audits = dict(shipped_audits().by_book)
    assert rows.keys() == audits.keys()
    for book, audit in audits.items():
        tally = audit.tally
        assert rows[book][:4] == [tally.judged, tally.unchecked, tally.idle, tally.left_out]
    html = page(client, "/library/truth/")
    every = tried(GAME)
    assert every is not None
    assert "Armies checked twice" in html
    assert f"Wrongly called legal: {every.wrongly_legal}." in html
    for (game, book), numbers in table_rows(html):
        of_book = tried(game, book)
        assert of_book is not None
        assert numbers[-2:] == [of_book.armies, of_book.wrong]


def table_rows(html: str) -> list[tuple[tuple[str, str], list[int]]]:
    """The books, by game and id, and numbers of the rows of the tables."""
    html = flat(html)
    found = re.findall(r'<tr><th scope="row"><a [^>]*/library/([^/]+)/([^/]+)/data/.*?</tr>', html)
    texts = re.findall(r"<tr><th[^>]*><a.*?</tr>", html)
    numbers = [[int(one) for one in re.findall(r"<td>(\d+)</td>", text)] for text in texts]
    return list(zip(found, numbers, strict=True))


def test_the_last_row_has_all_books_and_open_sources_are_counted_apart() -> None:
    for table in truth_tables():
        total = AuditTally()
        for row in table.rows:
            total = total.plus(row.tally)
        assert table.total == total
        assert table.open == sum(row.open for row in table.rows)
        assert table.sparse == sum(row.sparse for row in table.rows)
    assert any(table.open for table in truth_tables())
    (table,) = [one for one in truth_tables() if one.system.id == GAME]
    (elves,) = [row for row in table.rows if row.book.id == "sylvan-elves"]
    (section,) = [one for one in make_book_data(elves.book)["sections"] if one.id == "not-checked"]
    judged_by_nobody = 1  # the Glyph of Amryl, a shared option
    of_sparse_units = 1
    assert elves.open + judged_by_nobody + of_sparse_units == section.number
    assert tried("sbh") is None
    assert tried(GAME, "no-such-book") is None


def test_library_and_data_pages_lead_to_the_page_of_verdicts(client: Client) -> None:
    for address in (
        "/library/",
        f"/library/{GAME}/highborn-elves/data/",
        "/library/sbh/profiles/data/",
    ):
        assert f'href="{reverse("truth")}"' in page(client, address), address


def test_the_verdict_leads_there_where_something_is_not_checked(client: Client, db: None) -> None:
    link = f'href="{reverse("truth")}"'
    builder = Builder(client, GAME, limit=8000, books=["daemon-legions"])
    builder.act("add", ref="daemon-legions/maw-of-akaan")
    assert link not in builder.page
    builder.act("add", ref="daemon-legions/maw-of-akaan")
    assert 'id="unchecked"' in builder.page
    assert link in builder.page
