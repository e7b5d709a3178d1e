"""An army list as a value: read once from its document, and written back with the same bytes.

A document may leave empty values out or write them down (`"notes": ""`). Past this module both read
alike; `kept_empty` remembers those written down, so that the document keeps its bytes and its hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from armybuilder.engine.roster import SettingValue
from armybuilder.loading.limits import DEEPEST

FORMAT = "armylist/1"

Data = Mapping[str, Any]
_NONE: frozenset[str] = frozenset()
_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ListBook:
    """A book that the list draws from; `revision` "": as the book is now."""

    id: str
    revision: str = ""

    @classmethod
    def from_dict(cls, data: Data) -> ListBook:
        """Read a book of a checked document."""
        return cls(data["id"], data.get("revision", ""))

    def to_dict(self) -> dict[str, Any]:
        """Return the book as the document writes it."""
        return {"id": self.id, "revision": self.revision} if self.revision else {"id": self.id}


@dataclass(frozen=True, slots=True)
class ListOption:
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
        if len(data) == 1:
            return _bare(data["id"])
        return cls(
            data["id"],
            data.get("number", 1),
            data.get("on", ""),
            tuple([cls.from_dict(inner) for inner in data.get("options", ())]),
            _kept_empty(data),
        )

    def to_dict(self, level: int = 1) -> dict[str, Any]:
        """Return the option as the document writes it `level` options deep."""
        data: dict[str, Any] = {"id": self.id}
        if self.number != 1:
            data["number"] = self.number
        if self.on:
            data["on"] = self.on
        if self.options or "options" in self.kept_empty:
            data["options"] = _options_data(self.options, level + 1)
        return data


@lru_cache(maxsize=4096)
def _bare(option_id: str) -> ListOption:
    return ListOption(option_id)


def _options_data(options: Iterable[ListOption], level: int) -> list[Any]:
    if level >= DEEPEST:
        return [option.id for option in options]
    return [option.to_dict(level) for option in options]


@dataclass(frozen=True, slots=True)
class ListAbility:
    """An ability of a custom model; `target` is whom it works against."""

    ability: str
    target: str = ""
    kept_empty: frozenset[str] = _NONE

    @classmethod
    def from_dict(cls, data: Data) -> ListAbility:
        """Read an ability of a checked document."""
        return cls(data["ability"], data.get("target", ""), _kept_empty(data))

    def to_dict(self) -> dict[str, Any]:
        """Return the ability as the document writes it."""
        return {"ability": self.ability, **_written(self, "target")}


@dataclass(frozen=True, slots=True)
class ListProfile:
    """A player's own model. `stats` are numbers by the statistic's id."""

    name: str
    stats: Mapping[str, int]
    abilities: tuple[ListAbility, ...]

    @classmethod
    def from_dict(cls, data: Data) -> ListProfile:
        """Read an own model of a checked document."""
        abilities = tuple(map(ListAbility.from_dict, data["abilities"]))
        return cls(data["name"], frozen(data["stats"]), abilities)

    def to_dict(self) -> dict[str, Any]:
        """Return the own model as the document writes it."""
        abilities = [use.to_dict() for use in self.abilities]
        return {"name": self.name, "stats": dict(self.stats), "abilities": abilities}


@dataclass(frozen=True, slots=True)
class ListCard:
    """Values read off a card that the book lacks; `points` None: not given."""

    points: int | None = None
    attributes: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    ratings: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    kept_empty: frozenset[str] = _NONE

    @classmethod
    def from_dict(cls, data: Data) -> ListCard:
        """Read a card of a checked document."""
        return cls(
            data.get("points"),
            frozen(data.get("attributes", _NOTHING)),
            frozen(data.get("ratings", _NOTHING)),
            _kept_empty(data),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the card as the document writes it."""
        points = {} if self.points is None else {"points": self.points}
        return {**points, **_written(self, "attributes", "ratings")}

    def __bool__(self) -> bool:
        """Return whether anything is filled in."""
        return self.points is not None or bool(self.attributes or self.ratings)


@dataclass(frozen=True, slots=True)
class ListStatLine:
    """A stat line in a player's words, texts by statistic; `name` "": that of the unit itself."""

    name: str
    stats: Mapping[str, str]

    @classmethod
    def from_dict(cls, data: Data) -> ListStatLine:
        """Read a stat line of a checked document."""
        return cls(data.get("name", ""), frozen(data["stats"]))

    def to_dict(self) -> dict[str, Any]:
        """Return the stat line as the document writes it."""
        return {**({"name": self.name} if self.name else {}), "stats": dict(self.stats)}


