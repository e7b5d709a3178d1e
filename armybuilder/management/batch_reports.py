"""Reports on many lists, written while the lists are judged: CSV, JSON, or one page of HTML."""

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from textwrap import indent
from typing import IO, Any

from django.contrib.staticfiles import finders
from django.template.loader import get_template, render_to_string
from django.utils.translation import gettext as _

from armybuilder.engine.verdict import Outcome
from armybuilder.engine.wording import either
from armybuilder.exchange.batch import BatchLine, line_data
from armybuilder.exchange.cells import safe_text
from armybuilder.loading.problems import Refusal

_COLUMNS = (
    *("file", "name", "game", "verdict", "points", "limit"),
    *("codes", "not checked", "problem", "seconds"),
)
#: What a table says of a list, by its outcome.
_VERDICTS = {
    Outcome.LEGAL: "legal",
    Outcome.UNCHECKED: "legal as far as checked",
    Outcome.ILLEGAL: "not legal",
    None: "unreadable",
}
#: Style sheets of the page, which stands alone; and the place in it for what is drawn of lists.
_STYLES = (
    "armybuilder/css/tokens.css",
    "armybuilder/css/base.css",
    "armybuilder/css/components.css",
    "armybuilder/css/batch.css",
)
_HERE = "<!-- lists -->"


@contextmanager
def open_report(path: str) -> Iterator["ReportWriter"]:
    """Open a report, whole when it is left; the file's ending says of what kind.

    Raises Refusal where there is no such kind, or the file cannot be written.
    """
    make = _KINDS.get(Path(path).suffix.lower())
    if make is None:
        said = _("The name of a report ends in {endings}.")
        raise Refusal(said.format(endings=either(_KINDS)))
    try:
        with open(path, "w", encoding="utf-8", newline="") as file, TemporaryFile() as held:
            writer = make(file, held)
            yield writer
            writer.finish()
    except OSError as error:
        said = _("The report cannot be written: {reason}.")
        raise Refusal(said.format(reason=error.strerror)) from error


class JsonArray:
    """Write a JSON array value by value, each indented by `deep`, or on one line for None."""

    def __init__(self, write: Callable[[str], object], deep: int | None = None) -> None:
        self.write = write
        self.deep = deep
        self.before = "[\n"

    def add(self, value: Any) -> None:
        """One value more."""
        text = json.dumps(value, indent=self.deep, ensure_ascii=False)
        self.write(self.before + indent(text, " " * (self.deep or 0)))
        self.before = ",\n"

    def finish(self) -> None:
        """No value follows."""
        self.write("[]\n" if self.before.startswith("[") else "\n]\n")


class _Json:
    def __init__(self, file: IO[str], _held: IO[bytes]) -> None:
        self.array = JsonArray(file.write)
        self.finish = self.array.finish

    def add(self, file: str, line: BatchLine) -> None:
        findings = [finding._asdict() for finding in line.findings]
        problems = [problem.data() for problem in line.problems]
        told = {**line_data(line), "findings": findings, "problems": problems}
        self.array.add({"file": file, **told})


class _Csv:
    def __init__(self, file: IO[str], _held: IO[bytes]) -> None:
        self.rows = csv.writer(file)
        self.rows.writerow(_COLUMNS)

    def add(self, file: str, line: BatchLine) -> None:
        verdict = _VERDICTS[line.outcome]
        cells = (
            *(file, line.name, line.game, verdict, line.spent, line.limit),
            *(" ".join(line.codes), " ".join(line.unchecked), line.problem),
            f"{line.seconds:.4f}",
        )
        self.rows.writerow([safe_text(cell) if isinstance(cell, str) else cell for cell in cells])

    def finish(self) -> None:
        """A table has no end."""


class _Html:
    """The worst lists first; what is drawn is held in a file, so that memory does not grow."""

    def __init__(self, file: IO[str], held: IO[bytes]) -> None:
        self.file = file
        self.drawn = held
        self.parts = [
            get_template(f"management/_batch_{part}.html") for part in ("row", "findings")
        ]
        #: For each list how good it is, and where in the file its parts begin, and the last ends.
        self.places: list[tuple[tuple[int, int, int], list[int]]] = []
        self.counts: Counter[Outcome | None] = Counter()
        self.told = False

    def add(self, file: str, line: BatchLine) -> None:
        number = len(self.places) + 1
        milliseconds = f"{line.seconds * 1000:.1f}"
        context = {"file": file, "line": line, "number": number, "milliseconds": milliseconds}
        ends = [self.drawn.tell()]
        for part in self.parts:
            self.drawn.write(part.render(context).encode())
            ends.append(self.drawn.tell())
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
            self.drawn.seek(ends[part])
            yield self.drawn.read(ends[part + 1] - ends[part]).decode()


def _goodness(line: BatchLine) -> tuple[int, int]:
    """Return a sort key: unreadable first, then not legal, not fully checked, doubtful, legal."""
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


#: Writes a line for each list (`add`), and what comes last (`finish`).
ReportWriter = _Json | _Csv | _Html
#: Each writes into the first file, and may hold back what comes later in the second.
_KINDS: Mapping[str, Callable[[IO[str], IO[bytes]], ReportWriter]] = {
    ".csv": _Csv,
    ".json": _Json,
    ".html": _Html,
}
