"""What the rules of a game say of all its armies, so that no book of it says it once more."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Rulebook:
    """`scales`: caps follow the game size, while One of a Kind does not. `slots`: a model has so
    many special items of each kind, and each of them is One of a Kind.
    """

    scales: bool
    slots: bool

    @classmethod
    def carrying(cls, carried: Collection[str]) -> "Rulebook":
        """Return the rules of a game that carry these things (`System.carried`)."""
        return cls(scales="scaling" in carried, slots="slots" in carried)


#: The Ninth Age, 8.B.c, 8.C and 22.
NINTH_AGE: Final = Rulebook(scales=True, slots=True)
