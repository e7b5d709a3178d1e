"""Import of a list with its history: all of it or, if one version is broken, nothing.

A list is checked from its first line to its last before any of it is stored: in short transactions,
of which the last gives it to its holder. Until then it has none, so that no page finds it;
`manage.py tidy` removes the rest of an interrupted import.
"""

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import zip_longest
from typing import IO, Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.books.pinning import keep
from armybuilder.lists.compaction import full, may_bundle, packed, text_of
from armybuilder.lists.flags import read_tags, remove_list
from armybuilder.lists.models import ArmyList, Bundle, ListDocument, Version, list_of
from armybuilder.lists.quotas import check_room, room_left
from armybuilder.lists.services import MAX_LABEL, check_game, keep_pack
from armybuilder.lists.summaries import COLUMNS, put_facts
from armybuilder.loading import armylist
from armybuilder.loading.documents import check_document
from armybuilder.loading.forcelist import ForceList, check_force_list, is_force_list
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, canonical_json, parse_json
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_UNITS
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import read_pack
from armybuilder.playing.keeping import read_entries, store_entries
from armybuilder.takeout import facts as read
from armybuilder.writable import count_bytes

#: Most versions of one list; bytes of a line and how deep it nests: a document, which may have
#: grown beyond what a file may bring, and its facts.
MOST_VERSIONS = 5_000
MAX_LINE = 8 * MAX_BYTES
LINE_DEPTH = MAX_DEPTH + 1
#: Letters of an act.
MAX_ACT = 200
#: Versions that are read ahead.
_AT_ONCE = 50
#: Seconds that looking at one list may take. Nobody waits for the database meanwhile.
PATIENCE = 5.0
#: After so long an import that has not shown its list never will.
GIVEN_UP = timedelta(minutes=5)


@dataclass
class Renames:
    """New ids of own books that came in under other ids, by the old ones.

    Likewise new revisions, by old id and revision.
    """

    books: dict[str, str] = field(default_factory=dict)
    revisions: dict[tuple[str, str], str] = field(default_factory=dict)

    def document(self, document: ListDocument) -> ListDocument:
        """Return the document with the new ids wherever it names such a book or a unit of one."""
        if isinstance(document, ForceList) or not self.books.keys() & {
            book.id for book in document.books
        }:
            return document
        settings = {
            # Units are in lists chosen from many.
            key: tuple(map(self._ref, value)) if isinstance(value, tuple) else value
            for key, value in document.settings.items()
        }
        units = (
            replace(unit, ref=self._ref(unit.ref)) if unit.ref else unit for unit in document.units
        )
        return replace(
            document,
            books=tuple(map(self._book, document.books)),
            units=tuple(units),
            settings=armylist.frozen(settings),
        )

    def _book(self, book: armylist.ListBook) -> armylist.ListBook:
        if book.id not in self.books:
            return book
        revision = self.revisions.get((book.id, book.revision), book.revision)
        return armylist.ListBook(self.books[book.id], revision)

    def _ref(self, ref: str) -> str:
        book, slash, unit = ref.partition("/")
        return f"{self.books.get(book, book)}{slash}{unit}"


#: Some versions, their documents in a bundle, and the other columns: what one transaction stores.
BundlePart = tuple[bytes, Sequence[dict[str, Any]]]


def list_key(stream: IO[bytes]) -> UUID:
    """Return the id of the list in a file. Raises Refusal if there is none."""
    facts = read.as_facts(next(_lines(stream), None))
    try:
        return UUID(read.text(facts, "id", 36))
    except ValueError as error:
        raise read.wrong("id") from error


def is_free(key: UUID) -> bool:
    """Return whether no list, of any holder, has this id.

    The rest of an interrupted import is removed first. Raises Refusal if another request is
    importing the list.
    """
    made = ArmyList.objects.filter(pk=key).values_list("holder", "created").first()
    if made is None:
        return True
    if made[0]:
        return False
    if made[1] > timezone.now() - GIVEN_UP:
        raise Refusal(_("Another window is importing it right now. Try again in a minute."))
    remove_list(key)
    return True


