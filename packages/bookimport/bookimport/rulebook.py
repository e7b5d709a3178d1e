"""What the rules of a game say of all its armies, so that no book of it says it once more, and how
its files write what they say.

The files of The Ninth Age say some things once more that the rules of its system carry, and some
with names. Of a game that is made of nothing but its files, the files' own words hold.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Rulebook:
    """`scales`: caps follow the game size, while One of a Kind does not. `slots`: a model has so
    many special items of each kind, and each of them is One of a Kind. `roles`: the Battle Standard
    Bearer, mounts, wizards and leaders are known by their names. `phrases`: names and texts
    restrict in known words. `profiles`: kinds of stat line are known by their names.
    """

    scales: bool
    slots: bool
    roles: bool = True
    phrases: bool = True
    profiles: bool = True

    @classmethod
    def carrying(cls, carried: Collection[str]) -> "Rulebook":
        """Return the rules of a game that carry these things (`System.carried`)."""
        return cls(scales="scaling" in carried, slots="slots" in carried)


#: The Ninth Age, 8.B.c, 8.C and 22.
NINTH_AGE: Final = Rulebook(scales=True, slots=True)
#: A game of which only the files are known.
FILES_ALONE: Final = Rulebook(False, False, False, False, False)
