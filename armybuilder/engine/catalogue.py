"""What exists to choose from: game systems, books and their units, frozen.

`armybuilder.loading` builds these from the JSON files. Nothing here changes afterwards, and
what the rules need of a unit (tags, price, faults of its own) is laid out once, when it is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from armybuilder.engine.abilities import Ability, AbilityUse, Spell
from armybuilder.engine.amounts import Amount, Change
from armybuilder.engine.conditions import Condition
from armybuilder.engine.findings import Citation, Given, settings_fit
from armybuilder.engine.options import NOTHING, Cap, Keyword, Offer, Profile, Restriction
from armybuilder.engine.prices import Formula, Price, Share
from armybuilder.engine.selectors import Selector, Tags
from armybuilder.engine.traits import Trait, TraitNeeds
from armybuilder.engine.wording import Words

if TYPE_CHECKING:
    from armybuilder.engine.facts import FactRule
    from armybuilder.engine.roster import OptionPick
    from armybuilder.engine.rules import Fault, Rule
    from armybuilder.engine.selector_index import SelectorIndex
    from armybuilder.engine.tally import Sides


@dataclass(frozen=True, slots=True)
class Stat:
    """A column of the stat line. `low` and `high` are what an own model may have; `box` is how much
    of a health one box on the sheet stands for.
    """

    id: str
    name: str
    short: str
    low: int | None = None
    high: int | None = None
    text: bool = False
    suffix: str = ""
    plus: bool = False
    health: bool = False
    box: int = 1
    help: str = ""

    def shown(self, value: int | str) -> str:
        """The value as a card prints it: "+4", "6″", "3+"."""
        sign = "+" if self.plus and isinstance(value, int) and value >= 0 else ""
        return f"{sign}{value}{self.suffix}"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A property with fixed values: faction, alignment, type. `values` maps id to name; `several`:
    a unit may have more than one of them. `aliases` are other words for values, with the id meant.
    """

    id: str
    name: str
    values: Mapping[str, str]
    filter: bool = False
    several: bool = False
    aliases: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Role:
    """A part a unit plays in the list (reserve, General). `price` is the share paid, rounded up;
    `alone`: one entry of a list has it, no more.
    """

    id: str
    name: str
    act: str
    end: str
    summary: str
    citation: Citation
    price: Share | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """One value of a setting that offers choices, with the other settings it needs."""

    id: str
    name: str
    summary: str = ""
    tags: Tags = frozenset()
    needs: Given = ()

    def fits(self, settings: Mapping[str, object]) -> bool:
        """Whether the values of the other settings allow it."""
        return settings_fit(settings, self.needs)


@dataclass(frozen=True, slots=True)
class Setting:
    """Something the players agree on or choose once per list.

    kind "number" (between low and high), "choice" (one of `values`), "attribute" (one value of
    the attribute `attribute`), "pieces" (several of `values`, repeats allowed), "pool" (several
    units of the books, by their refs, repeats allowed).
    `points` is what each unit of a number costs. Without a `default` nothing is chosen at first.
    It matters where other settings are as `given`, and at game sizes other than `besides`.
    """

    id: str
    name: str
    kind: str
    help: str = ""
    default: int | str | None = None
    low: int = 0
    high: int = 999
    points: int = 0
    attribute: str = ""
    values: Mapping[str, Piece] = field(default_factory=dict)
    given: Given = ()
    besides: frozenset[int] = frozenset()

    def matters(self, limit: int, settings: Mapping[str, object]) -> bool:
        """Whether any rule may ask for it in a game of this size with these settings."""
        return limit not in self.besides and settings_fit(settings, self.given)


class PriceChange(NamedTuple):
    """A change of a unit's price: of its points, or (`each`) of those for each further model."""

    each: bool
    change: Change


class Shift(NamedTuple):
    """Tags that a unit gains and loses where a condition holds: a special rule that it has only
    sometimes, a statistic that is another then.
    """

    condition: Condition
    gains: Tags
    loses: Tags = frozenset()


class CategoryChange(NamedTuple):
    """A category that the whole unit joins, or leaves, where a condition holds."""

    category: str
    joins: bool
    condition: Condition | None


class TextPart(NamedTuple):
    """A part of a card that holds free lines, such as a creature's attacks."""

    id: str
    name: str
    help: str = ""


class Lift(NamedTuple):
    """A rule, by its id, that does not speak of what `selector` matches, while the unit that has
    the lift is on the list.
    """

    rule: str
    selector: Selector


