"""Traits: kinds of models by statistics, special rules and options ("on foot", "Wizard").

A game system defines its traits; books use their names. A book may leave these conditions open: if
it has no stat line for a unit, or no list of its special rules, the answer is None, and anything
that depends on it is reported as not checked.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from armybuilder.engine.citations import Citation
from armybuilder.engine.conditions import AllOf, AnyOf, Condition, Named, Not, Place
from armybuilder.engine.space.constraints import Literal
from armybuilder.engine.space.where import Told, Where

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

    def holds(self, place: Place) -> bool:
        return self.told(place) is True

    def holds_in(self, where: Where) -> Literal:
        return where.told(self)[0]

    def lack(self, place: Place) -> str:
        return self.tag

    def excess(self, place: Place) -> str:
        return self.tag


@dataclass(frozen=True, slots=True)
class HasTaken(TraitPart):
    """An option, or something of a group, is taken in the unit."""

    def told(self, place: Place) -> bool:
        return self.tag in place.taken

    def told_in(self, where: Where) -> Told:
        taken = where.taken(self.tag)
        return taken, taken


@dataclass(frozen=True, slots=True)
class HasKeyword(TraitPart):
    """The unit has a special rule or piece of equipment, by itself or by an option.

    `lacked` is the tag of units that certainly lack it.
    """

    lacked: str
    unsure: ClassVar[bool] = True

    def told(self, place: Place) -> bool | None:
        tags = place.tags
        if self.tag in tags or self.tag in place.taken:
            return True
        if self.lacked in tags:
            return False
        return None if SPARSE in tags or UNKNOWN_MOUNT in place.taken else False

    def told_in(self, where: Where) -> Told:
        both = where.constraints
        has = both.any_of([where.tag(self.tag), where.taken(self.tag)])
        open_ = both.any_of([where.tag(SPARSE), where.taken(UNKNOWN_MOUNT)])
        return has, both.any_of([has, both.all_of([~where.tag(self.lacked), open_])])


@dataclass(frozen=True, slots=True)
class HasStat(TraitPart):
    """A statistic of the model has a value.

    A mount's replaces that of its rider. `known` is the tag of units whose statistic the book
    gives.
    """

    stat: str
    known: str
    unsure: ClassVar[bool] = True

    def told(self, place: Place) -> bool | None:
        tags = place.taken if MOUNT in place.taken else place.tags
        return self.tag in tags if self.known in tags else None

    def told_in(self, where: Where) -> Told:
        has, known = self._of_who_counts(where, self.tag), self._of_who_counts(where, self.known)
        return where.constraints.all_of([known, has]), where.constraints.any_of([~known, has])

    @staticmethod
    def _of_who_counts(where: Where, tag: str) -> Literal:
        """Return whether the mount has a tag, where there is one, else the model."""
        mounted, both = where.taken(MOUNT), where.constraints
        ridden = both.all_of([mounted, where.taken(tag)])
        return both.any_of([ridden, both.all_of([~mounted, where.tag(tag)])])


@dataclass(frozen=True, slots=True, eq=False)
class Trait(Named):
    """A kind of model in a game system. `name` is its plural: "Wizards"."""

    id: str
    name: str
    meaning: Condition
    citation: Citation
    reading: str = ""

    def holds(self, place: Place) -> bool:
        return self.meaning.told(place) is True

    def told(self, place: Place) -> bool | None:
        return self.meaning.told(place)

    def holds_in(self, where: Where) -> Literal:
        return where.told(self.meaning)[0]

    def told_in(self, where: Where) -> Told:
        return where.told(self.meaning)

    @property
    def inner(self) -> tuple[Condition, ...]:
        return (self.meaning,)

    def asked(self) -> Iterator[TraitPart]:
        """Yield the parts that it checks of units and options."""
        for part in self.meaning.parts():
            if isinstance(part, TraitPart):
                yield part


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
        parts = [part for trait in traits for part in trait.asked()]
        return cls(
            frozenset(part.tag for part in parts if isinstance(part, HasKeyword)),
            frozenset(part.stat for part in parts if isinstance(part, HasStat)),
        )
