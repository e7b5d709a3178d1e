"""Prices: the cost of a unit, by number of models or by a formula over its statistics."""

from collections.abc import Mapping
from dataclasses import dataclass

from armybuilder.engine.fields import given


@dataclass(frozen=True, slots=True)
class Price:
    """`start` points for the first `size` models, `extra` points for each more.

    A model bought singly has size 1 and start equal to extra. `start` None: not known.
    """

    start: int | None
    size: int = 1
    extra: int = 0

    @classmethod
    def each(cls, points: int | None) -> "Price":
        """Return the price of models bought singly at `points` each; None: not known."""
        return cls(points, 1, points or 0)

    def of(self, models: int) -> int:
        """Points for `models` models; 0 where the price is not known."""
        if self.start is None:
            return 0
        return self.start + self.extra * max(0, models - self.size)


@dataclass(frozen=True, slots=True)
class Share:
    """A rational share with its rounding, in whole numbers: no float touches a verdict."""

    numerator: int
    denominator: int

    def up(self, number: int) -> int:
        """Return the share of `number`, rounded up."""
        return -(-number * self.numerator // self.denominator)

    def down(self, number: int) -> int:
        """Return the share of `number`, rounded down."""
        return number * self.numerator // self.denominator

    @classmethod
    def read(cls, data: str | int) -> "Share":
        """Build from "1/3" or 2."""
        numerator, _, denominator = str(data).partition("/")
        return cls(int(numerator), int(denominator or 1))


@dataclass(frozen=True, slots=True)
class Formula:
    """Points of a model = (weighted statistics + points of its abilities)
    × (`minuend` − one statistic) ÷ `divisor`, rounded up, at least `minimum`.

    Song of Blades and Heroes: weights {"combat": 5}, minuend 7, statistic "quality", divisor 2.
    """

    weights: Mapping[str, int]
    statistic: str = given("minus")
    minuend: int = given("from")
    divisor: int = given("divide")
    minimum: int = given()

    def points(self, stats: Mapping[str, int | str], ability_points: int) -> int:
        """Points of one model. `stats` must hold whole numbers for the named statistics."""
        base = ability_points
        for stat, weight in self.weights.items():
            base += weight * int(stats[stat])
        product = base * (self.minuend - int(stats[self.statistic]))
        return max(self.minimum, -(-product // self.divisor))
