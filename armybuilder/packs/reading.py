"""Packs from rows of the database and from documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from django.utils.translation import gettext as _

from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack, build_pack
from armybuilder.loading.problems import Refusal


class PackRow(Protocol):
    """A row that keeps a pack."""

    revision: Any
    data: Any


@dataclass(frozen=True, slots=True)
class _Content:
    """A pack's document, known by its revision."""

    revision: str
    data: Mapping[str, Any] = field(compare=False)


def pack_of(kept: PackRow) -> Pack:
    """Return the pack that a row keeps: the same object for the same content."""
    return _built(_Content(kept.revision, kept.data))


@lru_cache(maxsize=64)
def _built(content: _Content) -> Pack:
    return read_pack(content.data)


def read_pack(data: Any) -> Pack:
    """Return a pack from its document. Raises Refusal with its `problems` by place."""
    pack, problems = build_pack(data, shipped_library().systems, _("the pack"))
    if pack is None:
        first = problems[0]
        said = _("At {place}: {what}").format(place=first.pointer or "/", what=first.message)
        raise Refusal(said, problems)
    return pack
