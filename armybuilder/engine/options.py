"""Options of a unit, their groups, and their maximum in an army.

A book's shared options are one object at all their places, and know none of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from armybuilder.engine.amounts import NONE, ONE, ZERO, Amount
from armybuilder.engine.conditions import (
    AllOf,
    AnyOf,
    Condition,
    OptionTaken,
    Place,
    army_tags,
    may_stay_open,
)
from armybuilder.engine.selectors import Tags


@dataclass(frozen=True, slots=True)
class Restriction:
    """A restriction that the book has for a unit or option and that cannot be judged: in words, and
    why, as `unchecked.REASONS` knows it. With a condition it matters only where that may hold.
    """

    what: str
    why: str
    condition: Condition | None = None

    def applies(self, place: Place) -> bool:
        """Return whether it may matter at a place."""
        return self.condition is None or self.condition.may_hold(place)


class Keyword(NamedTuple):
    """A special rule or a piece of equipment by name; with a condition, only where that holds."""

    name: str
    tag: str
    condition: Condition | None = None


@lru_cache(maxsize=20_000)
def slug(name: str) -> str:
    """Return a name as an id, without its brackets: "Fly (8", 16")" is "fly"."""
    words = "".join(letter if letter.isalnum() else " " for letter in name.split("(")[0].casefold())
    return "-".join(words.split())


def keyword_tag(name: str) -> str:
    """Return the tag of a special rule's name: "Fly (8", 16")" is "keyword:fly"."""
    return f"keyword:{slug(name)}"


#: Stands for the name of a row in what changes it: no statistic is called so.
ROW_NAME: Final = ""


@dataclass(frozen=True, slots=True)
class StatChange:
    """A change of a statistic to another text, or by an amount, if a condition holds; the
    statistic ROW_NAME changes the name of the row."""

    stat: str
    condition: Condition
    text: str = ""
    add: int = 0


@dataclass(frozen=True, slots=True)
class Profile:
    """A stat line of a unit or of a part of it. Values are texts as the book prints them.

    `origin` names the edition that it is from, where that is not the book's own, `filled` that of
    single values.
    """

    name: str
    stats: Mapping[str, str]
    rules: tuple[str, ...] = ()
    changes: tuple[StatChange, ...] = ()
    origin: str = ""
    filled: str = ""

    def is_whole(self, size: Set[str]) -> bool:
        """Return whether it has more than these statistics, or is the book's own."""
        return not self.origin or not self.stats.keys() <= size

    def army_tags(self) -> set[str]:
        """Return the tags that its changes count in the whole army."""
        return {tag for change in self.changes for tag in army_tags(change.condition)}


