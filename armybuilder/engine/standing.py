"""How a roster stands: its picks priced and tallied, once, for all rules to read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from armybuilder.engine.amounts import Amount
from armybuilder.engine.catalogue import System, Unit
from armybuilder.engine.conditions import Army, Place, in_role
from armybuilder.engine.loadout import (
    EMPTY,
    STAT_LINE,
    Breach,
    Doubt,
    Loadout,
    Taken,
    count_taken,
    work_out,
)
from armybuilder.engine.options import Cap, Option, Restriction
from armybuilder.engine.prices import Price
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.selectors import CROSS_FACTION, Selector, Tags
from armybuilder.engine.wording import inside, say


class Allegiance(NamedTuple):
    """What the warband's faction is. `faction` None: open; `tied` names those that tie."""

    faction: str | None
    tied: tuple[str, ...] = ()
    mixed: bool = False


class Line(NamedTuple):
    """A pick whose unit is known. `points` is what is paid; `each` the normal points of one.
    `loadout` is what is taken on it, `place` where its conditions are asked.
    """

    pick: Pick
    unit: Unit
    models: int
    tags: Tags
    points: int
    each: int
    place: Place
    loadout: Loadout = EMPTY

    @property
    def name(self) -> str:
        """What the player knows it by."""
        return self.pick.name or self.unit.name


class Contribution(NamedTuple):
    """What one line adds to a count: as a whole, or with those of its options that are meant."""

    line: Line
    models: int
    points: int
    picks: int

    @property
    def units(self) -> int:
        """One, whatever of it is meant."""
        return 1


@dataclass(slots=True)
class Held:
    """How often the army holds what one cap counts, the tags of that (of the first of them), and
    the ids of the picks that do.
    """

    name: str
    book: str
    cap: Cap
    tags: Tags
    number: int
    models: int
    points: int
    units: list[str]


class Standing:
    """One line-up of a roster, tallied. Numbers by selector: see `Tallies`."""

    __slots__ = (
        "_held",
        "_lifts",
        "_models_in",
        "allegiance",
        "cross",
        "lines",
        "lineup",
        "models",
        "models_by",
        "options_by",
        "picks_by",
        "place",
        "points",
        "points_by",
        "roster",
        "system",
    )

    def __init__(
        self, roster: Roster, system: System, lines: tuple[Line, ...], lineup: str = ""
    ) -> None:
        self.roster = roster
        self.system = system
        self.lines = lines
        self.lineup = lineup
        # The last line knows the army best: `choices` adds its trial there.
        self.place = Place(lines[-1].place.army if lines else census(roster, system, ()))
        selectors = len(system.tallies.selectors)
        self.models_by = [0] * selectors
        self.points_by = [0] * selectors
        self.picks_by = [0] * selectors
        self.options_by: list[list[tuple[Line, Taken]]] = [[] for _ in range(selectors)]
        #: Points of a line's models, by the selector that counts them apart from it, by pick id.
        self._models_in: dict[int, dict[str, int]] = {}
        self._held: dict[str, Held] | None = None
        self._lifts: dict[str, list[Selector]] | None = None
        self.models = 0
        self.points = sum(points for _, points in setting_points(roster, system))
        self._tally()
        self.cross: frozenset[str] = frozenset()
        self.allegiance: Allegiance | None = None
        if system.faction is not None:
            self.allegiance = system.faction.settle(self)
            self.cross = system.faction.cross(self)

    def _tally(self) -> None:
        hits_of = self.system.tallies.hits
        for line in self.lines:
            models = line.models
            self.models += models
            self.points += line.points
            hits = hits_of(line.tags)
            for number in hits:
                self.models_by[number] += models
                self.points_by[number] += line.points
                self.picks_by[number] += 1
            if line.unit.models_in:
                self._split(line, hits)
            if line.loadout.taken:
                self._tally_options(line, hits)

    def _tally_options(self, line: Line, hits: tuple[int, ...]) -> None:
        """Counts what is taken on a line, where the line as a whole is not meant already."""
        hits_of = self.system.tallies.option_hits
        inside: dict[int, set[int]] = {}
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
                self.picks_by[number] += taken.number
                if above is None or number not in above:
                    self.points_by[number] += taken.total
                self.options_by[number].append((line, taken))

    def _split(self, line: Line, hits: tuple[int, ...]) -> None:
        """Counts the price of a line's models by itself, where the line as a whole is not meant."""
        points = line.points - line.loadout.points
        for number in self.system.tallies.option_hits(line.unit.models_in):
            if number not in hits:
                self.points_by[number] += points
                self._models_in.setdefault(number, {})[line.pick.id] = points

    def contributions(self, selector: Selector, number: int) -> Iterator[Contribution]:
        """What each line adds to a count of what the selector, of this number in the tallies,
        matches: as a unit, or by its options and the price of its models.
        """
        whole = {line.pick.id for line in self.matching(selector)}
        options: dict[str, list[Taken]] = {}
        for line, taken in self.options_by[number]:
            options.setdefault(line.pick.id, []).append(taken)
        apart = self._models_in.get(number, {})
        for line in self.lines:
            key = line.pick.id
            if key in whole:
                yield Contribution(line, line.models, line.points, 1)
            elif key in options or key in apart:
                counted = options.get(key, [])
                yield Contribution(
                    line,
                    line.models * len(counted),
                    _outermost(line, counted) + apart.get(key, 0),
                    sum(taken.number for taken in counted),
                )

    @property
    def held(self) -> dict[str, Held]:
        """What the army holds of everything with a cap, by the cap's key."""
        if self._held is None:
            found: dict[str, Held] = {}
            for line in self.lines:
                if line.unit.cap is not None:
                    _hold(found, line, line.unit, line.unit.cap, 1, line.points)
                for taken in line.loadout.taken:
                    option = taken.slot.option
                    if option.cap is not None:
                        _hold(found, line, option, option.cap, taken.number, taken.total)
            self._held = found
        return self._held

    @property
    def lifts(self) -> dict[str, list[Selector]]:
        """Whom rules do not speak of because of some unit on the list, by the rule's id."""
        if self._lifts is None:
            self._lifts = {}
            for line in self.lines:
                for lift in line.unit.lifts:
                    self._lifts.setdefault(lift.rule, []).append(lift.selector)
        return self._lifts

    def spares(self, rule: str, line: Line) -> bool:
        """Whether a unit on the list lifts the rule from the line."""
        selectors = self.lifts.get(rule)
        return bool(selectors) and any(selector.matches(line.tags) for selector in selectors or ())

    @property
    def faction(self) -> str | None:
        """Id of the warband's faction; None: open, or the system has none."""
        return self.allegiance.faction if self.allegiance else None

    def matching(self, selector: Selector) -> Iterator[Line]:
        """The lines whose tags, the side of the faction among them, match the selector."""
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
    """Points of options of a line, none twice: what is taken on one of them is in its total."""
    places = {id(taken.pick): number for number, taken in enumerate(line.loadout.taken)}
    meant = {places[id(taken.pick)] for taken in counted}
    return sum(taken.total for taken in counted if not _above(line, taken) & meant)


