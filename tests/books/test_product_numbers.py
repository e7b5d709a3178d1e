"""One field of a unit, the number that its maker sells it by, at every place that follows the
description of fields: files, form, tables, sheets, cards, library, comparisons, API.
"""

import re
from copy import deepcopy
from typing import Any

import pytest
from django.test import Client

from armybuilder.authoring.cards import CardForm
from armybuilder.authoring.edits import new_book
from armybuilder.authoring.tables import match_columns, read_grid
from armybuilder.comparing.editions import Numbers, compare
from armybuilder.engine.catalogue import Book
from armybuilder.engine.units import Unit
from armybuilder.library.units import side_by_side
from armybuilder.loading.books import build_book
from armybuilder.loading.documents import judge_by
from armybuilder.loading.library import make_catalogue, shipped_library
from armybuilder.loading.schemas import schema_problems
from armybuilder.sheets.content.make import army_sheet, make_sheet
from armybuilder.sheets.content.make_units import entry_views
from armybuilder.sheets.texts.lines import draw_text
from tests.books.shelf import Shelf
from tests.building.documents import value_of
from tests.conftest import Builder
from tests.guards.code import ROOT
from tests.markup import flat
from tests.sheets.papers import DAY, document

LIBRARY = shipped_library()
CHAINMAIL = LIBRARY.systems["chainmail-2002"]
TROOPER = "known-cards/orc-trooper"
TOLD = "Product number: 88520"


@pytest.mark.slow
def test_only_three_files_name_the_product_number() -> None:
    """The value, its description and the schema of the files; whatever shows it asks these."""
    named = re.compile(r"""["']product["']|\.product\b|\bproduct: """)
    folders = ("armybuilder", "templates", "catalogs/schema")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.*")]
    texts = (file for file in files if file.suffix in (".py", ".html", ".js", ".json"))
    naming = [file for file in texts if named.search(file.read_text("utf-8"))]
    assert len(naming) == 3, naming


def known(**said: Any) -> Book:
    """The book of known cards, its trooper saying something else too."""
    data = deepcopy(dict(LIBRARY.shipped_data("chainmail-2002", "known-cards")))
    trooper = next(unit for unit in data["units"] if unit["id"] == "orc-trooper")
    trooper.update(said)
    book, problems = build_book(data, CHAINMAIL.apart(), "known-cards.json")
    assert book is not None, problems
    return book


def unit(name: str = TROOPER) -> Unit:
    return LIBRARY.books["chainmail-2002"]["known-cards"].units[name]


def test_the_product_number_is_text_and_only_for_single_models() -> None:
    book = {**new_book(CHAINMAIL, "mine", "Mine"), "units": [{"id": "a", "name": "A"}]}
    assert schema_problems("book", book, "mine.json") == []
    book["units"][0]["product"] = 88520
    (problem,) = schema_problems("book", book, "mine.json")
    assert (problem.pointer, problem.message) == ("/units/0/product", "88520 is not a text.")
    t9a = LIBRARY.systems["t9a-2023"]
    fields = CardForm(t9a, new_book(t9a, "own-0123456789abcdef", "Mine")).fields
    assert "product" not in {field.name for field in fields}


@pytest.mark.django_db
def test_form_and_table_have_the_product_number(client: Client) -> None:
    shelf = Shelf(client)
    shelf.add(name="Troll")
    assert "Product number" not in shelf.page
    shelf.add(name="Orc Trooper", product="88520")
    assert shelf.data["units"][1]["product"] == "88520"
    assert re.search(r'name="product"[^>]*value="88520"', shelf.text("units/orc-trooper/"))
    page = flat(shelf.page)
    assert re.search(r"<th [^>]*>Product number</th>", page)
    assert re.search(r"Product number </span>88520</td>", page)


