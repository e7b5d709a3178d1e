"""Values of JSON that has passed its schema, made as the fields of their classes say."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import EnumType
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from armybuilder.engine.citations import Citation, Given
from armybuilder.engine.odds_rules import OddsWhen
from armybuilder.engine.prices import Share
from armybuilder.engine.selectors import Selector
from armybuilder.engine.wording import Later, Words

T = TypeVar("T")
Cite = str | Mapping[str, str]


def read_given(data: Mapping[str, Any] | None) -> Given:
    """Return values that settings must have: {"game": ["standard"], "players": {"at_least": 3}}."""
    return tuple(
        (
            setting,
            range(wanted.get("at_least", 0), wanted.get("at_most", sys.maxsize - 1) + 1)
            if isinstance(wanted, Mapping)
            else frozenset(wanted),
        )
        for setting, wanted in (data or {}).items()
    )


#: How values of some types are read.
_READERS: Mapping[Any, Callable[[Any], Any]] = {
    Share: Share.read,
    Share | int: lambda value: value if isinstance(value, int) else Share.read(value),
    Selector: Selector.read,
    Given: read_given,
    Words: Later,
    OddsWhen: lambda when: OddsWhen(
        **{key: frozenset(map(str.casefold, names)) for key, names in when.items()}
    ),
}
#: Keys of files whose fields have another name.
_KEYS = {"citation": "cite", "given": "for"}


class _Field(NamedTuple):
    key: str
    name: str
    kind: Any
    read: Callable[[Any], Any] | None


@cache
def _fields_of(kind: Any) -> tuple[_Field, ...]:
    types = get_type_hints(kind)
    told = {one.name: one.metadata for one in fields(kind)} if is_dataclass(kind) else {}
    names = [*told] or kind._fields
    return tuple(_field(name, types[name], told.get(name, {})) for name in names)


def _field(name: str, kind: Any, given: Mapping[str, Any]) -> _Field:
    return _Field(given.get("key") or _KEYS.get(name, name), name, kind, given.get("read"))


def read_citation(sources: Mapping[str, Any], cite: Cite) -> Citation:
    """Return a citation; one that names no source cites the first."""
    if isinstance(cite, str):
        return Citation(next(iter(sources.values()))["short"], cite)
    return Citation(sources[cite["source"]]["short"], cite["place"])


class Values:
    """Makes values of the objects of one file, whose citations name these `sources`.

    `more` are the readers of types that mean something else in the file.
    """

    def __init__(
        self, sources: Mapping[str, Any], more: Mapping[Any, Callable[[Any], Any]] | None = None
    ) -> None:
        self.cite = partial(read_citation, sources)
        self._readers: dict[Any, Callable[[Any], Any]] = {
            **_READERS,
            Citation: self.cite,
            **(more or {}),
        }

    def make(self, kind: type[T], data: Mapping[str, Any], /, **made: Any) -> T:
        """Return an object as a dataclass or named tuple; these fields of it are `made` already.

        A key has the name of its field, or that of `given`; keys without a field are left out.
        """
        make: Any = kind
        for key, name, of, read in _fields_of(make):
            if key in data and name not in made:
                made[name] = read(data[key]) if read else self._value(of, data[key])
        return kind(**made)

    def _value(self, kind: Any, value: Any) -> Any:
        """Return a value as a type says; a list read as a mapping is keyed by the ids in it."""
        if kind in self._readers:
            return self._readers[kind](value)
        origin, inner = get_origin(kind), get_args(kind)
        if origin is Mapping:
            if isinstance(value, list):
                value = {one["id"]: one for one in value}
            return {inner[0](key): self._value(inner[1], one) for key, one in value.items()}
        if origin is tuple and inner[1] is ...:
            return tuple(self._value(inner[0], one) for one in value)
        if origin in (tuple, frozenset):
            return origin(value)
        if type(None) in inner:
            return self._value(inner[0], value)
        if isinstance(kind, EnumType):
            return kind(value)
        return self.make(kind, value) if isinstance(value, dict) else value
