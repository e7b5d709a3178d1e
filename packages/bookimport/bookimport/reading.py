"""Reading BattleScribe files of anyone: sizes, archives and XML are checked first."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Final
from xml.etree.ElementTree import Element, TreeBuilder
from zipfile import ZipInfo

from armybuilder.battlescribe.xml import parse_xml
from armybuilder.engine.wording import say, say_count
from armybuilder.loading.archives import ZipLimits, open_zip
from armybuilder.loading.problems import Refusal
from bookimport.names import clean, sorting_prefixes

#: Bytes of one file, zipped or not; files in one import; bytes of all of them unzipped.
MAX_FILE_BYTES: Final = 32 * 1024 * 1024
MAX_FILES: Final = 200
MAX_TOTAL_BYTES: Final = 256 * 1024 * 1024
#: A file may unzip to this many times its zipped size (XML of this kind reaches some 30).
MAX_RATIO: Final = 200

PLAIN: Final = {".gst", ".cat"}
ZIPPED: Final = {".gstz", ".catz"}
#: Elements inside each other.
MAX_DEPTH: Final = 100
#: The ending of what New Recruit writes instead, which is not read.
JSON: Final = ".json"

Named = tuple[str, bytes]


@dataclass(frozen=True)
class Sources:
    """Parsed files: game systems and books, each (file name, root), by name."""

    systems: tuple[tuple[str, Element], ...]
    books: tuple[tuple[str, Element], ...]

    @cached_property
    def unlinked(self) -> frozenset[str]:
        """Names of shared rules and profiles to which no link leads."""
        roots = [root for _name, root in (*self.systems, *self.books)]
        targets = {link.get("targetId") for root in roots for link in root.iter("infoLink")}
        shared = [
            thing
            for root in roots
            for home in ("sharedRules/rule", "sharedProfiles/profile")
            for thing in root.iterfind(home)
        ]
        return frozenset(
            clean(thing.get("name", "")) for thing in shared if thing.get("id") not in targets
        )

    def prefixes(self, game: str) -> frozenset[str]:
        """Return what names in the files of a game begin with only to be sorted."""
        roots = [root for _name, root in self.systems if root.get("id") == game]
        roots += [root for _name, root in self.books if root.get("gameSystemId") == game]
        tags = ("selectionEntry", "selectionEntryGroup", "entryLink")
        entries = (one for root in roots for tag in tags for one in root.iter(tag))
        return sorting_prefixes(one.get("name", "") for one in entries)

    def of_game(self, file: str | None) -> "Sources":
        """Return those of the game in this file; None: all, as only one has books. Raises Refusal
        where several have, or the file is not there.
        """
        names = {name for name, _root in self.systems}
        if file is not None and file not in names:
            raise Refusal(f"{file} is no game among the files: {', '.join(sorted(names))}.")
        if file is not None:
            (game,) = (pair for pair in self.systems if pair[0] == file)
            wanted = game[1].get("id")
            books = (pair for pair in self.books if pair[1].get("gameSystemId") == wanted)
            return Sources((game,), tuple(books))
        wanted_ids = {root.get("gameSystemId") for _name, root in self.books}
        used = [name for name, root in self.systems if root.get("id") in wanted_ids]
        if len(used) > 1:
            told = ", ".join(sorted(used))
            raise Refusal(f"There are books of several games: {told}. Choose one with --game.")
        return self

    def system_of(self, number: int) -> tuple[str, Element]:
        """Return the game system of a book. Raises Refusal where it is not among the files."""
        file, root = self.books[number]
        wanted = root.get("gameSystemId")
        found = next((pair for pair in self.systems if pair[1].get("id") == wanted), None)
        if found is None:
            there = ", ".join(name for name, _root in self.systems)
            raise Refusal(f"{file} belongs to another game system than {there}.")
        return found


def read_sources(path: Path) -> Sources:
    """Return the game systems and catalogues of a folder or .zip, or of a .cat(z) and what lies
    beside it. Raises Refusal, saying which file cannot be read and why, or is there twice.
    """
    roots = [(name, _root(name, raw)) for name, raw in sorted(_files(path))]
    systems = [pair for pair in roots if pair[1].tag == "gameSystem"]
    books = tuple(pair for pair in roots if pair[1].tag == "catalogue")
    strange = [name for name, root in roots if root.tag not in {"gameSystem", "catalogue"}]
    if strange:
        raise Refusal(f"{strange[0]} is neither a game system nor a catalogue of BattleScribe.")
    if not systems:
        raise Refusal(f"There is no game system (.gst or .gstz) among the files.{_json_in(path)}")
    ids = [root.get("id") for _name, root in systems]
    if len(set(ids)) < len(ids):
        names = ", ".join(name for name, _root in systems)
        raise Refusal(f"There is one game system twice: {names}.")
    return Sources(tuple(systems), books)


def _json_in(path: Path) -> str:
    """Return a sentence on JSON in a folder or zip; "" where there is none."""
    names = [file.name for file in path.iterdir()] if path.is_dir() else []
    if path.suffix.lower() == ".zip":
        with (
            _said_of(path.name),
            open_zip(io.BytesIO(_bytes(path)), ZipLimits(MAX_FILE_BYTES)) as archive,
        ):
            names = [PurePosixPath(info.filename).name for info in archive.files]
    found = sorted(name for name in names if name.lower().endswith(JSON))
    if not found:
        return ""
    return f" {found[0]} is JSON, which is not read: only BattleScribe's XML is."


def _files(path: Path) -> Iterator[Named]:
    """Yield (name, plain XML bytes) of every game system and catalogue that `path` stands for."""
    total = 0
    for number, (name, raw) in enumerate(_raw_files(path)):
        if number >= MAX_FILES:
            raise Refusal(f"There are more than {MAX_FILES} files.")
        for inner, data in unpacked(name, raw):
            total += len(data)
            if total > MAX_TOTAL_BYTES:
                raise Refusal(f"The files unzip to more than {MAX_TOTAL_BYTES >> 20} MB.")
            yield inner, data


def _raw_files(path: Path) -> Iterator[Named]:
    if not path.exists():
        raise Refusal(f"There is no file or folder {path.name}.")
    if path.is_dir():
        for file in sorted(path.iterdir()):
            if file.suffix.lower() in PLAIN | ZIPPED and file.is_file():
                yield file.name, _bytes(file)
    elif path.suffix.lower() == ".zip":
        yield from _members(path.name, _bytes(path))
    elif path.suffix.lower() in PLAIN | ZIPPED:
        yield path.name, _bytes(path)
        if path.suffix.lower() in {".cat", ".catz"}:
            beside = sorted(path.parent.iterdir())
            systems = (file for file in beside if file.suffix in {".gst", ".gstz"})
            yield from ((file.name, _bytes(file)) for file in systems)
    else:
        raise Refusal(f"{path.name} is not a folder, .zip, .gst, .gstz, .cat or .catz file.")


def _bytes(file: Path) -> bytes:
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            raise Refusal(f"{file.name} has more than {MAX_FILE_BYTES >> 20} MB.")
        return file.read_bytes()
    except OSError as error:
        raise Refusal(f"{file.name} cannot be read: {error.strerror}.") from error


def unpacked(name: str, raw: bytes) -> Iterator[Named]:
    """Yield the file itself, or the one file inside a .gstz or .catz."""
    if PurePosixPath(name).suffix.lower() not in ZIPPED:
        yield name, raw
        return
    inner = list(_members(name, raw, most=1))
    if not inner:
        raise Refusal(say("{file} should contain one file but is empty.", file=name))
    yield name, inner[0][1]


def _members(name: str, raw: bytes, most: int = MAX_FILES) -> Iterator[Named]:
    """(name, bytes) of the BattleScribe files in a zip, each checked before it is unzipped."""
    with _said_of(name), open_zip(io.BytesIO(raw), ZipLimits(MAX_FILE_BYTES)) as archive:
        if len(archive.files) > most:
            raise Refusal(
                say_count(
                    "The zip holds more than {number} file.",
                    "The zip holds more than {number} files.",
                    most,
                )
            )
        for info in archive.files:
            check_member(info)
            if PurePosixPath(info.filename).suffix.lower() in PLAIN | ZIPPED:
                with _said_of(info.filename[:80]):
                    data = archive.read(info, MAX_FILE_BYTES)
                check_length(info, len(data))
                yield PurePosixPath(info.filename).name, data


@contextmanager
def _said_of(name: str) -> Iterator[None]:
    """Whatever is refused is told with the name of the file."""
    try:
        yield
    except Refusal as refusal:
        raise Refusal(f"{name}: {refusal.sentence}") from refusal


def check_member(info: ZipInfo) -> None:
    """Refuse what points outside the zip, and, before it is unzipped, what says that it is long."""
    path = PurePosixPath(info.filename.replace("\\", "/"))
    named = bool(path.parts) and ":" not in path.parts[0]
    if not named or path.is_absolute() or ".." in path.parts:
        raise Refusal(
            say("The zip contains a file that points outside it: {file}.", file=info.filename[:80])
        )
    check_length(info, info.file_size)


def check_length(info: ZipInfo, length: int) -> None:
    """Refuse what unzips to more than a file may have, or to far more than it has zipped."""
    too_much = length > MAX_RATIO * max(info.compress_size, 1) and length > 1 << 20
    if length > MAX_FILE_BYTES or too_much:
        raise Refusal(say("{file} is too large when unzipped.", file=info.filename[:80]))


class Builder(TreeBuilder):
    """Builds the tree of elements without namespaces; refuses what nests too deeply."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0

    def start(self, tag: Any, attrs: Any) -> Any:
        """Begin an element."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Refusal(say("The file is nested too deeply."))
        return super().start(tag.rpartition("}")[2], attrs)

    def end(self, tag: Any) -> Any:
        """Close an element."""
        self.depth -= 1
        return super().end(tag.rpartition("}")[2])


def _root(name: str, raw: bytes) -> Element:
    """Return the root of an XML file, its tags without namespace; no DTD, no entities."""
    with _said_of(name):
        return parse_xml(raw, Builder())
