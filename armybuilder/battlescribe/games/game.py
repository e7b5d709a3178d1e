"""A game system of its own, made of a .gst file, and its books."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from armybuilder.battlescribe.books import FILES_ALONE, Import, Sources, make_book
from armybuilder.battlescribe.books.costs import points_of
from armybuilder.battlescribe.books.vocabulary import check_version, strange_parts
from armybuilder.battlescribe.games.fitting import fitted
from armybuilder.battlescribe.games.leading import let_lead
from armybuilder.battlescribe.games.system import GameFile, system_of
from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import say
from armybuilder.loading import deadline
from armybuilder.loading.problems import Refusal
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import build_system

logger = logging.getLogger(__name__)


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
    gaps: tuple[str, ...] = ()


def make_game(sources: Sources, number: int, id: str) -> GameImport:
    """Make the game of the game system with this number: a system with this id, and all books that
    can be made. Raises Refusal, one sentence, where the game is not understood or has no book left.
    """
    file, root = sources.systems[number]
    check_version(file, root)
    strange_parts(file, root)
    mine = tuple(_catalogues(sources, number))
    if not mine:
        raise Refusal(say("{file}: there is no catalogue of this game among the files.", file=file))
    game = GameFile(
        file, root, points_of(sources, (file, root)), tuple(sources.books[one][1] for one in mine)
    )
    found, refused = _books(sources, mine, id)
    refused += tuple(_strangers(sources))
    if not found:
        raise _no_book(file, refused[0])
    let_lead([one.book for one in found])
    data = system_of(game, id, [one.book for one in found])
    system = _checked(data, file)
    books = [(one, fitted(one, system)) for one in found]
    wrong = [RefusedFile(one.file, one.sentence) for _, one in books if one.sentence]
    kept = tuple(one.book for _, one in books if one.book is not None)
    if not kept:
        raise _no_book(file, wrong[0])
    return GameImport(data, kept, (*refused, *wrong), tuple(game.gaps(data)))


def _no_book(file: str, first: RefusedFile) -> Refusal:
    """Return that nothing is left of a game, with why its first catalogue is no book."""
    said = say("{file}: we can’t make a book for this game.", file=file)
    return Refusal(" ".join([said, first.sentence]))


def _catalogues(sources: Sources, number: int) -> Iterator[int]:
    """Yield the numbers of the game's catalogues that are books, not libraries for others."""
    wanted = sources.systems[number][1].get("id")
    for place, (_file, root) in enumerate(sources.books):
        if root.get("gameSystemId") == wanted and root.get("library") != "true":
            yield place


def _strangers(sources: Sources) -> Iterator[RefusedFile]:
    """Yield the catalogues whose game is not among the files."""
    for place, (file, _root) in enumerate(sources.books):
        try:
            sources.system_of(place)
        except Refusal as refusal:
            yield RefusedFile(file, refusal.sentence)


def _books(
    sources: Sources, places: tuple[int, ...], system: str
) -> tuple[list[Import], tuple[RefusedFile, ...]]:
    """Return the books that can be made of catalogues, and those that cannot."""
    found: list[Import] = []
    refused: list[RefusedFile] = []
    names = {"system": "system.json"}
    for place in places:
        deadline.check()
        file = sources.books[place][0]
        try:
            made = make_book(sources, place, system, FILES_ALONE)
        except Refusal as refusal:
            refused.append(RefusedFile(file, refusal.sentence))
            continue
        id_ = made.book["id"]
        if id_ in names:
            sentence = say(
                "{file}: its id would be “{id}”, which {other} already has.",
                file=file,
                id=id_,
                other=names[id_],
            )
            refused.append(RefusedFile(file, sentence))
        else:
            names[id_] = file
            found.append(made)
    return found, tuple(refused)


def _checked(data: dict[str, Any], file: str) -> System:
    """Return the system. Raises Refusal where its content breaks the format."""
    problems = schema_problems("system", data, file, 1)
    system = None
    if not problems:
        system, problems = build_system(data, file)
    if system is None:
        logger.warning("%s", problems[0])
        raise Refusal(say("{file}: it needs something our games can’t express.", file=file))
    return system
