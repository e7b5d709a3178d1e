"""Kept games in memory: read once for all requests, and released by least use.

A process keeps the games and catalogues requested last, up to `GAMES_MB`. A request that still uses
a released game can finish.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial
from itertools import count
from threading import RLock
from typing import Final

from django.conf import settings
from django.core.files.storage import storages
from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.books import FileBook
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement, Member
from armybuilder.games.models import Game
from armybuilder.loading.problems import Refusal

#: The storage of the files, each by its hash.
STORAGE: Final = "games"
#: Called when catalogues are let go of, so that nobody else holds on to them.
when_let_go: Final[list[Callable[[], None]]] = []
#: Bytes of memory for each byte of a file: 5 for its elements, the rest for definitions.
_MEMORY: Final = 8


class _OpenGame:
    """A game in memory, with its catalogues and when each was asked for last."""

    def __init__(self, key: str) -> None:
        row = Game.objects.filter(pk=key).only("files", "system_id").first()
        if row is None:
            raise _gone()
        self.game = GameFiles(members_of(row), row.system_id)
        self.books: dict[str, FileBook] = {}
        self.used: dict[str, int] = {}

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        return sum(self.game.sizes.values()) * _MEMORY

    def drop(self, catalogue: str) -> None:
        """Let go of a catalogue, and of the files that only it draws on."""
        del self.books[catalogue], self.used[catalogue]
        self.game.release({root for book in self.books.values() for root in book.sources})


class _Shelf:
    """All games in memory. Reads of these don't wait; one thread at a time opens another."""

    def __init__(self) -> None:
        self._games: dict[str, _OpenGame] = {}
        self._clock = count()
        self._lock = RLock()

    def game(self, key: str) -> _OpenGame:
        """Return a game, read if need be. Raises Refusal."""
        if (opened := self._games.get(key)) is None:
            with self._lock:
                if (opened := self._games.get(key)) is None:
                    opened = self._games[key] = _OpenGame(key)
        return opened

    def book(self, key: str, catalogue: str) -> FileBook:
        """Return a catalogue of a game, read if need be. Raises Refusal."""
        opened = self.game(key)
        if (book := opened.books.get(catalogue)) is None:
            with self._lock:
                if (book := opened.books.get(catalogue)) is None:
                    book = opened.books[catalogue] = FileBook(opened.game, catalogue)
                opened.used[catalogue] = next(self._clock)
                self._games.setdefault(key, opened)
                self._shrink(opened, catalogue)
        opened.used[catalogue] = next(self._clock)
        return book

    def _shrink(self, newest: _OpenGame, catalogue: str) -> None:
        """Let go of catalogues, and then of games, until all fits; the newest stays."""
        most, dropped = settings.GAMES_MB * 1_000_000, False
        while sum(opened.size for opened in self._games.values()) > most:
            books = [
                (used, opened, name)
                for opened in self._games.values()
                for name, used in opened.used.items()
                if (opened, name) != (newest, catalogue)
            ]
            if books:
                _used, opened, name = min(books, key=lambda book: book[0])
                opened.drop(name)
                dropped = True
            idle = [key for key, one in self._games.items() if not one.books and one is not newest]
            for key in idle:
                del self._games[key]
            if not books:
                break
        for forget in when_let_go if dropped else ():
            forget()

    def clear(self) -> None:
        """Forget all games."""
        with self._lock:
            self._games.clear()


_shelf: Final = _Shelf()
#: Forget all games in memory.
forget_opened: Final = _shelf.clear


def open_game(key: str) -> GameFiles:
    """Return a kept game. Raises Refusal where its files are gone."""
    return _shelf.game(key).game


def open_book(key: str, catalogue: str) -> FileBook:
    """Return a catalogue of a kept game. Raises Refusal where it, or its files, are not there."""
    return _shelf.book(key, catalogue)


def members_of(game: Game) -> list[Member]:
    """Return the files of a kept game, none of them read yet."""
    return [
        Member(name, partial(_content, digest), FileElement(place, attributes, None))
        for name, digest, (place, attributes) in game.files
    ]


def _content(digest: str) -> bytes:
    try:
        with storages[STORAGE].open(digest) as file:
            return zlib.decompress(file.read())
    except FileNotFoundError as error:
        raise _gone() from error


def _gone() -> Refusal:
    return Refusal(_("The files of this game are no longer here. Add them again."))