def _above(line: Line, taken: Taken) -> set[int]:
    """The places of the options it is taken on."""
    found = set()
    while taken.parent >= 0:
        found.add(taken.parent)
        taken = line.loadout.taken[taken.parent]
    return found


def _hold(
    found: dict[str, Held], line: Line, what: Unit | Option, cap: Cap, number: int, points: int
) -> None:
    had = found.get(cap.key)
    if had is None:
        book, models, units = line.unit.book_name, line.models, [line.pick.id]
        found[cap.key] = Held(what.name, book, cap, what.tags, number, models, points, units)
        return
    had.number += number
    had.points += points
    if had.units[-1] != line.pick.id:
        had.models += line.models
        had.units.append(line.pick.id)


def setting_points(roster: Roster, system: System) -> list[tuple[str, int]]:
    """(name, points) of every setting that costs points, such as tactical advantage."""
    spent = []
    for setting in system.settings.values():
        if setting.points:
            value = roster.settings.get(setting.id)
            if isinstance(value, int) and value:
                spent.append((setting.name, value * setting.points))
    return spent


def census(roster: Roster, system: System, counts: Iterable[tuple[Pick, dict[str, int]]]) -> Army:
    """The army as conditions see it, from what is taken on each pick."""
    watched = system.tallies.watched
    numbers: dict[str, int] = {}
    if watched:
        for pick, taken in counts:
            unit = f"unit:{pick.ref}"
            if unit in watched:
                numbers[unit] = numbers.get(unit, 0) + 1
            for role in pick.roles:
                tag = in_role(unit, role)
                if tag in watched:
                    numbers[tag] = numbers.get(tag, 0) + 1
            for tag in taken.keys() & watched:
                numbers[tag] = numbers.get(tag, 0) + taken[tag]
    return Army(roster.limit, roster.settings, numbers)


