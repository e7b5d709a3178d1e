"""Writes: every change of a stored list, of its labels and its event, each in one transaction.

The pack of an event is kept with the list, so that a list survives the event. Sheets, links and My
lists keep showing the verdict of the game.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.acts.about import HistoryAct
from armybuilder.acts.base import Act, ActResult, ListAct, TakenBook
from armybuilder.books.pinning import books_now, keep, pins_of, take
from armybuilder.editing import unit_edits
from armybuilder.editing.names import back_to
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.games.services import may_see
from armybuilder.lists.compaction import (
    BUNDLED_EVERY,
    PRUNED_EVERY,
    bundle_list,
    forget_bundles,
    may_bundle,
    put_size,
    text_of,
    thin,
)
from armybuilder.lists.models import ArmyList, KeptPack, ListDocument, PinnedBook, Version
from armybuilder.lists.quotas import check_room
from armybuilder.lists.selectors import known_stat_lines, lock
from armybuilder.lists.summaries import COLUMNS, put_facts
from armybuilder.loading import armylist
from armybuilder.loading.documents import catalogue_of, check_cost, judge
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.limits import MAX_NAME
from armybuilder.loading.packs import Pack, at_event, pack_of_size
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_of
from armybuilder.sheets.content.printable import one_line
from armybuilder.writable import count_bytes

#: Letters of a label, and labelled versions of one list.
MAX_LABEL, MOST_LABELS = 60, 100


class Conflict(Exception):
    """Act from a page that is out of date, on a part that has changed since."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Version after an act, its sentence, the entry to show; `merged`: the page was out of date."""

    version: Version
    said: str
    entry: str = ""
    merged: bool = False


class Sent(NamedTuple):
    """The origin of an act: its name, given by the browser, and whether it perhaps came before."""

    key: str = ""
    again: bool = False


#: By a form without script, or by a program.
FIRST = Sent()


def create_list(holder: str, document: ListDocument, act: str) -> Version:
    """Store a new list with its shipped books' content.

    Raises NoRoom beyond the quota, Refusal for a list of files that the holder may not see.
    """
    check_game(holder, document)
    with transaction.atomic():
        _keep_books(document)
        army_list = ArmyList.objects.create(holder=holder)
        version = Version(army_list=army_list, number=1, document=document, act=act)
        _write(version)
        return version


def check_game(holder: str, document: ListDocument) -> None:
    """Raise Refusal for a list of files that its holder may not see."""
    if isinstance(document, ForceList) and not may_see(holder, document.game.key):
        raise Refusal(_("Add the files of {game} first.").format(game=document.game.name))


def _keep_books(document: ListDocument) -> None:
    """Keep the content of shipped books that a document names; files are kept already."""
    if isinstance(document, armylist.ArmyList):
        keep(document, shipped_library())


def start_list(
    holder: str, system: System, library: Library, name: str, limit: int, book_ids: Sequence[str]
) -> Version:
    """Store an empty list of the current books. Raises Refusal if they don't suit."""
    revisions = take(holder, system, library, book_ids)
    catalogue = library.catalogue(system.id, book_ids, revisions)
    document = unit_edits.new_document(catalogue, name, limit)
    known = known_stat_lines(holder, document)
    document = replace(document, stat_lines=known) if known else document
    return create_list(holder, document, _("Started the list."))


def _lock_seen(holder: str, list_id: UUID, seen: int) -> Version:
    current = lock(holder, list_id)
    if current.pk != seen:
        raise Conflict
    return current


def replace_document(
    holder: str, list_id: UUID, seen: int, document: ListDocument, act: str
) -> Version:
    """Store a document from elsewhere as the next version. Raises Conflict: not `seen`, Http404."""
    with transaction.atomic():
        current = _lock_seen(holder, list_id, seen)
        if document == current.content:
            return current
        _keep_books(document)
        return append(current, document, act)


