"""Traits: kinds of models by statistics, special rules and options ("on foot", "Wizard").

A game system defines its traits; books use their names. A book may leave these conditions open: if
it has no stat line for a unit, or no list of its special rules, they hold perhaps, and anything
that depends on it is reported as not checked.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from armybuilder.engine.algebra import N
from armybuilder.engine.citations import Citation
from armybuilder.engine.conditions import (
    AllOf,
    AnyOf,
    Condition,
    Facts,
    Named,
    Not,
    Place,
    parts_of,
)
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal

#: Tag of a unit whose special rules the book does not say, but for those it certainly has not.
SPARSE = "gap:rules"
#: And of one of which its own book says no equipment; other editions may have had other pieces.
UNTOLD_EQUIPMENT = "gap:equipment"
#: Tags of an option that is a mount, and of one that the book doesn't describe.
MOUNT, UNKNOWN_MOUNT = "mount:taken", "mount:unknown"


def known_stat(stat: str) -> str:
    """Return the tag of a unit or mount whose statistic the book says."""
    return f"stat:{stat}"


def stat_tag(stat: str, value: str) -> str:
    """Return the tag of a unit or mount with this value: "height:large"."""
    return f"{stat}:{value.strip().casefold()}"


def without_tag(keyword: str) -> str:
    """Return the tag of a unit that certainly has not the keyword with this tag."""
    return f"without {keyword}"


@dataclass(frozen=True, slots=True)
class TraitPart(Condition):
    """A part of a trait, which is always described by the trait's name."""

    tag: str

    def lack(self, place: Place) -> str:
        return self.tag

    excess = lack


@dataclass(frozen=True, slots=True)
class HasTaken(TraitPart):
    """An option, or something of a group, is taken in the unit."""

    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        return facts.has_taken(self.tag)


@dataclass(frozen=True, slots=True)
class HasKeyword(TraitPart):
    """The unit has a special rule or piece of equipment, by itself or by an option.

    `lacked` is the tag of units that certainly lack it.
    """

    lacked: str
    unsure: ClassVar[bool] = True

    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        has, algebra = facts.has(self.tag), facts.algebra
        if not perhaps or has == TRUE:
            return has
        unknown = algebra.any_of([facts.tagged(SPARSE), facts.has_taken(UNKNOWN_MOUNT)])
        return algebra.any_of([has, algebra.all_of([~facts.tagged(self.lacked), unknown])])


@dataclass(frozen=True, slots=True)
class HasStat(TraitPart):
    """A statistic of the model has a value.

    A mount's replaces that of its rider. `known` is the tag of units whose statistic the book
    gives.
    """

    stat: str
    known: str
    unsure: ClassVar[bool] = True

    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        algebra, mounted = facts.algebra, facts.has_taken(MOUNT)
        has, known = facts.tagged(self.tag), facts.tagged(self.known)
        if mounted != FALSE:
            has = self._of_mount(facts, mounted, self.tag, has)
            known = self._of_mount(facts, mounted, self.known, known)
        return algebra.any_of([has, ~known]) if perhaps else algebra.all_of([known, has])

    @staticmethod
    def _of_mount(facts: Facts[N], mounted: Literal, tag: str, unmounted: Literal) -> Literal:
        """Return whether the mount has a tag, where there is one."""
        algebra = facts.algebra
        ridden = algebra.all_of([mounted, facts.has_taken(tag)])
        return algebra.any_of([ridden, algebra.all_of([~mounted, unmounted])])


@dataclass(frozen=True, slots=True, eq=False)
class Trait(Named):
    """A kind of model in a game system. `name` is its plural: "Wizards"."""

    id: str
    name: str
    meaning: Condition
    citation: Citation
    reading: str = ""

    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        return self.meaning.literal(facts, perhaps)

    @property
    def inner(self) -> tuple[Condition, ...]:
        return (self.meaning,)


def read_trait(data: Mapping[str, Any], citation: Citation) -> Trait:
    """Build from {"id": "on-foot", "name": "models on foot", "if": {"not": {"keyword":
    "harnessed"}}}.
    """
    reading = data.get("reading", "")
    return Trait(data["id"], data["name"], _read(data["if"]), citation, reading)


def _read(data: Mapping[str, Any]) -> Condition:
    if "stat" in data:
        stat = data["stat"]
        return HasStat(stat_tag(stat, data["value"]), stat, known_stat(stat))
    ((kind, value),) = data.items()
    if kind == "not":
        return Not(_read(value))
    if kind in ("any", "all"):
        inner = tuple(_read(one) for one in value)
        return AnyOf(inner) if kind == "any" else AllOf(inner)
    tag = f"{kind}:{value}"
    return HasKeyword(tag, without_tag(tag)) if kind == "keyword" else HasTaken(tag)


@dataclass(frozen=True, slots=True)
class TraitNeeds:
    """Facts that a system's traits need, so that units and options keep no others."""

    keywords: frozenset[str] = frozenset()
    stats: frozenset[str] = frozenset()

    @classmethod
    def by(cls, traits: Collection[Trait]) -> "TraitNeeds":
        """Return the keywords and statistics that these traits need."""
        return cls(
            frozenset(part.tag for one in traits for part in parts_of(one, HasKeyword)),
            frozenset(part.stat for one in traits for part in parts_of(one, HasStat)),
        )
