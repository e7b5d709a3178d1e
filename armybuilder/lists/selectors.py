"""Reads: the lists a browser holds, and free names. A list of another holder is not found."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet
from django.http import Http404, HttpRequest

from armybuilder.accounts.holders import holder_of
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.summaries import refresh_facts
from armybuilder.loading import armylist
from armybuilder.loading.armylist import ArmyList as ArmyListValue
from armybuilder.loading.armylist import StatLines, stat_lines_of
from armybuilder.loading.documents import catalogue_of, named_after
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_NAME
from armybuilder.tables import or_404

#: A holder, or a query that finds one.
Holder = str | QuerySet[Any]


def current_versions(holder: Holder, deleted: bool = False) -> QuerySet[Version]:
    """Return the current version of every list of the holder, the latest changed first."""
    return (
        Version.objects.filter(
            army_list__holder=holder,
            army_list__deleted__isnull=not deleted,
            number=F("army_list__number"),
        )
        .exclude(army_list__holder="")
        .select_related("army_list")
        .order_by("-army_list__updated")
    )


def lists_of(holder: str, deleted: bool = False) -> QuerySet[ArmyList]:
    """Return the holder's lists, the latest changed first, with fresh facts in their rows."""
    refresh_facts(holder)
    lists = ArmyList.objects.filter(holder=holder, deleted__isnull=not deleted)
    return lists.exclude(holder="").order_by("-updated", "id")


def recent_lists(holder: str, but: UUID, number: int) -> list[tuple[UUID, str | None]]:
    """Return id and name of the holder's lists that were changed last, but for one: one query."""
    lists = ArmyList.objects.filter(holder=holder, deleted=None, archived=None)
    lists = lists.exclude(holder="").exclude(name=None).exclude(pk=but)
    return list(lists.order_by("-updated", "id").values_list("pk", "name")[:number])


def names_of(holder: str, ids: Iterable[UUID]) -> dict[UUID, str]:
    rows = lists_of(holder).filter(pk__in=ids).values_list("pk", "name")
    return {key: name or "" for key, name in rows}


def known_stat_lines(holder: str, document: ArmyListValue) -> StatLines:
    """Return the stat lines in the holder's lists for units whose books have none.

    For the books of the document, from the list that was changed last.
    """
    lists = current_versions(holder).filter(document__system=document.system)
    lists = lists.filter(document__stat_lines__isnull=False)
    books = tuple(f"{book.id}/" for book in document.books)
    known: dict[str, Any] = {}
    for lines in lists.values_list("document__stat_lines", flat=True):
        known = {**lines, **known}
    return stat_lines_of({ref: rows for ref, rows in known.items() if ref.startswith(books)})


class DeletedList(Http404):
    """List of the holder's own that was deleted, and can be restored."""

    def __init__(self, version: Version) -> None:
        super().__init__("the list is deleted")
        self.version = version


def current_version(request: HttpRequest, list_id: UUID) -> Version:
    """Return the current version of this browser's list. Raises DeletedList or Http404."""
    holder = holder_of(request)
    version = current_versions(holder).filter(army_list_id=list_id).first()
    if version is None:
        deleted = current_versions(holder, deleted=True).filter(army_list_id=list_id).first()
        raise DeletedList(deleted) if deleted else Http404("no such list in this browser")
    return version


def find_version(holder: str, list_id: UUID, number: int) -> Version | None:
    """Return a version of a list of the holder by its number; None if there is none."""
    versions = Version.objects.filter(
        army_list_id=list_id,
        army_list__holder=holder,
        army_list__deleted__isnull=True,
        number=number,
    )
    return versions.exclude(army_list__holder="").select_related("army_list").first()


def former_document(version: Version) -> ArmyListValue | None:
    """Return the document of the version before one; None if that is not kept."""
    before = Version.objects.filter(
        army_list_id=version.army_list_id, number=version.number - 1
    ).first()
    content = before.content if before is not None else None
    return content if isinstance(content, ArmyListValue) else None


def lock(holder: str, list_id: UUID) -> Version:
    """Return a list's current version, locked until the transaction ends. Raises Http404."""
    lists = ArmyList.objects.select_for_update()
    here = lists.filter(pk=list_id, holder=holder, deleted__isnull=True) if holder else lists.none()
    army_list = or_404(next(iter(here), None), "no such list in this browser")
    return current_of(army_list)


def current_of(army_list: ArmyList) -> Version:
    """Return the current version of a list of any holder."""
    version = Version.objects.get(army_list=army_list, number=army_list.number)
    version.army_list = army_list
    return version


#: So many lists of names that begin alike are looked at; beyond them two may be called the same.
_MOST_ALIKE = 1000


def free_name(holder: str, name: str) -> str:
    """Return the name, numbered as in "Highborn Elves 4500 (2)" if the holder has it."""
    lists = ArmyList.objects.filter(holder=holder, deleted__isnull=True, name__startswith=name)
    taken = set(lists.exclude(holder="").values_list("name", flat=True)[:_MOST_ALIKE])
    if name not in taken:
        return name
    numbered = (f"{name[: MAX_NAME - 7]} ({number})" for number in range(2, _MOST_ALIKE + 3))
    return next((one for one in numbered if one not in taken), name)


def with_free_name(holder: str, document: armylist.ArmyList, library: Library) -> armylist.ArmyList:
    """Return an imported list with a free name, unless somebody has named it."""
    if document.name != named_after(document, catalogue_of(document, library)):
        return document
    return replace(document, name=free_name(holder, document.name))
