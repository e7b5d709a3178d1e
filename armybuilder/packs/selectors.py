"""Queries of packs: rows and documents, a holder's, and those of a URL."""

from typing import Any, Protocol
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from armybuilder.loading.cache import Cache
from armybuilder.loading.file_packs import build_file_pack, is_file_pack
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack, build_pack
from armybuilder.loading.problems import Refusal
from armybuilder.packs.models import OwnPack, PackVersion
from armybuilder.tables import or_404


class PackRow(Protocol):
    """Row that keeps a pack."""

    revision: Any
    data: Any


_built: Cache[str, Pack] = Cache(most=64)


def pack_of(kept: PackRow) -> Pack:
    """Return the pack that a row keeps: the same object for the same content."""
    return _built.get(kept.revision) or _built.put(kept.revision, read_pack(kept.data))


def read_pack(data: Any) -> Pack:
    """Return a pack from its document. Raises Refusal with its `problems` by place."""
    pack: Pack | None
    if is_file_pack(data):
        pack, problems = build_file_pack(data, _("the pack"))
    else:
        pack, problems = build_pack(data, shipped_library().systems, _("the pack"))
    if pack is None:
        first = problems[0]
        sentence = _("At {place}: {what}").format(place=first.pointer or "/", what=first.message)
        raise Refusal(sentence, problems)
    return pack


def own_packs(holder: str, system: str = "") -> QuerySet[OwnPack]:
    """Return a person's packs, of one game or of all, last changed first."""
    if not holder:
        return OwnPack.objects.none()
    packs = OwnPack.objects.filter(holder=holder).order_by("-updated", "pk")
    return packs.filter(system=system) if system else packs


def find_pack(pack_id: UUID) -> OwnPack:
    """Return a pack by its URL, of any holder. Raises Http404 if there is none."""
    return or_404(OwnPack.objects.filter(pk=pack_id).first(), "no such pack")


def version_of(pack: OwnPack, number: int | None = None) -> PackVersion:
    """Return a version of a pack; the newest without a number. Raises Http404 if it is gone."""
    versions = pack.versions.filter(number=pack.number if number is None else number)
    return or_404(versions.first(), "no such version")


def pack_by_key(key: str) -> Pack | None:
    """Return a shipped pack, or the newest version of an own one, by its id; else None."""
    if (shipped := shipped_library().packs.get(key)) is not None:
        return shipped
    try:
        pack_id = UUID(key)
    except ValueError:
        return None
    own = OwnPack.objects.filter(pk=pack_id).first()
    return None if own is None else pack_of(version_of(own))


def offered(holder: str, system: str = "", key: str = "") -> list[tuple[str, str]]:
    """Return the packs for a game, or any, that a person can choose from, as (key, name).

    Own ones come first; before them the pack of `key`, if it isn't one of these.
    """
    own = [(str(pack.pk), pack.name) for pack in own_packs(holder, system)]
    shipped = shipped_library().packs.values()
    packs = own + [(pack.id, pack.name) for pack in shipped if system in ("", pack.system)]
    if key and key not in dict(packs) and (other := pack_by_key(key)) is not None:
        packs.insert(0, (key, other.name))
    return packs
