"""Ledgers of imports, `<system>/audit/<book>.json`: the outcome of every restriction in the file
that a book was made of. They are read when somebody asks for them, not at the start.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from armybuilder.engine.wording import say
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.library import CATALOGUE_DIR
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.loading.schemas import schema_problems

FOLDER: Final = "audit"


class AuditEntry(NamedTuple):
    """Something in the source that is not judged: where it stands there, what it asks, and of how
    many counted parts (limits, changes, conditions, counts, names) it is made.
    """

    place: str
    what: str
    parts: int


class Tally(NamedTuple):
    """How many restrictions of a source became what: `judged` by a rule or the book, `unchecked`
    and told with the lists they apply to, `idle` as they forbid nothing, `left_out` as they can
    never be met, `unaccounted` for.
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
    """The ledger of a book. `source` and `revision` are those of the file it was made of; `counts`
    are numbers by kind and fate; `unchecked` has what is told with lists, `left_out` what the book
    leaves out; `idle` are numbers by reason, `unaccounted` by place.
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
        """How many restrictions of all kinds became this, as the file counts them."""
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
    """The ledger in a document that has passed the schema, of a book of this system."""
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
        wanted = say("It must be the name of its file, “{file}”.", file=file.stem)
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
    """What to do about a ledger that is wrong: none is written by hand."""
    return say("Import the book anew.")


@lru_cache(maxsize=1)
def shipped_audits() -> Audits:
    """The ledgers in `catalogs/`, read once per process."""
    return load_audits(CATALOGUE_DIR)
