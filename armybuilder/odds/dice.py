"""Exact chances of whole numbers: dice, sums, repetitions."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

_DICE = re.compile(r"(?:(\d)?D(3|6)(?:\s*\+\s*(\d))?|(\d{1,2}))", re.IGNORECASE)

DIE = range(1, 7)


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances of 0, 1, 2, …: `ways` out of `total`, whole numbers, so that sums stay exact."""

    ways: tuple[int, ...]
    total: int

    @classmethod
    def of(cls, parts: Iterable[tuple[int, Fraction]]) -> "Chances":
        """Return the chances of numbers, which add up to 1."""
        chances: dict[int, Fraction] = {}
        for number, chance in parts:
            chances[number] = chances.get(number, Fraction()) + chance
        total = math.lcm(*(chance.denominator for chance in chances.values()))
        ways = (chances.get(number, Fraction()) * total for number in range(max(chances) + 1))
        return cls(tuple(map(int, ways)), total)

    def plus(self, other: "Chances", most: int) -> "Chances":
        """Return the chances of the sum; sums above `most` count as `most`."""
        ways = [0] * (min(len(self.ways) + len(other.ways) - 2, most) + 1)
        for number, some in enumerate(self.ways):
            for more, others in enumerate(other.ways if some else ()):
                ways[min(number + more, most)] += some * others
        return Chances(tuple(ways), self.total * other.total)

    def times(self, number: int, most: int) -> "Chances":
        """Return the chances of the sum of `number` independent ones, at most `most`."""
        found, square = NOTHING, self
        while number:
            if number % 2:
                found = found.plus(square, most)
            number //= 2
            square = square.plus(square, most) if number else square
        return found

    def each_times(self, one: "Chances", most: int) -> "Chances":
        """Return the chances of the sum of as many of `one` as these chances say."""
        mixed = [Fraction()] * (most + 1)
        total = NOTHING
        for number, chance in self.items():
            total = total.plus(one, most) if number else NOTHING
            for value, part in total.items():
                mixed[value] += chance * part
        return Chances.of(enumerate(mixed))

    def items(self) -> Iterator[tuple[int, Fraction]]:
        for number, ways in enumerate(self.ways):
            yield number, Fraction(ways, self.total)

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(number * ways for number, ways in enumerate(self.ways)), self.total)

    @property
    def most(self) -> int:
        return len(self.ways) - 1

    def at_least(self, number: int) -> Fraction:
        return Fraction(sum(self.ways[max(number, 0) :]), self.total)


#: Certainly 0.
NOTHING = Chances((1,), 1)


def read_amount(text: str) -> Chances:
    """Return the chances of an amount such as "2", "D3", "2D6+1". Raises ValueError for others."""
    found = _DICE.fullmatch(text.strip())
    if found is None:
        raise ValueError(text)
    dice, sides, more, fixed = found.groups()
    if fixed:
        return Chances.of([(int(fixed), Fraction(1))])
    one = Chances.of((face, Fraction(1, int(sides))) for face in range(1, int(sides) + 1))
    rolled = one.times(int(dice or 1), int(dice or 1) * int(sides))
    return Chances.of((number + int(more or 0), chance) for number, chance in rolled.items())
