"""A roster: the tree of picks a player made, every reference resolved or marked as unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from armybuilder.engine.catalogue import Unit
from armybuilder.engine.options import Offer, Option, Slot

SettingValue = int | str | tuple[str, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class OptionPick:
    """An option taken on a unit, `number` times, with what is taken on it.

    `slots` are the places it may stand in; `on` names the piece of equipment an enchantment is
    put on; `counted` are the tags that conditions count it by. A `given` one is there without
    being chosen.
    """

    id: str
    slots: tuple[Slot, ...]
    counted: tuple[str, ...]
    picks: tuple[OptionPick, ...] = ()
    number: int = 1
    on: str = ""
    given: bool = False

    @property
    def option(self) -> Option:
        """What was taken; of several slots that of the first."""
        return self.slots[0].option


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
    """What is written and does not count: on which pick ("" for the list), to what kind of thing.
    It leads nowhere, but for the kind "repeated": an option that is written again. `label`: what
    the reader knows it by, where that is not its `name`.
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
        """Ids of what is chosen in a setting: one value, or pieces with their repeats."""
        chosen = self.settings.get(setting)
        if isinstance(chosen, tuple):
            return chosen
        return (chosen,) if isinstance(chosen, str) else ()


def take(
    slots: tuple[Slot, ...],
    picks: tuple[OptionPick, ...] = (),
    number: int = 1,
    on: str = "",
    given: bool = False,
) -> OptionPick:
    """A pick of the option that stands in these slots of an offer."""
    option, counted = slots[0].option, slots[0].counted
    if len(slots) > 1:
        groups = dict.fromkeys(group.tag for slot in slots for group in slot.groups)
        counted = (*option.counted, *groups)
    return OptionPick(option.id, slots, counted, picks, number, on, given)


def given_picks(offer: Offer) -> tuple[OptionPick, ...]:
    """What is always there, without being chosen, and what is always there on that."""
    return tuple(
        take(offer.slots[option.id], given_picks(option.offer), option.given, given=True)
        for option in offer.given
    )
