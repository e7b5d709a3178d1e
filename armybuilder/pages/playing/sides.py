"""An own list as it is played, and as a match keeps it."""

from typing import Any, NamedTuple

from django.utils import timezone

from armybuilder.lists.file_sheets import drawn
from armybuilder.lists.models import Version
from armybuilder.lists.worked_out import worked_out
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.play import Data, play_side
from armybuilder.sheets.content.play_files import play_file_side


class OwnSide(NamedTuple):
    """A list of this browser as it is played, and the points that it costs."""

    data: Data
    points: int

    @property
    def kept(self) -> dict[str, Any]:
        """The list as a match keeps it, a line for each unit."""
        lines = (
            row["name"] if row["price"] is None else f"{row['name']} · {row['price']}"
            for row in self.data["rows"]
        )
        named = {key: self.data[key] for key in ("name", "about", "books", "hash")}
        return {**named, "lines": [*lines]}


def own_side(version: Version) -> OwnSide:
    """Return a version of a list as it is played today."""
    day = timezone.localdate()
    if isinstance(version.content, ForceList):
        one = worked_out(version)
        return OwnSide(play_file_side(drawn(one, day), version.content.game.key), one.report.points)
    material = Material(version.document, shipped_library(), day)
    return OwnSide(play_side(material, material.sheet), material.report.spent)
