"""Reports on many lists, written while the lists are judged: CSV, JSON, Parquet, or one page of
HTML. Their rows come in lots, as `exchange/report_rows.py` makes them.
"""

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile
from textwrap import indent
from typing import IO, Any, Protocol

from django.contrib.staticfiles import finders
from django.template.loader import get_template, render_to_string
from django.utils.translation import gettext as _

from armybuilder.engine.verdict import Outcome
from armybuilder.engine.wording import either
from armybuilder.exchange.batch import BatchLine
from armybuilder.exchange.report_rows import ToldList
from armybuilder.loading.problems import Refusal
from armybuilder.management.parquet_report import ParquetReport

_COLUMNS = (
    *("file", "name", "game", "verdict", "points", "limit"),
    *("codes", "not checked", "problem", "seconds"),
)
#: Style sheets of the page, which stands alone; and the place in it for what is drawn of lists.
_STYLES = (
    "armybuilder/css/tokens.css",
    "armybuilder/css/base.css",
    "armybuilder/css/components.css",
    "armybuilder/css/batch.css",
)
_HERE = "<!-- lists -->"


class ReportWriter(Protocol):
    """Writes a report: rows for the lists, and what comes last."""

    def add(self, rows: Any) -> None:
        """The rows of some lists more, made by `ROWS`."""

    def finish(self) -> None:
        """No list follows."""

    def close(self) -> None:
        """Nothing is written any more, whether it is whole or not."""


@contextmanager
def open_report(path: str) -> Iterator[ReportWriter]:
    """A report into a file, whose ending says of what kind; it is whole when this is left.

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


class JsonArray:
    """Writes a JSON array, one value after the other, so that none waits for the others. `deep` is
    by how much each is set in; where it is None, each stands in one line.
    """

    def __init__(self, write: Callable[[str], object], deep: int | None = None) -> None:
        self.write = write
        self.deep = deep
        self.before = "[\n"

    def add(self, value: Any) -> None:
        """One value more."""
        text = json.dumps(value, indent=self.deep, ensure_ascii=False)
        self.add_text(indent(text, " " * (self.deep or 0)))

    def add_text(self, text: str) -> None:
        """One value more, or several with commas between, as JSON."""
        self.write(self.before + text)
        self.before = ",\n"

    def finish(self) -> None:
        """No value follows."""
        self.write("[]\n" if self.before.startswith("[") else "\n]\n")


class _TextReport:
    def __init__(self, file: IO[bytes], held: IO[bytes]) -> None:
        self.file = TextIOWrapper(file, encoding="utf-8", newline="")
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
        self.array.add_text(rows)

    def finish(self) -> None:
        self.array.finish()


class _Csv(_TextReport):
    def __init__(self, file: IO[bytes], held: IO[bytes]) -> None:
        super().__init__(file, held)
        csv.writer(self.file).writerow(_COLUMNS)

    def add(self, rows: str) -> None:
        self.file.write(rows)


class _Html(_TextReport):
    """The worst lists come first. What is drawn of each is held in a file until all are known, so
    that memory does not grow with them.
    """

    def __init__(self, file: IO[bytes], held: IO[bytes]) -> None:
        super().__init__(file, held)
        self.parts = [
            get_template(f"management/_batch_{part}.html") for part in ("row", "findings")
        ]
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
        *texts, last = render_to_string("management/batch.html", context).split(_HERE)
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
    """Sorts lists, the worst first: unreadable, not legal, not checked in full, doubtful, legal; of
    those, the more is wrong the sooner.
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
    return "\n".join(Path(name).read_text(encoding="utf-8") for name in found if name)


#: Each writes into the first file, and may hold back what comes later in the second.
_KINDS: Mapping[str, Callable[[IO[bytes], IO[bytes]], ReportWriter]] = {
    ".csv": _Csv,
    ".json": _Json,
    ".html": _Html,
    ".parquet": ParquetReport,
}
