"""Swaps: where one at most may be taken, what goes when another is taken in its place.

That is a group which allows one, or a rule about what one unit has: one weapon enchantment to a
model, whatever groups a book prints them in.
"""

from collections.abc import Iterable

from armybuilder.engine.catalogue import System
from armybuilder.engine.kinds.per_unit import PerUnit
from armybuilder.engine.loadout import Taken
from armybuilder.engine.options import Group
from armybuilder.engine.standing import Line


def single_rules(line: Line, system: System) -> list[PerUnit]:
    """The rules by which the unit of a line has one at most of certain options, as it stands."""
    rules = (rule for rule in system.rules if isinstance(rule, PerUnit))
    settings = line.place.army.settings
    return [
        rule
        for rule in rules
        if rule.head.applies(settings) and _counts_options(rule, line) and rule.most(line) == 1
    ]


def _counts_options(rule: PerUnit, line: Line) -> bool:
    """Whether the rule counts options of the line: one that means the unit itself does not."""
    return bool(rule.selector.clauses) and not rule.selector.matches(line.tags)


def in_its_place(line: Line, system: System, place: int) -> tuple[int, ...]:
    """What goes for the option at a place among all that is taken on a line: the places of the
    others where one at most may be taken, without what is taken on those. What is given stays.
    """
    every = line.loadout.taken
    gone = _of_groups(line, place)
    for rule in single_rules(line, system):
        if rule.selector.matches(every[place].option.tags):
            rivals = _of_rule(line, rule, place) - gone
            # Where one of them must stay, nothing is won by leaving the others.
            if all(_can_go(line, one, place) for one in rivals):
                gone |= rivals
    return tuple(sorted(one for one in gone if not _above(every, one) & gone))


def _of_groups(line: Line, place: int) -> set[int]:
    """What else is taken of groups around the option at a place which allow one."""
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


def _of_rule(line: Line, rule: PerUnit, place: int) -> set[int]:
    """What else a rule counts on the line, but for what is taken on the option at the place."""
    every = line.loadout.taken
    return {
        number
        for number, other in enumerate(every)
        if number != place
        and rule.selector.matches(other.option.tags)
        and place not in _above(every, number)
    }


def _can_go(line: Line, rival: int, place: int) -> bool:
    """Whether a rival can be left for the option at a place: it is not given, the option is not
    taken on it, and neither it nor something of a group it stands in must be taken.
    """
    every = line.loadout.taken
    taken = every[rival]
    if taken.pick.given or rival in _above(every, place) or taken.option.least.number(line.place):
        return False
    shared = every[place].slot.groups if taken.parent == every[place].parent else ()
    return not any(
        group not in shared
        and _number(every, taken.parent, group) <= group.least.number(line.place)
        for group in taken.slot.groups
    )


def _number(every: Iterable[Taken], parent: int, group: Group) -> int:
    """How many of a group are taken on one thing."""
    return sum(one.number for one in every if one.parent == parent and group in one.slot.groups)


def _above(every: tuple[Taken, ...], place: int) -> set[int]:
    """The places of the options that what stands at a place is taken on."""
    parent = every[place].parent
    return {parent, *_above(every, parent)} if parent >= 0 else set()
