"""Removing a list permanently, with all its versions, in short transactions."""

from uuid import UUID

from django.db import transaction

from armybuilder.lists.models import ArmyList, Bundle, Version

#: Versions that one transaction removes: with documents of the largest size some 50 ms.
AT_ONCE = 50


def hide_list(list_id: UUID) -> None:
    """Let a list be nobody's from now on: no page finds it any more."""
    ArmyList.objects.filter(pk=list_id).update(holder="")


def remove_list(list_id: UUID) -> None:
    """Remove a list. It is nobody's from the first moment on, so that none is ever seen without
    some of its versions; where this is ended half-way, the rest can be removed later.
    """
    hide_list(list_id)
    while remove_some(list_id, AT_ONCE):
        pass
    ArmyList.objects.filter(pk=list_id).delete()


def remove_some(list_id: UUID, most: int) -> bool:
    """Remove at most so many versions, or bundles, of a hidden list; whether there were any."""
    for table in (Version, Bundle):
        keys = list(table.objects.filter(army_list_id=list_id).values_list("pk", flat=True)[:most])
        if keys:
            with transaction.atomic():
                table.objects.filter(pk__in=keys).delete()
            return True
    return False
