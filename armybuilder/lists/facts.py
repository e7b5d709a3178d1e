"""What is kept beside a list of its current document: name, game, notes and books, so that pages of
many lists read no documents.

Facts carry the version that they were taken from. Where that is not the current one any more, as
after a write by an older release, they are taken anew before anybody goes by them.
"""

from django.db.models import F

from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading import armylist
from armybuilder.writable import where_possible

#: The columns that facts fill.
COLUMNS = ("facts_of", "name", "system", "notes", "books")
#: Lists that are written by one statement.
_AT_ONCE = 200


def put_facts(army_list: ArmyList, version_key: int, document: armylist.ArmyList) -> None:
    """Let the row of a list say what the document of its current version says."""
    army_list.facts_of = version_key
    army_list.name = document.name
    army_list.system = document.system
    army_list.notes = document.notes
    army_list.books = [[book.id, book.revision] for book in document.books]


def refresh_facts(holder: str) -> None:
    """Take facts anew for those lists of the holder whose facts are of another version, or not
    there: mostly none, which is found out by an index alone.
    """
    stale = (
        Version.objects.filter(army_list__holder=holder, number=F("army_list__number"))
        .exclude(army_list__holder="")
        .exclude(army_list__facts_of=F("pk"))
        .select_related("army_list")
        .prefetch_related("bundle")
    )
    waiting: list[ArmyList] = []
    for version in stale.iterator(_AT_ONCE):
        put_facts(version.army_list, version.pk, version.document)
        waiting.append(version.army_list)
        if len(waiting) == _AT_ONCE:
            _keep(waiting)
            waiting.clear()
    if waiting:
        _keep(waiting)


def _keep(lists: list[ArmyList]) -> None:
    where_possible("facts of lists", lambda: ArmyList.objects.bulk_update(lists, COLUMNS))