def perform(
    holder: str, list_id: UUID, seen: int, act: Act, library: Library, sent: Sent = FIRST
) -> Saved:
    """Do an act and store the result as the next version; `seen`: the key the page showed.

    Raises Http404, Refusal if it cannot be done, Conflict if it would overwrite an unseen change.
    """
    if isinstance(act, HistoryAct):
        return _step(holder, list_id, seen, act.step)
    if not isinstance(act, ListAct):
        raise NotImplementedError(type(act))
    with transaction.atomic():
        current = lock(holder, list_id)
        if sent.again and done_before(current, sent.key):
            return Saved(current, current.act)
        merged = seen != current.pk
        if merged and not act.adds:
            shown = Version.objects.filter(pk=seen, army_list_id=list_id).first()
            if shown is None or act.part(shown.document) != act.part(current.document):
                raise Conflict
        document = current.document
        catalogue, done = _perform_on(current, act, holder, library)
        check_cost(done.army_list, catalogue)
        if done.army_list != document:
            current = append(current, done.army_list, done.said, sent.key)
            current.former = document
        return Saved(current, done.said, done.entry, merged)


def done_before(current: Version, key: str) -> bool:
    """Return whether an act was done whose answer its browser did not get, by the act's `key`."""
    kept = Version.objects.filter(army_list_id=current.army_list_id, act_key=key)
    return bool(key) and kept.exists()


def _perform_on(
    version: Version, act: ListAct, holder: str, library: Library
) -> tuple[Catalogue, ActResult]:
    catalogue = playing_catalogue(version, library)
    shelf = (holder, catalogue.system, library)

    def taken(book_ids: Iterable[str]) -> dict[str, TakenBook]:
        revisions = take(*shelf, book_ids)
        names = {book.id: book.name for book in books_now(*shelf)}
        return {key: TakenBook(key, revision, names[key]) for key, revision in revisions.items()}

    ready = act.prepared(version.document, catalogue, library, taken)
    return catalogue, ready.perform(version.document, catalogue)


def append(current: Version, document: ListDocument, act: str, key: str = "") -> Version:
    """Store the next version, prune old ones, and remove undone ones unless labelled.

    `key` is the name that a browser gave the act.
    """
    army_list = current.army_list
    if army_list.latest > current.number:
        undone = Version.objects.filter(army_list=army_list, number__gt=current.number)
        if undone.exclude(label="").exists():
            current = _keep_undone(current)
        else:
            undone.delete()
            forget_bundles(army_list.pk)
            army_list.size = None  # to be found out again
    number = current.number + 1
    version = Version(army_list=army_list, number=number, document=document, act=act[:200])
    version.act_key = key or None
    _write(version)
    if number % PRUNED_EVERY == 0:
        thin(army_list, timezone.now())
        version.number = army_list.number
    if number % BUNDLED_EVERY == 0 and may_bundle():
        bundle_list(army_list)
    return version


def _write(version: Version) -> None:
    army_list, document = version.army_list, version.content
    version.save(force_insert=True)
    size = len(text_of(document.to_dict()))
    count_bytes(size)
    army_list.number = army_list.latest = version.number
    put_facts(army_list, version.pk, document)
    if army_list.size is None and version.number > 1:
        put_size(army_list)
    else:
        army_list.size = (army_list.size or 0) + size
    army_list.save(update_fields=["number", "latest", "updated", "size", *COLUMNS])
    check_room(army_list.holder)


def _keep_undone(current: Version) -> Version:
    """Move the current version behind the undone ones, and return it."""
    end = Version(army_list=current.army_list, number=current.army_list.latest)
    end.army_list.number = end.number
    return append(end, current.content, back_to(current.act))


def _step(holder: str, list_id: UUID, seen: int, step: int) -> Saved:
    """Undo (-1) or redo (+1). Raises Refusal at the first or last version, else as `go_to`."""
    with transaction.atomic():
        current = _lock_seen(holder, list_id, seen)
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
        put_facts(army_list, version.pk, version.content)
        army_list.save(update_fields=["number", "updated", *COLUMNS])
        version.army_list = army_list
        if isinstance(current.content, armylist.ArmyList):
            version.former = current.content
    if step < 0:
        return Saved(version, _("Undone: {act}").format(act=current.act))
    return Saved(version, _("Redone: {act}").format(act=version.act))


