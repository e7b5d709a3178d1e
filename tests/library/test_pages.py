"""Pages of the library: the data of a book, and units side by side."""

import re
from html import unescape

from django.test import Client

from armybuilder.engine.catalogue import Book, Gap
from armybuilder.library.book_data import make_book_data
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make_judge import AboutPart, gaps_by_unit
from armybuilder.sheets.content.setup import KINDS
from armybuilder.sheets.content.unit_words import ComparedPart, ComparedRow, side_by_side
from tests.building.regiments import army, group, option, unit
from tests.conftest import Builder
from tests.sheets.papers import example, printed_text

ELVES = "t9a-2023/the-princes-dragon"
#: What the book of that list does not say of a unit on it.
CHARIOT_S_GAP = "A rule of Crew (2) is told in a sentence, not named."


def shipped(system: str, book: str) -> Book:
    return shipped_library().books[system][book]


def page(client: Client, address: str) -> str:
    answer = client.get(f"/library/{address}/")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


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
    for book in ("highborn-elves", "legions-of-sin", "beast-herds"):
        html = page(client, f"t9a-2023/{book}/data")
        gaps = shipped("t9a-2023", book).gaps
        assert gaps, book
        assert html.count("<dd>") >= len(gaps), book
        assert all(gap.what in html for gap in gaps), book
        assert f'<span class="muted">({len(gaps)})</span>' in html, book
        linked = re.findall(rf'/library/t9a-2023/{book}/#([^"]+)"', html)
        assert set(linked) <= shipped("t9a-2023", book).units.keys(), book


def test_the_data_page_tells_source_file_counts_and_that_nothing_is_missing(client: Client) -> None:
    book = shipped("t9a-2023", "highborn-elves")
    html = page(client, "t9a-2023/highborn-elves/data")
    for told_there in (book.source, book.revision, "catalogs/t9a-2023/highborn-elves.json"):
        assert told_there in html
    counts = dict(make_book_data(book)["counts"])
    assert counts["Units"] == str(len(book.units))
    assert int(counts["Units with a stat line"]) < len(book.units)
    html = page(client, "chainmail-2002/practice/data")
    assert "Nothing is known to be missing." in html
    assert client.get("/library/t9a-2023/atlantis/data/").status_code == 404


def test_shared_options_count_once() -> None:
    spear = option("spear", 1, item="weapon-enchantment")
    uses = [{"use": "spear"}]
    (book,) = army(unit("a", 1, *uses), unit("b", 1, *uses, option("bow")), shared=[spear]).books
    counts = dict(make_book_data(book)["counts"])
    assert (counts["Options (shared ones counted once)"], counts["Special items"]) == ("2", "1")


def test_players_never_read_gaps(client: Client, db: None) -> None:
    gaps = {gap.what for gap in shipped("t9a-2023", "highborn-elves").gaps}
    builder = Builder(client, "t9a-2023", limit=4500, books=["highborn-elves"])
    units = ("high-prince", "mage", "lion-guard", "highborn-giant")
    for unit_id in units:
        builder.act("add", ref=f"highborn-elves/{unit_id}")
    pages = [page(client, "t9a-2023/highborn-elves")]
    pages += [unescape(client.get(f"{builder.url}?open=u{n}").content.decode()) for n in (1, 2, 3)]
    pages.append(unescape(client.get(f"{builder.url}sheet/").content.decode()))
    assert all("High Prince" in html for html in pages)
    assert not [what for what in gaps for html in pages if what in html]


def test_the_judge_s_sheet_alone_has_the_gaps_of_what_is_on_the_list() -> None:
    for kind in KINDS:
        text = printed_text(example(ELVES), kinds=kind)
        assert text, kind
        assert (CHARIOT_S_GAP in text) == (kind == "judge"), kind
    text = printed_text(example(ELVES), kinds="judge")
    assert "What the books do not say" in text
    assert f"{CHARIOT_S_GAP} Lion Chariot" in text
    assert "Highborn Giant" not in text


LADY = "practice/bannerlady-oresta"
HORDE = "practice/redtusk-overseer"


def rows(parts: tuple[ComparedPart, ...]) -> dict[str, ComparedRow]:
    return {row.name: row for part in parts for row in part.rows}


def compared(*refs: str, system: str = "chainmail-2002") -> dict[str, ComparedRow]:
    library = shipped_library()
    books = library.books[system].values()
    units = {ref: unit for book in books for ref, unit in book.units.items()}
    return rows(side_by_side([units[ref] for ref in refs], library.systems[system]))


def words(row: ComparedRow) -> list[list[str]]:
    return [[word.text for word in cell] for cell in row.cells]


def test_units_are_compared_row_by_row_and_know_what_they_share() -> None:
    found = compared(LADY, HORDE)
    assert words(found["Points"]) == [["38 points"], ["28 points"]]
    assert found["Points"].differs
    assert words(found["Speed"]) == [["6″"], ["6″"]]
    assert not found["Speed"].differs
    abilities = compared(LADY, HORDE)["Abilities"]
    assert abilities.differs
    shared = [{word.text for word in cell if word.shared} for cell in abilities.cells]
    assert shared == [{"Cleave"}, {"Cleave"}]
    prince, spears = "highborn-elves/high-prince", "highborn-elves/citizen-spears"
    found = compared(prince, spears, system="t9a-2023")
    assert words(found["Models"]) == [["1 model"], ["20 to 50 models"]]
    assert found["Discipline"].differs
    assert words(found["Mount"])[1] == []
    assert any(text.startswith("Dragon") for text in words(found["Mount"])[0])


def test_the_library_compares_units_of_its_books(client: Client) -> None:
    page = client.get("/library/chainmail-2002/compare/", {"unit": [LADY, HORDE]})
    html = page.content.decode()
    assert page.status_code == 200
    assert "Bannerlady Oresta" in html
    assert "Redtusk Overseer" in html
    assert "?unit=practice%2Fredtusk-overseer" in html  # the address without the first


def test_what_makes_no_sense_is_passed_over(client: Client) -> None:
    for query in ("", "unit=zz", "unit=" + "x" * 3000, "unit=a%00b"):
        page = client.get(f"/library/chainmail-2002/compare/?{query}")
        assert page.status_code == 200, query
        assert page.context["columns"] == [], query
    assert client.get("/library/chess/compare/").status_code == 404


def test_a_books_page_offers_each_unit_for_comparison_and_leads_to_its_data(client: Client) -> None:
    for book in ("chainmail-2002/practice", "t9a-2023/highborn-elves"):
        page = client.get(f"/library/{book}/").content.decode()
        assert f'href="/library/{book}/data/"' in page, book
        system, _, book_id = book.partition("/")
        for ref in shipped_library().books[system][book_id].units:
            assert f'name="unit" value="{ref}"' in page, book
        assert f'action="/library/{system}/compare/"' in page, book


def test_units_of_every_game_can_be_compared(client: Client) -> None:
    for system in list(shipped_library().systems):
        book = max(shipped_library().books[system].values(), key=lambda book: len(book.units))
        page = client.get(f"/library/{system}/compare/", {"unit": list(book.units)[:4]})
        assert len(page.context["columns"]) == 4, system
        assert any(part.differs for part in page.context["parts"]), system
