"""The tally of a roster: its picks with prices and counts, computed once for all rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeAlias

from armybuilder.engine.algebra import WHOLE
from armybuilder.engine.conditions import Army, Place
from armybuilder.engine.holding import Held, hold_all
from armybuilder.engine.lines import Line, census
from armybuilder.engine.loadout import Taken, above
from armybuilder.engine.roster import Roster
from armybuilder.engine.selectors import CROSS_FACTION, EVERYTHING, Count, Selector, Tags
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal
from armybuilder.engine.space.space import SidesIn
from armybuilder.engine.view import View
from armybuilder.engine.vocabulary import Piece, Setting, Vocabulary
from armybuilder.engine.wording import inside, say

#: What of a line a count takes, where it is called otherwise.
WORTHS = {"price": "each", "picks": "units"}
_Items: TypeAlias = list[tuple[Taken, int]]


@dataclass(frozen=True, slots=True)
class Allegiance:
    """The warband's faction. `faction` None: undecided; `tied` names those that tie."""

    faction: str | None
    tied: tuple[str, ...] = ()
    mixed: bool = False


class Sides(SidesIn, Protocol):
    """Basis of the warband's faction."""

    @property
    def attribute(self) -> str:
        """The attribute whose values are the factions."""
        ...

    @property
    def none(self) -> str:
        """The value of units that belong to no faction."""
        ...

    @property
    def setting(self) -> str:
        """Setting that decides a tie; "" for none."""
        ...

    def settle(self, tally: Tally) -> Allegiance:
        """Return the warband's faction in a line-up, or why it is open."""
        ...

    def names(self, system: Vocabulary, factions: Sequence[str]) -> list[str]:
        """Factions by the names players know them by."""
        ...


class Contribution(NamedTuple):
    """One line's share of a count: as a `whole`, or with those of its options that match, and
    possibly with the price of its models."""

    line: Line
    models: int
    points: int
    picks: int
    whole: bool
    taken: tuple[Taken, ...] = ()

    @property
    def units(self) -> int:
        """Number of units, whichever part of them matches."""
        return self.line.units


