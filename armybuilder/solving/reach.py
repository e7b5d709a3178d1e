"""Completeness of a search: whether the best of the lists searched is the best of all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import PossibleLists, Scope, most_points
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.candidates import everything, least_price
from armybuilder.engine.space.constraints import Constraints, Expression
from armybuilder.solving.scopes import MANY, WIDE
from armybuilder.solving.sizes import is_in_time, size_of, size_of_list

#: Maximum units and options of a space of lists that is searched completely.
MOST_WHOLE = 1_500


def is_whole(possible: PossibleLists) -> bool:
    """Return whether every legal list is in the space: no copy, option or model is left out
    except those that the rules exclude, and no value of a setting that could help."""
    both = possible.constraints
    bounded = all(map(partial(_is_bounded, both), both.cut))
    return both.is_whole and bounded and not _is_capped(both)


def widest(scope: Scope, roster: Roster, catalogue: Catalogue, budgets: int = 1) -> Iterator[Scope]:
    """Yield the scope with every option and all copies that can be paid for from some budgets, or
    fewer, if these copies are few; then with several copies.
    """
    sized = catalogue.system.sized
    for times in range(budgets * sized, 0, -1):
        every = whole(scope, roster, catalogue, times)
        if every is not None:
            yield every
    added = dict.fromkeys(scope.added, MANY) if sized else scope.added
    yield replace(scope, added=added, wanted=everything, extent=WIDE)


def widest_in_time(
    scope: Scope, roster: Roster, catalogue: Catalogue, until: float, budgets: int = 1
) -> Scope | None:
    """Return the first of the `widest` scopes that there is time for; None if there is none."""
    scopes = widest(scope, roster, catalogue, budgets)
    return next((one for one in scopes if is_in_time(roster, catalogue, one, until)), None)


def is_beyond(possible: PossibleLists) -> bool:
    """Return whether a list with more of something than the space allows may be legal."""
    both, catalogue = possible.constraints, possible.catalogue
    sized = catalogue.system.sized
    unbounded = sized and both.cut and most_points(possible.roster, catalogue) is None
    return bool(unbounded or both.out_of_reach) or _is_capped(both)


def _is_capped(constraints: Constraints) -> bool:
    """Return whether more of a setting than the space allows may help, and is not excluded."""
    helping = filter(partial(_may_help, constraints), constraints.capped)
    return not all(map(partial(_is_bounded, constraints), helping))


def _may_help(constraints: Constraints, variable: int) -> bool:
    """Return whether a rule's demand may hold only if a variable is larger."""
    for one in constraints.linear:
        if one.owner is not None and variable in one.variables:
            factor = one.factors[one.variables.index(variable)]
            if (one.high if factor < 0 else one.low) is not None:
                return True
    return False


def _is_bounded(constraints: Constraints, variable: int) -> bool:
    """Return whether a constraint excludes values of a variable above its range."""
    if constraints.is_yes_no(variable):
        return False
    for one in constraints.linear:
        if one.high is not None and not one.when and variable in one.variables:
            factors = dict(zip(one.variables, one.factors, strict=True))
            beyond = factors.pop(variable) * (constraints.high[variable] + 1)
            if constraints.range_of(Expression(beyond, factors))[0] > one.high:
                return True
    return False


def whole(scope: Scope, roster: Roster, catalogue: Catalogue, budgets: int = 1) -> Scope | None:
    """Return the scope with every option and all copies of each unit that can be paid for, from one
    budget or several; None if these are too many to search.
    """
    budget, work, added = most_points(roster, catalogue), size_of_list(roster), {}
    for ref in scope.added:
        unit = catalogue.units[ref]
        price, copies = least_price(unit, catalogue.system), 1
        if unit.size is not None:
            if not price or budget is None:
                return None
            copies = budgets * budget // price
        work += copies * size_of(unit)
        if copies and work > MOST_WHOLE:
            return None
        added[ref] = copies
    return replace(scope, added=added, wanted=everything, extent=WIDE)
