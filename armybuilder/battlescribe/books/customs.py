"""What is known of a game beside its files: what its rulebook carries, and how its files write.

The files of The Ninth Age say some things once more that the rules of its system carry, and some
with names. Of a game that is made of nothing but its files, the files' own words hold.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Customs:
    """`scaling`: a rule scales caps with the game size. `items`: groups of special items are known
    by their names, and rules limit them. `roles`: the Battle Standard Bearer, mounts, wizards and
    leaders are known by theirs. `phrases`: names and texts restrict in known words. `profiles`:
    kinds of stat line are known by theirs. `mends`: slips of single books are known.
    """

    scaling: bool
    items: bool
    roles: bool
    phrases: bool
    profiles: bool
    mends: bool


#: The Ninth Age and Essence of War, whose rules stand in a system of ours.
NINTH_AGE: Final = Customs(True, True, True, True, True, True)
#: A game of which only the files are known.
FILES_ALONE: Final = Customs(False, False, False, False, False, False)
