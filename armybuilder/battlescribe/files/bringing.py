"""Uploads of zips and files in any mixture, sorted into games."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from io import BytesIO
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from armybuilder.battlescribe.files.reading import (
    ENDINGS,
    MAX_BYTES,
    MAX_FILES,
    FileElement,
    Foreign,
    Member,
    unzipped,
)
from armybuilder.engine.wording import say
from armybuilder.loading.archives import ZipLimits, open_zip
from armybuilder.loading.deadline import check
from armybuilder.loading.problems import Refusal

#: Bytes of all files unzipped: Warhammer 40,000 has 38 MB, Age of Sigmar 28.
MAX_TOTAL: Final = 192 * 1024 * 1024
#: A zip with everything else that a repository has: bytes, those of its directory, files in it,
#: bytes of these.
ZIP_LIMITS: Final = ZipLimits(16 * 1024 * 1024, 1024 * 1024, MAX_FILES, 512 * 1024 * 1024)
#: Endings of zips: as GitHub gives them, and BattleScribe's of a whole repository.
ZIPS: Final = (".zip", ".bsr")
#: BattleScribe wrote files otherwise before 2.02.
_OLDEST: Final = (2, 2)
#: Files of other kinds that are named, and letters of a name.
_MOST_NAMED, _NAME = 20, 80


class SetFile(NamedTuple):
    """A file of a game: its bytes, unzipped, their hash, and its first element."""

    name: str
    raw: bytes
    digest: str
    head: FileElement


@dataclass(frozen=True)
class GameSet:
    """A game system and its catalogues, by name."""

    system: FileElement
    files: tuple[SetFile, ...]

    @property
    def key(self) -> str:
        """The hash of all its files: 40 hexadecimal digits."""
        lines = (f"{file.digest} {file.name}\n" for file in self.files)
        return hashlib.sha256("".join(lines).encode()).hexdigest()[:40]

    def members(self) -> Iterator[Member]:
        """Yield the files, for a reader of games."""
        for file in self.files:
            yield Member(file.name, partial(bytes, file.raw), file.head)


@dataclass
class BroughtFiles:
    """The games of an upload, files that are `refused`, with why, and names of `others`,
    which are of another kind. `dated` is the latest date of a file in a zip, `comment` the zip's
    own comment: in GitHub's, the commit.
    """

    games: list[GameSet] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    dated: date | None = None
    comment: str = ""


def take_apart(files: Iterable[tuple[str, bytes]]) -> BroughtFiles:
    """Return the games in files and zips, by (name, bytes). Raises Refusal: too much in all."""
    return _Taking(files).brought


class _Taking:
    """One taking apart, within the limits of all files together."""

    def __init__(self, files: Iterable[tuple[str, bytes]]) -> None:
        self.brought = BroughtFiles()
        self._left = MAX_TOTAL
        self._files: list[SetFile] = []
        for name, raw in files:
            with self._refusing(name):
                if PurePosixPath(name).suffix.lower() in ZIPS:
                    self._zip(raw)
                else:
                    self._file(name, raw)
        self._sort()

    def _refuse(self, name: str, why: str) -> None:
        self.brought.refused.append((name[:_NAME], why))

    @contextmanager
    def _refusing(self, name: str) -> Iterator[None]:
        """Refuse a file that cannot be read, and go on. Raises TooLarge."""
        try:
            yield
        except TooLarge:
            raise
        except Refusal as refusal:
            self._refuse(name, refusal.sentence)

    def _zip(self, raw: bytes) -> None:
        with open_zip(BytesIO(raw), ZIP_LIMITS) as archive:
            self.brought.comment = archive.comment
            for info in sorted(archive.files, key=lambda info: info.filename):
                name = PurePosixPath(info.filename.replace("\\", "/")).name
                if PurePosixPath(name).suffix.lower() not in ENDINGS:
                    self._other(info.filename)
                    continue
                with self._refusing(name):
                    self._file(name, archive.read(info, MAX_BYTES))
                    dated = date(*info.date_time[:3])
                    self.brought.dated = max(self.brought.dated or dated, dated)

    def _other(self, name: str) -> None:
        if len(self.brought.others) < _MOST_NAMED:
            self.brought.others.append(name[:_NAME])

    def _file(self, name: str, raw: bytes) -> None:
        check()
        if PurePosixPath(name).suffix.lower() not in ENDINGS:
            self._other(name)
            return
        raw = unzipped(raw)
        self._left -= len(raw)
        if self._left < 0:
            said = say("The files unzip to more than {most} MB.", most=MAX_TOTAL >> 20)
            raise TooLarge(said)
        if len(self._files) == MAX_FILES:
            raise TooLarge(say("There are more than {most} files.", most=MAX_FILES))
        try:
            head = Member(name, partial(bytes, raw)).head()
        except Foreign:
            self._other(name)
            return
        _check_head(head)
        self._files.append(SetFile(name[:_NAME], raw, hashlib.sha256(raw).hexdigest(), head))

    def _sort(self) -> None:
        """Sort the files by the games that they are of; refuse those whose game is missing."""
        self._files.sort(key=lambda file: (file.name, file.digest))
        systems: dict[str, SetFile] = {}
        for file in self._files:
            if file.head.place == "gameSystem":
                first = systems.setdefault(file.head.id, file)
                if first is not file:
                    self._refuse(
                        file.name, say("The file has the same id as {other}.", other=first.name)
                    )
        used = {file.head.get("gameSystemId") for file in self._files}
        for id, system in systems.items():
            if id not in used:
                why = say("No catalogue among the files belongs to this game.")
                self._refuse(system.name, why)
                continue
            own = (file for file in self._files if file.head.get("gameSystemId") == id)
            self.brought.games.append(GameSet(system.head, (system, *own)))
        for file in self._files:
            if file.head.place == "catalogue" and file.head.get("gameSystemId") not in systems:
                why = say("The game system is missing. Add that file too.")
                self._refuse(file.name, why)


class TooLarge(Refusal):
    """All files together are more than is read."""


def _check_head(head: FileElement) -> None:
    """Raise Refusal for a file that isn't part of a game, or has an old format."""
    if head.place == "roster":
        raise Refusal(say("This is an army list. Import it under “Import lists”."))
    if head.place not in ("gameSystem", "catalogue"):
        raise Refusal(say("This is neither a catalogue nor a game system."))
    if not head.id:
        raise Refusal(say("The file has no id, or the id of another file."))
    version = head.get("battleScribeVersion")[:20] or "2.03"
    numbers = version.split(".")
    is_number = all(part.isascii() and part.isdigit() for part in numbers)
    if is_number and tuple(map(int, numbers)) >= _OLDEST:
        return
    raise Refusal(
        say(
            "The file was written by BattleScribe {version}, which we can’t read. Save it "
            "with a newer editor, then upload it again.",
            version=version,
        )
    )
