"""The elements of a BattleScribe file that say what may be taken, parsed once each; and where they
stand in a unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple
from xml.etree.ElementTree import Element

Ids = Mapping[str, Element]
#: What a number counts: selections, points, or the game size whatever is named beside it.
Field = Literal["selections", "points", "limit"]
#: What is itself a choice, or leads to one.
CHOICES = ("selectionEntry", "selectionEntryGroup", "entryLink")


class Query(NamedTuple):
    """What to count, and where: `scope` is a word or an id, `child` an id or a kind of entry; "" is
    what the query stands at. `deep`: at any depth, else directly in the scope.
    """

    field: Field
    scope: str
    child: str
    deep: bool


class Condition(NamedTuple):
    """A comparison of what a query finds with a number."""

    query: Query
    compare: str
    value: float


class Conditions(NamedTuple):
    """Conditions of which all must hold, or with `either` one."""

    either: bool
    parts: tuple[Condition | Conditions, ...]


class Repeat(NamedTuple):
    """A change is made once for every `value` of what the query finds."""

    query: Query
    value: float
    times: int
    up: bool


class Modifier(NamedTuple):
    """A change of the field with this id or name, where its conditions hold."""

    act: str
    field: str
    value: str
    conditions: Conditions
    repeats: tuple[Repeat, ...]


class Constraint(NamedTuple):
    """A limit, "max" or "min", of what is taken by the entry, group or link `at` which it stands.
    `share`: in per cent of the game size.
    """

    at: str
    id: str
    side: str
    query: Query
    value: float
    share: bool


class Profile(NamedTuple):
    """A table row such as "0 Size"; its cells by their names."""

    table: str
    name: str
    cells: Mapping[str, str]


class Told(NamedTuple):
    """A special rule that an entry names, perhaps hidden in some armies; `text` where the rule is
    its own, "" where it links to one that many have.
    """

    name: str
    text: str
    hidden: bool
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, eq=False)
class Part:
    """An entry, a group or a link. `target` is the id that a link leads to; `cost` None: it says
    none; `categories` (id, whether primary); `inner` are the choices in it.
    """

    tag: str
    id: str
    name: str
    type: str
    target: str
    hidden: bool
    cost: float | None
    constraints: tuple[Constraint, ...]
    modifiers: tuple[Modifier, ...]
    categories: tuple[tuple[str, bool], ...]
    rules: tuple[Told, ...]
    profiles: tuple[Profile, ...]
    inner: tuple[Part, ...]


class Parts:
    """The parts of one catalogue and its game system, by id."""

    def __init__(self, ids: Ids) -> None:
        self.ids = ids
        self._made: dict[Element, Part] = {}

    def of(self, element: Element) -> Part:
        if element not in self._made:
            self._made[element] = self._make(element)
        return self._made[element]

    def by_id(self, id_: str) -> Part:
        return self.of(self.ids[id_])

    def _make(self, element: Element) -> Part:
        costs = [float(cost.attrib["value"]) for cost in inside(element, "costs/cost")]
        constraints = inside(element, "constraints/constraint")
        return Part(
            tag=name_of_tag(element),
            id=element.attrib["id"],
            name=element.get("name", ""),
            type=element.get("type", ""),
            target=element.get("targetId", ""),
            hidden=element.get("hidden") == "true",
            cost=sum(costs) if costs else None,
            constraints=tuple(read_constraint(one, element.attrib["id"]) for one in constraints),
            modifiers=read_modifiers(element),
            categories=tuple(
                (link.attrib["targetId"], link.get("primary") == "true")
                for link in inside(element, "categoryLinks/categoryLink")
            ),
            rules=tuple(self._rules(element)),
            profiles=tuple(self._profiles(element)),
            inner=tuple(
                self.of(one)
                for tag in ("selectionEntries", "selectionEntryGroups", "entryLinks")
                for container in inside(element, tag)
                for one in container
            ),
        )

    def _rules(self, element: Element) -> Iterator[Told]:
        for rule in inside(element, "rules/rule"):
            texts = [one.text or "" for one in inside(rule, "description")]
            yield _told(rule, rule.get("name", ""), " ".join(" ".join(texts).split()))
        for link in inside(element, "infoLinks/infoLink"):
            if link.get("type") == "rule":
                name = self.ids[link.attrib["targetId"]].get("name", "")
                yield _told(link, name, "")

    def _profiles(self, element: Element) -> Iterator[Profile]:
        for profile in inside(element, "profiles/profile"):
            yield _profile(profile)
        for link in inside(element, "infoLinks/infoLink"):
            if link.get("type") == "profile":
                yield _profile(self.ids[link.attrib["targetId"]])


def inside(element: Element, path: str) -> list[Element]:
    """The elements at a path, whatever the file's namespace."""
    return element.findall("/".join(f"{{*}}{step}" for step in path.split("/")))


