"""Breaks of catalogue files: what puts a mistake at a place, and what reads the folder then."""

import json
from collections.abc import Callable
from pathlib import Path
from posixpath import normpath
from typing import Any

from armybuilder.loading.library import Library
from armybuilder.loading.problems import Problem
from tests.building.tiny import Data

SYSTEM, BOOK = "tiny/system.json", "tiny/book.json"
Break = Callable[[Data], None]
#: A value to put that takes the key away instead.
GONE: Any = object()


def key_of(data: Any, name: str) -> Any:
    """Return the key of a dictionary or the place in a list that a step of a path names.

    A step into a list is the id of an entry, a number, or "-" for the place after the last.
    """
    if not isinstance(data, list):
        return name
    if name == "-":
        return len(data)
    ids = [isinstance(entry, dict) and entry_id(entry) for entry in data]
    return ids.index(name) if name in ids else int(name)


def entry_id(entry: Data) -> str | None:
    return entry.get("id") or entry.get("group") or entry.get("use")


def put(path: str, value: Any) -> Break:
    """Return what puts a value at a place of a file: in rules/stat, units/mob/options/-, ..."""

    def change(data: Any) -> None:
        *steps, last = path.split("/")
        for step in steps:
            data = data[key_of(data, step)]
        key = key_of(data, last)
        if value is GONE:
            del data[key]
        elif isinstance(data, list) and key == len(data):
            data.append(value)
        else:
            data[key] = value

    return change


def pointer(data: Any, path: str, where: str = ".") -> str:
    """Return the JSON pointer of a path, or of a place told from there ("..", "if/taken")."""
    steps = []
    for step in normpath(f"/{path}/{where}").split("/")[1:]:
        key = key_of(data, step)
        steps.append(f"/{key}" if step else "")
        keys = (
            range(len(data)) if isinstance(data, list) else data if isinstance(data, dict) else ()
        )
        data = data[key] if key in keys else None
    return "".join(steps)


def copied(data: Data) -> Data:
    """Return the same data with no part that stands in it twice."""
    copy: Data = json.loads(json.dumps(data))
    return copy


def write(directory: Path, system: Data, *books: Data) -> None:
    folder = directory / "tiny"
    folder.mkdir(exist_ok=True)
    (folder / "system.json").write_text(json.dumps(system), encoding="utf-8")
    for number, book in enumerate(books):
        name = "book" if number == 0 else f"book-{number + 1}"
        (folder / f"{name}.json").write_text(json.dumps(book), encoding="utf-8")


def only_problem(library: Library, file: str, where: str, word: str = "") -> Problem:
    """The one problem of the library, which is at this place and says what to do."""
    assert [str(problem.pointer) for problem in library.problems] == [where], library.problems
    problem = library.problems[0]
    assert problem.file == file
    assert problem.message.endswith("."), problem
    assert problem.advice.endswith("."), problem
    assert word in problem.message, problem
    assert str(problem).startswith(f"{file}#{where}: " if where else f"{file}: ")
    return problem
