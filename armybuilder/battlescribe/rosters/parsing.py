"""Rosters of BattleScribe that may come from anyone, read safely."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.reading import ElementTarget, FileElement, number_of
from armybuilder.battlescribe.rosters.roster_ids import order_of
from armybuilder.battlescribe.xml import parse_xml
from armybuilder.loading.archives import is_zip, zip_entries
from armybuilder.loading.problems import Refusal

#: Bytes of a roster, zipped or not, and elements of it: a choice with its rules has some twenty.
MAX_BYTES: Final = 4 * 1024 * 1024
MAX_ELEMENTS: Final = 100_000
#: How the names of rosters end, and how many bytes such a file may have.
LENGTHS: Final = {".ros": MAX_BYTES, ".rosz": MAX_BYTES}
_PLAIN: Final = {".ros": MAX_BYTES}


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
    inner: tuple[BsSelection, ...]
    order: int | None = None

    @property
    def id(self) -> str:
        """The id of the entry itself, the last of the path to it."""
        return self.path.rsplit("::", 1)[-1]

    def walk(self) -> Iterator[BsSelection]:
        """This and everything on it."""
        yield self
        for one in self.inner:
            yield from one.walk()

    @property
    def total(self) -> int:
        """The points of this and of everything on it, as the file has them."""
        return sum(one.points or 0 for one in self.walk())


def is_roster(name: str) -> bool:
    """Return whether a file of this name is a roster."""
    return name.lower().endswith(tuple(LENGTHS))


def unpacked_length(raw: bytes) -> int:
    """Return the unpacked length of a roster in bytes; 0 for a broken zip."""
    try:
        return len(_plain(raw))
    except Refusal:
        return 0


def parse_roster(raw: bytes) -> FileElement:
    """Parse a .ros or .rosz file. Raises Refusal where it is too large, no roster, or unsafe."""
    root = parse_xml(_plain(raw), ElementTarget(MAX_ELEMENTS))
    if root.place != "roster":
        raise Refusal(_("This is not a BattleScribe list."))
    return root


def forces_of(roster: FileElement) -> list[FileElement]:
    """Return the forces of a roster, and those within them."""
    return [element for element in roster.walk() if element.place == "forces"]


def selections_of(above: FileElement) -> tuple[BsSelection, ...]:
    """Return the selections directly in a force, or on a selection."""
    return tuple(
        BsSelection(
            element.get("name"),
            element.get("entryId"),
            max(1, _whole(element.get("number")) or 1),
            points_of(element, "costs"),
            element.get("customName"),
            element.get("customNotes"),
            selections_of(element),
            order_of(element.id, element.root.id),
        )
        for element in above.all("selections")
    )


def points_of(element: FileElement, place: str) -> int | None:
    """Return the sum of the costs; None if there are none, or one isn't a whole number."""
    found = [_whole(one.get("value")) for one in element.all(place)]
    known = [one for one in found if one is not None]
    return sum(known) if known else None


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


def _whole(text: str) -> int | None:
    """Return the whole number in text like 12 or 12.0; None where it is none."""
    number = number_of(text)
    return number if isinstance(number, int) else None
