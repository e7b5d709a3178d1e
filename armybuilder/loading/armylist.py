"""An army list as a value: read once from its document, and written back with the same bytes.

A document may leave empty values out or write them down (`"notes": ""`). Past this module both read
alike; `kept_empty` remembers those written down, so that the document keeps its bytes and its hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from armybuilder.engine.roster import SettingValue
from armybuilder.loading.document_parts import DocumentPart, read_part
from armybuilder.loading.limits import DEEPEST

FORMAT = "armylist/1"

Data = Mapping[str, Any]
_NONE: frozenset[str] = frozenset()
_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ListBook(DocumentPart):
    """A book that the list draws from; `revision` "": as the book is now."""

    id: str
    revision: str = ""


@dataclass(frozen=True, slots=True)
class ListOption(DocumentPart):
    """An option taken `number` times, with the options on it; `on` is an enchantment's piece."""

    id: str
    number: int = 1
    on: str = ""
    options: tuple[ListOption, ...] = ()
    kept_empty: frozenset[str] = _NONE

    @classmethod
    def from_dict(cls, data: Data | str) -> ListOption:
        """Read an option of a checked document; one that is written by its id alone, too."""
        if isinstance(data, str):
            return _bare(data)
        return _bare(data["id"]) if len(data) == 1 else read_part(cls, data)

    def to_dict(self, level: int = 1) -> dict[str, Any]:
        """Return the option as the document writes it `level` options deep."""
        data: dict[str, Any] = {"id": self.id}
        if self.number != 1:
            data["number"] = self.number
        if self.on:
            data["on"] = self.on
        if self.options or "options" in self.kept_empty:
            deep = level + 1 >= DEEPEST  # there by their ids alone
            data["options"] = [one.id if deep else one.to_dict(level + 1) for one in self.options]
        return data


@lru_cache(maxsize=4096)
def _bare(option_id: str) -> ListOption:
    return ListOption(option_id)


@dataclass(frozen=True, slots=True)
class ListAbility(DocumentPart):
    """An ability of a custom model; `target` is whom it works against."""

    ability: str
    target: str = ""
    kept_empty: frozenset[str] = _NONE


@dataclass(frozen=True, slots=True)
class ListProfile(DocumentPart):
    """A player's own model. `stats` are numbers by the statistic's id."""

    name: str
    stats: Mapping[str, int]
    abilities: tuple[ListAbility, ...]


@dataclass(frozen=True, slots=True)
class ListCard(DocumentPart):
    """Values read off a card that the book lacks; `points` None: not given."""

    points: int | None = None
    attributes: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    ratings: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    kept_empty: frozenset[str] = _NONE

    def __bool__(self) -> bool:
        """Return whether anything is filled in."""
        return self.points is not None or bool(self.attributes or self.ratings)


@dataclass(frozen=True, slots=True)
class ListStatLine(DocumentPart):
    """A stat line in a player's words, texts by statistic; `name` "": that of the unit itself."""

    KEYS = "name stats!"

    name: str = ""
    stats: Mapping[str, str] = field(default_factory=lambda: _NOTHING)


#: Stat lines by the ref of their unit.
StatLines = Mapping[str, tuple[ListStatLine, ...]]


@dataclass(frozen=True, slots=True)
class ListUnit(DocumentPart):
    """A unit of `models` figures: of a book (`ref`: "book/unit"), or own, with a `profile`."""

    KEYS = "id unit=ref profile models roles options card name notes"

    id: str
    models: int
    ref: str = ""
    profile: ListProfile | None = None
    roles: tuple[str, ...] = ()
    options: tuple[ListOption, ...] = ()
    card: ListCard | None = None
    name: str = ""
    notes: str = ""
    kept_empty: frozenset[str] = _NONE


@dataclass(frozen=True, slots=True)
class ArmyList(DocumentPart):
    """A whole list; `limit` in points. It holds no totals: they are worked out anew each time.

    `stat_lines` are the player's own, by the ref of a unit whose book has none.
    """

    HEAD = MappingProxyType({"format": FORMAT})
    KEYS = "system books name limit settings notes stat_lines units!"

    system: str
    books: tuple[ListBook, ...]
    name: str
    limit: int
    settings: Mapping[str, SettingValue] = field(default_factory=lambda: _NOTHING)
    notes: str = ""
    units: tuple[ListUnit, ...] = ()
    stat_lines: StatLines = field(default_factory=lambda: _NOTHING)
    kept_empty: frozenset[str] = _NONE


def stat_lines_of(data: Data) -> StatLines:
    """Read the stat lines of a checked document."""
    return MappingProxyType({ref: tuple(map(ListStatLine.from_dict, data[ref])) for ref in data})


def pieces_in(value: SettingValue) -> tuple[int | str, ...]:
    """Return the pieces chosen in a setting; a document may write a single one alone."""
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def setting_text(value: SettingValue) -> str:
    """Return a setting's value as strays and differences name it where unknown."""
    return str(list(value) if isinstance(value, tuple) else value)


Value = TypeVar("Value", ListOption, ListAbility, ListCard, ListUnit, ArmyList)


def changed(value: Value, **fields: Any) -> Value:
    """Return the value with other fields; those that are empty now are left out of the document."""
    return replace(value, **fields, kept_empty=value.kept_empty - fields.keys())


def with_settings(army_list: ArmyList, settings: Mapping[str, SettingValue]) -> ArmyList:
    """Return the list with these settings; the document names them also where there are none."""
    kept_empty = army_list.kept_empty - {"settings"} | ({"settings"} if not settings else _NONE)
    return replace(army_list, settings=frozen(settings), kept_empty=kept_empty)


def frozen(mapping: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a frozen copy of a mapping."""
    return MappingProxyType(dict(mapping))
