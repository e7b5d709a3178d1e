"""Readers of corpora: files with any number of lists, read a few at a time.

`.parquet`: a row for each list, with a column `document` of JSON text and, where there is one, `id`
or else `name` to call it by. `.jsonl` and `.jsonl.gz`: a line of JSON for each list.
"""

import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

from django.utils.translation import gettext as _

from armybuilder.exchange.files import CorpusEntry
from armybuilder.loading.archives import ArchiveEntry, damaged
from armybuilder.loading.jsontext import MAX_BYTES
from armybuilder.loading.problems import Refusal

#: Rows that are read at once, and bytes of the file that are.
_ROWS = 256
_BUFFER = 1 << 20

_TEXT = "document"
_NAMES = ("id", "name")


def _parquet_entries(path: str) -> Iterator[ArchiveEntry]:
    try:
        with open(path, "rb") as file:
            yield from _rows(path, file)
    except Refusal as refusal:
        yield ArchiveEntry(path, refusal)


def _rows(path: str, file: IO[bytes]) -> Iterator[ArchiveEntry]:
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False)
        names = next((name for name in _NAMES if name in table.schema_arrow.names), None)
        columns = [_TEXT, *([names] if names else [])]
        _check_columns(table.schema_arrow)
        number = 0
        for batch in table.iter_batches(_ROWS, columns=columns, use_threads=False):
            texts = batch.column(_TEXT).cast(pyarrow.large_binary()).to_pylist()
            called = batch.column(names).to_pylist() if names else [None] * len(texts)
            for name, text in zip(called, texts, strict=True):
                number += 1
                shown = number if name is None else name
                yield CorpusEntry(f"{path}/{shown}", text or b"")
    except (pyarrow.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise  # the system's, not one of the table
        raise Refusal(_("This is not a complete Parquet file.")) from error


def _check_columns(schema: Any) -> None:
    """Raise Refusal where the table has no column of texts for the lists."""
    from pyarrow import types

    kind = schema.field(_TEXT).type if schema.names.count(_TEXT) == 1 else None
    if kind is not None and types.is_dictionary(kind):
        kind = kind.value_type
    readable = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    if kind is None or not any(is_it(kind) for is_it in readable):
        said = _("The table needs a column “{column}” that holds each list as JSON text.")
        raise Refusal(said.format(column=_TEXT))


def _line_entries(path: str) -> Iterator[ArchiveEntry]:
    with open(path, "rb") as file:
        yield from _lines(path, file)


def _packed_entries(path: str) -> Iterator[ArchiveEntry]:
    try:
        with gzip.open(path) as file:
            yield from _lines(path, file)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        yield ArchiveEntry(path, damaged())


def _lines(path: str, file: IO[bytes] | gzip.GzipFile) -> Iterator[ArchiveEntry]:
    """Yield the lines that are not empty.

    One byte too many is kept of a line that is too long, so that reading it refuses it.
    """
    number = 0
    while line := file.readline(MAX_BYTES + 2):
        number += 1
        if line.strip():
            yield CorpusEntry(f"{path}/{number}", line.rstrip(b"\r\n"))
        while line and not line.endswith(b"\n"):
            line = file.readline(_BUFFER)


#: Readers of corpora by the endings of file names. Each yields lists, or the reason why a list
#: cannot be read; it raises OSError where there is no file.
CORPORA: Mapping[str, Callable[[str], Iterator[ArchiveEntry]]] = {
    ".parquet": _parquet_entries,
    ".jsonl": _line_entries,
    ".jsonl.gz": _packed_entries,
}
