"""What a BattleScribe file says, as frozen values, and where each id of it points."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal
from xml.etree.ElementTree import Element

from armybuilder.battlescribe.books.names import clean, restricting
from armybuilder.loading.problems import Refusal

Field = Literal["selections", "points", "limit"]
#: What an entry is: a unit, its models, an option, a group of options, a link to one of these.
Kind = Literal["unit", "model", "upgrade", "group", "link"]

_GROUP_TAGS: Final = {"selectionEntryGroup"}
_CHILD_LISTS: Final = ("selectionEntries", "selectionEntryGroups", "entryLinks")


@dataclass(frozen=True, eq=False)
class Constraint:
    """A least or most; `value` -1 means none. `share`: per cent of the game size."""

    id: str
    type: Literal["min", "max"]
    field: Field
    scope: Literal["parent", "roster"]
    value: int


@dataclass(frozen=True, eq=False)
class SourceCondition:
    """One comparison: so many of `child` in `scope` (ids, or words like parent and roster)."""

    type: str
    field: Field
    scope: str
    child: str
    value: int


@dataclass(frozen=True, eq=False)
class Conditions:
    """Conditions of which all (`and`) or any (`or`) must hold."""

    op: Literal["and", "or"]
    parts: tuple["SourceCondition | Conditions", ...]


@dataclass(frozen=True, eq=False)
class Repeat:
    """The change applies once for each `value` of `child` in `scope`."""

    field: Field
    scope: str
    child: str
    value: int
    round_up: bool


@dataclass(frozen=True, eq=False)
class Modifier:
    """A change of `field` (a word, or the id of a constraint or characteristic)."""

    type: str
    field: str
    value: str
    when: Conditions
    repeats: tuple[Repeat, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it always applies, once."""
        return not self.when.parts and not self.repeats


@dataclass(frozen=True, eq=False)
class SourceProfile:
    """A row of values: (characteristic id, name, text) each; texts of effects are not kept."""

    id: str
    name: str
    type: str
    cells: tuple[tuple[str, str, str], ...]
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, eq=False)
class Info:
    """A rule's name, or a link to a rule or profile."""

    name: str
    target: str
    is_profile: bool
    hidden: bool
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, eq=False)
class SourceEntry:
    """A unit, model, option, group or link. `sentences` are those of its texts that restrict it."""

    id: str
    name: str
    kind: Kind
    hidden: bool
    target: str
    default: str
    cost: int | None
    constraints: tuple[Constraint, ...]
    modifiers: tuple[Modifier, ...]
    categories: tuple[tuple[str, bool], ...]
    infos: tuple[Info, ...]
    profiles: tuple[SourceProfile, ...]
    sentences: tuple[str, ...]
    children: tuple["SourceEntry", ...]

    @property
    def is_group(self) -> bool:
        """Whether it is a group itself (a link to one is not)."""
        return self.kind == "group"


@dataclass(frozen=True, eq=False)
class CategoryLink:
    """A category in a force: its shares and numbers, and what changes them."""

    target: str
    name: str
    constraints: tuple[Constraint, ...]
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, eq=False)
class SourceForce:
    """A way to organise the army, with its categories."""

    id: str
    name: str
    hidden: bool
    categories: tuple[CategoryLink, ...]


@dataclass
class SourceFile:
    """One parsed file: its root entries in order and everything in it that has an id."""

    file: str
    id: str
    name: str
    revision: str
    roots: tuple[SourceEntry, ...]
    forces: tuple[SourceForce, ...]
    category_limits: dict[str, tuple[Constraint, ...]]
    rules: tuple[Info, ...]
    entries: dict[str, SourceEntry] = field(default_factory=dict)
    profiles: dict[str, SourceProfile] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    constraints: dict[str, Constraint] = field(default_factory=dict)


