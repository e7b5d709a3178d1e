"""Lists in files: which files hold lists, how long they may be, and how they are read."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from django.utils.translation import gettext as _

from armybuilder.battlescribe import rosters
from armybuilder.engine.wording import either
from armybuilder.exchange.corpora import CORPORA, CorpusEntry, corpus_reader
from armybuilder.exchange.csv_reading import MAX_CSV, read_csv
from armybuilder.loading.archives import ArchiveEntry, is_zip, length_of, zip_entries
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import read_document
from armybuilder.loading.jsontext import MAX_BYTES
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

#: How the names of lists end, and how many bytes such a file may have.
LENGTHS: Mapping[str, int] = {".json": MAX_BYTES, ".csv": MAX_CSV, **rosters.LENGTHS}


def _read_roster(raw: bytes, _name: str) -> ArmyList:
    """The list in a roster of BattleScribe."""
    return rosters.read_roster(raw, shipped_library()).document


#: Reads files whose names do not end in .json; all else is taken for JSON.
_READ: Mapping[str, Callable[[bytes, str], ArmyList]] = {
    ".csv": read_csv,
    **dict.fromkeys(rosters.LENGTHS, _read_roster),
}

#: Bytes of one zip on the command line, whose table of contents is held in memory.
MAX_LOCAL_ZIP = 256 * 1024 * 1024


def read_entry(entry: ArchiveEntry) -> ArmyList:
    """The list in a file. Raises Refusal where there is none, or it was not read."""
    if isinstance(entry.content, Refusal):
        raise entry.content
    if isinstance(entry, CorpusEntry):
        return read_document(entry.content)
    read = _READ.get(Path(entry.name).suffix.lower(), read_document)
    return read(entry.content, entry.name)


def most_bytes(name: str) -> int:
    """How many bytes a list in a file of this name may have."""
    return length_of(name, LENGTHS) or MAX_BYTES


def entries_of(paths: Iterable[str]) -> Iterator[ArchiveEntry]:
    """The lists in files, in zips and corpora, and in folders with all that is in them; read a few
    at a time.

    Files that are named are read whatever they are called; those in folders only where their
    ending is that of a list, a zip or a corpus. What cannot be read stands in its place with the
    reason.
    """
    for path in paths:
        if Path(path).is_dir():
            yield from _in_folder(path)
        else:
            yield from _in_file(path)


def may_hold_many(path: str) -> bool:
    """Whether it is a folder, a zip or a corpus, by its name."""
    return Path(path).is_dir() or path.lower().endswith((".zip", *CORPORA))


def _in_folder(folder: str) -> Iterator[ArchiveEntry]:
    """The lists of a folder and of those in it, by their names; hidden ones are left out."""
    endings = (*LENGTHS, ".zip", *CORPORA)
    empty = True
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(where, name)
            if not name.startswith(".") and name.lower().endswith(endings) and file.is_file():
                empty = False
                yield from _in_file(str(file))
    if empty:
        said = _("There is no list in this folder: no file that ends in {endings}.")
        yield ArchiveEntry(folder, Refusal(said.format(endings=either(endings))))


def _in_file(path: str) -> Iterator[ArchiveEntry]:
    """The lists in one file; those of a zip or a corpus are called "file/name"."""
    corpus = corpus_reader(path)
    try:
        if corpus is not None:
            yield from corpus(path)
            return
        with open(path, "rb") as file:
            if not is_zip(file):
                yield ArchiveEntry(path, file.read(most_bytes(path) + 1))
                return
            for name, content in zip_entries(file, LENGTHS, MAX_LOCAL_ZIP):
                yield ArchiveEntry(f"{path}/{name}", content)
    except OSError as error:
        said = _("The file cannot be read: {reason}.")
        yield ArchiveEntry(path, Refusal(said.format(reason=error.strerror)))
    except Refusal as refusal:
        yield ArchiveEntry(path, refusal)
