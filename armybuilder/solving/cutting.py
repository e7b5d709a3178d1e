"""Cutting off what the validator refuses: it has the last word on what a solver found."""

from __future__ import annotations

from collections.abc import Iterator

from armybuilder.engine import Report
from armybuilder.engine.citations import Severity
from armybuilder.engine.constraining import PossibleLists
from armybuilder.engine.space.constraints import Literal
from armybuilder.engine.space.expressions import Expression, Values
from armybuilder.loading.armylist import ArmyList


def cut_off(possible: PossibleLists, values: Values, made: ArmyList, report: Report) -> None:
    """Do not let those that take part in the errors of a list stay as they are, all of them; where
    none takes part, nor the list as a whole.

    That may cut off a list that is legal, by something else that changes: what is found after it
    is not proved.
    """
    errors = (one for one in report.findings if one.severity is Severity.ERROR)
    units = {unit for finding in errors for unit in finding.units}
    refs = {entry.ref for entry in made.units if entry.id in units}
    concerned = [one for one in possible.candidates if one.unit.ref in refs]
    if concerned:
        decisions = [variable for one in concerned for variable in one.as_it_stands()]
    else:
        decisions = list(possible.as_it_stands())
    same = [literal for one in decisions for literal in _as_it_is(possible, one, values)]
    possible.constraints.require_any(~literal for literal in same)


def _as_it_is(possible: PossibleLists, variable: int, values: Values) -> Iterator[Literal]:
    """Return literals that hold together where a variable keeps its value."""
    both, value = possible.constraints, values[variable]
    if both.is_yes_no(variable):
        yield variable if value else ~variable
        return
    number = Expression.of(variable)
    yield both.at_least(number, value)
    yield ~both.at_least(number, value + 1)