#: Stat lines by the ref of their unit.
StatLines = Mapping[str, tuple[ListStatLine, ...]]


@dataclass(frozen=True, slots=True)
class ListUnit:
    """A unit of `models` figures: of a book (`ref`: "book/unit"), or own, with a `profile`."""

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

    @classmethod
    def from_dict(cls, data: Data) -> ListUnit:
        """Read a unit of a checked document."""
        return cls(
            data["id"],
            data["models"],
            data.get("unit", ""),
            ListProfile.from_dict(data["profile"]) if "profile" in data else None,
            tuple(data.get("roles", ())),
            tuple([ListOption.from_dict(option) for option in data.get("options", ())]),
            ListCard.from_dict(data["card"]) if "card" in data else None,
            data.get("name", ""),
            data.get("notes", ""),
            _kept_empty(data, "roles", "options", "notes"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the unit as the document writes it."""
        data: dict[str, Any] = {"id": self.id}
        if self.ref:
            data["unit"] = self.ref
        if self.profile is not None:
            data["profile"] = self.profile.to_dict()
        data["models"] = self.models
        if self.roles or "roles" in self.kept_empty:
            data["roles"] = list(self.roles)
        if self.options or "options" in self.kept_empty:
            data["options"] = _options_data(self.options, 1)
        if self.card is not None:
            data["card"] = self.card.to_dict()
        if self.name:
            data["name"] = self.name
        if self.notes or "notes" in self.kept_empty:
            data["notes"] = self.notes
        return data


@dataclass(frozen=True, slots=True)
class ArmyList:
    """A whole list; `limit` in points. It holds no totals: they are worked out anew each time.

    `stat_lines` are the player's own, by the ref of a unit whose book has none.
    """

    system: str
    books: tuple[ListBook, ...]
    name: str
    limit: int
    settings: Mapping[str, SettingValue] = field(default_factory=lambda: _NOTHING)
    notes: str = ""
    units: tuple[ListUnit, ...] = ()
    stat_lines: StatLines = field(default_factory=lambda: _NOTHING)
    kept_empty: frozenset[str] = _NONE

    @classmethod
    def from_dict(cls, data: Data) -> ArmyList:
        """Read a document that the schema has let through."""
        settings = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in data.get("settings", _NOTHING).items()
        }
        return cls(
            data["system"],
            tuple(map(ListBook.from_dict, data["books"])),
            data["name"],
            data["limit"],
            MappingProxyType(settings),
            data.get("notes", ""),
            tuple(map(ListUnit.from_dict, data["units"])),
            stat_lines_of(data.get("stat_lines", _NOTHING)),
            _kept_empty(data, "settings", "notes", "stat_lines"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the document: JSON-ready, a separate copy."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "system": self.system,
            "books": [book.to_dict() for book in self.books],
            "name": self.name,
            "limit": self.limit,
        }
        if self.settings or "settings" in self.kept_empty:
            data["settings"] = {
                key: list(value) if isinstance(value, tuple) else value
                for key, value in self.settings.items()
            }
        if self.notes or "notes" in self.kept_empty:
            data["notes"] = self.notes
        if self.stat_lines or "stat_lines" in self.kept_empty:
            data["stat_lines"] = {
                ref: [line.to_dict() for line in lines] for ref, lines in self.stat_lines.items()
            }
        data["units"] = [unit.to_dict() for unit in self.units]
        return data


def stat_lines_of(data: Data) -> StatLines:
    """Read the stat lines of a checked document."""
    lines = {ref: tuple(map(ListStatLine.from_dict, rows)) for ref, rows in data.items()}
    return MappingProxyType(lines)


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


def _kept_empty(data: Data, *keys: str) -> frozenset[str]:
    """Return the keys, by default of all, that the document writes down with nothing in them."""
    if all(data.values()):
        return _NONE
    return frozenset(key for key in keys or data if data.get(key) in ("", [], {}))


def _written(value: Any, *keys: str) -> dict[str, Any]:
    """Return the fields that the document writes down: filled ones, and those kept empty."""
    found = {}
    for key in keys:
        content = getattr(value, key)
        if content or key in value.kept_empty:
            found[key] = dict(content) if isinstance(content, Mapping) else content
    return found
