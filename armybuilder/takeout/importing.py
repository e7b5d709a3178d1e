"""Import a list with its history: all of it or, where one version is broken, nothing.

A list is looked at from its first line to its last before any of it is stored (`storing`).
"""

import hashlib
import json
import time
from collections.abc import Iterator
from itertools import zip_longest
from typing import IO, Any
from uuid import UUID, uuid4, uuid5

from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.lists.compaction import full, packed, text_of
from armybuilder.lists.flags import read_tags, remove_list
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.packs import keep_pack
from armybuilder.lists.quotas import check_room, room_left
from armybuilder.lists.services import MAX_LABEL
from armybuilder.loading import armylist
from armybuilder.loading.documents import canonical_json, check_document
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_UNITS
from armybuilder.loading.problems import Refusal
from armybuilder.packs.reading import read_pack
from armybuilder.takeout import facts as read
from armybuilder.takeout import storing
from armybuilder.takeout.facts import json_lines
from armybuilder.takeout.renames import Renames

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


def list_key(stream: IO[bytes]) -> UUID:
    """Return the id of the list in a file. Raises Refusal where there is none."""
    return _list_id(_facts_of(_lines(stream)))


def is_free(key: UUID) -> bool:
    """Whether no list has this id, whoever's. What an import left there that was ended half-way
    goes first. Raises Refusal where another request is importing the list at this moment.
    """
    made = ArmyList.objects.filter(pk=key).values_list("holder", "created").first()
    if made is None:
        return True
    if made[0]:
        return False
    if made[1] > timezone.now() - storing.GIVEN_UP:
        said = _("Another window is importing it right now. Try again in a minute.")
        raise Refusal(said)
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
        (version.act, version.label, version.document.to_dict())
        for version in versions.order_by("number").iterator(_AT_ONCE)
    )
    there = (
        (line.get("act"), line.get("label"), _renamed(line.get("document"), renames))
        for line in map(read.as_facts, lines)
    )
    pairs = zip_longest(map(_digest, here), map(_digest, there))
    return all(one == other for one, other in pairs)


def _renamed(document: Any, renames: Renames) -> Any:
    """Return the document as it would come in; anything else as it is: it is like nothing here."""
    try:
        known = armylist.ArmyList.from_dict(document)
    except (TypeError, KeyError, AttributeError, ValueError):
        return document
    return renames.document(known).to_dict() if known.to_dict() == document else document


def _digest(version: tuple[Any, ...]) -> bytes:
    return hashlib.sha256(json.dumps(version, sort_keys=True).encode()).digest()


def other_keys(holder: str, key: UUID) -> Iterator[UUID]:
    """Return the ids the list may have: its own, the holder's fixed other one, any other."""
    yield key
    yield uuid5(key, holder)
    yield uuid4()


def bring_list(
    holder: str, key: UUID, stream: IO[bytes], renames: Renames, library: Library
) -> None:
    """Store the list in a file under an id that is free. Raises Refusal where anything in it cannot
    be read, NoRoom where it is more than the holder may have; and then has stored nothing.
    """
    check_room(holder, 1, 1, 1)
    lines = _lines(stream)
    facts = _facts_of(lines)
    wanted, about = read.number(facts, "current"), _about(facts)
    checked = CheckedVersions(holder, renames)
    checked.check(lines)
    if wanted not in checked.numbers:
        raise Refusal(_("It does not say which version of the list is the current one."))
    storing.store(holder, key, checked.parts, checked.numbers[wanted], about, library)


def _lines(stream: IO[bytes]) -> Iterator[Any]:
    stream.seek(0)
    return json_lines(stream, MAX_LINE, LINE_DEPTH)


def _facts_of(lines: Iterator[Any]) -> read.Facts:
    """Return what the first line says."""
    return read.as_facts(next(lines, None))


def _list_id(facts: read.Facts) -> UUID:
    try:
        return UUID(read.text(facts, "id", 36))
    except ValueError as error:
        raise read.wrong("id") from error


def _about(facts: read.Facts) -> dict[str, Any]:
    """Return the columns of a list that its first line fills, whatever its versions are."""
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
    """The versions in a file, each looked at before any is stored. They are held as they will be
    kept, in bundles, so that a long history needs little memory.

    `numbers` are the numbers they have here, without a gap, by those in the file.
    """

    def __init__(self, holder: str, renames: Renames) -> None:
        self.parts: list[storing.Part] = []
        self.numbers: dict[int, int] = {}
        self._holder = holder
        self._renames = renames
        self._checker = Checker()
        self._room = room_left(holder)
        self._size = 0
        self._texts: list[bytes] = []
        self._rows: list[storing.Row] = []

    def check(self, lines: Iterator[Any]) -> None:
        """Look at all of them. Raises Refusal, and NoRoom as soon as they are too much: what a file
        says of its length is not asked.
        """
        end = time.perf_counter() + PATIENCE
        for line in lines:
            if len(self.numbers) >= MOST_VERSIONS or time.perf_counter() > end:
                raise Refusal(
                    _("Some of its versions have the same number, or there are too many.")
                )
            self._add(read.as_facts(line))
            if full(self._texts):
                self._close()
        self._close()

    def _add(self, facts: read.Facts) -> None:
        number = read.number(facts, "number")
        if number in self.numbers:
            raise Refusal(_("Some of its versions have the same number, or there are too many."))
        self.numbers[number] = len(self.numbers) + 1
        document = self._renames.document(self._checker.checked(facts.get("document")))
        self._texts.append(text_of(document.to_dict()))
        act, label = read.text(facts, "act", MAX_ACT), read.text(facts, "label", MAX_LABEL)
        self._rows.append(storing.Row(act, label, read.time(facts, "created")))

    def _close(self) -> None:
        """Put what was read into a bundle, if there is room for it."""
        if not self._rows:
            return
        part = storing.Part(packed(self._texts), self._rows)
        self.parts.append(part)
        self._texts, self._rows = [], []
        self._size += len(part.data)
        if self._size > self._room.size or len(self.numbers) > self._room.versions:
            check_room(self._holder, 1, len(self.numbers), self._size)


class Checker:
    """Checks the documents of one list; a unit that passed in one version passes in all."""

    def __init__(self) -> None:
        self._known: set[bytes] = set()

    def checked(self, document: Any) -> armylist.ArmyList:
        """Return the document. Raises Refusal where it is none."""
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
        named = {one for one in ids if isinstance(one, str)}
        return len(named) == len(units)
