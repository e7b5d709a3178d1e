"""Vocabulary of a game system: statistics, attributes, roles, settings. No rule is here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from armybuilder.engine.abilities import Ability, own_tags
from armybuilder.engine.citations import Citation, Given, settings_fit
from armybuilder.engine.fields import given
from armybuilder.engine.meaning import Meaning
from armybuilder.engine.options import Keyword
from armybuilder.engine.prices import Formula, Share
from armybuilder.engine.selectors import Selector, SelectorIndex, Tags
from armybuilder.engine.traits import Trait, TraitNeeds
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import Words

#: Statistics that describe a model, shown next to its unit's name.
BUILD = ("height", "type", "base")
#: So many others, the first of the game, have room on every page.
USUAL_STATS = 12


@dataclass(frozen=True, slots=True)
class Stat:
    """A column of the stat line.

    `low` and `high` are limits for own models; `box` is the health of one box on the sheet, `half`
    whether a line marks half of them.
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
    half: bool = False
    help: str = ""

    def shown(self, value: int | str) -> str:
        """Return the value as a card prints it: "+4", "6″", "3+"."""
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
    `alone`: one entry of a list has it, no more. `act_one` gives it to one of several models, ""
    where that makes no sense.
    """

    id: str
    name: str
    act: str
    end: str
    summary: str
    citation: Citation
    price: Share | None = None
    alone: bool = False
    act_one: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """One value of a setting that offers choices, with the other settings it needs."""

    id: str
    name: str
    summary: str = ""
    tags: Tags = given(read=own_tags, default=frozenset())
    needs: Given = ()

    def fits(self, settings: Mapping[str, object]) -> bool:
        """Return whether the values of the other settings allow it."""
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

    @property
    def is_own(self) -> bool:
        """Return whether each list chooses it for itself: it has no default, or costs points."""
        if self.kind == "number":
            return self.points > 0
        return self.kind in ("choice", "attribute", "pieces") and self.default is None

    def matters(self, limit: int, settings: Mapping[str, object]) -> bool:
        """Return whether any rule may ask for it in a game of this size with these settings."""
        return limit not in self.besides and settings_fit(settings, self.given)


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a card that holds free lines, such as a creature's attacks."""

    id: str
    name: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A reference table for the roster sheet (scenarios, morale), or some of its rows.

    It is of lists whose settings are as `given`. Its rows are those that have the values chosen for
    settings, by the columns of these `choices`; those whose first word is `named` on the list's
    cards; or those of the `paths` that its wizards have. `chosen`: its rows were chosen by name.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    citation: Citation
    choices: Mapping[str, str] = field(default_factory=dict)
    given: Given = ()
    named: bool = False
    paths: bool = False
    chosen: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ArmourTable:
    """Armour pieces and their bonus to the statistic `stat`, by their slugs: one of the `suits`,
    one of the `shields`; at most `most` in total.
    """

    stat: str
    suits: Mapping[str, int]
    shields: Mapping[str, int]
    most: int

    def knows(self, piece: str) -> bool:
        """Return whether it has the bonus of a piece."""
        return piece in self.suits or piece in self.shields


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon's additions to statistics of its bearer, also `charging` or in the `first_round`
    only, and the values that it sets, unless the bearer has the rule `unless`. A shooting weapon
    has a `range`. It is `not_for` some types of models, or `only_for` some.
    """

    add: Mapping[str, int] = field(default_factory=dict)
    set: Mapping[str, str] = field(default_factory=dict)
    unless: str = ""
    charging: Mapping[str, int] = field(default_factory=dict)
    first_round: Mapping[str, int] = field(default_factory=dict)
    range: str = ""
    shots: str = ""
    rules: str = ""
    not_for: tuple[str, ...] = ()
    only_for: tuple[str, ...] = ()

    def suits(self, kind: str) -> bool:
        """Return whether models of a type may use it; of an unknown type "" they may."""
        return not kind or (kind not in self.not_for and kind in (self.only_for or (kind,)))


@dataclass(frozen=True, slots=True)
class WeaponTable:
    """Effects of weapons on the statistics `shown`, or `shot`, by their slugs, with maximums.

    Stat lines with a rule of `unarmed` bear none; the rule `charge` has its effect when charging;
    `type` is the statistic that decides who can bear a weapon.
    """

    shown: tuple[str, ...]
    shot: tuple[str, ...]
    most: Mapping[str, int]
    unarmed: tuple[str, ...]
    charge: str
    type: str
    known: Mapping[str, Weapon]

    def of(self, name: str) -> Weapon | None:
        """Return a weapon by its slug, in singular or plural."""
        forms = (name, name.removesuffix("s"), f"{name}s")
        return next((self.known[form] for form in forms if form in self.known), None)


@dataclass(frozen=True, slots=True)
class Reminder:
    """A line for the table top, shown when the roster has a unit with one of `tags` (or always)."""

    name: str
    text: str
    citation: Citation
    tags: Tags = frozenset()


class OptionSet(NamedTuple):
    """Options that players mostly take together: all of one of the groups with these ids."""

    name: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitForm:
    """Layout of a unit's form: options and groups by id in its `head`, or first among the others
    in this `order`. Those of `sets` can be taken with one press."""

    head: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    sets: tuple[OptionSet, ...] = ()


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish of players for filling a list: units and options of a selector, units with a
    statistic, or with spells. `always`: it applies to every list."""

    id: str
    name: str
    of: Selector | None = None
    stat: str = ""
    spells: bool = False
    always: bool = False

    def meets(self, unit: Unit) -> bool:
        """Return whether a unit matches, with any options."""
        return (
            (self.of is not None and self.of.matches(unit.tags))
            or self.stat in unit.stats
            or (self.spells and bool(unit.spells))
        )

    def offered(self, unit: Unit) -> bool:
        """Return whether a unit matches the wish, or may take an option that does."""
        of = self.of
        return self.meets(unit) or (
            of is not None and any(of.matches(option.tags) for option in unit.offer.options())
        )


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Data of a game system, apart from its rules.

    `sized`: an entry on a list is one unit of some models; otherwise models are bought one by one.
    `formations`: an option gives the number of models, in words. `gains`: keywords that come with
    an option or keyword, by its id, in every book. `family` is the game that it is an edition of,
    `read_at` the URL of its free books. `reservation` is the basis of its verdicts if not its own
    rulebook; `taken` the shipped game whose name a custom one has. `glossary` explains names on
    sheets, `terms` other names. `states` are conditions of a model with a box on sheets. `revision`
    is the hash of its content, with that of its base.
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
    spells: Mapping[str, Meaning]
    roles: Mapping[str, Role]
    settings: Mapping[str, Setting]
    reminders: tuple[Reminder, ...]
    selector_index: SelectorIndex
    formula: Formula | None = None
    own_models: bool = False
    sized: bool = False
    formations: bool = False
    sometimes: str = ""
    sets: tuple[str, ...] = ()
    family: str = ""
    read_at: str = ""
    reservation: Words = ""
    taken: str = ""
    texts: Mapping[str, TextPart] = field(default_factory=dict)
    states: tuple[str, ...] = ()
    traits: Mapping[str, Trait] = field(default_factory=dict)
    asked: TraitNeeds = field(default_factory=TraitNeeds)
    gains: Mapping[str, tuple[Keyword, ...]] = field(default_factory=dict)
    unit_form: UnitForm = UnitForm()
    wishes: Mapping[str, Wish] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()
    glossary: tuple[Meaning, ...] = ()
    terms: tuple[Meaning, ...] = ()
    armour: ArmourTable | None = None
    weapons: WeaponTable | None = None
    revision: str = ""

    @property
    def usual_stats(self) -> tuple[Stat, ...]:
        """The statistics of every stat line, in the order of the books."""
        return tuple(stat for stat in self.stats.values() if stat.id not in BUILD)[:USUAL_STATS]
