"""`manage.py repair_list`."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from armybuilder.loading.documents import judge, read_document
from armybuilder.loading.library import shipped_library
from armybuilder.solving import cpsat
from tests.building.documents import list_of

UNITS = {"profiles/human-warrior": 8, "profiles/giant-spider": 1}
ENTRIES = [{"unit": ref, "models": models} for ref, models in UNITS.items()]
OVER = list_of("sbh", ["profiles"], ENTRIES, limit=300)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path, OVER)


def write(folder: Path, document: Any) -> Path:
    place = folder / "list.json"
    place.write_text(document if isinstance(document, str) else json.dumps(document))
    return place


def test_suggested_fixes_are_printed_and_written(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # No way is code 1.
    out = tmp_path / "out.json"
    with pytest.raises(SystemExit) as ended:
        call_command("repair_list", str(file), "--keep", "u1", "u2", "-o", str(out))
    assert ended.value.code == 1
    assert "No change to units" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        call_command("repair_list", str(file), "--seconds", "0")
    assert "No fix found in time. Try again." in capsys.readouterr().out
    assert not out.exists()
    # Ways are told and the first is written.
    out = tmp_path / "out.json"
    call_command("repair_list", str(file), "-o", str(out))
    said = capsys.readouterr().out
    assert "322 of 300 points" in said
    assert "1. 292 points\n   Human Warrior: 1 fewer" in said
    assert "2. 240 points\n   Removed: Giant Spider" in said
    made = judge(read_document(out.read_bytes()), shipped_library())
    assert made.report.legal
    assert made.report.spent == 292
    # What is kept stays.
    call_command("repair_list", str(file), "--json", "--number", "1", "--keep", "u1")
    told = json.loads(capsys.readouterr().out)
    (way,) = told["repairs"]
    assert (told["legal"], way["spent"], way["proved"]) == (False, 240, True)
    assert way["document"]["units"] == OVER["units"][:1]


def test_a_legal_list_is_written_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = {**OVER, "limit": 400}
    out = tmp_path / "out.json"
    call_command("repair_list", str(write(tmp_path, document)), "-o", str(out))
    assert "322 of 400 points" in capsys.readouterr().out
    assert json.loads(out.read_text()) == document


def test_impossible_repairs_and_a_missing_solver_exit_with_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> Any:
        raise cpsat.NoSolver

    for content, asked, said in (
        ("{", [], "not JSON"),
        ({**OVER, "system": "chess"}, [], "no game system"),
        (OVER, ["--keep", "u7"], "u7"),
        (OVER, ["-o", "/"], "directory"),
        (None, [], "No such file"),
        (OVER, [], "No solver"),
    ):
        file = tmp_path / "none.json" if content is None else write(tmp_path, content)
        if said == "No solver":
            monkeypatch.setattr(cpsat, "_helper", missing)
        with pytest.raises(CommandError, match=said) as refused:
            call_command("repair_list", str(file), *asked)
        assert refused.value.returncode == 2, said
