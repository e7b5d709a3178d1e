"""The rows of a report on many lists, in the form that its kind of file takes: made where the lists
are judged, and put together by whoever writes the file.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from armybuilder.engine.verdict import Outcome
from armybuilder.exchange.batch import BatchLine, Said, line_data
from armybuilder.exchange.cells import safe_text


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
    """The columns of a Parquet report: those of the JSON report but for the seconds, so that equal
    verdicts are equal bytes, and the verdict in words.
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
            *(("unchecked", pyarrow.list_(text)), ("problem", text)),
            *(("findings", pyarrow.list_(finding)), ("problems", pyarrow.list_(problem))),
        ]
    )


def parquet_rows(lists: Sequence[ToldList]) -> bytes:
    """A batch of rows of `parquet_schema`, in Arrow's stream format."""
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
