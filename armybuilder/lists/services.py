"""Writes: every change of a stored list, each in one transaction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.acts.about import HistoryAct
from armybuilder.acts.base import Act, ListAct, TakenBook
from armybuilder.books.pinning import books_now, keep, take
from armybuilder.editing import unit_edits
from armybuilder.editing.names import back_to
from armybuilder.engine.catalogue import System
from armybuilder.lists import bundles
from armybuilder.lists.bundling import text_of
from armybuilder.lists.facts import COLUMNS, put_facts
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.packs import playing_catalogue
from armybuilder.lists.pruning import EVERY, thin
from armybuilder.lists.quotas import check_room
from armybuilder.lists.selectors import current_versions, lock
from armybuilder.loading import armylist
from armybuilder.loading.cost import check_cost
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.limits import MAX_NAME
from armybuilder.loading.problems import Refusal


class Conflict(Exception):
    """An act from a page that is out of date, on a part that has changed since."""


@dataclass(frozen=True, slots=True)
class Saved:
    """The version after an act, what was done, the entry to show (or ""); `merged`: the page was
    out of date, and both changes were kept.
    """

    version: Version
    said: str
    entry: str = ""
    merged: bool = False


def create_list(holder: str, document: armylist.ArmyList, act: str) -> Version:
    """Store a new list with its first version, and the content of the shipped books it names.
    Raises NoRoom where the holder has as much as one may have.
    """
    with transaction.atomic():
        keep(document, shipped_library())
        army_list = ArmyList.objects.create(holder=holder)
        version = Version(army_list=army_list, number=1, document=document, act=act)
        _write(version)
        return version


def start_list(
    holder: str, system: System, library: Library, name: str, limit: int, book_ids: Sequence[str]
) -> Version:
    """Store an empty list of these books as they are now. Raises Refusal where the holder has no
    such book, or it does not suit the system.
    """
    revisions = take(holder, system, library, book_ids)
    catalogue = library.catalogue(system.id, book_ids, revisions)
    return create_list(
        holder, unit_edits.new_document(catalogue, name, limit), _("Started the list.")
    )


def replace_document(
    holder: str, list_id: UUID, seen: int, document: armylist.ArmyList, said: str
) -> Version:
    """Store a document from elsewhere as the next version, with its shipped books' content.

    Raises Http404 where the holder has no such list, Conflict where its version is not `seen`
    (primary key).
    """
    with transaction.atomic():
        current = lock(holder, list_id)
        if current.pk != seen:
            raise Conflict
        if document == current.document:
            return current
        keep(document, shipped_library())
        return _append(current, document, said)


def perform(holder: str, list_id: UUID, seen: int, act: Act, library: Library) -> Saved:
    """Do an act: of one that changes the list, store the result as its next version.

    `seen` is the primary key of the version the page showed. Raises Http404 where the holder has no
    such list, Refusal where the act cannot be done, Conflict where it would overwrite an unseen
    change.
    """
    if isinstance(act, HistoryAct):
        return _step(holder, list_id, seen, act.step)
    if not isinstance(act, ListAct):
        raise NotImplementedError(type(act))
    with transaction.atomic():
        current = lock(holder, list_id)
        merged = seen != current.pk
        if merged and not act.adds and _changed_since(current, seen, act):
            raise Conflict
        document = current.document
        catalogue = playing_catalogue(current, library)
        ready = act.prepared(document, catalogue, _Shelf(holder, catalogue.system, library))
        done = ready.perform(document, catalogue)
        check_cost(done.army_list, catalogue)
        if done.army_list != document:
            current = _append(current, done.army_list, done.said)
            current.former = document
        return Saved(current, done.said, done.entry, merged)


def done_before(
    holder: str, list_id: UUID, seen: int, act: Act, library: Library
) -> Version | None:
    """Return the current version where it is what an act made of the version `seen`: the answer to
    it was lost on its way. None where it is another. Raises what `perform` does.
    """
    current = current_versions(holder).filter(army_list_id=list_id).first()
    shown = Version.objects.filter(pk=seen, army_list_id=list_id).first()
    if current is None or shown is None or not isinstance(act, ListAct):
        return None
    if current.number != shown.number + 1:
        return None
    shown.army_list = current.army_list
    document, catalogue = shown.document, playing_catalogue(shown, library)
    ready = act.prepared(document, catalogue, _Shelf(holder, catalogue.system, library))
    made = ready.perform(document, catalogue).army_list
    return current if made == current.document else None


def _changed_since(current: Version, seen: int, act: ListAct) -> bool:
    """Return whether what an act replaces differs from the version seen, or that is gone."""
    shown = Version.objects.filter(pk=seen, army_list_id=current.army_list_id).first()
    return shown is None or act.part(shown.document) != act.part(current.document)


class _Shelf(NamedTuple):
    """The books that a holder may take for a list."""

    holder: str
    system: System
    library: Library

    def take(self, book_ids: Iterable[str]) -> dict[str, TakenBook]:
        """Take books as they are now; see `Outside`."""
        revisions = take(self.holder, self.system, self.library, book_ids)
        names = {book.id: book.name for book in books_now(self.holder, self.system, self.library)}
        return {
            book_id: TakenBook(book_id, revision, names[book_id])
            for book_id, revision in revisions.items()
        }


def _append(current: Version, document: armylist.ArmyList, said: str) -> Version:
    """Store the next version and prune old ones. What was undone goes, unless some of it is
    labelled: then all stays, with the point it was undone to behind it.
    """
    army_list = current.army_list
    if army_list.latest > current.number:
        undone = Version.objects.filter(army_list=army_list, number__gt=current.number)
        if undone.exclude(label="").exists():
            current = _keep_undone(current)
        else:
            undone.delete()
            bundles.forget_bundles(army_list.pk)
            army_list.size = None  # to be found out again
    number = current.number + 1
    version = Version(army_list=army_list, number=number, document=document, act=said[:200])
    _write(version)
    if number % EVERY == 0:
        thin(army_list, timezone.now())
        version.number = army_list.number
    if number % bundles.EVERY == 0 and bundles.may_bundle():
        bundles.bundle_list(army_list)
    return version


def _write(version: Version) -> None:
    """Store a version as the current one of its list, behind which there is none."""
    army_list, document = version.army_list, version.document
    version.save(force_insert=True)
    army_list.number = army_list.latest = version.number
    put_facts(army_list, version.pk, document)
    if army_list.size is None and version.number > 1:
        bundles.put_size(army_list)
    else:
        army_list.size = (army_list.size or 0) + len(text_of(document.to_dict()))
    army_list.save(update_fields=["number", "latest", "updated", "size", *COLUMNS])
    check_room(army_list.holder)


def _keep_undone(current: Version) -> Version:
    """Put the point that a list was undone to behind what was undone; the version made of it."""
    end = Version(army_list=current.army_list, number=current.army_list.latest)
    end.army_list.number = end.number
    return _append(end, current.document, back_to(current.act))


def _step(holder: str, list_id: UUID, seen: int, step: int) -> Saved:
    """Undo (-1) or redo (+1). Raises Refusal at the first or last version, Conflict where the page
    showed another version than the current one.
    """
    with transaction.atomic():
        current = lock(holder, list_id)
        if current.pk != seen:
            raise Conflict
        army_list = current.army_list
        number = current.number + step
        # The page says what could be redone then: asked for along the way.
        after = Version.objects.filter(army_list=OuterRef("army_list"), number=number + 1)
        then = Coalesce(Subquery(after.values("act")[:1]), Value(""))
        versions = Version.objects.filter(army_list=army_list, number=number)
        version = versions.annotate(next_act=then).first()  # type: ignore[no-redef]  # is cached
        if version is None:
            nothing = _("There is nothing to undo.") if step < 0 else _("There is nothing to redo.")
            raise Refusal(nothing)
        army_list.number = number
        put_facts(army_list, version.pk, version.document)
        army_list.save(update_fields=["number", "updated", *COLUMNS])
        version.army_list = army_list
        version.former = current.document
    if step < 0:
        return Saved(version, _("Undone: {act}").format(act=current.act))
    return Saved(version, _("Redone: {act}").format(act=version.act))


def go_to(holder: str, list_id: UUID, seen: int, target: int) -> Version:
    """Make a version current again as a new one, so that undo leads back; `seen` and `target` are
    primary keys.

    Raises Refusal where the version is gone, Conflict as undo does.
    """
    with transaction.atomic():
        current = lock(holder, list_id)
        if current.pk != seen:
            raise Conflict
        army_list = current.army_list
        wanted = Version.objects.filter(pk=target, army_list=army_list).first()
        if wanted is None:
            raise Refusal(_("That version of the list is gone."))
        if wanted.document == current.document:
            return current
        if army_list.latest > current.number:
            current = _keep_undone(current)
        return _append(current, wanted.document, back_to(wanted.act))


def copy_list(current: Version, holder: str) -> Version:
    """Return a list of its own with the same document, named as a copy."""
    name = current.document.name
    named = _("{name} (copy)")
    room = MAX_NAME - len(named.format(name=""))
    document = unit_edits.rename(current.document, named.format(name=name[:room]))
    version = create_list(holder, document, _("Copied from {name}.").format(name=name)[:200])
    pack = current.army_list.pack_id
    ArmyList.objects.filter(pk=version.army_list_id).update(pack=pack)
    return version
