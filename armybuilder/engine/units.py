"""Units: entries that a player adds to a list, frozen, with the facts that rules need at hand.

`make_units` lays it out when a unit is made; nothing here changes afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from armybuilder.engine.abilities import AbilityUse, Spell
from armybuilder.engine.amounts import Amount, Change
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.conditions import Condition
from armybuilder.engine.options import NOTHING, Cap, Keyword, Offer, Profile, Restriction
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.prices import Price
from armybuilder.engine.selectors import Selector, Tags
from armybuilder.engine.wording import Words


class PriceChange(NamedTuple):
    """A change of a unit's price: of its points, or (`each`) of those for each further model."""

    each: bool
    change: Change


class Shift(NamedTuple):
    """Tags that a unit gains and loses where a condition, if any, holds: a special rule that it has
    only sometimes, a statistic that is another then, a category that it joins or leaves.
    """

    condition: Condition | None
    gains: Tags = frozenset()
    loses: Tags = frozenset()


@dataclass(frozen=True, slots=True)
class Lift:
    """A rule, by its id, that does not apply to units matched by `selector` while the unit with the
    lift is on the list.
    """

    rule: str
    selector: Selector


@dataclass(frozen=True, slots=True)
class Blank:
    """A value that a unit's card lacks for checking; `field` is its name in documents."""

    field: str
    said: Words

    @property
    def name(self) -> str:
        """Its name, in the reader's language."""
        return str(self.said)


@dataclass(frozen=True, slots=True)
class Fault:
    """A breach of a rule by a unit itself, on any list."""

    head: RuleHead
    measured: int | None = None
    allowed: int | None = None
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A unit that players can add to a list. `ref` is "book/id"; own models have "" as book.

    `size` bounds the models of a unit of many; None: models are bought one by one, and a list has
    their number. `categories` are army categories, the primary one first. An entry that doesn't
    count (`counts`) is a choice for the whole army, neither unit nor model. `models_in`: tags of
    categories in which the price of its models, without options, counts too. `item_limits`: maximum
    of special items of a kind, if it differs from the general one. `sparse`: the book gives neither
    its special rules nor its equipment; `without` are those that it certainly lacks. `unchecked`:
    restrictions of the book that can't be checked. `shifts`: tags that it gains or loses for traits
    and all other conditions; `later`: those that it does for rules only. `unique`: the name that it
    shares with its other versions, if a list can have only one. `remark`: the book's own note;
    `provenance`: the source of its numbers. `texts`: free lines of its card, by the system's parts.
    `owned`: number of its owner; `suggested`: its points are a suggestion. `product`: its maker's
    product name. `army_tags`: counts of the whole army that its conditions use; `fresh`: the
    options of a new one.
    """

    ref: str
    name: str
    price: Price
    tags: Tags
    group: str = ""
    book: str = ""
    book_name: str = ""
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    stats: Mapping[str, int | str] = field(default_factory=dict)
    abilities: tuple[AbilityUse, ...] = ()
    spells: tuple[Spell, ...] = ()
    offer: Offer = NOTHING
    size: tuple[Amount, Amount] | None = None
    price_changes: tuple[PriceChange, ...] = ()
    categories: tuple[str, ...] = ()
    category_changes: tuple[Shift, ...] = ()
    models_in: Tags = frozenset()
    cap: Cap | None = None
    can_lead: Condition | None = None
    must_lead: Condition | None = None
    needs: Condition | None = None
    keywords: tuple[Keyword, ...] = ()
    profiles: tuple[Profile, ...] = ()
    counts: bool = True
    sparse: bool = False
    without: tuple[str, ...] = ()
    unchecked: tuple[Restriction, ...] = ()
    shifts: tuple[Shift, ...] = ()
    later: tuple[Shift, ...] = ()
    item_limits: Mapping[str, int] = field(default_factory=dict)
    unique: str = ""
    lifts: tuple[Lift, ...] = ()
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    number: str = ""
    product: str = ""
    owned: int | None = None
    suggested: bool = False
    ratings: Mapping[str, int] = field(default_factory=dict)
    smallest: int = 1
    blanks: tuple[Blank, ...] = ()
    faults: tuple[Fault, ...] = ()
    subtype: str = ""
    remark: str = ""
    origin: str = ""
    certainty: str = ""
    provenance: str = ""
    sources: tuple[str, ...] = ()
    own: bool = False
    army_tags: Tags = frozenset()
    plain: bool = True
    fresh: tuple[OptionPick, ...] = ()

    @property
    def full_name(self) -> str:
        """Its name with that of its book: "Dire Boar (Converted cards)"."""
        return f"{self.name} ({self.book_name})" if self.book_name else self.name

    @property
    def costs(self) -> tuple[Amount, Amount]:
        """Its points and those of each further model, with their changes."""
        start, extra = (
            tuple(change for of_each, change in self.price_changes if of_each is each)
            for each in (False, True)
        )
        return Amount(self.price.start, start), Amount(self.price.extra, extra)

    @property
    def blank_fields(self) -> frozenset[str]:
        """Open values of the card, by their names in a document's `card`."""
        return frozenset(blank.field for blank in self.blanks)


@lru_cache(maxsize=4096)
def never_saves(unit: Unit) -> bool:
    """Return whether no choice in a unit costs less than nothing."""
    prices = [unit.price.start or 0, unit.price.extra]
    prices += (change.number for _, change in unit.price_changes)
    amounts = (one for option in unit.offer.options() for one in (option.points, option.each))
    return min(prices) >= 0 and all(amount.smallest >= 0 for amount in amounts)