def test_a_pasted_column_fills_the_product_number() -> None:
    for heading in ("Product number", "SKU", "product"):
        book = new_book(CHAINMAIL, "own-0123456789abcdef", "Mine")
        grid = read_grid(f"Name\t{heading}\nOrc Trooper\t88520")
        name, column = match_columns(grid, CardForm(CHAINMAIL, book).fields)
        assert (name.field, column.field) == ("name", "product"), heading
        read = CardForm(CHAINMAIL, book).read({"name": "Orc Trooper", column.field: "9" * 21})
        assert [mistake.field for mistake in read.mistakes] == ["product"], heading


def test_sheets_texts_and_cards_tell_it_behind_the_note_of_armies_too() -> None:
    listed = value_of(document({"unit": TROOPER, "models": 1}, books=[{"id": "known-cards"}]))
    judged = judge_by(listed, LIBRARY.catalogue("chainmail-2002", ["known-cards"]))
    sheet = make_sheet(judged, DAY)
    assert sheet.cards[0].remark == TOLD
    assert TOLD in " ".join(draw_text(sheet).split())
    catalogue = LIBRARY.catalogue("chainmail-2002", ["known-cards"])
    assert [view.remark for view in entry_views([unit()], catalogue)] == [TOLD]
    system = LIBRARY.systems["t9a-2023"]
    data = deepcopy(dict(LIBRARY.shipped_data("t9a-2023", "asklanders")))
    data["units"][0] |= {"product": "88520", "note": "Rides ahead."}
    book, problems = build_book(data, system.apart(), "asklanders.json")
    assert book is not None, problems
    chief = next(iter(book.units))
    about = {"system": "t9a-2023", "limit": 4500, "settings": {}, "books": [{"id": book.id}]}
    listed = value_of(document({"unit": chief, "models": 1}, **about))
    judged = judge_by(listed, make_catalogue(system, [book]))
    sheet = army_sheet(judged, DAY, "full")
    assert sheet.army is not None
    assert sheet.army.units[0].remark.startswith("Rides ahead. ")
    assert sheet.army.units[0].remark.endswith(TOLD)


@pytest.mark.slow
@pytest.mark.django_db
def test_the_page_of_a_list_the_library_and_the_api_tell_it(client: Client) -> None:
    builder = Builder(client, "chainmail-2002", limit=100, books=["known-cards"])
    assert TOLD not in builder.page
    builder.act("add", ref=TROOPER)
    assert TOLD in client.get(f"{builder.url}?open=u1").content.decode()
    page = client.get("/library/chainmail-2002/known-cards/").content.decode()
    assert page.count(TOLD) == 1
    address = "/api/v1/systems/chainmail-2002/books/known-cards/units"
    assert client.get(f"{address}/orc-trooper/").json()["product"] == "88520"
    assert "product" not in client.get(f"{address}/orc-champion/").json()
    description = client.get("/api/v1/schema/", headers={"Accept": "application/json"}).json()
    schema = description["components"]["schemas"]["Unit"]
    assert schema["properties"]["product"]["type"] == "string"
    assert "product" not in schema["required"]


def test_comparisons_of_units_and_of_books_tell_it() -> None:
    catalogue = LIBRARY.catalogue("chainmail-2002", ["known-cards"])
    views = entry_views([unit(), unit("known-cards/orc-champion")], catalogue)
    parts = side_by_side(list(views))
    row = {row.name: row for part in parts for row in part.rows}["Note"]
    (trooper, champion) = row.cells
    assert [word.text for word in trooper] == [TOLD]
    assert not any(TOLD in word.text for word in champion)
    assert row.differs
    listed = value_of(document({"unit": TROOPER, "models": 1}, books=[{"id": "known-cards"}]))
    before, after = (
        judge_by(listed, make_catalogue(CHAINMAIL, [known(product=number)]))
        for number in ("88520", "88521")
    )
    ((_name, changed),) = compare(before, after)["units"]
    assert changed == (Numbers("Note", TOLD, TOLD.replace("88520", "88521")),)
