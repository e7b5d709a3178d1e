"""Loops over units, lines, files and pages ask whether to go on: work without time ends at once."""

import datetime
import io
import json
import zipfile
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from armybuilder.authoring.cards import CardForm
from armybuilder.authoring.edits import new_book
from armybuilder.authoring.grids import read_grid
from armybuilder.authoring.tables import match_columns, preview
from armybuilder.battlescribe.rosters import read_roster, write_ros
from armybuilder.comparing.difference import difference
from armybuilder.comparing.editions import compare
from armybuilder.exchange.batch import judge_documents
from armybuilder.exchange.csvs import read_csv, write_csv
from armybuilder.exchange.files import read_files
from armybuilder.exchange.pasting.reading import read_text
from armybuilder.lists.models import Version
from armybuilder.loading import deadline
from armybuilder.loading.archives import zip_entries
from armybuilder.loading.deadline import OutOfTime, within
from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.shelf import ShelfQuery, make_shelf
from armybuilder.sheets.cards.cards_pdf import draw_cards
from armybuilder.sheets.content.cards import faces_of_book
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.make_judge import judging
from armybuilder.sheets.content.setup import KINDS, Setup
from armybuilder.sheets.printing.printouts import print_list
from armybuilder.sheets.texts.forms import FORMS, forms_of
from tests.building.documents import army, skirmish, value_of

DAY = datetime.date(2026, 11, 22)


@pytest.fixture(autouse=True)
def _look_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise nobody looks within the first tenth of a second."""
    monkeypatch.setattr(deadline, "_LOOK_EVERY", 0.0)


LIBRARY = shipped_library()
SYSTEMS = {"sbh": skirmish("sbh"), "t9a-2023": army()}


def zipped() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("list.json", json.dumps(SYSTEMS["sbh"]))
    return content.getvalue()


def ends(work: Callable[[], Any]) -> bool:
    """Whether work that does without limits ends where there is no time for it."""
    work()
    return stops(work)


def stops(work: Callable[[], Any]) -> bool:
    """Whether work ends where there is no time for it."""
    try:
        with within(0):
            work()
    except OutOfTime:
        return True
    return False


@pytest.mark.one_in(3)
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "blank"])
def test_a_sheet_while_it_is_worked_out_and_laid_out(system: str, kind: str) -> None:
    setup = Setup(kinds=(kind,))
    made = Material(value_of(SYSTEMS[system]), LIBRARY, DAY)
    print_list(made, setup)
    assert stops(lambda: print_list(Material(value_of(SYSTEMS[system]), LIBRARY, DAY), setup))
    if kind != "quick":
        assert made.sheet, made.open_sheet
        assert made.faces
        assert stops(lambda: print_list(made, setup))


@pytest.mark.parametrize("system", SYSTEMS)
def test_texts_and_what_a_judge_checks(system: str) -> None:
    made = Material(value_of(SYSTEMS[system]), LIBRARY, DAY)
    for form in forms_of(False):
        assert ends(partial(FORMS[form].draw, made.open_sheet)), form
    assert ends(lambda: judging(made.catalogue, made.report))


def test_cards_of_a_book() -> None:
    system = LIBRARY.system("ddm-2008")
    book = LIBRARY.books[system.id]["practice"]
    assert ends(lambda: faces_of_book(book, system))
    faces = faces_of_book(book, system)
    assert ends(lambda: draw_cards(faces))


def test_many_documents() -> None:
    assert ends(lambda: judge_documents([SYSTEMS["sbh"]], LIBRARY))


@pytest.mark.parametrize("text", ["2 Human Warriors\nand more\n", "Warband\n\n* a\n* b\n", "?"])
def test_a_pasted_text(text: str) -> None:
    assert ends(lambda: read_text(text, LIBRARY, "sbh", ["profiles"]))


def test_a_table_read_and_written() -> None:
    document = value_of(SYSTEMS["sbh"])
    table = write_csv(document, LIBRARY)
    assert ends(lambda: write_csv(document, LIBRARY))
    assert ends(lambda: read_csv(table.encode()))


def test_a_table_of_cards() -> None:
    system = LIBRARY.system("sbh")
    book = new_book(system, "own-0123456789ab", "Mine")
    grid = read_grid("name,quality,combat\nA,3,3\nB,4,2\n")
    columns = match_columns(grid, CardForm(system, book).fields)
    assert ends(lambda: preview(grid, columns, system, book))


def test_files_and_zips() -> None:
    content = zipped()
    assert ends(lambda: list(zip_entries(io.BytesIO(content), {".json": 10**6}, 10**6)))
    assert ends(lambda: read_files([SimpleUploadedFile("lists.zip", content)], LIBRARY))


def test_a_roster_read_and_written() -> None:
    document = value_of(army())
    written = write_ros(document, LIBRARY)
    assert ends(lambda: write_ros(document, LIBRARY))
    assert ends(lambda: read_roster(written, LIBRARY))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_page_of_a_list(system: str) -> None:
    def page() -> BuilderPage:
        document = value_of({**SYSTEMS[system], "limit": 10})
        return BuilderPage(Version(document=document), LIBRARY)

    assert ends(lambda: page().headings)
    assert ends(lambda: page().tellings)
    made = page()
    wanted = ShelfQuery()
    assert ends(lambda: make_shelf(made.roster, made.catalogue, wanted))


def test_comparisons() -> None:
    before = judge(value_of(SYSTEMS["sbh"]), LIBRARY)
    after = judge(value_of({**SYSTEMS["sbh"], "limit": 300}), LIBRARY)
    assert ends(lambda: difference(before, after))
    assert ends(lambda: compare(before, after))
