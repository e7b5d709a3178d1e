"""Random lists that are likely to break a rule of one's choice, and such as no filling makes: own
models, cards filled in, units of a second book, very large units, names that nobody knows.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache, lru_cache
from random import Random
from typing import Any, NamedTuple

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.citations import Severity
from armybuilder.engine.options import Offer
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import CROSS_FACTION, Selector
from armybuilder.engine.units import Unit
from tests.building.random_lists import (
    ARMY_BOOKS,
    LIBRARY,
    OTHER_BOOKS,
    SKIRMISHES,
    Data,
    Drawing,
    catalogue_of,
    refs_of,
    sizes_of,
    starts_of,
)

#: Models of a unit where it is made very large.
MANY_MODELS = (1, 1, 30, 61, 80, 81, 100)


#: Where options of a unit stand.
Paths = tuple[tuple[str, ...], ...]


class Drawn(NamedTuple):
    """A random list, and the catalogue of its books."""

    document: Data
    catalogue: Catalogue


def varied_lists(game: str, seed: int, alike: int = 1, aim: str = "") -> Iterator[Drawn]:
    """Return random lists of a game, without end, the same for the same seed: half of them aimed at
    a rule, or all at the one of the id `aim`; some of them strange. So many in a row are `alike`:
    they begin with the same list, and if they have a second army book, it is the same.
    """
    rng = Random(f"{game} {seed} {aim}".rstrip())  # noqa: S311, lists for tests, not secrets
    starts, others = starts_of(game), books_beside(game)
    rules = tuple(rule for rule in errors_of(game) if aim in ("", rule.head.id))
    while True:
        start, other = rng.choice(starts), rng.choice(others)
        for _ in range(alike):
            is_aimed = rng.random() < (1 if aim else 0.6)
            yield _varied(Drawing(game, rng, start), other, rules if is_aimed else ())


def _varied(drawing: Drawing, other: str, rules: tuple[Rule, ...]) -> Drawn:
    """Return what becomes of a list by chance, or of one that is aimed at one of some rules."""
    rng, is_aimed = drawing.rng, bool(rules)
    if is_aimed:
        Aim(drawing, rng.choice(rules)).take()
    for _ in range(rng.choice((0, 0, 1, 2) if is_aimed else (0, 1, 1, 2, 2, 3, 4, 6))):
        drawing.change()
    catalogue = drawing.catalogue
    if rng.random() < 0.3:
        catalogue = Strange(drawing, other).take()
    for entry in drawing.entries:
        if not entry.get("options"):
            entry.pop("options", None)
    return Drawn(drawing.document, catalogue)


@cache
def books_beside(game: str) -> tuple[str, ...]:
    """Return the other army books of a game's system; of a skirmish, that there is none."""
    if game in SKIRMISHES:
        return ("",)
    system = game.rpartition("/")[0]
    books = OTHER_BOOKS if system else ARMY_BOOKS
    return tuple(one for one in books if one != game and one.rpartition("/")[0] == system)


@cache
def errors_of(game: str) -> tuple[Rule, ...]:
    """Return the rules of a game, or of an army with a book, whose breach is an error."""
    return tuple(
        rule for rule in catalogue_of(game).system.rules if rule.head.severity is Severity.ERROR
    )


