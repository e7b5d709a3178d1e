"""Everything that belongs to a holder, on its way to an account, or out with it permanently.

Set-ups know nothing of accounts, nor books of lists: so it stands here. Books go after lists.
"""

from typing import Any

from django.utils import timezone

from armybuilder.accounts.holders import leaving, move_along, moved
from armybuilder.books import pinning
from armybuilder.books.models import Kept, OwnBook
from armybuilder.events.leaving import forget_holder
from armybuilder.events.models import Entry, Staff
from armybuilder.housekeeping import pins
from armybuilder.housekeeping.visits import forget_visits
from armybuilder.lists.models import ArmyList
from armybuilder.packs.models import OwnPack
from armybuilder.printing.jobs import prints
from armybuilder.printing.models import PrintJob, PrintSetup
from armybuilder.printing.setups import move_setups
from armybuilder.uploads.jobs import uploads
from armybuilder.uploads.models import Upload


def connect() -> None:
    """Let lists, prints, uploads, books, packs and entries move and go with their holder."""
    for model in (ArmyList, PrintJob, Upload, OwnBook, OwnPack, Entry, Staff):
        move_along(model)
    moved.connect(_move_setups, dispatch_uid="lists.setups")
    leaving.connect(_go, dispatch_uid="lists.all")


def _move_setups(old: str, new: str, **_signal: Any) -> int:
    forget_visits(old)
    return move_setups(old, new)


def _go(holder: str, **_signal: Any) -> None:
    prints.forget(holder)
    uploads.forget(holder)
    forget_visits(holder)
    forget_holder(holder, timezone.now())
    PrintSetup.objects.filter(holder=holder).delete()
    OwnPack.objects.filter(holder=holder).delete()
    ArmyList.objects.filter(holder=holder).delete()
    books = OwnBook.objects.filter(holder=holder)
    ids = {name for row in books.values_list("pk", "system") for name in row}
    books.delete()
    # Of contents and games, what nobody else's list draws from.
    kept = Kept.objects.filter(book_id__in=ids)
    if kept.exists():
        none = OwnBook.objects.none(), ArmyList.objects.none()
        pinning.forget(sorted(pins.unnamed(kept, *none)))