class Tally(View[int]):
    """One line-up of a roster, tallied. Numbers by selector: see `SelectorIndex`."""

    algebra = WHOLE

    def __init__(
        self,
        roster: Roster,
        system: Vocabulary,
        lines: tuple[Line, ...],
        sides: Sides | None,
        lineup: str = "",
        army: Army | None = None,
        before: Tally | None = None,
    ) -> None:
        """Count the lines; of those of a tally `before` by the same selectors, only what changed is
        counted.
        """
        self.roster = roster
        self.system = system
        self.lines = lines
        self.sides = sides
        self.lineup = lineup
        if army is None:
            army = lines[0].place.army if lines else census(roster, system, ())
        self.place: Place = Place(army)
        self._held: dict[str, Held[int]] | None = None
        #: Whom rules do not speak of because of some unit on the list, by the rule's id.
        self.lifts: dict[str, list[Selector]] = {}
        #: By each line's identity, the selectors that count it in part: options of it, which are
        #: given, or only the price of its models.
        self._parts: dict[int, dict[int, _Items]] = {}
        self._having: dict[int, list[tuple[Line, _Items]]] | None = None
        self.new, self.gone = lines, tuple[Line, ...]()
        self.points = sum([points for _, points in setting_points(roster, system)])
        self.points += sum([line.points for line in lines])
        if before is None:
            selectors = len(system.selector_index.selectors)
            self.models_by, self.points_by = [0] * selectors, [0] * selectors
            self.picks_by, self.units_by = [0] * selectors, [0] * selectors
        else:
            left, new = dict(before.by_pick), []
            for line in lines:
                if left.get(id(line.pick)) is line:
                    del left[id(line.pick)]
                else:
                    new.append(line)
            self.new, self.gone = tuple(new), tuple(left.values())
            self.models_by, self.points_by = before.models_by[:], before.points_by[:]
            self.picks_by, self.units_by = before.picks_by[:], before.units_by[:]
            self._parts |= before._parts
            self._count(self.gone, -1)
        self._count(self.new, 1)
        self.models: int = 0 if before is None else before.models
        self.models += sum([line.models for line in self.new])
        self.models -= sum([line.models for line in self.gone])
        for line in lines if before is None or before.lifts else self.new:
            for lift in line.unit.lifts:
                self.lifts.setdefault(lift.rule, []).append(lift.selector)
        self._settle()

    def _settle(self) -> None:
        """Find out the faction, and who is of another."""
        self.cross: frozenset[str] = frozenset()
        self.allegiance: Allegiance | None = None
        if self.sides is not None:
            self.allegiance = self.sides.settle(self)
        if self.faction is not None:
            others = [line for line in self.lines if self.faction_of(line) != self.faction]
            self.cross = frozenset([line.pick.id for line in others])

    @cached_property
    def by_pick(self) -> Mapping[int, Line]:
        """Its lines by the identity of their picks."""
        return {id(line.pick): line for line in self.lines}

    def of_lines(self, lines: tuple[Line, ...], caps: Set[str] | None) -> Tally:
        """Return the same tally for rules by unit, of some of its lines only. Holdings are those of
        all lines, under the caps of these keys where some are given.
        """
        some = Tally.__new__(Tally)
        held = self.held if caps is None else hold_all(self, caps) if caps else {}
        some.__dict__ = self.__dict__ | {"lines": lines, "_having": None, "_held": held}
        return some

    def _count(self, lines: Iterable[Line], sign: int) -> None:
        """Add lines to the sums, or (`sign` -1) take them out."""
        index = self.system.selector_index
        models_by, points_by = self.models_by, self.points_by
        picks_by, units_by = self.picks_by, self.units_by
        for line in lines:
            models, points, units = sign * line.models, sign * line.points, sign * line.units
            hits = index.hits[line.tags]
            parts: dict[int, _Items] = {}
            for number in hits:
                models_by[number] += models
                points_by[number] += points
                picks_by[number] += units
                units_by[number] += units
            for number in index.option_hits[line.unit.models_in] if line.unit.models_in else ():
                if number not in hits:
                    points_by[number] += sign * _models_alone(line)
                    parts[number] = []
            if line.loadout.taken:
                self._count_options(line, hits, parts, sign)
            if sign > 0:
                self._parts[id(line)] = parts
            else:
                del self._parts[id(line)]

    def _count_options(
        self, line: Line, hits: tuple[int, ...], parts: dict[int, _Items], sign: int
    ) -> None:
        """Count the options of a line for selectors that don't match the line as a whole."""
        hits_of = self.system.selector_index.option_hits
        models, units = sign * line.models, sign * line.units
        inside: dict[int, set[int]] = {}
        for place, taken in enumerate(line.loadout.taken):
            option = taken.slot.option
            meant = hits_of[option.tags]
            above = inside.get(taken.parent) if inside else None
            if not meant and above is None:
                continue
            if option.offer.nodes:
                inside[place] = {*(above or ()), *meant}
            for number in meant:
                # A unit or option that is meant counts whole.
                if number in hits:
                    continue
                self.models_by[number] += models
                self.picks_by[number] += taken.number * units
                if above is None or number not in above:
                    self.points_by[number] += sign * taken.total
                parts.setdefault(number, []).append((taken, taken.number))

    def numbers_of(self, line: Line) -> tuple[int, ...]:
        """Return the selectors that count a line, its models or its options."""
        return (*self.system.selector_index.hits[line.tags], *self._parts[id(line)])

    def contributions(self, count: Count) -> Iterator[Contribution]:
        """Return what each line adds to a count, as a unit or by its options and the price of its
        models. A unit counts as one only as a whole.
        """
        whole = {line.pick.id for line in self._whole(count)}
        for line in self.lines:
            parts = self._parts[id(line)]
            if self.spares(count.rule, line):
                continue
            if line.pick.id in whole:
                yield Contribution(line, line.models, line.points, line.units, True)
            elif count.field != "units" and count.number in parts:
                taken = tuple(taken for taken, _ in parts[count.number])
                apart = count.selector.matches(line.unit.models_in)
                yield Contribution(
                    line,
                    line.models * len(taken),
                    _outermost(line, taken) + (_models_alone(line) if apart else 0),
                    sum(one.number for one in taken) * line.units,
                    False,
                    taken,
                )

    def _whole(self, count: Count) -> Iterable[Line]:
        """Return the lines that a count takes as a whole."""
        if not count.by_selector:
            return self.matching(count.selector)
        hits_of = self.system.selector_index.hits
        return [line for line in self.lines if count.number in hits_of[line.tags]]

    def meant(self, count: Count) -> list[str]:
        """Return the ids of the picks that `contributions` speaks of."""
        number, lines = count.number, self.lines
        if count.selector != EVERYTHING:
            meant = {line.pick.id for line in self._whole(count)}
            if count.field != "units":
                meant.update(line.pick.id for line in lines if number in self._parts[id(line)])
            lines = tuple(line for line in lines if line.pick.id in meant)
        if count.rule in self.lifts:
            lines = tuple(line for line in lines if not self.spares(count.rule, line))
        return [line.pick.id for line in lines]

    @property
    def held(self) -> dict[str, Held[int]]:
        """Holdings of the army under each cap, by the cap's key."""
        if self._held is None:
            self._held = hold_all(self)
        return self._held

    def spares(self, rule: str, line: Line) -> bool:
        """Return whether a unit on the list lifts the rule from the line."""
        return any(selector.matches(line.tags) for selector in self.lifts.get(rule, ()))

    def spared(self, rule: str, member: Line) -> Literal:
        """Return whether a unit on the list lifts a rule from a member."""
        return TRUE if self.spares(rule, member) else FALSE

    def all_models(self) -> int:
        return self.models

    @property
    def members(self) -> tuple[Line, ...]:
        return self.lines

    def has_option(self, member: Line, number: int) -> Literal:
        return TRUE if self._parts[id(member)].get(number) else FALSE

    def in_role(self, role: str) -> list[tuple[Line, Literal]]:
        """Return who may have a role, with whether it has."""
        return [(line, TRUE) for line in self.lines if role in line.pick.roles]

    def is_meant(self, member: Line, selector: Selector) -> Literal:
        return TRUE if selector.matches(self._tags(member)) else FALSE

    def having(self, number: int | None) -> Iterable[tuple[Line, _Items]]:
        if number is None:
            every = (
                (line, [(taken, taken.number) for taken in line.options]) for line in self.lines
            )
            return [one for one in every if one[1]]
        if self._having is None:
            self._having = {}
            for line in self.lines:
                for selector, items in self._parts[id(line)].items():
                    if items:
                        self._having.setdefault(selector, []).append((line, items))
        return self._having.get(number, ())

    def counted(self, count: Count) -> int:
        if count.rule in self.lifts:
            numbers: list[int] = [getattr(one, count.field) for one in self.contributions(count)]
            if count.field == "points" and count.selector == EVERYTHING:
                numbers += [points for _, points in setting_points(self.roster, self.system)]
            return sum(numbers)
        if count.total:
            total: Any = getattr(self, count.total)
            number: int = total[count.number] if count.by_selector else total
            return number
        return sum(self.worth(line, count.field, TRUE) for line in self.matching(count.selector))

    def pieces(self, setting: str, meant: Callable[[Piece], Literal]) -> int:
        values, chosen = self.system.settings[setting].values, self.roster.chosen(setting)
        return len([key for key in chosen if key in values and meant(values[key]) == TRUE])

    def among(self, setting: str, values: Set[str | int] | range) -> Literal:
        """Return whether a setting has one of some values."""
        return TRUE if self.roster.settings.get(setting) in values else FALSE

    def matched(self, selector: Selector, rule: str) -> Iterator[tuple[Line, Literal]]:
        lines = self.matching(selector)
        if rule in self.lifts:
            lines = [line for line in lines if not self.spares(rule, line)]
        return ((line, TRUE) for line in lines)

    def worth(self, member: Line, count: str, meant: Literal) -> int:
        number: int = getattr(member, WORTHS.get(count, count))
        return number

    def faction_of(self, member: Line) -> str:
        """Return a member's faction; "" in games without factions."""
        return self.sides.faction_of(member.unit.attributes) if self.sides else ""

    @property
    def factions(self) -> tuple[tuple[str | None, Literal]]:
        """Return each faction that the warband may be of, with whether it is."""
        return ((self.faction, TRUE),)

    @property
    def faction(self) -> str | None:
        """Id of the warband's faction; None: open, or the system has none."""
        return self.allegiance.faction if self.allegiance else None

    def matching(self, selector: Selector) -> list[Line]:
        """Return the lines whose tags, the side of the faction among them, match the selector."""
        if selector.mentions(CROSS_FACTION):
            return [line for line in self.lines if selector.matches(self._tags(line))]
        return [line for line in self.lines if selector.matches(line.tags)]

    def _tags(self, line: Line) -> Tags:
        """Return the tags of a line, the side of its faction among them."""
        return line.tags | {CROSS_FACTION} if line.pick.id in self.cross else line.tags


