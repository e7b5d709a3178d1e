"""Selectors: which units a rule speaks of.

Everything a rule can ask of a unit is a tag, a string "kind:id" such as "faction:thalos",
"ability:commander" or "role:reserve". A selector is sets of tags, so matching is set algebra.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
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

    def mentions_kind(self, kind: str) -> bool:
        """Return whether the answer may depend on tags of a kind, such as "faction"."""
        named = any(tag.startswith(f"{kind}:") for clause in self.clauses for tag in clause)
        return named or any(selector.mentions_kind(kind) for selector in self.without)

    def role_among(self, roles: Iterable[str]) -> str:
        """Return id of the first of some roles that the answer may depend on; "" for none."""
        for role in roles:
            if self.mentions(f"role:{role}"):
                return role
        return ""

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
