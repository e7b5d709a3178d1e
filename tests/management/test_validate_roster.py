"""`manage.py validate_roster` says of rosters what the files of their game say."""

from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from armybuilder.battlescribe.files.rosters import RosterWriter
from tests.battlescribe.files.small_game import CATALOGUE, SYSTEM, small_game, small_list


@pytest.fixture(name="game")
def game_as_zip(tmp_path: Path) -> Path:
    path = tmp_path / "harbour.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("harbour.gst", SYSTEM)
        archive.writestr("gulls.cat", CATALOGUE)
    return path


@pytest.fixture(name="roster")
def roster_with(tmp_path: Path) -> Callable[[int], Path]:
    def write(captains: int) -> Path:
        editor = small_list(small_game())
        captain = editor.roster.forces[0].below[0].id
        if not captains:
            editor.remove(captain)
        path = tmp_path / f"{captains}.ros"
        path.write_text(RosterWriter(editor.game, editor.evaluation).xml("roster", "Maud"))
        return path

    return write


def test_a_legal_roster_is_legal(
    game: Path, roster: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("validate_roster", str(game), str(roster(1)))
    assert "1.ros: Legal" in capsys.readouterr().out


def test_errors_of_a_roster_name_their_file(
    game: Path, roster: Callable[[int], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        call_command("validate_roster", str(game), str(roster(1)), str(roster(0)))
    assert stopped.value.code == 1
    out = capsys.readouterr().out
    assert "Captains: 0 in Fleet; the minimum is 1. (source: Harbour Wars, revision 3)" in out


def test_an_unreadable_roster_is_reported_and_the_others_checked(
    game: Path,
    roster: Callable[[int], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "odd.ros").write_text("<catalogue id='x'/>")
    with pytest.raises(SystemExit) as stopped:
        call_command(
            "validate_roster", str(game), str(tmp_path / "odd.ros"), str(tmp_path / "no.ros"),
            str(roster(1)),
        )  # fmt: skip
    assert stopped.value.code == 2
    told = capsys.readouterr()
    assert "odd.ros: This is not a BattleScribe list." in told.err
    assert "no.ros" in told.err
    assert "1.ros: Legal" in told.out


def test_files_without_a_system_are_refused(tmp_path: Path) -> None:
    (tmp_path / "gulls.cat").write_text(CATALOGUE)
    with pytest.raises(CommandError, match="no game system"):
        call_command("validate_roster", str(tmp_path), str(tmp_path / "any.ros"))
