"""Ledgers of imports, `<system>/audit/<book>.json`: the outcome of every restriction in the file
that a book was made of. They are read when asked for, and checked against the books.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from armybuilder.engine.wording import say
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.library import CATALOGUE_DIR, Library, load_library
from armybuilder.loading.names import walk
from armybuilder.loading.problems import Problem, Refusal, pointer
from armybuilder.loading.restrictions import NamedRestriction, named_restrictions
from armybuilder.loading.schemas import schema_problems

FOLDER: Final = "audit"


class AuditEntry(NamedTuple):
    """Something not judged: where, what it asks, and of how many counted parts it is made."""

    place: str
    what: str
    parts: int


class Tally(NamedTuple):
    """How many restrictions are judged, told as unchecked, idle (they forbid nothing), left out
    (they can never be met) or unaccounted for.
    """

    judged: int = 0
    unchecked: int = 0
    idle: int = 0
    left_out: int = 0
    unaccounted: int = 0

    @property
    def restrictions(self) -> int:
        """All of them together."""
        return sum(self)

    def plus(self, other: "Tally") -> "Tally":
        """Both together."""
        return Tally(*(one + two for one, two in zip(self, other, strict=True)))


class Audit(NamedTuple):
    """The ledger of a book made of the `source` file: `counts` by kind and fate, what is unchecked
    or left out, numbers of `idle` by reason, `unaccounted` by place.
    """

    system: str
    book: str
    source: str
    revision: int
    counts: Mapping[str, Mapping[str, int]]
    unchecked: tuple[AuditEntry, ...]
    left_out: tuple[AuditEntry, ...]
    idle: Mapping[str, int]
    unaccounted: Mapping[str, int]

    def number(self, fate: str) -> int:
        """Return how many restrictions of all kinds became this, as the file counts them."""
        return sum(fates.get(fate, 0) for fates in self.counts.values())

    @property
    def tally(self) -> Tally:
        """How many restrictions became what; what is left out is counted apart."""
        left_out = sum(entry.parts for entry in self.left_out)
        return Tally(
            self.number("judged"),
            self.number("unchecked") - left_out,
            self.number("idle"),
            left_out,
            self.number("unaccounted"),
        )


@dataclass(frozen=True, slots=True)
class Audits:
    """Ledgers by system and book, and what was wrong with files left out."""

    by_book: Mapping[tuple[str, str], Audit]
    problems: tuple[Problem, ...]


def load_audits(directory: Path) -> Audits:
    """Read `<system>/audit/*.json` of every folder in `directory`."""
    found: dict[tuple[str, str], Audit] = {}
    problems: list[Problem] = []
    for file in sorted(directory.glob(f"*/{FOLDER}/*.json")):
        data, wrong = _read(file, file.relative_to(directory).as_posix())
        problems += wrong
        if not wrong:
            audit = read_audit(file.parents[1].name, data)
            found[audit.system, audit.book] = audit
    return Audits(found, tuple(problems))


def read_audit(system: str, data: Mapping[str, Any]) -> Audit:
    """Return the ledger in a document that has passed the schema, of a book of this system."""
    entries = {(one["place"], one["what"]): AuditEntry(**one) for one in data["unchecked"]}
    left_out = dict.fromkeys((one["place"], one["what"]) for one in data["left_out"])
    return Audit(
        system,
        data["book"],
        data["source"]["file"],
        data["source"]["revision"],
        data["counts"],
        tuple(entry for key, entry in entries.items() if key not in left_out),
        tuple(entries.get(key, AuditEntry(*key, parts=0)) for key in left_out),
        data["idle"],
        data["unaccounted"],
    )


def _read(file: Path, name: str) -> tuple[Any, list[Problem]]:
    try:
        data = parse_json(file.read_bytes())
    except Refusal as refusal:
        return None, [Problem(name, "", refusal.sentence, anew())]
    return data, schema_problems("audit", data, name) or list(_contradictions(data, file, name))


def _contradictions(data: Mapping[str, Any], file: Path, name: str) -> Iterator[Problem]:
    """Where a ledger does not add up, or is not that of the book it is called by."""
    if data["book"] != file.stem:
        wanted = say("It must match the name of its file, “{file}”.", file=file.stem)
        yield Problem(name, "/book", say("The id is “{id}”.", id=data["book"]), wanted)
    listed = {
        "unchecked": sum(one["parts"] for one in data["unchecked"]),
        "idle": sum(data["idle"].values()),
        "unaccounted": sum(data["unaccounted"].values()),
    }
    for fate, number in listed.items():
        counted = sum(fates.get(fate, 0) for fates in data["counts"].values())
        if counted != number:
            message = say(
                "The counts have {counted} of them, the list has {number}.",
                counted=counted,
                number=number,
            )
            yield Problem(name, f"/{fate}", message, anew())


def anew() -> str:
    """Return what to do about a ledger that is wrong: none is written by hand."""
    return say("Import the book again.")


@lru_cache(maxsize=1)
def shipped_audits() -> Audits:
    """Return the ledgers in `catalogs/`, read once per process."""
    return load_audits(CATALOGUE_DIR)


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
    books = _books(library)
    problems = (
        *library.problems,
        *audits.problems,
        *_strangers(directory, books),
        *(problem for place in books for problem in _of_book(directory, place, books, audits)),
    )
    return Audited(books, audits.by_book, problems)


def _books(library: Library) -> dict[Place, Data]:
    """Return each book once, where its file stands, though several systems use it."""
    files = {file.path: file for file in library.files.values()}
    return {(path.parent.name, path.stem): files[path].data() for path in sorted(files)}


def _strangers(directory: Path, books: Mapping[Place, Data]) -> Iterator[Problem]:
    for file in sorted(directory.glob(f"*/{FOLDER}/*.json")):
        if (file.parents[1].name, file.stem) not in books:
            message = say("There is no book “{id}”.", id=file.stem)
            advice = say("Remove the file, or fix the book.")
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
        message = say(
            "The book is imported, and nothing records what happened to its restrictions."
        )
        yield Problem(name, "", message, anew())


def _unaccounted(audit: Audit, name: str) -> Iterator[Problem]:
    for place, number in audit.unaccounted.items():
        message = say("{number} of {place} unaccounted for.", number=number, place=place)
        advice = say("Teach the importer to check it, or to report that it does not.")
        yield Problem(name, pointer(("unaccounted", place)), message, advice)


def _untold(audit: Audit, book: Data, name: str) -> Iterator[Problem]:
    """Yield what the ledger has as told with lists, and the book does not tell."""
    told = {entry["what"] for _path, node in nodes(book) for entry in node.get("unchecked", ())}
    for what in dict.fromkeys(entry.what for entry in audit.unchecked):
        if what not in told:
            message = say("The book does not list “{what}” as unchecked.", what=what)
            advice = say("Add it to “unchecked” in the book, or import it again.")
            yield Problem(name, "/unchecked", message, advice)


def _unjudged_names(book: Data, name: str) -> Iterator[Problem]:
    for found in named_restrictions(book):
        message = say(
            "The name “{name}” states “{words}”, and nothing checks it.",
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
    """Yield the book, its units, and all groups and options, each with the path to it."""
    yield (), book
    for key in ("options", "units"):
        yield from ((path, node) for node, path in walk(book.get(key, ()), (key,)))
