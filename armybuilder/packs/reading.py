"""Packs from rows of the database and from documents."""

from __future__ import annotations

from typing import Any, Protocol

from django.utils.translation import gettext as _

from armybuilder.loading.cache import Cache
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack, build_pack
from armybuilder.loading.problems import Refusal


class PackRow(Protocol):
    """Row that keeps a pack."""

    revision: Any
    data: Any


_built: Cache[str, Pack] = Cache(most=64)


def pack_of(kept: PackRow) -> Pack:
    """Return the pack that a row keeps: the same object for the same content."""
    pack = _built.get(kept.revision)
    if pack is None:
        pack = _built.put(kept.revision, read_pack(kept.data))
    return pack


def read_pack(data: Any) -> Pack:
    """Return a pack from its document. Raises Refusal with its `problems` by place."""
    pack, problems = build_pack(data, shipped_library().systems, _("the pack"))
    if pack is None:
        first = problems[0]
        sentence = _("At {place}: {what}").format(place=first.pointer or "/", what=first.message)
        raise Refusal(sentence, problems)
    return pack
