"""Names that tell a holder's lists apart."""

from dataclasses import replace

from armybuilder.lists.models import ArmyList
from armybuilder.loading import armylist
from armybuilder.loading.documents import catalogue_of
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_NAME
from armybuilder.loading.naming import named_after

#: So many lists of names that begin alike are looked at; beyond them two may be called the same.
_MOST = 1000


def free_name(holder: str, name: str) -> str:
    """Return the name, with a number from 2 on in brackets where a list of the holder has it:
    "Highborn Elves 4500 (2)". One query.
    """
    lists = ArmyList.objects.filter(holder=holder, deleted__isnull=True, name__startswith=name)
    taken = set(lists.exclude(holder="").values_list("name", flat=True)[:_MOST])
    if name not in taken:
        return name
    numbered = (f"{name[: MAX_NAME - 7]} ({number})" for number in range(2, _MOST + 3))
    return next((one for one in numbered if one not in taken), name)


def with_free_name(holder: str, document: armylist.ArmyList, library: Library) -> armylist.ArmyList:
    """Return a list that was read with a free name, where it has the one of its own accord; what
    somebody called it stays.
    """
    if document.name != named_after(document, catalogue_of(document, library)):
        return document
    return replace(document, name=free_name(holder, document.name))
