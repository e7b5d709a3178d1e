"""Entries of a text priced by the books, and with what no text names."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.fresh import is_scarce
from armybuilder.engine.lines import Line, make_lines
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.units import Unit
from armybuilder.exchange.pasting.entries import MOST_TIMES, NamedEntry
from armybuilder.exchange.pasting.options import OptionSpot
from armybuilder.loading.armylist import ArmyList, ListOption, ListUnit
from armybuilder.loading.documents import make_roster
from armybuilder.loading.limits import MAX_MODELS
from armybuilder.loading.problems import Refusal

#: What a unit is called that may be the General, and an option whose bearer has to be.
_LEADS, _MARKS_GENERAL = "can:lead", "must:lead"
#: A number of models that may be points.
MANY_MODELS = 60


class PricedEntries:
    """Prices entries by a catalogue, in a game of some points."""

    def __init__(
        self, catalogue: Catalogue, limit: int, settings: Mapping[str, SettingValue]
    ) -> None:
        self.catalogue = catalogue
        self.limit = limit
        self.settings = settings

    def line(self, entry: ListUnit) -> Line | None:
        """Return the unit priced as if it were alone; None where the books cannot price it."""
        system = self.catalogue.system
        units = (replace(entry, id="u1"),)
        alone = ArmyList(system.id, (), "", self.limit, self.settings, units=units)
        try:
            roster = make_roster(alone, self.catalogue)
        except Refusal:
            return None
        return next(iter(make_lines(roster, system)), None)

    def models(self, base: ListUnit, options: tuple[ListOption, ...], printed: int) -> int:
        """Return how many models make the printed points; the least where no number does."""
        entry = replace(base, options=options)
        least = base.models
        few, more = (self.line(replace(entry, models=number)) for number in (least, least + 1))
        if few is None or more is None or more.points <= few.points:
            return least
        number = least + (printed - few.points) // (more.points - few.points)
        if not least <= number <= MAX_MODELS:
            return least
        tried = self.line(replace(entry, models=number))
        return number if tried is not None and tried.points == printed else least

    def completed(
        self, entry: ListUnit, spots: Sequence[OptionSpot], printed: int | None
    ) -> tuple[ListUnit, tuple[str, ...]]:
        """Return the entry with required parts that no text names, as far as the points fit.

        Their names come with it. The player chooses anything an army can hold only once.
        """
        added = []
        line = self.line(entry)
        unit = self.catalogue.units[entry.ref]
        top = [spot for spot in spots if len(spot.path) == 1]
        names = {spot.path[0]: spot.option.name for spot in top}
        leading = self._leading(entry, line, top)
        if len(leading) == 1:
            ((entry, line),) = leading
            added.append(entry.options[-1].id)
        free = [spot for spot in top if not is_scarce(spot.option)]
        #: Options to try, of each step; one of them is added where it alone makes the entry better.
        steps: tuple[Callable[[list[str]], list[list[str]]], ...] = (
            lambda short: [[id_] for id_ in short if id_ in names],
            lambda _short: [[pick.id] for pick in unit.fresh if not pick.given],
            lambda short: [[spot.path[0] for spot in free if id_ in spot.groups] for id_ in short],
            # "Flaming Standard" of a Standard Bearer that no text names
            lambda _short: [[spot.path[0] for spot in free]] if "unavailable" in aspects else [],
        )
        for step in steps:
            aspects = {breach.aspect for breach in line.loadout.breaches} if line else set()
            for options in step(_short(line)):
                trials = [
                    replace(entry, options=(*entry.options, ListOption(option)))
                    for option in options
                ]
                better = [(one, its) for one in trials if (its := self._better(line, one, printed))]
                if len(better) == 1:
                    ((entry, line),) = better
                    added.append(entry.options[-1].id)
        return entry, tuple(names[id_] for id_ in added)

    def _leading(
        self, entry: ListUnit, line: Line | None, spots: Iterable[OptionSpot]
    ) -> list[tuple[ListUnit, Line]]:
        """Return the entry with each option that alone makes it the General that its text says."""
        unit = self.catalogue.units[entry.ref]
        if line is None or not entry.roles or unit.can_lead is None or _LEADS in line.tags:
            return []
        marks = (spot.path[0] for spot in spots if _MARKS_GENERAL in spot.option.tags)
        trials = [replace(entry, options=(*entry.options, ListOption(mark))) for mark in marks]
        lines = [(trial, self.line(trial)) for trial in trials]
        return [(trial, its) for trial, its in lines if its is not None and _LEADS in its.tags]

    def _better(self, before: Line | None, trial: ListUnit, printed: int | None) -> Line | None:
        if before is None or trial.options[-1].id in [one.id for one in trial.options[:-1]]:
            return None
        line = self.line(trial)
        if line is None or len(line.loadout.breaches) >= len(before.loadout.breaches):
            return None
        return line if line.points in (before.points, printed) else None


def _short(line: Line | None) -> list[str]:
    """Return the ids of options and groups of a unit of which it has less than it must."""
    short = [one for one in line.loadout.breaches if one.aspect == "group-under"] if line else []
    return [one.path[0] for one in short if one.path is not None and len(one.path) == 1]


def number_ways(entry: NamedEntry, unit: Unit) -> list[NamedEntry]:
    """Return the ways to take a line's numbers.

    Points of several units may be those of all; a number too large for models is points.
    """
    if entry.pair:
        return list(_paired(entry, entry.pair, unit))
    ways = [entry]
    if entry.times > 1 and entry.points and not entry.each and entry.points % entry.times == 0:
        ways.append(replace(entry, points=entry.points // entry.times))
    most = unit.size[1].base if unit.size else 1
    if entry.points and not entry.models and unit.size and entry.points <= (most or MAX_MODELS):
        # "Citizen Spears (30)", "Citizen Spears 30": the number may be that of the models.
        ways.append(replace(entry, models=entry.points, points=None))
    if entry.points and entry.models > 1 and entry.times == 1 and not unit.size:
        ways.append(replace(entry, points=entry.points * entry.models))
    price = unit.price.start
    alone = not (entry.models or unit.size or entry.each)
    if entry.points and alone and price and 2 * entry.points <= price:  # "2 - Orc Raider"
        ways.append(replace(entry, models=entry.points, points=None))
    if entry.times > 1 and entry.models == price and not unit.size:  # "2x8 Orc Raider"
        ways.append(replace(entry, times=1, models=entry.times, points=entry.times * price))
    if 0 < (entry.points or 0) < entry.models and entry.times == 1:  # "[92] Orc Warrior (4)"
        ways.append(replace(entry, models=entry.points or 0, points=entry.models))
    if entry.points is None and entry.models >= MANY_MODELS and most is not None:
        if entry.models > most:
            ways = []
        ways.append(replace(entry, models=0, points=entry.models))
    return ways


def _paired(entry: NamedEntry, pair: tuple[int, int], unit: Unit) -> Iterator[NamedEntry]:
    """Yield the meanings of two numbers: models, or units of a size, and points of each."""
    points = entry.points or 0
    for one, other in (pair, pair[::-1]):
        if unit.size and one <= MOST_TIMES:
            yield replace(entry, times=one, models=other, points=None)
        for printed in dict.fromkeys((points, other)):
            if one <= MAX_MODELS:
                yield replace(entry, models=one, points=printed)
