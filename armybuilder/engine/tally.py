"""The tally of a roster: its picks with prices and counts, computed once for all rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from armybuilder.engine.amounts import Amount
from armybuilder.engine.conditions import Army, Place
from armybuilder.engine.holding import Held, hold_all
from armybuilder.engine.lines import Line, census
from armybuilder.engine.loadout import Taken, above
from armybuilder.engine.roster import Roster
from armybuilder.engine.selectors import CROSS_FACTION, EVERYTHING, Count, Selector
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal
from armybuilder.engine.space.space import SidesIn
from armybuilder.engine.view import View
from armybuilder.engine.vocabulary import Piece, Setting, Vocabulary
from armybuilder.engine.wording import inside, say

#: What of a line a count takes, where it is called otherwise.
WORTHS = {"price": "each", "picks": "units"}


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

    def cross(self, tally: Tally) -> frozenset[str]:
        """Return ids of the picks of other factions."""
        ...

    def names(self, tally: Tally, factions: Sequence[str]) -> list[str]:
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

    def __init__(
        self,
        roster: Roster,
        system: Vocabulary,
        lines: tuple[Line, ...],
        sides: Sides | None,
        lineup: str = "",
        army: Army | None = None,
    ) -> None:
        self.roster = roster
        self.system = system
        self.lines = lines
        self.sides = sides
        self.lineup = lineup
        if army is None:
            army = lines[0].place.army if lines else census(roster, system, ())
        self.place = Place(army)
        selectors = len(system.selector_index.selectors)
        self.models_by = [0] * selectors
        self.points_by = [0] * selectors
        self.picks_by = [0] * selectors
        self.options_by: list[list[tuple[Line, Taken]]] = [[] for _ in range(selectors)]
        #: Points of a line's models, by the selector that counts them apart from it, by pick id.
        self._models_in: dict[int, dict[str, int]] = {}
        self._held: dict[str, Held[int]] | None = None
        #: Whom rules do not speak of because of some unit on the list, by the rule's id.
        self.lifts: dict[str, list[Selector]] = {}
        self.models = 0
        self.points = sum(points for _, points in setting_points(roster, system))
        self._tally(lines)
        self._settle()

    def _settle(self) -> None:
        """Find out the faction, and who is of another."""
        self.cross: frozenset[str] = frozenset()
        self.allegiance: Allegiance | None = None
        if self.sides is not None:
            self.allegiance = self.sides.settle(self)
            self.cross = self.sides.cross(self)

    def of_lines(self, lines: tuple[Line, ...], caps: Collection[str] = ()) -> Tally:
        """Return a tally of some of its lines in the same army, without its faction; holdings under
        the caps of these keys are those of all lines.
        """
        some = Tally(self.roster, self.system, lines, None, self.lineup, self.place.army)
        some._held = hold_all(self, self.lines, {}, caps) if caps else {}
        return some

    def with_line(self, line: Line) -> Tally:
        """Return the same with one line more, in the same army."""
        more = copy(self)
        more.lines = (*self.lines, line)
        more.models_by, more.points_by = self.models_by[:], self.points_by[:]
        more.picks_by, more.options_by = self.picks_by[:], [one[:] for one in self.options_by]
        more._models_in = {number: {**those} for number, those in self._models_in.items()}
        more.lifts = {rule: spared[:] for rule, spared in self.lifts.items()}
        more._held = None
        more._tally((line,))
        more._settle()
        return more

    def alone(self, line: Line) -> Tally:
        """Return a tally of one line without the others, except for caps: there it has the
        holdings of all."""
        alone, caps = self.of_lines((line,)), line.caps
        had = {key: held.copy() for key, held in self.held.items() if key in caps}
        alone._held = hold_all(self, (line,), had, caps)
        return alone

    def _tally(self, lines: Iterable[Line]) -> None:
        hits_of = self.system.selector_index.hits
        for line in lines:
            models, units = line.models, line.units
            self.models += models
            self.points += line.points
            hits = hits_of(line.tags)
            for number in hits:
                self.models_by[number] += models
                self.points_by[number] += line.points
                self.picks_by[number] += units
            for lift in line.unit.lifts:
                self.lifts.setdefault(lift.rule, []).append(lift.selector)
            if line.unit.models_in:
                self._split(line, hits)
            if line.loadout.taken:
                self._tally_options(line, hits)

    def _tally_options(self, line: Line, hits: tuple[int, ...]) -> None:
        """Count the options of a line for selectors that don't match the line as a whole."""
        hits_of = self.system.selector_index.option_hits
        units, inside = line.units, dict[int, set[int]]()
        for place, taken in enumerate(line.loadout.taken):
            option = taken.slot.option
            found = hits_of(option.tags)
            above = inside.get(taken.parent)
            if option.offer.nodes and (above or found):
                inside[place] = {*(above or ()), *found}
            for number in found:
                # A unit or option that is meant counts whole.
                if number in hits:
                    continue
                self.models_by[number] += line.models
                self.picks_by[number] += taken.number * units
                if above is None or number not in above:
                    self.points_by[number] += taken.total
                self.options_by[number].append((line, taken))

    def _split(self, line: Line, hits: tuple[int, ...]) -> None:
        """Count the price of a line's models alone if the line as a whole doesn't match."""
        points = line.points - line.loadout.points
        for number in self.system.selector_index.option_hits(line.unit.models_in):
            if number not in hits:
                self.points_by[number] += points
                self._models_in.setdefault(number, {})[line.pick.id] = points

    def contributions(self, count: Count) -> Iterator[Contribution]:
        """Return what each line adds to a count, as a unit or by its options and the price of its
        models. A unit counts as one only as a whole.
        """
        for one in self._contributions(count.selector, count.number):
            if (one.whole or count.field != "units") and not self.spares(count.rule, one.line):
                yield one

    def _contributions(self, selector: Selector, number: int) -> Iterator[Contribution]:
        whole = {line.pick.id for line in self.matching(selector)}
        options: dict[str, list[Taken]] = {}
        for line, taken in self.options_by[number]:
            options.setdefault(line.pick.id, []).append(taken)
        apart = self._models_in.get(number, {})
        for line in self.lines:
            key = line.pick.id
            if key in whole:
                yield Contribution(line, line.models, line.points, line.units, True)
            elif key in options or key in apart:
                counted = options.get(key, [])
                yield Contribution(
                    line,
                    line.models * len(counted),
                    _outermost(line, counted) + apart.get(key, 0),
                    sum(taken.number for taken in counted) * line.units,
                    False,
                    tuple(counted),
                )

    def meant(self, count: Count) -> Iterator[str]:
        """Return the ids of the picks that `contributions` speaks of."""
        number, lines = count.number, self.lines
        if count.selector != EVERYTHING:
            meant = {line.pick.id for line in self.matching(count.selector)}
            if count.field != "units":
                options = (line.pick.id for line, _ in self.options_by[number])
                meant.update(self._models_in.get(number, ()), options)
            lines = tuple(line for line in lines if line.pick.id in meant)
        if count.rule in self.lifts:
            lines = tuple(line for line in lines if not self.spares(count.rule, line))
        return (line.pick.id for line in lines)

    @property
    def held(self) -> dict[str, Held[int]]:
        """Holdings of the army under each cap, by the cap's key."""
        if self._held is None:
            self._held = hold_all(self, self.lines, {})
        return self._held

    def spares(self, rule: str, line: Line) -> bool:
        """Return whether a unit on the list lifts the rule from the line."""
        return any(selector.matches(line.tags) for selector in self.lifts.get(rule, ()))

    def all_models(self) -> int:
        return self.models

    @property
    def members(self) -> tuple[Line, ...]:
        return self.lines

    def number(self, literal: Literal) -> int:
        return int(literal == TRUE)

    def at_least(self, number: int, least: int) -> Literal:
        return TRUE if number >= least else FALSE

    def has_option(self, member: Line, number: int) -> Literal:
        has = any(line is member for line, _ in self.options_by[number])
        return TRUE if has else FALSE

    def is_meant(self, member: Line, selector: Selector) -> Literal:
        crosses = member.pick.id in self.cross
        tags = member.tags | {CROSS_FACTION} if crosses else member.tags
        return TRUE if selector.matches(tags) else FALSE

    def having(self, number: int) -> Iterable[tuple[Line, list[tuple[Taken, int]]]]:
        found: dict[str, tuple[Line, list[tuple[Taken, int]]]] = {}
        for line, taken in self.options_by[number]:
            key = line.pick.id
            if key in found:
                found[key][1].append((taken, taken.number))
            else:
                found[key] = line, [(taken, taken.number)]
        return found.values()

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        return TRUE if TRUE in literals else FALSE

    def constant(self, number: int) -> int:
        return number

    def sum(self, numbers: Iterable[int]) -> int:
        return sum(numbers)

    def amount(self, amount: Amount, member: Line | None = None) -> tuple[int, Literal]:
        place = self.place if member is None else member.place._replace(tags=member.tags)
        value = amount.at(place)
        return (0, FALSE) if value is None else (value, TRUE)

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
        found = 0
        for key in chosen:
            if key in values and meant(values[key]) == TRUE:
                found += 1
        return found

    def among(self, setting: str, values: frozenset[str] | range) -> Literal:
        """Return whether a setting has one of some values."""
        return TRUE if self.roster.settings.get(setting) in values else FALSE

    def matched(self, selector: Selector, rule: str) -> Iterator[tuple[Line, Literal]]:
        lines = self.matching(selector)
        if rule in self.lifts:
            lines = (line for line in lines if not self.spares(rule, line))
        return ((line, TRUE) for line in lines)

    def worth(self, member: Line, count: str, meant: Literal) -> int:
        number: int = getattr(member, WORTHS.get(count, count))
        return number

    @property
    def faction(self) -> str | None:
        """Id of the warband's faction; None: open, or the system has none."""
        return self.allegiance.faction if self.allegiance else None

    def matching(self, selector: Selector) -> Iterator[Line]:
        """Return the lines whose tags, the side of the faction among them, match the selector."""
        if selector.mentions(CROSS_FACTION):
            for line in self.lines:
                tags = line.tags | {CROSS_FACTION} if line.pick.id in self.cross else line.tags
                if selector.matches(tags):
                    yield line
        else:
            for line in self.lines:
                if selector.matches(line.tags):
                    yield line


def _outermost(line: Line, counted: list[Taken]) -> int:
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
    army: Army | None = None,
    names: tuple[str, str] | None = None,
) -> tuple[Tally, ...]:
    """Return the line-ups of the roster: with all models, and, if the system has a role for
    models that are only sometimes present and some model has it, without those. `sides`
    decides its faction. `army` is required if lines were made for other armies than this;
    `names`, for callers who make many, is a lookup to share."""
    role = system.sometimes
    if not role or not any(role in line.pick.roles for line in lines):
        return (Tally(roster, system, lines, sides, army=army),)
    whole, less = names or names_of_line_ups(system)
    rest = tuple(line for line in lines if role not in line.pick.roles)
    return (
        Tally(roster, system, lines, sides, whole, army),
        Tally(roster, system, rest, sides, less, army),
    )


def names_of_line_ups(system: Vocabulary) -> tuple[str, str]:
    """Return what line-ups are called with and without the models that are there only sometimes."""
    if not system.sometimes:
        return "", ""
    name = inside(system.roles[system.sometimes].name)
    return say("with the {role}", role=name), say("without the {role}", role=name)
