"""`validate_list --pack`: lists judged at an event, on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from armybuilder.loading.library import CATALOGUE_DIR, shipped_library

EXAMPLE = CATALOGUE_DIR / "sbh" / "examples" / "rangers-of-the-hollow-oak.json"
PACK: dict[str, Any] = dict(shipped_library().packs["raven-cup"].data)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        call_command("validate_list", str(EXAMPLE), *arguments)
    assert ended.value.code == 1
    return capsys.readouterr().out


def test_each_line_says_both_verdicts_and_each_finding_whose_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = told(capsys, "--pack", "raven-cup")
    assert "at the event not legal: 1 error (in the game: Legal)" in text
    assert "event, error, broken: The list is for 400 points. Needed: 300." in text
    assert "[event.size; Pack 1]" in text


def test_a_pack_can_be_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "own.json"
    file.write_text(json.dumps({**PACK, "name": "Ours"}))
    assert "at the event not legal" in told(capsys, "--pack", str(file))


def test_findings_in_json_say_whose_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    (report,) = json.loads(told(capsys, "--json", "--pack", "raven-cup"))
    assert {finding["origin"] for finding in report["findings"]} == {"event"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such file"),
        ("{", "is not JSON"),
        (json.dumps({**PACK, "system": "chess"}), "There is no game system"),
        (json.dumps({**PACK, "rules": [{}]}), "are missing"),
    ],
)
def test_a_pack_with_a_mistake_is_refused(content: str | None, said: str, tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(CommandError, match=said):
        call_command("validate_list", str(EXAMPLE), "--pack", str(file))


def test_a_list_of_another_game_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("validate_list", str(EXAMPLE), "--pack", "lantern-cup")
    assert ended.value.code == 2
    assert "is for another game than this list" in capsys.readouterr().err
