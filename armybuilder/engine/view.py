"""Views: the common interface of bounds to an actual list (`Tally`) or a space of lists (`Space`).

Numbers are whole numbers in the first and expressions in the second. Conditions are literals in
both; a tally has only TRUE and FALSE. So a query is written once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Any, Generic, NamedTuple, TypeAlias

from armybuilder.engine.about import About
from armybuilder.engine.algebra import Algebra
from armybuilder.engine.algebra import N as N
from armybuilder.engine.amounts import Amount
from armybuilder.engine.conditions import Facts
from armybuilder.engine.roster import Roster
from armybuilder.engine.selectors import Count, Selector
from armybuilder.engine.space.constraints import Literal
from armybuilder.engine.vocabulary import Piece, Vocabulary

#: Options of one unit, each with how often it is taken.
Items: TypeAlias = Sequence[tuple[Any, Any]]


class Subject(NamedTuple):
    """Subject of one number of a bound: the whole list, or some `members` of it (lines or
    candidates), each with whether it matches; `items` are its counted options, each with its
    number. `key` separates the subjects of a bound. The bound holds if all of `when` do. `about` is
    the subject of a finding, None: its unit."""

    key: str = ""
    members: Sequence[tuple[Any, Literal]] = ()
    items: Items = ()
    when: tuple[Literal, ...] = ()
    about: About | None = None


THE_LIST = Subject()


class View(ABC, Generic[N]):
    """One line-up of a list that is there or may be. Members are lines or candidates."""

    roster: Roster
    system: Vocabulary
    algebra: Algebra[N]
    #: The army, without any of its units.
    place: Facts[N]

    @abstractmethod
    def faction_of(self, member: Any) -> str:
        """Return a member's faction; "" in games without factions."""

    @property
    @abstractmethod
    def factions(self) -> Iterable[tuple[str | None, Literal]]:
        """Each faction that the warband may be of, None: an open one, with whether it is."""

    @abstractmethod
    def all_models(self) -> N:
        """All models."""

    @property
    @abstractmethod
    def members(self) -> Sequence[Any]:
        """All that is there, or may be."""

    @abstractmethod
    def has_option(self, member: Any, number: int) -> Literal:
        """Return whether a member has an option that counts by the selector of a number."""

    @abstractmethod
    def in_role(self, role: str) -> Iterable[tuple[Any, Literal]]:
        """Return who may have a role, with whether it has, where it is there."""

    @abstractmethod
    def is_meant(self, member: Any, selector: Selector) -> Literal:
        """Return whether a selector speaks of a member, where it is there."""

    @abstractmethod
    def having(self, number: int | None) -> Iterable[tuple[Any, Items]]:
        """Return who may have options that count by the selector of a number, with these, each with
        how often it is taken. None: all options.
        """

    def amount(self, amount: Amount, member: Any = None) -> tuple[N, Literal]:
        """Return an amount in the army or at a member as rules see it, and whether there is one."""
        return amount.bounded(self.place if member is None else member.seen)

    @abstractmethod
    def counted(self, count: Count) -> N:
        """Return how much there is of something."""

    @abstractmethod
    def pieces(self, setting: str, meant: Callable[[Piece], Literal]) -> N:
        """Return how many pieces chosen in a setting are meant."""

    @abstractmethod
    def among(self, setting: str, values: Set[str | int] | range) -> Literal:
        """Return whether a setting has one of some values."""

    @abstractmethod
    def spared(self, rule: str, member: Any) -> Literal:
        """Return whether a unit on the list lifts the rule of an id from a member."""

    @abstractmethod
    def matched(self, selector: Selector, rule: str) -> Iterator[tuple[Any, Literal]]:
        """Return who may match a selector, with whether it is there and does; without those from
        whom a unit on the list lifts the rule of an id.
        """

    @abstractmethod
    def worth(self, member: Any, count: str, meant: Literal) -> N:
        """Return how much a member adds to a count if a literal holds."""
