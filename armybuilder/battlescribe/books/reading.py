"""Reading BattleScribe files of anyone: sizes, archives and XML are checked first."""

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from armybuilder.loading.problems import Refusal

#: Bytes of one file, zipped or not; files in one import; bytes of all of them unzipped.
MAX_FILE_BYTES: Final = 32 * 1024 * 1024
MAX_FILES: Final = 200
MAX_TOTAL_BYTES: Final = 256 * 1024 * 1024
#: A file may unzip to this many times its zipped size (XML of this kind reaches some 30).
MAX_RATIO: Final = 200
#: Elements inside each other.
MAX_DEPTH: Final = 100

PLAIN: Final = {".gst", ".cat"}
ZIPPED: Final = {".gstz", ".catz"}

Named = tuple[str, bytes]


@dataclass(frozen=True)
class Sources:
    """The parsed files of one game: `system` is (file name, root), `books` likewise, by name."""

    system: tuple[str, Element]
    books: tuple[tuple[str, Element], ...]


def read_sources(path: Path) -> Sources:
    """The game system and its catalogues in a folder, a .zip, or beside a single file.

    A single .cat or .catz is read with the game system that lies beside it.
    Raises Refusal, saying which file cannot be read and why.
    """
    roots = [(name, _root(name, raw)) for name, raw in sorted(_files(path))]
    systems = [pair for pair in roots if pair[1].tag == "gameSystem"]
    books = tuple(pair for pair in roots if pair[1].tag == "catalogue")
    strange = [name for name, root in roots if root.tag not in {"gameSystem", "catalogue"}]
    if strange:
        raise Refusal(f"{strange[0]} is neither a game system nor a catalogue of BattleScribe.")
    if not systems:
        raise Refusal("There is no game system (.gst or .gstz) among the files.")
    if len(systems) > 1:
        names = ", ".join(name for name, _ in systems)
        raise Refusal(f"There is more than one game system: {names}.")
    return Sources(systems[0], books)


def _files(path: Path) -> Iterator[Named]:
    """(name, plain XML bytes) of every game system and catalogue that `path` stands for."""
    total = 0
    for number, (name, raw) in enumerate(_raw_files(path)):
        if number >= MAX_FILES:
            raise Refusal(f"There are more than {MAX_FILES} files.")
        for inner, data in _unpacked(name, raw):
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
            yield from ((file.name, _bytes(file)) for file in _systems_beside(path))
    else:
        raise Refusal(f"{path.name} is not a folder, .zip, .gst, .gstz, .cat or .catz file.")


def _systems_beside(path: Path) -> list[Path]:
    return sorted(file for file in path.parent.iterdir() if file.suffix in {".gst", ".gstz"})


def _bytes(file: Path) -> bytes:
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            raise Refusal(f"{file.name} has more than {MAX_FILE_BYTES >> 20} MB.")
        return file.read_bytes()
    except OSError as error:
        raise Refusal(f"{file.name} cannot be read: {error.strerror}.") from error


def _unpacked(name: str, raw: bytes) -> Iterator[Named]:
    """The file itself, or the one file inside a .gstz or .catz."""
    if PurePosixPath(name).suffix.lower() not in ZIPPED:
        yield name, raw
        return
    inner = list(_members(name, raw, most=1))
    if not inner:
        raise Refusal(f"{name} should hold one file and holds none.")
    yield name, inner[0][1]


def _members(name: str, raw: bytes, most: int = MAX_FILES) -> Iterator[Named]:
    """(name, bytes) of the BattleScribe files in a zip, each checked before it is unzipped."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            wanted = _wanted(name, archive.infolist(), most)
            for info in wanted:
                yield PurePosixPath(info.filename).name, _member(name, archive, info)
    except (
        zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, NotImplementedError
    ) as error:  # fmt: skip
        raise Refusal(f"{name} is not a whole zip file: {error}.") from error


def _wanted(name: str, infos: Iterable[zipfile.ZipInfo], most: int) -> list[zipfile.ZipInfo]:
    found = [info for info in infos if not info.filename.endswith("/")]
    if len(found) > most:
        raise Refusal(f"{name} holds more than {most} file{'s' if most > 1 else ''}.")
    for info in found:
        _check_member(name, info)
    return [info for info in found if PurePosixPath(info.filename).suffix.lower() in PLAIN | ZIPPED]


def _check_member(name: str, info: zipfile.ZipInfo) -> None:
    path = PurePosixPath(info.filename.replace("\\", "/"))
    named = bool(path.parts) and ":" not in path.parts[0]
    if not named or path.is_absolute() or ".." in path.parts:
        raise Refusal(f"{name} holds a file that points outside it: {info.filename[:80]}.")
    if info.flag_bits & 0x1:
        raise Refusal(f"{name} holds an encrypted file: {info.filename[:80]}.")
    too_much = info.file_size > MAX_RATIO * max(info.compress_size, 1)
    if info.file_size > MAX_FILE_BYTES or (too_much and info.file_size > 1 << 20):
        raise Refusal(f"{name} holds a file that unzips to too much: {info.filename[:80]}.")


def _member(name: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The member's bytes; what its header says of its size is not trusted."""
    with archive.open(info) as stream:
        data = stream.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise Refusal(f"{name} holds a file that unzips to too much: {info.filename[:80]}.")
    return data


def _root(name: str, raw: bytes) -> Element:
    """The root of an XML file, its tags without namespace; no DTD, no entities."""
    try:
        root: Element = fromstring(raw, forbid_dtd=True)
    except ParseError as error:
        raise Refusal(f"{name} is not XML: {error}.") from error
    except DefusedXmlException as error:
        raise Refusal(f"{name} defines entities or a document type, which is refused.") from error
    except (ValueError, LookupError) as error:
        raise Refusal(f"{name} is in an encoding that cannot be read.") from error
    _strip(name, root)
    return root


def _strip(name: str, root: Element) -> None:
    level = [root]
    for _ in range(MAX_DEPTH):
        for element in level:
            element.tag = element.tag.rpartition("}")[2]
        level = [child for element in level for child in element]
        if not level:
            return
    raise Refusal(f"{name} nests more than {MAX_DEPTH} levels deep.")