class Blank(NamedTuple):
    """What a unit's card must say to be judged and does not; `field` as a document fills it."""

    field: str
    said: Words

    @property
    def name(self) -> str:
        """What it is called, in the reader's language."""
        return str(self.said)


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """What a player adds to a list. `ref` is "book/id"; own models have "" as book.

    `size` bounds the models of a unit of many; None: models are bought singly, and the number on
    a list is how many of them. `categories` are army categories, the primary one first. An entry
    that does not count (`counts`) is a choice for the whole army, neither unit nor model.
    `models_in`: tags of categories in which the price of its models, without options, counts too.
    `item_limits`: how many special items of a kind it may have, where that is not what all may.
    `sparse`: the book as we have it says neither its special rules nor its equipment; `without`
    are those that it certainly has not. `unchecked`: what the book asks for it and the program
    cannot judge. `shifts`: what traits ask of it that moves.
    `unique`: the name that it shares with its other versions, where a list may have one of them.
    `remark`: the book's own note.
    `texts`: free lines of its card, by the system's parts. `owned`: how many its owner has;
    `suggested`: its points are a suggestion. `product`: what its maker sells it by.
    `army_tags`: what its conditions count in the whole army; `fresh`: the options a new one has.
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
    category_changes: tuple[CategoryChange, ...] = ()
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
    sources: tuple[str, ...] = ()
    own: bool = False
    army_tags: Tags = frozenset()
    plain: bool = True
    fresh: tuple[OptionPick, ...] = ()

    @property
    def blank_fields(self) -> frozenset[str]:
        """What the card leaves open, as a document's `card` names it."""
        return frozenset(blank.field for blank in self.blanks)


@dataclass(frozen=True, slots=True)
class Table:
    """A reference table for the roster sheet (scenarios, morale)."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    citation: Citation


@dataclass(frozen=True, slots=True)
class Reminder:
    """A line for the table top, shown when the roster has a unit with one of `tags` (or always)."""

    name: str
    text: str
    citation: Citation
    tags: Tags = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """A game system: its vocabulary, its rules, and what it tells on game day.

    `sized`: an entry on a list is one unit of so many models; else models are bought singly.
    `gains`: keywords that come along with an option or keyword, by its id, in every book.
    `family` is the game that it is an edition of. `always` are the rules that every system has.
    `states` are conditions of a model that a sheet has a box for.
    `revision` is the hash of its content, with that of what it extends.
    """

    id: str
    name: str
    about: str
    source: str
    points_name: str
    sizes: tuple[int, ...]
    default_size: int
    model_word: str
    warband_word: str
    stats: Mapping[str, Stat]
    attributes: Mapping[str, Attribute]
    abilities: Mapping[str, Ability]
    spells: Mapping[str, str]
    spell_summaries: Mapping[str, str]
    roles: Mapping[str, Role]
    settings: Mapping[str, Setting]
    rules: tuple[Rule, ...]
    always: tuple[Rule, ...]
    facts: tuple[FactRule, ...]
    tables: tuple[Table, ...]
    reminders: tuple[Reminder, ...]
    selector_index: SelectorIndex
    faction: Sides | None = None
    formula: Formula | None = None
    own_models: bool = False
    sized: bool = False
    sometimes: str = ""
    family: str = ""
    texts: Mapping[str, TextPart] = field(default_factory=dict)
    states: tuple[str, ...] = ()
    traits: Mapping[str, Trait] = field(default_factory=dict)
    asked: TraitNeeds = field(default_factory=TraitNeeds)
    gains: Mapping[str, tuple[Keyword, ...]] = field(default_factory=dict)
    revision: str = ""

    def apart(self) -> System:
        """Return the same system with a selector index of its own, where a book leaves no trace."""
        return replace(self, selector_index=self.selector_index.copy())


class Gap(NamedTuple):
    """What a book's source does not tell, or its file cannot say: `where` is the id of a unit or
    of a shared option, perhaps with what stands on it behind a slash, or a name.
    """

    where: str
    what: str


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """An army book or a set of cards: one catalogue file. `revision` is its content's hash;
    `abilities` are those that the system does not know. `gaps` are for those who keep the book
    or judge by it, not for play.
    """

    id: str
    system: str
    name: str
    about: str
    kind: str
    source: str
    revision: str
    units: Mapping[str, Unit]
    ability_points: Mapping[str, int] = field(default_factory=dict)
    abilities: Mapping[str, Ability] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    categories: Mapping[str, str] = field(default_factory=dict)
    organisations: Mapping[str, str] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """A system with the books one list draws from; `units` by their ref "book/id"."""

    system: System
    books: tuple[Book, ...]
    units: Mapping[str, Unit]
    abilities: Mapping[str, Ability]
