"""The command that tells what became of every restriction: its lines, its JSON, its exit codes."""

import json
import shutil
from pathlib import Path

import pytest
from django.core.management import call_command

from armybuilder.loading.library import CATALOGUE_DIR
from small_files import catalogue, entry, limit, system, unit

pytestmark = pytest.mark.long

GAME = "t9a-2023"
SPEARS = unit("Spears", entry("Horn", limit("max", 1)))


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    try:
        call_command("audit_catalogues", *map(str, args))
        code = 0
    except SystemExit as stop:
        code = int(str(stop.code))
    told = capsys.readouterr()
    return code, told.out, told.err


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """BattleScribe files of our own."""
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "game.gst").write_text(system(), encoding="utf-8")
    (folder / "ore.cat").write_text(catalogue(SPEARS), encoding="utf-8")
    return folder


@pytest.fixture
def books(tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder of catalogues with the book that is made of them."""
    folder = tmp_path / "books"
    (folder / GAME).mkdir(parents=True)
    shutil.copy(CATALOGUE_DIR / GAME / "system.json", folder / GAME)
    call_command("import_battlescribe", source, system=GAME, out=folder / GAME)
    capsys.readouterr()
    return folder


@pytest.mark.slow
def test_all_shipped_books_are_told_in_a_line_each_and_in_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, err = run(capsys)
    lines = out.splitlines()
    ledgers = len(list(CATALOGUE_DIR.glob("*/audit/*.json")))
    assert (code, err) == (0, "")
    assert len(lines) == ledgers + 1
    assert all(line.endswith(", 0 unaccounted") for line in lines[:-1])
    assert lines[-1].startswith(f"{ledgers} ledgers: ")
    assert lines[-1].endswith("; no problems.")


@pytest.mark.slow
def test_one_book_is_told_with_what_is_unchecked_and_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = run(capsys, "--book", "highborn-elves", "--lists")
    assert code == 0
    assert "t9a-2023/highborn-elves: " in out
    assert "  left out: Mage › Armour › Heavy Armour: " in out
    assert "  idle: " in out
    assert "sylvan-elves" not in out
    assert "4 ledgers: " in out
    assert "  unchecked: " in run(capsys, "--book", "dwarven-holds", "--lists")[1]
    code, out, _ = run(capsys, "--json")
    told = json.loads(out)
    assert (code, told["problems"]) == (0, [])
    for fate, total in told["total"].items():
        assert sum(book["tally"][fate] for book in told["books"]) == total
    elves = next(
        book for book in told["books"] if (book["system"], book["book"]) == (GAME, "highborn-elves")
    )
    assert {entry["place"].split(" › ")[0] for entry in elves["left_out"]} == {"Mage"}


def test_a_problem_exits_1_with_file_pointer_and_advice(
    books: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (books / GAME / "audit" / "ore-folk.json").unlink()
    code, out, _ = run(capsys, books)
    assert code == 1
    assert "t9a-2023/audit/ore-folk.json: The book is imported" in out
    assert "1 problem." in out
    code, out, _ = run(capsys, books, "--json", "--book", "ore-folk")
    (problem,) = json.loads(out)["problems"]
    assert (code, problem["file"]) == (1, "t9a-2023/audit/ore-folk.json")
    assert problem["advice"]


def test_what_is_not_there_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, tmp_path / "nowhere")[0] == 2
    code, _, err = run(capsys, "--book", "atlantis")
    assert (code, err) == (2, "There is no book atlantis.\n")
    code, _, err = run(capsys, "--source", tmp_path)
    assert (code, err) == (2, "There is no game system (.gst or .gstz) among the files.\n")
    assert run(capsys, tmp_path)[0] == 1


def test_a_book_whose_file_gives_another_one_now_is_stale_and_exits_1(
    books: Path, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, books, "--source", source)
    assert code == 0
    assert "1 ledger: " in out
    before = (source / "ore.cat").read_text("utf-8")
    more = unit("Spears", entry("Drum", limit("max", 2)), entry("Horn", limit("max", 1)))
    (source / "ore.cat").write_text(catalogue(more), encoding="utf-8")
    code, out, _ = run(capsys, books, "--source", source)
    assert code == 1
    assert "t9a-2023/ore-folk.json: ore.cat gives another book now." in out
    assert "t9a-2023/audit/ore-folk.json: ore.cat gives another ledger now." in out
    (source / "ore.cat").write_text(before, encoding="utf-8")
    file = books / GAME / "ore-folk.json"
    file.write_text(file.read_text("utf-8").replace('"Horn"', '"Drum"'), "utf-8")
    code, out, _ = run(capsys, books, "--source", source)
    assert code == 1
    assert "another book now" in out
    assert "another ledger now" not in out, "its ledger is right"
    (source / "new.cat").write_text(catalogue(SPEARS, name="New Folk"), encoding="utf-8")
    code, out, _ = run(capsys, books, "--source", source)
    assert code == 1
    assert "new.cat: No ledger is of a book that was made of it." in out
