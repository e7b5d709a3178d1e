"""Documents of lists of a game's files: resolved into picks, written of them again, and carried
over to other files of the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum
from functools import cache, cached_property, partial
from typing import NamedTuple

from armybuilder.battlescribe.files.books import FileBook, ForceDefinition, ListDefinition
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.event_rules import event_rules_of
from armybuilder.battlescribe.files.filling import ids_of
from armybuilder.battlescribe.files.game import GameFiles, opening_limits
from armybuilder.engine.kernel.conditions import Flag, Kind, Number
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


class Missing(Definition):
    """Something on a list that the files do not have, or no longer: known by its name alone."""

    def __init__(self, key: str, name: str, kind: Kind = Kind.ENTRY) -> None:
        self.key = key
        self.kind = kind
        self.name = name

    @cached_property
    def hidden(self) -> Flag:
        return Flag(True)


class MissingForce(Missing):
    """A force that the files do not have, or whose catalogue they lack."""

    def __init__(self, force: ListForce) -> None:
        super().__init__(force.entry, force.name, Kind.FORCE)
        self.catalogue = force.catalogue
        self.catalogue_name = force.catalogue_name
        self.revision = force.revision


class Resolved(NamedTuple):
    """A list by the files of its game; `strays` are those that the files do not have."""

    roster: PickList
    strays: tuple[Missing, ...]


def books_of(game: GameFiles) -> Books:
    """Return what gives the catalogues of a game, each made once."""
    return cache(partial(FileBook, game))


def pick_list(
    document: ForceList,
    game: GameFiles,
    book: Books | None = None,
    pack: FilePack | None = None,
) -> Resolved:
    """Return a document's list by the files of its game; what these lack is a stray there.

    At the event of a `pack` it has this one's limits, and must keep its rules.
    """
    resolver = ListResolver(game, book or books_of(game))
    forces = tuple(resolver.force(force) for force in document.forces)
    limits = {**opening_limits(game.system), **document.limits, **(pack.limits if pack else {})}
    definition = ListDefinition(game, event_rules_of(pack) if pack else (), forces)
    return Resolved(PickList(definition, forces, limits), tuple(resolver.strays))


class Matching(IntEnum):
    """Reach of a search for entries with another path of ids: also by their own ids alone, or even
    by names that only one has.
    """

    PATHS = 0
    IDS = 1
    NAMES = 2


class ListResolver:
    """Finds the forces and entries of a list in the files of its game.

    `strays` aren't there, `by_name` are names of those found by name alone, `unread` are sentences
    about catalogues that cannot be read.
    """

    matching = Matching.PATHS

    def __init__(self, game: GameFiles, book: Books) -> None:
        self.game = game
        self._book = book
        self.strays: list[Missing] = []
        self.by_name: list[str] = []
        self.unread: list[str] = []
        self._by_key: dict[Definition, dict[str, Definition]] = {}

    def force(self, force: ListForce, above: Definition | None = None) -> Pick:
        """Return a force with its contents."""
        definition: Definition | None = None
        try:
            definition = self._find_force(force, above)
        except Refusal as refusal:
            self.unread.append(f"{force.name}: {refusal.sentence}")
        definition = definition or self._stray(MissingForce(force))
        below = [self._pick(pick, definition) for pick in force.picks]
        below += [self.force(inner, definition) for inner in force.forces]
        return Pick(
            force.id, definition, 1, tuple(below), player_words(force.custom_name, force.notes)
        )

    def _find_force(self, force: ListForce, above: Definition | None) -> ForceDefinition | None:
        """Return the definition of a force, if the files have it. Raises Refusal."""
        within = above if isinstance(above, ForceDefinition) else None
        catalogue, heads = force.catalogue, self.game.heads
        by_name = self.matching is Matching.NAMES
        if by_name and catalogue not in heads:
            same = (id for id, head in heads.items() if head.get("name") == force.catalogue_name)
            catalogue = next(same, "")
        book = self._book(catalogue)
        id = own_id(force.entry)
        definition = book.force(id, within)
        if by_name and definition is None:
            elements = book.force_elements(within)
            named = [element.id for element in elements if element.get("name") == force.name]
            definition = book.force(named[0], within) if len(named) == 1 else None
        if definition is not None and (catalogue, definition.main.id) != (force.catalogue, id):
            self.by_name.append(force.name)
        return definition

    def _pick(self, pick: ListPick, above: Definition) -> Pick:
        definition = self._find_pick(pick, above) or self._stray(Missing(pick.entry, pick.name))
        below = tuple([self._pick(inner, definition) for inner in pick.picks])
        return Pick(
            pick.id, definition, pick.number, below, player_words(pick.custom_name, pick.notes)
        )

    def _find_pick(self, pick: ListPick, above: Definition) -> Definition | None:
        definition = self._offered(above).get(pick.entry)
        if definition is None and self.matching >= Matching.IDS:
            id = own_id(pick.entry)
            definition = next((one for one in above.offered if id in ids_of(one)), None)
        if definition is None and self.matching >= Matching.NAMES:
            named = [one for one in above.offered if one.name == pick.name]
            if len(named) == 1:
                self.by_name.append(pick.name)
                definition = named[0]
        return definition

    def _stray(self, stray: Missing) -> Missing:
        self.strays.append(stray)
        return stray

    def _offered(self, above: Definition) -> dict[str, Definition]:
        by_key = self._by_key.get(above)
        if by_key is None:
            by_key = self._by_key[above] = {}
            for definition in above.offered:
                by_key.setdefault(definition.key, definition)
        return by_key


def own_id(path: str) -> str:
    """Return the id of an entry itself, the last of the path to it."""
    return path.rsplit("::", 1)[-1]


def player_words(name: str, notes: str) -> dict[str, str]:
    """Return the words of a player about a pick, as rosters call them."""
    words = {"customName": name, "customNotes": notes}
    return {key: text for key, text in words.items() if text}


def _name_of(pick: Pick) -> str:
    return pick.definition.name


def written_pick(pick: Pick, called: Called = _name_of) -> ListPick:
    """Return a pick as a document has it; `called` says how it is shown: its name is kept."""
    below = tuple([written_pick(one, called) for one in pick.below])
    said = pick.said.get("customName", ""), pick.said.get("customNotes", "")
    label = called(pick)[:MAX_CALLED]
    return ListPick(pick.id, pick.definition.key, pick.number, label, *said, below)


def written_force(pick: Pick, called: Called = _name_of) -> ListForce:
    """Return a force as a document has it."""
    of_forces = [one for one in pick.below if one.definition.kind is Kind.FORCE]
    others = (one for one in pick.below if one.definition.kind is not Kind.FORCE)
    return ListForce(
        pick.id,
        pick.definition.key,
        called(pick)[:MAX_CALLED],
        *catalogue_of_force(pick.definition),
        pick.said.get("customName", ""),
        pick.said.get("customNotes", ""),
        tuple([written_pick(one, called) for one in others]),
        tuple([written_force(one, called) for one in of_forces]),
    )


def document_of(
    roster: PickList,
    name: str,
    game: GameName,
    notes: str = "",
    called: Called = _name_of,
) -> ForceList:
    """Return the document of a list."""
    # Players set whole limits; one with decimals is the files' own, which lists without one have.
    whole = ((cost, limit) for cost, limit in roster.limits.items() if limit == int(limit))
    limits = {cost: _limit(limit) for cost, limit in whole}
    forces = tuple([written_force(one, called) for one in roster.forces])
    return ForceList(name, game, limits, notes, forces)


def catalogue_of_force(definition: Definition) -> tuple[str, str, str]:
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


class Carried(NamedTuple):
    """A list by other files: `by_name` are the names of picks found by name alone, `gone` of those
    that are missing now, which stay in the list by their names.
    """

    document: ForceList
    by_name: list[str]
    gone: list[str]


class _Carrier(ListResolver):
    matching = Matching.NAMES


def carry(document: ForceList, name: GameName, game: GameFiles, book: Books) -> Carried:
    """Return a list as one of another set of files of its game."""
    carrier = _Carrier(game, book)
    forces = tuple(written_force(carrier.force(force)) for force in document.forces)
    gone = [stray.name for stray in carrier.strays]
    return Carried(replace(document, game=name, forces=forces), carrier.by_name, gone)
