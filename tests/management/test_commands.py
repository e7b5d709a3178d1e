"""The command line: validate_list and check_catalogues, with their exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.building.documents import list_of

TEN = {"unit": "profiles/human-warrior", "models": 10}
LEGAL = list_of("sbh", ["profiles"], [TEN], limit=300, name="Ten men")


def write(folder: Path, name: str, document: Any) -> str:
    file = folder / name
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    return str(file)


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    try:
        call_command(*args)
        code = 0
    except SystemExit as stop:
        code = int(str(stop.code))
    out = capsys.readouterr()
    return code, out.out, out.err


def test_a_legal_list_exits_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "validate_list", write(tmp_path, "a.json", LEGAL))
    assert code == 0
    assert "legal, 300 of 300 points" in out


def test_an_illegal_list_exits_1_and_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "a.json", {**LEGAL, "limit": 299})
    code, out, _ = run(capsys, "validate_list", file)
    assert code == 1
    assert "error, broken: The list costs 300 points: 1 over the limit of 299. [points.over;" in out


def test_an_unreadable_list_exits_2_and_the_others_are_still_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [
        write(tmp_path, "bad.json", "{"),
        write(tmp_path, "system.json", {**LEGAL, "system": "no-such"}),
        str(tmp_path / "missing.json"),
        write(tmp_path, "wrong.json", {**LEGAL, "limit": "many"}),
        write(tmp_path, "good.json", LEGAL),
    ]
    code, out, err = run(capsys, "validate_list", *files)
    assert code == 2
    assert "good.json: Ten men: legal" in out
    assert "not JSON" in err
    assert "no game system “no-such”" in err
    assert "No such file" in err
    assert "#/limit" in err


def test_json_holds_the_five_answers_of_each_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "a.json", {**LEGAL, "limit": 299})
    code, out, _ = run(capsys, "validate_list", "--json", file)
    assert code == 1
    (report,) = json.loads(out)
    (finding,) = report["findings"]
    assert report["spent"] == 300
    assert finding["code"] == "points.over"
    assert finding["severity"] == "error"
    assert finding["units"] == ["u1"]
    assert finding["rule"] == "/rules/0"
    assert finding["citation"]
    assert (finding["measured"], finding["allowed"]) == (300, 299)


@pytest.mark.slow
def test_the_shipped_catalogues_check_out(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check_catalogues")
    assert code == 0
    assert "no problems" in out


def test_a_broken_catalogue_is_told_with_file_and_pointer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game").mkdir()
    write(tmp_path / "game", "system.json", {"format": "system/1", "id": "game"})
    code, out, _ = run(capsys, "check_catalogues", str(tmp_path))
    assert code == 1
    assert "game/system.json: " in out
    assert "are missing. Add" in out
