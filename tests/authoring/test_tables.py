"""Tables of cards: their letters and separators, their headings, and what each row becomes."""

from typing import Any

import pytest

from armybuilder.authoring.cards import CardForm, ReadCard
from armybuilder.authoring.edits import new_book, put_card, put_cards
from armybuilder.authoring.tables import Preview, TableColumn, match_columns, preview, read_grid
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

LIBRARY = shipped_library()
OWN = "own-0123456789abcdef"
CHAINMAIL = LIBRARY.systems["chainmail-2002"]
DDM = LIBRARY.systems["ddm-2008"]
T9A = LIBRARY.systems["t9a-2023"]
BOOK = new_book(CHAINMAIL, OWN, "Mine")


def refused(raw: bytes | str) -> str:
    with pytest.raises(Refusal) as caught:
        read_grid(raw)
    return caught.value.sentence


def shown(
    text: bytes | str, system: Any = CHAINMAIL, book: Any = None, replace: bool = False
) -> Preview:
    book = book or new_book(system, OWN, "Mine")
    grid = read_grid(text)
    columns = match_columns(grid, CardForm(system, book).fields)
    return preview(grid, columns, system, book, replace)


def test_the_separator_is_found_and_letters_are_read_in_any_encoding() -> None:
    for mark, name in (("\t", "tabs"), (",", "commas"), (";", "semicolons"), ("|", "bars")):
        grid = read_grid(f"Name{mark}Points\nAnn{mark}3\r\nBob{mark}4\r")
        assert grid.rows == (("Name", "Points"), ("Ann", "3"), ("Bob", "4")), mark
        assert (grid.delimiter, grid.notes) == (mark, (f"Read as text, separated by {name}.",)), (
            mark
        )
    lists = "Name;Points;Abilities\nAnn;7,5;Rage, Howl, Bite\nBob;4;Rage, Bite\nCy;1;Howl"
    assert read_grid(lists).delimiter == ";"
    assert read_grid(lists.replace(";", "\t").replace(",", ";")).delimiter == "\t"
    grid = read_grid("sep=;\nName;Points\nAnn, the Old;3")
    assert grid.rows == (("Name", "Points"), ("Ann, the Old", "3"))
    assert grid.first == 2
    for encoding, note in (
        ("utf-8", "Read as UTF-8 text, separated by commas."),
        ("utf-8-sig", "Read as UTF-8 text, separated by commas."),
        ("utf-16", "Read as UTF-16 text, separated by commas."),
        ("cp1252", "Read as Windows-1252 text, separated by commas."),
    ):
        grid = read_grid("Name,Note\nGrüße,“déjà vu”".encode(encoding))
        assert grid.rows[1] == ("Grüße", "“déjà vu”"), encoding
        assert grid.notes == (note,), encoding


def test_quoted_cells_hold_anything_empty_ends_go_and_a_thousand_rows_or_names_are_read() -> None:
    grid = read_grid('Name,Note\nAnn,"one, two\n""three"""\nBob,6" tall')
    assert grid.rows[1:] == (("Ann", 'one, two\n"three"'), ("Bob", '6" tall'))
    grid = read_grid("Name,Points,,\nAnn,3,,\n,,,\nBob,,,\n,,,\n\n")
    assert grid.rows == (("Name", "Points"), ("Ann", "3"), (), ("Bob", ""))
    rows = "".join(f"Unit {number}\t{number}\n" for number in range(1000))
    page = shown("Name\tPoints\n" + rows)
    assert (len(page.rows), page.wrong, page.ready) == (1000, 0, True)
    assert len(put_cards(BOOK, CHAINMAIL, [row.read for row in page.rows])["units"]) == 1000
    assert [row.read.unit["name"] for row in shown("Name\nAnn\nBob").rows] == ["Ann", "Bob"]


