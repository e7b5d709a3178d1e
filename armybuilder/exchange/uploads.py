"""Opening saved lists: the documents in files that may come from anyone, loose or zipped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from armybuilder.battlescribe.rosters import RosterReading, is_roster, read_roster, unpacked_length
from armybuilder.exchange.files import LENGTHS, most_bytes, read_entry
from armybuilder.loading.archives import ArchiveEntry, is_zip, zip_entries
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

#: Most lists that are opened at once; bytes of one zip, and of all that is read.
MOST_OPENED = 200
MAX_ZIP = 4 * 1024 * 1024
MAX_TOTAL = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class UploadedList:
    """The lists that can be opened, and the files that cannot: their names, and why. `readings`
    tell of those that came from another program, by their places among the documents.
    """

    documents: list[ArmyList]
    refused: list[tuple[str, Refusal]]
    readings: dict[int, RosterReading]


def read_files(files: Sequence["UploadedFile[bytes]"], library: Library) -> UploadedList:
    """The lists in these files. Raises Refusal where they are too many or too much."""
    saved = UploadedList([], [], {})
    total = 0
    for number, entry in enumerate(checked(_entries(files)), start=1):
        total += _length(entry)
        if number > MOST_OPENED:
            raise Refusal(_("At most {most} lists are opened at once.").format(most=MOST_OPENED))
        if total > MAX_TOTAL:
            said = _("At most {most} MB are read at once. Open the lists in smaller lots.")
            raise Refusal(said.format(most=MAX_TOTAL >> 20))
        try:
            _add(saved, entry, library)
        except Refusal as refusal:
            saved.refused.append((entry.name, refusal))
    return saved


def _length(entry: ArchiveEntry) -> int:
    """How many bytes are read for a file; a roster may be packed into few."""
    if isinstance(entry.content, Refusal):
        return 0
    packed = len(entry.content)
    return max(packed, unpacked_length(entry.content)) if is_roster(entry.name) else packed


def _add(saved: UploadedList, entry: ArchiveEntry, library: Library) -> None:
    """Add the list in a file. Raises Refusal where it cannot be opened."""
    if is_roster(entry.name) and not isinstance(entry.content, Refusal):
        reading = read_roster(entry.content, library)
        saved.readings[len(saved.documents)] = reading
        saved.documents.append(reading.document)
        return
    document = read_entry(entry)
    make_roster(document, catalogue_of(document, library))
    saved.documents.append(document)


def _entries(files: Sequence["UploadedFile[bytes]"]) -> Iterator[ArchiveEntry]:
    """What the files hold, in their order; of a long one only as much as shows that it is."""
    for file in files:
        name = file.name or "?"
        if not is_zip(file):
            yield ArchiveEntry(name, file.read(most_bytes(name) + 1))
            continue
        try:
            yield from zip_entries(file, LENGTHS, MAX_ZIP)
        except Refusal as refusal:
            yield ArchiveEntry(name, refusal)
