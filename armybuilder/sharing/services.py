"""Writes: links made and revoked, and copies frozen; callers see to whose list it is."""

import uuid

from django.db import transaction
from django.db.models import Sum, TextField, Value
from django.db.models.functions import Cast, Length
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder import __version__
from armybuilder.lists.models import ArmyList as StoredList
from armybuilder.lists.quotas import check_room
from armybuilder.lists.services import pin_books
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import hash_of, judge
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.sharing.models import Frozen, Share
from armybuilder.sharing.selectors import report_then
from armybuilder.sharing.tokens import digest_of, new_token

#: Most links that one list has at a time, and letters of a link's name.
MOST_LINKS = 50
MAX_NAME = 80


def freeze(list_id: uuid.UUID, document: ArmyList, library: Library) -> Frozen:
    """Return the frozen copy of a list with this document, made unless the list has one.

    Call it in the transaction that has locked the list and makes a link to it: without any link it
    goes. Raises Refusal if the document's system is not here, or an own model cannot be priced.
    """
    list_hash = hash_of(document)
    existing = Frozen.objects.filter(hash=list_hash, shares__army_list_id=list_id).first()
    if existing is not None:
        return existing
    judged = judge(document, library)
    return Frozen.objects.create(
        hash=list_hash,
        document=document,
        report=report_then(judged.report),
        engine=__version__,
        system_revision=judged.catalogue.system.revision,
        revisions={book.id: book.revision for book in judged.catalogue.books},
        language=get_language() or "en",
    )


def share(list_id: uuid.UUID, view: str, name: str = "") -> Share:
    """Return a link to what the list is at any time.

    Raises Refusal if the view (`Share.View`) is unknown or the list has too many links.
    """
    return _link(list_id, view, name, None)


def share_frozen(
    list_id: uuid.UUID, document: ArmyList, library: Library, view: str, name: str = ""
) -> Share:
    """Return a link to a frozen copy of the list.

    Raises Refusal as `share` and `freeze` do, and NoRoom if the copy is more than the list's holder
    may keep.
    """
    with transaction.atomic():
        link = _link(list_id, view, name, freeze(list_id, document, library))
        _put_size(list_id)
        check_room(StoredList.objects.values_list("holder", flat=True).get(pk=list_id))
        return link


def _link(list_id: uuid.UUID, view: str, name: str, frozen: Frozen | None) -> Share:
    if view not in Share.View.values:
        raise Refusal(_("Choose what the link shows: the open list or the full list."))
    if Share.objects.filter(army_list_id=list_id).count() >= MOST_LINKS:
        sentence = _("A list has at most {most} links. Revoke one you no longer need.")
        raise Refusal(sentence.format(most=MOST_LINKS))
    token = new_token()
    if frozen is not None:
        pin_books(list_id, frozen.document)
    return Share.objects.create(
        army_list_id=list_id,
        view=view,
        name=" ".join(name.split())[:MAX_NAME],
        frozen=frozen,
        token=token,
        digest=digest_of(token),
    )


def revoke(list_id: uuid.UUID, share_id: uuid.UUID) -> bool:
    """End a link, and a frozen copy without any other; return whether there was one."""
    with transaction.atomic():
        gone, _each = Share.objects.filter(pk=share_id, army_list_id=list_id).delete()
        _put_size(list_id)
    return gone > 0


def _put_size(list_id: uuid.UUID) -> None:
    """Let the row of a list say how many bytes its frozen copies take."""
    links = Share.objects.filter(army_list_id=list_id).exclude(frozen=None)
    copies = Frozen.objects.filter(pk__in=links.values("frozen_id"))
    texts = (Length(Cast(column, TextField())) for column in ("document", "report"))
    size = copies.aggregate(all=Sum(sum(texts, start=Value(0))))["all"] or 0
    StoredList.objects.filter(pk=list_id).update(frozen_size=size)


def forget_copy(frozen_id: str) -> None:
    """Remove a frozen copy that no link leads to any more."""
    with transaction.atomic():
        frozen = Frozen.objects.select_for_update().filter(pk=frozen_id).first()
        if frozen is not None and not frozen.shares.exists():
            frozen.delete()
