"""`choices`: what may be added to a roster next, and what each would cost, break and settle."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from armybuilder.engine.about import About
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.citations import Severity
from armybuilder.engine.conditions import Army
from armybuilder.engine.lines import Line, census, make_line, make_lines
from armybuilder.engine.loadout import count_taken
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.rules import Finding
from armybuilder.engine.tally import line_ups, names_of_line_ups
from armybuilder.engine.units import Unit
from armybuilder.engine.validate import judge

#: Id of the pick that a choice is tried with; no document can hold it.
TRIAL = "+"
#: What tells a finding from others: its rule, what it is about, and its code.
Key = tuple[str, About, str]


@dataclass(frozen=True, slots=True)
class Choice:
    """Adding the least there is of a unit to the list.

    `breaks` are findings the list does not have yet, `worsens` ones it has whose number gets
    worse, `settles` ones that go away. A choice without `breaks` brings no new finding.
    """

    unit: Unit
    points: int
    breaks: tuple[Finding, ...]
    worsens: tuple[Finding, ...]
    settles: tuple[Finding, ...]


def choices(
    roster: Roster, catalogue: Catalogue, units: Iterable[Unit] | None = None
) -> tuple[Choice, ...]:
    """One choice per unit of the catalogue (or of `units`), in their order."""
    trial = _Trial(roster, catalogue.system)
    considered = catalogue.units.values() if units is None else units
    return tuple(trial.of(unit) for unit in considered)


def harmless(
    roster: Roster, catalogue: Catalogue, units: Iterable[Unit] | None = None
) -> Iterator[Unit]:
    """Yield the units of the catalogue (or of `units`) whose choice brings no new error: what else
    `choices` tells of them is not worked out.
    """
    trial = _Trial(roster, catalogue.system)
    considered = catalogue.units.values() if units is None else units
    return filter(trial.is_harmless, considered)


class _Trial:
    """A roster to which units are added in turn, to see what that does to its findings."""

    def __init__(self, roster: Roster, system: System) -> None:
        self.roster = roster
        self.system = system
        counted = ((pick, count_taken(pick.picks)) for pick in roster.picks)
        self.army = census(roster, system, counted)
        self.lines = make_lines(roster, system)
        self.names = names_of_line_ups(system)
        self.before = self._by_key(self.lines, self.army)

    def of(self, unit: Unit) -> Choice:
        """Return what adding the least there is of the unit does."""
        lines, army = self._added(unit)
        before, after = self.before, self._by_key(lines, army)
        return Choice(
            unit,
            lines[-1].points,
            tuple(finding for key, finding in after.items() if key not in before),
            tuple(
                finding
                for key, finding in after.items()
                if key in before and finding.excess > before[key].excess
            ),
            tuple(finding for key, finding in before.items() if key not in after),
        )

    def is_harmless(self, unit: Unit) -> bool:
        """Return whether adding the least there is of the unit brings no new error."""
        return all(
            finding.severity is not Severity.ERROR or _key(finding) in self.before
            for finding in self._judged(*self._added(unit))
        )

    def _added(self, unit: Unit) -> tuple[tuple[Line, ...], Army]:
        """Return the lines with the least there is of the unit as the last, and the army then."""
        pick = Pick(TRIAL, unit.ref, unit, unit.smallest, picks=unit.fresh)
        taken = count_taken(pick.picks)
        more = census(self.roster, self.system, [(pick, taken)]).counts
        army = self._with(more)
        line = make_line(pick, self.system, army, taken)
        if line is None:
            raise ValueError(f"unit {unit.ref} cannot be priced")
        return (*self._moved(army, more.keys()), line), army

    def _with(self, more: Mapping[str, int]) -> Army:
        """Return the army with so much more of what conditions count."""
        counts = dict(self.army.counts)
        for tag, number in more.items():
            counts[tag] = counts.get(tag, 0) + number
        return self.army._replace(counts=counts)

    def _moved(self, army: Army, changed: Collection[str]) -> tuple[Line, ...]:
        """The roster's lines in the larger army: made anew where they ask for what changed."""
        if not changed:
            return self.lines
        moved = []
        for line in self.lines:
            if not line.unit.army_tags.isdisjoint(changed):
                again = make_line(line.pick, self.system, army, dict(line.place.taken))
                moved.append(again or line)
            else:
                moved.append(line)
        return tuple(moved)

    def _judged(self, lines: tuple[Line, ...], army: Army) -> Iterator[Finding]:
        tallies = line_ups(self.roster, self.system, lines, self.system.faction, army, self.names)
        return judge(self.system, tallies)

    def _by_key(self, lines: tuple[Line, ...], army: Army) -> dict[Key, Finding]:
        """Of a fault that several line-ups have with other numbers, the worse stands for it."""
        findings = sorted(self._judged(lines, army), key=lambda finding: finding.excess)
        return {_key(finding): finding for finding in findings}


def _key(finding: Finding) -> Key:
    return (*finding.key, finding.code)
