"""Many armies judged twice, and what comes of it, in words: tables for whoever ran it."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any
from zipfile import Path as PathInZip

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.sentences import sentence
from armybuilder.loading.library import CATALOGUE_DIR, Library, shipped_library
from tests.second_reading.comparing import (
    SYSTEM,
    Case,
    Difference,
    Names,
    all_names,
    differences,
    judge_twice,
)
from tests.second_reading.expecting import Reason, Sort, unchecked
from tests.second_reading.growing import Document, Soil, grow
from tests.second_reading.reader.books import Book, Folder, Key, read_folder
from tests.second_reading.reader.facts import read_facts
from tests.second_reading.reader.wordings import words_of
from tests.second_reading.reasons import REASONS, reason

#: The folder that the source's files are looked for in, by a folder for each game.
VARIABLE = "BATTLESCRIBE_FILES"
#: What armies grow from unless somebody wants others.
SEED = "2023"


def source_folder(system: str = SYSTEM) -> Folder | None:
    """The folder of a game's files, or a zip of them in `games/` beside the folders; None where
    nobody has named one that is there.
    """
    named = Path(os.environ.get(VARIABLE) or "nowhere")
    if (named / system).is_dir():
        return named / system
    packed = named.parent / "games" / f"{system}.zip"
    return PathInZip(packed) if packed.is_file() else None


@dataclass(frozen=True, eq=False)
class Bench:
    """Everything that armies are judged by, read once. `sources` are the source's books by the
    keys of their catalogues.
    """

    sources: dict[Key, Book]
    library: Library = field(default_factory=shipped_library)
    system: str = SYSTEM

    @cached_property
    def names(self) -> dict[str, Names]:
        known = all_names(self.system)
        return {id_: one for id_, one in known.items() if one.catalogue in self.sources}

    @property
    def books(self) -> list[str]:
        return list(self.names)

    def catalogue(self, book: str) -> Catalogue:
        return self.library.catalogue(self.system, [book])

    def source(self, book: str) -> Book:
        return self.sources[self.names[book].catalogue]

    @cached_property
    def soils(self) -> dict[str, Soil]:
        """What armies of each book grow on."""
        soils = {}
        for book in self.books:
            data = self.library.shipped_data(self.system, book) or {}
            organisations = tuple(one["id"] for one in data.get("organisations", ()))
            source, names = self.source(book), self.names[book]
            words = words_of(source)
            tempting = (names.ours(place.id) for place in source.places if words.of(place))
            soils[book] = Soil(self.catalogue(book), organisations, frozenset().union(*tempting))
        return soils

    def army(self, book: str, seed: str, number: int) -> Document:
        """The army of this number of a book: the same for the same seed."""
        return grow(self.soils[book], Random(f"{seed}/{book}/{number}"))  # noqa: S311

    def judge(self, document: Document) -> Case:
        book = document["books"][0]["id"]
        catalogue, names = self.catalogue(book), self.names[book]
        return judge_twice(document, self.library, catalogue, self.sources, names)


def make_bench(system: str, folder: Folder) -> Bench:
    """A game's books that are in the box, with what other editions say of their units."""
    game = CATALOGUE_DIR / system
    books = {names.catalogue: names.book for names in all_names(system).values()}
    sources = {
        key: replace(source, facts=read_facts(game, books[key]))
        for key, source in read_folder(folder, books).items()
    }
    return Bench(sources, system=system)


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
        findings = {id(one.finding) for one in wrong if one.side == "program"}
        groundless = all(id(error) in findings for error in case.errors)
        tally.false_illegal += not case.report.legal and groundless

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
        total = Tally()
        for tally in self.tallies.values():
            for one in fields(Tally):
                both = getattr(total, one.name) + getattr(tally, one.name)
                setattr(total, one.name, both)
        return total


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


SORTS: tuple[Sort, ...] = ("rulebook", "reading", "slip", "known fault")
HEAD = (
    "book", "armies", "units", "legal", *SORTS, "not judged", "unexplained", "false-legal",
    "false-illegal", "wrong numbers",
)  # fmt: skip


