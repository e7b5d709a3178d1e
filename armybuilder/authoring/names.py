"""Finding things by the names people write: exactly, or the one that was probably meant."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Generic, TypeVar

from django.utils.translation import gettext as _

from armybuilder.authoring.wording import simplified

T = TypeVar("T")

#: Names shorter than this have too many neighbours to guess.
_SHORTEST = 5

#: Unknown names that are looked up for one form or table; of names that last, those remembered.
_MOST_GUESSES = 500
_MOST_REMEMBERED = 5000


class BookNames(Generic[T]):
    """Things by id and name. What is written like one of them, but for case, accents and signs,
    is that one. Where they do not last longer than a form or table, so many unknown names are
    compared with theirs and no more: a table of names of its own is not meant to hold these.
    """

    def __init__(self, entries: Iterable[tuple[str, str, T]], lasting: bool = False) -> None:
        self.lasting = lasting
        self._found: dict[str, T] = {}
        self._names: dict[str, str] = {}
        self._guesses: dict[str, str] = {}
        self._neighbours: dict[str, list[str]] | None = None
        for entry_id, name, thing in entries:
            for written in (name, entry_id):
                key = simplified(written)
                self._found.setdefault(key, thing)
                self._names.setdefault(key, name)

    def get(self, text: str) -> T | None:
        """The thing of that name or id."""
        return self._found.get(simplified(text))

    def begun(self, text: str) -> T | None:
        """The one thing whose name begins with the text; None where none or several do."""
        key = simplified(text)
        names = {name: long for long, name in self._names.items() if key and long.startswith(key)}
        return self._found[next(iter(names.values()))] if len(names) == 1 else None

    def near(self, text: str) -> str:
        """The name that was probably meant by an unknown one; "" where none is near."""
        key = simplified(text)
        if not _SHORTEST <= len(key) <= 60:
            return ""
        if key not in self._guesses:
            if len(self._guesses) >= (_MOST_REMEMBERED if self.lasting else _MOST_GUESSES):
                if not self.lasting:
                    return ""
                self._guesses.clear()
            self._guesses[key] = self._near(key)
        return self._guesses[key]

    def _near(self, key: str) -> str:
        if self._neighbours is None:
            self._neighbours = self._collect()
        likely = {name for less in _shortened(key) for name in self._neighbours.get(less, ())}
        rated = sorted((-SequenceMatcher(None, key, name).ratio(), name) for name in likely)
        return self._names[rated[0][1]] if rated and -rated[0][0] >= 0.8 else ""

    def some(self) -> str:
        """A sentence with the names there are to write, or the first of them."""
        names = list(dict.fromkeys(self._names.values()))
        told = (
            _("Write one of {names} or another.") if len(names) > 12 else _("Write one of {names}.")
        )
        return told.format(names=", ".join(names[:12]))

    def _collect(self) -> dict[str, list[str]]:
        """The names by what is left of them when a letter or two are struck out: comparing
        each with each would take too long for a table of a thousand rows.
        """
        found: dict[str, list[str]] = {}
        for name in self._found:
            if _SHORTEST <= len(name) <= 60:
                for less in _shortened(name):
                    found.setdefault(less, []).append(name)
        return found


def _shortened(key: str) -> set[str]:
    """The key, and what is left when one letter is struck out, of longer ones two."""
    once = {key[:place] + key[place + 1 :] for place in range(len(key))}
    if not 9 <= len(key) <= 30:
        return {key, *once}
    twice = {less[:place] + less[place + 1 :] for less in once for place in range(len(less))}
    return {key, *once, *twice}
