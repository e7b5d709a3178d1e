"""CP-SAT of OR-Tools as our solver; the only file that imports it, when it is first asked.

It goes by OR-Tools' C++ helper alone, which needs neither NumPy nor pandas: 80 ms and 21 MB to
load instead of 400 ms and 87 MB. Problems go over as text, which is read in C++. The parameters are
for small problems solved often: one worker, a strong relaxation, little of what comes before; with
those of the manual an army takes seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any

from armybuilder.engine.space.constraints import Linear, Literal
from armybuilder.solving.port import Answer, Impossible, NoSolver, Problem, Solution, Unknown

_LEAST, _MOST = -(2**63), 2**63 - 1
_PARAMETERS = {
    "num_workers": 1,
    "random_seed": 0,
    "linearization_level": 2,
    "cut_level": 0,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
    "max_presolve_iterations": 1,
}
#: How much work CP-SAT counts for a second of an ordinary processor; and how much longer than told
#: the clock may run where work is counted.
WORK, PATIENCE = 0.45, 6
#: What the helper's numbers for how it ended mean.
_FOUND, _IMPOSSIBLE, _BEST = 2, 3, 4


@cache
def _helper() -> Any:
    """Return OR-Tools' helper. Raises NoSolver where it is not installed."""
    try:
        from ortools.sat.python import cp_model_helper
    except ImportError as missing:
        raise NoSolver from missing
    return cp_model_helper


def is_installed() -> bool:
    """Return whether there is a solver to ask, without loading it."""
    try:
        return find_spec("ortools.sat.python") is not None
    except ModuleNotFoundError:
        return False


class CpSat:
    """Solves by CP-SAT, the same problem always in the same way."""

    def solve(self, problem: Problem, seconds: float) -> Answer:
        """Return the best that is found in so much time.

        Raises NoSolver where OR-Tools is not installed.
        """
        helper = _helper()
        model = helper.CpModelProto()
        if not model.parse_text_format("".join(_text(problem))):
            raise ValueError("the solver does not understand the problem")
        parameters = helper.SatParameters()
        for name, value in _PARAMETERS.items():
            setattr(parameters, name, value)
        parameters.max_time_in_seconds = seconds * (PATIENCE if problem.steady else 1)
        if problem.steady:
            parameters.max_deterministic_time = seconds * WORK
        parameters.absolute_gap_limit = problem.near
        parameters.use_objective_lb_search = problem.upward
        wrapper = helper.SolveWrapper()
        wrapper.set_parameters(parameters)
        answer = wrapper.solve(model)
        status = int(answer.status)
        if status in (_FOUND, _BEST):
            worth = round(answer.objective_value)
            seconds = answer.deterministic_time / WORK
            return Solution(tuple(answer.solution), worth, status == _BEST, seconds)
        if status == _IMPOSSIBLE:
            return Impossible(tuple(answer.sufficient_assumptions_for_infeasibility))
        return Unknown()


def _text(problem: Problem) -> Iterator[str]:
    """Return the problem in the text form of CP-SAT's models."""
    constraints, fixed = problem.constraints, problem.fixed
    for variable, (low, high) in enumerate(zip(constraints.low, constraints.high, strict=True)):
        value = fixed.get(variable)
        yield f"variables{{domain:[{low if value is None else value},"
        yield f"{high if value is None else value}]}}"
    for clause in constraints.clauses:
        switch = problem.switch(clause.owner)
        literals = clause.literals if switch is None else (*clause.literals, ~switch)
        yield f"constraints{{bool_or{{literals:[{_listed(literals)}]}}}}"
    for one in constraints.linear:
        switch = problem.switch(one.owner)
        yield _linear(one, one.when if switch is None else (*one.when, switch))
    if problem.objective is not None:
        sign = -1 if problem.most else 1
        factors = [sign * factor for factor in problem.objective.terms.values()]
        yield (
            f"objective{{vars:[{_listed(problem.objective.terms)}]coeffs:[{_listed(factors)}]"
            f"offset:{sign * problem.objective.constant} scaling_factor:{sign}}}"
        )
    if problem.hint:
        values = _listed(problem.hint.values())
        yield f"solution_hint{{vars:[{_listed(problem.hint)}]values:[{values}]}}"
    if problem.assumptions:
        yield f"assumptions:[{_listed(problem.assumptions)}]"


def _linear(one: Linear, conditions: tuple[Literal, ...]) -> str:
    when = f"enforcement_literal:[{_listed(conditions)}]" if conditions else ""
    low = _LEAST if one.low is None else one.low
    high = _MOST if one.high is None else one.high
    return (
        f"constraints{{{when}linear{{vars:[{_listed(one.variables)}]"
        f"coeffs:[{_listed(one.factors)}]domain:[{low},{high}]}}}}"
    )


def _listed(numbers: Any) -> str:
    return ",".join(map(str, numbers))
