"""Judging a corpus by a pool of workers: lots of lists out, outcomes and rows of a report back.

A worker asks no database. Books that lists pin it asks for with its answer, gets them with the same
lot once more, and keeps them for the run. It writes the rows of the report itself, so that whoever
puts them together is never what all others wait for.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

import armybuilder
from armybuilder.engine.verdict import Outcome
from armybuilder.exchange.batch import line_of, report_data
from armybuilder.exchange.files import read_entry
from armybuilder.loading.archives import ArchiveEntry
from armybuilder.loading.library import Data, Keeper, Library, shipped_library
from armybuilder.loading.packs import Pack, build_pack
from armybuilder.loading.problems import Refusal
from listcorpus.pools import Pool, work_through
from listcorpus.reports import ROWS, ToldList

#: A book and one of its revisions.
Pin = tuple[str, str]

#: Books that a worker keeps for a run, and runs that it keeps any for.
MOST_BOOKS = 1_000
MOST_RUNS = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted of each lot.

    `run` is another text for each run; `report` how the name of the report ends, or ""; `data`
    whether the whole report on each list is to come back, `lines` whether its line is (else only
    those of lists that cannot be read); `pack` the content of the event pack by which lists are
    judged.
    """

    run: str
    language: str | None
    report: str = ""
    data: bool = False
    lines: bool = True
    pack: Data | None = None


@dataclass(frozen=True, slots=True)
class LotAnswer:
    """The outcome of a lot.

    Where `missing` names books, it is to be judged again with them. `rows` are those of the report,
    in the form that its writer takes; `made` is what judged.
    """

    counts: Counter[Outcome | None]
    lines: tuple[ToldList, ...]
    rows: Any
    missing: frozenset[Pin]
    made: str


@dataclass(slots=True)
class _Books:
    """Books that came with a lot, None where nobody has them, and those that are missing."""

    given: Mapping[Pin, Data | None]
    missing: set[Pin] = field(default_factory=set)


_books: ContextVar[_Books] = ContextVar("books")


class _Run:
    """What a worker keeps for one run."""

    def __init__(self) -> None:
        self.library = shipped_library().asking(self._find)
        self.kept: dict[Pin, Data | None] = {}
        self.pack: Pack | None = None

    def keep(self, books: Mapping[Pin, Data | None]) -> None:
        """Keep these books; the oldest go where there are too many."""
        self.kept = dict([*{**self.kept, **books}.items()][-MOST_BOOKS:])

    def read_pack(self, data: Data | None) -> Pack | None:
        """Return the pack of the run, read once. Raises Refusal where it has a mistake."""
        if data is not None and self.pack is None:
            self.pack, problems = build_pack(data, self.library.systems, "pack")
            if self.pack is None:
                raise Refusal(str(problems[0]), problems)
        return self.pack

    def _find(self, book_id: str, revision: str) -> Data | None:
        pin, books = (book_id, revision), _books.get()
        for known in (books.given, self.kept):
            if pin in known:
                return known[pin]
        books.missing.add(pin)
        return None


@lru_cache(maxsize=MOST_RUNS)
def _run(_name: str) -> _Run:
    return _Run()


def judge_all(
    entries: Iterable[ArchiveEntry], wanted: Wanted, keeper: Keeper, pool: Pool
) -> Iterator[LotAnswer]:
    """Yield the outcomes of the lists, lot by lot in their order.

    The keeper has the books that they pin. Raises Refusal where a worker has another version of the
    app or its catalogues, and as the pool does.
    """
    mine = fingerprint()
    work = partial(judge_lot, wanted, {})
    for lot, first in work_through(work, entries, pool):
        answer, books = first, dict[Pin, Data | None]()
        while answer.missing:
            books |= {pin: keeper(*pin) for pin in answer.missing}
            answer = pool.submit(judge_lot, wanted, books, lot).result()
        if answer.made != mine:
            raise Refusal(
                _("A worker has another version of the app or of its books. Install the same one.")
            )
        yield answer


def judge_lot(
    wanted: Wanted, books: Mapping[Pin, Data | None], lot: Sequence[ArchiveEntry]
) -> LotAnswer:
    """Return the outcomes of a lot; `books` are those that an earlier answer missed."""
    run = _run(wanted.run)
    run.keep(books)
    pack = run.read_pack(wanted.pack)
    about = _Books(books)
    token = _books.set(about)
    try:
        with override(wanted.language):
            told = [_told(entry, run.library, pack, wanted.data) for entry in lot]
    finally:
        _books.reset(token)
    missing = frozenset(about.missing)
    return LotAnswer(
        counts=Counter(one.line.outcome for one in told),
        lines=tuple(one for one in told if wanted.lines or one.line.legal is None),
        rows=ROWS[wanted.report](told) if wanted.report and not missing else None,
        missing=missing,
        made=fingerprint(),
    )


def _told(entry: ArchiveEntry, library: Library, pack: Pack | None, with_data: bool) -> ToldList:
    line, report = line_of(partial(read_entry, entry), library, pack)
    return ToldList(entry.name, line, report_data(report) if with_data and report else None)


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Return a digest of program, games and books; where it is equal, verdicts are equal."""
    library = shipped_library()
    digest = sha256(armybuilder.__version__.encode())
    for package in (Path(armybuilder.__file__).parent, Path(__file__).parent):
        for file in sorted(package.rglob("*.py")):
            digest.update(file.relative_to(package).as_posix().encode() + file.read_bytes())
    for system_id, system in sorted(library.systems.items()):
        revisions = {book.id: book.revision for book in library.books[system_id].values()}
        digest.update(repr((system_id, system.revision, sorted(revisions.items()))).encode())
    return digest.hexdigest()
