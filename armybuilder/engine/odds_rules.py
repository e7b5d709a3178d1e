"""Dice of a game, for the chances of one unit against another: rolls, modifiers, effects."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from armybuilder.engine.citations import Citation

MELEE, SHOOTING = "melee", "shooting"


class OddsWhen(NamedTuple):
    """Rules of a unit and its enemy with which a tick is set: any of `has`, any of `enemy`, none of
    the others, all in small letters. Empty ones ask nothing.
    """

    has: frozenset[str] = frozenset()
    has_not: frozenset[str] = frozenset()
    enemy: frozenset[str] = frozenset()
    enemy_not: frozenset[str] = frozenset()

    def holds(self, mine: Set[str], theirs: Set[str]) -> bool:
        asked = ((self.has, mine), (self.enemy, theirs))
        return all(not names or names & there for names, there in asked) and not (
            self.has_not & mine or self.enemy_not & theirs
        )


class OddsTick(NamedTuple):
    """Something that changes the rolls: it is added to one's own, or the enemy's; or an `effect`.

    The attacker has it, or who `defends`. `when`: it is set beforehand if any of these holds.
    """

    id: str
    name: str
    citation: Citation
    modes: frozenset[str] = frozenset((MELEE, SHOOTING))
    add: int = 0
    enemy_add: int = 0
    effect: str = ""
    defends: bool = False
    when: tuple[OddsWhen, ...] = ()


class OddsStep(NamedTuple):
    """Step of the sequence in words, as its formula is shown."""

    name: str
    text: str
    citation: Citation
    modes: frozenset[str] = frozenset((MELEE, SHOOTING))


@dataclass(frozen=True, slots=True)
class OddsRules:
    """The kind of dice, and the game's facts that it needs.

    `stats` are the game's statistics by their part in the sequence. `to_hit` and `to_wound` have
    rows (least difference, needed roll), the highest first.
    """

    kind: str
    modes: Mapping[str, str]
    stats: Mapping[str, str]
    steps: tuple[OddsStep, ...]
    ticks: tuple[OddsTick, ...]
    to_hit: tuple[tuple[int, int], ...] = ()
    to_wound: tuple[tuple[int, int], ...] = ()


def needed_of(difference: int, table: tuple[tuple[int, int], ...]) -> int:
    """Return the roll that a difference of statistics needs; a 6 beyond the table."""
    return next((roll for least, roll in table if difference >= least), 6)
