"""Small random games, with and without an event's pack, of which every list is tried.

Each has units, options, settings and rules of many kinds, by chance; some rules keep it small: they
hold in all of them, so that there is no list besides those that are tried.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations_with_replacement, permutations, product
from random import Random
from typing import Any, NamedTuple

from armybuilder.engine import Severity, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.kinds.fixed import FixedSetting
from armybuilder.engine.options import Offer
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ArmyList, ListOption, ListUnit, with_settings
from armybuilder.loading.documents import make_roster
from tests.building.documents import list_of, value_of
from tests.solving.made_games import Making

#: No more lists than these are tried of one game; and entries that a list of it may have.
MOST_LISTS, MOST_ENTRIES = 2_000, 40
#: Models bought singly, units of many, and models of a unit, that the rules allow.
SINGLES, UNITS, MODELS, PIECES, BONUS = 4, 3, 4, 2, 2
Settings = Mapping[str, SettingValue]


class Tried(NamedTuple):
    """A list that is tried: the rules that it breaks, by their pointers; its models and points."""

    army_list: ArmyList
    broken: frozenset[str]
    models: int
    points: int


class World:
    """A game, as it is played or as an event plays it, and its size in points."""

    def __init__(self, made: Catalogue, limit: int, chance: Random) -> None:
        self.catalogue = made
        self.limit = limit
        self.chance = chance
        self.books = [book.id for book in made.books]
        self.sized = made.system.sized
        #: What players agree on for the game: no list may choose it otherwise.
        self.agreed = {
            key: self.chance.choice(values)
            for key, values in self.values.items()
            if key not in self.open and self.chance.random() < 0.5
        }

    @cached_property
    def values(self) -> dict[str, list[Any]]:
        """The values that each setting may have, where it has one."""
        system, refs = self.catalogue.system, [*self.catalogue.units]
        found: dict[str, list[Any]] = {}
        for setting in system.settings.values():
            if setting.kind == "number":
                found[setting.id] = [*range(setting.low, min(setting.high, BONUS) + 1)]
            elif setting.kind == "attribute":
                found[setting.id] = [*system.attributes[setting.attribute].values]
            elif setting.kind == "choice":
                found[setting.id] = [*setting.values]
            elif setting.kind == "pool":
                found[setting.id] = [tuple(refs[:1] * 2), tuple(refs)]
            else:
                numbers = range(PIECES + 1)
                found[setting.id] = [
                    some
                    for n in numbers
                    for some in combinations_with_replacement(setting.values, n)
                ]
        return found

    @cached_property
    def own(self) -> frozenset[str]:
        """The settings that each list chooses."""
        settings = self.catalogue.system.settings.values()
        return frozenset(one.id for one in settings if one.is_own)

    @cached_property
    def open(self) -> frozenset[str]:
        """These, and those that a rule fixes."""
        return self.own | {rule.setting for rule in self.fixing}

    @cached_property
    def fixing(self) -> list[FixedSetting]:
        """The rules that say what a setting must be."""
        rules = self.catalogue.system.rules
        return [one for one in rules if isinstance(one, FixedSetting)]

    def may_change(self, before: ArmyList) -> frozenset[str]:
        """The settings that a list may choose, and those that a rule wants otherwise."""
        settings = make_roster(before, self.catalogue).settings
        wanted = (
            rule.setting
            for rule in self.fixing
            if rule.head.severity is Severity.ERROR
            and rule.head.applies(settings)
            and settings.get(rule.setting) not in rule.allowed
        )
        return self.own.union(wanted)

    @cached_property
    def keeps_sizes(self) -> bool:
        """Whether no legal list has a unit larger than its entry allows."""
        return any(
            "too-large" in one.aspects and one.head.severity is Severity.ERROR
            for one in self.catalogue.system.rules
            if not one.head.given
        )

    @cached_property
    def entries(self) -> list[ListUnit]:
        """What may be on a list: each unit in each role, size and dress."""
        return [one for unit in self.catalogue.units.values() for one in self._of(unit)]

    def _of(self, unit: Unit) -> Iterator[ListUnit]:
        roles = list(self.catalogue.system.roles)
        sizes: Sequence[int] = (1,)
        if unit.size is not None:
            low, high = (amount.base or 1 for amount in unit.size)
            top = min(high + 1, MODELS) if self.keeps_sizes else MODELS
            sizes = range(max(1, low - 1), top + 1)
        dressed = [*_dressed(unit.offer)]
        for models, role, options in product(sizes, ["", *roles], dressed):
            if role and not self.sized and role != "reserve":
                continue
            yield ListUnit("u", models, unit.ref, roles=(role,) if role else (), options=options)

    @cached_property
    def forces(self) -> list[tuple[ListUnit, ...]]:
        """All units together that a list may have."""
        numbers = range((UNITS if self.sized else SINGLES) + 1)
        made = (some for n in numbers for some in combinations_with_replacement(self.entries, n))
        return [_gathered(some) if not self.sized else some for some in made]

    def size(self) -> int:
        """How many lists there are, before they are made."""
        number = len(self.entries)
        if number > MOST_ENTRIES:
            return 10**9
        total = term = 1
        for place in range(1, (UNITS if self.sized else SINGLES) + 1):
            term = term * (number + place - 1) // place
            total += term
        for key in self.open:
            total *= len(self.values[key]) + 1
        return total

    def list_of(self, units: Sequence[ListUnit], settings: Settings) -> ArmyList:
        """Return a list, with an id for each of its units."""
        base = value_of(list_of("tiny", self.books, [], limit=self.limit))
        numbered = (replace(one, id=f"u{number}") for number, one in enumerate(units, 1))
        return with_settings(replace(base, units=tuple(numbered)), dict(settings))

    @cached_property
    def tried(self) -> list[Tried]:
        """Every list that any rule may allow."""
        choices = [
            [(key, value) for value in self._choices(key)]
            for key in self.values
            if key in self.open
        ]
        held = dict(self.agreed)
        made = []
        for some in product(*choices):
            settings = held | {key: value for key, value in some if value is not None}
            made += [self.judged(self.list_of(units, settings)) for units in self.forces]
        return made

    def _choices(self, key: str) -> list[Any]:
        """Return what a list may choose, None for nothing."""
        known = self.catalogue.system.settings[key]
        least = [] if known.default is not None or known.kind == "pieces" else [None]
        return [*least, *self.values[key]]

    def judged(self, army_list: ArmyList) -> Tried:
        """Return what there is to a list."""
        report = validate(make_roster(army_list, self.catalogue), self.catalogue)
        broken = frozenset(one.head.pointer for one in report.of(Severity.ERROR))
        models = report.full.all_models()
        return Tried(army_list, broken, models, report.spent)

    def start(self) -> ArmyList:
        """Return a list to begin with, by chance."""
        number = self.chance.choice([0, 1, 1, 2, 2])
        units = []
        for one in self.chance.choices(self.entries, k=number):
            more = 1 if self.sized else self.chance.randint(1, 2)
            units.append(replace(one, models=one.models * more))
        settings = dict(self.agreed)
        for key in sorted(self.open):
            if self.chance.random() < 0.4:
                settings[key] = self.chance.choice(self.values[key])
        return self.list_of(units, settings)

    def may_repair(self, after: ArmyList, before: ArmyList) -> bool:
        """Whether a list differs in nothing that players agree on for the game."""
        one, other = (make_roster(each, self.catalogue).settings for each in (after, before))
        return all(one.get(key) == other.get(key) for key in self.open - self.may_change(before))

    def grows(self, after: ArmyList, before: ArmyList) -> bool:
        """Whether a list becomes of another by adding alone."""
        return self.keeps(after, before) and self.settings_grow(after, before)

    def settings_grow(self, after: ArmyList, before: ArmyList) -> bool:
        """Whether of the settings only those are chosen that were not, and further pieces."""
        for key, had in before.settings.items():
            chosen = after.settings.get(key)
            if self.catalogue.system.settings[key].kind == "pieces":
                if any(chosen is None or chosen.count(one) < had.count(one) for one in had):  # type: ignore[union-attr, operator, arg-type]
                    return False
            elif chosen != had:
                return False
        return True

    def keeps(self, after: ArmyList, before: ArmyList, among: frozenset[str] | None = None) -> bool:
        """Whether a list has all that some units of another are, each of its own."""
        wanted = [one for one in before.units if among is None or one.id in among]
        if not self.sized:
            there = _models(after.units)
            return all(there.get(key, 0) >= n for key, n in _models(wanted).items())
        if len(wanted) > len(after.units):
            return False
        chosen = permutations(after.units, len(wanted))
        return any(all(map(_has_grown, some, wanted)) for some in chosen)

    def keeps_with(
        self, after: ArmyList, before: ArmyList, entry: str, path: tuple[str, ...]
    ) -> bool:
        """Whether a list has grown, with an option on what became of an entry."""
        wanted = before.units
        if len(wanted) > len(after.units):
            return False
        chosen = permutations(after.units, len(wanted))
        return any(
            all(map(_has_grown, some, wanted))
            and any(
                one.id == entry and _has(unit, path) for unit, one in zip(some, wanted, strict=True)
            )
            for some in chosen
        )

    def is_closed(self, pointers: frozenset[str] | set[str]) -> bool:
        """Whether the rules that keep the game small are among some."""
        closing = (
            one.head for one in self.catalogue.system.rules if one.head.id.startswith("closed")
        )
        return all(head.pointer in pointers for head in closing)

    def number_of(self, ref: str, army_list: ArmyList) -> int:
        """How often a unit is on a list: models that are bought singly, or units."""
        return sum(1 if self.sized else one.models for one in army_list.units if one.ref == ref)


def _models(units: Sequence[ListUnit]) -> dict[tuple[object, ...], int]:
    found: dict[tuple[object, ...], int] = {}
    for one in units:
        key = one.ref, one.roles, one.options
        found[key] = found.get(key, 0) + one.models
    return found


def _gathered(units: Sequence[ListUnit]) -> tuple[ListUnit, ...]:
    """Return single models that are alike as one entry."""
    alike: dict[ListUnit, int] = {}
    for one in units:
        alike[one] = alike.get(one, 0) + 1
    return tuple(replace(one, models=number) for one, number in alike.items())


def _has_grown(after: ListUnit, before: ListUnit) -> bool:
    same, roles = after.ref == before.ref, set(before.roles) <= set(after.roles)
    return same and roles and after.models >= before.models and _dress_grows(after, before)


def _dress_grows(after: ListUnit | ListOption, before: ListUnit | ListOption) -> bool:
    there = {one.id: one for one in after.options}
    return all(
        one.id in there
        and there[one.id].number >= one.number
        and (not one.on or there[one.id].on == one.on)
        and _dress_grows(there[one.id], one)
        for one in before.options
    )


def _has(entry: ListUnit | ListOption, path: tuple[str, ...]) -> bool:
    found = next((one for one in entry.options if one.id == path[0]), None)
    return found is not None and (len(path) == 1 or _has(found, path[1:]))


def _dressed(offer: Offer) -> Iterator[tuple[ListOption, ...]]:
    """Yield each way to take offered options, allowed or not; of a single one, once too often."""
    given = {option.id: option.given for option in offer.given}
    ways = []
    for option_id, slots in offer.slots.items():
        option = slots[0].option
        most = max(slot.option.most.base or 0 for slot in slots) + (len(offer.slots) == 1)
        ways.append(
            [
                taken
                for number in range(given.get(option_id, 0), max(most, 1) + 1)
                for taken in _taken(option_id, number, option, given.get(option_id, 0))
            ]
        )
    for some in product(*ways):
        yield tuple(one for one in some if one is not None)


def _taken(option_id: str, number: int, option: Any, given: int) -> Iterator[ListOption | None]:
    if not number:
        yield None
        return
    for inner, on in product(_dressed(option.offer), ["", *option.on]):
        if number == given and not inner and not on:
            yield None
        else:
            yield ListOption(option_id, 1 if number == given else number, on, inner)


def drawn(seed: int, sized: bool) -> World:
    """Return a game by chance, small enough that all its lists can be tried."""
    chance = Random(f"{sized} {seed}")  # noqa: S311, tries, not secrets
    while True:
        making = Making(chance, sized)
        world = World(making.game(), making.limit, chance)
        if world.size() <= MOST_LISTS:
            return world
