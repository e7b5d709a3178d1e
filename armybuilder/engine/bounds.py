"""Bounds: numbers that rules compare with, fixed or growing with the game size."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from armybuilder.engine.amounts import Amount, read_amount
from armybuilder.engine.prices import Share
from armybuilder.engine.tally import Tally


class Bound(ABC):
    """A number that may depend on the roster. Rounded so that whole numbers compare exactly:
    at most a third of 100 is at most 33, at least a third of it at least 34.
    """

    @abstractmethod
    def upper(self, tally: Tally) -> int | None:
        """What the number must not exceed; None: no bound here."""

    def lower(self, tally: Tally) -> int | None:
        """What the number must reach; None: no bound here. The same, but for how shares round."""
        return self.upper(tally)

    def excess(self, measured: int, tally: Tally) -> int:
        """Return how much of a number must go that exceeds the bound."""
        return measured - (self.upper(tally) or 0)

    def army_tags(self) -> set[str]:
        """Return what its conditions count in the whole army."""
        return set()


@dataclass(frozen=True, slots=True)
class Fixed(Bound):
    """A number that is the same for every roster."""

    number: int

    def upper(self, tally: Tally) -> int:
        return self.number


@dataclass(frozen=True, slots=True)
class ShareOf(Bound):
    """A share of the game size ("limit") or of the models on the list ("models")."""

    share: Share
    whole: str

    def _whole(self, tally: Tally) -> int:
        return tally.roster.limit if self.whole == "limit" else tally.models

    def upper(self, tally: Tally) -> int:
        return self.share.down(self._whole(tally))

    def lower(self, tally: Tally) -> int:
        return self.share.up(self._whole(tally))

    def excess(self, measured: int, tally: Tally) -> int:
        if self.whole == "limit":
            return measured - self.upper(tally)
        # Each model that goes lowers what is allowed, too.
        total = tally.models
        return next(n for n in range(measured + 1) if measured - n <= self.share.down(total - n))


@dataclass(frozen=True, slots=True)
class BySetting(Bound):
    """A table over settings: one row per value of the first, numbers by the second.

    A number setting takes the row of the largest step not above it, so {2: 3, 5: 1} gives
    3 for 2 to 4 players and 1 for 5 and more. None in a row: no bound.
    """

    settings: tuple[str, str]
    table: Mapping[str, tuple[tuple[int, int | None], ...]]

    def upper(self, tally: Tally) -> int | None:
        row = self.table[str(tally.roster.settings[self.settings[0]])]
        number = tally.roster.settings[self.settings[1]]
        if not isinstance(number, int):
            raise TypeError(f"setting {self.settings[1]} must be a number to look up a bound")
        fitting = [value for step, value in row if step <= number]
        return fitting[-1] if fitting else row[0][1]


@dataclass(frozen=True, slots=True)
class BySize(Bound):
    """A number by game size; at other sizes what the players agreed on in a setting, and no bound
    where they did not.
    """

    sizes: Mapping[int, int]
    setting: str

    def upper(self, tally: Tally) -> int | None:
        known = self.sizes.get(tally.roster.limit)
        agreed = tally.roster.settings.get(self.setting)
        return known if known is not None else agreed if isinstance(agreed, int) else None


@dataclass(frozen=True, slots=True)
class LimitLess(Bound):
    """The game size less some points, at least 0."""

    points: int

    def upper(self, tally: Tally) -> int:
        return max(0, tally.roster.limit - self.points)


@dataclass(frozen=True, slots=True)
class Moving(Bound):
    """A number that moves when a condition holds; without a number there is no bound."""

    amount: Amount

    def upper(self, tally: Tally) -> int | None:
        return self.amount.at(tally.place)

    def army_tags(self) -> set[str]:
        """Those of its amount."""
        return self.amount.army_tags()


@dataclass(frozen=True, slots=True)
class PerCent(Moving):
    """A share of the game size, in per cent that may move when a condition holds; without a
    number there is no bound.
    """

    def upper(self, tally: Tally) -> int | None:
        share = self.amount.at(tally.place)
        return None if share is None else tally.roster.limit * share // 100

    def lower(self, tally: Tally) -> int | None:
        share = self.amount.at(tally.place)
        return None if share is None else -(-tally.roster.limit * share // 100)


def read_bound(data: int | str | Mapping[str, Any] | None) -> Bound | None:
    """Build from 5, "limit", {"share": "1/3", "of": "limit"}, {"number": 4, "when": [...]},
    {"limit_less": 40}, {"sizes": {"200": 10}, "setting": "creature_limit"} or
    {"by": ["environment", "players"], "table": {"aboveground": {"2": 3}}}.
    """
    if data is None:
        return None
    if isinstance(data, int):
        return Fixed(data)
    if isinstance(data, str):
        return ShareOf(Share(1, 1), data)
    if "share" in data:
        return ShareOf(Share.read(data["share"]), data["of"])
    if "number" in data:
        return Moving(read_amount(data["number"], data["when"], "number"))
    if "sizes" in data:
        return BySize({int(size): bound for size, bound in data["sizes"].items()}, data["setting"])
    if "limit_less" in data:
        return LimitLess(data["limit_less"])
    first, second = data["by"]
    table = {
        key: tuple(sorted((int(step), value) for step, value in row.items()))
        for key, row in data["table"].items()
    }
    return BySetting((first, second), table)
