"""How a roster stands: its picks priced and tallied, once, for all rules to read."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from armybuilder.engine.catalogue import System, Unit
from armybuilder.engine.roster import OptionPick, Pick, Roster
from armybuilder.engine.selectors import CROSS_FACTION, Selector, Tags


class Allegiance(NamedTuple):
    """What the warband's faction is. `faction` None: open; `tied` names those that tie."""

    faction: str | None
    tied: tuple[str, ...] = ()
    mixed: bool = False


class Line(NamedTuple):
    """A pick whose unit is known. `points` is what is paid; `each` the normal points of one."""

    pick: Pick
    unit: Unit
    models: int
    tags: Tags
    points: int
    each: int


class Standing:
    """One line-up of a roster, tallied. Numbers by selector: see `Tallies`."""

    __slots__ = (
        "allegiance",
        "cross",
        "lines",
        "lineup",
        "models",
        "models_by",
        "picks_by",
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
        selectors = len(system.tallies.selectors)
        self.models_by = [0] * selectors
        self.points_by = [0] * selectors
        self.picks_by = [0] * selectors
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
        selectors = self.system.tallies.selectors
        for pick, _, models, tags, points, _ in self.lines:
            self.models += models
            self.points += points
            for number in hits_of(tags):
                self.models_by[number] += models
                self.points_by[number] += points
                self.picks_by[number] += 1
            for option in walk_options(pick.picks):
                for number in hits_of(option.option.tags):
                    if not selectors[number].clauses:
                        continue  # {"not": ...} speaks of units; their options are not more of them
                    self.models_by[number] += models
                    self.points_by[number] += option.option.price.of(models)
                    self.picks_by[number] += 1

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


def walk_options(picks: Iterable[OptionPick]) -> Iterator[OptionPick]:
    """Every option pick of a tree, parents before their children."""
    for pick in picks:
        yield pick
        yield from walk_options(pick.picks)


def setting_points(roster: Roster, system: System) -> list[tuple[str, int]]:
    """(name, points) of every setting that costs points, such as tactical advantage."""
    spent = []
    for setting in system.settings.values():
        if setting.points:
            value = roster.settings.get(setting.id)
            if isinstance(value, int) and value:
                spent.append((setting.name, value * setting.points))
    return spent


def make_line(pick: Pick, system: System) -> Line | None:
    """The pick priced: options included, shares of its roles applied. None: unit unknown."""
    unit = pick.unit
    if unit is None:
        return None
    models = pick.models
    points = unit.price.of(models)
    each = unit.price.of(1)
    for option in walk_options(pick.picks):
        points += option.option.price.of(models)
        each += option.option.price.of(1)
    tags = unit.tags
    if pick.roles:
        tags = tags | {f"role:{role}" for role in pick.roles}
        for role in pick.roles:
            share = system.roles[role].price if role in system.roles else None
            if share is not None:
                points = models * share.up(each)
    return Line(pick, unit, models, tags, points, each)


def make_lines(roster: Roster, system: System) -> tuple[Line, ...]:
    """All picks whose unit is known, priced."""
    lines = (make_line(pick, system) for pick in roster.picks)
    return tuple(line for line in lines if line is not None)


def line_ups(roster: Roster, system: System, lines: tuple[Line, ...]) -> tuple[Standing, ...]:
    """The roster as it can stand on the table: with all models, and, where the system has a
    role for models that are there only sometimes and some model has it, without those.
    """
    role = system.sometimes
    if not role or not any(role in line.pick.roles for line in lines):
        return (Standing(roster, system, lines),)
    name = system.roles[role].name.lower()
    rest = tuple(line for line in lines if role not in line.pick.roles)
    return (
        Standing(roster, system, lines, f"with the {name}"),
        Standing(roster, system, rest, f"without the {name}"),
    )
