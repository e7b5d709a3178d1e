"""Import of a zip of all data, in an order in which no file needs a later one."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader
from typing import IO, Any
from uuid import uuid4, uuid5
from zipfile import ZipInfo

from django.db import IntegrityError
from django.utils.translation import gettext as _

from armybuilder.authoring.checking import MAX_BYTES as MAX_BOOK
from armybuilder.authoring.checking import MAX_DEPTH as BOOK_DEPTH
from armybuilder.books import importing as books
from armybuilder.books.paths import is_own_id
from armybuilder.collection.services import bring_units, read_unit
from armybuilder.loading.archives import BROKEN, Archive, damaged, open_zip
from armybuilder.loading.books import revision_of
from armybuilder.loading.documents import Document
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import read_pack
from armybuilder.packs.services import bring_pack
from armybuilder.playing.keeping import bring_match
from armybuilder.printing.setups import bring_setup
from armybuilder.sheets.content.setup import read_setup
from armybuilder.takeout import COLLECTION, FORMAT, MANIFEST, MATCHES, SETUPS, SHARES
from armybuilder.takeout import facts as read
from armybuilder.takeout.facts import LIMITS, read_json
from armybuilder.takeout.importing import MAX_ACT, Renames, bring_list, is_free, is_here, list_key

#: Seconds after which nothing more is begun: a request must not take longer than a server waits.
PATIENCE = 10.0
#: Bytes of the small files, and how deep they nest.
MAX_SMALL = 256 * 1024
#: Bytes of a player's collections: 20,000 units with their notes.
MAX_COLLECTION = 16 << 20
SMALL_DEPTH = 4

_LIST = re.compile(r"lists/[0-9a-f-]{36}\.jsonl", re.ASCII)
_BOOK = re.compile(r"books/own-[0-9a-f]{16}\.json", re.ASCII)
_SYSTEM = re.compile(r"contents/own-game-[0-9a-f]{32}/([0-9a-f]{16})\.json", re.ASCII)
_PACK = re.compile(r"packs/[0-9a-f-]{36}\.json", re.ASCII)
_CONTENT = re.compile(r"contents/(?!own-game-)([a-z0-9_-]{1,80})/([0-9a-f]{16})\.json", re.ASCII)
#: Files to be read by people, which are passed over.
_FOR_PEOPLE = re.compile(
    rf"{re.escape(MANIFEST)}|{re.escape(SHARES)}|frozen/[0-9a-f]{{32,64}}\.json", re.ASCII
)


@dataclass
class Brought:
    """The outcome of a zip: numbers of `new` things by kind, and of those already `here`.

    Kinds are "lists", "books", "games", "setups", "packs". `refused` are (file, reason). If it is
    `unfinished`, some is left for another go.
    """

    new: Counter[str] = field(default_factory=Counter)
    here: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)
    unfinished: bool = False


def bring_in(holder: str, file: IO[bytes], library: Library) -> Brought:
    """Import everything in the zip.

    Raises Refusal, with nothing done, if it isn't such a zip or exceeds the limits.
    """
    if file.seek(0, 2) > LIMITS.size:
        raise Refusal(_("The file may have at most {most} MB.").format(most=LIMITS.size >> 20))
    with open_zip(file, LIMITS) as archive:
        _check_manifest(archive)
        opening = _ZipImport(holder, archive, library)
        opening.run()
        return opening.brought


def _check_manifest(archive: Archive) -> None:
    info = next((info for info in archive.files if info.filename == MANIFEST), None)
    if info is None:
        sentence = _("This is not a file of all data: it does not contain “{name}”.")
        raise Refusal(sentence.format(name=MANIFEST))
    manifest = read_json(archive, info, MAX_SMALL, SMALL_DEPTH)
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise Refusal(_("The file is from another version of Army Builder, and can’t be read."))


class _ZipImport:
    def __init__(self, holder: str, archive: Archive, library: Library) -> None:
        self.holder = holder
        self.archive = archive
        self.library = library
        self.brought = Brought()
        self.renames = Renames()
        self._end = time.monotonic() + PATIENCE

    def run(self) -> None:
        """Import the files in an order in which none needs a later one."""
        steps: list[tuple[re.Pattern[str], Callable[[ZipInfo], None]]] = [
            (_SYSTEM, self._system),
            (_BOOK, self._book),
            (_CONTENT, self._content),
            (_LIST, self._list),
            (re.compile(re.escape(SETUPS)), self._setups),
            (_PACK, self._pack),
            (re.compile(re.escape(MATCHES)), self._matches),
            (re.compile(re.escape(COLLECTION)), self._collection),
        ]
        for pattern, bring in steps:
            for info in self.archive.files:
                if pattern.fullmatch(info.filename):
                    self._bring(info, bring)
        known = (_FOR_PEOPLE, *(pattern for pattern, _bring in steps))
        for info in self.archive.files:
            if not any(pattern.fullmatch(info.filename) for pattern in known):
                self._refuse(info.filename, Refusal(_("We don’t know this kind of file.")))

    def _bring(self, info: ZipInfo, bring: Callable[[ZipInfo], None]) -> None:
        self.brought.unfinished |= time.monotonic() > self._end
        if self.brought.unfinished:
            return
        with self._telling(info.filename):
            try:
                bring(info)
            except IntegrityError:  # the same came in by another request at the same moment
                bring(info)

    @contextmanager
    def _telling(self, name: str) -> Iterator[None]:
        """Add the file's name to any mistake in it."""
        try:
            yield
        except Refusal as refusal:
            self._refuse(name, refusal)
        except BROKEN:
            self._refuse(name, damaged())

    def _refuse(self, name: str, refusal: Refusal) -> None:
        self.brought.refused.append((name, refusal.sentence))

    def _count(self, kind: str, new: bool) -> None:
        self.brought.new[kind] += new
        self.brought.here += not new

    def _book(self, info: ZipInfo) -> None:
        facts = read.as_facts(read_json(self.archive, info, 3 * MAX_BOOK, BOOK_DEPTH + 1))
        document = _own_book(facts.get("book"))
        before = facts.get("before")
        step = books.ImportStep(
            None if before is None else _own_book(before),
            read.text(facts, "before_act", MAX_ACT),
            read.text(facts, "act", MAX_ACT),
        )
        times = books.BookTimes(
            read.time(facts, "created"),
            read.time(facts, "updated"),
            read.time_or_none(facts, "deleted"),
        )
        book_id, here = books.place_of(self.holder, document)
        if not here:
            books.bring_book(self.holder, book_id, document, step, times, self.library)
        if book_id != document["id"]:
            self.renames.books[document["id"]] = book_id
        self._count("books", not here)

    def _system(self, info: ZipInfo) -> None:
        data = read.as_facts(read_json(self.archive, info, MAX_BOOK, BOOK_DEPTH))
        if data.get("id") != info.filename.split("/")[1]:
            raise Refusal(_("The file’s content doesn’t match its name."))
        self._count("games", books.bring_system(dict(data)))

    def _content(self, info: ZipInfo) -> None:
        book_id, revision = info.filename.removesuffix(".json").split("/")[1:]
        new_id = self.renames.books.get(book_id, book_id)
        if new_id == book_id and books.is_kept(book_id, revision):
            return
        if not is_own_id(book_id):
            if books.keep_shipped(book_id, revision, self.library):
                return
            # A file can say anything: under the name of a shipped book it would be believed.
            raise Refusal(
                _("This site never had that version of the book. Lists use the version here.")
            )
        data = read.as_facts(read_json(self.archive, info, MAX_BOOK, BOOK_DEPTH))
        if revision_of(data) != revision:
            raise Refusal(_("The file’s content doesn’t match its name."))
        new = {**data, "id": new_id}
        new_revision = revision_of(new)
        self.renames.revisions[book_id, revision] = new_revision
        if not books.is_kept(new_id, new_revision):
            books.bring_content(new_id, new, self.library)

    def _list(self, info: ZipInfo) -> None:
        # Lines are found faster in a buffer of their own.
        with (
            self.archive.open(info) as packed,
            BufferedReader(packed) as stream,  # type: ignore[type-var]  # it is a ZipExtFile
        ):
            own = list_key(stream)
            # Its own id, the holder's fixed other one, any other.
            for key in (own, uuid5(own, self.holder), uuid4()):
                if is_here(self.holder, key, stream, self.renames):
                    self._count("lists", new=False)
                    break
                if is_free(key):
                    bring_list(self.holder, key, stream, self.renames, self.library)
                    self._count("lists", new=True)
                    break

    def _pack(self, info: ZipInfo) -> None:
        facts = read.as_facts(read_json(self.archive, info, MAX_BYTES, MAX_DEPTH + 1))
        pack, origin = read_pack(facts.get("pack")), read.text(facts, "origin", 700)
        self._count("packs", bring_pack(self.holder, pack, origin))

    def _setups(self, info: ZipInfo) -> None:
        setups = read_json(self.archive, info, MAX_SMALL, SMALL_DEPTH)
        if not isinstance(setups, list):
            raise Refusal(_("The file contains no print presets."))
        for entry in setups:
            with self._telling(info.filename):
                facts = read.as_facts(entry)
                fields = read.as_facts(facts.get("fields"))
                if not all(isinstance(value, str) for value in fields.values()):
                    raise read.wrong("fields")
                usual, name = read.switch(facts, "usual"), read.text(facts, "name", 200)
                self._count("setups", bring_setup(self.holder, name, read_setup(fields), usual))

    def _matches(self, info: ZipInfo) -> None:
        matches = read_json(self.archive, info, MAX_BYTES, MAX_DEPTH)
        if not isinstance(matches, list):
            raise Refusal(_("The file contains no matches."))
        for entry in matches:
            with self._telling(info.filename):
                facts = read.as_facts(entry)
                self._count("matches", bring_match(self.holder, facts, read.time(facts, "created")))

    def _collection(self, info: ZipInfo) -> None:
        entries = read_json(self.archive, info, MAX_COLLECTION, SMALL_DEPTH)
        if not isinstance(entries, list):
            raise Refusal(_("The file contains no collection."))
        rows = []
        for entry in entries:
            with self._telling(info.filename):
                rows.append(read_unit(read.as_facts(entry)))
        new = bring_units(self.holder, rows)
        self.brought.new["owned"] += new
        self.brought.here += len(rows) - new


def _own_book(value: Any) -> Document:
    """Return a book as a document, checked as far as its place must be known. Raises Refusal."""
    if isinstance(value, dict) and value.get("kind") == "own":
        book_id, system = value.get("id"), value.get("system")
        if isinstance(book_id, str) and isinstance(system, str) and is_own_id(book_id):
            return value
    raise Refusal(_("The file contains no book."))
