"""Candidates: possible units of a list as unknowns, the counterpart of `lines`.

A candidate is present or not, with some models, roles and options. It is made in two steps:
`Candidate` makes the unknowns, so that the army can be counted; `entries.work_out` then states
prices and the bounds of its book entry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from typing import NamedTuple

from armybuilder.engine.amounts import NONE
from armybuilder.engine.conditions import Condition, in_role
from armybuilder.engine.entry_bounds import EntryBound, Path
from armybuilder.engine.options import Offer, Option, Slot
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Pick
from armybuilder.engine.selectors import CROSS_FACTION, Selector
from armybuilder.engine.space.constraints import (
    FALSE,
    NOTHING,
    TRUE,
    Constraints,
    Expression,
    Literal,
)
from armybuilder.engine.space.where import ArmyWhere, Counts, Where
from armybuilder.engine.units import Shift, Unit, never_saves
from armybuilder.engine.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Extent:
    """Range of the unknowns.

    `models`: of a unit without a largest size; `singles`: of models bought one by one, but no more
    than the points of the game pay for; `options`: of an option without a maximum in its entry.
    """

    models: int = 60
    singles: int = 12
    options: int = 6


USUAL = Extent()


class Placed(NamedTuple):
    """An option in one of its slots: whether it is taken there, how often, its points for the
    whole unit with all its own options. `above` are its possible parents, each with whether it is
    taken there."""

    slot: Slot
    takable: Takable
    taken: Literal
    number: Expression
    total: Expression
    above: tuple[Placed, ...]

    @property
    def option(self) -> Option:
        """The option."""
        return self.slot.option

    @property
    def is_outer(self) -> bool:
        """Return whether it is taken on the unit itself."""
        return self.takable.above is None


@dataclass(slots=True, eq=False)
class Takable:
    """An option that a unit, or an option of it, can have, in any slot.

    `given` of it are always included; `variable` is the number of more, None if settled. `was` is
    the actual number, `was_on` the actual piece it is put on; `on` is the piece's id.
    """

    path: Path
    slots: tuple[Slot, ...]
    given: int
    was: int
    was_on: str
    above: Takable | None
    variable: int | None = None
    number: Expression = NOTHING
    taken: Literal = FALSE
    level: Level | None = None
    on: dict[str, Literal] = field(default_factory=dict)

    @property
    def option(self) -> Option:
        """The option itself; of several slots that of the first."""
        return self.slots[0].option


class Level(NamedTuple):
    """The options of a unit, or of an option: `present` where that is there."""

    offer: Offer
    path: Path
    present: Literal
    options: dict[str, Takable]


def least_price(unit: Unit, system: Vocabulary, roles: Collection[str] = ()) -> int:
    """Return the least points of a unit in any of some roles, with any options; 0 if unknown."""
    if unit.price_changes or not never_saves(unit):
        return 0
    price = unit.price.start or 0
    for role in roles:
        share = system.roles[role].price if role in system.roles else None
        price = price if share is None else min(price, share.up(price))
    return price


Wanted = Callable[["Candidate", Takable], bool]


def everything(candidate: Candidate, takable: Takable) -> bool:
    """Return that every option of a unit may be taken."""
    return True


@dataclass(eq=False)
class Candidate:
    """A possible unit: an entry of the list (`pick`), or a new one.

    `roles` are settled; `free_roles` are optional. `models` are the counted ones; `size` are all,
    as in a document. `entry` has the bounds of its book entry, once computed.
    """

    army: ArmyWhere
    system: Vocabulary
    key: str
    unit: Unit
    pick: Pick | None
    roles: tuple[str, ...]
    may_have: InitVar[Collection[str]]
    extent: Extent
    wanted: Wanted

    def __post_init__(self, may_have: Collection[str]) -> None:
        self.constraints: Constraints = self.army.constraints
        self.takables: list[Takable] = []
        self.options: list[Placed] = []
        self.entry: list[EntryBound[Expression]] = []
        self._carried: dict[str, Literal] = {}
        self.points = self.each = self.option_points = NOTHING
        self.free_roles = {role: self.constraints.yes_no() for role in may_have}
        self._counts: Counts = {}
        self._tags: dict[str, Literal] = {}
        self._matches: dict[int, Literal] = {}
        self._make_size()
        for literal in self.free_roles.values():
            self.constraints.require_any((~literal, self.present))
        unit, picks = self.unit, self.pick.picks if self.pick else ()
        self.models = self.size if unit.counts else NOTHING
        self.root = self._make_level(unit.offer, self.present, (), picks, None)
        # Of models bought singly each is a unit of its own.
        single = unit.size is None and unit.counts
        models = Expression(1) if single else self.models
        self._outer = Where(self.army, self._counts, models, self._first_tag)
        self.place = self._outer.with_tags(self._changed_tag) if unit.shifts else self._outer
        self._note_in_army()

    def _make_size(self) -> None:
        """Make the unknowns of the unit itself: whether it is there, with how many models."""
        both, listed = self.constraints, self.pick.models if self.pick else 0
        if self.unit.size is None:
            price, budget = least_price(self.unit, self.system, self.roles), self.army.budget
            paid = budget // price if price and budget is not None else None
            most = self.extent.singles if paid is None else min(self.extent.singles, paid)
            self.least, self.size_variable = 0, both.whole(0, max(most, listed, 1))
            if paid is None or paid > most:
                both.cut.add(self.size_variable)
            self.size = Expression.of(self.size_variable)
            self.present = both.at_least(self.size, 1)
            return
        (least, most_models), kept = self.unit.size, self.army.aspects
        most_models = most_models if "too-large" in kept else NONE
        low = max(1, least.smallest) if "too-small" in kept else 1
        high = most_models.most(self.extent.models)
        low, high = min(low, listed or low), max(high, listed, low)
        self.present, self.least = both.yes_no(), low
        self.size_variable = both.whole(0, high - low)
        if most_models.most(high + 1) > high:
            both.cut.add(self.size_variable)
        more = Expression.of(self.size_variable)
        both.require(more - both.number(self.present) * (high - low), None, 0)
        self.size = more + both.number(self.present) * low

    def _make_level(
        self,
        offer: Offer,
        present: Literal,
        path: Path,
        picks: tuple[OptionPick, ...],
        above: Takable | None,
    ) -> Level:
        level = Level(offer, path, present, {})
        there = self.constraints.number(present)
        picked = {pick.id: pick for pick in picks}
        given = {option.id: option.given for option in offer.given}
        for option_id, slots in offer.slots.items():
            had = picked.get(option_id)
            takable = Takable(
                (*path, option_id),
                slots,
                given.get(option_id, 0),
                had.number if had else 0,
                had.on if had else "",
                above,
            )
            level.options[option_id] = takable
            self._make_option(takable, present, there)
            self.takables.append(takable)
            if takable.taken == FALSE:
                continue
            tags = (tag for slot in slots for tag in slot.counted)
            for tag in slots[0].counted if len(slots) == 1 else dict.fromkeys(tags):
                self._counts.setdefault(tag, []).append(takable.number)
            offered = takable.option.offer
            if offered.nodes:
                inner = had.picks if had else ()
                takable.level = self._make_level(
                    offered, takable.taken, takable.path, inner, takable
                )
        return level

    def _make_option(self, takable: Takable, present: Literal, there: Expression) -> None:
        """Make the unknowns of an option: its number if its parent is `there`."""
        both, given = self.constraints, takable.given
        if not given and not takable.was and not self.wanted(self, takable):
            both.is_whole = False
            return
        kept = "too-often" in self.army.aspects
        bounds = [slot.option.most if kept else NONE for slot in takable.slots]
        most = max(bound.most(self.extent.options) for bound in bounds)
        most = max(most, takable.was, given)
        if max(bound.most(most + 1) for bound in bounds) > most:
            both.is_whole = False
        if not most:
            return
        if given == most:
            takable.number, takable.taken = there * given, present
            return
        takable.variable = both.whole(0, most - given)
        both.require(Expression.of(takable.variable).add(there, given - most), None, 0)
        takable.number = Expression.of(takable.variable)
        if given:
            takable.number.add(there, given)
            takable.taken = present
        else:
            takable.taken = both.at_least(takable.number, 1)

    def _note_in_army(self) -> None:
        watched = self.system.selector_index.watched
        if not watched:
            return
        unit = f"unit:{self.unit.ref}"
        if unit in watched:
            self.army.note(unit, self.units(self.present))
        for role in self.system.roles:
            if in_role(unit, role) in watched:
                self.army.note(in_role(unit, role), self.units(self.has_role(role)))
        for tag, numbers in self._counts.items():
            if tag in watched:
                for number in numbers:
                    self.army.note(tag, self.on_all(number))

    def there(self, literal: Literal) -> Literal:
        """Return whether it is there and a literal holds; a free role is, where it is there."""
        if literal in self.free_roles.values():
            return literal
        return self.constraints.all_of([self.present, literal])

    # Tags

    @property
    def capped(self) -> list[Placed]:
        """Return its options of which an army may have a maximum."""
        return [one for one in self.options if one.option.cap is not None]

    def has_role(self, role: str) -> Literal:
        """Return whether it has a role, where it is there."""
        return TRUE if role in self.roles else self.free_roles.get(role, FALSE)

    def _first_tag(self, tag: str) -> Literal:
        """Return whether the unit has a tag by itself or by a role, with any options."""
        if tag in self.unit.tags:
            return TRUE
        kind, _, role = tag.partition(":")
        return self.has_role(role) if kind == "role" else FALSE

    def _changed_tag(self, tag: str) -> Literal:
        """Return whether it has a tag, with what its options and the army make of it."""
        return self._shifted(tag, self._first_tag(tag), self.unit.shifts, self._outer)

    def _shifted(self, tag: str, has: Literal, shifts: Iterable[Shift], where: Where) -> Literal:
        """Return whether it has a tag after changes, if it `has` it before."""
        for condition, gains, loses in shifts:
            if tag in gains:
                has = self.constraints.any_of([has, where.holds(condition)])
            elif tag in loses:
                has = self.constraints.all_of([has, ~where.holds(condition)])
        return has

    @cached_property
    def seen(self) -> Where:
        """Its place as rules see it, with the tags that its options bring."""
        return self.place.with_tags(self.tag)

    def tag(self, tag: str) -> Literal:
        """Return whether it has a tag, where it is there, as rules see it."""
        found = self._tags.get(tag)
        if found is None:
            both, has = self.constraints, [self._changed_tag(tag)]
            if has[0] != TRUE:
                has += [
                    both.all_of([taken, self.place.holds(condition)])
                    for taken, condition in self._brought.get(tag, ())
                ]
            found = self._shifted(tag, both.any_of(has), self.unit.later, self.place)
            self._tags[tag] = found
        return found

    @cached_property
    def _brought(self) -> Mapping[str, list[tuple[Literal, Condition | None]]]:
        """The keywords that its options bring, by the tag: whether each is taken, and with what."""
        found: dict[str, list[tuple[Literal, Condition | None]]] = {}
        for placed in self.options:
            for keyword in placed.slot.option.keywords:
                found.setdefault(keyword.tag, []).append((placed.taken, keyword.condition))
        return found

    def matches(self, selector: Selector, cross: Literal = FALSE) -> Literal:
        """Return whether a selector speaks of it, where it is there. `cross`: whether it is of
        another faction than the warband.
        """
        found = self._matches.get(id(selector))
        if found is None:
            if selector.mentions(CROSS_FACTION):
                return self._match(selector, cross)
            found = self._matches[id(selector)] = self._match(selector, FALSE)
        return found

    def _match(self, selector: Selector, cross: Literal) -> Literal:
        any_of, unit = self.constraints.any_of, self.unit
        # The tags that it has with any options.
        sure = frozenset() if unit.shifts or unit.category_changes else unit.tags
        clauses = []
        for clause in selector.clauses:
            if clause.isdisjoint(sure):
                # In order, for a solver must be asked the same in every process.
                tags = sorted(clause)
                met = any_of(cross if tag == CROSS_FACTION else self.tag(tag) for tag in tags)
                if met == FALSE:
                    return FALSE
                clauses.append(met)
        without = [~self._match(one, cross) for one in selector.without]
        return self.constraints.all_of([*clauses, *without])

    @cached_property
    def placed_by(self) -> Mapping[int, Sequence[Placed]]:
        """The options that selectors speak of, by their numbers, once all are worked out."""
        found: dict[int, list[Placed]] = {}
        for placed in self.options:
            for hit in self.system.selector_index.option_hits[placed.slot.option.tags]:
                found.setdefault(hit, []).append(placed)
        return found

    def carries(self, piece: str) -> Literal:
        """Return whether it has a piece of equipment, as an option or by itself."""
        found = self._carried.get(piece)
        if found is None:
            parts = (self.place.has_taken(f"option:{piece}"), self.tag(f"keyword:{piece}"))
            found = self._carried[piece] = self.constraints.any_of(parts)
        return found

    def put_on(self, placed: Placed) -> dict[str, Literal]:
        """Return whether an enchantment is put on each piece that it fits, by the piece's id."""
        return placed.takable.on

    def units(self, meant: Literal) -> Expression:
        """Return how many units it is where it is there and a literal holds: its models, where
        these are bought singly.
        """
        if self.unit.size is None:
            return self.constraints.where(meant, self.size)
        return self.constraints.number(self.there(meant))

    def on_all(self, number: Expression) -> Expression:
        """Return an amount for each of its present units, in total."""
        return self.constraints.multiply(number, self.size) if self.unit.size is None else number

    def as_it_stands(self) -> dict[int, int]:
        """Return the value of each unknown on the list, by its variable."""
        pick = self.pick
        there = pick is not None and pick.models > 0
        models = pick.models if pick is not None else 0
        values = {self.size_variable: models - self.least if there else 0}
        if self.unit.size is not None:
            values[self.present] = int(there)
        for role, variable in self.free_roles.items():
            values[variable] = int(there and pick is not None and role in pick.roles)
        for takable in self.takables:
            if takable.variable is not None:
                values[takable.variable] = max(0, takable.was - takable.given) if there else 0
            for piece, variable in takable.on.items():
                values[variable] = int(there and takable.was_on == piece)
        return values
