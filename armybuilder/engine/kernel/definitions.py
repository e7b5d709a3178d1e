"""Definitions of possible picks, and the bounds on their number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from armybuilder.engine.kernel.conditions import (
    Amount,
    Change,
    Condition,
    Flag,
    Kind,
    Query,
    Reach,
    S,
    Scope,
)


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A bound on the count of `query`: at least `low`, at most `high`.

    Within itself, the query counts how many of it are in one pick, or the cost of one pick; for a
    force, its contents.

    `definition` is the owner of the bound, `source` its place there. `share`: the numbers are per
    cent of the query's count of everything, or of the limit of `of_limit`; without `share`, they
    bound that limit itself. A number below 0 means
    no bound, unless `negative`. `per_model`: it holds for each of the parent's models. `moves`: its
    numbers may change; `plain`: the count itself is compared with numbers that never do.
    `automatic`: a change of the list that breaks it adds or removes picks until it holds. `message`
    is the author's own sentence.
    """

    id: str
    definition: Definition
    query: Query
    low: Amount | None = None
    high: Amount | None = None
    share: bool = False
    of_limit: str = ""
    negative: bool = False
    per_model: bool = False
    source: str = ""
    message: str = ""
    automatic: bool = False
    moves: bool = field(init=False)
    plain: bool = field(init=False)

    def __post_init__(self) -> None:
        sides = (side for side in (self.low, self.high) if side is not None)
        object.__setattr__(self, "moves", any(side.changes for side in sides))
        plain = not (self.moves or self.share or self.per_model or self.negative)
        object.__setattr__(self, "plain", plain)

    @property
    def is_of_limit(self) -> bool:
        """Return whether it bounds a limit of the list itself."""
        return bool(self.of_limit) and not self.share


class CategoryMove(NamedTuple):
    """A category that a pick joins or leaves, or that becomes its primary one or no longer is.

    `reach` says of which picks, where not of the pick alone: those within a scope that have a tag
    ("": all), itself and directly below (`deep`: at any depth).
    """

    act: str
    category: str
    when: Condition
    reach: Reach | None = None

    def reaches(self, at: S, place: S) -> bool:
        """Return whether it is about a pick, of the one within which it holds."""
        return place is at if self.reach is None else self.reach.reaches(at, place)


class Notice(NamedTuple):
    """A message about a pick of a definition, or about its groups' place, while a change applies.

    `severity` is the author's: error, warning, info; or "unknown": `change` names a part of it that
    isn't understood.
    """

    definition: Definition
    severity: str
    change: Change


class Definition:
    """Definition of a possible pick at one place of use; front ends make its parts on demand.

    `key` names it in rosters. `tags` are visible to queries and conditions before any moves;
    `categories` are among them, each with whether it is the primary one. `groups` are the enclosing
    ones, outermost first.
    """

    key: str
    kind: Kind

    def is_as(self, other: Definition) -> bool:
        """Return whether another definition has the same place: they are the same thing."""
        return self is other or (self.key == other.key and self.groups == other.groups)

    @cached_property
    def name(self) -> str:
        """The name, before any changes."""
        raise NotImplementedError

    @cached_property
    def tags(self) -> frozenset[str]:
        """Tags visible to queries and conditions."""
        return frozenset()

    @cached_property
    def categories(self) -> Mapping[str, bool]:
        """Its categories, each with whether it is the primary one."""
        return {}

    @cached_property
    def groups(self) -> tuple[Definition, ...]:
        """The enclosing groups, outermost first."""
        return ()

    @cached_property
    def hidden(self) -> Flag:
        """Return whether it is hidden, so that it can't be taken."""
        return Flag(False)

    @cached_property
    def prices(self) -> Mapping[str, Amount]:
        """Prices of one of it, by cost."""
        return {}

    @cached_property
    def moves(self) -> tuple[CategoryMove, ...]:
        """The changes of categories that it brings."""
        return ()

    @cached_property
    def floors(self) -> tuple[Bound, ...]:
        """Bounds with a minimum of it."""
        return ()

    @cached_property
    def tops(self) -> tuple[Bound, ...]:
        """Bounds with only a maximum of it."""
        return ()

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """All bounds on its number."""
        return (*self.floors, *self.tops)

    @cached_property
    def standing(self) -> tuple[Bound, ...]:
        """Other bounds wherever it is present."""
        return ()

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """Messages of its author about it and its groups."""
        return ()

    @cached_property
    def sections(self) -> Mapping[str, Definition]:
        """The categories of a force, by their tags, with rules about its contents."""
        return {}

    @cached_property
    def children(self) -> tuple[Definition, ...]:
        """Possible contents: entries and groups."""
        return ()

    @cached_property
    def demanded(self) -> tuple[Definition, ...]:
        """Possible contents with a minimum, reported if too few."""
        return self.children

    @cached_property
    def offered(self) -> tuple[Definition, ...]:
        """Possible contents, without their groups."""
        found: list[Definition] = []
        for child in self.children:
            found += child.offered if child.kind is Kind.GROUP else (child,)
        return tuple(found)

    @cached_property
    def ceilings(self) -> tuple[Bound, ...]:
        """The bounds that can be broken only where it is taken, those of its groups with them."""
        around = (bound for group in self.groups for bound in group.tops)
        own = (bound for bound in self.floors if bound.query.scope is Scope.SELF)
        return (*own, *self.tops, *around)

    @cached_property
    def demands(self) -> tuple[Bound, ...]:
        """The bounds on picks below it that are broken if too little is taken."""
        found = list(self.standing)
        for child in self.demanded:
            found += (bound for bound in child.floors if _asks(bound))
            if child.kind is Kind.GROUP:
                found += child.demands
        return tuple(found)


def _asks(bound: Bound) -> bool:
    low = bound.low
    if low is None or bound.query.scope is Scope.SELF:
        return False
    return low.base > 0 or bool(low.changes) or bound.high is not None or bound.negative
