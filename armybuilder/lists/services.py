"""Writes: every change of a stored list, each in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.acts.registry import Asked, Done, find_act, part
from armybuilder.books.pinning import keep, take
from armybuilder.editing import unit_edits
from armybuilder.editing.stored_words import back_to
from armybuilder.engine.catalogue import System
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.pruning import EVERY, thin
from armybuilder.lists.selectors import lock
from armybuilder.loading import armylist
from armybuilder.loading.documents import catalogue_of
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.limits import MAX_NAME
from armybuilder.loading.problems import Refusal


class Conflict(Exception):
    """An act from a page that is out of date, on a part that has changed since."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What an act led to. `merged`: the page was out of date, and both changes were kept."""

    version: Version
    done: Done
    merged: bool


def create_list(holder: str, document: armylist.ArmyList, act: str) -> Version:
    """Store a new list with its first version, and the content of the shipped books it names."""
    with transaction.atomic():
        keep(document, shipped_library())
        army_list = ArmyList.objects.create(holder=holder)
        return Version.objects.create(army_list=army_list, number=1, document=document, act=act)


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
    """Store a document from elsewhere as the list's next version, with the content of the shipped
    books it names; `said` tells in the history what was done.

    Raises Http404 where the holder has no such list, and Conflict where its version is another than
    `seen`, a primary key.
    """
    with transaction.atomic():
        current = lock(holder, list_id)
        if current.pk != seen:
            raise Conflict
        if document == current.document:
            return current
        keep(document, shipped_library())
        return _append(current, document, said)


def perform(
    holder: str, list_id: UUID, seen: int, fields: Mapping[str, str], library: Library
) -> Saved:
    """Do the act that `fields["act"]` names and store the result as the list's next version.

    `seen` is the primary key of the version the page showed. Raises Http404 where the holder has
    no such list, Refusal where the act cannot be done, and Conflict where it would overwrite a
    change the page did not know of.
    """
    act = find_act(fields["act"])
    with transaction.atomic():
        current = lock(holder, list_id)
        merged = seen != current.pk
        touched = act.touches(fields)
        if merged and touched and _changed_since(current, seen, touched):
            raise Conflict
        catalogue = catalogue_of(current.document, library)
        done = act.run(Asked(current.document, catalogue, library, fields, holder))
        if done.document == current.document:
            return Saved(current, done, merged)
        return Saved(_append(current, done.document, done.said), done, merged)


def _changed_since(current: Version, seen: int, touched: str) -> bool:
    """Whether a part differs from what a version showed; yes where that version is gone."""
    shown = Version.objects.filter(pk=seen, army_list_id=current.army_list_id).first()
    return shown is None or part(shown.document, touched) != part(current.document, touched)


def _append(current: Version, document: armylist.ArmyList, said: str) -> Version:
    """Store the next version; what was undone before can no longer be redone, and of what was long
    ago not every version stays. Where the player has labelled some of what was undone, all of it
    stays, with the point it was undone to behind it.
    """
    army_list = current.army_list
    if army_list.latest > current.number:
        undone = Version.objects.filter(army_list=army_list, number__gt=current.number)
        if undone.exclude(label="").exists():
            current = _keep_undone(current)
        else:
            undone.delete()
    number = current.number + 1
    army_list.number = army_list.latest = number
    army_list.save(update_fields=["number", "latest", "updated"])
    version = Version(army_list=army_list, number=number, document=document, act=said[:200])
    version.save(force_insert=True)
    if number % EVERY == 0:
        thin(army_list, timezone.now())
        version.number = army_list.number
    return version


def _keep_undone(current: Version) -> Version:
    """Put the point that a list was undone to behind what was undone; the version made of it."""
    end = Version(army_list=current.army_list, number=current.army_list.latest)
    end.army_list.number = end.number
    return _append(end, current.document, back_to(current.act))


def step_back(holder: str, list_id: UUID, seen: int) -> tuple[Version, Version]:
    """Undo: the version that was left, and the one before. Raises Refusal at the first, and
    Conflict where the page showed another version than the one it would undo.
    """
    return _step(holder, list_id, seen, -1, _("There is nothing to undo."))


def step_forward(holder: str, list_id: UUID, seen: int) -> Version:
    """Redo: go to the version after. Raises Refusal at the last, Conflict as undo does."""
    return _step(holder, list_id, seen, 1, _("There is nothing to redo."))[1]


def _step(
    holder: str, list_id: UUID, seen: int, step: int, refusal: str
) -> tuple[Version, Version]:
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
            raise Refusal(refusal)
        army_list.number = number
        army_list.save(update_fields=["number", "updated"])
        version.army_list = army_list
        return current, version


def go_to(holder: str, list_id: UUID, seen: int, target: int) -> Version:
    """Make a version current again, as a new one behind all others: nothing is lost, and undo leads
    back to where the list was. `seen` and `target` are primary keys.

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
    """A list of its own with the same document, named as a copy."""
    name = current.document.name
    named = _("{name} (copy)")
    room = MAX_NAME - len(named.format(name=""))
    document = unit_edits.rename(current.document, named.format(name=name[:room]))
    return create_list(holder, document, _("Copied from {name}.").format(name=name)[:200])
