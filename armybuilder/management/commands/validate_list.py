"""`manage.py validate_list FILE|DIR|ZIP|CORPUS...`: are these army lists legal, and why not?

Exit 0: all legal as far as checked, 1: one is not, 2: one could not be read. `--json` prints the
reports, `--report` writes a line for each list into a file. All cores judge where there may be many
lists, `--jobs` says how many; with `--dask`, the workers of a Dask cluster.
"""

import time
import uuid
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import get_language

from armybuilder.books.paths import is_own_id
from armybuilder.books.pinning import keeper_of_commands
from armybuilder.engine.citations import Severity
from armybuilder.engine.verdict import Outcome
from armybuilder.engine.wording import listed
from armybuilder.exchange.corpus_judging import LotAnswer, Wanted, judge_all
from armybuilder.exchange.dask_pool import dask_pool
from armybuilder.exchange.files import entries_of, may_hold_many
from armybuilder.exchange.report_rows import ToldList
from armybuilder.exchange.workers import Pool, cores, local_pool
from armybuilder.loading.archives import ArchiveEntry
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.library import Data, Keeper, shipped_library
from armybuilder.loading.packs import build_pack
from armybuilder.loading.problems import Refusal
from armybuilder.management.batch_reports import JsonArray, open_report

MOST_JOBS = 256
#: Seconds to wait for the first worker of a Dask cluster, and the most one may ask for.
DASK_WAIT, MOST_DASK_WAIT = 300, 86_400
#: Seconds after which a run is long; then as often it says how far it is.
LONG = 1.0


class Command(BaseCommand):
    help = "Check army lists (JSON documents, or tables) against the rules of their game."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE|DIR|ZIP|CORPUS")
        parser.add_argument("--json", action="store_true", help="print the reports as JSON")
        parser.add_argument(
            "--report", metavar="OUT.csv|json|html|parquet", help="a line for each list"
        )
        parser.add_argument(
            "--newest-books",
            action="store_true",
            help="judge by shipped books as they are now, whatever revisions lists name",
        )
        parser.add_argument(
            "--pack",
            metavar="ID|FILE",
            help="judge by an event pack too: one in the box, by its id, or a file",
        )
        workers = parser.add_mutually_exclusive_group()
        workers.add_argument("--jobs", type=_jobs, help="processes that judge (all cores)")
        workers.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler: tcp://host:8786")
        parser.add_argument(
            "--dask-wait",
            type=_seconds,
            default=DASK_WAIT,
            metavar="SECONDS",
            help=f"how long to wait for the first Dask worker ({DASK_WAIT})",
        )

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        counts: Counter[Outcome | None] = Counter()
        tell = _Telling(self, options["json"], bool(options["report"]))
        entries = _all_but(options["report"], entries_of(files))
        report_of_all = open_report(options["report"]) if options["report"] else nullcontext()
        try:
            keeper = _keeper(options["newest_books"])
            with self._pool(files, options) as pool, report_of_all as report:
                for answer in judge_all(entries, _wanted(options), keeper, pool):
                    counts += answer.counts
                    if report:
                        report.add(answer.rows)
                    tell.add(answer)
        except Refusal as refusal:
            raise CommandError(refusal.sentence, returncode=2) from refusal
        tell.finish(counts)
        if counts[None] or counts[Outcome.ILLEGAL]:
            raise SystemExit(2 if counts[None] else 1)

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


def _jobs(text: str) -> int:
    return _number(text, MOST_JOBS)


def _seconds(text: str) -> int:
    return _number(text, MOST_DASK_WAIT)


def _all_but(report: str | None, entries: Iterable[ArchiveEntry]) -> Iterator[ArchiveEntry]:
    """The report may stand in a folder that is judged: it is no list."""
    if not report:
        yield from entries
        return
    its_own, name = Path(report).resolve(), Path(report).name
    for entry in entries:
        if not (entry.name.endswith(name) and Path(entry.name).resolve() == its_own):
            yield entry


def _pack(name: str) -> Data:
    """Return the content of a pack in the box, or of a file. Raises Refusal where it is neither, or
    where the file has a mistake.
    """
    library = shipped_library()
    if name in library.packs:
        return library.packs[name].data
    try:
        raw = Path(name).read_bytes()
    except OSError as error:
        known = listed(sorted(library.packs))
        said = f"There is no pack “{name}”, and no such file. In the box: {known}."
        raise Refusal(said) from error
    data: Data = parse_json(raw, MAX_BYTES, MAX_DEPTH)
    problems = build_pack(data, library.systems, name)[1]
    if problems:
        raise Refusal("\n".join(map(str, problems)), problems)
    return data


def _wanted(options: Any) -> Wanted:
    report = Path(options["report"] or "").suffix.lower()
    lines = not report or options["json"]
    pack = _pack(options["pack"]) if options["pack"] else None
    return Wanted(uuid.uuid4().hex, get_language(), report, options["json"], lines, pack)


def _keeper(newest: bool) -> Keeper:
    """Finds the books that this site keeps for lists: none where it has no tables yet, and of
    shipped ones none where the newest count.
    """
    kept = keeper_of_commands()

    @lru_cache(maxsize=100)
    def found(book_id: str, revision: str) -> Data | None:
        if newest and not is_own_id(book_id):
            return None
        return kept(book_id, revision)

    return found


class _Telling:
    """Says the outcome of lists: each as it is judged, as text or JSON. With a report, which says
    that, only those that cannot be read and how many there are.
    """

    def __init__(self, command: BaseCommand, as_json: bool, reported: bool) -> None:
        self.out = command.stdout
        self.err = command.stderr
        self.array = JsonArray(partial(self.out.write, ending=""), 2) if as_json else None
        self.reported = reported
        self.begun = self.said = time.monotonic()
        #: Only where it stands between no other words.
        self.shows_progress = self.err.isatty() and (reported or not self.out.isatty())
        self.number = 0

    def add(self, answer: LotAnswer) -> None:
        """Some lists more."""
        self.number += answer.counts.total()
        for outcome in answer.lines:
            self._add(outcome)
        self._progress()

    def _add(self, outcome: ToldList) -> None:
        if outcome.line.legal is None:
            self._unreadable(outcome)
        if self.array:
            unread = {"unreadable": outcome.line.problem}
            self.array.add({"file": outcome.file, **(outcome.data or unread)})
        elif outcome.line.legal is not None and not self.reported:
            self._print(outcome)

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
        verdict = line.verdict_sentence[0].lower() + line.verdict_sentence[1:]
        if line.game_verdict:
            verdict = f"at the event {verdict} (in the game: {line.game_verdict})"
        points = f"{line.spent} of {line.limit} points"
        self.out.write(f"{outcome.file}: {line.name}: {verdict}, {points}")
        for said in line.findings:
            error = said.severity == Severity.ERROR
            what = f"{said.severity}, {said.state}" if error else said.severity
            whose = f"{said.origin}, " if line.game_verdict else ""
            self.out.write(f"  {whose}{what}: {said.sentence} [{said.code}; {said.citation}]")
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
