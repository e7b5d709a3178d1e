"""A roster: the tree of picks a player made, every reference resolved or marked as unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from armybuilder.engine.catalogue import Option, Unit

SettingValue = int | str | tuple[str, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class OptionPick:
    """An option taken on a unit, with what is taken on it."""

    id: str
    option: Option
    picks: tuple[OptionPick, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Pick:
    """A unit on the list. `unit` None: the books no longer have what `ref` names.

    `models` is how many figures are in it; for single models, how many of them.
    """

    id: str
    ref: str
    unit: Unit | None
    models: int = 1
    roles: tuple[str, ...] = ()
    name: str = ""
    notes: str = ""
    picks: tuple[OptionPick, ...] = ()


class Stray(NamedTuple):
    """A reference that leads nowhere: on which pick ("" for the list), to what kind of thing."""

    pick: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Roster:
    """A list as the engine sees it. `limit` is the game size in points."""

    limit: int
    picks: tuple[Pick, ...]
    settings: Mapping[str, SettingValue] = field(default_factory=dict)
    strays: tuple[Stray, ...] = ()