class Aim:
    """Changes a list so that it is likely to break a rule."""

    def __init__(self, drawing: Drawing, rule: Rule) -> None:
        self.drawing = drawing
        self.rng = drawing.rng
        self.rule = rule
        self.catalogue = drawing.catalogue

    def take(self) -> None:
        """Let the rule hold here, then do something of what it speaks of."""
        chosen = self.drawing.document.setdefault("settings", {})
        for setting, values in self.rule.head.given:
            chosen[setting] = self.rng.choice(sorted(values))
        if self.rule.setting:
            setting = self.catalogue.system.settings[self.rule.setting]
            chosen[setting.id] = self.drawing.value_for(setting)
            if self.rng.random() < 0.4:
                del chosen[setting.id]
        faulty = faulty_units(self.drawing.game, self.rule.head.id)
        if faulty:
            self._add(self.rng.choice(faulty))
        luck = self.rng.random()
        selectors = list(_selectors(self.rule, self.catalogue))
        if selectors:
            selector = self.rng.choice(selectors)
            act = self._clear if luck < 0.25 else self._heap if luck < 0.4 else self._gather
            act(selector)
        if luck > 0.85 and self.catalogue.system.sized and self.drawing.entries:
            self.drawing.entries[-1]["models"] = self.rng.choice(MANY_MODELS)

    def _gather(self, selector: Selector) -> None:
        """More of what is meant, with the role that is meant: units, or options on them."""
        game = self.drawing.game
        units, options = units_meant(game, selector), options_meant(game, selector)
        for _ in range(self.rng.choice((1, 1, 2, 2, 3, 5))):
            if options and (not units or self.rng.random() < 0.6):
                ref, path = self.rng.choice(options)
                self._equip_on(self._add(ref), path)
            elif units:
                entry = self._add(self.rng.choice(units))
                roles = [r for r in self.catalogue.system.roles if selector.mentions(f"role:{r}")]
                if roles:
                    entry["roles"] = roles

    def _heap(self, selector: Selector) -> None:
        """Very much of what is meant: the largest units, or on one unit all options."""
        game = self.drawing.game
        units, options = units_meant(game, selector), options_meant(game, selector)
        joining = units_joining(game, selector)
        if units or joining:
            self.drawing.document["limit"] = self.rng.choice(sizes_of(self.catalogue))
            for _ in range(self.rng.randint(3, 12)):
                ref, paths = self.rng.choice([*((ref, ()) for ref in units), *joining])
                self._grow(self._add(ref), paths)
        elif options:
            ref, _ = self.rng.choice(options)
            entry = self._add(ref)
            for path in (path for one, path in options if one == ref):
                self._equip_on(entry, path)
            if self.rng.random() < 0.5:
                entry["models"] = self.rng.choice((1, 1, 2))

    def _grow(self, entry: Data, paths: Iterable[tuple[str, ...]]) -> None:
        """As large as a unit may be, with some options."""
        for path in paths:
            self._equip_on(entry, path)
        size = self.catalogue.units[entry["unit"]].size
        if size is not None:
            entry["models"] = size[1].base or max(entry["models"], 30)

    def _add(self, ref: str) -> Data:
        """Return an entry of a unit: one that is there, or a new one."""
        there = [entry for entry in self.drawing.entries if entry["unit"] == ref]
        if there and self.rng.random() < 0.3:
            return self.rng.choice(there)
        self.drawing.put(ref)
        return self.drawing.entries[-1]

    def _equip_on(self, entry: Data, path: tuple[str, ...]) -> None:
        holder, offer = entry, self.catalogue.units[entry["unit"]].offer
        for part in path:
            slots = offer.slots[part]
            options = holder.setdefault("options", [])
            had = next((one for one in options if one["id"] == part), None)
            if had is None:
                had = {"id": part}
                options.append(had)
            if slots[0].option.on and self.rng.random() < 0.8:
                had["on"] = self.rng.choice(slots[0].option.on)
            holder, offer = had, slots[0].option.offer
        if self.rng.random() < 0.3:
            holder["number"] = self.rng.choice((2, 3))

    def _clear(self, selector: Selector) -> None:
        document, units = self.drawing.document, self.catalogue.units
        meant = [one for one in document["units"] if _is_meant(units[one["unit"]], selector)]
        document["units"] = [one for one in document["units"] if one not in meant]
        for entry in document["units"]:
            _strip(entry, units[entry["unit"]].offer, selector)


def _strip(holder: Data, offer: Offer, selector: Selector) -> None:
    options = holder.get("options", [])
    kept = [one for one in options if not selector.matches(offer.slots[one["id"]][0].option.tags)]
    if kept != options:
        holder["options"] = kept
    for one in kept:
        _strip(one, offer.slots[one["id"]][0].option.offer, selector)


def _selectors(rule: Rule, catalogue: Catalogue) -> Iterator[Selector]:
    for field in fields(rule):
        value = getattr(rule, field.name)
        if isinstance(value, Selector):
            yield value
        elif field.name == "number" and isinstance(value, int):
            yield catalogue.system.selector_index.selectors[value]


def _is_meant(unit: Unit, selector: Selector) -> bool:
    """Return whether a selector may speak of a unit, in some role and warband."""
    roles = {tag for clause in selector.clauses for tag in clause if tag.startswith("role:")}
    return selector.matches(unit.tags | roles | {CROSS_FACTION})


@lru_cache(maxsize=4096)
def units_meant(game: str, selector: Selector) -> tuple[str, ...]:
    """Return the refs of the units that a selector may speak of."""
    units = catalogue_of(game).units
    return tuple(ref for ref, unit in units.items() if _is_meant(unit, selector))


