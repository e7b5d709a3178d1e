"""Edits of a list of a game's files. An added pick brings along all that it must have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from operator import is_
from typing import Final

from armybuilder.battlescribe.files.books import ForceDefinition, ListDefinition
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.documents import Books, books_of
from armybuilder.battlescribe.files.filling import (
    ids_of,
    is_collective,
    joins,
    minimum,
    missing,
    scaled,
)
from armybuilder.battlescribe.files.game import GameFiles, limits_of
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.conditions import Kind, Number
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.loading.forcelist import MAX_DEEP

#: How many picks one edit brings along at most.
MAX_ADDED: Final = 500


class RosterEditor:
    """A list that changes, evaluated at each step.

    `made` has the ids of the picks that the last edit made, by the ids of their entries.
    """

    #: The first letters of ids that are made.
    prefix = "pick-"

    def __init__(
        self, game: GameFiles, roster: PickList | None = None, book: Books | None = None
    ) -> None:
        self.game = game
        #: Catalogues of the game, by their ids.
        self.book = book or books_of(game)
        self._serial = count(1)
        self._evaluation: Evaluation | None = None
        self._stale = True
        self.made: dict[str, str] = {}
        self._added = self._deep = 0
        self.roster = roster or PickList(ListDefinition(game), (), limits_of(game.system))

    @property
    def evaluation(self) -> Evaluation:
        """Evaluation of the list in its current state."""
        if self._evaluation is None or self._stale:
            self._evaluation = Evaluation(self.roster, self._evaluation)
            self._stale = False
        return self._evaluation

    # Where things are

    def node(self, id: str) -> Node:
        """Return the node of a pick by its id. Raises KeyError."""
        evaluation = self.evaluation
        for force in evaluation.forces:
            if evaluation.picks[force].id == id:
                return force
        for node in evaluation.nodes():
            if node.pick is not None and node.pick.id == id:
                return node
        raise KeyError(id)

    def _picks(self) -> Iterator[Pick]:
        """Yield the forces and all picks, parents first."""
        for force in self.roster.forces:
            yield from force.walk()

    def pick(self, id: str) -> Pick:
        """Return a pick by its id. Raises KeyError."""
        for pick in self._picks():
            if pick.id == id:
                return pick
        raise KeyError(id)

    def above(self, id: str) -> Pick | None:
        """Return the parent of a pick; None for a force at the top."""
        around = (pick for pick in self._picks() if any(one.id == id for one in pick.below))
        return next(around, None)

    def _set(self, forces: tuple[Pick, ...]) -> None:
        definition = self.roster.definition
        if isinstance(definition, ListDefinition):
            definition = definition.of(forces)
        self.roster = replace(self.roster, definition=definition, forces=forces)
        self._stale = True

    def replace_by(self, roster: PickList) -> None:
        """Put another list in the place of this one."""
        self._set(roster.forces)

    def change(self, id: str, by: Callable[[Pick], tuple[Pick, ...]]) -> None:
        """Put other picks, or none, in the place of one."""
        self._set(tuple(_changed(self.roster.forces, id, by)))

    def _put(self, pick: Pick, above: str) -> None:
        """Put a pick behind the others on one; "": a force behind the others at the top."""
        if above:
            self.change(above, lambda outer: (replace(outer, below=(*outer.below, pick)),))
        else:
            self._set((*self.roster.forces, pick))

    def _new_id(self) -> str:
        return f"{self.prefix}{next(self._serial)}"

    # Edits

    def set_limit(self, cost: str, limit: Number) -> None:
        """Set the limit of a cost; -1: no limit."""
        self.roster = replace(self.roster, limits={**self.roster.limits, cost: limit})
        self._stale = True

    def say(self, id: str, said: Mapping[str, str]) -> None:
        """Set the player's name and notes of a pick."""
        self.change(id, lambda pick: (replace(pick, said={**pick.said, **said}),))

    def add_force(self, force: ForceDefinition, above: str = "") -> str:
        """Add a force, within another if named, with its required contents; return its id."""
        self.made, self._added = {}, 0
        pick = Pick(self._new_id(), force)
        self._put(pick, above)
        for definition in force.demanded:
            least = minimum(self.evaluation, definition, definition.floors, self.node(pick.id))
            self._add_some(pick.id, definition, least)
        return pick.id

    def select(self, above: str, definition: Definition) -> str:
        """Take one more of something on a pick or in a force; return the id of its pick."""
        self.made, self._added = {}, 0
        return self._add(above, definition, 1)

    def _add_some(self, above: str, definition: Definition, number: int) -> None:
        """Add copies of something one by one, as far as one edit may bring along."""
        for _ in range(number):
            if self._added >= MAX_ADDED:
                break
            self._add(above, definition, 1)

    def _add(self, above: str, definition: Definition, number: int) -> str:
        on = self.pick(above)
        in_unit = on.definition.kind is not Kind.FORCE
        each = on.number if in_unit and is_collective(definition) else 1
        if in_unit and joins(definition):
            same = next((pick for pick in on.below if pick.definition.is_as(definition)), None)
            if same is not None:
                self.set_number(same.id, same.number + number * each)
                return same.id
        elif in_unit and number > 1:
            self._add_some(above, definition, number - 1)
            number = 1
        pick = Pick(self._new_id(), definition, number * each)
        self._put(pick, above)
        self._added += 1
        for id in (ids_of(definition)[0], ids_of(definition)[-1]):
            self.made.setdefault(id, pick.id)
        self._fill(pick.id, definition)
        return pick.id

    def _fill(self, id: str, definition: Definition) -> None:
        """Add the required contents of a pick, as deep as lists may be, except endless ones."""
        self._deep += 1
        for need in definition.needs if isinstance(definition, FileDefinition) else ():
            if self._added < MAX_ADDED and self._deep <= MAX_DEEP:
                for taken, number in missing(self.evaluation, need, self.node(id)):
                    self._add(id, taken, number)
        self._deep -= 1

    def set_number(self, id: str, number: int) -> None:
        """Set the number of a pick, and of its contents in proportion; 0 removes it."""
        if number <= 0:
            self.remove(id)
        else:
            self.change(id, lambda pick: (scaled(pick, number),))

    def set_count(self, id: str, number: int) -> None:
        """Set how many there are, of what each model has for each model."""
        self.set_number(id, number * self._per_model(id))

    def deselect(self, id: str) -> None:
        """Take one less of a pick."""
        node, each = self.node(id), self._per_model(id)
        if node.number > each and is_on_unit(node) and joins(node.definition):
            self.set_number(id, node.number - each)
        else:
            self.remove(id)

    def _per_model(self, id: str) -> int:
        node = self.node(id)
        above = node.above if is_on_unit(node) and is_collective(node.definition) else None
        return above.number if above is not None else 1

    def remove(self, id: str) -> None:
        """Remove a pick with all that is on it."""
        self.change(id, lambda pick: ())

    def duplicate(self, id: str) -> str:
        """Put a copy of a pick with all that is on it behind the others; return its id."""
        copy, above = self._copy(self.pick(id)), self.above(id)
        self._put(copy, above.id if above is not None else "")
        return copy.id

    def _copy(self, pick: Pick) -> Pick:
        below = tuple(self._copy(one) for one in pick.below)
        return replace(pick, id=self._new_id(), below=below)


def is_on_unit(node: Node) -> bool:
    """Return whether a pick is on a unit: no unit itself, nor a force."""
    return node.branch is not None and node is not node.branch.root


def _changed(
    picks: tuple[Pick, ...], id: str, by: Callable[[Pick], tuple[Pick, ...]]
) -> Iterator[Pick]:
    """Yield picks with one of them, at any depth, changed; its siblings are the same objects."""
    for pick in picks:
        if pick.id == id:
            yield from by(pick)
            continue
        below = tuple(_changed(pick.below, id, by)) if pick.below else ()
        same = len(below) == len(pick.below) and all(map(is_, below, pick.below))
        yield pick if same else replace(pick, below=below)
