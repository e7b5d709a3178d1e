"""Parts of documents: dataclasses that read themselves from checked JSON, and write it back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, get_args, get_origin, get_type_hints

Convert = Callable[[Any], Any]

#: Values of fields that a document may write down or leave out.
_EMPTY: tuple[Any, ...] = ("", (), {})

Part = TypeVar("Part", bound="DocumentPart")


class DocumentPart:
    """Base of such dataclasses: a field is a key of its own name, its type says how it is read.

    A document leaves out default values. It may write down empty ones all the same: `kept_empty`,
    if a class has that field, remembers their keys.
    """

    __slots__ = ()

    #: Keys that come first, with their values; then the others, if they are not the fields in their
    #: order: with "=" the name of a field that is another, with "!" those always written down.
    HEAD: ClassVar[Mapping[str, str]] = {}
    KEYS: ClassVar[str] = ""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the part of a checked document."""
        return read_part(cls, data)

    def to_dict(self) -> dict[str, Any]:
        """Return the part as the document writes it: JSON-ready, a separate copy."""
        kind: Any = type(self)
        kept, data = getattr(self, "kept_empty", ()), dict[str, Any](self.HEAD)
        for key, name, default, _read, write in _fields_of(kind):
            value = getattr(self, name)
            if value != default or key in kept:
                data[key] = write(value) if write else value
        return data


def read_part(kind: type[Part], data: Mapping[str, Any]) -> Part:
    """Read a part of a checked document, as `from_dict` does."""
    make: Any = kind
    values = {
        name: read(data[key]) if read else data[key]
        for key, name, _default, read, _write in _fields_of(make)
        if key in data
    }
    if not all(data.values()) and "kept_empty" in kind.__annotations__:
        may = {key for key, _name, default, *_how in _fields_of(make) if default in _EMPTY}
        kept = frozenset(key for key in may & data.keys() if data[key] in ("", [], {}))
        values["kept_empty"] = kept
    part: Part = make(**values)
    return part


class _Field(NamedTuple):
    key: str
    name: str
    default: Any
    read: Convert | None
    write: Convert | None


@cache
def _fields_of(kind: Any) -> tuple[_Field, ...]:
    types, defaults = get_type_hints(kind), dict[str, Any]()
    for field in fields(kind):
        made = field.default_factory
        defaults[field.name] = field.default if made is MISSING else made()
    keys = kind.KEYS.split() or [name for name in defaults if name != "kept_empty"]
    found = []
    for key, _is, other in (each.partition("=") for each in keys):
        name = other or key.rstrip("!")
        default = MISSING if key.endswith("!") else defaults[name]
        found.append(_Field(key.rstrip("!"), name, default, *_converters(types[name])))
    return tuple(found)


def _converters(kind: Any) -> tuple[Convert | None, Convert | None]:
    """Return how a value of a type is read from JSON and written to it; None: as it is."""
    origin, inner = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, DocumentPart):
        return kind.from_dict, kind.to_dict
    if origin is tuple:
        read, write = _converters(inner[0])
        return (
            lambda value: tuple([*map(read, value)] if read else value),
            lambda value: [*map(write, value)] if write else [*value],
        )
    if origin in (Mapping, dict):
        read, write = _converters(inner[1])
        return (
            lambda value: MappingProxyType(_each(value, read)),
            lambda value: _each(value, write),
        )
    several = [each for each in inner if each is not type(None)]
    if len(several) == 1:
        return _converters(several[0])
    if any(get_origin(each) is tuple for each in several):  # or single values
        return (
            lambda value: tuple(value) if isinstance(value, list) else value,
            lambda value: list(value) if isinstance(value, tuple) else value,
        )
    return None, None


def _each(value: Mapping[str, Any], convert: Convert | None) -> dict[str, Any]:
    return {key: convert(one) for key, one in value.items()} if convert else dict(value)
