"""Lines: the picks of a roster priced, with their options and the tags that follow from them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from armybuilder.engine import loadout
from armybuilder.engine.amounts import Amount
from armybuilder.engine.conditions import Army, Place, in_role
from armybuilder.engine.loadout import (
    EMPTY,
    Loadout,
    Taken,
    count_taken,
    work_out,
)
from armybuilder.engine.prices import Price
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.selectors import Tags
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal
from armybuilder.engine.units import Shift, Unit
from armybuilder.engine.vocabulary import Vocabulary


class Line(NamedTuple):
    """A pick with a known unit. `points` is its price; `each` the normal points of one. `loadout`
    has its options, `place` is where its conditions are checked: for models that are bought singly,
    one model. `units` is their number: one, or all models if these are bought one by one.
    """

    pick: Pick
    unit: Unit
    models: int
    tags: Tags
    points: int
    each: int
    place: Place
    units: int
    loadout: Loadout = EMPTY

    @property
    def key(self) -> str:
        """The id of its pick."""
        return self.pick.id

    @property
    def present(self) -> Literal:
        """Return whether it is present: always."""
        return TRUE

    @property
    def seen(self) -> Place:
        """Its place as rules see it, with the tags that its options bring."""
        army, taken, models, _ = self.place
        return Place(army, taken, models, self.tags)

    @property
    def options(self) -> tuple[Taken, ...]:
        """Options taken on it."""
        return self.loadout.taken

    @property
    def capped(self) -> tuple[Taken, ...]:
        """Options taken on it of which an army may have a maximum."""
        return self.loadout.capped

    def carries(self, piece: str) -> Literal:
        """Return whether it has a piece of equipment, as an option or by itself."""
        has = f"option:{piece}" in self.place.taken or f"keyword:{piece}" in self.tags
        return TRUE if has else FALSE

    def put_on(self, item: Taken) -> dict[str, Literal]:
        """Return the piece that an enchantment is put on, if the list names one."""
        return {item.pick.on: TRUE} if item.pick.on else {}

    def on_all(self, number: int) -> int:
        """Return an amount for each of its units, in total."""
        return number * self.units

    def has_role(self, role: str) -> Literal:
        """Return whether it has a role."""
        return TRUE if role in self.pick.roles else FALSE

    @property
    def name(self) -> str:
        """Name that the player sees."""
        return self.pick.name or self.unit.name

    @property
    def caps(self) -> set[str]:
        """The keys of the caps of all that it has."""
        caps = {cap.key for one in self.loadout.capped if (cap := one.slot.option.cap)}
        return caps if self.unit.cap is None else {*caps, self.unit.cap.key}

    def lifts(self, rule: str) -> bool:
        """Return whether it lifts a rule from others: without it these would count too."""
        return any(lift.rule == rule for lift in self.unit.lifts)


def census(
    roster: Roster, system: Vocabulary, counts: Iterable[tuple[Pick, Mapping[str, int]]]
) -> Army:
    """Return the army as conditions see it, from the options of each pick."""
    watched = system.selector_index.watched
    numbers: dict[str, int] = {}
    if watched:
        for pick, taken in counts:
            unit, units = f"unit:{pick.ref}", pick.units
            if unit in watched:
                numbers[unit] = numbers.get(unit, 0) + units
            for role in pick.roles:
                tag = in_role(unit, role)
                if tag in watched:
                    numbers[tag] = numbers.get(tag, 0) + units
            for tag in taken.keys() & watched:
                numbers[tag] = numbers.get(tag, 0) + taken[tag] * units
    return Army(roster.limit, roster.settings, numbers)


def make_line(pick: Pick, system: Vocabulary, army: Army, taken: Mapping[str, int]) -> Line | None:
    """Return the pick priced: options included, shares of its roles applied. None: unit unknown.

    `taken` is what `count_taken` says of its picks.
    """
    unit = pick.unit
    if unit is None:
        return None
    models, units = pick.models if unit.counts else 0, pick.units
    tags = unit.tags
    if pick.roles:
        tags = tags | {f"role:{role}" for role in pick.roles}
    place = Place(army, taken, min(models, 1) if unit.size is None else models, tags)
    if unit.shifts:
        tags = _shifted(tags, unit.shifts, place)
        place = place._replace(tags=tags)
    loadout = EMPTY
    price = unit.price
    if not unit.plain or pick.picks:
        loadout = work_out(unit, pick.picks, place)
        tags = _shifted(_with_options(tags, loadout, place), unit.later, place)
        if unit.price_changes:
            start, extra = unit.costs
            price = Price(start.at(place), price.size, extra.number(place))
    each = price.of(place.models) + loadout.points
    points = each * units
    for role in pick.roles if unit.size is None else ():
        share = system.roles[role].price if role in system.roles else None
        if share is not None:
            points = units * share.up(each)
    if units != 1 and loadout.taken:
        loadout = loadout.times(units)
    return Line(pick, unit, models, tags, points, each, place, units, loadout)


def _with_options(tags: Tags, loadout: Loadout, place: Place) -> Tags:
    """Return the tags of a unit, with those that its options bring."""
    brought = [
        keyword.tag
        for taken in loadout.taken
        for keyword in taken.slot.option.keywords
        if keyword.condition is None or keyword.condition.holds(place)
    ]
    return tags.union(brought) if brought else tags


def _shifted(tags: Tags, shifts: Iterable[Shift], place: Place) -> Tags:
    """Return tags as they are after changes at a place."""
    for condition, gains, loses in shifts:
        if condition is None or condition.holds(place):
            tags = (tags - loses if loses else tags) | gains
    return tags


def make_lines(
    roster: Roster, system: Vocabulary, before: Mapping[int, Line] = MappingProxyType({})
) -> tuple[Line, ...]:
    """Return all picks with a known unit, priced. A line `before`, by the identity of its pick,
    from another roster of the same system, is reused if no changed condition applies to it.
    """
    if not before:
        counted = [(pick, count_taken(pick.picks)) for pick in roster.picks]
        army = census(roster, system, counted)
        made = [make_line(pick, system, army, taken) for pick, taken in counted]
        return tuple([line for line in made if line is not None])
    known = [(pick, before.get(id(pick))) for pick in roster.picks]
    new = {id(pick): count_taken(pick.picks) for pick, line in known if line is None}
    army = _army(roster, system, known, new, before)
    lines = []
    for pick, line in known:
        if line is None or line.place.army is not army:
            taken = new[id(pick)] if line is None else line.place.taken
            line = None if line is None else _held(line, army)
            line = line or make_line(pick, system, army, taken)
        if line is not None:
            lines.append(line)
    return tuple(lines)


def _army(
    roster: Roster,
    system: Vocabulary,
    known: Iterable[tuple[Pick, Line | None]],
    new: Mapping[int, Mapping[str, int]],
    before: Mapping[int, Line],
) -> Army:
    """Return the army of known lines and new picks: that of the lines before if it is the same."""
    added = [(pick, new[id(pick)]) for pick, line in known if line is None]
    was = next(iter(before.values())).place.army
    if was.limit == roster.limit and was.settings == roster.settings:
        less: list[tuple[Pick, Mapping[str, int]]] = []
        if len(roster.picks) - len(added) < len(before):
            here = {id(pick) for pick in roster.picks}
            gone = [one for key, one in before.items() if key not in here]
            less = [(one.pick, one.place.taken) for one in gone]
        if census(roster, system, added).counts == census(roster, system, less).counts:
            return was
    there = [(pick, line.place.taken) for pick, line in known if line is not None]
    return census(roster, system, [*added, *there])


def _held(line: Line, army: Army) -> Line | None:
    """Return a line for another army; None if it would change there."""
    was = line.place.army
    if was is army or was == army:
        return line
    if was.limit != army.limit or was.settings != army.settings:
        return None
    if any(was.counts.get(tag) != army.counts.get(tag) for tag in line.unit.army_tags):
        return None
    return line._replace(place=line.place._replace(army=army))


def path_text(line: Line, place: int) -> str:
    """Return the path to the option at a place among all that is taken, as acts name it: "a/b"."""
    return "/".join(loadout.path_of(line.loadout.taken, place))


def size_bounds(unit: Unit, line: Line | None = None) -> tuple[int, int | None]:
    """Return the least and most models of a unit, on a line or by itself."""

    def at(amount: Amount) -> int | None:
        return amount.base if line is None else amount.at(line.place)

    least, most = unit.size or (Amount(1), Amount(1))
    return at(least) or 0, at(most)
