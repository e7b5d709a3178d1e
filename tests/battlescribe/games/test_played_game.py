"""A game made of files alone, put into a folder of catalogues: lists, sheets, texts, rosters."""

import datetime
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from armybuilder.battlescribe.rosters import sites
from armybuilder.battlescribe.rosters.reading import read_roster
from armybuilder.battlescribe.rosters.writing import write_rosz
from armybuilder.engine import validate
from armybuilder.engine.sentences import sentence
from armybuilder.engine.verdict import Outcome
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge_by, make_roster, read_document
from armybuilder.loading.library import CATALOGUE_DIR, Library, load_library, shipped_library
from armybuilder.sheets.content.make import army_sheet
from armybuilder.sheets.printing.printouts import draw_pdf
from armybuilder.sheets.texts.forms import FORMS
from tests.building.battlescribe import SYSTEM_ID, book, crew, files, game, models, price
from tests.building.documents import list_of
from tests.building.random_lists import filled
from tests.building.tiny import take
from tests.conftest import Builder

GAME = "barge-wars"
OTHER = "aaaa-0000-0000-0002"
FILES = os.environ.get("BATTLESCRIBE_FILES")


def run(folder: Path, out: Path, *more: str) -> None:
    call_command("import_game", str(folder), "--id", GAME, "--out", str(out), *more)


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
        catalogue = library.catalogue(GAME, [book_id])
        yield from (filled(catalogue, 400, seed) for seed in range(4))


def test_it_is_a_game_without_a_mistake_and_its_armies_are_legal(library: Library) -> None:
    # The folder is a game without a mistake.
    assert library.problems == ()
    assert sorted(library.books[GAME]) == ["reed-folk", "stone-guild"]
    # Random armies of it are legal and nearly full.
    for document in armies(library):
        catalogue = library.catalogue(GAME, [one.id for one in document.books])
        report = validate(make_roster(document, catalogue), catalogue)
        assert report.outcome in {Outcome.LEGAL, Outcome.UNCHECKED}, list(
            map(sentence, report.findings)
        )
        assert 380 <= report.spent <= 400
    # What breaks its bounds is found and told.
    catalogue = library.catalogue(GAME, ["stone-guild"])
    slings = [take("stone-guild/sling")] * 3
    data = list_of(GAME, ["stone-guild"], slings, limit=400)
    document = read_document(json.dumps(data).encode())
    report = validate(make_roster(document, catalogue), catalogue)
    told = [sentence(one) for one in report.findings]
    assert "Crews: 0 points, spend at least 120 (120 to go)." in told
    assert "Engines: 135 points, 35 over the limit of 100." in told
    assert "Engines: 3 taken, maximum 2." in told
    assert "Crews: 0 taken, minimum 1." in told


def test_its_lists_are_built_on_the_page(
    library: Library, client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = shipped_library()
    monkeypatch.setitem(shipped.systems, GAME, library.systems[GAME])  # type: ignore[arg-type]
    monkeypatch.setitem(shipped.books, GAME, library.books[GAME])  # type: ignore[arg-type]
    builder = Builder(client, GAME, limit=400, books=["reed-folk"])
    for words in ("Barge Wars", "Crews", "Engines", "Pole-bearers"):
        assert words in builder.page
    assert builder.act("fill").status_code == 302
    assert builder.document["units"]
    assert "coins" in builder.page


def test_it_prints_and_goes_to_battlescribe_and_back(library: Library) -> None:
    # It prints and is told as text.
    document = next(armies(library))
    judged = judge_by(document, library.catalogue(GAME, ["reed-folk"]))
    sheet = army_sheet(judged, datetime.date(2026, 1, 1), "full")
    assert draw_pdf(sheet).startswith(b"%PDF")
    assert "Rowers" in FORMS["lines"].draw(sheet)
    assert sheet.army is not None
    rowers = next(unit for unit in sheet.army.units if unit.name == "Rowers")
    assert [column.name for column in sheet.army.columns] == ["Planks", "Top Speed"]
    assert rowers.rows[0].values(sheet.army.columns) == ("4", '12"')
    # A game without Health Points asks nobody to write them down.
    assert rowers.condition == ""
    # Its lists go to battlescribe and back.
    for document in armies(library):
        back = read_roster(write_rosz(document, library), library).document
        assert sorted(one.ref for one in back.units) == sorted(one.ref for one in document.units)
        catalogue = library.catalogue(GAME, [one.id for one in document.books])
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
    assert "mixed.cat: Mixed: more than one kind of model in a unit" in told.err
    assert "Barge Wars (barge-wars): 10 rules." in told.out
    assert "2 books." in told.out
    assert sorted(file.name for file in (tmp_path / "out/barge-wars").glob("*.json")) == [
        "reed-folk.json", "stone-guild.json", "system.json",
    ]  # fmt: skip


def test_the_command_says_which_game_it_does_not_make(tmp_path: Path) -> None:
    # The command says why a game is not made.
    folder = files(tmp_path / "files", game=game().replace("<costType ", "<oddType "))
    with pytest.raises(CommandError, match=r"game.gst: the file itself: <oddType> in <costTypes>"):
        run(folder, tmp_path / "out")
    # The command asks which of two games.
    other = game().replace(SYSTEM_ID, OTHER)
    stray = book("Stray", crew("Cat", price(1))).replace(SYSTEM_ID, OTHER)
    folder = files(tmp_path / "files", other=other, stray=stray)
    with pytest.raises(CommandError, match=r"several games: game.gst, other.gst. Choose one"):
        run(folder, tmp_path / "out")
    run(folder, tmp_path / "out", "--game", "other.gst")
    assert (tmp_path / "out/barge-wars/stray.json").is_file()


#: Books of real games and the size of their armies, by the folder of their files.
REAL = {"t9a-2024": (23, 4500), "essence-of-war": (22, 1500)}


@pytest.mark.slow
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
    assert len(library.books[GAME]) == books
    for book_id in library.books[GAME]:
        catalogue = library.catalogue(GAME, [book_id])
        # A busy machine may leave a filling no time; then it is empty, and another is tried.
        tries = (filled(catalogue, size, seed) for seed in range(1, 6))
        document = next(one for one in tries if one.units)
        report = validate(make_roster(document, catalogue), catalogue)
        assert report.outcome in {Outcome.LEGAL, Outcome.UNCHECKED}, book_id
        assert size * 0.98 <= report.spent <= size


@pytest.mark.slow
@pytest.mark.long
def test_a_game_of_files_alone_has_the_sizes_prices_and_caps_of_the_shipped_books(
    tmp_path: Path,
) -> None:
    """One unit is left out: the file asks of the army what only another unit has."""
    folder = Path(FILES or "-") / "t9a-2023"
    if not folder.is_dir():
        pytest.skip("BATTLESCRIBE_FILES names no folder with t9a-2023 in it")
    run(folder, tmp_path)
    made = _units_of(tmp_path / "barge-wars")
    shipped = _units_of(CATALOGUE_DIR / "t9a-2023")
    assert set(shipped) - set(made) == {("legions-of-sin", "harbinger-of-wrath")}
    for key in set(shipped) & set(made):
        for fact in ("size", "points", "points_per_model", "cap", "categories"):
            assert made[key].get(fact) == shipped[key].get(fact), (key, fact)


def _units_of(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the units of the books in a folder by book, without its year, and id."""
    books = (json.loads(file.read_text(encoding="utf-8")) for file in folder.glob("*.json"))
    return {
        (book["id"].partition("-20")[0], unit["id"]): unit
        for book in books
        for unit in book.get("units", ())
    }
