"""Changes of prices, limits and hiding that a pick makes on other picks: New Recruit's modifiers
with a `scope`, or a path to the picks they affect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from armybuilder.battlescribe.files.game import FarModifier, GameFiles
from armybuilder.battlescribe.files.reading import FileElement
from armybuilder.battlescribe.files.rules import FORCE_ENTRIES, RuleMaker, Strange, strange_in
from armybuilder.battlescribe.files.scanning import ENTRIES
from armybuilder.engine.kernel.conditions import (
    Change,
    Compare,
    Each,
    Measure,
    Nearest,
    Reach,
    Reaching,
    Repeat,
    Scope,
    Within,
)

#: Parts of a list that are more than a unit.
_WIDE: frozenset[Within] = frozenset({Scope.FORCE, Scope.LIST})


class FarChange(NamedTuple):
    """A change of those picks that it reaches, as often as it does."""

    reach: Reach
    change: Change

    def may_reach(self, tags: frozenset[str]) -> bool:
        """Return whether it may be about picks with these tags."""
        scope = self.reach.scope
        if not self.reach.below and isinstance(scope, Nearest) and scope.tags.isdisjoint(tags):
            return False
        return not self.reach.tag or self.reach.tag in tags


class FarChanges:
    """The changes of a field that the files of a catalogue make on other picks.

    `modifiers` are those that are understood.
    """

    def __init__(
        self, game: GameFiles, rules: RuleMaker, roots: Iterable[FileElement], field: str
    ) -> None:
        self._game = game
        self._rules = rules
        self.modifiers: set[FileElement] = set()
        found = (far for root in roots for far in game.far_modifiers(root).get(field, ()))
        self._changes = tuple(self._understood(found))

    def of(self, tags: frozenset[str]) -> tuple[Change, ...]:
        """Return the changes that may reach picks with these tags."""
        return tuple(far.change for far in self._changes if far.may_reach(tags))

    def _understood(self, found: Iterable[FarModifier]) -> Iterator[FarChange]:
        for far in found:
            try:
                change = self._far(far)
            except Strange:
                continue  # its owner says so, wherever it is taken
            self.modifiers.add(far.modifier)
            yield change

    def _far(self, far: FarModifier) -> FarChange:
        """Return the change that a modifier makes on others. Raises Strange."""
        owner, modifier, around = far
        reach = self._rules.reach(modifier, modifier.get("affects"))
        change = self._rules.change(modifier, around)
        scope, tags = reach.scope, getattr(reach.scope, "tags", ())
        named = filter(None, (self._game.find(tag, modifier) for tag in tags))
        beyond = scope is Scope.ANCESTORS or any(one.place in FORCE_ENTRIES for one in named)
        unknown = [*strange_in((change.when, change.repeats))]
        if owner.place not in {*ENTRIES, "entryLinks"} or beyond or unknown:
            raise Strange(f"modifier of {modifier.get('field')}")
        measured: Measure = Reaching(owner.id, reach, change)
        if scope in _WIDE:
            if change.repeats or not reach.deep:
                raise Strange(f"modifier of {modifier.get('field')} in {modifier.get('scope')}")
            measured = Each(
                change.when, ">", 0, scope, True,
                tag=owner.id, forces=scope is Scope.LIST, of_costs=True,
            )  # fmt: skip
        if change.number is None:
            when = Compare(measured, ">", 0)
            return FarChange(reach, Change(change.act, change.value, None, when))
        repeats = ((Repeat(measured, 1),),)
        return FarChange(reach, Change(change.act, change.value, change.number, repeats=repeats))
