"""What came of a run, in words: tables for whoever ran it."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator

from armybuilder.engine.sentences import sentence
from tests.second_reading.comparing import Case, Difference, differences
from tests.second_reading.expecting import Sort, unchecked
from tests.second_reading.reader.books import Book
from tests.second_reading.reader.wordings import words_of
from tests.second_reading.reasons import REASONS, reason
from tests.second_reading.running import Bench, Found, Result, Tally

SORTS: tuple[Sort, ...] = ("rulebook", "reading", "slip", "known fault")
HEAD = (
    "book", "armies", "units", "legal", *SORTS, "not judged", "unexplained", "false-legal",
    "false-illegal", "wrong numbers",
)  # fmt: skip


def tell(result: Result) -> Iterator[str]:
    """The whole report of a run, line by line."""
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
