"""Where a list lies in a space of lists: the way back from `decode`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from armybuilder.engine.constraining import PossibleLists
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.space.candidates import Candidate, Level, Takable
from armybuilder.engine.space.constraints import FALSE, Constraints

#: Values by their variables, as far as they are decisions.
Point = dict[int, int]


def entry_point(candidates: Sequence[Candidate], pick: Pick) -> Point | None:
    """Return the values with which one of an entry's candidates is a pick; None where none can be
    it.
    """
    for candidate in candidates:
        if set(candidate.roles) == {one for one in pick.roles if one not in candidate.free_roles}:
            return _point_of(candidate, pick)
    return None


def settings_point(possible: PossibleLists, roster: Roster) -> Point | None:
    """Return the values that are a roster's own settings; None where they cannot be chosen."""
    values = replace(possible, roster=roster, candidates=()).as_it_stands()
    return values if _is_within(values, possible.constraints) else None


def _point_of(candidate: Candidate, pick: Pick) -> Point | None:
    values = {candidate.size_variable: pick.models - candidate.least}
    if candidate.unit.size is not None:
        values[candidate.present] = 1
    for role, variable in candidate.free_roles.items():
        values[variable] = int(role in pick.roles)
    for takable, had in _options(candidate.root, pick.picks):
        decided = _option_point(takable, had)
        if decided is None:
            return None
        values |= decided
    return values if _is_within(values, candidate.constraints) else None


def _options(
    level: Level, picks: Sequence[OptionPick]
) -> Iterator[tuple[Takable, OptionPick | None]]:
    """Return all that may be taken, each with what is taken of it."""
    picked = {pick.id: pick for pick in picks}
    for option_id, takable in level.options.items():
        had = picked.get(option_id)
        yield takable, had
        if takable.level is not None:
            yield from _options(takable.level, had.picks if had else ())


def _option_point(takable: Takable, had: OptionPick | None) -> Point | None:
    """Return the values with which an option is taken so; None where it cannot be."""
    number = had.number if had else 0
    put_on = had.on if had else ""
    settled = 0 if takable.taken == FALSE else takable.given
    if (takable.variable is None and number > settled) or (put_on and put_on not in takable.on):
        return None
    values = {variable: int(piece == put_on) for piece, variable in takable.on.items()}
    if takable.variable is not None:
        values[takable.variable] = max(0, number - takable.given)
    return values


def _is_within(values: Point, constraints: Constraints) -> bool:
    low, high = constraints.low, constraints.high
    return all(low[one] <= value <= high[one] for one, value in values.items())
