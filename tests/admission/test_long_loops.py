"""Loops over units, lines, files and pages ask whether to go on: work without time ends at once."""

import datetime
import io
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from armybuilder.authoring.cards import CardForm
from armybuilder.authoring.edits import new_book
from armybuilder.authoring.tables import match_columns, preview, read_grid
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
from tests.building.zips import packed

DAY = datetime.date(2026, 11, 22)


@pytest.fixture(autouse=True)
def _look_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise nobody looks within the first tenth of a second."""
    monkeypatch.setattr(deadline, "_LOOK_EVERY", 0.0)


LIBRARY = shipped_library()
SYSTEMS = {"sbh": skirmish("sbh"), "t9a-2023": army()}


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
def test_computing_and_drawing_a_sheet_can_be_stopped(system: str, kind: str) -> None:
    setup = Setup(kinds=(kind,))
    made = Material(value_of(SYSTEMS[system]), LIBRARY, DAY)
    print_list(made, setup)
    assert stops(lambda: print_list(Material(value_of(SYSTEMS[system]), LIBRARY, DAY), setup))
    if kind != "quick":
        assert made.sheet, made.open_sheet
        assert made.faces
        assert stops(lambda: print_list(made, setup))


@pytest.mark.parametrize("system", SYSTEMS)
def test_drawing_texts_and_judges_sheets_can_be_stopped(system: str) -> None:
    made = Material(value_of(SYSTEMS[system]), LIBRARY, DAY)
    for form in forms_of(False):
        assert ends(partial(FORMS[form].draw, made.open_sheet)), form
    assert ends(lambda: judging(made.catalogue, made.report))


def test_reading_writing_and_comparing_can_be_stopped() -> None:
    ddm, sbh = LIBRARY.system("ddm-2008"), LIBRARY.system("sbh")
    cards = LIBRARY.books["ddm-2008"]["practice"]
    faces = faces_of_book(cards, ddm)
    warband, regiments = value_of(SYSTEMS["sbh"]), value_of(army())
    table, roster = write_csv(warband, LIBRARY), write_ros(regiments, LIBRARY)
    book = new_book(sbh, "own-0123456789ab", "Mine")
    grid = read_grid("name,quality,combat\nA,3,3\nB,4,2\n")
    columns = match_columns(grid, CardForm(sbh, book).fields)
    zipped = packed({"list.json": json.dumps(SYSTEMS["sbh"]).encode()})
    upload = SimpleUploadedFile("lists.zip", zipped)
    before = judge(warband, LIBRARY)
    after = judge(value_of({**SYSTEMS["sbh"], "limit": 300}), LIBRARY)
    works: dict[str, Callable[[], Any]] = {
        "faces of a book": lambda: faces_of_book(cards, ddm),
        "cards of a book": lambda: draw_cards(faces),
        "many documents": lambda: judge_documents([SYSTEMS["sbh"]], LIBRARY),
        "a table written": lambda: write_csv(warband, LIBRARY),
        "a table read": lambda: read_csv(table.encode()),
        "a table of cards": lambda: preview(grid, columns, sbh, book),
        "a zip": lambda: list(zip_entries(io.BytesIO(zipped), {".json": 10**6}, 10**6)),
        "files": lambda: read_files([upload], LIBRARY),
        "a roster written": lambda: write_ros(regiments, LIBRARY),
        "a roster read": lambda: read_roster(roster, LIBRARY),
        "a difference": lambda: difference(before, after),
        "editions": lambda: compare(before, after),
    }
    for text in ("2 Human Warriors\nand more\n", "Warband\n\n* a\n* b\n", "?"):
        works[text] = partial(read_text, text, LIBRARY, "sbh", ["profiles"])
    for name, work in works.items():
        assert ends(work), name


@pytest.mark.parametrize("system", SYSTEMS)
def test_drawing_the_builder_can_be_stopped(system: str) -> None:
    def page() -> BuilderPage:
        document = value_of({**SYSTEMS[system], "limit": 10})
        return BuilderPage(Version(document=document), LIBRARY)

    assert ends(lambda: page().headings)
    assert ends(lambda: page().tellings)
    made = page()
    assert ends(lambda: make_shelf(made.roster, made.catalogue, ShelfQuery()))