def is_here(holder: str, key: UUID, stream: IO[bytes], renames: Renames) -> bool:
    """Return whether the holder has the list under this id already, with the same history."""
    if not ArmyList.objects.filter(pk=key, holder=holder).exists():
        return False
    lines = _lines(stream)
    next(lines, None)
    versions = Version.objects.filter(army_list_id=key).prefetch_related("bundle")
    here = (
        (version.act, version.label, version.content.to_dict())
        for version in versions.order_by("number").iterator(_AT_ONCE)
    )
    there = (
        (line.get("act"), line.get("label"), _renamed(line.get("document"), renames))
        for line in map(read.as_facts, lines)
    )
    pairs = zip_longest(map(_digest, here), map(_digest, there))
    return all(mine == theirs for mine, theirs in pairs)


def _renamed(document: Any, renames: Renames) -> Any:
    """Return the document in its imported form; anything else unchanged: it equals nothing here."""
    try:
        known = (ForceList if is_force_list(document) else armylist.ArmyList).from_dict(document)
    except (TypeError, KeyError, AttributeError, ValueError):
        return document
    return renames.document(known).to_dict() if known.to_dict() == document else document


def _digest(version: tuple[Any, ...]) -> bytes:
    return hashlib.sha256(json.dumps(version, sort_keys=True).encode()).digest()


def bring_list(
    holder: str, key: UUID, stream: IO[bytes], renames: Renames, library: Library
) -> None:
    """Store the list in a file under an id that is free.

    Raises Refusal where anything in it cannot be read, NoRoom where it is more than the holder may
    have; and then has stored nothing.
    """
    check_room(holder, 1, 1, 1)
    lines = _lines(stream)
    facts = read.as_facts(next(lines, None))  # the first line
    wanted, about = read.number(facts, "current"), _about(facts)
    campaign = read_entries(facts.get("campaign", []))
    checked = CheckedVersions(holder, renames)
    checked.check(lines)
    if wanted not in checked.numbers:
        raise Refusal(_("The list doesn’t say which of its versions is current."))
    store(holder, key, checked.parts, checked.numbers[wanted], about, library)
    for entry in campaign:
        entry.army_list_id = key
    store_entries(campaign)


def _lines(stream: IO[bytes]) -> Iterator[Any]:
    stream.seek(0)
    while line := stream.readline(MAX_LINE + 1):
        yield parse_json(line, MAX_LINE, LINE_DEPTH)


def _about(facts: read.Facts) -> dict[str, Any]:
    """Return the columns of a list that its first line fills."""
    tags = facts.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise read.wrong("tags")
    return {
        "created": read.time(facts, "created"),
        "updated": read.time(facts, "updated"),
        "archived": read.time_or_none(facts, "archived"),
        "deleted": read.time_or_none(facts, "deleted"),
        "pinned": read.switch(facts, "pinned"),
        "tags": read_tags(",".join(tags)),
        "pack": keep_pack(read_pack(facts["pack"])) if facts.get("pack") is not None else None,
    }


class CheckedVersions:
    """The versions in a file, each looked at before any is stored.

    They are held as they will be kept, in bundles, so that a long history needs little memory.

    `numbers` are the numbers they have here, without a gap, by those in the file.
    """

    def __init__(self, holder: str, renames: Renames) -> None:
        self.parts: list[BundlePart] = []
        self.numbers: dict[int, int] = {}
        self._holder = holder
        self._renames = renames
        self._checker = Checker()
        self._room = room_left(holder)
        self._size = 0
        self._games: set[str] = set()
        self._texts: list[bytes] = []
        self._rows: list[dict[str, Any]] = []

    def check(self, lines: Iterator[Any]) -> None:
        """Check all of them.

        Raises Refusal, also for a game's files that the holder may not see, and NoRoom as soon as
        they are too many; the file's own claims about its length don't count.
        """
        end = time.thread_time() + PATIENCE
        for line in lines:
            if len(self.numbers) >= MOST_VERSIONS:
                sentence = _("The list has more than {most} versions.")
                raise Refusal(sentence.format(most=f"{MOST_VERSIONS:,}"))
            if time.thread_time() > end:
                raise Refusal(_("These versions take too long to read."))
            self._add(read.as_facts(line))
            if full(self._texts):
                self._close()
        self._close()

    def _add(self, facts: read.Facts) -> None:
        number = read.number(facts, "number")
        if number in self.numbers:
            raise Refusal(_("Two versions of the list have the same number."))
        self.numbers[number] = len(self.numbers) + 1
        document = self._renames.document(self._checker.checked(facts.get("document")))
        if isinstance(document, ForceList) and document.game.key not in self._games:
            check_game(self._holder, document)
            self._games.add(document.game.key)
        self._texts.append(text_of(document.to_dict()))
        act, label = read.text(facts, "act", MAX_ACT), read.text(facts, "label", MAX_LABEL)
        self._rows.append({"act": act, "label": label, "created": read.time(facts, "created")})

    def _close(self) -> None:
        """Put the versions read into a bundle, if there is room for it."""
        if not self._rows:
            return
        data = packed(self._texts)
        self.parts.append((data, self._rows))
        self._texts, self._rows = [], []
        self._size += len(data)
        if self._size > self._room.size or len(self.numbers) > self._room.versions:
            check_room(self._holder, 1, len(self.numbers), self._size)


