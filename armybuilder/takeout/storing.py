"""Store an imported list in short transactions, and show it to its holder with the last of them.

Until then it is nobody's, so that no page finds it; what an import leaves that is ended half-way,
`manage.py tidy` removes.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from armybuilder.books.pinning import keep
from armybuilder.lists.compaction import may_bundle, text_of
from armybuilder.lists.fields import list_of
from armybuilder.lists.flags import remove_list
from armybuilder.lists.models import ArmyList, Bundle, Version
from armybuilder.lists.quotas import check_room
from armybuilder.lists.summaries import COLUMNS, put_facts
from armybuilder.loading.library import Library

#: After so long an import that has not shown its list never will.
GIVEN_UP = timedelta(minutes=5)


class Row(NamedTuple):
    """A version without its document."""

    act: str
    label: str
    created: datetime


class Part(NamedTuple):
    """Some versions with their documents in a bundle: what one transaction stores."""

    data: bytes
    rows: Sequence[Row]


@contextmanager
def short_transaction() -> Iterator[None]:
    """A transaction behind which others that wait to write get their turn: SQLite asks no queue
    whose turn it is.
    """
    begun = time.perf_counter()
    with transaction.atomic():
        yield
    time.sleep(min(0.05, time.perf_counter() - begun))


def store(
    holder: str,
    key: UUID,
    parts: Sequence[Part],
    current: int,
    about: dict[str, Any],
    library: Library,
) -> None:
    """Store a list of these versions under a free id. `current` is the number of the current one;
    `about` are columns of the list. Raises NoRoom where it is more than the holder may have, and
    IntegrityError where the id is not free; then nothing of it stays.
    """
    with short_transaction():
        army_list = ArmyList.objects.create(pk=key, holder="")
    try:
        size, number = 0, 0
        for part in parts:
            with short_transaction():
                size += _store_part(army_list, part, number)
            number += len(part.rows)
        army_list.number, army_list.latest, army_list.size = current, number, size
        _show(army_list, holder, about, library)
    except BaseException:
        remove_list(key)
        raise


def _store_part(army_list: ArmyList, part: Part, before: int) -> int:
    """Store versions, behind so many; how many bytes their documents take."""
    bundle, documents = None, []
    if may_bundle():
        bundle = Bundle.objects.create(army_list=army_list, data=part.data)
    else:
        documents = [list_of(text) for text in Bundle(data=part.data).texts]
    Version.objects.bulk_create(
        Version(
            army_list=army_list,
            number=before + place + 1,
            document=documents[place] if documents else None,
            bundle=bundle,
            place=place if bundle else None,
            **row._asdict(),
        )
        for place, row in enumerate(part.rows)
    )
    return sum(len(text_of(one.to_dict())) for one in documents) or len(part.data)


def _show(army_list: ArmyList, holder: str, about: dict[str, Any], library: Library) -> None:
    """Give the whole list to its holder."""
    with transaction.atomic():
        version = Version.objects.get(army_list=army_list, number=army_list.number)
        keep(version.document, library)
        put_facts(army_list, version.pk, version.document)
        columns = ("number", "latest", "size", *COLUMNS)
        kept = {column: getattr(army_list, column) for column in columns}
        ArmyList.objects.filter(pk=army_list.pk).update(holder=holder, **kept, **about)
        check_room(holder)
