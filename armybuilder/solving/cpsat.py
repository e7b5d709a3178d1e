"""CP-SAT of OR-Tools as our solver; the only file that imports it, when it is first asked.

It goes by OR-Tools' C++ helper alone, which needs neither NumPy nor pandas: 80 ms and 21 MB to
load instead of 400 ms and 87 MB. Problems go over as text, which is read in C++; of repeated
constraints only the new ones. The parameters are for small problems solved often: one
worker, little of what comes before; with those of the manual an army takes seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any
from weakref import WeakKeyDictionary

from armybuilder.engine.space.constraints import Constraints, Linear, Literal, Owner
from armybuilder.solving.port import (
    Answer,
    Impossible,
    NoSolver,
    Problem,
    Relaxation,
    Solution,
    Unknown,
)

_LEAST, _MOST = -(2**63), 2**63 - 1
_PARAMETERS = {
    "num_workers": 1,
    "random_seed": 0,
    # These kinds of cuts cost more than they save.
    "add_mir_cuts": False,
    "add_clique_cuts": False,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
    "max_presolve_iterations": 1,
}
_LINEARIZATION = {Relaxation.NONE: 0, Relaxation.WEAK: 1, Relaxation.STRONG: 2}
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


@cache
def is_installed() -> bool:
    """Return whether there is a solver to ask, without loading it."""
    try:
        return find_spec("ortools.sat.python") is not None
    except ModuleNotFoundError:
        return False


@dataclass(slots=True)
class _Told:
    """Constraints already passed to the solver: numbers of each, under these switches."""

    model: Any
    switches: Mapping[Any, Literal]
    variables: int = 0
    clauses: int = 0
    linear: int = 0


_told: WeakKeyDictionary[Constraints, _Told] = WeakKeyDictionary()


class CpSat:
    """Solves by CP-SAT, the same problem always in the same way."""

    def solve(self, problem: Problem, seconds: float) -> Answer:
        """Return the best solution found in the given time.

        Raises NoSolver if OR-Tools isn't installed.
        """
        helper = _helper()
        model = helper.CpModelProto()
        model.copy_from(_model(problem))
        _tell(model, _asked(problem))
        wrapper = helper.SolveWrapper()
        wrapper.set_parameters(_parameters(problem, seconds))
        answer = wrapper.solve(model)
        status = int(answer.status)
        if status in (_FOUND, _BEST):
            worth = round(answer.objective_value)
            seconds = answer.deterministic_time / WORK
            return Solution(tuple(answer.solution), worth, status == _BEST, seconds)
        if status == _IMPOSSIBLE:
            return Impossible(tuple(answer.sufficient_assumptions_for_infeasibility))
        return Unknown()


def words_of(problem: Problem) -> str:
    """Return the whole problem in the solver's form, including former parts."""
    return "".join((*_text(problem, _Told(None, problem.switches)), *_asked(problem)))


def _parameters(problem: Problem, seconds: float) -> Any:
    parameters = _helper().SatParameters()
    for name, value in _PARAMETERS.items():
        setattr(parameters, name, value)
    parameters.linearization_level = _LINEARIZATION[problem.relaxation]
    parameters.cp_model_presolve = parameters.use_sat_inprocessing = problem.simplified
    parameters.max_time_in_seconds = seconds * (PATIENCE if problem.steady else 1)
    if problem.steady:
        parameters.max_deterministic_time = seconds * WORK
    parameters.absolute_gap_limit = problem.near
    parameters.use_objective_lb_search = problem.upward
    # Cuts raise the least that is possible, from which such a search starts.
    parameters.cut_level = int(problem.upward and problem.relaxation is Relaxation.STRONG)
    # As many models bought singly as there can be are seldom near the last that were tried.
    parameters.use_phase_saving = not problem.most or problem.relaxation is not Relaxation.WEAK
    return parameters


def _tell(model: Any, text: Iterable[str]) -> None:
    if not model.merge_text_format("".join(text)):
        raise ValueError("the solver does not understand the problem")


def _model(problem: Problem) -> Any:
    """Return the constraints of a problem in the solver's form: former ones and additions."""
    constraints = problem.constraints
    told = None if problem.fixed else _told.get(constraints)
    if told is None or told.switches != problem.switches:
        told = _Told(_helper().CpModelProto(), dict(problem.switches))
        if not problem.fixed:
            _told[constraints] = told
    _tell(told.model, _text(problem, told))
    told.variables = len(constraints.low)
    told.clauses, told.linear = len(constraints.clauses), len(constraints.linear)
    return told.model


def _text(problem: Problem, told: _Told) -> Iterator[str]:
    """Return the new constraints in the text form of CP-SAT's models."""
    constraints, fixed, switches = problem.constraints, problem.fixed, problem.switches
    for variable in range(told.variables, len(constraints.low)):
        low = high = fixed.get(variable)
        if low is None:
            low, high = constraints.low[variable], constraints.high[variable]
        yield f"variables{{domain:[{low},{high}]}}"
    for clause in constraints.clauses[told.clauses :]:
        literals = [*clause.literals]
        if switches:
            literals += (~one for one in _switched(clause.owner, switches))
        yield f"constraints{{bool_or{{literals:{literals}}}}}"
    for one in constraints.linear[told.linear :]:
        when = (*one.when, *_switched(one.owner, switches)) if switches else one.when
        yield _linear(one, when)


def _switched(owner: object | None, switches: Mapping[Any, Literal]) -> tuple[Literal, ...]:
    """Return the switch of a constraint's owner, if there is one; of a rule, that of its head."""
    switch = switches.get(owner.head.pointer if isinstance(owner, Owner) else owner)
    return () if switch is None else (switch,)


def _asked(problem: Problem) -> Iterator[str]:
    """Return the objective, the hint and the assumptions, in the same form."""
    if problem.objective is not None:
        sign = -1 if problem.most else 1
        factors = [sign * factor for factor in problem.objective.terms.values()]
        yield (
            f"objective{{vars:{[*problem.objective.terms]}coeffs:{factors}"
            f"offset:{sign * problem.objective.constant} scaling_factor:{sign}}}"
        )
    if problem.hint:
        yield f"solution_hint{{vars:{[*problem.hint]}values:{[*problem.hint.values()]}}}"
    if problem.assumptions:
        yield f"assumptions:{[*problem.assumptions]}"


def _linear(one: Linear, conditions: tuple[Literal, ...]) -> str:
    when = f"enforcement_literal:{[*conditions]}" if conditions else ""
    low = _LEAST if one.low is None else one.low
    high = _MOST if one.high is None else one.high
    return (
        f"constraints{{{when}linear{{vars:{[*one.variables]}"
        f"coeffs:{[*one.factors]}domain:[{low},{high}]}}}}"
    )
