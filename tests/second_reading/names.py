"""The source's ids in the words of our books: which of our ids stand for an entry or a group."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from armybuilder.loading.library import CATALOGUE_DIR

SYSTEM = "t9a-2023"
#: All games whose books were made of BattleScribe files; a folder of files for each.
SYSTEMS = (SYSTEM, "t9a-2024", "essence-of-war")
#: What our findings call the models of a unit.
MODELS = "models"


class Names:
    """The names of one book. Its origin file says what became of each of the source's ids."""

    def __init__(self, file: Path) -> None:
        data = json.loads(file.read_text("utf-8"))
        self.book: str = data["book"]
        self.catalogue: str = data["catalogue"]["id"]
        self.categories: dict[str, str] = data["categories"]
        self._ours: dict[str, set[str]] = defaultdict(set)
        self._models: dict[str, str] = {}
        self._units = {node["id"] for node in data["units"]}
        for node in (*data["units"], *data["shared"]):
            self._walk(node, node.get("as", ""))

    def _walk(self, node: Mapping[str, Any], unit: str) -> None:
        if "as" in node:
            self._ours[node["id"]].add(node["as"])
        if node.get("is") == MODELS:
            self._ours[node["id"]].add(MODELS)
            self._models[node["id"]] = unit
        for inner in node.get("in", ()):
            self._walk(inner, unit)

    def ours(self, id_: str) -> frozenset[str]:
        """Our ids of what the source knows by an id; none where we have no such thing."""
        return frozenset(self._ours.get(id_, ()))

    def is_unit(self, id_: str) -> bool:
        """Whether the source knows a unit by an id."""
        return id_ in self._units

    def models_of(self, id_: str) -> str:
        """Our id of the unit whose models the source knows by an id; "" where it is no such."""
        return self._models.get(id_, "")


def all_names(system: str) -> dict[str, Names]:
    """The names of all imported books of a game, by our ids of the books."""
    files = sorted((CATALOGUE_DIR / system / "battlescribe").glob("*.json"))
    found = (Names(file) for file in files)
    return {names.book: names for names in found}
