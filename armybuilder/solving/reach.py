"""How far the lists reach that are looked at: of each unit only so many copies and models come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from armybuilder.engine.constraining import PossibleLists


def reaches_end(possible: PossibleLists, values: Sequence[int]) -> bool:
    """Return whether a list has all that was looked at of something that there may be more of, so
    that one with more may be better: every new copy of a unit, or as many models as were thought
    of.
    """
    both, copies = possible.constraints, defaultdict[str, list[int]](list)
    for candidate in possible.candidates:
        size = candidate.size_variable
        if size in both.cut and values[size] >= both.high[size]:
            return True
        if candidate.present in both.cut:
            copies[candidate.unit.ref].append(candidate.present)
    return any(all(values[one] for one in present) for present in copies.values())
