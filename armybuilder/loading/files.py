"""Catalogue files: what one says, and whether it stands where it belongs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from armybuilder.engine.wording import say
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.loading.schemas import schema_problems

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BookFile:
    """A shipped book's file as it was read and checked; what becomes of it later changes nothing
    here.
    """

    path: Path
    content: bytes = field(repr=False)

    def data(self) -> Data:
        """Return what it says."""
        data: Data = parse_json(self.content)
        return data


def parsed(content: bytes, name: str, schema: str) -> tuple[Any, list[Problem]]:
    """Return what a file says, None where that is no JSON, and how it breaks its schema."""
    try:
        data = parse_json(content)
    except Refusal as refusal:
        advice = say("An editor that knows JSON shows the place.")
        return None, [Problem(name, "", refusal.sentence, advice)]
    return data, schema_problems(schema, data, name)


def misnamed(data: Data, file: Path, name: str) -> Iterator[Problem]:
    """Yield that the id is not what the file is called."""
    if data["id"] != file.stem:
        wanted = say("It must match the name of its file, “{file}”.", file=file.stem)
        yield Problem(name, "/id", say("The id is “{id}”.", id=data["id"]), wanted)


def misplaced(data: Data, file: Path, name: str, home: str) -> Iterator[Problem]:
    """Yield where a book is not what its file and the system of its folder are called."""
    yield from misnamed(data, file, name)
    if data["system"] != home:
        wanted = say("It must match its folder, “{home}”.", home=home)
        yield Problem(
            name, "/system", say("The system is “{system}”.", system=data["system"]), wanted
        )
