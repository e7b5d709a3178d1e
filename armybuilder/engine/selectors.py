"""Selectors: which units a rule speaks of; counts of their matches, and their index.

Everything a rule can ask of a unit is a tag, a string "kind:id" such as "faction:thalos",
"ability:commander" or "role:reserve". A selector is sets of tags, so matching is set algebra.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

Tags = frozenset[str]

#: Tag of a pick whose faction is not the warband's. Known only once the faction is.
CROSS_FACTION = "faction-side:cross"


@dataclass(frozen=True, slots=True)
class Selector:
    """Matches tags that share at least one with every clause and match none of `without`."""

    clauses: tuple[Tags, ...] = ()
    without: tuple[Selector, ...] = ()

    def matches(self, tags: Tags) -> bool:
        """Return whether the selector matches these tags."""
        for clause in self.clauses:
            if clause.isdisjoint(tags):
                return False
        return not self.without or not any(one.matches(tags) for one in self.without)

    def hangs_on(self, tags: Tags, kinds: Set[str]) -> bool:
        """Return whether unknown tags of some kinds decide if it matches."""
        return self._may(tags, kinds) and not self._must(tags, kinds)

    def _may(self, tags: Tags, kinds: Set[str]) -> bool:
        for clause in self.clauses:
            if not any(tag in tags or tag.partition(":")[0] in kinds for tag in clause):
                return False
        return not any(selector._must(tags, kinds) for selector in self.without)

    def _must(self, tags: Tags, kinds: Set[str]) -> bool:
        if any(clause.isdisjoint(tags) for clause in self.clauses):
            return False
        return not any(selector._may(tags, kinds) for selector in self.without)

    def mentions(self, tag: str) -> bool:
        """Return whether the answer may depend on this tag."""
        for clause in self.clauses:
            if tag in clause:
                return True
        return any(selector.mentions(tag) for selector in self.without)

    def role_among(self, roles: Iterable[str]) -> str:
        """Return id of the first of some roles that the answer may depend on; "" for none."""
        if not self.clauses and not self.without:
            return ""
        return next((role for role in roles if self.mentions(f"role:{role}")), "")

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Selector:
        """Build from the JSON form: {"ability": "big"}, {"faction": ["thalos", "naresh"]},
        {"cross_faction": true}, {"not": {...}}, {"all": [{...}, {...}]}, {"any": [{...}, {...}]}
        of selectors with one key each; all keys must hold, a list of values means any of them.
        """
        clauses: list[Tags] = []
        without: list[Selector] = []
        for kind, wanted in data.items():
            if kind == "not":
                without.append(cls.read(wanted))
            elif kind == "all":
                for selector in map(cls.read, wanted):
                    clauses += selector.clauses
                    without += selector.without
            elif kind == "any":
                parts = [clause for part in wanted for clause in cls.read(part).clauses]
                clauses.append(frozenset().union(*parts))
            elif kind == "cross_faction":
                clauses.append(frozenset([CROSS_FACTION]))
            else:
                values = [wanted] if isinstance(wanted, str) else wanted
                clauses.append(frozenset(f"{kind}:{value}" for value in values))
        return cls(tuple(clauses), tuple(without))


EVERYTHING = Selector()


@dataclass(frozen=True, slots=True)
class Count:
    """Sum of a `field` ("points", "models", "units", "picks") over a selector's units, or over
    their options; `number` is the selector's in the index. `rule`: units from which that rule is
    lifted don't count.
    """

    field: str
    selector: Selector = EVERYTHING
    number: int = 0
    rule: str = ""
    #: The sum of a tally that it is, perhaps one for each selector; "" where it is none.
    total: str = dataclasses.field(init=False, default="")
    by_selector: bool = dataclasses.field(init=False, default=False)

    def __post_init__(self) -> None:
        everything = self.selector == EVERYTHING
        if everything and self.field in ("points", "models"):
            object.__setattr__(self, "total", self.field)
        elif not everything and not self.crosses:
            object.__setattr__(self, "total", f"{self.field}_by")
            object.__setattr__(self, "by_selector", True)

    @property
    def crosses(self) -> bool:
        """Return whether the selection depends on the warband's faction."""
        return self.selector.mentions(CROSS_FACTION)


#: All points that a list costs.
SPENT = Count("points")


class _Hits(dict[Tags, tuple[int, ...]]):
    """The numbers of the selectors that match a tag set, found when they are first looked up.

    An answer never goes stale. Units of books have few tag sets; players' own models can have any
    number, so at most `REMEMBERED` are kept.
    """

    REMEMBERED = 2_000

    def __init__(self, find: Callable[[Tags], tuple[int, ...]]) -> None:
        self.find = find

    def __missing__(self, tags: Tags) -> tuple[int, ...]:
        if len(self) >= self.REMEMBERED:
            self.clear()
        found = self[tags] = self.find(tags)
        return found


class SelectorIndex:
    """The distinct selectors of a system's rules, numbered; and which of them a tag set hits."""

    def __init__(self) -> None:
        self.selectors: list[Selector] = []
        #: Tags that some book's condition counts in the whole army.
        self.watched: set[str] = set()
        #: By tags, the numbers of the selectors that match them.
        self.hits = _Hits(self._match)
        #: The same for an option: {"not": ...} alone speaks of units.
        self.option_hits = _Hits(self._match_option)

    def copy(self) -> SelectorIndex:
        """Return the same selectors under the same numbers, to which others can be added."""
        copied = SelectorIndex()
        copied.selectors = list(self.selectors)
        copied.watched = set(self.watched)
        return copied

    def add(self, selector: Selector) -> int:
        """Number of the selector; equal selectors share one."""
        if selector not in self.selectors:
            self.selectors.append(selector)
            self.hits.clear()
            self.option_hits.clear()
        return self.selectors.index(selector)

    def _match(self, tags: Tags) -> tuple[int, ...]:
        every = enumerate(self.selectors)
        return tuple(number for number, selector in every if selector.matches(tags))

    def _match_option(self, tags: Tags) -> tuple[int, ...]:
        return tuple(number for number in self.hits[tags] if self.selectors[number].clauses)
