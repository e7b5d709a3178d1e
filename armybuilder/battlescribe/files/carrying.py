"""Lists carried over to another set of their game's files: by ids, then by names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from armybuilder.battlescribe.files.books import ForceDefinition
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.documents import Books
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.loading.forcelist import ForceList, GameName, ListForce, ListPick
from armybuilder.loading.problems import Refusal


@dataclass
class Carried:
    """A list by other files: `by_name` are the names of picks found by name alone, `gone` of those
    that are missing now, which stay in the list by their names.
    """

    document: ForceList
    by_name: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


def carry(document: ForceList, name: GameName, game: GameFiles, book: Books) -> Carried:
    """Return a list as one of another set of files of its game."""
    carrier = _Carrier(document, game, book)
    forces = tuple(carrier.force(force, None) for force in document.forces)
    carrier.carried.document = replace(document, game=name, forces=forces)
    return carrier.carried


class _Carrier:
    def __init__(self, document: ForceList, game: GameFiles, book: Books) -> None:
        self.carried = Carried(document)
        self._game = game
        self._book = book

    def force(self, force: ListForce, above: ForceDefinition | None) -> ListForce:
        """Return a force with its contents by the new files, as far as they have it."""
        found = self._find_force(force, above)
        if found is None:
            self.carried.gone += names_in(force)
            return force
        root = found.book.root
        return replace(
            force,
            entry=found.main.id,
            catalogue=root.id,
            catalogue_name=root.get("name"),
            revision=root.get("revision"),
            picks=self._picks(force.picks, found),
            forces=tuple(self.force(inner, found) for inner in force.forces),
        )

    def _find_force(
        self, force: ListForce, above: ForceDefinition | None
    ) -> ForceDefinition | None:
        heads = self._game.heads
        catalogue = force.catalogue
        if catalogue not in heads:
            named = (id for id, head in heads.items() if head.get("name") == force.catalogue_name)
            catalogue = next(named, "")
        try:
            book = self._book(catalogue)
        except Refusal:
            return None
        found = book.force(force.entry, above)
        if found is None:
            elements = book.force_elements(above)
            same = [element for element in elements if element.get("name") == force.name]
            found = book.force(same[0].id, above) if len(same) == 1 else None
        if found is not None and (catalogue, found.main.id) != (force.catalogue, force.entry):
            self.carried.by_name.append(force.name)
        return found

    def _picks(self, picks: Iterable[ListPick], above: Definition) -> tuple[ListPick, ...]:
        return tuple(self._pick(pick, above) for pick in picks)

    def _pick(self, pick: ListPick, above: Definition) -> ListPick:
        found = find_again(pick, above.offered)
        if found is None:
            self.carried.gone += (one.name for one in pick.walk())
            return pick
        if not _ids(found) & {pick.entry.rsplit("::", 1)[-1]}:
            self.carried.by_name.append(pick.name)
        return replace(pick, entry=found.key, picks=self._picks(pick.picks, found))


def names_in(force: ListForce) -> Iterator[str]:
    """Yield the names of a force and of all in it."""
    for one in force.walk():
        yield one.name
        for pick in one.picks:
            yield from (inner.name for inner in pick.walk())


def find_again(pick: ListPick, offered: Iterable[Definition]) -> Definition | None:
    """Return the offer of a pick: by its whole chain of ids, else by its own id, else by its name
    if only one is called so.
    """
    own = pick.entry.rsplit("::", 1)[-1]
    offers = list(offered)
    for matches in (
        [definition for definition in offers if definition.key == pick.entry],
        [definition for definition in offers if own in _ids(definition)],
    ):
        if matches:
            return matches[0]
    named = [definition for definition in offers if definition.name == pick.name]
    return named[0] if len(named) == 1 else None


def _ids(definition: Definition) -> set[str]:
    return set(definition.ids) if isinstance(definition, FileDefinition) else {definition.key}
