"""Databases of earlier releases: after all migrations every list opens, in the browser that has it.

Each file of `releases/` is what such a release stored: three lists of one browser, each opened from
a file and then given three models more; its secret key is not among them.
"""

import sqlite3
from pathlib import Path

import pytest

from tests.building.documents import army, skirmish
from tests.operating.environments import managed, told_by

RELEASES = sorted((Path(__file__).parent / "releases").glob("*.sql"))
#: Goes through the migrations that the others go through, too.
OLDEST = "prints_of_lists"
#: Done by a process of its own: what the browser sees, and what is stored.
LOOK = """
from django.contrib.sessions.models import Session
client = Client()
client.cookies["sessionid"] = Session.objects.get().session_key
from armybuilder.lists.models import ArmyList
told = []
for one in ArmyList.objects.order_by("created"):
    page = f"/lists/{one.pk}/"
    opened = [client.get(page + part).status_code for part in ("", "history/", "sheet/")]
    document = json.loads(client.get(page + "list.json").content)
    told.append([opened, document, one.versions.count()])
tell(told)
"""


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    "release",
    [
        pytest.param(path, id=path.stem, marks=[] if path.stem == OLDEST else pytest.mark.slow)
        for path in RELEASES
    ],
)
def test_lists_of_an_earlier_release_open_after_the_migrations(
    release: Path, tmp_path: Path
) -> None:
    with sqlite3.connect(tmp_path / "armybuilder.sqlite3") as database:
        database.executescript(release.read_text())
    database.close()
    managed(tmp_path, "migrate", "--verbosity", "0")
    told = told_by(LOOK, tmp_path)
    assert [opened for opened, _document, _versions in told] == [[200, 200, 200]] * 3
    assert [versions for _opened, _document, versions in told] == [4] * 3
    for before, (_opened, after, _versions) in zip(
        (skirmish("sbh"), skirmish("ddm-2008"), army()), told, strict=True
    ):
        first = next(unit for unit in before["units"] if unit["models"] > 1)
        first["models"] += 3
        assert after["units"] == before["units"]
        assert (after["name"], after["limit"]) == (before["name"], before["limit"])
