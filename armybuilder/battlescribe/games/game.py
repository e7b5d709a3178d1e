"""A game system of its own, made of a .gst file, and its books."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

from armybuilder.battlescribe.books import FILES_ALONE, Import, Sources, make_book
from armybuilder.battlescribe.games.system import GameFile, system_of
from armybuilder.engine.catalogue import System
from armybuilder.loading import deadline
from armybuilder.loading.library import book_problems
from armybuilder.loading.problems import Refusal
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import build_system


@dataclass(frozen=True)
class RefusedFile:
    """A catalogue that no book was made of, and why, in one sentence."""

    file: str
    sentence: str


@dataclass(frozen=True)
class GameImport:
    """A game: `system` is the content of its system.json, `books` are as `make_book` returns them.
    `gaps` tell, a sentence each, what of the game could not be said.
    """

    system: dict[str, Any]
    books: tuple[Import, ...]
    refused: tuple[RefusedFile, ...]
    gaps: tuple[str, ...] = field(default=())


def make_game(sources: Sources, number: int, id: str) -> GameImport:
    """Make the game of the game system with this number: a system with this id, and all books that
    can be made. Raises Refusal, one sentence, where the game is not understood or has no book left.
    """
    file, root = sources.systems[number]
    own = (book for _file, book in sources.books if book.get("gameSystemId") == root.get("id"))
    game = GameFile(file, root, _points(file, root), tuple(own))
    found, refused = _books(sources, root.get("id", ""), id)
    if not found:
        why = f" {refused[0].sentence}" if refused else ""
        raise Refusal(f"{file}: no book of the game can be made.{why}")
    data = system_of(game, id, [one.book for one in found])
    system = _checked(data, file)
    books, wrong = _fitting(found, system)
    return GameImport(data, tuple(books), (*refused, *wrong))


def _points(file: str, root: Element) -> Element:
    kinds = root.findall("costTypes/costType")
    if len(kinds) != 1:
        raise Refusal(f"{file}: a game with {len(kinds)} kinds of cost is not understood.")
    return kinds[0]


def _books(
    sources: Sources, game: str, system: str
) -> tuple[list[Import], tuple[RefusedFile, ...]]:
    """Return the books that can be made of the game's catalogues, and those that cannot."""
    found: list[Import] = []
    refused: list[RefusedFile] = []
    for place, (file, root) in enumerate(sources.books):
        deadline.check()
        if root.get("gameSystemId") != game:
            continue
        try:
            made = make_book(sources, place, system, FILES_ALONE)
        except Refusal as refusal:
            refused.append(RefusedFile(file, refusal.sentence))
            continue
        if any(made.book["id"] == other.book["id"] for other in found):
            sentence = f"{file}: there is another book called {made.book['name']}."
            refused.append(RefusedFile(file, sentence))
        else:
            found.append(made)
    return found, tuple(refused)


def _checked(data: dict[str, Any], file: str) -> System:
    """Return the system. Raises Refusal where its content breaks the format."""
    problems = schema_problems("system", data, file, 1)
    system = None
    if not problems:
        system, problems = build_system(data, file)
    if system is None:
        raise Refusal(str(problems[0]))
    return system


def _fitting(found: list[Import], system: System) -> tuple[list[Import], list[RefusedFile]]:
    """Return the books that pass all checks, and the others with their first mistake."""
    books, wrong = [], []
    for one in found:
        problems = list(_problems(one, system))
        if problems:
            file = one.audit["source"]["file"]
            wrong.append(RefusedFile(file, f"{file}: {problems[0]}"))
        else:
            books.append(one)
    return books, wrong


def _problems(one: Import, system: System) -> Iterator[str]:
    for problem in book_problems(one.book, system, f"{one.book['id']}.json", 1):
        yield str(problem)
