"""Opening saved lists: the documents in files that may come from anyone, loose or zipped.

Nothing is unpacked further than it may be long, whatever a zip says of itself.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from armybuilder.loading.documents import Document, catalogue_of, make_roster, read_document
from armybuilder.loading.jsontext import MAX_BYTES
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

#: Most lists that are opened at once; bytes of one zip, and of all that is read.
MOST_OPENED = 200
MAX_ZIP = 4 * 1024 * 1024
MAX_TOTAL = 16 * 1024 * 1024
#: How a zip begins; the second is an empty one.
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")

#: The name of a file, and what is in it or why it is not read.
Content = tuple[str, bytes | Refusal]


class Saved(NamedTuple):
    """The lists that can be opened, and the files that cannot: their names, and why."""

    documents: list[Document]
    refused: list[tuple[str, Refusal]]


def read_files(files: Sequence[UploadedFile], library: Library) -> Saved:
    """The lists in these files. Raises Refusal where they are too many or too much."""
    saved = Saved([], [])
    total = 0
    for number, (name, content) in enumerate(_contents(files), start=1):
        total += 0 if isinstance(content, Refusal) else len(content)
        if number > MOST_OPENED:
            raise Refusal(_("At most {most} lists are opened at once.").format(most=MOST_OPENED))
        if total > MAX_TOTAL:
            said = _("At most {most} MB are read at once. Open the lists in smaller lots.")
            raise Refusal(said.format(most=MAX_TOTAL >> 20))
        try:
            saved.documents.append(_document(name, content, library))
        except Refusal as refusal:
            saved.refused.append((name, refusal))
    return saved


def _document(name: str, content: bytes | Refusal, library: Library) -> Document:
    if isinstance(content, Refusal):
        raise content
    document = read_document(content, name)
    make_roster(document, catalogue_of(document, library))
    return document


def _contents(files: Sequence[UploadedFile]) -> Iterator[Content]:
    """What the files hold, in their order; of a long one only as much as shows that it is."""
    for file in files:
        name = file.name or "?"
        start = file.read(len(_ZIP[0]))
        file.seek(0)
        if start in _ZIP:
            yield from _unzipped(name, file)
        else:
            yield name, file.read(MAX_BYTES + 1)


def _unzipped(name: str, file: UploadedFile) -> Iterator[Content]:
    if (file.size or 0) > MAX_ZIP:
        said = _("A zip may have {most} MB.").format(most=MAX_ZIP >> 20)
        yield name, Refusal(said)
        return
    try:
        with ZipFile(file) as archive:
            for info in archive.infolist():
                if not _beside(info):
                    yield info.filename, _entry(archive, info)
    except (BadZipFile, ValueError, OSError, NotImplementedError):
        yield name, Refusal(_("It is not a whole zip file."))


def _beside(info: ZipInfo) -> bool:
    """Whether it is a folder, or something that systems put into zips for themselves."""
    last = info.filename.rsplit("/", 1)[-1]
    return last.startswith(".") or not last or info.filename.startswith("__MACOSX/")


def _entry(archive: ZipFile, info: ZipInfo) -> bytes | Refusal:
    if not info.filename.lower().endswith(".json"):
        return Refusal(_("Its name does not end in .json."))
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or info.flag_bits & 1:
        return Refusal(_("It is packed in a way, or with a password, that cannot be read here."))
    try:
        with archive.open(info) as stream:
            return stream.read(MAX_BYTES + 1)
    except (BadZipFile, ValueError, OSError, EOFError, RuntimeError, zlib.error):
        return Refusal(_("It is damaged."))
