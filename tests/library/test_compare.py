"""Units side by side in the library, and what the comparison says of them."""

import pytest
from django.test import Client

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.side_by_side import ComparedPart, ComparedRow, side_by_side

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


@pytest.mark.parametrize("query", ["", "unit=zz", "unit=" + "x" * 3000, "unit=a%00b"])
def test_what_makes_no_sense_is_passed_over(client: Client, query: str) -> None:
    page = client.get(f"/library/chainmail-2002/compare/?{query}")
    assert page.status_code == 200
    assert page.context["columns"] == []


def test_an_unknown_game_has_no_comparison(client: Client) -> None:
    assert client.get("/library/chess/compare/").status_code == 404


@pytest.mark.parametrize("book", ["chainmail-2002/practice", "t9a-2023/highborn-elves"])
def test_a_books_page_offers_each_unit_for_comparison(client: Client, book: str) -> None:
    page = client.get(f"/library/{book}/").content.decode()
    system, _, book_id = book.partition("/")
    for ref in shipped_library().books[system][book_id].units:
        assert f'name="unit" value="{ref}"' in page
    assert f'action="/library/{system}/compare/"' in page


@pytest.mark.parametrize("system", list(shipped_library().systems))
def test_units_of_every_game_can_be_compared(client: Client, system: str) -> None:
    book = max(shipped_library().books[system].values(), key=lambda book: len(book.units))
    page = client.get(f"/library/{system}/compare/", {"unit": list(book.units)[:4]})
    assert len(page.context["columns"]) == 4
    assert any(part.differs for part in page.context["parts"])
