"""Files of a small game, as a community keeps them."""

import io
import json
from collections.abc import Mapping
from zipfile import ZipFile

from armybuilder.battlescribe.files.bringing import GameSet, take_apart
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.surveying import GameSurvey
from armybuilder.games.models import Game
from armybuilder.games.services import store

SYSTEM = "sys-otters"
#: The Ninth Age 2023 as its files call it.
T9A = "aa64-1e8e-66fc-9abf"


def system(name: str = "War of the Otters", id: str = SYSTEM, revision: int = 3) -> bytes:
    """A game system with points, one force and two categories."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<gameSystem id="{id}" name="{name}" revision="{revision}" battleScribeVersion="2.03"
  xmlns="http://www.battlescribe.net/schema/gameSystemSchema">
 <costTypes><costType id="pts" name="pts" defaultCostLimit="-1"/></costTypes>
 <categoryEntries><categoryEntry id="core" name="Core"/></categoryEntries>
 <forceEntries><forceEntry id="raft" name="Raft"><categoryLinks>
  <categoryLink id="raft-core" name="Core" targetId="core" primary="false"/>
 </categoryLinks></forceEntry></forceEntries>
</gameSystem>""".encode()


def unit(id: str, name: str, points: int = 10, inside: str = "") -> str:
    """An entry of a catalogue."""
    return f"""<selectionEntry id="{id}" name="{name}" type="unit"><categoryLinks>
 <categoryLink id="{id}-core" targetId="core" primary="true"/></categoryLinks>
 <costs><cost name="pts" typeId="pts" value="{points}"/></costs>{inside}</selectionEntry>"""


def catalogue(
    name: str,
    *units: str,
    id: str = "",
    of: str = SYSTEM,
    library: bool = False,
    links: tuple[str, ...] = (),
    version: str = "2.03",
    revision: int = 1,
) -> bytes:
    """A catalogue of units, which links to others by their ids."""
    linked = "".join(
        f'<catalogueLink id="to-{one}" name="{one}" targetId="{one}" type="catalogue"'
        ' importRootEntries="true"/>'
        for one in links
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<catalogue id="{id or name.lower()}" name="{name}" revision="{revision}" gameSystemId="{of}"
  library="{str(library).lower()}" battleScribeVersion="{version}"
  xmlns="http://www.battlescribe.net/schema/catalogueSchema">
 <catalogueLinks>{linked}</catalogueLinks>
 <selectionEntries>{"".join(units)}</selectionEntries>
</catalogue>""".encode()


def json_catalogue(name: str, of: str = SYSTEM) -> bytes:
    """A catalogue with one unit as New Recruit writes it."""
    entry = {"id": "heron", "name": "Heron", "type": "unit"}
    head = {"id": name.lower(), "name": name, "revision": 1, "gameSystemId": of, "library": False}
    return json.dumps({"catalogue": {**head, "selectionEntries": [entry]}}).encode()


def otters() -> dict[str, bytes]:
    """A game with two catalogues that draw on a library."""
    return {
        "Otters.gst": system(),
        "River.cat": catalogue("River", unit("otter", "Otter"), links=("pool",)),
        "Sea.cat": catalogue("Sea", unit("seal", "Seal", 20), links=("pool",)),
        "Pool.cat": catalogue("Pool", unit("newt", "Newt", 2), library=True),
    }


def troubled_otters() -> dict[str, bytes]:
    """The game with something of every kind to be told."""
    strange = (
        '<constraints><constraint id="1a2b-3c4d-5e6f-0001" type="max" field="selections"'
        ' scope="over-the-rainbow" value="1"/></constraints>'
    )
    wide = unit("asp", "W" * 40, inside=strange)
    return {
        **otters(),
        "Lake.cat": catalogue("Lake of the long names " + "m" * 60, wide, links=("gone",)),
        "Old.cat": catalogue("Old", version="2.01"),
        "Older.cat": catalogue("Older", version="2.01"),
        "broken.cat": b"<catalogue>",
        "README.md": b"#",
    }


def zipped(files: Mapping[str, bytes], folder: str = "otters-main/", comment: str = "") -> bytes:
    """A zip as GitHub gives it."""
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.comment = comment.encode()
        for name, raw in files.items():
            archive.writestr(folder + name, raw)
    return packed.getvalue()


def game_set(files: Mapping[str, bytes] | None = None) -> GameSet:
    """The one game of some files."""
    (found,) = take_apart((files or otters()).items()).games
    return found


def stored(files: Mapping[str, bytes] | None = None) -> Game:
    """A game that is stored, with its report."""
    found = game_set(files)
    survey = GameSurvey(GameFiles(found.members(), found.system.id))
    return store(found, survey.report())