def _models_alone(line: Line) -> int:
    """Return the points of a line's models without options."""
    return line.points - line.loadout.points


def _outermost(line: Line, counted: Sequence[Taken]) -> int:
    """Return the points of a line's options, none twice: an option's total includes those on it."""
    places = {id(taken.pick): number for number, taken in enumerate(line.loadout.taken)}
    meant = {places[id(taken.pick)] for taken in counted}
    every = line.loadout.taken
    return sum(taken.total for taken in counted if not above(every, taken) & meant)


def setting_points(roster: Roster, system: Vocabulary) -> list[tuple[Setting, int]]:
    """(setting, points) of every setting that costs points, such as tactical advantage."""
    spent = []
    for setting in system.settings.values():
        if setting.points:
            value = roster.settings.get(setting.id)
            if isinstance(value, int) and value:
                spent.append((setting, value * setting.points))
    return spent


def line_ups(
    roster: Roster,
    system: Vocabulary,
    lines: tuple[Line, ...],
    sides: Sides | None,
    before: Tally | None = None,
) -> tuple[Tally, ...]:
    """Return the line-ups of the roster: with all models, and, if the system has a role for
    models that are only sometimes present and some model has it, without those. `sides`
    decides its faction; `before` is the first of a similar roster.
    """
    role = system.sometimes
    if not role or not any(role in line.pick.roles for line in lines):
        return (Tally(roster, system, lines, sides, before=before),)
    name, army = inside(system.roles[role].name), lines[0].place.army
    whole, less = say("with the {role}", role=name), say("without the {role}", role=name)
    rest = tuple(line for line in lines if role not in line.pick.roles)
    return (
        Tally(roster, system, lines, sides, whole, army),
        Tally(roster, system, rest, sides, less, army),
    )
