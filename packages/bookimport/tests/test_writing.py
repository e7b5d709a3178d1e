"""Pretty JSON, and the command that writes books."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from bookimport import pretty
from bookimport.writing import WIDTH
from small_files import (
    catalogue,
    entry,
    limit,
    models,
    price,
    rule_link,
    system,
    unit,
)

pytestmark = pytest.mark.long

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=20), inner),
    max_leaves=20,
)


@given(JSON)
def test_what_is_written_reads_back_the_same(value: Any) -> None:
    assert json.loads(pretty(value)) == value


def test_what_fits_stands_in_one_line() -> None:
    text = pretty({"units": [{"id": "a", "name": "Åsk"}, {"id": "b"}]})
    assert text == '{\n "units": [{"id": "a", "name": "Åsk"}, {"id": "b"}]\n}\n'
    many = pretty({"units": [{"id": f"unit-{number}", "points": number} for number in range(40)]})
    assert many.splitlines()[2] == '  {"id": "unit-0", "points": 0},'
    assert max(map(len, many.splitlines())) <= WIDTH


def test_a_book_that_the_loader_refuses_is_told_and_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = unit("Spears", models(10, 5, 1))
    with pytest.raises(CommandError, match="1 of 1 books were not written"):
        run(files(tmp_path, catalogue(small)), tmp_path / "out")
    told = capsys.readouterr().err
    assert "/units/0/size" in told
    assert "is not written" in told
    assert list((tmp_path / "out").iterdir()) == []


def test_a_game_system_that_is_not_here_is_refused(tmp_path: Path) -> None:
    folder = files(tmp_path, catalogue(unit("Spears")))
    with pytest.raises(CommandError, match="no game system"):
        call_command("import_battlescribe", folder, system="nope", out=tmp_path / "out")


def files(folder: Path, *books: str) -> Path:
    (folder / "game.gst").write_text(system(), encoding="utf-8")
    for number, text in enumerate(books):
        (folder / f"{number}.cat").write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, out: Path) -> None:
    call_command("import_battlescribe", folder, system="t9a-2023", out=out)


def test_the_command_writes_books_and_tells_what_it_did(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spears = unit("Spears", models(20, 50, 12), price(20), rule_link("Fear"),
                  entry("Banner", limit("max", 1), limit("max", 1, "roster")))  # fmt: skip
    run(files(tmp_path, catalogue(spears)), tmp_path / "out")
    text = (tmp_path / "out" / "ore-folk.json").read_text(encoding="utf-8")
    found = json.loads(text)
    assert (found["id"], found["name"], found["system"]) == ("ore-folk", "Öre Folk", "t9a-2023")
    assert found["source"]["title"] == "Öre Folk 2023 Beta 2"
    assert text.endswith("}\n")
    told = capsys.readouterr().out
    assert "Öre Folk (ore-folk): read" in told
    assert "1 units" in told
    assert "spears: No stat line in the source." in told
    assert "Spears › Banner: a cap of one: is it 0-1 or One of a Kind?" in told


def test_a_refused_book_does_not_keep_the_others_from_being_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = catalogue(unit("Spears"), name="Bad Book").replace('type="unit"', 'type="horde"')
    folder = files(tmp_path, bad, catalogue(unit("Spears")))
    with pytest.raises(CommandError, match="1 of 2 books were not written"):
        run(folder, tmp_path / "out")
    assert [file.name for file in (tmp_path / "out").glob("*.json")] == ["ore-folk.json"]
    assert "0.cat: Spears: type=“horde”" in capsys.readouterr().err


def test_two_books_of_the_same_name_are_not_written_over_each_other(tmp_path: Path) -> None:
    folder = files(tmp_path, catalogue(unit("Spears")), catalogue(unit("Bows")))
    with pytest.raises(CommandError, match="1 of 2 books were not written"):
        run(folder, tmp_path / "out")
    written = json.loads((tmp_path / "out" / "ore-folk.json").read_text(encoding="utf-8"))
    assert written["units"][0]["name"] == "Spears"


def test_files_that_cannot_be_read_are_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no game system"):
        run(tmp_path, tmp_path / "out")


def test_importing_twice_gives_the_same_text(tmp_path: Path) -> None:
    folder = files(tmp_path, catalogue(unit("Spears", entry("Horn", limit("max", 1)))))
    run(folder, tmp_path / "one")
    run(folder, tmp_path / "two")
    one, two = (tmp_path / name / "ore-folk.json" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
