"""Parts of conditions, and of all that is made of conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from armybuilder.engine.kernel import conditions


def parts_in(part: object) -> Iterator[object]:
    """Yield a condition, or something made of conditions, and all that it is made of."""
    yield part
    for inner in inner_parts(part):
        yield from parts_in(inner)


def inner_parts(part: object) -> Iterable[object]:
    """Return the direct parts of a condition, or of something made of conditions."""
    if is_dataclass(part):
        return [getattr(part, one.name) for one in fields(part)]
    return part if isinstance(part, tuple) else ()


def is_wide(part: object) -> bool:
    """Return whether something made of conditions asks the same from anywhere in a force."""
    narrow = conditions.HasPrimary | conditions.Before | conditions.Combined | conditions.OneIf
    if isinstance(part, narrow | conditions.Reaching | conditions.NotUnderstood):
        return False
    if isinstance(part, conditions.Query | conditions.Has | conditions.Each):
        of_order = isinstance(part, conditions.Each) and part.of_order
        return part.scope in (conditions.Scope.FORCE, conditions.Scope.LIST) and not of_order
    return all(map(is_wide, inner_parts(part)))
