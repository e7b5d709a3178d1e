"""What a book says of its mounts elsewhere: under the units that ride the same beast.

Height and Type of a mounted model are its mount's (rulebook, 19.B.1), and so are those of a unit
whose Harnessed part, or which itself, is called as the mount.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bookimport.mends import nodes_of
from bookimport.options import HARNESSED
from bookimport.other_editions import BEHIND

_SIZE: Final = ("height", "type")


@dataclass(frozen=True, slots=True)
class _Beast:
    """A beast as a unit has it: its Height and Type, its stat line where it is a part of the unit,
    and the edition that the unit's stat line is from, "" where that is the book's own.
    """

    size: Mapping[str, str]
    row: Mapping[str, Any]
    edition: str


def complete_mounts(book: dict[str, Any]) -> None:
    """Give mounts the Height, Type and stat line that they lack and units of the book have, in
    place. Where units differ, nothing is taken from them.
    """
    beasts: dict[str, list[_Beast]] = defaultdict(list)
    for unit in book["units"]:
        for name, beast in _beasts(unit):
            beasts[name].append(beast)
    for node in nodes_of(book):
        if node.get("mount") and (same := beasts.get(node["name"].partition(" (")[0])):
            _complete(node, same)


def _beasts(unit: Mapping[str, Any]) -> Iterator[tuple[str, _Beast]]:
    rows = unit.get("profiles", ())
    size = {
        stat: row["stats"][stat] for row in rows[::-1] for stat in _SIZE if stat in row["stats"]
    }
    if not rows:
        return
    edition = rows[0].get("from", "")
    yield unit["name"], _Beast(size, {}, edition)
    for part in rows[1:]:
        if HARNESSED in part.get("rules", ()):
            yield part["name"], _Beast(size, part, edition)


def _complete(mount: dict[str, Any], beasts: list[_Beast]) -> None:
    first, *others = beasts
    rows = mount.get("profiles", [])
    size = {
        stat: value
        for stat, value in first.size.items()
        if all(beast.size.get(stat) == value for beast in others)
        if not any(stat in row["stats"] for row in rows)
    }
    if not size or not (rows or first.row):
        return
    origin = {"filled": f"{', '.join(size)}: {first.edition}"} if first.edition else {}
    if not rows:
        rows, origin = [dict(first.row)], {"from": first.edition} if first.edition else {}
        behind: dict[str, Any] = {key: mount.pop(key) for key in BEHIND if key in mount}
        mount |= {"profiles": rows, **behind}
    rows[0] |= {"stats": {**rows[0]["stats"], **size}, **origin}