def name_of_tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def read_constraint(element: Element, at: str) -> Constraint:
    """A limit as the file has it; `at` is the id of what it stands at."""
    return Constraint(
        at,
        element.get("id", ""),
        element.attrib["type"],
        _query(element),
        float(element.attrib["value"]),
        element.get("percentValue") == "true",
    )


def read_modifiers(element: Element, around: tuple[Conditions, ...] = ()) -> tuple[Modifier, ...]:
    """The changes of an element, and of the groups of changes in it, whose conditions hold for all
    in them; `around` are those of the groups around.
    """
    own = (_modifier(one, around) for one in inside(element, "modifiers/modifier"))
    groups = inside(element, "modifierGroups/modifierGroup")
    inner = (read_modifiers(one, (*around, _all_conditions(one, either=False))) for one in groups)
    return (*own, *chain.from_iterable(inner))


def _modifier(element: Element, around: tuple[Conditions, ...]) -> Modifier:
    own = _all_conditions(element, either=False)
    return Modifier(
        element.attrib["type"],
        element.attrib["field"],
        element.get("value", ""),
        Conditions(False, (*around, own)) if around else own,
        tuple(
            Repeat(
                _query(repeat),
                float(repeat.attrib["value"]),
                int(repeat.get("repeats", "1")),
                repeat.get("roundUp") == "true",
            )
            for repeat in inside(element, "repeats/repeat")
        ),
    )


def _told(element: Element, name: str, text: str) -> Told:
    return Told(name, text, element.get("hidden") == "true", read_modifiers(element))


def _profile(element: Element) -> Profile:
    cells = {
        cell.get("name", ""): " ".join((cell.text or "").split())
        for cell in inside(element, "characteristics/characteristic")
    }
    return Profile(element.get("typeName", ""), element.get("name", ""), cells)


def _query(element: Element) -> Query:
    deep = element.get("includeChildSelections") == "true"
    child = element.get("childId", "")
    return Query(_field(element.attrib["field"]), element.get("scope", ""), child, deep)


def _field(name: str) -> Field:
    if name.startswith("limit::"):
        return "limit"
    return "selections" if name == "selections" else "points"


def _all_conditions(element: Element, either: bool) -> Conditions:
    """The conditions directly in an element and in the groups of them in it."""
    parts: list[Condition | Conditions] = [
        Condition(_query(one), one.attrib["type"], float(one.attrib["value"]))
        for one in inside(element, "conditions/condition")
    ]
    parts += [
        _all_conditions(group, either=group.get("type") == "or")
        for group in inside(element, "conditionGroups/conditionGroup")
    ]
    return Conditions(either, tuple(parts))


# Where entries and groups stand in a unit: links followed, each with the path of ids that rosters
# write.

JOIN = "::"
#: How many groups may lie in each other; files that lead in a circle stop there.
MOST_DEEP = 60


