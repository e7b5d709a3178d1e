"""Names of things that restrictions of event packs can mean: groups of units, units, options."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.options import Option, keyword_tag, slug
from armybuilder.engine.rules import Rule
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import marked, say
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.loading.systems import summary_of

#: Kinds of tags by which a restriction can select units, besides the game's attributes.
_KINDS = marked(
    {
        "category": "Category",
        "keyword": "Keyword",
        "tag": "Kind of model",
        "subtype": "Subtype",
        "height": "Height",
        "ability": "Ability",
        "item": "Kind of item",
        "set": "Set of cards",
    }
)
#: The limits of a category, by the end of their ids.
_BOUNDS = marked(
    {
        "points-min": "minimum points",
        "points-max": "maximum points",
        "picks-min": "minimum number",
        "picks-max": "maximum number",
        "models-min": "minimum models",
        "models-max": "maximum models",
    }
)
#: Units and options that one field names.
MOST_NAMES = 40


class Meant(NamedTuple):
    """A group of units that a rule can mean: "kind:value", and its name for people."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class _Known:
    """Units and options of a game by their names, and the values that tags of units have.

    `names` are those of special rules and categories by their tags, `rules` those of the books.
    """

    keys: Mapping[str, tuple[str, ...]]
    values: Mapping[str, frozenset[str]]
    names: Mapping[str, str]
    rules: Mapping[str, Rule]


@lru_cache(maxsize=16)
def _known(library: Library, system_id: str) -> _Known:
    """Return the same of all shipped books of a game."""
    system = library.systems[system_id]
    keys: dict[str, dict[str, None]] = defaultdict(dict)
    values: dict[str, set[str]] = defaultdict(set)
    names: dict[str, str] = {}
    rules: dict[str, Rule] = {}
    titles = {*_KINDS, *system.attributes}
    sets = {slug(name): name for name in system.sets}
    for catalogue in _catalogues(library, system):
        for book in catalogue.books:
            names |= {f"category:{id}": name for id, name in book.categories.items()}
        for unit in catalogue.units.values():
            keys[unit.full_name][f"unit:{unit.ref}"] = None
            sets[slug(unit.origin)] = unit.origin
            tags = set(unit.tags)
            for name in _rules_of(unit):
                names.setdefault(keyword_tag(name), name.partition("(")[0].strip())
            for option in unit.offer.options():
                keys[option.name][f"option:{option.id}"] = None
                tags |= {tag for tag in option.tags if tag.startswith("item:")}
            for tag in tags:
                kind, _colon, value = tag.partition(":")
                if kind in titles and value:
                    values[kind].add(value)
        for rule in catalogue.system.rules:
            if rule.head.parent:
                rules.setdefault(rule.head.id, rule)
    values["set"] = {*filter(None, sets)}
    return _Known(
        {
            name: tuple(one)
            for name, one in sorted(keys.items(), key=lambda each: each[0].casefold())
        },
        {kind: frozenset(one) for kind, one in values.items()},
        names | {f"set:{id}": name for id, name in sets.items()},
        rules,
    )


def _rules_of(unit: Unit) -> Iterator[str]:
    """Yield the names of the special rules of a unit and of its options."""
    sources: tuple[Unit | Option, ...] = (unit, *unit.offer.options())
    for source in sources:
        yield from (keyword.name for keyword in source.keywords)
        yield from (name for profile in source.profiles for name in profile.rules)


def _catalogues(library: Library, system: System) -> Iterable[Catalogue]:
    books = list(library.books[system.id])
    if not system.sized:
        return [library.catalogue(system.id, books)]
    return (library.catalogue(system.id, [book]) for book in books)


