"""Reports on many lists: CSV, JSON, Parquet, or one page of HTML.

A worker makes the rows of its lists (`ROWS`), in the form that the kind of file takes; the command
writes them while further lists are judged (`open_report`).
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Protocol

from django.contrib.staticfiles import finders
from django.template.loader import get_template, render_to_string
from django.utils.translation import gettext as _

from armybuilder.engine.verdict import Outcome
from armybuilder.engine.wording import either
from armybuilder.exchange.batch import BatchLine, Said, line_data
from armybuilder.exchange.csvs import safe_text
from armybuilder.loading.problems import Refusal
from armybuilder.management.commands.validate_list import JsonArray

_COLUMNS = (
    *("file", "name", "game", "verdict", "points", "limit"),
    *("codes", "not checked", "problem", "seconds"),
)
#: Style sheets of the page, which stands alone; and the place in it for what is drawn of lists.
_STYLES = (
    "armybuilder/css/tokens.css",
    "armybuilder/css/base.css",
    "armybuilder/css/components.css",
)
_HERE = "<!-- lists -->"


@dataclass(frozen=True, slots=True)
class ToldList:
    """The outcome of the list in one file; `data` is its report, where that is asked for."""

    file: str
    line: BatchLine
    data: dict[str, Any] | None = None


#: What a table says of a list, by its outcome.
VERDICTS = {
    Outcome.LEGAL: "legal",
    Outcome.UNCHECKED: "legal as far as checked",
    Outcome.ILLEGAL: "not legal",
    None: "unreadable",
}


def csv_rows(lists: Sequence[ToldList]) -> str:
    """Rows of a CSV table, each with its end."""
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    for told in lists:
        line = told.line
        cells = (
            *(told.file, line.name, line.game, VERDICTS[line.outcome], line.spent, line.limit),
            *(" ".join(line.codes), " ".join(line.unchecked), line.problem),
            f"{line.seconds:.4f}",
        )
        rows.writerow([safe_text(cell) if isinstance(cell, str) else cell for cell in cells])
    return text.getvalue()


def json_rows(lists: Sequence[ToldList]) -> str:
    """JSON objects, a line for each, with commas between."""
    texts = [json.dumps(_data(told), ensure_ascii=False) for told in lists]
    return ",\n".join(texts)


def _data(told: ToldList) -> dict[str, Any]:
    findings = [finding._asdict() for finding in told.line.findings]
    problems = [problem.data() for problem in told.line.problems]
    data = line_data(told.line)
    return {"file": told.file, **data, "findings": findings, "problems": problems}


@lru_cache(maxsize=1)
def parquet_schema() -> Any:
    """Return the columns of a Parquet report: those of the JSON report, and the verdict in words.

    There are no seconds, so that equal verdicts are equal bytes.
    """
    import pyarrow

    text, whole = pyarrow.string(), pyarrow.int64()
    finding = pyarrow.struct([(key, text) for key in Said._fields])
    problem = pyarrow.struct([(key, text) for key in ("pointer", "detail", "advice")])
    return pyarrow.schema(
        [
            *(("file", text), ("name", text), ("game", text), ("verdict", text)),
            *(("legal", pyarrow.bool_()), ("complete", pyarrow.bool_())),
            *(("spent", whole), ("limit", whole), ("codes", pyarrow.list_(text))),
            *(("unchecked", pyarrow.list_(text)), ("reservation", text), ("problem", text)),
            *(("findings", pyarrow.list_(finding)), ("problems", pyarrow.list_(problem))),
        ]
    )


def parquet_rows(lists: Sequence[ToldList]) -> bytes:
    """Return a batch of rows of `parquet_schema`, in Arrow's stream format."""
    import pyarrow

    rows = [{**_data(told), "verdict": VERDICTS[told.line.outcome]} for told in lists]
    batch = pyarrow.RecordBatch.from_pylist(rows, parquet_schema())
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    raw: bytes = sink.getvalue().to_pybytes()
    return raw


#: What makes rows, by how the name of the report ends. A page is drawn where it is written, since
#: its rows count the lists.
ROWS: Mapping[str, Callable[[Sequence[ToldList]], Any]] = {
    ".csv": csv_rows,
    ".json": json_rows,
    ".html": list,
    ".parquet": parquet_rows,
}


class ReportWriter(Protocol):
    """Writes a report: rows for the lists, and what comes last."""

    def add(self, rows: Any) -> None:
        """Write the rows of some lists more, made by `ROWS`."""

    def finish(self) -> None:
        """No list follows."""

    def close(self) -> None:
        """Nothing is written any more, whether it is whole or not."""


@contextmanager
def open_report(path: str) -> Iterator[ReportWriter]:
    """Return a report into a file, whose ending says of what kind; it is whole when this is left.

    Raises Refusal where there is no such kind, or the file cannot be written.
    """
    make = _KINDS.get(Path(path).suffix.lower())
    if make is None:
        said = _("The file name of a report ends in {endings}.")
        raise Refusal(said.format(endings=either(_KINDS)))
    try:
        with (
            open(path, "wb") as raw,
            TemporaryFile() as held,
            closing(make(raw, held)) as writer,
        ):
            yield writer
            writer.finish()
    except OSError as error:
        said = _("The report cannot be written: {reason}.")
        raise Refusal(said.format(reason=error.strerror)) from error