def test_a_file_that_is_not_a_table_is_refused_with_a_sentence() -> None:
    for raw, sentence in (
        (b"", "The table is empty."),
        (" \n\t\n", "The table is empty."),
        (b"PK\x03\x04more", "That is an Excel or OpenDocument file; save the table as CSV"),
        (b"%PDF-1.7", "That is a PDF; save the table as CSV, or copy its cells."),
        (b"a\0b,c\n1,2", "That is not text; save the table as CSV, or copy and paste its cells."),
        (
            bytes(range(1, 32)) * 9,
            "That is not text; save the table as CSV, or copy and paste its cells.",
        ),
        (b"\x81\x8d,\n", "That is not text; save the table as CSV, or copy and paste its cells."),
        (
            "Once upon a time\nthere was an orc.",
            "No table was found: separate the columns with tabs, commas or",
        ),
        ("Name,Points", "The table has only one row: put the headings first, then a row for each"),
        ("Name,Points\n" + "Ann,3\n" * 5000, "The table has 5,000 rows; maximum 1,000"),
        ("x," * 61 + "x\n" + "y," * 61 + "y", "The table has 62 columns; maximum 60."),
        ("x" * (1024 * 1024 + 1), "The table has 1,025 KB; maximum 1,024 KB."),
        ("Name,Note\nAnn,x" + "x" * 140_000, "A cell of the table is too long."),
        (
            'Name,Note\nAnn,"never\nBob,1\nCy,2\nDi,3\nEd,4',
            "In row 2 a quotation mark is never closed: “never Bob,1",
        ),
    ):
        assert refused(raw).startswith(sentence), raw


def test_headings_are_known_by_name_and_other_words_a_games_own_first() -> None:
    heads = "Unit,COST,Factions,Lvl,melee atk,Dmg,Special rules,Qty,stat-save,Colour,Hit Points"
    grid = read_grid(f"{heads}\n{',' * 10}x\n{',' * 10}y")
    assert [column.field for column in match_columns(grid, CardForm(CHAINMAIL, BOOK).fields)] == [
        *("name", "points", "attr-faction", "stat-level", "stat-melee_attack"),
        *("stat-melee_damage", "abilities", "owned", "stat-save", "", "stat-health"),
    ]
    grid = read_grid("Name,AC,DEF,HP,Size,Set,Number\n,,,,,,1\n,,,,,,2")
    book = new_book(DDM, OWN, "Mine")
    assert [column.field for column in match_columns(grid, CardForm(DDM, book).fields)] == [
        *("name", "stat-ac", "stat-def", "stat-hp", "attr-size", "set", "number")
    ]


def test_mistakes_in_a_row_are_named_with_its_number_and_cell() -> None:
    page = shown("Name\tPoints\tAbilities\nAnn\t7,5\tRage\nBob\t3\tComander 4\nCy\t4\t")
    assert (page.wrong, page.ready) == (2, False)
    first, second, third = page.rows
    assert first.cells == (
        ("Ann", ""),
        ("7,5", "Points: “7,5” is not a whole number. Write 7 or 8."),
        ("Rage", ""),
    )
    assert "Did you mean Commander?" in second.cells[2][1]
    assert not third.is_wrong
    assert third.read.unit == {"name": "Cy", "points": 4}
    page = shown("My warband,,\n\nName,Points,Lvl\nAnn,3,1\n\nBob,4,2\n")
    assert [row.number for row in page.rows] == [4, 6]
    assert "Row 1, “My warband”, was taken as a title." in page.notes
    page = shown("Name,Points\nAnn,3\nBob,4,or 5\nCy,1")
    assert [row.number for row in page.rows if row.is_wrong] == [3]
    assert page.rows[1].mistakes == (
        "Row 3 has 3 cells, the headings are 2: put cells that contain a separator in quotation "
        "marks.",
    )
    page = shown("Name,Points\n,3\nBob,4")
    assert page.rows[0].cells[0] == ("", "Name: This cannot be empty.")
    nameless = shown("Cost,Lvl\n3,1\n4,2")
    assert "No column holds the name; choose one, or write “Name” above it." in nameless.notes
    assert not nameless.ready


