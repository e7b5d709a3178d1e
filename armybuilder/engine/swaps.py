"""Swaps: things that go when another is taken where one at most is allowed.

That is a group which allows one, or a rule about one unit: one weapon enchantment on a model, in
any of the book's groups.
"""

from armybuilder.engine.catalogue import System
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import above
from armybuilder.engine.rules import ItemSlot


def single_slots(line: Line, system: System) -> list[ItemSlot]:
    """Return the groups of which the unit of a line can have one at most."""
    rules = (rule for rule in system.rules if rule.head.applies(line.place.army.settings))
    return [slot for rule in rules for slot in rule.slots(line) if slot.most == 1]


def in_its_place(line: Line, system: System, place: int) -> tuple[int, ...]:
    """Return the places of the options that go if the option at a place is taken: the others where
    one at most is allowed, without the options on those. Given options stay.
    """
    every = line.loadout.taken
    gone = _of_groups(line, place)
    for slot in single_slots(line, system):
        if slot.holds(every[place].option):
            rivals = _of_slot(line, slot, place) - gone
            # Where one of them must stay, nothing is won by leaving the others.
            if all(_can_go(line, one, place) for one in rivals):
                gone |= rivals
    return tuple(sorted(one for one in gone if not above(every, every[one]) & gone))


def _of_groups(line: Line, place: int) -> set[int]:
    """Return the other options taken from groups around this one that allow one."""
    taken = line.loadout.taken[place]
    ones = [group for group in taken.slot.groups if group.most.at(line.place) == 1]
    return {
        number
        for number, other in enumerate(line.loadout.taken)
        if number != place
        and other.parent == taken.parent
        and not other.pick.given
        and any(group in other.slot.groups for group in ones)
    }


def _of_slot(line: Line, slot: ItemSlot, place: int) -> set[int]:
    """Return the rivals on the line in a slot, without options of the one at the place."""
    every = line.loadout.taken
    return {
        number
        for number, other in enumerate(every)
        if number != place and slot.holds(other.option) and place not in above(every, other)
    }


def _can_go(line: Line, rival: int, place: int) -> bool:
    """Return whether a rival can give way to the option at a place: it isn't included, the
    option isn't taken on it, and neither it nor anything in its groups is required."""
    every = line.loadout.taken
    taken = every[rival]
    if (
        taken.pick.given
        or rival in above(every, every[place])
        or taken.option.least.number(line.place)
    ):
        return False
    shared = every[place].slot.groups if taken.parent == every[place].parent else ()
    around = [one for one in every if one.parent == taken.parent]
    return not any(
        group not in shared
        and sum(one.number for one in around if group in one.slot.groups)
        <= group.least.number(line.place)
        for group in taken.slot.groups
    )
