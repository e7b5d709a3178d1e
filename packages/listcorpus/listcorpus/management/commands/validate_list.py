"""`manage.py validate_list FILE|DIR|ZIP|CORPUS...`: the app's command, with corpora and reports.

`--report` writes a line for each list into a file. All cores judge where there may be many lists,
`--jobs` says how many; with `--dask`, the workers of a Dask cluster.
"""

import time
import uuid
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import get_language

from armybuilder.engine.verdict import Outcome
from armybuilder.exchange.files import TEXT_ENDINGS, entries_of
from armybuilder.loading.archives import ArchiveEntry
from armybuilder.loading.problems import Refusal
from armybuilder.management.commands import validate_list
from armybuilder.management.commands.validate_list import exit_with, keeper, read_pack
from listcorpus.corpora import CORPORA
from listcorpus.judging import LotAnswer, Wanted, judge_all
from listcorpus.pools import Pool, cores, dask_pool, local_pool
from listcorpus.reports import open_report

MOST_JOBS = 256
#: Seconds to wait for the first worker of a Dask cluster, and the most one may ask for.
DASK_WAIT, MOST_DASK_WAIT = 300, 86_400
#: Seconds after which a run is long; then as often it says how far it is.
LONG = 1.0
#: Bytes of a text that probably holds many lists.
LONG_TEXT = 16 * 1024


class Command(validate_list.Command):
    def add_corpus_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--report", metavar="OUT.csv|json|html|parquet", help="a line for each list"
        )
        workers = parser.add_mutually_exclusive_group()
        jobs = partial(_number, most=MOST_JOBS)
        workers.add_argument("--jobs", type=jobs, help="processes that judge (all cores)")
        workers.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler: tcp://host:8786")
        parser.add_argument(
            "--dask-wait",
            type=partial(_number, most=MOST_DASK_WAIT),
            default=DASK_WAIT,
            metavar="SECONDS",
            help=f"how long to wait for the first Dask worker ({DASK_WAIT})",
        )

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        counts: Counter[Outcome | None] = Counter()
        path: str | None = options["report"]
        printer = _ProgressPrinter(self, options["json"], bool(path))
        entries = _all_but(path, entries_of(files, CORPORA))
        try:
            with (
                self._pool(files, options) as pool,
                open_report(path) if path else nullcontext() as report,
            ):
                books = keeper(options["newest_books"])
                for answer in judge_all(entries, _wanted(options), books, pool):
                    counts += answer.counts
                    if report:
                        report.add(answer.rows)
                    printer.add_lot(answer)
        except Refusal as refusal:
            raise CommandError(refusal.sentence, returncode=2) from refusal
        printer.finish_all(counts)
        exit_with(set(counts))

    def _pool(self, files: list[str], options: Any) -> AbstractContextManager[Pool]:
        if options["dask"]:
            return dask_pool(options["dask"], options["dask_wait"], self.stderr.write)
        jobs: int | None = options["jobs"]
        if jobs is None:
            jobs = min(cores(), MOST_JOBS) if any(map(may_hold_many, files)) else 1
        return local_pool(jobs)


def _number(text: str, most: int) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise ArgumentTypeError(f"a number from 1 to {most} is needed")
    return int(text)


def may_hold_many(path: str) -> bool:
    """Return whether it is a folder, a zip or a corpus, by its name, or a long text."""
    file = Path(path)
    if file.is_dir() or path.lower().endswith((".zip", *CORPORA)):
        return True
    long = file.is_file() and file.stat().st_size > LONG_TEXT
    return path.lower().endswith(TEXT_ENDINGS) and long


def _all_but(report: str | None, entries: Iterable[ArchiveEntry]) -> Iterator[ArchiveEntry]:
    """Yield the lists without the report, which may stand in a folder that is judged."""
    if not report:
        yield from entries
        return
    its_own, name = Path(report).resolve(), Path(report).name
    for entry in entries:
        if not (entry.name.endswith(name) and Path(entry.name).resolve() == its_own):
            yield entry


def _wanted(options: Any) -> Wanted:
    report = Path(options["report"] or "").suffix.lower()
    lines = not report or options["json"]
    pack = read_pack(options["pack"]).data if options["pack"] else None
    return Wanted(uuid.uuid4().hex, get_language(), report, options["json"], lines, pack)


class _ProgressPrinter(validate_list.ListPrinter):
    """Prints lists, how far a long run is, and, beside a report, how many lists there were."""

    def __init__(self, command: Command, as_json: bool, reported: bool) -> None:
        super().__init__(command, as_json, quiet=reported)
        self.begun = self.said = time.monotonic()
        #: Only where it stands between no other words.
        self.shows_progress = self.err.isatty() and (reported or not self.out.isatty())
        self.number = 0

    def add_lot(self, answer: LotAnswer) -> None:
        """Print some lists more."""
        self.number += answer.counts.total()
        for told in answer.lines:
            if told.line.legal is None:
                self._clear()
            self.add(told.file, told.line, told.data)
        now = time.monotonic()
        if self.shows_progress and now - self.said > LONG:
            self.said = now
            pace = self.number / (now - self.begun)
            self._write_over(f"{self.number} lists, {pace:.0f} a second")

    def finish_all(self, counts: Counter[Outcome | None]) -> None:
        """Print the end, and the number of lists of each verdict."""
        self._clear()
        self.finish()
        if self.quiet and not self.array:
            seconds = time.monotonic() - self.begun
            self.out.write(
                f"{self.number} lists in {seconds:.1f} s: {counts[Outcome.LEGAL]} legal,"
                f" {counts[Outcome.UNCHECKED]} legal as far as checked,"
                f" {counts[Outcome.ILLEGAL]} not legal, {counts[None]} unreadable"
            )

    def _clear(self) -> None:
        if self.shows_progress:
            self._write_over("")

    def _write_over(self, text: str) -> None:
        """Write in the place of what the line said before, and not in the colour of complaints."""
        self.err.write(f"\r\x1b[K{text}", style_func=str, ending="")
        self.err.flush()
