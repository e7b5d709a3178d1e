"""The catalogue: game systems and books, frozen.

`armybuilder.loading` builds these from the JSON files. Nothing here changes afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from armybuilder.engine.abilities import Ability
from armybuilder.engine.facts import FactRule
from armybuilder.engine.odds_rules import OddsRules
from armybuilder.engine.play_rules import PlayRules
from armybuilder.engine.rules import Rule, Trigger
from armybuilder.engine.selectors import Tags
from armybuilder.engine.tally import Sides
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class System(Vocabulary):
    """A game system: its vocabulary, its rules, and its facts for game day.

    `always` are the rules of every system; `faction` decides a list's faction; `play` is tracked at
    the table only, and never part of a verdict. A verdict takes the rules by what their findings
    depend on: `by_unit`, one unit each, by their `trigger`; `of_army`, the whole army. Rules that
    only find faults of units by themselves are neither.
    """

    rules: tuple[Rule, ...] = ()
    always: tuple[Rule, ...] = ()
    facts: tuple[FactRule, ...] = ()
    faction: Sides | None = None
    play: PlayRules | None = None
    odds: OddsRules | None = None
    by_unit: Mapping[Trigger, list[Rule]] = field(init=False)
    of_army: tuple[Rule, ...] = field(init=False)

    def __post_init__(self) -> None:
        by_unit: dict[Trigger, list[Rule]] = {}
        for rule in self.rules:
            if rule.by_unit and rule.judges:
                by_unit.setdefault(rule.trigger, []).append(rule)
        of_army = tuple(rule for rule in self.rules if rule.judges and not rule.by_unit)
        object.__setattr__(self, "by_unit", by_unit)
        object.__setattr__(self, "of_army", of_army)

    @property
    def carried(self) -> frozenset[str]:
        """Facts that a game's books can leave out because its rules state them (`Rule.carried`)."""
        return frozenset().union(*(rule.carried for rule in self.rules))

    def apart(self) -> System:
        """Return the same system with a separate selector index, so that books leave no trace in
        it."""
        return replace(self, selector_index=self.selector_index.copy())

    def rule(self, rule_id: str) -> Rule:
        """Return the rule of an id. Raises KeyError where there is none."""
        for rule in self.rules:
            if rule.head.id == rule_id:
                return rule
        raise KeyError(rule_id)


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap in a book's source or file: `where` is the id of a unit or of a shared option,
    possibly with a part of it after a slash, or a name."""

    where: str
    what: str


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """The parts of a book that take time to build: its units by ref, the rules it brings, and
    the tags that its conditions count in the whole army."""

    units: Mapping[str, Unit]
    rules: tuple[Rule, ...] = ()
    watched: Tags = frozenset()


#: The kind of custom books; also the id in place of a book for custom models.
OWN = "own"


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """An army book or a set of cards: one catalogue file.

    `revision` is its content's hash; `names` are those of its units, by ref; `contents` are built
    on first use; `abilities` are those that the system lacks; `taken` is the shipped book whose
    name a custom one has. `gaps` are for maintainers and judges, not for play.
    """

    id: str
    system: str
    name: str
    about: str
    kind: str
    source: str
    revision: str
    names: Mapping[str, str]
    contents: Callable[[], Contents]
    ability_points: Mapping[str, int] = field(default_factory=dict)
    abilities: Mapping[str, Ability] = field(default_factory=dict)
    categories: Mapping[str, str] = field(default_factory=dict)
    organisations: Mapping[str, str] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    taken: str = ""

    @property
    def units(self) -> Mapping[str, Unit]:
        """Its units by ref. Use `names` if you need only names or their number: this reads the
        book.
        """
        return self.contents().units

    @property
    def edition(self) -> str:
        """Its name as its source has it, with year and edition: "Highborn Elves 2023 Beta 2"."""
        title = self.source.partition(" — ")[0]
        return title if title.startswith(self.name) else self.name


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """A system with the books one list draws from; `units` by their ref "book/id"."""

    system: System
    books: tuple[Book, ...]
    units: Mapping[str, Unit]
    abilities: Mapping[str, Ability]

    def namesakes(self) -> set[str]:
        """Return the names that units of several books have."""
        if len(self.books) < 2:
            return set()
        names = Counter(name for name, _book in {(u.name, u.book) for u in self.units.values()})
        return {name for name, number in names.items() if number > 1}
