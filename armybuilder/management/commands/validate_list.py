"""`manage.py validate_list FILE|DIR|ZIP...`: are these army lists legal, and why not?

Exit 0: all legal as far as checked, 1: one is not, 2: one could not be read. `--json` prints the
reports, `--report` writes a line for each list into a file, `--jobs` lets several processes judge.
"""

import time
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from armybuilder.engine.verdict import Outcome
from armybuilder.exchange.batch import BatchLine, line_of
from armybuilder.exchange.files import entries_of, read_entry
from armybuilder.exchange.report_data import report_data
from armybuilder.exchange.workers import work_through
from armybuilder.loading.archives import ArchiveEntry
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.management.batch_reports import JsonArray, open_report

MOST_JOBS = 64
#: Seconds after which a run is long; then as often it says how far it is.
LONG = 1.0


@dataclass(frozen=True, slots=True)
class ToldList:
    """The outcome of the list in one file; `data` is its report, where that is asked for."""

    file: str
    line: BatchLine
    data: dict[str, Any] | None


class Command(BaseCommand):
    help = "Check army lists (JSON documents, or tables) against the rules of their game."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE|DIR|ZIP")
        parser.add_argument("--json", action="store_true", help="print the reports as JSON")
        parser.add_argument("--jobs", type=_jobs, default=1, help="processes that judge")
        parser.add_argument("--report", metavar="OUT.csv|json|html", help="a line for each list")

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        counts: Counter[Outcome | None] = Counter()
        tell = _Telling(self, options["json"], bool(options["report"]))
        entries = _all_but(options["report"], entries_of(files))
        outcomes = _outcomes(entries, options["json"], options["jobs"])
        report_of_all = open_report(options["report"]) if options["report"] else nullcontext()
        try:
            with closing(outcomes), report_of_all as report:
                for outcome in outcomes:
                    counts[outcome.line.outcome] += 1
                    if report:
                        report.add(outcome.file, outcome.line)
                    tell.add(outcome)
        except Refusal as refusal:
            raise CommandError(refusal.sentence, returncode=2) from refusal
        tell.finish(counts)
        if counts[None] or counts[Outcome.ILLEGAL]:
            raise SystemExit(2 if counts[None] else 1)


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_JOBS:
        raise ArgumentTypeError(f"a number from 1 to {MOST_JOBS} is needed")
    return int(text)


def _all_but(report: str | None, entries: Iterable[ArchiveEntry]) -> Iterator[ArchiveEntry]:
    """Return the report may stand in a folder that is judged: it is no list."""
    its_own = Path(report).resolve() if report else None
    return (entry for entry in entries if not its_own or Path(entry.name).resolve() != its_own)


def _outcomes(
    entries: Iterable[ArchiveEntry], with_data: bool, jobs: int
) -> Generator[ToldList, None, None]:
    """Return what becomes of each list, in their order."""
    shipped_library()  # before other processes are made, which then have it, too
    if jobs > 1:
        connections.close_all()  # one connection cannot be had by several processes
    return work_through(partial(_outcome, with_data), entries, jobs)


def _outcome(with_data: bool, entry: ArchiveEntry) -> ToldList:
    line, report = line_of(partial(read_entry, entry), shipped_library())
    return ToldList(entry.name, line, report_data(report) if with_data and report else None)


class _Telling:
    """Tells the outcome of each list as text or JSON; beside a report only unreadable ones."""

    def __init__(self, command: BaseCommand, as_json: bool, reported: bool) -> None:
        self.out = command.stdout
        self.err = command.stderr
        self.array = JsonArray(partial(self.out.write, ending=""), 2) if as_json else None
        self.reported = reported
        self.begun = self.said = time.monotonic()
        #: Only where it stands between no other words.
        self.shows_progress = self.err.isatty() and (reported or not self.out.isatty())
        self.number = 0

    def add(self, outcome: ToldList) -> None:
        """One list more."""
        self.number += 1
        if outcome.line.legal is None:
            self._unreadable(outcome)
        if self.array:
            unread = {"unreadable": outcome.line.problem}
            self.array.add({"file": outcome.file, **(outcome.data or unread)})
        elif outcome.line.legal is not None and not self.reported:
            self._print(outcome)
        self._progress()

    def finish(self, counts: Counter[Outcome | None]) -> None:
        """No list follows."""
        self._clear()
        if self.array:
            self.array.finish()
        elif self.reported:
            seconds = time.monotonic() - self.begun
            self.out.write(
                f"{self.number} lists in {seconds:.1f} s: {counts[Outcome.LEGAL]} legal,"
                f" {counts[Outcome.UNCHECKED]} legal as far as checked,"
                f" {counts[Outcome.ILLEGAL]} not legal, {counts[None]} unreadable"
            )

    def _unreadable(self, outcome: ToldList) -> None:
        self._clear()
        self.err.write(f"{outcome.file}: {outcome.line.problem}")
        for problem in outcome.line.problems:
            self.err.write(f"  {problem}")

    def _print(self, outcome: ToldList) -> None:
        line = outcome.line
        verdict = line.verdict[0].lower() + line.verdict[1:]
        points = f"{line.spent} of {line.limit} points"
        self.out.write(f"{outcome.file}: {line.name}: {verdict}, {points}")
        for said in line.findings:
            self.out.write(f"  {said.severity}: {said.sentence} [{said.code}; {said.citation}]")
        for sentence in line.unchecked:
            self.out.write(f"  not checked: {sentence}")

    def _progress(self) -> None:
        now = time.monotonic()
        if self.shows_progress and now - self.said > LONG:
            self.said = now
            pace = self.number / (now - self.begun)
            self._write_over(f"{self.number} lists, {pace:.0f} a second")

    def _clear(self) -> None:
        if self.shows_progress:
            self._write_over("")

    def _write_over(self, text: str) -> None:
        """In the place of what the line said before, and not in the colour of complaints."""
        self.err.write(f"\r\x1b[K{text}", style_func=str, ending="")
        self.err.flush()
