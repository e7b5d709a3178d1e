"""Rosters of BattleScribe that may come from anyone, read safely.

Only the choices of a roster are kept of the XML; rules, stat lines and categories, which
BattleScribe copies into it from its own files, are passed over.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from xml.etree.ElementTree import Element

from django.utils.translation import gettext as _

from armybuilder.battlescribe.rosters.roster_ids import order_of
from armybuilder.battlescribe.xml import Builder, parse_xml
from armybuilder.engine.wording import marked
from armybuilder.loading.archives import is_zip, zip_entries
from armybuilder.loading.problems import Refusal

#: Bytes of a roster, zipped or not; elements that are kept, of which a selection has some four.
MAX_BYTES: Final = 4 * 1024 * 1024
MAX_KEPT: Final = 50_000
#: How the names of rosters end, and how many bytes such a file may have.
LENGTHS: Final = {".ros": MAX_BYTES, ".rosz": MAX_BYTES}
_PLAIN: Final = {".ros": MAX_BYTES}
_KEPT: Final = {
    "roster", "costs", "cost", "costLimits", "costLimit", "forces", "force", "customNotes",
    "selections", "selection",
}  # fmt: skip
_MOST_DIGITS: Final = 12


@dataclass(frozen=True, eq=False)
class BsSelection:
    """A selection with its contents.

    `points` are its own, None: not given; `order` is its place in the list that the file was made
    of, None if not given.
    """

    name: str
    path: str
    number: int
    points: int | None
    own_name: str
    notes: str
    inner: tuple["BsSelection", ...]
    order: int | None = None

    @property
    def id(self) -> str:
        """The id of the entry itself, the last of the path to it."""
        return self.path.rsplit("::", 1)[-1]

    def walk(self) -> Iterator["BsSelection"]:
        """This and everything on it."""
        yield self
        for one in self.inner:
            yield from one.walk()

    @property
    def total(self) -> int:
        """The points of this and of everything on it, as the file has them."""
        return sum(one.points or 0 for one in self.walk())


@dataclass(frozen=True, eq=False)
class BsForce:
    """Units of one catalogue."""

    name: str
    entry: str
    catalogue: str
    catalogue_name: str
    revision: str
    notes: str
    own_name: str
    selections: tuple[BsSelection, ...]


@dataclass(frozen=True, eq=False)
class BsRoster:
    """Contents of a roster; `limit` and `spent` in points, None if not given."""

    name: str
    game_name: str
    game_revision: str
    limit: int | None
    spent: int | None
    notes: str
    forces: tuple[BsForce, ...]


def is_roster(name: str) -> bool:
    """Return whether a file of this name is a roster."""
    return name.lower().endswith(tuple(LENGTHS))


def unpacked_length(raw: bytes) -> int:
    """Return the unpacked length of a roster in bytes; 0 for a broken zip."""
    try:
        return len(_plain(raw))
    except Refusal:
        return 0


def parse_roster(raw: bytes) -> BsRoster:
    """Parse a .ros or .rosz file. Raises Refusal where it is too large, no roster, or unsafe."""
    root = parse_xml(_plain(raw), _Builder())
    if root.tag != "roster":
        raise Refusal(_("This is not a BattleScribe list."))
    return BsRoster(
        root.get("name", ""),
        root.get("gameSystemName", ""),
        root.get("gameSystemRevision", ""),
        _points(root, "costLimits/costLimit"),
        _points(root, "costs/cost"),
        _text(root, "customNotes"),
        tuple(_force(one, root.get("id", "")) for one in root.iter("force")),
    )


def _plain(raw: bytes) -> bytes:
    """Return the XML: the file itself, or the one in a zip."""
    file = io.BytesIO(raw)
    content: bytes | Refusal = raw
    if is_zip(file):
        entries = list(islice(zip_entries(file, _PLAIN, MAX_BYTES), 2))
        if len(entries) != 1:
            raise Refusal(_("A .rosz file holds one list; this one holds something else."))
        content = entries[0].content
    if isinstance(content, Refusal):
        raise content
    if len(content) > MAX_BYTES:
        said = _("A BattleScribe list may have at most {most} MB.")
        raise Refusal(said.format(most=MAX_BYTES >> 20))
    return content


class _Builder(Builder):
    """Builds what of the XML is kept; too much is refused while it is read."""

    MAX_DEPTH = 60
    TOO_DEEP = marked("The list is nested too deeply.")

    def __init__(self) -> None:
        super().__init__()
        self.passing = 0
        self.kept = 0

    def enter(self, name: str, attrs: Any) -> Any:
        """Keep an element, or skip it with its contents. The root is kept to identify the file."""
        if self.passing or (name not in _KEPT and self.depth > 1):
            self.passing += 1
            return None
        self.kept += 1
        if self.kept > MAX_KEPT:
            raise Refusal(_("The list is too large."))
        return super().enter(name, attrs)

    def leave(self, name: str) -> Any:
        """Close an element, if it was kept."""
        if self.passing:
            self.passing -= 1
            return None
        return super().leave(name)

    def data(self, data: Any) -> None:
        """Text in an element."""
        if not self.passing:
            super().data(data)


def _force(element: Element, roster: str) -> BsForce:
    return BsForce(
        element.get("name", ""),
        element.get("entryId", ""),
        element.get("catalogueId", ""),
        element.get("catalogueName", ""),
        element.get("catalogueRevision", ""),
        _text(element, "customNotes"),
        element.get("customName", ""),
        tuple(_selection(one, roster) for one in element.iterfind("selections/selection")),
    )


def _selection(element: Element, roster: str) -> BsSelection:
    return BsSelection(
        element.get("name", ""),
        element.get("entryId", ""),
        max(1, _whole(element.get("number", "")) or 1),
        _points(element, "costs/cost"),
        element.get("customName", ""),
        _text(element, "customNotes"),
        tuple(_selection(one, roster) for one in element.iterfind("selections/selection")),
        order_of(element.get("id", ""), roster),
    )


def _text(element: Element, name: str) -> str:
    return (element.findtext(name) or "").strip()


def _points(element: Element, path: str) -> int | None:
    """Return the sum of the costs; None if there are none, or one isn't a whole number."""
    found = [_whole(one.get("value", "")) for one in element.iterfind(path)]
    known = [one for one in found if one is not None]
    return sum(known) if known else None


def _whole(text: str) -> int | None:
    """Return the whole number in text like 12 or 12.0; None where it is none."""
    whole, _point, rest = text.strip().partition(".")
    if len(whole) > _MOST_DIGITS or rest.strip("0"):
        return None
    digits = whole.removeprefix("-")
    return int(whole) if digits.isascii() and digits.isdigit() else None
