"""Certain dead ends: units that break a rule with any additions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import lru_cache

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.conditions import in_role
from armybuilder.engine.constraining import Scope
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.candidates import everything
from armybuilder.engine.space.constraints import Literal, is_true
from armybuilder.engine.units import Unit, never_saves
from armybuilder.solving.keeping import grown_lists, growth
from armybuilder.solving.port import Answer, Impossible, Problem, Relaxation, Solution
from armybuilder.solving.scopes import MANY, WIDE

#: Asks a solver.
Ask = Callable[[Problem], Answer | None]
#: Maximum units that count for a demand of others, to be added with them; and rounds of asking
#: which units are no dead ends.
FEW, ROUNDS = 3, 3


def beside_others(scope: Scope, catalogue: Catalogue, refs: Collection[str]) -> Scope:
    """Return a scope in which one each of some units may be added, with any options, and
    anything else beside them; and as many as possible of the few that alone satisfy their
    demands on the army."""
    units = {ref: catalogue.units[ref] for ref in scope.added}
    # In order, for a solver must be asked the same in every process.
    added, known = {ref: 1 for ref in units if ref in refs}, set()
    for tag in sorted({tag for ref in added for tag in units[ref].army_tags}):
        having = [ref for ref, unit in units.items() if _has(unit, tag)]
        if len(having) <= FEW:
            known.add(tag)
            added.update(dict.fromkeys(having, MANY))
    return replace(scope, added=added, wanted=everything, extent=WIDE, others=known)


def can_tell(catalogue: Catalogue) -> bool:
    """Return whether added units can only use up what rules allow: none costs less than nothing,
    lifts a rule from others, or decides a faction.
    """
    system = catalogue.system
    if not system.sized or system.faction is not None or system.sometimes:
        return False
    return all(not unit.lifts and never_saves(unit) for unit in catalogue.units.values())


def is_dead(roster: Roster, catalogue: Catalogue, scope: Scope, ask: Ask) -> bool:
    """Return whether it is certain that a list cannot become legal by adding alone."""
    possible = grown_lists(roster, catalogue, beside_others(scope, catalogue, ()))
    problem = Problem(possible.constraints, simplified=False, relaxation=Relaxation.WEAK)
    return isinstance(ask(problem), Impossible)


def dead_units(
    roster: Roster, catalogue: Catalogue, scope: Scope, refs: Collection[str], ask: Ask
) -> set[str]:
    """Return those of some units of which it is certain that none can come to a list that is to
    become legal by adding alone.
    """
    possible = grown_lists(roster, catalogue, beside_others(scope, catalogue, refs))
    left = {ref: literal for ref, literal in growth(possible) if ref in refs}
    problem = Problem(possible.constraints, simplified=False, relaxation=Relaxation.WEAK)
    return impossible_of(left, problem, ask, ROUNDS)


def impossible_of(
    literals: Mapping[str, Literal], problem: Problem, ask: Ask, rounds: int
) -> set[str]:
    """Return those of some things that are certainly impossible. Whether any is possible is asked
    again without those that were on a list, up to a number of rounds; nothing if that isn't enough.
    """
    left, both = literals, problem.constraints
    for _ in range(rounds):
        if not left:
            break
        some = both.any_of(left.values())
        answer = ask(replace(problem, assumptions=(some,)))
        if isinstance(answer, Impossible):
            return set(left)
        if not isinstance(answer, Solution):
            break
        left = {key: one for key, one in left.items() if not is_true(one, answer.values)}
    return set()


@lru_cache(maxsize=1024)
def _tags(unit: Unit) -> frozenset[str]:
    """Return what conditions may count a unit and its options by, its roles left out."""
    found = {f"unit:{unit.ref}"}
    offers = [unit.offer, *(option.offer for option in unit.offer.options())]
    for offer in offers:
        found.update(
            tag for slots in offer.slots.values() for slot in slots for tag in slot.counted
        )
    return frozenset(found)


def _has(unit: Unit, tag: str) -> bool:
    """Return whether a unit, in any role, or one of its possible options has a tag."""
    return tag in _tags(unit) or tag.startswith(in_role(f"unit:{unit.ref}", ""))
