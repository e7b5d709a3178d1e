"""Zips from anyone: their contents, unpacked no further than needed.

Nothing is unpacked beyond its limit, even if a zip claims to be smaller.
"""

import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from armybuilder.engine.wording import either, marked, say
from armybuilder.loading.deadline import check
from armybuilder.loading.problems import Refusal

#: How a zip begins; the second is an empty one.
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
#: The record at the end of a zip (how it begins, its form, how long at most with a comment), and
#: that of zips too large for it.
_END = b"PK\x05\x06"
_END_FORM = struct.Struct("<4s4H2LH")
_END_AT_MOST = _END_FORM.size + 0xFFFF
_LARGE = b"PK\x06\x07"
#: Errors of the standard library for zips broken by chance or on purpose.
BROKEN = (BadZipFile, ValueError, OSError, EOFError, RuntimeError, NotImplementedError, zlib.error)


class ArchiveEntry(NamedTuple):
    """A file in an archive: its name, and its content or the reason why it isn't read."""

    name: str
    content: bytes | Refusal


class ZipLimits(NamedTuple):
    """The most of a zip: its bytes and, where set, those of its directory, files, bytes inside."""

    size: int
    directory: int | None = None
    files: int | None = None
    total: int | None = None


class Archive:
    """An open zip. `files` are those in it, without folders and what systems put there."""

    def __init__(self, packed: ZipFile) -> None:
        self._packed = packed
        names = ((info, info.filename.rsplit("/", 1)[-1]) for info in packed.infolist())
        self.files = [
            info
            for info, name in names
            if name and name[0] != "." and not info.filename.startswith("__MACOSX/")
        ]

    @property
    def comment(self) -> str:
        """The zip's comment; GitHub writes the commit there."""
        return self._packed.comment.decode("ascii", "ignore")[:100]

    def open(self, info: ZipInfo) -> IO[bytes]:
        """Open a file of the zip, which gives no more than it says.

        Raises Refusal where it is packed unusually; reading raises one of `BROKEN`.
        """
        check()
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or info.flag_bits & 1:
            raise Refusal(say("We can’t read its compression or password protection."))
        return self._packed.open(info)

    def read(self, info: ZipInfo, most: int) -> bytes:
        """Read a file, a byte more than `most` of longer ones. Raises Refusal: it is broken."""
        try:
            with self.open(info) as stream:
                return stream.read(most + 1)
        except BROKEN as error:
            raise damaged() from error


@contextmanager
def open_zip(file: IO[bytes], limits: ZipLimits) -> Iterator[Archive]:
    """Open a zip. Raises Refusal, also while it is read: beyond the limits, or broken."""
    # A directory too long is refused before the standard library reads all of it.
    size = file.seek(0, 2)
    if size > limits.size:
        raise Refusal(say("A zip file may have at most {most} MB.", most=limits.size >> 20))
    file.seek(max(0, size - _END_AT_MOST))
    tail = file.read()
    file.seek(0)
    place = tail.rfind(_END)
    if place < 0 or len(tail) < place + _END_FORM.size:
        raise Refusal(say("This is not a complete zip file."))
    directory = _END_FORM.unpack_from(tail, place)[5]
    large = _LARGE in tail[max(0, place - 20) : place]
    if limits.directory is not None and (large or directory > limits.directory):
        raise Refusal(say("The zip contains too many files."))
    try:
        with ZipFile(file) as packed:
            infos, total = packed.infolist(), limits.total
            if limits.files is not None and len(infos) > limits.files:
                raise Refusal(say("The zip contains too many files."))
            if total is not None and sum(info.file_size for info in infos) > total:
                message = marked("The zip unpacks to more than {most} MB, which is too much.")
                raise Refusal(say(message, most=total >> 20))
            yield Archive(packed)
    except BROKEN as error:
        raise Refusal(say("This is not a complete zip file.")) from error


def is_zip(file: IO[bytes]) -> bool:
    """Return whether the file begins as a zip does. It is left at its start."""
    file.seek(0)
    start = file.read(len(_ZIP[0]))
    file.seek(0)
    return start in _ZIP


def zip_entries(file: IO[bytes], lengths: Mapping[str, int], most: int) -> Iterator[ArchiveEntry]:
    """Yield the files in a zip of at most `most` bytes, in order.

    `lengths` are bytes by ending (".json"); of a longer file a byte more is read. Other names, and
    broken files, come with their refusal. Raises Refusal where the zip is too large or broken.
    """
    with open_zip(file, ZipLimits(most)) as archive:
        for info in archive.files:
            length = length_of(info.filename, lengths)
            if length is None:
                wrong = say("Its name does not end in {endings}.", endings=either(lengths))
                yield ArchiveEntry(info.filename, Refusal(wrong))
                continue
            content: bytes | Refusal
            try:
                content = archive.read(info, length)
            except Refusal as refusal:
                content = refusal
            yield ArchiveEntry(info.filename, content)


def length_of(name: str, lengths: Mapping[str, int]) -> int | None:
    """Return how many bytes a file of this name may have; None: its ending is not among them."""
    folded = name.lower()
    return next((most for ending, most in lengths.items() if folded.endswith(ending)), None)


def damaged() -> Refusal:
    """Return the refusal of a file that cannot be read to its end."""
    return Refusal(say("The file is damaged."))
