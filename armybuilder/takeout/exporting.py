"""Writing the zip of all that a holder has: piece by piece, with little of it in memory at a time.

Each list is read by one query, so that it belongs together even where it is changed meanwhile.
"""

import json
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.db.models import Model

import armybuilder
from armybuilder.books.models import OwnBook
from armybuilder.books.pinning import find_kept, pins_of
from armybuilder.collection.models import OwnedUnit
from armybuilder.lists.models import ArmyList, ListDocument, Version
from armybuilder.loading import armylist
from armybuilder.packs.models import OwnPack
from armybuilder.playing.keeping import MATCH_FIELDS, entry_data
from armybuilder.playing.models import Match
from armybuilder.printing.models import PrintSetup
from armybuilder.sharing.models import Frozen, Share
from armybuilder.sharing.selectors import frozen_data
from armybuilder.takeout import COLLECTION, FORMAT, MANIFEST, MATCHES, SETUPS, SHARES

#: So many bytes are handed on at once.
CHUNK = 64 * 1024
#: Rows of the database that are read ahead, of versions and of books.
_VERSIONS_AHEAD = 20
_BOOKS_AHEAD = 4


def everything_of(holder: str, now: datetime) -> Iterator[bytes]:
    """Return the zip in chunks. A holder of "" has nothing."""
    sink = _Sink()
    # Close the file being written before the zip, even if the download was stopped.
    with (
        ZipFile(sink, "w", ZIP_DEFLATED) as archive,
        closing(_Saving(archive, holder).pieces(now)) as pieces,
    ):
        for _piece in pieces:
            if sink.length >= CHUNK:
                yield sink.take()
    yield sink.take()


class _Sink:
    """The output of the zip, read again on the way."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.length = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self.length += len(data)
        return len(data)

    def flush(self) -> None:
        """There is nothing behind it to be flushed to."""

    def close(self) -> None:
        """Nothing is open."""

    def take(self) -> bytes:
        taken, self._parts, self.length = b"".join(self._parts), [], 0
        return taken


class _Saving:
    """Writes one holder's things; `numbers` counts them, `pinned` are contents that they need."""

    def __init__(self, archive: ZipFile, holder: str) -> None:
        self.archive = archive
        self.holder = holder
        self.numbers: Counter[str] = Counter()
        self.pinned: set[tuple[str, str]] = set()

    def pieces(self, now: datetime) -> Generator[None, None, None]:
        """Write everything; a stop after each piece."""
        if self.holder:
            mine = ArmyList.objects.filter(holder=self.holder).order_by("created", "pk")
            for list_id in list(mine.values_list("pk", flat=True)):
                yield from self._list(list_id)
            yield from self._books()
            yield from self._shares()
            for book_id, revision in sorted(self.pinned):
                content = find_kept(book_id, revision)
                if content is not None:
                    self._write(f"contents/{book_id}/{revision}.json", content)
                    self.numbers["contents"] += 1
                    yield
            self._setups()
            yield
            self._matches()
            yield
            self._collection()
            yield
            yield from self._packs()
        manifest = {
            "format": FORMAT,
            "version": armybuilder.__version__,
            "made": now,
            "numbers": dict(self.numbers),
        }
        self._write(MANIFEST, manifest)

    def _list(self, list_id: UUID) -> Iterator[None]:
        mine = Version.objects.filter(army_list_id=list_id, army_list__holder=self.holder)
        rows = mine.select_related("army_list__pack").prefetch_related("bundle").order_by("number")
        versions = rows.iterator(_VERSIONS_AHEAD)
        first = next(versions, None)
        if first is None:  # it went on the way
            return
        army_list = first.army_list
        facts = {
            "id": str(army_list.pk),
            "current": army_list.number,
            **_columns(army_list, "created updated archived deleted pinned tags"),
            "pack": army_list.pack.data if army_list.pack is not None else None,
            "campaign": [entry_data(entry) for entry in army_list.campaign.order_by("pk")],
        }
        with self.archive.open(_info(f"lists/{list_id}.jsonl"), "w") as stream:
            stream.write(_line(facts))
            for version in chain((first,), versions):
                document = version.content
                self._pin(document)
                row = _columns(version, "number act label created")
                stream.write(_line({**row, "document": document.to_dict()}))
                self.numbers["versions"] += 1
                yield
        self.numbers["lists"] += 1
        yield

    def _pin(self, document: ListDocument) -> None:
        if not isinstance(document, armylist.ArmyList):
            return
        named = ((book.id, book.revision) for book in document.books)
        self.pinned |= pins_of(document.system, named)

    def _books(self) -> Iterator[None]:
        columns = "before before_act act created updated deleted shared"
        for book in OwnBook.objects.filter(holder=self.holder).iterator(_BOOKS_AHEAD):
            self._write(f"books/{book.pk}.json", {"book": book.data, **_columns(book, columns)})
            self.pinned |= pins_of(book.system, ())
            self.numbers["books"] += 1
            yield

    def _setups(self) -> None:
        mine = PrintSetup.objects.filter(holder=self.holder).order_by("pk")
        setups = [_columns(setup, "name fields usual") for setup in mine]
        self.numbers["setups"] = len(setups)
        self._write(SETUPS, setups)

    def _matches(self) -> None:
        mine = Match.objects.filter(holder=self.holder).order_by("created", "pk")
        columns = " ".join((*MATCH_FIELDS, "list_points", "sides", "created"))
        matches = [
            {
                "id": str(match.pk),
                "list": str(match.army_list_id or ""),
                **_columns(match, columns),
                "day": match.day.isoformat(),
            }
            for match in mine
        ]
        self.numbers["matches"] = len(matches)
        self._write(MATCHES, matches)

    def _collection(self) -> None:
        mine = OwnedUnit.objects.filter(holder=self.holder).order_by("game", "ref")
        rows = [_columns(row, "game ref name number painted note") for row in mine]
        self.numbers["owned"] = len(rows)
        self._write(COLLECTION, rows)

    def _packs(self) -> Iterator[None]:
        for pack in OwnPack.objects.filter(holder=self.holder).order_by("created", "pk"):
            newest = pack.versions.get(number=pack.number)
            self._write(f"packs/{pack.pk}.json", {"pack": newest.data, "origin": pack.origin})
            self.numbers["packs"] += 1
            yield

    def _shares(self) -> Iterator[None]:
        mine = Share.objects.filter(army_list__holder=self.holder).order_by("created", "pk")
        shares = [
            {
                "list": str(share.army_list_id),
                **_columns(share, "name view"),
                "frozen": share.frozen_id or "",
                "created": share.created,
            }
            for share in mine
        ]
        self.numbers["shares"] = len(shares)
        self._write(SHARES, shares)
        for key in dict.fromkeys(share["frozen"] for share in shares if share["frozen"]):
            copy = Frozen.objects.get(pk=key)
            self._pin(copy.document)
            self._write(f"frozen/{key}.json", frozen_data(copy))
            yield

    def _write(self, name: str, data: Any) -> None:
        self.archive.writestr(_info(name), _line(data), ZIP_DEFLATED)


def _info(name: str) -> ZipInfo:
    """Return a file of the zip, without the time of day: the same things make the same file."""
    info = ZipInfo(name)
    info.compress_type = ZIP_DEFLATED
    return info


def _line(data: Any) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=datetime.isoformat)
    return f"{text}\n".encode()


def _columns(row: Model, names: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names.split()}
