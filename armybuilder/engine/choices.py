"""`choices`: possible additions, each with its price and the errors that it causes or settles."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from armybuilder.engine.about import About
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.citations import Severity
from armybuilder.engine.conditions import Army
from armybuilder.engine.lines import Line, census, make_line, make_lines
from armybuilder.engine.loadout import count_taken
from armybuilder.engine.report import Report
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.rules import Finding
from armybuilder.engine.tally import Tally, line_ups, names_of_line_ups
from armybuilder.engine.units import Unit
from armybuilder.engine.validate import judge

#: Id of the pick that a choice is tried with; no document can hold it.
TRIAL = "+"
#: The identity of a finding: its rule, its subject, and its code.
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
    roster: Roster,
    catalogue: Catalogue,
    units: Iterable[Unit] | None = None,
    report: Report | None = None,
) -> tuple[Choice, ...]:
    """One choice per unit of the catalogue (or of `units`), in their order. A `report` on the
    roster, in the same language, saves judging it.
    """
    trial = _Trial(roster, catalogue.system, report)
    considered = catalogue.units.values() if units is None else units
    return tuple(trial.of(unit) for unit in considered)


def harmless(
    roster: Roster, catalogue: Catalogue, units: Iterable[Unit] | None = None
) -> Iterator[Unit]:
    """Yield the units of the catalogue (or of `units`) whose choice brings no new error, without
    the other results of `choices`."""
    trial = _Trial(roster, catalogue.system)
    considered = catalogue.units.values() if units is None else units
    return filter(trial.is_harmless, considered)


class _Trial:
    """A roster to which units are added in turn, to compare the findings."""

    def __init__(self, roster: Roster, system: System, report: Report | None = None) -> None:
        self.roster = roster
        self.system = system
        self.names = names_of_line_ups(system)
        if report is None:
            counted = ((pick, count_taken(pick.picks)) for pick in roster.picks)
            self.army = census(roster, system, counted)
            self.tallies = self._line_ups(make_lines(roster, system), self.army)
            self.before = _by_key(judge(system, self.tallies))
        else:
            self.army, self.tallies = report.full.place.army, report.tallies
            self.before = _by_key(sorted(report.findings, key=lambda one: one.head.order))
        #: Of these, those that one more unit can settle while all others stay as they are.
        self.of_list = {
            key: finding
            for key, finding in self.before.items()
            if not (finding.rule.by_unit or finding.rule.by_held)
        }

    def of(self, unit: Unit) -> Choice:
        """Return the effect of adding the unit at its smallest size."""
        tallies, alone = self._added(unit)
        before, after = self.before, _by_key(judge(self.system, tallies, alone, alone))
        return Choice(
            unit,
            tallies[0].lines[-1].points,
            tuple(finding for key, finding in after.items() if key not in before),
            tuple(
                finding
                for key, finding in after.items()
                if key in before and finding.excess > before[key].excess
            ),
            tuple(
                finding
                for key, finding in (before if alone is None else self.of_list).items()
                if key not in after
            ),
        )

    def is_harmless(self, unit: Unit) -> bool:
        """Return whether adding the least there is of the unit brings no new error."""
        tallies, alone = self._added(unit)
        return all(
            finding.severity is not Severity.ERROR or _key(finding) in self.before
            for finding in judge(self.system, tallies, alone, alone)
        )

    def _added(self, unit: Unit) -> tuple[tuple[Tally, ...], Tally | None]:
        """Return the line-ups with the smallest size of the unit as the last line, and that line
        by itself if all others stay as they are."""
        pick = Pick(TRIAL, unit.ref, unit, unit.smallest, picks=unit.fresh)
        taken = count_taken(pick.picks)
        more = census(self.roster, self.system, [(pick, taken)]).counts
        army = self._with(more)
        line = make_line(pick, self.system, army, taken)
        if line is None:
            raise ValueError(f"unit {unit.ref} cannot be priced")
        full = self.tallies[0]
        if more or len(self.tallies) > 1:
            return self._line_ups((*self._moved(army, more.keys()), line), army), None
        return (full.with_line(line),), full.alone(line)

    def _with(self, more: Mapping[str, int]) -> Army:
        """Return the army with these additions to its counts."""
        if not more:
            return self.army
        counts = dict(self.army.counts)
        for tag, number in more.items():
            counts[tag] = counts.get(tag, 0) + number
        return self.army._replace(counts=counts)

    def _moved(self, army: Army, changed: Collection[str]) -> tuple[Line, ...]:
        """The roster's lines in the larger army: made again if they depend on a changed count."""
        moved = []
        for line in self.tallies[0].lines:
            if not line.unit.army_tags.isdisjoint(changed):
                again = make_line(line.pick, self.system, army, dict(line.place.taken))
                moved.append(again or line)
            else:
                moved.append(line)
        return tuple(moved)

    def _line_ups(self, lines: tuple[Line, ...], army: Army) -> tuple[Tally, ...]:
        return line_ups(self.roster, self.system, lines, self.system.faction, army, self.names)


def _by_key(findings: Iterable[Finding]) -> dict[Key, Finding]:
    """Return the worst of a fault that several line-ups have with different numbers."""
    by_excess = sorted(findings, key=lambda finding: finding.excess)
    return {_key(finding): finding for finding in by_excess}


def _key(finding: Finding) -> Key:
    return (*finding.key, finding.code)
