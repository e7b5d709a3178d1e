"""Opposed dice: each side rolls a die and adds its Combat; the higher score beats the lower.

A beaten model recoils at an odd die of the winner and falls at an even one; twice its score kills
it, three times its score does so gruesomely. A shooter cannot be hurt by its target.
"""

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from armybuilder.odds.dice import DIE


class Fate(Enum):
    """Fate of a beaten model, the worst first."""

    GRUESOME = "gruesome"
    KILLED = "killed"
    WOUNDED = "wounded"
    FALLS = "falls"
    RECOILS = "recoils"


@dataclass(frozen=True, slots=True)
class Fighter:
    """One side: the number added to its die, and its effects.

    It `kills` any model that it beats, `savages` those it kills in melee, makes those that would
    recoil fall on a 5 or 6 (`sweeps`). It draws if beaten by one (`armoured`), dies once beaten
    (`rabble`), or is wounded instead of killed (`tough`).
    """

    score: int
    effects: frozenset[str] = frozenset()


#: Chances of each side's fates: of the first, of the second. The rest is a draw.
Fates = tuple[dict[Fate, Fraction], dict[Fate, Fraction]]


def opposed(first: Fighter, second: Fighter, melee: bool) -> Fates:
    """Return the chances of both models; shooting, the second one is the target."""
    fates: tuple[Counter[Fate], Counter[Fate]] = (Counter(), Counter())
    for one in DIE:
        for other in DIE:
            # Thirds of the 36 rolls: sweeping needs a die of its own.
            for fate, number in _beaten(first, one, second, other, melee).items():
                fates[1][fate] += number
            if melee:
                for fate, number in _beaten(second, other, first, one, melee).items():
                    fates[0][fate] += number
    mine, theirs = (
        {fate: Fraction(side[fate], 3 * len(DIE) ** 2) for fate in Fate if side[fate]}
        for side in fates
    )
    return mine, theirs


def _beaten(winner: Fighter, die: int, loser: Fighter, other: int, melee: bool) -> dict[Fate, int]:
    """Return the fates of the loser of these two dice, in thirds; {} if it does not lose."""
    score, against = winner.score + die, loser.score + other
    has, bears = winner.effects, loser.effects
    if score <= against or (score - against == 1 and "armoured" in bears):
        return {}
    doubled, trebled = score >= 2 * against, score >= 3 * against
    if doubled or "kills" in has or "rabble" in bears:
        savage = melee and "savages" in has
        gruesome = trebled or savage or (doubled and "rabble" in bears)
        fates = (Fate.GRUESOME, Fate.KILLED, Fate.WOUNDED)
        return {fates[(not gruesome) + ("tough" in bears)]: 3}
    if die % 2 == 0:
        return {Fate.FALLS: 3}
    return {Fate.FALLS: 1, Fate.RECOILS: 2} if melee and "sweeps" in has else {Fate.RECOILS: 3}
