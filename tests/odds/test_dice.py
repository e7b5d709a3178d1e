"""Chances, against plain enumeration of all dice."""

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from armybuilder.loading.library import shipped_library
from armybuilder.odds.attacks import (
    HOPELESS,
    Fate,
    Fighter,
    Volley,
    losses,
    opposed,
    roll_in_melee,
    roll_to_save,
    roll_to_shoot,
)
from armybuilder.odds.dice import Chances, read_amount

DIE = range(1, 7)


@pytest.mark.parametrize("text", ["0", "3", "D3", "2D6+1", " d6 "])
def test_an_amount_has_the_chances_of_its_dice(text: str) -> None:
    rolls = {
        "0": [0], "3": [3], "D3": [1, 2, 3], " d6 ": list(DIE),
        "2D6+1": [one + other + 1 for one, other in product(DIE, DIE)],
    }[text]  # fmt: skip
    counts, amount = Counter(rolls), read_amount(text)
    for number, chance in amount.items():
        assert chance == Fraction(counts[number], len(rolls))
    assert amount.mean == Fraction(sum(rolls), len(rolls))


@pytest.mark.parametrize("text", ["", "D8", "-1", "2D", "100", "D6+", "x"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        read_amount(text)


def fate(winner: Fighter, die: int, loser: Fighter, other: int, sweep: int) -> Fate | None:
    """What becomes of the loser by the words of the rules, written down a second time."""
    mine, theirs = winner.score + die, loser.score + other
    if mine <= theirs or ("armoured" in loser.effects and mine == theirs + 1):
        return None
    if mine >= 2 * theirs or "kills" in winner.effects or "rabble" in loser.effects:
        gruesome = (
            mine >= 3 * theirs
            or "savages" in winner.effects
            or ("rabble" in loser.effects and mine >= 2 * theirs)
        )
        if "tough" in loser.effects:
            return Fate.KILLED if gruesome else Fate.WOUNDED
        return Fate.GRUESOME if gruesome else Fate.KILLED
    if die in (2, 4, 6) or ("sweeps" in winner.effects and sweep >= 5):
        return Fate.FALLS
    return Fate.RECOILS


EFFECTS = ["", "kills", "savages", "sweeps", "armoured", "rabble", "tough"]


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("scores", [(3, 3), (5, 1), (2, 4), (0, 6)])
def test_opposed_dice_are_those_of_all_rolls(effect: str, scores: tuple[int, int]) -> None:
    for enemy in EFFECTS:
        first = Fighter(scores[0], frozenset({effect, "savages"} - {""}))
        second = Fighter(scores[1], frozenset({enemy} - {""}))
        found: tuple[Counter[Fate], Counter[Fate]] = (Counter(), Counter())
        for one, other, sweep in product(DIE, DIE, DIE):
            for side, what in (
                (1, fate(first, one, second, other, sweep)),
                (0, fate(second, other, first, one, sweep)),
            ):
                if what:
                    found[side][what] += 1
        for side, fates in enumerate(opposed(first, second, melee=True)):
            assert fates == {what: Fraction(number, 216) for what, number in found[side].items()}


def test_a_target_cannot_hurt_its_shooter_and_savage_is_for_melee() -> None:
    first, second = Fighter(3, frozenset({"savages"})), Fighter(6)
    mine, theirs = opposed(first, second, melee=False)
    assert mine == {}
    assert theirs == opposed(Fighter(3), second, melee=True)[1]


ODDS = shipped_library().systems["t9a-2023"].odds


def test_rolls_are_those_of_the_tables() -> None:
    assert ODDS is not None
    # The example of the rulebook, 15.D.e: skill 3 against 2 and 8.
    assert [roll_in_melee(ODDS, 3, other, [], set()) for other in (2, 8)] == [3, 5]
    assert [roll_in_melee(ODDS, 9, 1, added, set()) for added in ([], [1], [-1], [-9])] == [
        2,
        2,
        3,
        6,
    ]
    assert roll_in_melee(ODDS, 5, 3, [], {"parry"}) == 4
    assert roll_in_melee(ODDS, 5, 3, [], {"distracting"}) == 4
    assert roll_in_melee(ODDS, 5, 3, [-1], {"distracting"}) == 4
    assert roll_in_melee(ODDS, 5, 3, [1, -1], {"distracting"}) == 3
    # The example of 14.D: Aim 4+, Hard Cover, moved.
    assert roll_to_shoot(4, [-2, -1]) == HOPELESS
    assert [roll_to_shoot(2, [3]), roll_to_shoot(4, [-4]), roll_to_shoot(4, [-9])] == [2, 8, 8]
    assert [roll_to_save(armour, 0) for armour in range(7)] == [7, 6, 5, 4, 3, 2, 2]
    assert roll_to_save(4, 2) == 5
    assert roll_to_save(1, 3) == 7


def volley(**changed: object) -> Volley:
    usual: dict[str, object] = {
        "models": 1, "attacks": read_amount("1"), "hit": 3, "wound": 4, "armour": 5, "aegis": 7,
        "fortitude": 7, "wounds": read_amount("1"), "health": 3, "targets": 2,
    }  # fmt: skip
    return Volley(**{**usual, **changed})  # type: ignore[arg-type]  # whatever a case changes


def rolls(needed: int, again: bool) -> Iterator[tuple[bool, bool, Fraction]]:
    """Each roll: whether it succeeds, whether it is a natural 6, its chance."""
    for die in DIE:
        if needed == HOPELESS:
            for second in DIE:
                yield die == 6 and second >= 4, die == 6, Fraction(1, 36)
        elif die >= needed or not again:
            yield die >= needed, die == 6, Fraction(1, 6)
        else:
            for second in DIE:
                yield second >= needed, second == 6, Fraction(1, 36)


def saved(needed: int, again: bool = False) -> Fraction:
    """The chance of a save, by its dice; `again`: one that succeeds is rolled again."""
    good = Fraction(sum(die >= needed for die in DIE), 6)
    return good * good if again else good


def of_one_hit(case: Volley, sure: bool) -> Iterator[tuple[int, Fraction]]:
    has = case.effects
    wounds = [(True, False, Fraction(1))] if sure else rolls(case.wound, "reroll-wounds" in has)
    for wounded, six, chance in wounds:
        lethal = six and "lethal" in has
        through = 1 - (0 if lethal else saved(case.armour))
        fortitude = 0 if lethal or "flaming" in has else saved(case.fortitude)
        through *= 1 - max(saved(case.aegis, "divine" in has), fortitude)
        yield 0, chance * (1 - wounded * through)
        for number, part in case.wounds.items():
            yield min(number, case.health), chance * wounded * through * part


def of_one_attack(case: Volley) -> Iterator[tuple[int, Fraction]]:
    has = case.effects
    for hit, six, chance in rolls(case.hit, "reroll-hits" in has):
        if not hit:
            yield 0, chance
            continue
        first = list(of_one_hit(case, sure=six and "six-wounds" in has))
        more = list(of_one_hit(case, sure=False)) if six and "six-twice" in has else [(0, 1)]
        for (one, mine), (other, theirs) in product(first, more):
            yield one + other, chance * mine * theirs


CASES = [
    {},
    {"armour": 7, "aegis": 4, "fortitude": 5},
    {"aegis": 4, "fortitude": 5, "effects": frozenset({"divine"})},
    {"aegis": 6, "fortitude": 4, "effects": frozenset({"flaming"})},
    {"fortitude": 4, "aegis": 6, "effects": frozenset({"lethal", "reroll-wounds"})},
    {"effects": frozenset({"six-wounds", "six-twice", "reroll-hits"})},
    {"hit": HOPELESS, "effects": frozenset({"six-wounds"})},
    {"wounds": read_amount("D6"), "effects": frozenset({"six-twice", "lethal"})},
]


@pytest.mark.parametrize("case", CASES)
def test_attacks_are_those_of_all_dice(case: dict[str, object]) -> None:
    """One model with D3 attacks, two models with two each: every dice counted by hand."""
    for changed in ({"attacks": read_amount("D3")}, {"models": 2, "attacks": read_amount("2")}):
        tried = volley(**case, **changed)
        one = Counter[int]()
        for lost, chance in of_one_attack(tried):
            one[lost] += chance  # type: ignore[assignment]  # exact fractions
        numbers = {1: 1, 2: 1, 3: 1} if tried.models == 1 else {4: 1}
        most, wanted = tried.health * tried.targets, Counter[int]()
        for number in numbers:
            for several in product(one.items(), repeat=number):
                chance = Fraction(1, len(numbers))
                for _lost, part in several:
                    chance *= part
                wanted[min(sum(lost for lost, _part in several), most)] += chance  # type: ignore[assignment]
        done = losses(tried)
        assert {lost: chance for lost, chance in done.health.items() if chance} == {
            lost: chance for lost, chance in wanted.items() if chance
        }
        assert done.models == sum(lost // 3 * chance for lost, chance in wanted.items())
        assert done.destroyed == wanted[most]


def test_means_of_the_steps_follow_from_each_other() -> None:
    done = losses(volley(models=10, attacks=read_amount("2"), targets=40))
    assert (done.attacks, done.hits, done.wounds) == (20, Fraction(40, 3), Fraction(20, 3))
    assert done.unsaved == Fraction(40, 9) == done.health.mean


def test_the_largest_sum_that_a_form_takes_stays_exact() -> None:
    case = volley(models=40, attacks=Chances.of([(5, Fraction(1))]), health=1, targets=400)
    done = losses(case)
    assert sum(done.health.ways) == done.health.total
    assert done.health.mean == done.unsaved
