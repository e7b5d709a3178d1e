"""`choices`: possible additions, each with its price and the errors that it causes or settles."""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace

from armybuilder.engine.about import About
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.citations import Severity
from armybuilder.engine.report import Report
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.rules import Finding
from armybuilder.engine.tally import Tally
from armybuilder.engine.units import Unit
from armybuilder.engine.validate import again, validate

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
    trial = _Trial(roster, catalogue, report)
    considered = catalogue.units.values() if units is None else units
    return tuple(trial.of(unit) for unit in considered)


def harmless(
    roster: Roster,
    catalogue: Catalogue,
    units: Iterable[Unit] | None = None,
    rules: Container[str] | None = None,
) -> Iterator[Unit]:
    """Yield the units of the catalogue (or of `units`) whose choice brings no new error (of the
    `rules` with these pointers), without the other results of `choices`."""
    trial = _Trial(roster, catalogue)
    considered = catalogue.units.values() if units is None else units
    return (unit for unit in considered if trial.is_harmless(unit, rules))


class _Trial:
    """A roster to which units are added in turn, to compare the findings."""

    def __init__(self, roster: Roster, catalogue: Catalogue, report: Report | None = None) -> None:
        self.report = report or validate(roster, catalogue)
        self.before = _by_key(self.report.findings)

    def of(self, unit: Unit) -> Choice:
        """Return the effect of adding the unit at its smallest size."""
        findings, full = self._after(unit)
        before, after = self.before, _by_key(findings)
        return Choice(
            unit,
            full.lines[-1].points,
            tuple(finding for key, finding in after.items() if key not in before),
            tuple(
                finding
                for key, finding in after.items()
                if key in before and finding.excess > before[key].excess
            ),
            tuple(finding for key, finding in before.items() if key not in after),
        )

    def is_harmless(self, unit: Unit, rules: Container[str] | None = None) -> bool:
        """Return whether adding the least there is of the unit brings no new error (of `rules`)."""
        return all(
            finding.severity is not Severity.ERROR
            or _key(finding) in self.before
            or (rules is not None and finding.head.pointer not in rules)
            for finding in self._after(unit)[0]
        )

    def _after(self, unit: Unit) -> tuple[list[Finding], Tally]:
        """Return the findings with the smallest size of the unit as the last line."""
        pick = Pick(TRIAL, unit.ref, unit, unit.smallest, picks=unit.fresh)
        roster = self.report.full.roster
        return again(replace(roster, picks=(*roster.picks, pick)), self.report)


def _by_key(findings: Iterable[Finding]) -> dict[Key, Finding]:
    """Return the worst of a fault that several line-ups have with different numbers; of the same
    numbers in the order of the rules.
    """
    by_excess = sorted(findings, key=lambda finding: (finding.excess, finding.head.order))
    return {_key(finding): finding for finding in by_excess}


def _key(finding: Finding) -> Key:
    return (*finding.key, finding.code)
