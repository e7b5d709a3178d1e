"""The report on many lists as a Parquet file, for tools that read tables of any length."""

from typing import IO, Any

from armybuilder.exchange.optional import need
from armybuilder.exchange.report_rows import parquet_schema

#: Rows of a row group: what is held in memory, and what a reader gets at once.
GROUP = 8_192


class ParquetReport:
    """Gathers rows until they fill a row group, so that the file does not depend on the lots that
    they came in. Raises Refusal where pyarrow is not installed.
    """

    def __init__(self, file: IO[bytes], _held: IO[bytes]) -> None:
        need("pyarrow")
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