@dataclass(frozen=True, slots=True, eq=False)
class Cap:
    """Maximum of a unit or an option in an army, counted by `key`: of units or options
    (`number`), of their models (`models`), or of points spent (`points`)."""

    key: str
    number: Amount = NONE
    models: Amount = NONE
    points: Amount = NONE
    one_of_a_kind: bool = False
    #: Its maximums, by what each counts.
    limits: tuple[tuple[str, Amount], ...] = field(init=False)

    def __post_init__(self) -> None:
        limits = (("times", self.number), ("models", self.models), ("points", self.points))
        there = (one for one in limits if one[1].base is not None or one[1].changes)
        object.__setattr__(self, "limits", tuple(there))

    def army_tags(self) -> set[str]:
        """Return the tags that its changes count in the whole army."""
        return self.number.army_tags() | self.models.army_tags() | self.points.army_tags()


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Options with a choice rule: how many of them, and for how many points together."""

    id: str
    name: str
    nodes: tuple[Option | Group, ...]
    least: Amount = ZERO
    most: Amount = NONE
    allowance: Amount = NONE
    needs: Condition | None = None
    default: str = ""
    unchecked: tuple[Restriction, ...] = ()
    #: So many may be taken, for so many points, in any place; -1 if that depends on the place.
    free: int = field(init=False)
    paid: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "free", _free(self.most))
        object.__setattr__(self, "paid", _free(self.allowance))

    @property
    def bounded(self) -> bool:
        """Return whether it limits its contents."""
        return min(self.free, self.paid) < sys.maxsize

    @property
    def tag(self) -> str:
        """Tag by which conditions count it."""
        return f"group:{self.id}"


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """An upgrade of a unit, possibly with upgrades of its own.

    `points` are paid once, `each` for every model of the unit; it is taken `least` to `most` times
    on its parent.

    `tags` are seen by selectors, `counted` by conditions. `unchecked` is a restriction of the book
    that can't be checked.
    """

    id: str
    name: str
    points: Amount = ZERO
    each: Amount = ZERO
    least: Amount = ZERO
    most: Amount = ONE
    cap: Cap | None = None
    needs: Condition | None = None
    tags: Tags = frozenset()
    counted: tuple[str, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    profiles: tuple[Profile, ...] = ()
    item: str = ""
    on: tuple[str, ...] = ()
    must_lead: Condition | None = None
    offer: Offer = field(default_factory=lambda: Offer())
    note: str = ""
    unchecked: tuple[Restriction, ...] = ()

    @property
    def given(self) -> int:
        """Number that is always included, so that lists leave it out; 0 if it is a choice."""
        fixed = not self.least.changes and not self.most.changes and self.needs is None
        return self.least.base or 0 if fixed and self.least.base == self.most.base else 0

    @property
    def is_counter(self) -> bool:
        """Return whether it is always included, only to count against a limit of the army."""
        brings = self.points.largest or self.each.largest or self.keywords or self.profiles
        return self.given > 0 and self.cap is not None and not (brings or self.offer or self.item)


class Slot(NamedTuple):
    """An option at its place inside these groups, outermost first.

    The book may leave the `unsure` ones of its `needs` open; `unchecked` is what isn't checked of
    it and its groups, and `counted` the tags by which conditions count them. `summed` are the
    groups whose contents matter. `price` is paid once and for every model, None if it may change;
    `free` may be taken so often in any place, -1 if that depends on the place. `tied`: the entry
    itself ties it to an option of the unit: it can't be taken without that option.
    """

    option: Option
    groups: tuple[Group, ...]
    needs: tuple[Condition, ...]
    unsure: tuple[Condition, ...] = ()
    unchecked: tuple[Restriction, ...] = ()
    counted: tuple[str, ...] = ()
    summed: tuple[Group, ...] = ()
    price: tuple[int, int] | None = None
    free: int = -1
    tied: bool = False


class Demand(NamedTuple):
    """An option or group that has to be taken where these conditions hold."""

    node: Option | Group
    needs: tuple[Condition, ...]


class Offer:
    """The options of one unit or option: its nodes as a tree, and every option in them by id.

    The same shared option may have several slots. `places` are those of options in the order of the
    book.
    """

    __slots__ = ("demands", "given", "nodes", "places", "slots")

    def __init__(self, nodes: tuple[Option | Group, ...] = ()) -> None:
        self.nodes = nodes
        self.slots: dict[str, tuple[Slot, ...]] = {}
        demands = []
        for node, groups, needs in _walk(nodes, (), ()):
            if isinstance(node, Option):
                slot = _slot(node, groups, needs)
                self.slots[node.id] = (*self.slots.get(node.id, ()), slot)
            if node.least.largest > 0 and not _always_there(node, needs):
                demands.append(Demand(node, needs))
        self.demands = tuple(demands)
        self.places = {option: place for place, option in enumerate(self.slots)}
        always = (
            [slot.option for slot in slots if _always_there(slot.option, slot.needs)]
            for slots in self.slots.values()
        )
        self.given = tuple(options[0] for options in always if options)

    def __bool__(self) -> bool:
        return bool(self.nodes)

    def options(self) -> Iterator[Option]:
        """Every option below, at any depth; a shared one once for each place."""
        for slots in self.slots.values():
            for slot in slots:
                yield slot.option
                yield from slot.option.offer.options()

    def army_tags(self) -> set[str]:
        """Return the tags that its conditions count in the whole army, at this level."""
        tags: set[str] = set()
        for node, _, _ in _walk(self.nodes, (), ()):
            amounts, conditions = [node.least, node.most], [node.needs]
            conditions += [restriction.condition for restriction in node.unchecked]
            if isinstance(node, Option):
                amounts += [node.points, node.each]
                conditions += [node.must_lead, *(keyword.condition for keyword in node.keywords)]
                tags.update(*(profile.army_tags() for profile in node.profiles))
            else:
                amounts.append(node.allowance)
            tags.update(*map(army_tags, conditions), *(one.army_tags() for one in amounts))
        return tags


def _slot(option: Option, groups: tuple[Group, ...], needs: tuple[Condition, ...]) -> Slot:
    unsure = tuple(condition for condition in needs if may_stay_open(condition))
    around = tuple(part for group in groups for part in group.unchecked)
    counted = (*option.counted, *dict.fromkeys(group.tag for group in groups))
    summed = tuple(one for one in groups if one.bounded or one.least.largest > 0)
    points, each = option.points, option.each
    price = None if points.changes or each.changes else (points.base or 0, each.base or 0)
    free = -1 if needs else _free(option.most)
    unchecked = (*around, *option.unchecked)
    tied = any(map(_ties, needs))
    return Slot(option, groups, needs, unsure, unchecked, counted, summed, price, free, tied)


def _free(most: Amount) -> int:
    """Return the maximum that holds in any place; -1 if that depends on the place."""
    return -1 if most.changes else sys.maxsize if most.base is None else most.base


def _ties(condition: Condition) -> bool:
    if isinstance(condition, AllOf):
        return any(map(_ties, condition.others))
    if isinstance(condition, AnyOf):
        return all(map(_ties, condition.others))
    return isinstance(condition, OptionTaken) and not condition.army and (condition.low or 0) > 0


def _always_there(node: Option | Group, needs: tuple[Condition, ...]) -> bool:
    """Return whether the node is an included option that nothing around it can exclude."""
    return isinstance(node, Option) and node.given > 0 and not needs


def nodes_in(nodes: Iterable[Option | Group]) -> Iterator[Option | Group]:
    """Yield nodes with everything in their groups and on their options."""
    for node in nodes:
        yield node
        yield from nodes_in(node.offer.nodes if isinstance(node, Option) else node.nodes)


def _walk(
    nodes: tuple[Option | Group, ...], groups: tuple[Group, ...], needs: tuple[Condition, ...]
) -> Iterator[tuple[Option | Group, tuple[Group, ...], tuple[Condition, ...]]]:
    """Every node of one level with the groups around it and all conditions on the way to it."""
    for node in nodes:
        here = needs if node.needs is None else (*needs, node.needs)
        yield node, groups, here
        if isinstance(node, Group):
            yield from _walk(node.nodes, (*groups, node), here)


NOTHING: Offer = Offer()