def tell(result: Result) -> Iterator[str]:
    yield from _table([HEAD, *rows(result)])
    yield ""
    yield "Differences with a reason:"
    total = result.total.explained
    for one in REASONS:
        if not total[one]:
            continue
        yield f"{total[one]:>7}  {one.sort}: {one.name}. {one.why} [{one.source}]"
    if result.faults:
        yield ""
        yield "Known faults (book, unit, what, how often; the first army):"
        yield from _grouped(result.faults)
    if result.unexplained:
        yield ""
        yield "Differences that nobody has explained:"
        yield from _grouped(result.unexplained)


def rows(result: Result) -> Iterator[tuple[object, ...]]:
    """A row for each book, and one for all."""
    for book, tally in result.tallies.items():
        yield _row(book, tally)
    yield _row("all", result.total)


def sorts(tally: Tally) -> tuple[int, ...]:
    """How many differences have a reason of each sort."""
    by_sort: Counter[str] = Counter()
    for one, number in tally.explained.items():
        by_sort[one.sort] += number
    return tuple(by_sort[sort] for sort in SORTS)


def _row(name: str, tally: Tally) -> tuple[object, ...]:
    return (
        name, tally.armies, tally.units, tally.legal, *sorts(tally),
        tally.unchecked, tally.unexplained, tally.false_legal, tally.false_illegal,
        tally.wrong_numbers,
    )  # fmt: skip


def _table(lines: list[tuple[object, ...]]) -> Iterator[str]:
    widths = [max(len(str(line[n])) for line in lines) for n in range(len(lines[0]))]
    for line in lines:
        first, *rest = (str(cell) for cell in line)
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield "  ".join((first.ljust(widths[0]), *cells))


def _grouped(found: list[Found]) -> Iterator[str]:
    """The same difference once, with the smallest army it was found in."""
    groups: dict[str, list[Found]] = defaultdict(list)
    for one in found:
        groups[f"{one.difference.case.names.book}: {_without_numbers(one.difference)}"].append(one)
    for text, same in sorted(groups.items()):
        smallest = min(same, key=lambda one: len(one.difference.case.lines))
        yield f"{len(same):>7}  {text}  ({smallest.label})"


def _without_numbers(one: Difference) -> str:
    return str(one) if one.side != "numbers" else f"{one.kind}: {one.unit} {one.what}".rstrip()


def show(case: Case) -> Iterator[str]:
    """One army: the list, what both say of it, and where they differ."""
    yield json.dumps(case.document, indent=1, ensure_ascii=False)
    yield ""
    legal = "legal" if case.report.legal else "not legal"
    yield f"The program: {case.report.spent} points, {legal}"
    for finding in case.report.findings:
        yield f"- {finding.severity} {finding.code} {finding.about.text}: {sentence(finding)}"
    yield f"The source: {case.verdict.total:g} points"
    for fault in case.verdict.faults:
        numbers = f" {fault.measured:g} where {fault.side} {fault.allowed:g}" if fault.side else ""
        where = case.lines[fault.unit].pick.id + " " if fault.unit is not None else ""
        yield f"- {fault.kind}: {where}{fault.name}{numbers} {fault.wording} ({fault.answer})"
    yield "Differences:"
    for one in differences(case):
        known = reason(one)
        why = "not judged by the program" if unchecked(one) else known and known.name
        yield f"- {one}: {why or 'UNEXPLAINED'}"


def named(bench: Bench) -> Iterator[str]:
    """Every restriction in words of the files: book, entry, name, where it stands, the wording, and
    how many units reach it.
    """
    yield "\t".join(("book", "entry", "name", "stands in", "wording", "units", "which"))
    for book in bench.books:
        yield from _named_in(book, bench.source(book))


def _named_in(name: str, book: Book) -> Iterator[str]:
    words = words_of(book)
    reached: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for unit in book.units.values():
        for place in unit.walk():
            for one in words.of(place):
                name_ = " = ".join(place.names)
                reached[place.id, name_, one.source, one.wording].append(unit.name)
    for key, units in reached.items():
        which = dict.fromkeys(units)
        yield "\t".join((name, *key, str(len(which)), ", ".join(which)))
