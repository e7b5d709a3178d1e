"""Every playable catalogue of communities' games opens, as the guide's table says."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from armybuilder.battlescribe.files.bringing import take_apart
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.surveying import GameSurvey
from armybuilder.management.commands.game_report import cells_of, row_of
from tests.battlescribe.files.random_lists import GAMES
from tests.effort import THOROUGH
from tests.kept_games.files import troubled_otters, zipped

pytestmark = pytest.mark.long

GUIDE = (settings.BASE_DIR / "docs" / "games-from-files.md").read_text("utf-8")
#: The quickest; all of them take a minute.
QUICK = ("TrenchCrusade", "mordheim", "kingsofwar")
ZIPS = GAMES if THOROUGH else [path for path in GAMES if path.stem in QUICK]


@pytest.mark.skipif(not GAMES, reason="the communities' files are not here")
@pytest.mark.parametrize("path", ZIPS, ids=lambda path: path.stem)
def test_all_playable_catalogues_open_and_have_units(path: Path) -> None:
    games = take_apart([(path.name, path.read_bytes())]).games
    assert games
    for game in games:
        report = GameSurvey(GameFiles(game.members(), game.system.id)).report()
        assert report["catalogues"]
        assert [one["name"] for one in report["catalogues"] if "refused" in one] == []
        assert [one["name"] for one in report["catalogues"] if not one["units"]] == []
        assert row_of(cells_of(report)).removesuffix("|") in GUIDE


def test_the_table_of_the_guide_is_that_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.zip").write_bytes(zipped(troubled_otters()))
    call_command("game_report", tmp_path / "game.zip")
    head, line, row = capsys.readouterr().out.splitlines()
    assert f"{head}\n{line}\n|" in GUIDE
    assert row.startswith("| War of the Otters | 3 | 3 | 3 | 1 | 4 | 1 |")
