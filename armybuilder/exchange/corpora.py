"""Corpora: files that hold any number of lists, read a few at a time however many there are.

`.parquet`: a row for each list, with a column `document` of JSON text and, where there is one, `id`
or else `name` to call it by. `.jsonl` and `.jsonl.gz`: a line of JSON for each list.
"""

import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

from django.utils.translation import gettext as _

from armybuilder.exchange.optional import need
from armybuilder.loading.archives import ArchiveEntry, damaged
from armybuilder.loading.jsontext import MAX_BYTES
from armybuilder.loading.problems import Refusal

#: Rows that are read at once, and bytes of the file that are.
_ROWS = 256
_BUFFER = 1 << 20

_TEXT = "document"
_NAMES = ("id", "name")


class CorpusEntry(ArchiveEntry):
    """A list of a corpus, which is JSON whatever it is called: "corpus/id", or "corpus/number"
    where the first is 1.
    """

    __slots__ = ()


def corpus_reader(path: str) -> Callable[[str], Iterator[ArchiveEntry]] | None:
    """What reads the lists of a corpus; None where the name does not end as that of one does. What
    cannot be read stands in its place with the reason; it raises OSError where there is no file.
    """
    folded = path.lower()
    return next((read for ending, read in CORPORA.items() if folded.endswith(ending)), None)


def _parquet_entries(path: str) -> Iterator[ArchiveEntry]:
    try:
        need("pyarrow")
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
        raise Refusal(_("It is not a complete Parquet file.")) from error


def _check_columns(schema: Any) -> None:
    """Refuse a table that has no texts where the lists should stand."""
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
    """The lines that are not empty. Of one that is too long a byte more than may be is kept, which
    shows that it is.
    """
    number = 0
    while line := file.readline(MAX_BYTES + 2):
        number += 1
        if line.strip():
            yield CorpusEntry(f"{path}/{number}", line.rstrip(b"\r\n"))
        while line and not line.endswith(b"\n"):
            line = file.readline(_BUFFER)


#: What reads corpora, by how their names end.
CORPORA: Mapping[str, Callable[[str], Iterator[ArchiveEntry]]] = {
    ".parquet": _parquet_entries,
    ".jsonl": _line_entries,
    ".jsonl.gz": _packed_entries,
}
