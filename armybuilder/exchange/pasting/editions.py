"""Books that stand in several games: which of them a text means."""

import re
from collections.abc import Callable, Sequence

from armybuilder.exchange.pasting.head import HEAD_LINES, HeadChoice
from armybuilder.exchange.pasting.names import simple
from armybuilder.exchange.pasting.results import PastedList
from armybuilder.loading.library import Library

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def edition_meant(
    chosen: HeadChoice,
    told: Sequence[str],
    names: Sequence[str],
    library: Library,
    read: Callable[[HeadChoice], PastedList],
) -> HeadChoice:
    """Return the game of which a text means the book: the one it names in its first lines (`told`),
    by the year behind the book's name too; else the one that knows most of the units (`names`), and
    of these the one by which most points are as they are printed; else the newest.
    """
    same = _same(chosen, library)
    head = list(told)[:HEAD_LINES]
    if len(same) < 2 or any(text.startswith(library.system(chosen.system).name) for text in head):
        return chosen
    years = {year for text in head if _has_book(text, chosen, library) for year in _years(text)}
    by_year = [one for one in same if years & set(_years(library.system(one.system).name))]
    if len(by_year) == 1:
        return by_year[0]
    known = {one: _known(one, names, library) for one in same}
    best = [one for one in same if known[one] == max(known.values())]
    if len(best) == 1:
        return best[0]
    agreeing = {one: sum(line.unit.agrees is True for line in read(one).units if line.unit)
                for one in best}  # fmt: skip
    return max(best, key=lambda one: (agreeing[one], _years(library.system(one.system).name)))


def _same(chosen: HeadChoice, library: Library) -> list[HeadChoice]:
    """Return the book in each game that has it, by its name; none of a player's own."""
    books = [library.books[chosen.system].get(id_) for id_ in chosen.books] if chosen.system else []
    if len(books) != 1 or books[0] is None:
        return []
    return [
        HeadChoice(system.id, (book.id,), chosen.told)
        for system in library.systems.values()
        if system.sized
        for book in library.books[system.id].values()
        if book.name == books[0].name
    ]


def _has_book(text: str, chosen: HeadChoice, library: Library) -> bool:
    name = library.books[chosen.system][chosen.books[0]].name
    return f" {simple(name)} " in f" {simple(text)} "


def _years(text: str) -> list[str]:
    return _YEAR.findall(text)


def _known(one: HeadChoice, names: Sequence[str], library: Library) -> int:
    """Return how many of the names are those of units of a book."""
    units = {simple(name) for name in library.books[one.system][one.books[0]].names.values()}
    return sum(simple(name) in units for name in names)
