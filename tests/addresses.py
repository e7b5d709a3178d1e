"""Every address of the site, as it is written."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver


class Address(NamedTuple):
    """An address pattern, with the names of what it holds."""

    route: str
    pattern: URLPattern
    names: tuple[str, ...]


def addresses(
    patterns: Sequence[URLPattern | URLResolver] = (), before: str = "", names: tuple[str, ...] = ()
) -> Iterator[Address]:
    """Yield the addresses below these patterns, or all."""
    for pattern in patterns or get_resolver().url_patterns:
        route = before + str(pattern.pattern).removeprefix("^")
        inner = (*names, *pattern.pattern.converters)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, route, inner)
        elif "(?P" not in route:
            yield Address(route, pattern, inner)
