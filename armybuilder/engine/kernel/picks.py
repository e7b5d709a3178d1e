"""Contents of a list: a tree of picks, from its forces down to options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from armybuilder.engine.kernel.conditions import Number
from armybuilder.engine.kernel.definitions import Definition


@dataclass(frozen=True, slots=True, eq=False)
class Pick:
    """A force, or something picked in it: a definition, its number, and its contents.

    `said` are the player's words about it: a name, notes.
    """

    id: str
    definition: Definition
    number: int = 1
    below: tuple[Pick, ...] = ()
    said: Mapping[str, str] = field(default_factory=dict)

    def walk(self) -> Iterator[Pick]:
        """Yield itself and all picks below it, parents first."""
        yield self
        for pick in self.below:
            yield from pick.walk()


@dataclass(frozen=True, slots=True, eq=False)
class PickList:
    """A list: its forces, and its limit of each cost (-1: no limit)."""

    definition: Definition
    forces: tuple[Pick, ...] = ()
    limits: Mapping[str, Number] = field(default_factory=dict)