class Parser:
    """Turns the XML of one file into values. Raises Refusal at a number or word it cannot read."""

    def __init__(self, file: str, points: str, profile_types: dict[str, str]) -> None:
        self.file = file
        self.points = points
        self.profile_types = profile_types

    def file_of(self, root: Element) -> SourceFile:
        """Return everything the file holds, indexed by id; the first of two equal ids counts."""
        roots = tuple(self.entry(item) for item in root.iterfind("selectionEntries/selectionEntry"))
        shared = [
            self.entry(item)
            for name in ("sharedSelectionEntries", "sharedSelectionEntryGroups")
            for item in root.iterfind(f"{name}/*")
        ]
        source = SourceFile(
            self.file, root.get("id", ""), root.get("name", ""), root.get("revision", ""), roots,
            tuple(self._force(item) for item in root.iterfind("forceEntries/forceEntry")),
            {item.get("id", ""): self._constraints(item) for item in root.iter("categoryEntry")},
            tuple(self._rule(item) for item in root.iterfind("rules/rule")),
        )  # fmt: skip
        for entry in [*roots, *shared]:
            _index(source, entry)
        for item in root.iterfind("sharedProfiles/profile"):
            source.profiles.setdefault(item.get("id", ""), self._profile(item))
        for item in root.iter():
            if item.get("id"):
                source.names.setdefault(item.get("id", ""), clean(item.get("name", item.tag)))
        return source

    def entry(self, item: Element) -> SourceEntry:
        """Return an entry, group or link with everything in it."""
        kind: Kind = "group" if item.tag in _GROUP_TAGS else "upgrade"
        if item.tag == "entryLink":
            kind = "link"
        elif item.get("type") in {"unit", "model"}:
            kind = "unit" if item.get("type") == "unit" else "model"
        return SourceEntry(
            id=item.get("id", ""),
            name=item.get("name", ""),
            kind=kind,
            hidden=item.get("hidden") == "true",
            target=item.get("targetId", ""),
            default=item.get("defaultSelectionEntryId", ""),
            cost=self._cost(item),
            constraints=self._constraints(item),
            modifiers=self._modifiers(item),
            categories=tuple(
                (link.get("targetId", ""), link.get("primary") == "true")
                for link in item.iterfind("categoryLinks/categoryLink")
            ),
            infos=tuple(self._infos(item)),
            profiles=tuple(self._profile(part) for part in item.iterfind("profiles/profile")),
            sentences=tuple(_sentences(item)),
            children=tuple(
                self.entry(child) for part in item if part.tag in _CHILD_LISTS for child in part
            ),
        )

    def _infos(self, item: Element) -> Iterator[Info]:
        for link in item.iterfind("infoLinks/infoLink"):
            yield Info(
                link.get("name", ""),
                link.get("targetId", ""),
                link.get("type") == "profile",
                link.get("hidden") == "true",
                self._modifiers(link),
            )
        yield from (self._rule(rule) for rule in item.iterfind("rules/rule"))

    def _rule(self, item: Element) -> Info:
        return Info(item.get("name", ""), "", False, False, self._modifiers(item))

    def _profile(self, item: Element) -> SourceProfile:
        """Cells with long prose (effects, descriptions) are left where they are."""
        kind = self.profile_types.get(item.get("typeId", ""), item.get("typeName", ""))
        prose = {"Effect", "Description", "Spells"}
        cells = tuple(
            (cell.get("typeId", ""), cell.get("name", ""), clean(cell.text or ""))
            for cell in item.iterfind("characteristics/characteristic")
            if cell.get("name") not in prose
        )
        name = item.get("name", "")
        return SourceProfile(item.get("id", ""), name, kind, cells, self._modifiers(item))

    def _force(self, item: Element) -> SourceForce:
        links = tuple(
            CategoryLink(
                link.get("targetId", ""),
                link.get("name", ""),
                self._constraints(link),
                self._modifiers(link),
            )
            for link in item.iterfind("categoryLinks/categoryLink")
        )
        hidden = item.get("hidden") == "true"
        return SourceForce(item.get("id", ""), clean(item.get("name", "")), hidden, links)

    def _cost(self, item: Element) -> int | None:
        costs = [
            self.whole(cost.get("value", ""), f"the price of {item.get('name')}")
            for cost in item.iterfind("costs/cost")
        ]
        return sum(costs) if costs else None

    def _constraints(self, item: Element) -> tuple[Constraint, ...]:
        return tuple(
            Constraint(
                part.get("id", ""),
                "min" if part.get("type") == "min" else "max",
                self.field_of(part.get("field", ""), item),
                "parent" if part.get("scope") == "parent" else "roster",
                self.whole(part.get("value", ""), f"a limit of {item.get('name')}"),
            )
            for part in item.iterfind("constraints/constraint")
        )

    def _modifiers(self, item: Element) -> tuple[Modifier, ...]:
        return tuple(self._modifier(part, item) for part in item.iterfind("modifiers/modifier"))

    def _modifier(self, part: Element, item: Element) -> Modifier:
        repeats = tuple(self._repeat(one, item) for one in part.iterfind("repeats/repeat"))
        name = part.get("field", "")
        return Modifier(
            part.get("type", ""),
            "points" if name == self.points else name,
            part.get("value", ""),
            self._conditions(part, item),
            repeats,
        )

    def _conditions(self, part: Element, item: Element) -> Conditions:
        """Return the conditions of a modifier or a group; groups may hold groups."""
        single = [self._condition(one, item) for one in part.iterfind("conditions/condition")]
        groups = [
            self._conditions(group, item)
            for group in part.iterfind("conditionGroups/conditionGroup")
        ]
        either = part.tag == "conditionGroup" and part.get("type") == "or"
        return Conditions("or" if either else "and", (*single, *groups))

    def _condition(self, part: Element, item: Element) -> SourceCondition:
        return SourceCondition(
            part.get("type", ""),
            self.field_of(part.get("field", ""), item),
            part.get("scope", ""),
            part.get("childId", ""),
            self.whole(part.get("value", ""), f"a condition of {item.get('name')}"),
        )

    def _repeat(self, part: Element, item: Element) -> Repeat:
        return Repeat(
            self.field_of(part.get("field", ""), item),
            part.get("scope", ""),
            part.get("childId", ""),
            self.whole(part.get("value", ""), f"a repeat of {item.get('name')}"),
            part.get("roundUp") == "true",
        )

    def field_of(self, name: str, item: Element) -> Field:
        """Return what a limit or condition counts. Raises Refusal at anything else."""
        fields: dict[str, Field] = {
            "selections": "selections",
            self.points: "points",
            f"limit::{self.points}": "limit",
        }
        if name not in fields:
            raise Refusal(
                f"{self.file}: {item.get('name')}: field “{name[:60]}” is not understood."
            )
        return fields[name]

    def whole(self, text: str, what: str) -> int:
        """Return a whole number out of text like 12 or 12.0. Raises Refusal at any other."""
        try:
            number = float(text)
        except ValueError:
            number = 0.5
        if not number.is_integer() or abs(number) > 1_000_000:
            raise Refusal(f"{self.file}: {what} is “{text[:40]}”, not a whole number.")
        return int(number)


def _index(source: SourceFile, entry: SourceEntry) -> None:
    source.entries.setdefault(entry.id, entry)
    for constraint in entry.constraints:
        source.constraints.setdefault(constraint.id, constraint)
    for profile in entry.profiles:
        source.profiles.setdefault(profile.id, profile)
    for child in entry.children:
        _index(source, child)


def _sentences(item: Element) -> Iterator[str]:
    """Yield the sentences of an entry's own items and rules that restrict who may have it."""
    texts = [*item.iterfind("profiles/profile/characteristics/characteristic")]
    texts += item.iterfind("rules/rule/description")
    for text in texts:
        yield from restricting(text.text or "")
