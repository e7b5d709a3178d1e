"""Files of BattleScribe and New Recruit, XML or JSON, as one kind of element."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

from armybuilder.battlescribe.xml import parse_xml
from armybuilder.engine.kernel.conditions import Number, whole
from armybuilder.engine.wording import say
from armybuilder.loading.archives import BROKEN, Archive, ZipLimits, is_zip, open_zip
from armybuilder.loading.problems import Refusal

#: Elements inside each other, elements of one file, bytes of one file, files of one game.
MAX_DEPTH: Final = 120
MAX_ELEMENTS: Final = 500_000
MAX_BYTES: Final = 64 * 1024 * 1024
MAX_FILES: Final = 5000
ENDINGS: Final = {".cat", ".gst", ".catz", ".gstz", ".json"}
#: The greatest number of a file, and decimals beyond which numbers are rounded.
MAX_VALUE: Final = 10**15
_DECIMALS: Final = 6
_ROOTS: Final = ("catalogue", "gameSystem", "roster")
#: Lists whose elements lists name by their ids.
_NAMED: Final = {
    *("selectionEntries", "sharedSelectionEntries", "entryLinks", "forceEntryLinks"),
    *("selectionEntryGroups", "sharedSelectionEntryGroups", "forceEntries", "sharedForceEntries"),
}
#: Letters that XML and databases cannot hold.
UNWRITABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?")


class Foreign(Refusal):
    """A file in order that is none of a game's."""


class FileElement:
    """An element of a file: attributes, and child elements by the names of their lists.

    `place` is the name of the list that contains it, `root` the element of the whole file.
    """

    __slots__ = ("attributes", "lists", "place", "root")

    def __init__(self, place: str, attributes: dict[str, str], root: FileElement | None) -> None:
        self.place = place
        self.attributes = attributes
        self.lists: dict[str, list[FileElement]] = {}
        self.root: FileElement = self if root is None else root

    @property
    def id(self) -> str:
        """Id by which links and rosters name it."""
        return self.attributes.get("id", "")

    def get(self, key: str, default: str = "") -> str:
        """Return the value of an attribute, or of an element of text."""
        return self.attributes.get(key, default)

    def says(self, key: str) -> bool:
        """Return whether an attribute is true."""
        return self.attributes.get(key) == "true"

    def all(self, *names: str) -> Iterator[FileElement]:
        """Yield the elements of some lists, in their order."""
        for name in names:
            yield from self.lists.get(name, ())

    def walk(self) -> Iterator[FileElement]:
        """Yield itself and all in it."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            for inner in reversed(element.lists.values()):
                stack += reversed(inner)


def modifiers_of(
    element: FileElement, around: tuple[FileElement, ...] = ()
) -> Iterator[tuple[FileElement, tuple[FileElement, ...]]]:
    """Yield the modifiers of an element, each with its enclosing groups."""
    for modifier in element.all("modifiers"):
        yield modifier, around
    for group in element.all("modifierGroups"):
        yield from modifiers_of(group, (*around, group))


def is_far(modifier: FileElement) -> bool:
    """Return whether a modifier changes something other than its own element."""
    return any(modifier.get(key) not in ("", "self") for key in ("affects", "scope"))


class ElementTarget:
    """Takes the events of an XML parser. Elements and their lists take turns on the way down."""

    def __init__(self, most: int = MAX_ELEMENTS) -> None:
        self.most = most
        self.root: FileElement | None = None
        self.elements = 0
        self._stack: list[tuple[str, FileElement | None]] = []
        self._text: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin an element, or a list of them."""
        self._text.clear()
        name = tag.rpartition("}")[2]
        stack = self._stack
        if len(stack) >= 2 * MAX_DEPTH:
            raise Refusal(say("The file is nested too deeply."))
        if not stack:
            self.root = FileElement(name, attributes, None)
            stack.append((name, self.root))
        elif stack[-1][1] is not None and not attributes:
            stack.append((name, None))
        else:
            self._element(name, attributes)

    def _element(self, name: str, attributes: dict[str, str]) -> None:
        stack = self._stack
        place, above = stack[-1]
        if above is None:
            above = stack[-2][1]
        else:
            place = name
        element = FileElement(place, attributes, self.root)
        self.elements += 1
        _name(element, self.elements)
        if self.elements > self.most:
            raise Refusal(say("The file has more than {most} elements.", most=self.most))
        if above is not None:
            above.lists.setdefault(place, []).append(element)
        stack.append((name, element))

    def data(self, text: str) -> None:
        """Take a piece of text."""
        self._text.append(text)

    def end(self, tag: str) -> None:
        """Close an element or a list; text alone is what its element says."""
        name, element = self._stack.pop()
        text = "".join(self._text).strip()
        self._text.clear()
        if not text:
            return
        if element is not None and not element.lists:
            element.attributes["$text"] = text
        elif element is None and self._stack[-1][1] is not None:
            self._stack[-1][1].attributes.setdefault(name, text)

    def close(self) -> FileElement:
        """Return the whole file. Raises Refusal where nothing was in it."""
        if self.root is None:
            raise Refusal(say("This is not a complete XML file."))
        return self.root


