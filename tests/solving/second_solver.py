"""Problems solved by HiGHS, in a process of its own: it cannot be loaded beside OR-Tools, as both
bring a library of the same name. Reads one JSON object a line, `as_data` of a problem, and writes
one a line: the least of the objective, and the values; null where there is no solution.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

Data = dict[str, Any]


def as_data(problem: Any) -> Data:
    both = problem.constraints
    linear = [(one.when, one.variables, one.factors, one.low, one.high) for one in both.linear]
    return {
        "low": both.low,
        "high": both.high,
        "clauses": [one.literals for one in both.clauses],
        "linear": linear,
        "objective": sorted(problem.objective.terms.items()),
        "constant": problem.objective.constant,
    }


def solve(data: Data) -> tuple[int, list[int]] | None:
    """The least of a problem's objective with a value for each variable; None: no solution."""
    import highspy

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    for option, value in (("mip_rel_gap", 0.0), ("mip_abs_gap", 0.0), ("threads", 1)):
        solver.setOptionValue(option, value)
    for low, high in zip(data["low"], data["high"], strict=True):
        solver.addVar(low, high)
    numbers = list(range(len(data["low"])))
    whole = [highspy.HighsVarType.kInteger] * len(numbers)
    solver.changeColsIntegrality(len(numbers), numbers, whole)
    for variable, cost in data["objective"]:
        solver.changeColCost(variable, cost)
    for literals in data["clauses"]:
        _row(solver, _sum(literals, {}), 1, None)
    for when, variables, factors, low, high in data["linear"]:
        _conditional(solver, data, when, dict(zip(variables, factors, strict=True)), low, high)
    solver.run()
    if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
        return None
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    values = [round(value) for value in solver.getSolution().col_value]
    worth = sum(cost * values[variable] for variable, cost in data["objective"])
    return worth + data["constant"], values


def _sum(
    literals: Sequence[int], factors: Mapping[int, int], times: int = 1
) -> tuple[dict[int, int], int]:
    """So many times how many literals hold, beside other terms: variables with their factors, and a
    constant.
    """
    terms, constant = dict(factors), 0
    for literal in literals:
        variable, sign = (literal, 1) if literal >= 0 else (~literal, -1)
        terms[variable] = terms.get(variable, 0) + sign * times
        constant += times * (sign < 0)
    return terms, constant


def _row(
    solver: Any, sum_of: tuple[dict[int, int], int], low: int | None, high: int | None
) -> None:
    terms, constant = sum_of
    least = -1e30 if low is None else low - constant
    most = 1e30 if high is None else high - constant
    solver.addRow(least, most, len(terms), list(terms), list(terms.values()))


def _conditional(
    solver: Any,
    data: Data,
    when: Sequence[int],
    factors: Mapping[int, int],
    low: int | None,
    high: int | None,
) -> None:
    """A sum within bounds where some literals hold: each that does not gives it all the room that
    it can need.
    """
    ends = [sorted((k * data["low"][v], k * data["high"][v])) for v, k in factors.items()]
    least, most = sum(end[0] for end in ends), sum(end[1] for end in ends)
    if low is not None and low > least:
        room = low - least
        terms, constant = _sum([~one for one in when], factors, room)
        _row(solver, (terms, constant), low, None)
    if high is not None and high < most:
        room = most - high
        terms, constant = _sum([~one for one in when], factors, -room)
        _row(solver, (terms, constant), None, high)


def main() -> None:
    for line in sys.stdin:
        print(json.dumps(solve(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
