"""The zip that is brought in, which may come from anyone: opened, and read within limits."""

import struct
from collections.abc import Iterator
from typing import IO, Any
from zipfile import ZipFile, ZipInfo

from django.utils.translation import gettext as _

from armybuilder.loading.archives import is_beside, opened
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.problems import Refusal

#: Bytes of the zip, of all that is in it, and of its table of contents; most files in it.
MAX_ZIP = 64 * 1024 * 1024
MAX_TOTAL = 1024 * 1024 * 1024
MAX_DIRECTORY = 2 * 1024 * 1024
MOST_FILES = 10_000
#: The record at the end of a zip (how it begins, its form, how long at most with a comment), and
#: that of zips too large for it.
_END = b"PK\x05\x06"
_END_FORM = struct.Struct("<4s4H2LH")
_END_AT_MOST = _END_FORM.size + 0xFFFF
_LARGE = b"PK\x06\x07"


def check_zip(file: IO[bytes]) -> None:
    """Raises Refusal where the file is no zip, or one that only somebody means harm with has: the
    standard library reads the whole table of contents, however long it says that it is.
    """
    size = file.seek(0, 2)
    if size > MAX_ZIP:
        raise Refusal(_("The file may have {most} MB.").format(most=MAX_ZIP >> 20))
    file.seek(max(0, size - _END_AT_MOST))
    tail = file.read()
    place = tail.rfind(_END)
    if place < 0 or len(tail) < place + _END_FORM.size:
        raise Refusal(_("It is not a whole zip file."))
    directory = _END_FORM.unpack_from(tail, place)[5]
    if directory > MAX_DIRECTORY or _LARGE in tail[max(0, place - 20) : place]:
        raise Refusal(_("There are too many files in it."))
    file.seek(0)


def files_in(archive: ZipFile) -> list[ZipInfo]:
    """The files of a zip, but for folders and what systems put into zips for themselves. Raises
    Refusal where they are too many or too much.
    """
    infos = archive.infolist()
    if len(infos) > MOST_FILES:
        raise Refusal(_("There are too many files in it."))
    if sum(info.file_size for info in infos) > MAX_TOTAL:
        said = _("More than {most} MB are packed in it, which is too much to be opened.")
        raise Refusal(said.format(most=MAX_TOTAL >> 20))
    return [info for info in infos if not is_beside(info)]


def read_json(archive: ZipFile, info: ZipInfo, most: int, depth: int) -> Any:
    """The JSON in a file of at most so many bytes, nested at most so deep. Raises Refusal."""
    with opened(archive, info) as stream:
        return parse_json(stream.read(most + 1), most, depth)


def json_lines(stream: IO[bytes], most: int, depth: int) -> Iterator[Any]:
    """The JSON of each line of a file. Raises Refusal, as `parse_json` does."""
    while line := stream.readline(most + 1):
        yield parse_json(line, most, depth)
