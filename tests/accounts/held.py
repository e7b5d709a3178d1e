"""Things of every kind that has a holder, and what goes wrong while they move or go."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.apps import apps
from django.db import models
from django.dispatch import Signal
from django.utils import timezone

from armybuilder.accounts.models import User
from armybuilder.books.models import OwnBook
from armybuilder.events.entering import enter
from armybuilder.lists.models import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.packs.models import OwnPack
from armybuilder.printing.models import PrintJob, PrintSetup
from armybuilder.uploads.models import Upload
from tests.events.builders import NOW, draft_event, open_event


def things_of(holder: str) -> dict[str, Callable[[], models.Model]]:
    """How to make a thing of every kind that has a holder."""
    return {
        "lists.ArmyList": lambda: ArmyList.objects.create(holder=holder, deleted=timezone.now()),
        "printing.PrintJob": lambda: PrintJob.objects.create(holder=holder),
        "uploads.Upload": lambda: Upload.objects.create(holder=holder, name="books.zip"),
        "books.OwnBook": lambda: OwnBook.objects.create(holder=holder, system="sbh", data={}),
        "printing.PrintSetup": lambda: PrintSetup.objects.create(holder=holder, name="Club"),
        "packs.OwnPack": lambda: OwnPack.objects.create(holder=holder, system="sbh"),
        "events.Entry": lambda: enter(
            open_event().pk, holder, "Anne", "", "", NOW, shipped_library()
        ),
        "events.Staff": lambda: draft_event(holder).staff.get(),
    }


def held_models() -> list[type[models.Model]]:
    """Every table whose rows belong to a holder; users have theirs."""
    named = [
        model
        for model in apps.get_models()
        if any(field.name == "holder" for field in model._meta.get_fields())
    ]
    return [model for model in named if model is not User]


@contextmanager
def failing(signal: Signal) -> Iterator[None]:
    """What is done here sends the signal, of whose receivers the last fails."""

    def fail(**_signal: object) -> None:
        raise RuntimeError

    signal.connect(fail)
    try:
        with pytest.raises(RuntimeError):
            yield
    finally:
        signal.disconnect(fail)
