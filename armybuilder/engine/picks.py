"""Choices taken on a unit or an option."""

from __future__ import annotations

from dataclasses import dataclass

from armybuilder.engine.options import Offer, Option, Slot


@dataclass(frozen=True, slots=True, eq=False)
class OptionPick:
    """An option taken on a unit, `number` times, with its own options.

    `slots` are its possible places; `on` names the piece of equipment that an enchantment goes on;
    `counted` are the tags by which conditions count it. A `given` one is included without a choice.
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
        """The option taken; of several slots that of the first."""
        return self.slots[0].option


def take(
    slots: tuple[Slot, ...],
    picks: tuple[OptionPick, ...] = (),
    number: int = 1,
    on: str = "",
    given: bool = False,
) -> OptionPick:
    """Return a pick of the option in these slots of an offer."""
    option, counted = slots[0].option, slots[0].counted
    if len(slots) > 1:
        groups = dict.fromkeys(group.tag for slot in slots for group in slot.groups)
        counted = (*option.counted, *groups)
    return OptionPick(option.id, slots, counted, picks, number, on, given)


def given_picks(offer: Offer) -> tuple[OptionPick, ...]:
    """Return the options that always come with an offer, each with those that come with it."""
    return tuple(
        take(offer.slots[option.id], given_picks(option.offer), option.given, given=True)
        for option in offer.given
    )
