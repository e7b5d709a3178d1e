"""Stat lines in templates: each value beside the column that it stands in."""

from collections.abc import Iterable, Iterator
from typing import Any

from django import template

register = template.Library()


@register.filter
def in_columns(values: Iterable[str], columns: Iterable[Any]) -> Iterator[tuple[Any, str]]:
    """(column, value) of a stat line, in its order; both are as long."""
    return zip(columns, values, strict=True)
