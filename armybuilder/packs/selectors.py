"""Reads: the packs that somebody holds, and those that an address names."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404

from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.packs.models import OwnPack, PackVersion
from armybuilder.packs.reading import pack_of


def own_packs(holder: str, system: str = "") -> QuerySet[OwnPack]:
    """Return somebody's packs, of one game or of all, those changed last first."""
    if not holder:
        return OwnPack.objects.none()
    packs = OwnPack.objects.filter(holder=holder).order_by("-updated", "pk")
    return packs.filter(system=system) if system else packs


def find_pack(pack_id: UUID) -> OwnPack:
    """Return a pack by its address, whoever holds it. Raises Http404 if there is none."""
    pack = OwnPack.objects.filter(pk=pack_id).first()
    if pack is None:
        raise Http404("no such pack")
    return pack


def version_of(pack: OwnPack, number: int | None = None) -> PackVersion:
    """Return a version of a pack; the newest without a number. Raises Http404 if it is gone."""
    version = pack.versions.filter(number=pack.number if number is None else number).first()
    if version is None:
        raise Http404("no such version")
    return version


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


def suiting(holder: str, system: str) -> list[tuple[str, str]]:
    """Return the packs for a game that somebody can choose from, as (key, name): own ones first."""
    own = [(str(one.pk), one.name) for one in own_packs(holder, system)]
    shipped = shipped_library().packs.values()
    return own + [(one.id, one.name) for one in shipped if one.system == system]


def offered(holder: str, key: str = "") -> list[tuple[str, str]]:
    """Return the packs for any game that somebody can choose from, and that of the key."""
    shipped = [(one.id, one.name) for one in shipped_library().packs.values()]
    packs = [(str(one.pk), one.name) for one in own_packs(holder)] + shipped
    if key not in dict(packs) and (other := pack_by_key(key)) is not None:
        packs.insert(0, (key, other.name))
    return packs
