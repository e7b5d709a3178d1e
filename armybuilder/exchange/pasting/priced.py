"""Entries of a text priced as if they were alone; what they lack and no text names is added."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.fresh import is_scarce
from armybuilder.engine.lines import Line, make_lines
from armybuilder.engine.roster import SettingValue
from armybuilder.exchange.pasting.options import OptionSpot
from armybuilder.loading.armylist import ArmyList, ListOption, ListUnit
from armybuilder.loading.documents import make_roster
from armybuilder.loading.limits import MAX_MODELS
from armybuilder.loading.problems import Refusal


class PricedEntries:
    """Prices entries by a catalogue, in a game of so many points."""

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
        """Return the entry with what it must have and what it comes with, and, where something must
        be chosen, with the only thing that may be, as far as the points fit; and what that is.
        """
        added = []
        line = self.line(entry)
        for ways_of in (self._dues, self._fresh, self._choices):
            for ways in ways_of(entry, line, spots):
                trials = (_with(entry, option) for option in ways)
                better = [(one, its) for one in trials if (its := self._better(line, one, printed))]
                if len(better) == 1:
                    ((entry, line),) = better
                    added.append(entry.options[-1].id)
        names = {spot.path[0]: spot.option.name for spot in spots if len(spot.path) == 1}
        return entry, tuple(names[id_] for id_ in added)

    def _dues(
        self, _entry: ListUnit, line: Line | None, spots: Sequence[OptionSpot]
    ) -> Iterator[list[str]]:
        """Yield each option that a unit must have, and has not."""
        ids = {spot.path[0] for spot in spots if len(spot.path) == 1}
        yield from ([one] for one in _short(line) if one in ids)

    def _fresh(
        self, entry: ListUnit, _line: Line | None, _spots: Sequence[OptionSpot]
    ) -> Iterator[list[str]]:
        """Yield each option that a unit comes with."""
        for pick in self.catalogue.units[entry.ref].fresh:
            if not pick.given:
                yield [pick.id]

    def _choices(
        self, _entry: ListUnit, line: Line | None, spots: Sequence[OptionSpot]
    ) -> Iterator[list[str]]:
        """Yield the options of each group of which a unit must have more. What an army may hold
        only once is for the player to choose.
        """
        top = [spot for spot in spots if len(spot.path) == 1 and not is_scarce(spot.option)]
        for group in _short(line):
            yield [spot.path[0] for spot in top if group in spot.groups]

    def _better(self, had: Line | None, trial: ListUnit, printed: int | None) -> Line | None:
        """Return the line of an entry with one option more, None where it does not fit the book
        better, or costs more than the text says.
        """
        if had is None or trial.options[-1].id in [one.id for one in trial.options[:-1]]:
            return None
        line = self.line(trial)
        if line is None or len(line.loadout.breaches) >= len(had.loadout.breaches):
            return None
        return line if line.points in (had.points, printed) else None


def _short(line: Line | None) -> list[str]:
    """Return the ids of options and groups of a unit of which it has less than it must."""
    short = [one for one in line.loadout.breaches if one.aspect == "group-under"] if line else []
    return [one.path[0] for one in short if one.path is not None and len(one.path) == 1]


def _with(entry: ListUnit, option: str) -> ListUnit:
    return replace(entry, options=(*entry.options, ListOption(option)))
