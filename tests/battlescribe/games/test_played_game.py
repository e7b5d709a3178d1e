"""A game made of files alone, put into a folder of catalogues: lists, sheets, texts, rosters."""

import datetime
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from armybuilder.battlescribe.rosters import sites
from armybuilder.battlescribe.rosters.reading import read_roster
from armybuilder.battlescribe.rosters.writing import write_rosz
from armybuilder.engine import validate
from armybuilder.engine.sentences import sentence
from armybuilder.engine.verdict import Outcome
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster, read_document
from armybuilder.loading.library import Library, load_library
from armybuilder.sheets.content.make import make_sheet
from armybuilder.sheets.printing.chapters import draw_pdf
from armybuilder.sheets.texts.forms import draw_lines
from tests.building.barge_wars import book, crew, files, game
from tests.building.battlescribe import SYSTEM_ID, models, price
from tests.building.documents import list_of
from tests.building.random_lists import filled
from tests.building.tiny import take

OTHER = "aaaa-0000-0000-0002"
FILES = os.environ.get("BATTLESCRIBE_FILES")


def run(folder: Path, out: Path, *more: str) -> None:
    call_command("import_game", str(folder), "--id", "barge-wars", "--out", str(out), *more)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    """The game as the command writes it, as the only one there is."""
    run(files(tmp_path / "files"), tmp_path / "catalogs")
    caches = (sites._files, sites.origin_of, sites.books_by_catalogue)
    monkeypatch.setattr(sites, "CATALOGUE_DIR", tmp_path / "catalogs")
    for one in caches:
        one.cache_clear()
    yield load_library(tmp_path / "catalogs")
    for one in caches:
        one.cache_clear()


def armies(library: Library) -> Iterator[ArmyList]:
    for book_id in ("reed-folk", "stone-guild"):
        catalogue = library.catalogue("barge-wars", [book_id])
        yield from (filled(catalogue, 400, seed) for seed in range(4))


def test_the_folder_is_a_game_without_a_mistake(library: Library) -> None:
    assert library.problems == ()
    assert sorted(library.books["barge-wars"]) == ["reed-folk", "stone-guild"]


def test_random_armies_of_it_are_legal_and_nearly_full(library: Library) -> None:
    for document in armies(library):
        catalogue = library.catalogue("barge-wars", [one.id for one in document.books])
        report = validate(make_roster(document, catalogue), catalogue)
        assert report.outcome in {Outcome.LEGAL, Outcome.UNCHECKED}, list(
            map(sentence, report.findings)
        )
        assert 380 <= report.spent <= 400


def test_what_breaks_its_bounds_is_found_and_told(library: Library) -> None:
    catalogue = library.catalogue("barge-wars", ["stone-guild"])
    slings = [take("stone-guild/sling")] * 3
    data = list_of("barge-wars", ["stone-guild"], slings, limit=400)
    document = read_document(json.dumps(data).encode())
    report = validate(make_roster(document, catalogue), catalogue)
    told = [sentence(one) for one in report.findings]
    assert "Crews: 0 points, spend at least 120 (120 to go)." in told
    assert "Engines: 135 points, 35 over the limit of 100." in told
    assert "Engines: 3 taken, maximum 2." in told
    assert "Crews: 0 taken, minimum 1." in told


def test_it_prints_and_is_told_as_text(library: Library) -> None:
    document = next(armies(library))
    catalogue = library.catalogue("barge-wars", ["reed-folk"])
    roster = make_roster(document, catalogue)
    report = validate(roster, catalogue)
    sheet = make_sheet(document, catalogue, roster, report, datetime.date(2026, 1, 1))
    assert draw_pdf(sheet).startswith(b"%PDF")
    assert "Rowers" in draw_lines(sheet)


def test_its_lists_go_to_battlescribe_and_back(library: Library) -> None:
    for document in armies(library):
        back = read_roster(write_rosz(document, library), library).document
        assert sorted(one.ref for one in back.units) == sorted(one.ref for one in document.units)
        catalogue = library.catalogue("barge-wars", [one.id for one in document.books])
        spent = [validate(make_roster(one, catalogue), catalogue).spent for one in (document, back)]
        assert spent[0] == spent[1]


def test_the_command_tells_what_became_no_book(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mixed = crew("Mixed", models(1, 2, 3), models(1, 2, 3))
    folder = files(tmp_path / "files", mixed=book("Mixed Folk", mixed, id_="x"))
    with pytest.raises(CommandError, match="1 of 3 catalogues became no book"):
        run(folder, tmp_path / "out")
    told = capsys.readouterr()
    assert "mixed.cat: Mixed: more than one kind of model in a unit (step 3 of" in told.err
    assert "Barge Wars (barge-wars): 10 rules." in told.out
    assert "2 books." in told.out
    assert sorted(file.name for file in (tmp_path / "out/barge-wars").glob("*.json")) == [
        "reed-folk.json", "stone-guild.json", "system.json",
    ]  # fmt: skip


def test_the_command_asks_which_of_two_games(tmp_path: Path) -> None:
    other = game().replace(SYSTEM_ID, OTHER)
    stray = book("Stray", crew("Cat", price(1))).replace(SYSTEM_ID, OTHER)
    folder = files(tmp_path / "files", other=other, stray=stray)
    with pytest.raises(CommandError, match=r"several games: game.gst, other.gst. Choose one"):
        run(folder, tmp_path / "out")
    run(folder, tmp_path / "out", "--game", "other.gst")
    assert (tmp_path / "out/barge-wars/stray.json").is_file()


def test_the_command_says_why_a_game_is_not_made(tmp_path: Path) -> None:
    folder = files(tmp_path / "files", game=game().replace("<costType ", "<oddType "))
    with pytest.raises(CommandError, match=r"game.gst: the file itself: <oddType> in <costTypes>"):
        run(folder, tmp_path / "out")


#: Books of real games and the size of their armies, by the folder of their files.
REAL = {"t9a-2024": (23, 4500), "essence-of-war": (22, 1500)}


@pytest.mark.long
@pytest.mark.parametrize("name", REAL)
def test_real_games_are_made_of_nothing_but_their_files(name: str, tmp_path: Path) -> None:
    books, size = REAL[name]
    folder = Path(FILES or "-") / name
    if not folder.is_dir():
        pytest.skip(f"BATTLESCRIBE_FILES names no folder with {name} in it")
    run(folder, tmp_path)
    library = load_library(tmp_path)
    assert library.problems == ()
    assert len(library.books["barge-wars"]) == books
    for book_id in library.books["barge-wars"]:
        catalogue = library.catalogue("barge-wars", [book_id])
        report = validate(make_roster(filled(catalogue, size, 1), catalogue), catalogue)
        assert report.outcome in {Outcome.LEGAL, Outcome.UNCHECKED}, book_id
        assert size * 0.98 <= report.spent <= size
