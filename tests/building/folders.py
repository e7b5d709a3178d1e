"""Folders of catalogue files to read, made of plain data."""

import json
from pathlib import Path

from tests.building.tiny import Data, sentences_of


def write_folder(directory: Path, system: Data, *books: Data) -> None:
    """The folder of a system, with its books as files of their ids."""
    folder = directory / system["id"]
    folder.mkdir(exist_ok=True)
    for name, data in [("system", system), *((book["id"], book) for book in books)]:
        (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")


def edition(system_id: str = "second", extends: str = "tiny", **more: Data | list[Data]) -> Data:
    """A system file that extends another and says nothing but what it is given."""
    head: Data = {"format": "system/1", "id": system_id, "name": system_id.title()}
    if "rules" in more:
        head["sentences"] = sentences_of(list(more["rules"]))
    return {**head, "about": "Another edition.", "extends": extends, **more}
