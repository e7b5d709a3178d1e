"""A roster: the tree of picks a player made, every reference resolved or marked as unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from armybuilder.engine.options import Profile
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.units import Unit

SettingValue = int | str | tuple[str, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class Pick:
    """A unit on the list. `unit` None: the books no longer have what `ref` names.

    `models` is how many figures are in it; for single models, how many of them. `profiles` are the
    player's own of a unit whose book has none: they are shown, and no rule reads them.
    """

    id: str
    ref: str
    unit: Unit | None
    models: int = 1
    roles: tuple[str, ...] = ()
    name: str = ""
    notes: str = ""
    picks: tuple[OptionPick, ...] = ()
    profiles: tuple[Profile, ...] = ()

    @property
    def units(self) -> int:
        """Number of units: one, or all models if these are bought one by one."""
        return self.models if self.unit is not None and self.unit.size is None else 1


@dataclass(frozen=True, slots=True)
class Stray:
    """An entry without effect: its pick ("" for the list) and its kind of thing.

    It is unknown, or for the kind "repeated" an option written again. `label`: the reader's name
    for it, if other than `name`.
    """

    pick: str
    kind: str
    name: str
    label: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Roster:
    """A list as the engine sees it. `limit` is the game size in points."""

    limit: int
    picks: tuple[Pick, ...]
    settings: Mapping[str, SettingValue] = field(default_factory=dict)
    strays: tuple[Stray, ...] = ()

    def chosen(self, setting: str) -> tuple[str, ...]:
        """Return the ids chosen in a setting: one value, or pieces with their repeats."""
        chosen = self.settings.get(setting)
        if isinstance(chosen, tuple):
            return chosen
        return (chosen,) if isinstance(chosen, str) else ()
