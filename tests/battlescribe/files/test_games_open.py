"""Every playable catalogue of communities' games opens; sets that change are noticed here."""

from pathlib import Path

import pytest

from armybuilder.battlescribe.files.bringing import take_apart
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.surveying import GameSurvey
from tests.battlescribe.files.random_lists import GAMES
from tests.effort import THOROUGH

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