def _read_json(raw: bytes) -> FileElement:
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except RecursionError as error:
        raise Refusal(say("The file is nested too deeply.")) from error
    except ValueError as error:
        raise Refusal(say("This is not a complete JSON file.")) from error
    for name in _ROOTS:
        if isinstance(data, dict) and isinstance(data.get(name), dict):
            return element_of(name, data[name])
    raise Foreign(say("This is JSON, but neither a catalogue nor a game system."))


def element_of(place: str, data: Mapping[str, Any]) -> FileElement:
    """Return JSON data as an element without a parent."""
    root = FileElement(place, {}, None)
    stack: list[tuple[FileElement, Mapping[str, Any], int]] = [(root, data, 1)]
    elements = 0
    while stack:
        element, content, depth = stack.pop()
        elements += 1
        if elements > MAX_ELEMENTS:
            raise Refusal(say("The file has more than {most} elements.", most=MAX_ELEMENTS))
        if depth > MAX_DEPTH:
            raise Refusal(say("The file is nested too deeply."))
        for key, value in content.items():
            inner = value if isinstance(value, list) else [value]
            mappings = [one for one in inner if isinstance(one, Mapping)]
            if mappings:
                element.lists[key] = [FileElement(key, {}, root) for _ in mappings]
                depths = (depth + 1 for _ in mappings)
                stack += zip(element.lists[key], mappings, depths, strict=True)
            elif value is not None and not isinstance(value, list):
                element.attributes[key] = _text(value)
        _name(element, elements)
    return root


def _text(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if text.isprintable() else UNWRITABLE.sub("\ufffd", text)


def _name(element: FileElement, number: int) -> None:
    """Give an entry that has no id one of its own: its number in the file."""
    if element.place in _NAMED and not element.id:
        element.attributes["id"] = f"no-id-{number}"


def read_element(raw: bytes) -> FileElement:
    """Return the root element of a file, XML or JSON, zipped or not. Raises Refusal."""
    raw = unzipped(raw)
    return _read_json(raw) if _is_json(raw) else parse_xml(raw, ElementTarget())


def unzipped(raw: bytes) -> bytes:
    """Return a file, or the one in a zip. Raises Refusal where it is too large."""
    if is_zip(io.BytesIO(raw)):
        with open_zip(io.BytesIO(raw), ZipLimits(MAX_BYTES)) as archive:
            if not archive.files:
                raise Refusal(say("This is not a complete zip file."))
            raw = archive.read(archive.files[0], MAX_BYTES)
    if len(raw) > MAX_BYTES:
        raise Refusal(say("The file is larger than {most} MB.", most=MAX_BYTES >> 20))
    return raw


def _is_json(raw: bytes) -> bool:
    return raw[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


class _Head(Exception):
    """The first element was seen."""

    def __init__(self, element: FileElement) -> None:
        self.element = element


class _HeadTarget(ElementTarget):
    """Takes the first event of an XML parser."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Stop at the first element. Raises _Head, which has it."""
        raise _Head(FileElement(tag.rpartition("}")[2], attributes, None))


def number_of(text: str) -> Number | None:
    """Return a number as a file has it; None where it is none, or beyond all measure."""
    text = text.strip()
    if not _NUMBER.fullmatch(text) or abs(number := Fraction(text)) > MAX_VALUE:
        return None
    return whole(round(number, _DECIMALS) if number.denominator > 10**_DECIMALS else number)


class Member(NamedTuple):
    """A file of a game, not read yet; `first` is its first element where that is known."""

    name: str
    read: Callable[[], bytes]
    first: FileElement | None = None

    def head(self) -> FileElement:
        """Return its first element: what kind of file it is, and its attributes. Raises Refusal."""
        if self.first is not None:
            return FileElement(self.first.place, dict(self.first.attributes), None)
        raw = self.read()
        if is_zip(io.BytesIO(raw)) or _is_json(raw):
            root = read_element(raw)
            return FileElement(root.place, root.attributes, None)
        try:
            return parse_xml(raw, _HeadTarget())
        except _Head as head:
            return head.element


def members_of(path: Path) -> Iterator[Member]:
    """Yield the files of a game in a folder or a zip, by name. Raises Refusal."""
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.suffix.lower() in ENDINGS and file.is_file():
                yield Member(file.name, file.read_bytes)
        return
    try:
        archive = Archive(ZipFile(path))
    except BROKEN as error:
        raise Refusal(say("This is not a complete zip file.")) from error
    if len(archive.files) > MAX_FILES:
        raise Refusal(say("The zip contains too many files."))
    for info in sorted(archive.files, key=lambda info: info.filename):
        name = PurePosixPath(info.filename)
        if name.suffix.lower() in ENDINGS:
            yield Member(name.name, partial(archive.read, info, MAX_BYTES))
