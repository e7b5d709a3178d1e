"""What may be picked, and the bounds on how much of it."""

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
    Scope,
    Within,
)


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """How much of what `query` counts there may be: at least `low`, at most `high`. Within itself,
    that is how many of it are in one pick, or what one pick costs; of a force, what is in it.

    `definition` is what the bound is of, `source` where it stands in it. `share`: the bounds are
    per cent of what the query counts of everything, or of the limit of `of_limit`. A number below
    0 is no bound, but where `negative`. `per_model`: it holds for each of what it is taken on.
    `moves`: what it allows may change. `message` is what its author says where it is broken.
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
    moves: bool = field(init=False)

    def __post_init__(self) -> None:
        sides = (side for side in (self.low, self.high) if side is not None)
        object.__setattr__(self, "moves", any(side.changes for side in sides))


class CategoryMove(NamedTuple):
    """A category that a pick joins or leaves, or that becomes its primary one or no longer is.

    `reach` says of which picks, where not of the pick alone: those within a scope that have a tag
    ("": all), itself and directly below (`deep`: at any depth).
    """

    act: str
    category: str
    when: Condition
    reach: Reach | None = None


class Reach(NamedTuple):
    """The picks that a change of another pick is about."""

    scope: Within
    tag: str = ""
    itself: bool = True
    below: bool = False
    deep: bool = False


class Notice(NamedTuple):
    """What is said of a pick of a definition, or of where its groups are, while a change is made.

    `severity` is that of its author: error, warning, info; or "unknown": `change` names something
    of it that is not understood.
    """

    definition: Definition
    severity: str
    change: Change


class Definition:
    """What may be picked, at one place of use; front ends make its parts when they are asked for.

    `key` is how rosters name it. `tags` are what queries and conditions see of it before anything
    moves; `categories` are among them, each with whether it is the primary one. `groups` are those
    it stands in, outermost first.
    """

    key: str
    kind: Kind

    def is_as(self, other: Definition) -> bool:
        """Return whether another stands at the same place: they name one thing."""
        return self is other or (self.key == other.key and self.groups == other.groups)

    @cached_property
    def name(self) -> str:
        """What it is called, before anything changes."""
        raise NotImplementedError

    @cached_property
    def tags(self) -> frozenset[str]:
        """What queries and conditions see of it."""
        raise NotImplementedError

    @cached_property
    def categories(self) -> Mapping[str, bool]:
        """Its categories, each with whether it is the primary one."""
        return {}

    @cached_property
    def groups(self) -> tuple[Definition, ...]:
        """The groups it stands in, outermost first."""
        return ()

    @cached_property
    def hidden(self) -> Flag:
        """Whether it may not be taken."""
        return Flag(False)

    @cached_property
    def prices(self) -> Mapping[str, Amount]:
        """What one of it costs, by cost."""
        return {}

    @cached_property
    def moves(self) -> tuple[CategoryMove, ...]:
        """The changes of categories that it brings."""
        return ()

    @cached_property
    def floors(self) -> tuple[Bound, ...]:
        """What it says of how much of it must be there."""
        return ()

    @cached_property
    def tops(self) -> tuple[Bound, ...]:
        """What it says of how much of it there may be at most, and no more."""
        return ()

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """All that it says of how much of it there may be."""
        return (*self.floors, *self.tops)

    @cached_property
    def standing(self) -> tuple[Bound, ...]:
        """What else must hold wherever it stands."""
        return ()

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        """What its author says of it, and of its groups."""
        return ()

    @cached_property
    def sections(self) -> Mapping[str, Definition]:
        """The categories, by their tags, that have a say about what stands in it, if a force."""
        return {}

    @cached_property
    def children(self) -> tuple[Definition, ...]:
        """What may be taken on it: entries and groups."""
        return ()

    @cached_property
    def demanded(self) -> tuple[Definition, ...]:
        """What may be taken on it and is missed where there is too little of it."""
        return self.children

    @cached_property
    def offered(self) -> tuple[Definition, ...]:
        """What may be taken on it, out of its groups."""
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
        """The bounds of what may be taken on it that are broken where too little of it is."""
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
