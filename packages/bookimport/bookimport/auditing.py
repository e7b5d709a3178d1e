"""Checks the books of a folder and their ledgers against each other, and names against rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armybuilder.engine.wording import marked
from armybuilder.loading.audits import FOLDER, IMPORT_AGAIN, Audit, load_audits
from armybuilder.loading.library import load_library
from armybuilder.loading.options import walk
from armybuilder.loading.problems import Problem
from armybuilder.loading.references import Complaint, complaint
from armybuilder.loading.restrictions import named_restrictions

Data = Mapping[str, Any]
Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Audited:
    """The books and ledgers of a folder by system and id, and what is wrong with them."""

    books: Mapping[Place, Data]
    audits: Mapping[Place, Audit]
    problems: tuple[Problem, ...]


def audit_folder(directory: Path) -> Audited:
    """Check a folder's systems, books and ledgers against each other; what is broken is told."""
    library = load_library(directory)
    audits = load_audits(directory)
    # Each book once, where its file stands, though several systems use it.
    files = {file.path: file for file in library.files.values()}
    books = {(path.parent.name, path.stem): files[path].data() for path in sorted(files)}
    problems = [*library.problems, *audits.problems]
    for file in sorted(directory.glob(f"*/{FOLDER}/*.json")):
        if (file.parents[1].name, file.stem) not in books:
            advice = marked("Remove the file, or fix the book.")
            wrong = complaint((), "There is no book “{id}”.", advice, id=file.stem)
            problems.append(Problem(file.relative_to(directory).as_posix(), *wrong))
    for (system, book_id), book in books.items():
        name = f"{system}/{FOLDER}/{book_id}.json"
        problems += [Problem(f"{system}/{book_id}.json", *one) for one in _unjudged_names(book)]
        audit = audits.by_book.get((system, book_id))
        if audit is not None:
            problems += [Problem(name, *one) for one in _mistakes(audit, book)]
        elif book["kind"] == "imported" and not (directory / name).exists():
            message = marked(
                "The book is imported, and nothing records what happened to its restrictions."
            )
            problems.append(Problem(name, *complaint((), message, IMPORT_AGAIN)))
    return Audited(books, audits.by_book, tuple(problems))


def _mistakes(audit: Audit, book: Data) -> Iterator[Complaint]:
    """Yield what is unaccounted for, and what is told with lists and the book does not tell."""
    for place, number in audit.unaccounted.items():
        message = marked("{number} of {place} unaccounted for.")
        advice = marked("Teach the importer to check it, or to report that it does not.")
        yield complaint(("unaccounted", place), message, advice, number=number, place=place)
    listed = {entry["what"] for _, node in nodes(book) for entry in node.get("unchecked", ())}
    for what in dict.fromkeys(entry.what for entry in audit.unchecked):
        if what not in listed:
            message = marked("The book does not list “{what}” as unchecked.")
            advice = marked("Add it to “unchecked” in the book, or import it again.")
            yield complaint(("unchecked",), message, advice, what=what)


def _unjudged_names(book: Data) -> Iterator[Complaint]:
    """Yield names that state a restriction, at the first node of that name below its owner."""
    for named in named_restrictions(book):
        starts = [number for number, unit in enumerate(book["units"]) if unit["id"] == named.unit]
        home: tuple[object, ...] = ("units", starts[0]) if named.unit else ("options",)
        paths = (path for path, node in nodes(book) if node.get("name") == named.name)
        path = next(path for path in paths if path[: len(home)] == home and path != home)
        message = marked("The name “{name}” says “{words}”, but nothing checks it.")
        advice = marked("Use “needs”, “not_with” or “unchecked”.")
        yield complaint(path, message, advice, name=named.name, words=named.words)


def nodes(book: Data) -> Iterator[tuple[tuple[object, ...], Any]]:
    """Yield the book, its units, and all groups and options, each with the path to it."""
    yield (), book
    for key in ("options", "units"):
        yield from ((path, node) for node, path in walk(book.get(key, ()), (key,)))
