"""Lists that are built for an event: suggestions and findings obey its pack.

The pack is kept with the list as it was then, so that a list goes on whatever becomes of the event.
Sheets, links and My lists tell the verdict of the game as ever.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Catalogue
from armybuilder.lists.models import ArmyList, KeptPack, Version
from armybuilder.lists.selectors import lock
from armybuilder.loading.documents import catalogue_of, judge
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack, at_event, pack_of_size
from armybuilder.loading.problems import Refusal
from armybuilder.packs.reading import pack_of


def event_pack_of(version: Version) -> Pack | None:
    """Return the pack of the event that a list is built for, if it is of the list's game."""
    # A version that is tried out belongs to no list.
    if version.army_list_id is None or version.army_list.pack is None:
        return None
    pack = pack_of(version.army_list.pack)
    return pack if pack.system == version.document.system else None


def playing_catalogue(version: Version, library: Library) -> Catalogue:
    """Return the catalogue of a list's game, or event; raises Refusal as `catalogue_of`."""
    catalogue = catalogue_of(version.document, library)
    pack = event_pack_of(version)
    return catalogue if pack is None else at_event(catalogue, pack)


class BuiltFor(NamedTuple):
    """Event that a list is built for, by its pack, and the verdict by the game alone."""

    pack: Pack
    game_verdict: str


def built_for(version: Version, library: Library) -> BuiltFor | None:
    """Return the event that a list is built for; None if it is for none."""
    pack = event_pack_of(version)
    if pack is None:
        return None
    return BuiltFor(pack, judge(version.document, library).report.verdict)


def build_for(holder: str, list_id: UUID, pack: Pack | None) -> None:
    """Let a list be built for an event, or for none.

    If each list that a player hands in has its own size, it is built as the one of its size. Raises
    Http404 if the holder has no such list, Refusal if the pack is for another game.
    """
    with transaction.atomic():
        version = lock(holder, list_id)
        if pack is not None and pack.system != version.document.system:
            raise Refusal(_("This pack is for another game."))
        kept = keep_pack(pack_of_size(pack, version.document.limit)) if pack else None
        ArmyList.objects.filter(pk=list_id).update(pack=kept)


def keep_pack(pack: Pack) -> KeptPack:
    """Return a pack as lists keep it."""
    content = {"data": dict(pack.data)}
    return KeptPack.objects.get_or_create(revision=pack.revision, defaults=content)[0]
