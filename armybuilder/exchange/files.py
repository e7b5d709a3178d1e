"""Lists in files: which files hold lists, and how those on disk and those uploaded are read."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import IO

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from armybuilder.battlescribe import rosters
from armybuilder.battlescribe.files.roster_files import ReadRoster
from armybuilder.battlescribe.rosters import RosterReading, is_roster, read_roster, unpacked_length
from armybuilder.engine.wording import either
from armybuilder.exchange import pasting
from armybuilder.exchange.csvs import MAX_CSV, read_csv
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.loading.archives import ArchiveEntry, is_zip, length_of, zip_entries
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import catalogue_of, make_roster, read_document
from armybuilder.loading.jsontext import MAX_BYTES
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal

#: How names of texts end.
TEXT_ENDINGS = (".txt", ".text", ".md")
#: Names of texts next to lists that describe the folder or zip.
_ABOUT = re.compile(r"read[ ._-]?me|licen[cs]e|copying|change", re.I)
#: How documents of word processors end, and old ones begin.
_WORD_ENDINGS = (".docx", ".doc", ".odt", ".rtf", ".pages")
_WORDS_BEGIN = (b"{\\rtf", b"\xd0\xcf\x11\xe0")
#: JSON, and what every document of ours has.
_JSON = re.compile(rb"\s*(?:\[\s*)*\{\s*\"")
_OURS = re.compile(rb'"(?:format|system)"\s*:')
#: Unclear lines of a text that are named, at most.
MOST_LINES = 5
#: How the names of lists end, and how many bytes such a file may have.
LENGTHS: Mapping[str, int] = {
    ".json": MAX_BYTES,
    ".csv": MAX_CSV,
    **rosters.LENGTHS,
    **dict.fromkeys(TEXT_ENDINGS, MAX_TEXT),
}


def tells_of_others(name: str) -> bool:
    """Return whether a file among lists is, by its name, a text about them: "Read me.txt"."""
    file = PurePath(name).name
    return file.lower().endswith(TEXT_ENDINGS) and _ABOUT.match(file) is not None


def clear_list(text: str, library: Library, system: str | None = None) -> ArmyList:
    """Return the list of a text in which every line is clear: nothing is guessed.

    Raises Refusal with the unclear lines, if there is no unit, or if there are, or may be, several
    lists.
    """
    text = text.replace("\0", "")
    part, *others = pasting.split_text(text, library, system)
    if others:
        said = _("The text contains {number} lists. Choose one.")
        raise Refusal(said.format(number=1 + len(others)))
    return clear_part(part, library, system)


def clear_part(part: pasting.PastedPart, library: Library, system: str | None = None) -> ArmyList:
    """Return one of the lists in a text, as `clear_list` does."""
    if part.doubt:
        raise Refusal(part.doubt)
    return clear(pasting.read_part(part, library, system))


def clear(reading: pasting.PastedList) -> ArmyList:
    """Return the list if every line is clear. Raises Refusal as `clear_list` does."""
    if reading.document is None or not reading.document.units:
        raise Refusal(_("No unit was found in the text."))
    lines = unclear(reading)
    if lines:
        said = _("Unclear: {lines}. Import the text first and check it line by line.")
        raise Refusal(said.format(lines=" · ".join(lines[:MOST_LINES])))
    return reading.document


def unclear(reading: pasting.PastedList) -> list[str]:
    """Return the lines that are not clear."""
    return [one.text.strip() for one in reading.lines if one.state in ("doubt", "lost")]


#: Reads files whose names do not end in .json; all else is taken for JSON.
_READ: Mapping[str, Callable[[bytes, str, Library], ArmyList]] = {
    ".csv": lambda raw, name, _library: read_csv(raw, name),
    **dict.fromkeys(
        rosters.LENGTHS, lambda raw, _name, library: read_roster(raw, library).document
    ),
    **dict.fromkeys(TEXT_ENDINGS, lambda raw, _name, library: clear_list(decoded(raw), library)),
}

#: How the texts of such files begin, and letters of a text that are looked at for it.
_BEGINS: Mapping[str, re.Pattern[str]] = {
    ".json": re.compile(r'\{\s*"'),
    ".csv": re.compile(r'"?kind"?[,;\t]"?unit"?[,;\t]"?id"?[,;\t]'),
    ".ros": re.compile(r"<\?xml\b|<roster\b"),
}
_BEGINNING = 4 * 1024
#: Bytes of one zip on the command line, whose table of contents is held in memory.
MAX_LOCAL_ZIP = 256 * 1024 * 1024


class CorpusEntry(ArchiveEntry):
    """A list of a corpus: JSON under any name, "corpus/id", or "corpus/number" from 1."""

    __slots__ = ()


def needs_listcorpus(what: str) -> str:
    """Return the sentence that says what to install for an option or a file."""
    return f"{what} needs listcorpus, which is not installed: pip install ./packages/listcorpus."


def _missing_corpus(path: str) -> Iterator[ArchiveEntry]:
    yield ArchiveEntry(path, Refusal(needs_listcorpus("A corpus")))


CorpusReaders = Mapping[str, Callable[[str], Iterator[ArchiveEntry]]]
#: How the names of corpora end, files of any number of lists; the package `listcorpus` reads them.
NO_CORPORA: CorpusReaders = dict.fromkeys((".parquet", ".jsonl", ".jsonl.gz"), _missing_corpus)


class TextEntry(ArchiveEntry):
    """One of the lists in a text: "file/number", where the first is 1."""

    part: pasting.PastedPart


def text_entries(entry: ArchiveEntry, library: Library) -> Iterator[ArchiveEntry]:
    """Yield a file, or, where it is a text with many lists, each of these."""
    parts: Sequence[pasting.PastedPart] = ()
    if entry.name.lower().endswith(TEXT_ENDINGS) and isinstance(entry.content, bytes):
        try:
            parts = pasting.split_text(decoded(entry.content).replace("\0", ""), library)
        except Refusal:  # told where it is read
            parts = ()
    if len(parts) < 2:
        yield entry
        return
    for number, part in enumerate(pasting.in_one_edition(parts, library), 1):
        one = TextEntry(f"{entry.name}/{number}", part.text.encode())
        one.part = part
        yield one


def read_entry(entry: ArchiveEntry, library: Library | None = None) -> ArmyList:
    """Return the list in a file. Raises Refusal where there is none, or it was not read."""
    library = library or shipped_library()
    if isinstance(entry.content, Refusal):
        raise entry.content
    if isinstance(entry, CorpusEntry):
        return read_document(entry.content)
    if isinstance(entry, TextEntry):
        return clear_part(entry.part, library)
    read = _READ.get(Path(entry.name).suffix.lower())
    if read is None:
        return _read_json(entry.content, entry.name)
    return read(entry.content, entry.name, library)


def _read_json(raw: bytes, name: str) -> ArmyList:
    """Return the list in JSON; raises Refusal, which says so of what another program wrote."""
    try:
        return read_document(raw, name)
    except Refusal as refusal:
        foreign = _is_foreign(raw, Path(name).suffix.lower())
        if not foreign:
            raise
        said = _("{why} Copy the list’s text and paste it. Files that can be opened: {endings}.")
        sentence = said.format(why=foreign, endings=either((*LENGTHS, ".zip")))
        raise Refusal(sentence, refusal.problems) from refusal


def _is_foreign(raw: bytes, ending: str) -> str:
    """Return a sentence on a file that another program wrote; "" where it may be one of ours."""
    if raw.startswith(b"%PDF"):
        return _("A PDF can’t be opened here.")
    if raw.startswith(_WORDS_BEGIN) or ending in _WORD_ENDINGS:
        return _("A word processor’s document can’t be opened here.")
    if _JSON.match(raw):
        return "" if _OURS.search(raw) else _("This file is from another program.")
    return "" if ending in ("", ".json") else _("This kind of file can’t be opened here.")


def most_bytes(name: str) -> int:
    """Return how many bytes a list in a file of this name may have."""
    return length_of(name, LENGTHS) or MAX_BYTES


def entries_of(paths: Iterable[str], corpora: CorpusReaders = NO_CORPORA) -> Iterator[ArchiveEntry]:
    """Yield the lists in files, zips, corpora and folders, each list of a text with several.

    Named files are read under any name; those in folders only with the ending of a list, a zip or a
    corpus. Unreadable ones keep their place, with the reason.
    """
    for path in paths:
        if Path(path).is_dir():
            endings = (*LENGTHS, ".zip", *corpora)
            empty = True
            for where, folders, names in os.walk(path):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                for name in sorted(names):
                    file = Path(where, name)
                    listed = name.lower().endswith(endings) and not tells_of_others(name)
                    if listed and not name.startswith(".") and file.is_file():
                        empty = False
                        yield from _in_file(str(file), corpora)
            if empty:
                said = _("There is no list in this folder: no file name ends in {endings}.")
                yield ArchiveEntry(path, Refusal(said.format(endings=either(endings))))
        else:
            yield from _in_file(path, corpora)


def _in_file(path: str, corpora: CorpusReaders) -> Iterator[ArchiveEntry]:
    """Yield the lists in one file; those of a zip or a corpus are called "file/name"."""
    folded = path.lower()
    corpus = next((read for ending, read in corpora.items() if folded.endswith(ending)), None)
    try:
        if corpus is not None:
            yield from corpus(path)
            return
        with open(path, "rb") as file:
            yield from _entries(path, file, MAX_LOCAL_ZIP, f"{path}/")
    except OSError as error:
        said = _("The file cannot be read: {reason}.")
        yield ArchiveEntry(path, Refusal(said.format(reason=error.strerror)))


def _entries(
    name: str, file: IO[bytes], most: int, home: str = "", library: Library | None = None
) -> Iterator[ArchiveEntry]:
    """Yield the lists in a file or zip; of a long one only as much as shows that it is."""
    library = library or shipped_library()
    if not is_zip(file) or name.lower().endswith(_WORD_ENDINGS):
        yield from text_entries(ArchiveEntry(name, file.read(most_bytes(name) + 1)), library)
        return
    try:
        for inner, content in zip_entries(file, LENGTHS, most):
            if not tells_of_others(inner):
                yield from text_entries(ArchiveEntry(f"{home}{inner}", content), library)
    except Refusal as refusal:
        yield ArchiveEntry(name, refusal)


#: Most lists that are opened at once; bytes of one zip, and of all that is read.
MOST_OPENED = 200
MAX_ZIP = 4 * 1024 * 1024
MAX_TOTAL = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class UploadedList:
    """The lists that can be opened, refused files with reasons, and remarks of readings by place.

    `of_files` are lists of games by files.
    """

    documents: list[ArmyList]
    refused: list[tuple[str, Refusal]]
    readings: dict[int, RosterReading]
    of_files: list[ReadRoster] = field(default_factory=list)


def read_files(
    files: Sequence["UploadedFile[bytes]"],
    library: Library,
    kept: Callable[[str, bytes], ReadRoster | None] = lambda _name, _raw: None,
) -> UploadedList:
    """Return the lists in these files. Raises Refusal where they are too many or too much.

    `kept` reads, by its name, a file of a list of a game that is kept by its files.
    """
    saved = UploadedList([], [], {})
    total = 0
    entries = (
        entry
        for file in files
        for entry in _entries(file.name or "?", file, MAX_ZIP, library=library)
    )
    for number, entry in enumerate(checked(entries), start=1):
        if not isinstance(entry.content, Refusal):
            # A roster may be packed into few bytes.
            packed = is_roster(entry.name) and unpacked_length(entry.content)
            total += max(len(entry.content), packed)
        if number > MOST_OPENED:
            raise Refusal(
                _("At most {most} lists can be imported at once.").format(most=MOST_OPENED)
            )
        if total > MAX_TOTAL:
            said = _("At most {most} MB can be read at once. Import the lists in smaller batches.")
            raise Refusal(said.format(most=MAX_TOTAL >> 20))
        try:
            of_files = None
            if not isinstance(entry.content, Refusal):
                of_files = kept(entry.name, entry.content)
            if of_files is not None:
                saved.of_files.append(of_files)
                continue
            if is_roster(entry.name) and not isinstance(entry.content, Refusal):
                reading = read_roster(entry.content, library)
                saved.readings[len(saved.documents)] = reading
                document = reading.document
            else:
                document = read_entry(entry, library)
                make_roster(document, catalogue_of(document, library))
            saved.documents.append(document)
        except Refusal as refusal:
            saved.refused.append((entry.name, refusal))
    return saved


def is_text(file: "UploadedFile[bytes]") -> bool:
    """Return whether an uploaded file is plain text, by its name."""
    return (file.name or "").lower().endswith(TEXT_ENDINGS)


def text_in(file: "UploadedFile[bytes]") -> str:
    """Return the text of a file, as far as one may be long; other bytes than UTF-8 are marked."""
    return decoded(file.read(MAX_TEXT + 1))


def ending_of(text: str) -> str:
    """Return how the name of the file is to end that a text is copied from.

    That is one saved here or by BattleScribe; "" where it is a text for people.
    """
    start = text[:_BEGINNING].lstrip("\ufeff \t\r\n")
    return next((ending for ending, begins in _BEGINS.items() if begins.match(start)), "")


def decoded(raw: bytes) -> str:
    """Return the letters of a text; other bytes than UTF-8 are marked."""
    return raw.decode("utf-8-sig", errors="replace")
