"""The ends of bounds: numbers that rules compare with, fixed or growing with the game size."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple

from armybuilder.engine.amounts import Amount, read_amount
from armybuilder.engine.prices import Share
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal
from armybuilder.engine.units import Unit
from armybuilder.engine.view import THE_LIST, Items, N, Subject, View


class Edge(NamedTuple, Generic[N]):
    """An end for a list: `times` a number must not exceed `value`, or must reach it, if `exists`
    holds."""

    value: N
    times: int = 1
    exists: Literal = TRUE


class End(ABC):
    """One end of a bound, which may depend on the list.

    It is rounded so that whole numbers compare exactly: at most a third of 100 is at most 33, at
    least a third of it at least 34. `own`: each subject of the bound has its own end.
    """

    own: ClassVar[bool] = False

    @abstractmethod
    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        """Return the end on a list, or in a space of lists."""

    def upper(self, tally: View[int], subject: Subject = THE_LIST) -> int | None:
        """The maximum; None: no bound here."""
        value, times, exists = self.edge(tally, subject)
        return None if exists == FALSE else value // times

    def lower(self, tally: View[int], subject: Subject = THE_LIST) -> int | None:
        """The minimum; None: no bound here."""
        value, times, exists = self.edge(tally, subject)
        return None if exists == FALSE else -(-value // times)

    def passes(self, member: Any, items: Items) -> bool:
        """Return whether these items of a unit are in bounds, as far as one sees at once."""
        return False

    def excess(self, measured: int, tally: View[int]) -> int:
        """Return how much of a number must go that exceeds the bound."""
        return measured - (self.upper(tally) or 0)

    def army_tags(self) -> set[str]:
        """Return the tags that its conditions count in the whole army."""
        return set()

    def top_of_game(self, roster: Roster) -> int | None:
        """Return the maximum for all lists of the game; None if it depends on the list, or there
        is no bound."""
        return None

    @property
    def grows(self) -> bool:
        """Return whether it rises with the models on the list."""
        return False


@dataclass(frozen=True, slots=True)
class Stock(End):
    """The models that there are of the unit of a subject; None: no bound."""

    own: ClassVar[bool] = True
    number: Callable[[Roster, Unit], int | None]

    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        ((member, _), *_) = subject.members
        number = self.number(view.roster, member.unit)
        return Edge(view.algebra.constant(number or 0), 1, FALSE if number is None else TRUE)


class OfTheGame(End):
    """An end that follows from the game size and the settings alone."""

    @abstractmethod
    def of_game(self, roster: Roster) -> int | None:
        """Return the number, rounded down; None: no bound here."""

    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        number = self.of_game(view.roster)
        return Edge(view.algebra.constant(number or 0), 1, FALSE if number is None else TRUE)

    def top_of_game(self, roster: Roster) -> int | None:
        """Return the number."""
        return self.of_game(roster)


@dataclass(frozen=True, slots=True)
class Fixed(OfTheGame):
    """A number that is the same for every roster."""

    number: int

    def of_game(self, roster: Roster) -> int:
        return self.number


@dataclass(frozen=True, slots=True)
class ShareOf(End):
    """A share of the game size ("limit") or of the models on the list ("models")."""

    share: Share
    whole: str

    @property
    def grows(self) -> bool:
        """Return whether it is a share of the models."""
        return self.whole == "models"

    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        limit = self.whole == "limit"
        whole = view.algebra.constant(view.roster.limit) if limit else view.all_models()
        return Edge(whole * self.share.numerator, self.share.denominator)

    def top_of_game(self, roster: Roster) -> int | None:
        """Return the share of the game size."""
        return self.share.down(roster.limit) if self.whole == "limit" else None

    def excess(self, measured: int, tally: View[int]) -> int:
        if self.whole == "limit":
            return measured - self.share.down(tally.roster.limit)
        # Each removed model lowers the maximum, too.
        total = tally.all_models()
        return next(n for n in range(measured + 1) if measured - n <= self.share.down(total - n))


@dataclass(frozen=True, slots=True)
class BySetting(End):
    """A table over settings: one row per value of the first, numbers by the second.

    A number setting takes the row of the largest step not above it, so {2: 3, 5: 1} gives
    3 for 2 to 4 players and 1 for 5 and more. None in a row: no bound.
    """

    settings: tuple[str, str]
    table: Mapping[str, tuple[tuple[int, int | None], ...]]

    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        rows = ((key, self._in_row(row, view.roster)) for key, row in self.table.items())
        tops = [(view.among(self.settings[0], frozenset([key])), top) for key, top in rows]
        known = [(chosen, top) for chosen, top in tops if top is not None and chosen != FALSE]
        value = view.algebra.sum([view.algebra.number(chosen) * top for chosen, top in known])
        return Edge(value, 1, view.algebra.any_of([chosen for chosen, _ in known]))

    def _in_row(self, row: tuple[tuple[int, int | None], ...], roster: Roster) -> int | None:
        number = roster.settings[self.settings[1]]
        if not isinstance(number, int):
            raise TypeError(f"setting {self.settings[1]} must be a number to look up a bound")
        fitting = [value for step, value in row if step <= number]
        return fitting[-1] if fitting else row[0][1]


@dataclass(frozen=True, slots=True)
class BySize(OfTheGame):
    """A number by game size; for other sizes the players' setting, and no bound without that."""

    sizes: Mapping[int, int]
    setting: str

    def of_game(self, roster: Roster) -> int | None:
        known = self.sizes.get(roster.limit)
        agreed = roster.settings.get(self.setting)
        return known if known is not None else agreed if isinstance(agreed, int) else None


@dataclass(frozen=True, slots=True)
class LimitLess(OfTheGame):
    """The game size less some points, at least 0."""

    points: int

    def of_game(self, roster: Roster) -> int:
        return max(0, roster.limit - self.points)


@dataclass(frozen=True, slots=True)
class Moving(End):
    """A number that changes when a condition holds; without a number there is no bound."""

    amount: Amount

    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        value, exists = view.amount(self.amount)
        return Edge(value, 1, exists)

    def army_tags(self) -> set[str]:
        """Those of its amount."""
        return self.amount.army_tags()


@dataclass(frozen=True, slots=True)
class PerCent(Moving):
    """A share of the game size, in per cent, which changes when a condition holds; without a
    number there is no bound."""

    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        share, exists = view.amount(self.amount)
        return Edge(share * view.roster.limit, 100, exists)


def read_end(data: int | str | Mapping[str, Any] | None) -> End | None:
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
