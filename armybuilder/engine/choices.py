"""`choices`: what may be added to a roster next, and what each would cost, break and settle."""

from collections.abc import Sequence
from typing import NamedTuple

from armybuilder.engine.catalogue import Catalogue, System, Unit
from armybuilder.engine.findings import Finding
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.standing import Line, line_ups, make_line, make_lines
from armybuilder.engine.validate import judge

#: Id of the pick that a choice is tried with; no document can hold it.
TRIAL = "+"


class Choice(NamedTuple):
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
    roster: Roster, catalogue: Catalogue, units: Sequence[Unit] | None = None
) -> tuple[Choice, ...]:
    """One choice per unit of the catalogue (or of `units`), in their order."""
    system = catalogue.system
    lines = make_lines(roster, system)
    before = _by_key(system, roster, lines)
    considered = catalogue.units.values() if units is None else units
    return tuple(_try(unit, roster, system, lines, before) for unit in considered)


def _by_key(
    system: System, roster: Roster, lines: tuple[Line, ...]
) -> dict[tuple[str, str, str], Finding]:
    """Of a fault that several line-ups have with other numbers, the worse stands for it."""
    findings = list(judge(system, line_ups(roster, system, lines)))
    findings.sort(key=lambda finding: finding.excess)
    return {(*finding.key, finding.code): finding for finding in findings}


def _try(
    unit: Unit,
    roster: Roster,
    system: System,
    lines: tuple[Line, ...],
    before: dict[tuple[str, str, str], Finding],
) -> Choice:
    line = make_line(Pick(TRIAL, unit.ref, unit, unit.smallest), system)
    if line is None:
        raise ValueError(f"unit {unit.ref} cannot be priced")
    after = _by_key(system, roster, (*lines, line))
    return Choice(
        unit,
        line.points,
        tuple(finding for key, finding in after.items() if key not in before),
        tuple(
            finding
            for key, finding in after.items()
            if key in before and finding.excess > before[key].excess
        ),
        tuple(finding for key, finding in before.items() if key not in after),
    )
