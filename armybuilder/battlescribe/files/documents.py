"""Documents of lists of a game's files: resolved into picks, and written of them again."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from armybuilder.battlescribe.files.books import FileBook, ForceDefinition, ListDefinition
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.event_rules import event_rules_of
from armybuilder.battlescribe.files.game import GameFiles, opening_limits
from armybuilder.battlescribe.files.rosters import Missing, MissingForce
from armybuilder.engine.kernel.conditions import Kind, Number
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.forcelist import (
    MAX_CALLED,
    MAX_COST,
    ForceList,
    GameName,
    ListForce,
    ListPick,
)
from armybuilder.loading.problems import Refusal

#: Gives a catalogue of a game by its id. Raises Refusal where there is none, or it cannot be read.
Books = Callable[[str], FileBook]
#: Says how a pick is shown.
Called = Callable[[Pick], str]


class Resolved(NamedTuple):
    """A list by the files of its game; `strays` are those that the files do not have."""

    roster: PickList
    strays: tuple[Missing, ...]


def books_of(game: GameFiles) -> Books:
    """Return what gives the catalogues of a game, each made once."""
    books: dict[str, FileBook] = {}

    def book(catalogue: str) -> FileBook:
        if catalogue not in books:
            books[catalogue] = FileBook(game, catalogue)
        return books[catalogue]

    return book


def pick_list(
    document: ForceList,
    game: GameFiles,
    book: Books | None = None,
    pack: FilePack | None = None,
) -> Resolved:
    """Return a document's list by the files of its game; what these lack is a stray there.

    At the event of a `pack` it has this one's limits, and must keep its rules.
    """
    reader = _DocumentReader(book or books_of(game))
    forces = tuple(reader.force(force, None) for force in document.forces)
    limits = {**opening_limits(game.system), **document.limits, **(pack.limits if pack else {})}
    definition = ListDefinition(game, event_rules_of(pack) if pack else (), forces)
    return Resolved(PickList(definition, forces, limits), tuple(reader.strays))


class _DocumentReader:
    """Finds what documents name in the files of their game."""

    def __init__(self, book: Books) -> None:
        self._book = book
        self.strays: list[Missing] = []
        self._by_key: dict[Definition, dict[str, Definition]] = {}

    def force(self, force: ListForce, above: Definition | None) -> Pick:
        definition: Definition | None = None
        try:
            within = above if isinstance(above, ForceDefinition) else None
            definition = self._book(force.catalogue).force(force.entry, within)
        except Refusal:
            definition = None
        if definition is None:
            catalogue = force.catalogue, force.catalogue_name, force.revision
            self.strays.append(MissingForce(force.entry, force.name, *catalogue))
            definition = self.strays[-1]
        below = [self._pick(pick, definition) for pick in force.picks]
        below += [self.force(inner, definition) for inner in force.forces]
        return Pick(force.id, definition, 1, tuple(below), _said(force))

    def _pick(self, pick: ListPick, above: Definition) -> Pick:
        definition = self._offered(above).get(pick.entry)
        if definition is None:
            self.strays.append(Missing(pick.entry, pick.name))
            definition = self.strays[-1]
        below = tuple([self._pick(inner, definition) for inner in pick.picks])
        return Pick(pick.id, definition, pick.number, below, _said(pick))

    def _offered(self, above: Definition) -> dict[str, Definition]:
        by_key = self._by_key.get(above)
        if by_key is None:
            by_key = self._by_key[above] = {}
            for definition in above.offered:
                by_key.setdefault(definition.key, definition)
        return by_key


def _said(value: ListForce | ListPick) -> dict[str, str]:
    said = {"customName": value.custom_name, "customNotes": value.notes}
    return {key: text for key, text in said.items() if text}


def _name_of(pick: Pick) -> str:
    return pick.definition.name


def written_pick(pick: Pick, called: Called = _name_of) -> ListPick:
    """Return a pick as a document has it; `called` says how it is shown: its name is kept."""
    below = tuple([written_pick(one, called) for one in pick.below])
    said = pick.said.get("customName", ""), pick.said.get("customNotes", "")
    label = called(pick)[:MAX_CALLED]
    return ListPick(pick.id, pick.definition.key, pick.number, label, *said, below)


def document_of(
    roster: PickList,
    name: str,
    game: GameName,
    notes: str = "",
    called: Called = _name_of,
) -> ForceList:
    """Return the document of a list."""

    def force(pick: Pick) -> ListForce:
        of_forces = [one for one in pick.below if one.definition.kind is Kind.FORCE]
        others = (one for one in pick.below if one.definition.kind is not Kind.FORCE)
        return ListForce(
            pick.id,
            pick.definition.key,
            called(pick)[:MAX_CALLED],
            *_catalogue_of(pick.definition),
            pick.said.get("customName", ""),
            pick.said.get("customNotes", ""),
            tuple([written_pick(one, called) for one in others]),
            tuple([force(one) for one in of_forces]),
        )

    # Players set whole limits; one with decimals is the files' own, which lists without one have.
    whole = ((cost, limit) for cost, limit in roster.limits.items() if limit == int(limit))
    limits = {cost: _limit(limit) for cost, limit in whole}
    return ForceList(name, game, limits, notes, tuple([force(one) for one in roster.forces]))


def _catalogue_of(definition: Definition) -> tuple[str, str, str]:
    """Return a force's catalogue: its id, its name and its revision."""
    if isinstance(definition, FileDefinition):
        root = definition.book.root
        return root.id, root.get("name")[:MAX_CALLED], root.get("revision")[:20]
    if isinstance(definition, MissingForce):
        return definition.catalogue, definition.catalogue_name, definition.revision
    return "?", "?", ""


def _limit(limit: Number) -> int:
    return max(-1, min(int(limit), MAX_COST))


def game_name(key: str, game: GameFiles) -> GameName:
    """Return how documents name a game, which is kept by its key."""
    return GameName(key, game.system.get("name")[:MAX_CALLED], game.system.id)
