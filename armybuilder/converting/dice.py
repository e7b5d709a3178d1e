"""Dice and fractions: exact averages, rounding, and how such numbers are shown."""

import math
import re
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Final

HALF: Final = Fraction(1, 2)
MAX_DICE: Final = 40
MAX_SIDES: Final = 100
_TERM = re.compile(r"([+-]?)(?:(\d{1,3})d(\d{1,3})|(\d{1,4}(?:\.\d{1,3}|/\d{1,3})?))")
_PLAIN = re.compile(r"\d{1,3}(/\d{1,2})?")
_DICE = re.compile(r"(\d{1,3}(?:/\d{1,2})?)\s*d\s*\d")

#: Ends of a number that would be divided by zero.
ZEROS: Final = ("/0", "/00", "/000")


def average(text: str) -> Fraction:
    """Return the exact average of "2d6+4", "1d8+1 plus 1d6", "7.5" or "15/2".

    A hit deals at least 1: "1d4-2" is 1.25. Raises `ValueError` on anything else.
    """
    compact = re.sub(r"\s|plus", lambda match: "+" if match[0] == "plus" else "", text.lower())
    compact = compact.replace("−", "-").replace("–", "-")
    terms = _terms(compact)
    rolled = [(sign, dice, sides) for sign, dice, sides, _ in terms if dice]
    fixed = sum((sign * number for sign, _, _, number in terms), Fraction(0))
    if sum(dice for _, dice, _ in rolled) > MAX_DICE:
        raise ValueError(text)
    mean = fixed + sum(sign * Fraction(dice * (sides + 1), 2) for sign, dice, sides in rolled)
    least = fixed + sum(dice if sign > 0 else -dice * sides for sign, dice, sides in rolled)
    return mean if least >= 1 else _with_a_floor(rolled, fixed)


def hit_dice(text: str) -> Fraction:
    """Return the hit dice of "4d8+11", "1/2 d8", "2d8 plus 4d12" or "4"; `ValueError` otherwise."""
    parts = _DICE.findall(text)
    if not parts and not _PLAIN.fullmatch(text.strip()):
        raise ValueError(text)
    return sum((Fraction(part) for part in parts or [text.strip()]), Fraction(0))


def nearest(value: Fraction) -> int:
    """Return the nearest whole number, halves up."""
    return math.floor(value + HALF)


def nearest_low(value: Fraction) -> int:
    """Return the nearest whole number, halves down."""
    return math.ceil(value - HALF)


def shown(value: Fraction | int) -> str:
    """Return the number for reading: 7.5, 3, or two digits of one that does not end: 2.83."""
    exact = Fraction(value)
    digits = f"{math.floor(abs(exact) * 100 + HALF):03d}"
    text = f"{digits[:-2]}.{digits[-2:]}".rstrip("0").rstrip(".")
    return f"−{text}" if exact < 0 else text


def signed(value: int) -> str:
    """Return a number with its sign: +3, +0, −1."""
    return f"−{-value}" if value < 0 else f"+{value}"


def _terms(text: str) -> list[tuple[int, int, int, Fraction]]:
    """Return sign, dice, sides and fixed number of each term; all of the text must be terms."""
    terms, place = [], 0
    while place < len(text):
        match = _TERM.match(text, place)
        if match is None or (place and not match[1]):
            raise ValueError(text)
        place = match.end()
        dice, sides, number = int(match[2] or 0), int(match[3] or 1), match[4] or "0"
        if (match[2] and not dice) or not 1 <= sides <= MAX_SIDES or number.endswith(ZEROS):
            raise ValueError(text)
        terms.append((-1 if match[1] == "-" else 1, dice, sides, Fraction(number)))
    if not terms:
        raise ValueError(text)
    return terms


def _with_a_floor(rolled: list[tuple[int, int, int]], fixed: Fraction) -> Fraction:
    spread = Counter({0: 1})
    for sign, dice, sides in rolled:
        for _ in range(dice):
            wider: Counter[int] = Counter()
            for (roll, ways), face in product(spread.items(), range(1, sides + 1)):
                wider[roll + sign * face] += ways
            spread = wider
    worth = sum(ways * max(Fraction(1), fixed + roll) for roll, ways in spread.items())
    return Fraction(worth) / spread.total()
