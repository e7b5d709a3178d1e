"""Is every restriction of every book judged, or told as not judged? What ledgers, books and the
names in them say of it must agree.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armybuilder.engine.wording import say
from armybuilder.loading.audits import FOLDER, Audit, Audits, anew, load_audits
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.library import Library, load_library
from armybuilder.loading.names import walk
from armybuilder.loading.problems import Problem, pointer
from armybuilder.loading.restrictions import NamedRestriction, named_restrictions

Data = Mapping[str, Any]
Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Audited:
    """The books of a folder by system and id, as their files have them, their ledgers, and what is
    wrong with them.
    """

    books: Mapping[Place, Data]
    audits: Mapping[Place, Audit]
    problems: tuple[Problem, ...]


def audit_folder(directory: Path) -> Audited:
    """Read the systems, books and ledgers in a folder and check them against each other. Files that
    cannot be loaded are problems, too.
    """
    library = load_library(directory)
    audits = load_audits(directory)
    books = _books(library)
    problems = (
        *library.problems,
        *audits.problems,
        *_strangers(directory, books),
        *(problem for place in books for problem in _of_book(directory, place, books, audits)),
    )
    return Audited(books, audits.by_book, problems)


def _books(library: Library) -> dict[Place, Data]:
    """Each book once, where its file stands, though several systems use it."""
    files = sorted(set(library.files.values()))
    return {(file.parent.name, file.stem): parse_json(file.read_bytes()) for file in files}


def _strangers(directory: Path, books: Mapping[Place, Data]) -> Iterator[Problem]:
    for file in sorted(directory.glob(f"*/{FOLDER}/*.json")):
        if (file.parents[1].name, file.stem) not in books:
            message = say("There is no book “{id}”.", id=file.stem)
            advice = say("Remove the file, or mend the book.")
            yield Problem(file.relative_to(directory).as_posix(), "", message, advice)


def _of_book(
    directory: Path, place: Place, books: Mapping[Place, Data], audits: Audits
) -> Iterator[Problem]:
    system, book_id = place
    book, audit = books[place], audits.by_book.get(place)
    yield from _unjudged_names(book, f"{system}/{book_id}.json")
    name = f"{system}/{FOLDER}/{book_id}.json"
    if audit is not None:
        yield from _unaccounted(audit, name)
        yield from _untold(audit, book, name)
    elif book["kind"] == "imported" and not (directory / name).exists():
        message = say("The book is imported, and nothing says what became of its restrictions.")
        yield Problem(name, "", message, anew())


def _unaccounted(audit: Audit, name: str) -> Iterator[Problem]:
    for place, number in audit.unaccounted.items():
        message = say("{number} of {place} unaccounted for.", number=number, place=place)
        advice = say("Teach the importer to judge it, or to tell that it does not.")
        yield Problem(name, pointer(("unaccounted", place)), message, advice)


def _untold(audit: Audit, book: Data, name: str) -> Iterator[Problem]:
    """What the ledger has as told with lists, and the book does not tell."""
    told = {entry["what"] for _path, node in nodes(book) for entry in node.get("unchecked", ())}
    for what in dict.fromkeys(entry.what for entry in audit.unchecked):
        if what not in told:
            message = say("The book does not tell that “{what}” is unchecked.", what=what)
            advice = say("Add it to “unchecked” in the book, or import it anew.")
            yield Problem(name, "/unchecked", message, advice)


def _unjudged_names(book: Data, name: str) -> Iterator[Problem]:
    for found in named_restrictions(book):
        message = say(
            "The name “{name}” states “{words}”, and nothing judges it.",
            name=found.name,
            words=found.words,
        )
        advice = say("Say it with “needs” or “not_with”, or under “unchecked”.")
        yield Problem(name, _pointer(found, book), message, advice)


def _pointer(found: NamedRestriction, book: Data) -> str:
    """Where the first node of that name stands on its unit, or among what is shared."""
    starts = [number for number, unit in enumerate(book["units"]) if unit["id"] == found.unit]
    home: tuple[object, ...] = ("units", starts[0]) if found.unit else ("options",)
    paths = (path for path, node in nodes(book) if node.get("name") == found.name)
    return pointer(next(path for path in paths if path[: len(home)] == home and path != home))


def nodes(book: Data) -> Iterator[tuple[tuple[object, ...], Any]]:
    """The book itself, its units, and the groups and options on them and shared, each with the
    path to it.
    """
    yield (), book
    for key in ("options", "units"):
        yield from ((path, node) for node, path in walk(book.get(key, ()), (key,)))
