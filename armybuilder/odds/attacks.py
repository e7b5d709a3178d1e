"""Attack sequence: rolls to hit and to wound, armour saves, special saves, Health Points lost.

The chances of Health Points lost are worked out for each attack; those of all attacks are their
sum. An amount that is rolled, such as an Attack Value of D6, is rolled for each model. A loss
beyond all Health Points counts as all of them.

A beaten model recoils at an odd die of the winner and falls at an even one; twice its score kills
it, three times its score does so gruesomely. A shooter cannot be hurt by its target.
"""

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from armybuilder.engine.odds_rules import OddsRules, needed_of
from armybuilder.odds.dice import DIE, NOTHING, Chances

#: Rolls to hit that only two dice can reach, and that nothing can.
HOPELESS, IMPOSSIBLE = 7, 8
#: What no die reaches: there is no save.
NO_SAVE = 7
SIXTH = Fraction(1, 6)


@dataclass(frozen=True, slots=True)
class Volley:
    """Attacks of `models` with the chances of the number of `attacks` each, and the rolls needed.

    `hit` may be HOPELESS or IMPOSSIBLE; saves are 7 if there are none. `wounds` is the number of
    wounds that an unsaved wound becomes. `effects` have the names of the rules of a game file.
    """

    models: int
    attacks: Chances
    hit: int
    wound: int
    armour: int
    aegis: int
    fortitude: int
    wounds: Chances
    health: int
    targets: int
    effects: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Losses:
    """Results of attacks: means of each step, and the chances of the Health Points lost."""

    attacks: Fraction
    hits: Fraction
    wounds: Fraction
    unsaved: Fraction
    health: Chances
    each: int
    targets: int

    @property
    def models(self) -> Fraction:
        """The mean of the models lost, whole ones."""
        lost = (number // self.each * chance for number, chance in self.health.items())
        return sum(lost, start=Fraction())

    @property
    def destroyed(self) -> Fraction:
        return self.health.at_least(self.each * self.targets)


def roll_in_melee(
    odds: OddsRules, skill: int, defence: int, added: list[int], has: Set[str]
) -> int:
    """Return the roll that a Close Combat Attack needs to hit, with the modifiers `added` to it."""
    if "parry" in has:
        defence = max(defence + 1, skill)
    if "distracting" in has and min(added, default=0) >= 0:
        added = [*added, -1]
    return min(max(needed_of(skill - defence, odds.to_hit) - sum(added), 2), 6)


def roll_to_shoot(aim: int, added: list[int]) -> int:
    """Return the roll that a shot needs to hit; HOPELESS or IMPOSSIBLE beyond a 6."""
    return min(max(aim - sum(added), 2), IMPOSSIBLE)


def roll_to_save(armour: int, penetration: int) -> int:
    """Return the roll that an Armour Save needs; 7 for none."""
    return min(max(7 - armour + penetration, 2), NO_SAVE)


def losses(volley: Volley) -> Losses:
    """Return the exact chances of the losses."""
    effects, most = volley.effects, volley.health * volley.targets
    plain, six = _rolled(volley.hit, "reroll-hits" in effects)
    saved = 1 - _passed(volley.armour)
    special = 1 - _special(volley, fortitude="flaming" not in effects)
    common, natural = _rolled(volley.wound, "reroll-wounds" in effects)
    lethal = "lethal" in effects
    left = 1 - _special(volley, fortitude=False) if lethal else saved * special
    hit = common * saved * special + natural * left
    sure = saved * special if "six-wounds" in effects else hit
    twice = "six-twice" in effects
    wounds = Chances.of((min(value, volley.health), part) for value, part in volley.wounds.items())
    first, second, third = (_one_of(chance, wounds, most) for chance in (hit, sure, hit))
    both = second.plus(third, most) if twice else second
    attack = Chances.of(
        (value, share * part)
        for share, chances in ((1 - plain - six, NOTHING), (plain, first), (six, both))
        for value, part in chances.items()
    )
    number = volley.models * volley.attacks.mean
    rolled, of_six = common + natural, 1 if "six-wounds" in effects else common + natural
    return Losses(
        attacks=number,
        hits=number * (plain + six * (1 + twice)),
        wounds=number * (plain * rolled + six * (of_six + twice * rolled)),
        unsaved=number * (plain * hit + six * (sure + twice * hit)),
        health=volley.attacks.each_times(attack, most).times(volley.models, most),
        each=volley.health,
        targets=volley.targets,
    )


def _one_of(chance: Fraction, wounds: Chances, most: int) -> Chances:
    """Return the Health Points lost to a hit that takes any by a chance."""
    parts = ((min(value, most), part * chance) for value, part in wounds.items())
    return Chances.of([(0, 1 - chance), *parts])


def _rolled(needed: int, again: bool) -> tuple[Fraction, Fraction]:
    """Return the chances of success with a natural 1 to 5, and with a natural 6."""
    if needed >= IMPOSSIBLE:
        return Fraction(), Fraction()
    if needed == HOPELESS:
        return Fraction(), SIXTH / 2
    plain = (6 - needed) * SIXTH
    once = 1 + (1 - plain - SIXTH) * again
    return plain * once, SIXTH * once


def _passed(needed: int) -> Fraction:
    return max(Fraction(), (7 - needed) * SIXTH)


def _special(volley: Volley, fortitude: bool) -> Fraction:
    """Return the chance of the better special save; only one of them is taken."""
    aegis = _passed(volley.aegis)
    aegis = aegis * aegis if "divine" in volley.effects else aegis
    return max(aegis, _passed(volley.fortitude)) if fortitude else aegis


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
