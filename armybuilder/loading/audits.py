"""Ledgers of imports: the outcome of every restriction in the file that a book was made of.

`<system>/audit/<book>.json`, read when somebody asks.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from armybuilder.engine.wording import marked, say
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.library import CATALOGUE_DIR
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.loading.references import Complaint, complaint, misnamed
from armybuilder.loading.schemas import schema_problems

FOLDER: Final = "audit"
#: What to do about a ledger that is wrong: none is written by hand.
IMPORT_AGAIN: Final = marked("Import the book again.")

Place = tuple[str, str]


class AuditEntry(NamedTuple):
    """An unchecked restriction: its place, its demand, and the number of its counted parts."""

    place: str
    what: str
    parts: int


class AuditTally(NamedTuple):
    """Numbers of restrictions by outcome.

    They are checked, listed as unchecked, idle (they forbid nothing), left out (they can never be
    met) or unaccounted for.
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

    def plus(self, other: "AuditTally") -> "AuditTally":
        """Both together."""
        return AuditTally(*(one + two for one, two in zip(self, other, strict=True)))


class Audit(NamedTuple):
    """The ledger of a book made of the `source` file.

    It has `counts` by kind and fate, the entries unchecked or left out, numbers of `idle` by
    reason, `unaccounted` by place.
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
    def tally(self) -> AuditTally:
        """Numbers by outcome; restrictions left out are counted separately."""
        left_out = sum(entry.parts for entry in self.left_out)
        return AuditTally(
            self.number("judged"),
            self.number("unchecked") - left_out,
            self.number("idle"),
            left_out,
            self.number("unaccounted"),
        )


@dataclass(frozen=True, slots=True)
class Audits:
    """Ledgers by system and book, and the problems of files left out."""

    by_book: Mapping[Place, Audit]
    problems: tuple[Problem, ...]


def load_audits(directory: Path) -> Audits:
    """Read `<system>/audit/*.json` of every folder in `directory`."""
    audits: dict[Place, Audit] = {}
    problems: list[Problem] = []
    for file in sorted(directory.glob(f"*/{FOLDER}/*.json")):
        name = file.relative_to(directory).as_posix()
        try:
            data = parse_json(file.read_bytes())
        except Refusal as refusal:
            problems.append(Problem(name, "", refusal.sentence, say(IMPORT_AGAIN)))
            continue
        wrong = schema_problems("audit", data, name)
        wrong = wrong or [Problem(name, *mistake) for mistake in _contradictions(data, file)]
        problems += wrong
        if not wrong:
            audit = read_audit(file.parents[1].name, data)
            audits[audit.system, audit.book] = audit
    return Audits(audits, tuple(problems))


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


def _contradictions(data: Mapping[str, Any], file: Path) -> Iterator[Complaint]:
    """Yield where a ledger does not add up, or is not that of the book it is called by."""
    yield from misnamed("book", data["book"], file.stem)
    listed = {
        "unchecked": sum(one["parts"] for one in data["unchecked"]),
        "idle": sum(data["idle"].values()),
        "unaccounted": sum(data["unaccounted"].values()),
    }
    for fate, number in listed.items():
        counted = sum(fates.get(fate, 0) for fates in data["counts"].values())
        if counted != number:
            message = marked("The counts have {counted}, but the list has {number}.")
            yield complaint((fate,), message, IMPORT_AGAIN, counted=counted, number=number)


@lru_cache(maxsize=1)
def shipped_audits() -> Audits:
    """Return the ledgers in `catalogs/`, read once per process."""
    return load_audits(CATALOGUE_DIR)