def make_line(pick: Pick, system: System, army: Army, taken: dict[str, int]) -> Line | None:
    """The pick priced: options included, shares of its roles applied. None: unit unknown.

    `taken` is what `count_taken` says of its picks.
    """
    unit = pick.unit
    if unit is None:
        return None
    models = pick.models if unit.counts else 0
    tags = unit.tags
    if pick.roles:
        tags = tags | {f"role:{role}" for role in pick.roles}
    place = Place(army, taken, models, tags)
    if unit.shifts:
        tags = _shifted(unit, place)
        place = place._replace(tags=tags)
    loadout = EMPTY
    price = unit.price
    if not unit.plain or pick.picks:
        loadout = work_out(unit, pick.picks, place)
        tags = _tags(tags, unit, loadout, place)
        if unit.needs is not None and unit.needs.told(place) is not True:
            loadout = _refused(unit, loadout, place)
        if unit.unchecked:
            loadout = loadout._replace(doubts=(*_unit_doubts(unit, place), *loadout.doubts))
        if unit.price_changes:
            price = _moved(unit, place)
    points = price.of(models) + loadout.points
    each = points
    if unit.size is None:
        if models != 1:
            single = work_out(unit, pick.picks, place._replace(models=1)) if pick.picks else EMPTY
            each = price.of(1) + single.points
        for role in pick.roles:
            share = system.roles[role].price if role in system.roles else None
            if share is not None:
                points = models * share.up(each)
    return Line(pick, unit, models, tags, points, each, place, loadout)


def _tags(tags: Tags, unit: Unit, loadout: Loadout, place: Place) -> Tags:
    """The tags of a line: its unit's, those its options bring, and the categories it joins."""
    more = [
        keyword.tag
        for taken in loadout.taken
        for keyword in taken.slot.option.keywords
        if keyword.condition is None or keyword.condition.holds(place)
    ]
    more += [
        keyword.tag
        for keyword in unit.keywords
        if keyword.condition is not None and keyword.condition.holds(place)
    ]
    if unit.can_lead is not None and unit.can_lead.holds(place):
        more.append("can:lead")
    if more:
        tags = tags | frozenset(more)
    for category, joins, condition in unit.category_changes:
        if condition is None or condition.holds(place):
            changed = {f"category:{category}"}
            tags = tags | changed if joins else tags - changed
    return tags


def _shifted(unit: Unit, place: Place) -> Tags:
    """The tags of the unit with what its options and the army make of it."""
    tags = place.tags
    for condition, gains, loses in unit.shifts:
        if condition.holds(place):
            tags = (tags - loses) | gains
    return tags


def _unit_doubts(unit: Unit, place: Place) -> Iterator[Doubt]:
    """What the book asks of the unit itself and nobody can judge."""
    for restriction in unit.unchecked:
        if restriction.applies(place):
            yield Doubt("", unit.name, restriction)


def _refused(unit: Unit, loadout: Loadout, place: Place) -> Loadout:
    """The loadout with the breach that the unit may not be taken at all here, or, where the book
    leaves that open, the doubt whether it may.
    """
    why = unit.needs.lack(place) if unit.needs is not None else ""
    if unit.needs is not None and unit.needs.told(place) is None:
        doubt = Doubt("", unit.name, Restriction(why, STAT_LINE))
        return loadout._replace(doubts=(doubt, *loadout.doubts))
    breach = Breach("unavailable", "", None, None, {"option": say("not to be had"), "why": why})
    return loadout._replace(breaches=(breach, *loadout.breaches))


def _moved(unit: Unit, place: Place) -> Price:
    """The unit's price with what its conditions change of it."""
    start, extra = (
        Amount(base, tuple(change for of_each, change in unit.price_changes if of_each is each))
        for base, each in ((unit.price.start, False), (unit.price.extra, True))
    )
    return Price(start.at(place), unit.price.size, extra.number(place))


def make_lines(roster: Roster, system: System) -> tuple[Line, ...]:
    """All picks whose unit is known, priced."""
    counted = [(pick, count_taken(pick.picks) if pick.picks else {}) for pick in roster.picks]
    army = census(roster, system, counted)
    lines = (make_line(pick, system, army, taken) for pick, taken in counted)
    return tuple(line for line in lines if line is not None)


def line_ups(roster: Roster, system: System, lines: tuple[Line, ...]) -> tuple[Standing, ...]:
    """The roster as it can stand on the table: with all models, and, where the system has a
    role for models that are there only sometimes and some model has it, without those.
    """
    role = system.sometimes
    if not role or not any(role in line.pick.roles for line in lines):
        return (Standing(roster, system, lines),)
    name = inside(system.roles[role].name)
    rest = tuple(line for line in lines if role not in line.pick.roles)
    return (
        Standing(roster, system, lines, say("with the {role}", role=name)),
        Standing(roster, system, rest, say("without the {role}", role=name)),
    )