class Checker:
    """Checks the documents of one list; a unit that passed in one version passes in all."""

    def __init__(self) -> None:
        self._known: set[bytes] = set()

    def checked(self, document: Any) -> ListDocument:
        """Return the document. Raises Refusal where it is none."""
        if is_force_list(document):
            return check_force_list(document)
        if not self._can_be_shortened(document):
            return check_document(document)
        units = {canonical_json(unit): unit for unit in document["units"]}
        fresh = [unit for key, unit in units.items() if key not in self._known]
        try:
            check_document({**document, "units": fresh})
        except Refusal:
            check_document(document)  # names the right places
            raise
        self._known.update(units)
        return armylist.ArmyList.from_dict(document)

    @staticmethod
    def _can_be_shortened(document: Any) -> bool:
        """Return whether all that a whole look would find of the units together is in order."""
        units = document.get("units") if isinstance(document, dict) else None
        if not isinstance(units, list) or len(units) > MAX_UNITS:
            return False
        ids = [unit.get("id") for unit in units if isinstance(unit, dict)]
        named = {key for key in ids if isinstance(key, str)}
        return len(named) == len(units)


@contextmanager
def _short_transaction() -> Iterator[None]:
    """Open a transaction behind which others that wait to write get their turn.

    SQLite does not ask whose turn it is.
    """
    begun = time.perf_counter()
    with transaction.atomic():
        yield
    time.sleep(min(0.05, time.perf_counter() - begun))


def store(
    holder: str,
    key: UUID,
    parts: Sequence[BundlePart],
    current: int,
    about: dict[str, Any],
    library: Library,
) -> None:
    """Store a list of these versions under a free id.

    `current` is the number of the current one; `about` are columns of the list. Raises NoRoom if it
    is more than the holder may have, and IntegrityError if the id is not free; then nothing of it
    stays.
    """
    with _short_transaction():
        army_list = ArmyList.objects.create(pk=key, holder="")
    try:
        size, number = 0, 0
        for data, rows in parts:
            with _short_transaction():
                size += _store_part(army_list, data, rows, number)
            number += len(rows)
        army_list.number, army_list.latest, army_list.size = current, number, size
        _show(army_list, holder, about, library)
    except BaseException:
        remove_list(key)
        raise


def _store_part(
    army_list: ArmyList, data: bytes, rows: Sequence[dict[str, Any]], before: int
) -> int:
    """Store the versions after some number; return the bytes of their documents."""
    bundle, documents = None, []
    if may_bundle():
        bundle = Bundle.objects.create(army_list=army_list, data=data)
    else:
        documents = [list_of(text) for text in Bundle(data=data).texts]
    Version.objects.bulk_create(
        Version(
            army_list=army_list,
            number=before + place + 1,
            document=documents[place] if documents else None,
            bundle=bundle,
            place=place if bundle else None,
            **row,
        )
        for place, row in enumerate(rows)
    )
    size = sum(len(text_of(document.to_dict())) for document in documents) or len(data)
    count_bytes(size)
    return size


def _show(army_list: ArmyList, holder: str, about: dict[str, Any], library: Library) -> None:
    with transaction.atomic():
        version = Version.objects.get(army_list=army_list, number=army_list.number)
        if isinstance(version.content, armylist.ArmyList):
            keep(version.content, library)
        put_facts(army_list, version.pk, version.content)
        columns = ("number", "latest", "size", *COLUMNS)
        kept = {column: getattr(army_list, column) for column in columns}
        ArmyList.objects.filter(pk=army_list.pk).update(holder=holder, **kept, **about)
        check_room(holder)