def go_to(holder: str, list_id: UUID, seen: int, target: int) -> Version:
    """Make a version current again as a new one, so that undo leads back; named by keys.

    Raises Refusal if the version is gone, Conflict if the current one is not `seen`.
    """
    with transaction.atomic():
        current = _lock_seen(holder, list_id, seen)
        army_list = current.army_list
        wanted = Version.objects.filter(pk=target, army_list=army_list).first()
        if wanted is None:
            raise Refusal(_("That version of the list is gone."))
        if wanted.content == current.content:
            return current
        if army_list.latest > current.number:
            current = _keep_undone(current)
        return append(current, wanted.content, back_to(wanted.act))


def renamed(document: ListDocument, name: str) -> ListDocument:
    """Return a document with another name. Raises Refusal where it is none."""
    if isinstance(document, armylist.ArmyList):
        return unit_edits.rename(document, name)
    return replace(document, name=unit_edits.read_name(name, required=True))


def copy_list(current: Version, holder: str) -> Version:
    """Return a new list with the same document, named as a copy."""
    name = current.content.name
    named = _("{name} (copy)")
    room = MAX_NAME - len(named.format(name=""))
    document = renamed(current.content, named.format(name=name[:room]))
    version = create_list(holder, document, _("Copied from {name}.").format(name=name)[:200])
    pack = current.army_list.pack_id
    ArmyList.objects.filter(pk=version.army_list_id).update(pack=pack)
    return version


def set_label(holder: str, list_id: UUID, version_key: int, label: str) -> Version:
    """Label a version, named by its key; "" takes the label away. Raises Http404, Refusal."""
    label = one_line(label)
    if len(label) > MAX_LABEL:
        raise Refusal(_("A label has at most {most} characters.").format(most=MAX_LABEL))
    with transaction.atomic():
        current = lock(holder, list_id)
        versions = Version.objects.filter(army_list_id=current.army_list_id)
        version = versions.filter(pk=version_key).first()
        if version is None:
            raise Refusal(_("That version of the list is gone."))
        if label and versions.exclude(label="").exclude(pk=version_key).count() >= MOST_LABELS:
            sentence = _("This list already has {most} labelled versions: remove a label first.")
            raise Refusal(sentence.format(most=MOST_LABELS))
        version.label = label
        version.save(update_fields=["label"])
        return version


def labelled(list_id: UUID) -> list[tuple[int, str]]:
    """Return the labelled versions of a list, the latest first: their numbers and labels."""
    versions = Version.objects.filter(army_list_id=list_id).exclude(label="")
    return list(versions.order_by("-number").values_list("number", "label"))


def pin_books(list_id: UUID, document: armylist.ArmyList) -> None:
    """Keep the contents of a document's books as long as the list."""
    named = [(book.id, book.revision) for book in document.books]
    PinnedBook.objects.bulk_create(
        (
            PinnedBook(army_list_id=list_id, book_id=book, revision=revision)
            for book, revision in sorted(pins_of(document.system, named))
        ),
        ignore_conflicts=True,
    )


def event_pack_of(version: Version) -> Pack | None:
    """Return the pack of the event that a list is built for, if it is of the list's game."""
    # A version that is tried out belongs to no list.
    if version.army_list_id is None or version.army_list.pack is None:
        return None
    pack = pack_of(version.army_list.pack)
    return pack if pack.system == version.content.system else None


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
    """Let a list be built for an event, or none; raises Refusal for another game, or Http404."""
    with transaction.atomic():
        version = lock(holder, list_id)
        document = version.content
        if pack is not None and pack.system != document.system:
            raise Refusal(_("This pack is for another game."))
        if pack is not None and isinstance(document, armylist.ArmyList):
            pack = pack_of_size(pack, document.limit)
        kept = keep_pack(pack) if pack else None
        ArmyList.objects.filter(pk=list_id).update(pack=kept)


def keep_pack(pack: Pack) -> KeptPack:
    content = {"data": dict(pack.data)}
    return KeptPack.objects.get_or_create(revision=pack.revision, defaults=content)[0]
