"""Pages of the library: the data of a book, and units side by side."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.engine.catalogue import Book, Gap
from armybuilder.library.book_data import make_book_data, not_checked, tried, truth_tables
from armybuilder.library.units import ComparedPart, ComparedRow, side_by_side
from armybuilder.loading.audits import AuditTally, shipped_audits
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make_judge import AboutPart, gaps_by_unit
from armybuilder.sheets.content.make_units import entry_views
from armybuilder.sheets.content.setup import KINDS
from tests.building.regiments import army, group, option, unit
from tests.conftest import Builder
from tests.markup import flat, lacking
from tests.sheets.papers import example, printed_text

ELVES = "t9a-2023/the-princes-dragon"
#: What the book of that list does not say of a unit on it.
CHARIOT_S_GAP = "A rule of Crew (2) is told in a sentence, not named."


def shipped(system: str, book: str) -> Book:
    return shipped_library().books[system][book]


def page(client: Client, address: str) -> str:
    answer = client.get(f"/library/{address}")
    assert answer.status_code == 200
    return unescape(answer.text)


LORD = unit("lord", 5, option("horse", 1, group("tack", option("saddle"))))


def grouped(*gaps: tuple[str, str]) -> list[AboutPart]:
    written = [{"where": where, "what": what} for where, what in gaps]
    (book,) = army(unit("mob", 5), LORD, gaps=written).books
    return gaps_by_unit(book)


def test_gaps_stand_under_their_units_with_the_names_of_options() -> None:
    (book,) = army(LORD, gaps=[{"where": "lord", "what": "No age."}]).books
    assert book.gaps == (Gap("lord", "No age."),)
    assert book.units["book/lord"].remark == ""
    found = grouped(("lord", "No age."), ("mob", "No stats."), ("Lord", "No wife."))
    assert found == [
        AboutPart("Mob", "book/mob", ("No stats.",)),
        AboutPart("Lord", "book/lord", ("No age.", "No wife.")),
    ]
    found = grouped(("lord/horse", "No price."), ("lord/horse/saddle", "A Saddle costs nothing."))
    assert found == [
        AboutPart("Lord", "book/lord", ("Horse: No price.", "A Saddle costs nothing."))
    ]
    found = grouped(("tack", "No price."), ("The whole book", "No index."))
    assert found == [
        AboutPart("Tack", "", ("No price.",)), AboutPart("The whole book", "", ("No index.",))
    ]  # fmt: skip


def test_the_data_page_has_every_gap_once_under_its_unit(client: Client) -> None:
    for book in ("highborn-elves", "kingdom-of-equitaine", "vampire-covenant"):
        html = page(client, f"t9a-2023/{book}/data/")
        gaps = shipped("t9a-2023", book).gaps
        assert gaps, book
        assert html.count("<dd>") >= len(gaps), book
        assert all(gap.what in html for gap in gaps), book
        assert f'<span class="muted">({len(gaps)})</span>' in html, book
        linked = re.findall(rf'/library/t9a-2023/{book}/#([^"]+)"', html)
        assert set(linked) <= shipped("t9a-2023", book).units.keys(), book


def test_the_data_page_tells_source_file_counts_and_that_nothing_is_missing(client: Client) -> None:
    book = shipped("t9a-2023", "highborn-elves")
    html = page(client, "t9a-2023/highborn-elves/data/")
    for told_there in (book.source, book.revision, "catalogs/t9a-2023/highborn-elves.json"):
        assert told_there in html
    counts = dict(make_book_data(book)["counts"])
    assert counts["Units"] == str(len(book.units))
    assert counts["Units with a stat line"] == str(len(book.units))
    assert counts["Units with a stat line of another edition"] == "1"
    equitaine = dict(make_book_data(shipped("t9a-2023", "kingdom-of-equitaine"))["counts"])
    assert int(equitaine["Units with a stat line"]) < int(equitaine["Units"])
    html = page(client, "chainmail-2002/practice/data/")
    assert "Nothing is known to be missing." in html
    assert client.get("/library/t9a-2023/atlantis/data/").status_code == 404


def test_shared_options_count_once() -> None:
    spear = option("spear", 1, item="weapon-enchantment")
    uses = [{"use": "spear"}]
    (book,) = army(unit("a", 1, *uses), unit("b", 1, *uses, option("bow")), shared=[spear]).books
    counts = dict(make_book_data(book)["counts"])
    assert (counts["Options (shared ones counted once)"], counts["Special items"]) == ("2", "1")


def test_players_do_not_see_gaps_of_books(client: Client, db: None) -> None:
    gaps = {gap.what for gap in shipped("t9a-2023", "highborn-elves").gaps}
    builder = Builder(client, "t9a-2023", limit=4500, books=["highborn-elves"])
    units = ("high-prince", "mage", "lion-guard", "highborn-giant")
    for unit_id in units:
        builder.act("add", ref=f"highborn-elves/{unit_id}")
    pages = [page(client, "t9a-2023/highborn-elves/")]
    pages += [unescape(client.get(f"{builder.url}?open=u{n}").text) for n in (1, 2, 3)]
    pages.append(unescape(client.get(f"{builder.url}sheet/").text))
    assert all("High Prince" in html for html in pages)
    assert not [what for what in gaps for html in pages if what in html]


@pytest.mark.slow
def test_the_judge_s_sheet_alone_has_the_gaps_of_what_is_on_the_list() -> None:
    for kind in KINDS:
        text = printed_text(example(ELVES), kinds=kind)
        assert text, kind
        assert (CHARIOT_S_GAP in text) == (kind == "judge"), kind
    text = printed_text(example(ELVES), kinds="judge")
    assert lacking(text, "Checks", f"{CHARIOT_S_GAP} Lion Chariot") == []
    assert "Highborn Giant" not in text


LADY = "practice/bannerlady-oresta"
HORDE = "practice/redtusk-overseer"


def rows(parts: tuple[ComparedPart, ...]) -> dict[str, ComparedRow]:
    return {row.name: row for part in parts for row in part.rows}


def compared(*refs: str, system: str = "chainmail-2002") -> dict[str, ComparedRow]:
    library = shipped_library()
    books = library.books[system].values()
    units = {ref: unit for book in books for ref, unit in book.units.items()}
    catalogue = library.catalogue(system, sorted({units[ref].book for ref in refs}))
    views = entry_views([units[ref] for ref in refs], catalogue)
    return rows(side_by_side(list(views)))


def words(row: ComparedRow) -> list[list[str]]:
    return [[word.text for word in cell] for cell in row.cells]


def test_units_are_compared_row_by_row_and_know_what_they_share() -> None:
    found = compared(LADY, HORDE)
    assert words(found["Points"]) == [["38 points"], ["28 points"]]
    assert found["Points"].differs
    assert words(found["Speed"]) == [["6″"], ["6″"]]
    assert not found["Speed"].differs
    abilities = found["Special rules"]
    assert abilities.differs
    shared = [{word.text for word in cell if word.shared} for cell in abilities.cells]
    assert shared == [{"Cleave"}, {"Cleave"}]
    prince, spears = "highborn-elves/high-prince", "highborn-elves/citizen-spears"
    found = compared(prince, spears, system="t9a-2023")
    assert words(found["Models"]) == [["1 model"], ["20 to 50 models"]]
    assert found["Discipline"].differs
    assert words(found["Mount"])[1] == []
    assert any(text.startswith("Dragon") for text in words(found["Mount"])[0])


def test_a_books_page_offers_each_unit_for_comparison_and_leads_to_its_data(client: Client) -> None:
    for book in ("chainmail-2002/practice", "t9a-2023/highborn-elves"):
        page = client.get(f"/library/{book}/").text
        assert f'href="/library/{book}/data/"' in page, book
        system, _, book_id = book.partition("/")
        for ref in shipped_library().books[system][book_id].units:
            assert f'name="unit" value="{ref}"' in page, book
        assert f'action="/library/{system}/compare/"' in page, book


@pytest.mark.slow
def test_units_of_every_game_can_be_compared(client: Client) -> None:
    for system in list(shipped_library().systems):
        book = max(shipped_library().books[system].values(), key=lambda book: len(book.units))
        page = client.get(f"/library/{system}/compare/", {"unit": list(book.units)[:4]})
        assert len(page.context["columns"]) == 4, system
        assert any(part.differs for part in page.context["parts"]), system
    # Each is left out by an address.
    page = client.get("/library/chainmail-2002/compare/", {"unit": [LADY, HORDE]})
    html = page.text
    assert page.status_code == 200
    assert lacking(html, "Bannerlady Oresta", "Redtusk Overseer") == []
    assert "?unit=practice%2Fredtusk-overseer" in html  # the address without the first
    # What makes no sense is passed over.
    for query in ("", "unit=zz", "unit=" + "x" * 3000, "unit=a%00b"):
        page = client.get(f"/library/chainmail-2002/compare/?{query}")
        assert page.status_code == 200, query
        assert page.context["columns"] == [], query
    assert client.get("/library/chess/compare/").status_code == 404


# What of a book is not checked and what is left out, and the page that sums that up.


GAME = "t9a-2023"
GILLS = {"what": "only with gills", "why": "sentence"}
WHY = "The book states this only in words."


def book_of(*units: Any, **more: Any) -> Book:
    (book,) = army(*units, **more).books
    return book


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


def test_a_note_on_a_shared_option_names_the_unit_it_is_for() -> None:
    for asks in ({"unit": "eel"}, {"all": [{"limit": {"at_least": 90}}, {"unit": "eel"}]}):
        uses = [{"use": "mask"}]
        shared = [option("mask", unchecked=[{**GILLS, "if": asks}])]
        book = book_of(unit("carp", 5, *uses), unit("eel", 5, *uses), shared=shared)
        assert not_checked(book) == [
            AboutPart("Eel", "book/eel", (f"Mask: only with gills. {WHY}",))
        ], asks


def test_requirements_of_the_army_come_first_and_sparse_units_last() -> None:
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
    html = page(client, "chainmail-2002/practice/data/")
    assert "We check everything this book asks for." in html
    html = page(client, f"{GAME}/sylvan-elves/data/")
    told = re.findall(r'"what": "([^"]+)"', shipped_text("sylvan-elves"))
    assert told
    assert all(what.lower() in html.lower() for what in told)
    sections = {one.id: one for one in make_book_data(shipped(GAME, "highborn-elves"))["sections"]}
    (mage,) = sections["left-out"].entries
    assert (mage.name, mage.ref) == ("Mage", "highborn-elves/mage")
    assert mage.lines == ("Armour › Dragonforged Armour", "Armour › Heavy Armour")
    html = page(client, f"{GAME}/highborn-elves/data/")
    assert all(line in html for line in mage.lines)


def shipped_text(book: str) -> str:
    """What the file of a book says from its units on: gaps stand before."""
    library = shipped_library()
    text = library.files[GAME, book].content.decode()
    return text[text.index('"categories"') :]


def test_a_book_without_a_ledger_says_nothing_of_one_others_have_its_counts() -> None:
    sections = {one.id: one for one in make_book_data(shipped(GAME, "beast-herds"))["sections"]}
    assert sections["left-out"].entries == []
    assert ids(book_of(unit("mob"))) == ["not-checked", "gaps"]
    counts = dict(make_book_data(shipped("t9a-3rd", "dwarven-holds"))["counts"])
    tally = shipped_audits().by_book["t9a-3rd", "dwarven-holds"].tally
    for told, number in (
        ("checked", tally.judged),
        ("reported as not checked", tally.unchecked),
        ("without effect", tally.idle),
    ):
        assert counts[f"Restrictions in the source: {told}"] == str(number)
    assert not [
        name for name in dict(make_book_data(book_of(unit("mob")))["counts"]) if "source" in name
    ]


def test_the_page_of_verdicts_has_every_imported_book_and_its_second_reading(
    client: Client,
) -> None:
    html = page(client, "truth/")
    for verdict in ("Legal", "Legal as far as checked", "Not legal"):
        assert f"{verdict}</dt>" in html
    rows = dict(table_rows(html))
    audits = dict(shipped_audits().by_book)
    assert rows.keys() == audits.keys()
    for book, audit in audits.items():
        tally = audit.tally
        assert rows[book][:4] == [tally.judged, tally.unchecked, tally.idle, tally.left_out]
    html = page(client, "truth/")
    every = tried(GAME)
    assert every is not None
    assert "Armies checked twice" in html
    assert f"Wrongly called legal: {every.wrongly_legal}." in html
    for (game, book), numbers in table_rows(html):
        of_book = tried(game, book)
        if of_book is None:
            assert game == "t9a-3rd", "all others are read twice"
            continue
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
    assert elves.open + elves.sparse == section.number
    assert elves.sparse == 0
    assert tried("sbh") is None
    assert tried(GAME, "no-such-book") is None


def test_library_and_data_pages_lead_to_the_page_of_verdicts(client: Client) -> None:
    for address in (
        "",
        f"{GAME}/highborn-elves/data/",
        "sbh/profiles/data/",
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
