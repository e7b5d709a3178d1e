"""Many armies judged twice, and what comes of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.library import Library, shipped_library
from tests.second_reading.comparing import Case, Difference, differences, judge_twice
from tests.second_reading.expecting import Reason, unchecked
from tests.second_reading.growing import Document, Soil, grow
from tests.second_reading.names import SYSTEM, Names, all_names
from tests.second_reading.reader.books import Book, read_folder
from tests.second_reading.reader.wordings import words_of
from tests.second_reading.reasons import reason

#: The folder that the source's files are looked for in, by a folder for each game.
VARIABLE = "BATTLESCRIBE_FILES"
#: What armies grow from unless somebody wants others.
SEED = "2023"


def source_folder(system: str = SYSTEM) -> Path | None:
    """The folder of a game's files; None where nobody has named one that is there."""
    named = os.environ.get(VARIABLE)
    folder = Path(named) / system if named else None
    return folder if folder is not None and folder.is_dir() else None


@dataclass(frozen=True, eq=False)
class Bench:
    """Everything that armies are judged by, read once. `sources` are the source's books by the
    ids of their catalogues.
    """

    sources: dict[str, Book]
    library: Library = field(default_factory=shipped_library)
    system: str = SYSTEM

    @cached_property
    def names(self) -> dict[str, Names]:
        """The books that have a source, by their ids."""
        known = all_names(self.system)
        return {id_: one for id_, one in known.items() if one.catalogue in self.sources}

    @property
    def books(self) -> list[str]:
        """The ids of the books."""
        return list(self.names)

    def catalogue(self, book: str) -> Catalogue:
        """The program's book."""
        return self.library.catalogue(self.system, [book])

    def source(self, book: str) -> Book:
        """The source's book."""
        return self.sources[self.names[book].catalogue]

    @cached_property
    def soils(self) -> dict[str, Soil]:
        """What armies of each book grow on."""
        return {book: self._soil(book) for book in self.books}

    def _soil(self, book: str) -> Soil:
        data = self.library.shipped_data(self.system, book) or {}
        organisations = tuple(one["id"] for one in data.get("organisations", ()))
        source, names = self.source(book), self.names[book]
        words = words_of(source)
        tempting = (names.ours(place.id) for place in source.places if words.of(place))
        return Soil(self.catalogue(book), organisations, frozenset().union(*tempting))

    def army(self, book: str, seed: str, number: int) -> Document:
        """The army of this number of a book: the same for the same seed."""
        return grow(self.soils[book], Random(f"{seed}/{book}/{number}"))  # noqa: S311

    def judge(self, document: Document) -> Case:
        """What both say of an army."""
        book = document["books"][0]["id"]
        catalogue, names = self.catalogue(book), self.names[book]
        return judge_twice(document, self.library, catalogue, self.sources, names)


def make_bench(folder: Path) -> Bench:
    """A bench over the files of a folder, which is called like the game."""
    return Bench(read_folder(folder), system=folder.name)


@dataclass
class Tally:
    """What came of the armies of one book. `false_legal`: armies that the program calls legal and
    that are not, or of which that cannot be told; `false_illegal`: armies that it calls not legal
    without a reason in the source or the rulebook. Both are counted whether the fault is known or
    not.
    """

    armies: int = 0
    units: int = 0
    legal: int = 0
    explained: Counter[Reason] = field(default_factory=Counter)
    unchecked: int = 0
    unexplained: int = 0
    wrong_numbers: int = 0
    false_legal: int = 0
    false_illegal: int = 0


@dataclass(frozen=True, eq=False)
class Found:
    """A difference with its reason, None where nobody knows one, and the army it was found in."""

    label: str
    difference: Difference
    reason: Reason | None


@dataclass
class Result:
    """What came of a run: tallies by book, differences that nobody has explained, and those that
    are known faults.
    """

    tallies: dict[str, Tally] = field(default_factory=dict)
    unexplained: list[Found] = field(default_factory=list)
    faults: list[Found] = field(default_factory=list)

    def add(self, label: str, case: Case) -> None:
        """Count an army with all that is said of it differently; `label` names it."""
        self.count(label, case, list(differences(case)))

    def count(self, label: str, case: Case, said: list[Difference]) -> None:
        """Count an army with some of it."""
        tally = self.tallies.setdefault(case.names.book, Tally())
        tally.armies += 1
        tally.units += len(case.lines)
        tally.legal += case.plainly_legal
        wrong: list[Difference] = []
        for difference in said:
            if unchecked(difference):
                tally.unchecked += 1
                continue
            found = Found(label, difference, reason(difference))
            self._keep(tally, found)
            if found.reason is None or found.reason.sort == "known fault":
                wrong.append(difference)
        tally.wrong_numbers += any(one.side == "numbers" for one in wrong)
        tally.false_legal += case.plainly_legal and any(one.side == "source" for one in wrong)
        tally.false_illegal += not case.report.legal and _groundless(case, wrong)

    def _keep(self, tally: Tally, found: Found) -> None:
        if found.reason is None:
            tally.unexplained += 1
            self.unexplained.append(found)
            return
        tally.explained[found.reason] += 1
        if found.reason.sort == "known fault":
            self.faults.append(found)

    @property
    def total(self) -> Tally:
        """All books together."""
        total = Tally()
        for tally in self.tallies.values():
            for one in fields(Tally):
                both = getattr(total, one.name) + getattr(tally, one.name)
                setattr(total, one.name, both)
        return total


def _groundless(case: Case, wrong: list[Difference]) -> bool:
    """Whether all that the program has against an army is wrong."""
    findings = {id(one.finding) for one in wrong if one.side == "program"}
    return all(id(error) in findings for error in case.errors)


def run(bench: Bench, armies: int, seed: str) -> Result:
    """Judge so many armies, book after book in turn."""
    result = Result({book: Tally() for book in bench.books})
    for label, document in numbered(bench, armies, seed):
        result.add(label, bench.judge(document))
    return result


def numbered(bench: Bench, armies: int, seed: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Random armies with their labels, by which `--show` finds them again."""
    for number in range(armies):
        turn, place = divmod(number, len(bench.books))
        book = bench.books[place]
        yield f"{seed}/{book}/{turn}", bench.army(book, seed, turn)
