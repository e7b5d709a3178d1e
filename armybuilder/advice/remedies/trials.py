"""What one line of a list would be if something of it changed: fewer models, an option less.

Only the line is worked out anew, not the list: a trial costs some hundredths of a millisecond.
"""

from collections.abc import Iterable
from dataclasses import replace

from armybuilder.engine.lines import Line, make_line
from armybuilder.engine.loadout import Path, Taken, Violation, count_taken
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Pick
from armybuilder.engine.tally import Tally


def with_models(line: Line, models: int, tally: Tally) -> Line:
    """Return the line with so many models."""
    return _made(line, replace(line.pick, models=models), tally)


def without(line: Line, taken: Taken, tally: Tally) -> Line:
    """Return the line without an option and all that is taken on it."""
    picks = _left(line.pick.picks, taken.pick)
    return _made(line, replace(line.pick, picks=picks), tally)


def new_breaches(before: Line, after: Line) -> int:
    """Return how often the second departs from the unit's entry where the first does not."""
    known = _breaches(before.loadout.breaches)
    return len(_breaches(after.loadout.breaches) - known)


def _made(line: Line, pick: Pick, tally: Tally) -> Line:
    army = line.place.army
    return make_line(pick, tally.system, army, count_taken(pick.picks)) or line


def _left(picks: tuple[OptionPick, ...], gone: OptionPick) -> tuple[OptionPick, ...]:
    """Return the picks without one, at any depth, and without others of its id beside it."""
    if any(pick is gone for pick in picks):
        return tuple(pick for pick in picks if pick.id != gone.id)
    return tuple(
        replace(pick, picks=_left(pick.picks, gone)) if pick.picks else pick for pick in picks
    )


def _breaches(breaches: Iterable[Violation]) -> set[tuple[str, Path | None]]:
    return {(breach.aspect, breach.path) for breach in breaches}