@lru_cache(maxsize=4096)
def options_meant(game: str, selector: Selector) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the options that a selector speaks of: the unit's ref and the path."""
    if not selector.clauses:
        return ()

    def walk(offer: Offer, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for option_id, slots in offer.slots.items():
            here = (*path, option_id)
            if any(selector.matches(slot.option.tags) for slot in slots):
                yield here
            yield from walk(slots[0].option.offer, here)

    units = catalogue_of(game).units
    return tuple((ref, path) for ref, unit in units.items() for path in walk(unit.offer, ()))


@lru_cache(maxsize=4096)
def units_joining(game: str, selector: Selector) -> tuple[tuple[str, Paths], ...]:
    """Return the units that come into a category of which a selector speaks, each with the options
    by which it does.
    """
    found = []
    for ref, unit in catalogue_of(game).units.items():
        for condition, gains, _ in unit.category_changes:
            if any(map(selector.mentions, gains)):
                tags = {tag for part in condition.parts() for tag in getattr(part, "tags", ())}
                by = Selector((frozenset(tags),))
                paths = (path for one, path in options_meant(game, by) if one == ref)
                found.append((ref, tuple(paths)))
    return tuple(found)


@lru_cache(maxsize=4096)
def faulty_units(game: str, rule: str) -> tuple[str, ...]:
    """Return the refs of the units in which a rule finds a fault."""
    units = catalogue_of(game).units
    return tuple(
        ref for ref, unit in units.items() if any(one.head.id == rule for one in unit.faults)
    )


@lru_cache(maxsize=64)
def both_books(one: str, other: str) -> Catalogue:
    system = one.rpartition("/")[0] or "t9a-2023"
    return LIBRARY.catalogue(system, [book.rpartition("/")[2] for book in (one, other)])


class Strange:
    """Puts on a list what no filling puts there. It is the last that is done to a list."""

    def __init__(self, drawing: Drawing, other: str) -> None:
        self.drawing = drawing
        self.other = other
        self.rng = drawing.rng
        self.document = drawing.document
        self.catalogue = drawing.catalogue

    def take(self) -> Catalogue:
        """Do some of it; return the catalogue of the list's books."""
        system = self.catalogue.system
        acts = [self._unknown]
        if system.sized:
            acts += [self._large, self._second_book]
        else:
            acts += [self._card] * 3
        if system.own_models:
            acts += [self._own_model] * 6
        for _ in range(self.rng.choice((1, 1, 2))):
            self.rng.choice(acts)()
        return self.catalogue

    def _known(self) -> list[Data]:
        return [one for one in self.document["units"] if one.get("unit") in self.catalogue.units]

    def _large(self) -> None:
        """A unit of very many models, or of one."""
        for entry in self._known()[-1:]:
            entry["models"] = self.rng.choice(MANY_MODELS)

    def _second_book(self) -> None:
        other = self.other
        self.catalogue = both_books(self.drawing.game, other)
        books = self.document["books"]
        id_ = other.rpartition("/")[2]
        if all(one["id"] != id_ for one in books):
            self.document["books"] = [*books[:1], {"id": id_}]
        for _ in range(self.rng.choice((0, 1, 2))):
            self.drawing.put(self.rng.choice(refs_of(catalogue_of(other))), self.catalogue)

    def _card(self) -> None:
        """Cards filled in, wholly or in part, as they may be or not."""
        attributes = self.catalogue.system.attributes
        blank = [ref for ref, unit in self.catalogue.units.items() if unit.blanks]
        if blank and self.rng.random() < 0.7:
            self.drawing.put(self.rng.choice(blank))
        for entry in self._known():
            card: Data = {}
            for field in sorted(self.catalogue.units[entry["unit"]].blank_fields):
                kind, _, what = field.partition(".")
                if self.rng.random() < 0.2:
                    continue
                if kind == "points":
                    card["points"] = self.rng.randint(0, 60)
                elif kind == "attributes":
                    value = self.rng.choice([*attributes[what].values, "nobody-knows"])
                    card.setdefault("attributes", {})[what] = value
                else:
                    card.setdefault("ratings", {})[what] = self.rng.randint(0, 9)
            if card:
                entry["card"] = card

    def _own_model(self) -> None:
        """A model of the player's own, sensible or not."""
        rules = errors_of(self.drawing.game)
        bounded = [ability for rule in rules for ability in _abilities(rule)]
        abilities = []
        for _ in range(self.rng.choice((0, 1, 1, 2, 3))):
            every = bounded if self.rng.random() < 0.7 else list(self.catalogue.system.abilities)
            one = {"ability": self.rng.choice(every)}
            if self.rng.random() < 0.6:
                one["target"] = self.rng.choice(("Orcs", "Lethal", "no Lethal models"))
            abilities.append(one)
        profile = {
            "name": self.rng.choice(("Ann", "Bob", "Rats")),
            "stats": {"quality": self.rng.randint(0, 7), "combat": self.rng.randint(0, 7)},
            "abilities": abilities,
        }
        entry = {"profile": profile, "models": self.rng.choice((1, 1, 2, 3))}
        self.drawing.put_entry(entry)

    def _unknown(self) -> None:
        """A name that nobody knows, or an option that is written twice."""
        kinds = ["unit", "option", "role", "setting", "book", "repeated"]
        kind = self.rng.choice(kinds)
        if kind == "unit":
            self.drawing.put_entry({"unit": "no/body", "models": self.rng.choice((1, 3))})
        elif kind == "setting":
            self.document.setdefault("settings", {})["no-setting"] = "x"
        elif kind == "book":
            self.document["books"] = [*self.document["books"], {"id": "no-book"}]
        elif known := self._known():
            entry = self.rng.choice(known)
            options = entry.get("options", [])
            if kind == "role":
                entry["roles"] = [*entry.get("roles", ()), "nobody"]
            elif kind == "option":
                entry["options"] = [*options, {"id": "no-option"}]
            elif options:
                entry["options"] = [*options, dict(self.rng.choice(options))]


def _abilities(rule: Rule) -> Iterator[str]:
    told: Any = getattr(rule, "abilities", ())
    yield from told
    if alone := getattr(rule, "ability", ""):
        yield alone
    selector = getattr(rule, "selector", None)
    for clause in selector.clauses if selector is not None else ():
        yield from (tag.partition(":")[2] for tag in clause if tag.startswith("ability:"))