def test_mistakes_in_columns_are_named() -> None:
    page = shown("Name,Points,Cost\nAnn,3,4\nBob,3,4")
    assert "Points is filled by 2 columns, “Points”, “Cost”; keep one." in page.notes
    assert (page.wrong, page.ready) == (0, False)
    grid = read_grid("Who,Points,Cost\nAnn,3,4\nBob,3,4")
    columns = (TableColumn("Who", "name"), TableColumn("Points", ""), TableColumn("Cost", "points"))
    page = preview(grid, columns, CHAINMAIL, BOOK)
    assert page.ready
    assert page.rows[0].read.unit == {"name": "Ann", "points": 4}
    assert "Left out: Points." in page.notes
    grid = read_grid("Name,Points\nAnn,3\nBob,3")
    page = preview(
        grid, (TableColumn("Name", "name"), TableColumn("Points", "price")), CHAINMAIL, BOOK
    )
    assert "There is no field “price” on these cards." in page.notes
    assert not page.ready
    page = shown("Card,,Stats,\nName,Points,Level,Speed\nAnn,3,1,6\nBob,4,2,6")
    assert any(note.startswith("The headings are in two rows, 1 and 2") for note in page.notes)
    assert not page.ready
    page = shown("Name,,Points,\nAnn,x,3,y\nBob,x,4,y")
    assert "There is no heading above column B, D; write one to import it." in page.notes
    assert page.ready


def test_rows_with_one_name_are_named_or_replace_the_units_of_the_book() -> None:
    page = shown("Name,Points\nAnn,3\nBob,4\nANN,5")
    assert page.rows[2].cells[0][1] == ("Name: row 2 is called “ANN” too; rename one.")
    assert page.wrong == 1
    values = {"name": "Ann", "points": "1", "note": "Old"}
    book, _ = put_card(BOOK, CHAINMAIL, read(values))
    page = shown("Name,Points\nann,3\nBob,4", book=book)
    assert page.rows[0].cells[0][1].startswith("Name: your book already has “ann”; replace")
    page = shown("Name,Points\nann,3\nBob,4", book=book, replace=True)
    assert page.ready
    assert "1 row changes a unit that your book already has." in page.notes
    changed = put_cards(book, CHAINMAIL, [row.read for row in page.rows], replace=True)
    assert changed["units"] == [
        {"id": "ann", "name": "ann", "points": 3, "note": "Old"},
        {"id": "bob", "name": "Bob", "points": 4},
    ]
    page = shown("Name\tAbilities\nAnn\tRage, Cleave\nBob\tRage +1, Howl")
    assert "New abilities of your book: Rage, Howl." in page.notes
    book = put_cards(BOOK, CHAINMAIL, [row.read for row in page.rows])
    assert [ability["id"] for ability in book["abilities"]] == ["rage", "howl"]
    rows = "".join(f"Unit {number}\t1\n" for number in range(600))
    page = shown("Name\tPoints\n" + rows)
    book = put_cards(BOOK, CHAINMAIL, [row.read for row in page.rows])
    more = shown("Name\tPoints\n" + rows.replace("Unit", "Other"), book=book)
    assert "Your book would have 1,200 units; maximum 1,000." in more.notes
    assert (more.wrong, more.ready) == (0, False)
    heads = "Name;Category;Points;Per model;Size;0-X;Options"
    cells = 'Fishers;Core;130;8;15-40;0-4;"Champion, 20\nBows, 2 a model"'
    page = shown(f"{heads}\n{cells}\nReeve;characters;150;;1;;", T9A)
    assert page.ready, page
    assert page.rows[0].read.unit["options"][1] == {
        "id": "bows",
        "name": "Bows",
        "points_per_model": 2,
    }


def read(values: dict[str, str]) -> ReadCard:
    return CardForm(CHAINMAIL, BOOK).read(values)
