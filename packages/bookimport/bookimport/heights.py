"""Restrictions by Height in files that have no stat lines, but name mounts by their Height:
"Potion of Healing (not on 5)" beside "Zombie Dragon (5)".
"""

import re
from collections.abc import Iterable
from typing import Final

from bookimport.logic import Cond, all_of, any_of, negate
from bookimport.names import clean
from bookimport.source import SourceEntry
from bookimport.survey import Survey

_HEIGHTS: Final = re.compile(r"H?([1-9])(?:-([1-9]))?", re.I)
_NAMED: Final = re.compile(r"\(([1-9])\)$")


def heights_in(word: str) -> frozenset[int]:
    """Return the Heights that a word names: "5", "H1", "1-3"; none where it names none."""
    found = _HEIGHTS.fullmatch(word.strip())
    return frozenset(range(int(found[1]), int(found[2] or found[1]) + 1)) if found else frozenset()


def _height(mount: SourceEntry) -> int:
    found = _NAMED.search(clean(mount.name))
    return int(found[1]) if found else 0


class Heights:
    """What is known of the Height of those who are offered an option: that of their mounts, where
    these are named by it. Riders are smaller than each mount that they are offered, or of Height 1.
    """

    def __init__(self, survey: Survey, at: SourceEntry) -> None:
        owners, self.riders = survey.owners[at], survey.owners
        self.units = [unit for unit in survey.book.roots if unit in owners]
        self.mounts = [
            one for one in survey.order if survey.is_mount(one) and self.riders[one] & owners
        ]
        self.named = {one: height for one in self.mounts if (height := _height(one))}
        #: Whether the book names any mount so.
        self.are_told = any(_height(one) and survey.is_mount(one) for one in survey.order)

    def cond(self, heights: frozenset[int], refused: bool) -> Cond | None:
        """Return the condition that none is ridden of a Height that is ruled out, turned round
        where it is asked for a phrase that refuses; None: the book names no mount by its Height.
        """
        wrong = [one for one, height in self.named.items() if (height in heights) is refused]
        ridden: Cond = {"taken": wrong} if wrong else False
        return (ridden if refused else negate(ridden)) if self.are_told else None

    def open(self, heights: frozenset[int], refused: bool) -> Cond:
        """Return when it cannot be told whether a model is of one of these Heights."""
        unnamed = [one for one in self.mounts if one not in self.named]
        unknown = [unit for unit in self.units if not self._is_known(unit, heights, refused)]
        ridden = [one for one in self.named if self.riders[one] & {*unknown}]
        riding: Cond = {"taken": ridden} if ridden else False
        on_foot = all_of([any_of({"unit": unit} for unit in unknown), negate(riding)])
        return any_of([on_foot, {"taken": unnamed} if unnamed else False])

    def _is_known(self, unit: SourceEntry, heights: frozenset[int], refused: bool) -> bool:
        """Return whether a unit on foot is sure to keep the restriction."""
        own = [height for one, height in self.named.items() if unit in self.riders[one]]
        possible: Iterable[int] = range(1, max(2, min(own, default=10)))
        return all((height in heights) is not refused for height in possible)