@dataclass(frozen=True, eq=False)
class PackNames:
    """Names of a game's units, options and groups, and of the classes of a pack."""

    library: Library
    system: System
    data: Mapping[str, Any]

    @property
    def _known(self) -> _Known:
        return _known(self.library, self.system.id)

    @cached_property
    def groups(self) -> list[tuple[str, list[Meant]]]:
        """Groups of units that rules can mean, by their common trait, under headings."""
        titles = {key: say(title) for key, title in _KINDS.items()}
        titles |= {key: attribute.name for key, attribute in self.system.attributes.items()}
        classes = [Meant(f"class:{one['id']}", one["name"]) for one in self.data.get("classes", ())]
        groups = [(say("Classes of this pack"), classes)] if classes else []
        for kind, title in titles.items():
            meant = [
                Meant(f"{kind}:{value}", self._value(kind, value))
                for value in self._known.values.get(kind, ())
            ]
            if meant:
                groups.append((title, sorted(meant, key=lambda each: each.name.casefold())))
        return groups

    def _value(self, kind: str, value: str) -> str:
        if kind in self.system.attributes:
            return str(self.system.attributes[kind].values.get(value, value))
        if kind == "ability" and value in self.system.abilities:
            return str(self.system.abilities[value].name)
        return self._known.names.get(f"{kind}:{value}") or value.replace("-", " ").capitalize()

    @cached_property
    def group_names(self) -> Mapping[str, str]:
        """The names of all groups by key."""
        return {one.key: one.name for _title, group in self.groups for one in group}

    @cached_property
    def groups_by_title(self) -> Mapping[str, str]:
        """The keys of all groups by "name (heading)"."""
        return {f"{one.name} ({title})": one.key for title, group in self.groups for one in group}

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        return {key: title for title, key in self.groups_by_title.items()}

    @property
    def books(self) -> list[Meant]:
        """The game's army books, by "book:id"."""
        books = self.library.books[self.system.id].values()
        return [Meant(f"book:{book.id}", book.name) for book in books]

    @property
    def things(self) -> Iterable[str]:
        """The names of all units and options, in alphabetical order."""
        return self._known.keys

    @cached_property
    def _by_key(self) -> Mapping[str, str]:
        return {key: name for name, keys in self._known.keys.items() for key in keys}

    def name_of(self, key: str) -> str:
        """Return the name of a group, unit, option or book; of an unknown one, its key."""
        return self.group_names.get(key) or self._by_key.get(key) or dict(self.books).get(key, key)

    def merged(self, keys: Sequence[str]) -> Iterator[str]:
        """Yield some keys; of options that have one name, and of which all are there, the first.

        So a restriction of an item of many books has its name once.
        """
        given, done = set(keys), set[str]()
        for key in keys:
            same = self._known.keys.get(self._by_key.get(key, ""), ())
            whole = len(same) > 1 and given.issuperset(same)
            if key not in done:
                yield key
            done |= {*same} if whole else {key}

    def written(self, keys: Sequence[str]) -> list[str]:
        """Return the words of a field: groups by title, units and options by name or short key.

        `keys_of` reads the same keys from it.
        """
        names = []
        for key in self.merged(keys):
            name = self._by_key.get(key) or self._titles.get(key, key)
            same = self._known.keys.get(name, ())
            names.append(name if {*same} <= {*keys} else key)
        return names

    def keys_of(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the keys of units, options and groups. Raises Refusal for unknown ones."""
        if len(names) > MOST_NAMES:
            raise Refusal(say("Name at most {number} units and options.", number=MOST_NAMES))
        groups = {title: (key,) for title, key in self.groups_by_title.items()}
        by_name = {name.casefold(): keys for name, keys in {**groups, **self._known.keys}.items()}
        found: dict[str, None] = {}
        for name in names:
            keys = by_name.get(name.casefold(), (name,) if name in self._by_key else ())
            if not keys:
                sentence = say("There is no unit or option “{name}”. Choose one of those offered.")
                raise Refusal(sentence.format(name=name[:80]))
            found |= dict.fromkeys(keys)
        return tuple(found)

    @property
    def rules(self) -> dict[str, str]:
        """The rules that a pack can lift, by id: of the game and its books, and of the pack."""
        rules = {rule.head.id: str(rule.head.summary) for rule in self.system.rules}
        rules |= {rule["id"]: str(summary_of(rule)) for rule in self.data["rules"]}
        return rules | {rule: self.rule_of_books(rule) for rule in sorted(self._known.rules)}

    @cached_property
    def settings(self) -> list[tuple[str, list[Meant]]]:
        """The values of settings by "setting:value", under the setting's name; a number has "#"."""
        groups = []
        for key, setting in self.system.settings.items():
            values: Mapping[str, object] = {id: one.name for id, one in setting.values.items()}
            if setting.kind == "attribute":
                values = self.system.attributes[setting.attribute].values
            elif setting.kind == "number" and setting.high - setting.low < MOST_NAMES:
                values = {f"#{one}": one for one in range(setting.low, setting.high + 1)}
            if values and setting.kind in ("choice", "attribute", "number"):
                meant = [Meant(f"{key}:{value}", str(name)) for value, name in values.items()]
                groups.append((str(setting.name), meant))
        return groups

    def rule_of_books(self, id: str) -> str:
        """Return the name of a rule that a book's numbers make, by its id."""
        for end, bound in _BOUNDS.items():
            if id.endswith(end):
                category = id.removeprefix("category-").removesuffix(f"-{end}")
                name = self._value("category", category)
                return say("Army books: {name}, {bound}", name=name, bound=say(bound))
        return say("Army books: {what}", what=self._known.rules[id].head.summary)

    def leaning(self, rule: str) -> list[str]:
        """Return the names of rules of books that go with a rule that is lifted."""
        made = (key for key, one in self._known.rules.items() if one.head.parent == rule)
        return [self.rule_of_books(key) for key in sorted(made)]
