"""The elements of a BattleScribe file that say what may be taken, parsed once each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
            inner=tuple(self.of(one) for one in _choices(element)),
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


def read_modifiers(element: Element) -> tuple[Modifier, ...]:
    return tuple(
        Modifier(
            one.attrib["type"],
            one.attrib["field"],
            one.get("value", ""),
            _all_conditions(one, either=False),
            tuple(_repeat(repeat) for repeat in inside(one, "repeats/repeat")),
        )
        for one in inside(element, "modifiers/modifier")
    )


def _choices(element: Element) -> Iterator[Element]:
    """Entries, groups and links directly below."""
    for tag in ("selectionEntries", "selectionEntryGroups", "entryLinks"):
        for container in inside(element, tag):
            yield from container


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


def _repeat(element: Element) -> Repeat:
    return Repeat(
        _query(element),
        float(element.attrib["value"]),
        int(element.get("repeats", "1")),
        element.get("roundUp") == "true",
    )
