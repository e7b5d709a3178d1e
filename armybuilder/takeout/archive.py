"""What is read of the zip that is brought in, which may come from anyone: JSON, within limits."""

from collections.abc import Iterator
from typing import IO, Any, Final
from zipfile import ZipInfo

from armybuilder.loading.archives import Archive, Limits
from armybuilder.loading.jsontext import parse_json

#: Bytes of the zip, of its table of contents, most files in it, and bytes of all that is in it.
LIMITS: Final = Limits(64 * 1024 * 1024, 2 * 1024 * 1024, 10_000, 1024 * 1024 * 1024)


def read_json(archive: Archive, info: ZipInfo, most: int, depth: int) -> Any:
    """The JSON in a file of at most so many bytes, nested at most so deep. Raises Refusal."""
    return parse_json(archive.read(info, most), most, depth)


def json_lines(stream: IO[bytes], most: int, depth: int) -> Iterator[Any]:
    """The JSON of each line of a file. Raises Refusal, as `parse_json` does."""
    while line := stream.readline(most + 1):
        yield parse_json(line, most, depth)