class _TextReport:
    def __init__(self, file: IO[bytes], held: IO[bytes]) -> None:
        self.file = io.TextIOWrapper(file, encoding="utf-8", newline="")
        self.held = held

    def finish(self) -> None:
        """Most end where their rows do."""

    def close(self) -> None:
        self.file.close()


class _Json(_TextReport):
    def __init__(self, file: IO[bytes], held: IO[bytes]) -> None:
        super().__init__(file, held)
        self.array = JsonArray(self.file.write)

    def add(self, rows: str) -> None:
        self.array.add(rows)

    def finish(self) -> None:
        self.array.finish()


class _Csv(_TextReport):
    def __init__(self, file: IO[bytes], held: IO[bytes]) -> None:
        super().__init__(file, held)
        csv.writer(self.file).writerow(_COLUMNS)

    def add(self, rows: str) -> None:
        self.file.write(rows)


class _Html(_TextReport):
    """A page with the worst lists first.

    What is drawn of each is held in a file until all are known, so that memory does not grow with
    them.
    """

    def __init__(self, file: IO[bytes], held: IO[bytes]) -> None:
        super().__init__(file, held)
        self.parts = [get_template(f"listcorpus/_{part}.html") for part in ("row", "findings")]
        #: For each list how good it is, and where in the file its parts begin, and the last ends.
        self.places: list[tuple[tuple[int, int, int], list[int]]] = []
        self.counts: Counter[Outcome | None] = Counter()
        self.told = False

    def add(self, rows: Sequence[ToldList]) -> None:
        for told in rows:
            self._add(told.file, told.line)

    def _add(self, file: str, line: BatchLine) -> None:
        number = len(self.places) + 1
        milliseconds = f"{line.seconds * 1000:.1f}"
        context = {"file": file, "line": line, "number": number, "milliseconds": milliseconds}
        ends = [self.held.tell()]
        for part in self.parts:
            self.held.write(part.render(context).encode())
            ends.append(self.held.tell())
        self.places.append(((*_goodness(line), number), ends))
        self.counts[line.outcome] += 1
        self.told |= bool(line.findings or line.unchecked or line.problem)

    def finish(self) -> None:
        self.places.sort()
        context = {
            "styles": _styles(),
            "here": _HERE,
            "total": len(self.places),
            "legal": self.counts[Outcome.LEGAL],
            "unchecked": self.counts[Outcome.UNCHECKED],
            "illegal": self.counts[Outcome.ILLEGAL],
            "unreadable": self.counts[None],
            "told": self.told,
        }
        *texts, last = render_to_string("listcorpus/report.html", context).split(_HERE)
        for part, text in enumerate(texts):
            self.file.write(text)
            self.file.writelines(self._pieces(part))
        self.file.write(last)

    def _pieces(self, part: int) -> Iterator[str]:
        """One part of every list, in their order."""
        for _good, ends in self.places:
            self.held.seek(ends[part])
            yield self.held.read(ends[part + 1] - ends[part]).decode()


def _goodness(line: BatchLine) -> tuple[int, int]:
    """Return what sorts lists, the worst first.

    Unreadable, not legal, not checked in full, doubtful, legal; of those, the more is wrong the
    sooner.
    """
    if line.legal is None:
        return 0, -len(line.problems)
    severities = Counter(finding.severity for finding in line.findings)
    numbers = (severities["error"], len(line.unchecked), severities["warning"])
    for place, number in enumerate(numbers, start=1):
        if number:
            return place, -number
    return len(numbers) + 1, 0


def _styles() -> str:
    found = [finders.find(name) for name in _STYLES]
    files = [*(Path(name) for name in found if name), Path(__file__).with_name("report.css")]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


#: Rows of a row group: what is held in memory, and what a reader gets at once.
GROUP = 8_192


class ParquetReport:
    """A writer that gathers rows until they fill a row group.

    So the file does not depend on the lots that they came in.
    """

    def __init__(self, file: IO[bytes], _held: IO[bytes]) -> None:
        from pyarrow import parquet

        self.schema = parquet_schema()
        self.writer = parquet.ParquetWriter(file, self.schema, compression="zstd")
        self.batches: list[Any] = []
        self.rows = 0

    def add(self, rows: bytes) -> None:
        """Add rows, as `parquet_rows` makes them."""
        import pyarrow

        with pyarrow.ipc.open_stream(rows) as stream:
            for batch in stream:
                self.batches.append(batch)
                self.rows += batch.num_rows
        if self.rows >= GROUP:
            table = self._table()
            whole = self.rows - self.rows % GROUP
            self.writer.write_table(table.slice(0, whole), row_group_size=GROUP)
            self.batches = table.slice(whole).to_batches()
            self.rows -= whole

    def finish(self) -> None:
        """Write what is left."""
        if self.rows:
            self.writer.write_table(self._table(), row_group_size=GROUP)

    def close(self) -> None:
        """Leave the file as it is."""
        self.writer.close()

    def _table(self) -> Any:
        import pyarrow

        return pyarrow.Table.from_batches(self.batches, self.schema).combine_chunks()


#: Each writes into the first file, and may hold back what comes later in the second.
_KINDS: Mapping[str, Callable[[IO[bytes], IO[bytes]], ReportWriter]] = {
    ".csv": _Csv,
    ".json": _Json,
    ".html": _Html,
    ".parquet": ParquetReport,
}
