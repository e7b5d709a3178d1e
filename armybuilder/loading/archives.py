"""Zips that may come from anyone: what is in them, and no more of it than is wanted.

Nothing is unpacked further than it may be long, whatever a zip says of itself.
"""

import zlib
from collections.abc import Iterator, Mapping
from typing import IO, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from django.utils.translation import gettext as _

from armybuilder.engine.wording import either
from armybuilder.loading.problems import Refusal

#: How a zip begins; the second is an empty one.
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
#: What the standard library raises for zips that are broken, by chance or on purpose.
BROKEN = (BadZipFile, ValueError, OSError, EOFError, RuntimeError, NotImplementedError, zlib.error)


class Entry(NamedTuple):
    """A file: its name, and what is in it or why it is not read."""

    name: str
    content: bytes | Refusal


def is_zip(file: IO[bytes]) -> bool:
    """Whether the file begins as a zip does. It is left at its start."""
    file.seek(0)
    start = file.read(len(_ZIP[0]))
    file.seek(0)
    return start in _ZIP


def zip_entries(file: IO[bytes], lengths: Mapping[str, int], most: int) -> Iterator[Entry]:
    """The files in a zip, one after the other, in their order; what systems put into zips for
    themselves is left out.

    `lengths` tells for each ending of a name (".json") how many bytes such a file may have; of a
    longer one a byte more is read, which shows that it is. Files of other names are refused, as
    are those that cannot be unpacked. `most` is how many bytes the zip itself may have.
    Raises Refusal where it has more, or is no whole zip.
    """
    size = file.seek(0, 2)
    file.seek(0)
    if size > most:
        raise Refusal(_("A zip may have {most} MB.").format(most=most >> 20))
    try:
        with ZipFile(file) as archive:
            for info in archive.infolist():
                if not is_beside(info):
                    yield Entry(info.filename, _read(archive, info, lengths))
    except BROKEN as error:
        raise Refusal(_("It is not a whole zip file.")) from error


def length_of(name: str, lengths: Mapping[str, int]) -> int | None:
    """How many bytes a file of this name may have; None where its ending is not among them."""
    folded = name.lower()
    return next((most for ending, most in lengths.items() if folded.endswith(ending)), None)


def is_beside(info: ZipInfo) -> bool:
    """Whether it is a folder, or something that systems put into zips for themselves."""
    last = info.filename.rsplit("/", 1)[-1]
    return last.startswith(".") or not last or info.filename.startswith("__MACOSX/")


def _read(archive: ZipFile, info: ZipInfo, lengths: Mapping[str, int]) -> bytes | Refusal:
    most = length_of(info.filename, lengths)
    if most is None:
        said = _("Its name does not end in {endings}.")
        return Refusal(said.format(endings=either(lengths)))
    try:
        with opened(archive, info) as stream:
            return stream.read(most + 1)
    except Refusal as refusal:
        return refusal
    except BROKEN:
        return damaged()


def opened(archive: ZipFile, info: ZipInfo) -> IO[bytes]:
    """A file of a zip, to be read; it gives no more than it says that it is long. Raises Refusal
    where it is packed in another way than zips mostly are; reading raises one of `BROKEN` where
    it is damaged.
    """
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or info.flag_bits & 1:
        raise Refusal(_("It is packed in a way, or with a password, that cannot be read here."))
    return archive.open(info)


def damaged() -> Refusal:
    """What is said of a file that cannot be read to its end."""
    return Refusal(_("It is damaged."))
