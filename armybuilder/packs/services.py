"""Writes: own packs made, saved in versions, deleted."""

from uuid import UUID

from django.db import transaction
from django.db.models import Sum
from django.http import Http404
from django.utils.translation import gettext as _

from armybuilder.accounts.quotas import NoRoom
from armybuilder.loading.jsontext import canonical_json
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.packs.models import OwnPack, PackVersion
from armybuilder.tables import or_404
from armybuilder.writable import count_bytes

#: Packs of one holder, versions that are kept of each, and bytes that all of them come to.
MOST_PACKS, MOST_VERSIONS, MOST_SIZE = 50, 50, 4 * 1024 * 1024


def create_pack(holder: str, pack: Pack, origin: str = "") -> OwnPack:
    """Store a new own pack. Raises NoRoom if the holder has as much as one may have."""
    with transaction.atomic():
        if OwnPack.objects.filter(holder=holder).count() >= MOST_PACKS:
            sentence = _("You have {number} packs, the maximum. Delete one first.")
            raise NoRoom(sentence.format(number=MOST_PACKS))
        made = OwnPack(holder=holder, system=pack.system, origin=origin[:700])
        made.save(force_insert=True)
        _add_version(made, pack)
        return made


def bring_pack(holder: str, pack: Pack, origin: str) -> bool:
    """Store a pack of a player's data; False if it is there. Raises as `create_pack` does."""
    if PackVersion.objects.filter(pack__holder=holder, revision=pack.revision).exists():
        return False
    create_pack(holder, pack, origin)
    return True


def save_pack(holder: str, pack_id: UUID, pack: Pack, seen: int) -> OwnPack:
    """Store the next version of an own pack, if it differs from the newest.

    `seen` is the version that was changed. Raises Http404, NoRoom, or Refusal: saved elsewhere.
    """
    with transaction.atomic():
        packs = OwnPack.objects.select_for_update().filter(pk=pack_id, holder=holder)
        own = or_404(packs.first(), "no such pack of this browser")
        if pack.system != own.system:
            raise Refusal(_("A pack can’t move to another game. Create a new one."))
        newest = own.versions.get(number=own.number)
        if newest.revision == pack.revision:
            return own
        if own.number != seen:
            sentence = _(
                "This pack was saved elsewhere since you opened it, as version {number}. "
                "Check that version first."
            )
            raise Refusal(sentence.format(number=own.number))
        _add_version(own, pack)
        own.versions.filter(number__lte=own.number - MOST_VERSIONS).delete()
        return own


def _add_version(own: OwnPack, pack: Pack) -> None:
    """Add a version to a pack. Raises NoRoom if it is too much, which ends the transaction."""
    own.number, own.name = own.number + 1, pack.name
    own.save()
    count_bytes(size := len(canonical_json(pack.data)))
    PackVersion.objects.create(
        pack=own, number=own.number, revision=pack.revision, data=pack.data, size=size
    )
    mine = PackVersion.objects.filter(pack__holder=own.holder)
    if (mine.aggregate(all=Sum("size"))["all"] or 0) > MOST_SIZE:
        sentence = _("Your packs use all {most} MB. Delete one first.")
        raise NoRoom(sentence.format(most=MOST_SIZE // 1024 // 1024))


def delete_pack(holder: str, pack_id: UUID) -> None:
    """Delete an own pack; events and lists keep theirs. Raises Http404 for another's."""
    gone, _each = OwnPack.objects.filter(pk=pack_id, holder=holder).delete()
    if not gone:
        raise Http404("no such pack of this browser")