class Place:
    """An entry or a group where it stands. `parts` are what it is, the target of a link before the
    link; `links` the links on the way to it; `groups` the groups around it, the outermost first, up
    to `owner`, the entry that it is taken on (None: it is a unit).
    """

    def __init__(
        self,
        book: Parts,
        parts: tuple[Part, ...],
        links: tuple[str, ...],
        owner: Place | None,
        groups: tuple[Place, ...] = (),
    ) -> None:
        self.book = book
        self.parts = parts
        self.what = parts[0]
        self.links = links
        self.owner = owner
        self.groups = groups
        self.path = JOIN.join((*links, self.what.id))
        self.is_group = self.what.tag == "selectionEntryGroup"
        self.ids = frozenset(part.id for part in parts)
        around = (group.ids for group in groups)
        #: Kind counted by: its own ids, those of the groups around it, its kind.
        self.keys = self.ids.union((self.what.type, "any"), *around)

    def __repr__(self) -> str:
        return f"<{self.name} {self.path}>"

    @property
    def id(self) -> str:
        return self.what.id

    @property
    def name(self) -> str:
        """Kind called here: a link may call its target otherwise."""
        return self.parts[-1].name

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(part.name for part in self.parts))

    @cached_property
    def cost(self) -> float:
        """Points of one, before modifiers: a link that says a cost replaces its target's."""
        said = [part.cost for part in self.parts if part.cost is not None]
        return said[-1] if said else 0.0

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """Its limits: those of the link and those of its target both apply."""
        return tuple(one for part in self.parts for one in part.constraints if one.value >= 0
                     or self._moved(one.id))  # fmt: skip

    @cached_property
    def modifiers(self) -> tuple[Modifier, ...]:
        return tuple(one for part in self.parts for one in part.modifiers)

    def _moved(self, field: str) -> bool:
        return any(one.field == field for one in self.modifiers)

    @cached_property
    def categories(self) -> tuple[tuple[str, bool], ...]:
        """(id, whether primary) of the categories it counts in; a group's hold for all in it."""
        own = [one for part in self.parts for one in part.categories]
        around = [(id_, False) for group in self.groups for id_, _ in group.categories]
        return tuple(dict.fromkeys([*own, *around]))

    @cached_property
    def limits(self) -> tuple[Constraint, ...]:
        return tuple(one for one in self.constraints if one.side == "max")

    @cached_property
    def needs(self) -> tuple[Constraint, ...]:
        """Its limits below that ask for anything, or may come to."""
        return tuple(
            one for one in self.constraints
            if one.side == "min" and (one.value > 0 or self._moved(one.id))
        )  # fmt: skip

    @cached_property
    def inner(self) -> tuple[Place, ...]:
        """All that stands on an entry and in the groups there, not what stands on that again."""
        return tuple(self._below(self.parts, self.links, (), 0))

    @cached_property
    def demanding(self) -> tuple[Place, ...]:
        return tuple(place for place in self.inner if place.needs)

    @cached_property
    def by_path(self) -> dict[tuple[str, str], Place]:
        """Entries on it by their path and that of the innermost group around them ("": none)."""
        entries = (place for place in self.inner if not place.is_group)
        return {
            (place.path, place.groups[-1].path if place.groups else ""): place for place in entries
        }

    def _below(
        self, parts: tuple[Part, ...], links: tuple[str, ...], groups: tuple[Place, ...], depth: int
    ) -> Iterator[Place]:
        if depth > MOST_DEEP:
            return
        for part in parts:
            for one in part.inner:
                if one.tag == "entryLink" and one.target not in self.book.ids:
                    continue  # what it leads to is in no file: nobody can take it
                place = Place(self.book, (one,), links, self, groups)
                if one.tag == "entryLink":
                    linked = (self.book.by_id(one.target), one)
                    place = Place(self.book, linked, (*links, one.id), self, groups)
                yield place
                if place.is_group:
                    around = (*groups, place)
                    yield from self._below(place.parts, place.links, around, depth + 1)

    def walk(self, depth: int = 0) -> Iterator[Place]:
        """It and all that can stand on it, at any depth."""
        yield self
        if depth <= MOST_DEEP and not self.is_group:
            for place in self.inner:
                yield from place.walk(depth + 1)


def root_place(book: Parts, part: Part) -> Place:
    if part.tag != "entryLink":
        return Place(book, (part,), (), None)
    return Place(book, (book.by_id(part.target), part), (part.id,), None)
