"""Files of anyone in any mixture: each is read by itself, and what cannot be read is told."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from itertools import chain, count
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element
from zipfile import ZipInfo

from armybuilder.battlescribe.books.names import kebab
from armybuilder.battlescribe.books.reading import (
    JSON,
    MAX_FILES,
    PLAIN,
    ZIPPED,
    Named,
    Sources,
    check_length,
    check_member,
    unpacked,
)
from armybuilder.battlescribe.xml import Builder, parse_xml
from armybuilder.engine.wording import say
from armybuilder.loading.archives import Archive, ZipLimits, open_zip
from armybuilder.loading.deadline import check, checked
from armybuilder.loading.problems import Refusal

#: Bytes of one file unzipped, and of all of them. The whole repository of a game has some 6 MB.
MAX_FILE_BYTES: Final = 8 * 1024 * 1024
MAX_TOTAL_BYTES: Final = 48 * 1024 * 1024
#: Entries (XML elements) of one file, and of all. The largest army book has 4,300.
MAX_ENTRIES: Final = 60_000
MAX_TOTAL_ENTRIES: Final = 300_000
#: A zip with everything else that a repository has: bytes, those of its directory, files in it,
#: bytes of these.
ZIP_LIMITS: Final = ZipLimits(16 * 1024 * 1024, 1024 * 1024, 3_000, 256 * 1024 * 1024)
#: Files of other kinds, which are passed over, that are named.
MOST_NAMED: Final = 20
#: BattleScribe wrote files otherwise before, as (2, 3) for 2.03.
OLDEST: Final = (2, 3)
#: Letters of a file's name that are kept.
_NAME: Final = 80


class RefusedSource(NamedTuple):
    """A file that is not taken, and why, in one sentence."""

    file: str
    why: str


@dataclass
class UploadedSources:
    """The files that could be read, those that are refused, and names of `others` in zips: they are
    of another kind.
    """

    sources: Sources = field(default_factory=lambda: Sources((), ()))
    refused: list[RefusedSource] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def read_uploaded(files: Iterable[Named]) -> UploadedSources:
    """Return what is in (name, bytes) of .cat, .catz, .gst, .gstz and .zip files. Raises Refusal
    where all together are too much.
    """
    reading = _Reading()
    for name, raw in files:
        reading.file(name, raw)
    return reading.read()


class _Reading:
    """One reading, within the limits of all files together."""

    def __init__(self) -> None:
        self.found = UploadedSources()
        self.roots: list[tuple[str, Element]] = []
        self.bytes = 0
        self.entries = 0

    def file(self, name: str, raw: bytes) -> None:
        """Read one file that was uploaded."""
        ending = _ending(name)
        if ending == ".zip":
            self._try(name, partial(self._zip, raw))
        elif ending in PLAIN | ZIPPED:
            self._try(name, partial(self._source, name, raw))
        else:
            self._refuse_kind(name)

    def _refuse_kind(self, name: str) -> None:
        """Refuse a file of another kind."""
        why = say("Choose a .cat, .catz, .gst, .gstz or .zip file.")
        if _ending(name) == JSON:
            why = say("JSON can only be read for games kept as their own files.")
        self.found.refused.append(RefusedSource(name[:_NAME], why))

    def read(self) -> UploadedSources:
        """Return what was found, by name."""
        pairs = sorted(self.roots, key=lambda pair: pair[0])
        systems = [pair for pair in pairs if pair[1].tag == "gameSystem"]
        books = [pair for pair in pairs if pair[1].tag == "catalogue"]
        self.found.sources = Sources(tuple(self._each_once(systems)), tuple(self._each_once(books)))
        return self.found

    def _each_once(self, pairs: Iterable[tuple[str, Element]]) -> Iterator[tuple[str, Element]]:
        """Yield the files; of those with one id the first, and refuse the others: for catalogues,
        to which authors gave one id by a slip, only where they are called alike, too.
        """
        names: dict[tuple[str, str], str] = {}
        for name, root in pairs:
            called = kebab(root.get("name", "")) if root.tag == "catalogue" else ""
            first = names.setdefault((root.get("id", ""), called), name)
            if first == name:
                yield name, root
                continue
            why = say("The file has the same id as {other}.", other=first)
            self.found.refused.append(RefusedSource(name, why))

    def _try(self, name: str, read: Callable[[], None]) -> None:
        """Read a file; what refuses it by itself is told, and the others go on."""
        check()
        try:
            read()
        except TooMuch:
            raise
        except Refusal as refusal:
            why = refusal.sentence.removeprefix(f"{name}: ")
            self.found.refused.append(RefusedSource(name[:_NAME], why))

    def _zip(self, raw: bytes) -> None:
        with open_zip(BytesIO(raw), ZIP_LIMITS) as archive:
            for info in checked(archive.files):
                name = PurePosixPath(info.filename.replace("\\", "/")).name
                if _ending(name) in PLAIN | ZIPPED:
                    self._try(name, partial(self._member, archive, info, name))
                elif _ending(name) == JSON and len(self.found.refused) < MOST_NAMED:
                    self._refuse_kind(name)
                elif len(self.found.others) < MOST_NAMED:
                    self.found.others.append(info.filename[:_NAME])

    def _member(self, archive: Archive, info: ZipInfo, name: str) -> None:
        check_member(info)
        data = archive.read(info, MAX_FILE_BYTES)
        check_length(info, len(data))
        self._source(name, data)

    def _source(self, name: str, raw: bytes) -> None:
        for _name, data in unpacked(name, raw):
            self._count(data)
            counting = _CountingBuilder()
            root = parse_xml(data, counting)
            self.entries += counting.entries
            _check_kind(root)
            self.roots.append((_free(name, {one for one, _root in self.roots}), root))

    def _count(self, data: bytes) -> None:
        """Refuse a file, or all of them, where they are too much."""
        if len(data) > MAX_FILE_BYTES:
            raise Refusal(say("The file is larger than {most} MB.", most=MAX_FILE_BYTES >> 20))
        self.bytes += len(data)
        if self.bytes > MAX_TOTAL_BYTES:
            said = say("The files unzip to more than {most} MB.", most=MAX_TOTAL_BYTES >> 20)
            raise TooMuch(said)
        if self.entries > MAX_TOTAL_ENTRIES:
            raise TooMuch(say("The files have more than {most} entries.", most=MAX_TOTAL_ENTRIES))
        if len(self.roots) >= MAX_FILES:
            raise TooMuch(say("There are more than {most} files.", most=MAX_FILES))


class TooMuch(Refusal):
    """All files together are more than is read."""


class _CountingBuilder(Builder):
    """Refuses a file with too many entries as soon as it has them."""

    def __init__(self) -> None:
        super().__init__()
        self.entries = 0

    def enter(self, name: str, attrs: Any) -> Any:
        self.entries += 1
        if self.entries > MAX_ENTRIES:
            raise Refusal(say("The file has more than {most} entries.", most=MAX_ENTRIES))
        return super().enter(name, attrs)


def _check_kind(root: Element) -> None:
    if root.tag == "roster":
        raise Refusal(say("This is an army list. Import it under “Import lists”."))
    if root.tag not in ("gameSystem", "catalogue"):
        raise Refusal(say("This is neither a BattleScribe game system nor a catalogue."))
    version = root.get("battleScribeVersion", "")[:20]
    numbers = version.split(".")
    if not all(part.isascii() and part.isdigit() for part in numbers):
        raise Refusal(say("The file doesn’t say which version of BattleScribe wrote it."))
    if tuple(map(int, numbers)) < OLDEST:
        raise Refusal(
            say(
                "The file was written by BattleScribe {version}, which we can’t read. Save "
                "it with a newer editor, then upload it again.",
                version=version,
            )
        )


def _ending(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _free(name: str, taken: Collection[str]) -> str:
    """Return the name, or with a number where another folder of the zip has one like it."""
    name = name[:_NAME]
    names = chain([name], (f"{name} ({number})" for number in count(2)))
    return next(one for one in names if one not in taken)
