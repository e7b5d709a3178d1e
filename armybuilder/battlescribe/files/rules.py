"""Conditions, repeats and modifiers of files as the kernel's queries and conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement, number_of
from armybuilder.engine.kernel.conditions import (
    COMBINED,
    FALSE,
    FORCES,
    NUMBER,
    TRUE,
    All,
    Any,
    Before,
    Change,
    Combined,
    Compare,
    Condition,
    Each,
    Has,
    HasPrimary,
    LimitOf,
    Measure,
    Nearest,
    Not,
    NotUnderstood,
    OneIf,
    PerCent,
    Query,
    Reach,
    Repeat,
    Scope,
    Several,
    Within,
)
from armybuilder.engine.kernel.parts import parts_in

#: Stands for everything in what is counted.
_ANY: Final = {"", "any"}
_LIMIT: Final = "limit::"
_FIELDS: Final = {"selections": NUMBER, "forces": FORCES}
_SCOPES: Final[Mapping[str, Within]] = {
    "self": Scope.SELF,
    "parent": Scope.PARENT,
    "ancestor": Scope.ANCESTORS,
    "root-entry": Scope.ROOT,
    "force": Scope.FORCE,
    "primary-catalogue": Scope.FORCE,
    "roster": Scope.LIST,
    "model-or-unit": Nearest(frozenset({"model", "unit"}), itself=False),
}
_COMPARISONS: Final = {
    "lessThan": "<",
    "atMost": "<=",
    "equalTo": "=",
    "notEqualTo": "!=",
    "greaterThan": ">",
    "atLeast": ">=",
}
#: What files do with numbers, as the kernel calls it.
_ACTS: Final = {
    "set": "set",
    "add": "add",
    "increment": "add",
    "decrement": "subtract",
    "multiply": "multiply",
    "divide": "divide",
    "floor": "at least",
    "ceil": "at most",
}
#: What is asked for whatever anything costs.
_COUNTED: Final = {"selections", "forces"}
#: The way from a scope down to what a modifier affects, but for the tag that it asks for.
_PATH: Final = {"self", "entries", "forces", "recursive"}
#: Ids as editors make them.
ID: Final = re.compile(r"[0-9a-f]{2,8}(-[0-9a-f]{1,12}){1,5}")
#: Kinds of entries, which scopes and conditions may name.
TYPES: Final = frozenset({"unit", "model", "upgrade", "unit-group", "mount", "crew"})
#: Where forces are defined.
FORCE_ENTRIES: Final = {"forceEntries", "sharedForceEntries"}
_QUERY: Final = {
    *("type", "value", "field", "scope", "childId", "shared", "percentValue", "childName", "id"),
    *("includeChildSelections", "includeChildForces", "comment"),
}
#: What is read of an element, or changes no verdict; whatever else it says is not understood.
_READ: Final[Mapping[str, set[str]]] = {
    "conditions": _QUERY,
    "conditionGroups": {"type", "min", "max", "id", "comment"},
    "localConditionGroups": {*_QUERY, "repeats"},
    "repeats": {*_QUERY, "repeats", "roundUp"},
    "modifiers": {
        *("type", "field", "value", "scope", "affects", "join", "arg", "position", "automatic"),
        *("id", "comment"),
    },
    "constraints": {*_QUERY, "automatic", "message", "negative"},
    "associations": {*_QUERY, "name", "min", "max"},
    "modifierGroups": {"type", "min", "max", "id", "comment"},
}
_CONDITIONS: Final = {"conditions", "conditionGroups", "localConditionGroups"}
#: The lists that are read of an element, where it may have any.
_INSIDE: Final[Mapping[str, set[str]]] = {
    "conditionGroups": _CONDITIONS,
    "localConditionGroups": _CONDITIONS,
    "modifiers": {*_CONDITIONS, "repeats"},
    "modifierGroups": {*_CONDITIONS, "repeats", "modifiers", "modifierGroups"},
}
#: Groups that compare two numbers, and those that make one of several, as New Recruit has them.
_COMPARING: Final = {
    "greater": ">", "greaterOrEqual": ">=", "less": "<", "lessOrEqual": "<=",
    "equal": "=", "notEqual": "!=",
}  # fmt: skip
_MIXED: Final = "conditions beside groups of numbers"
#: New Recruit changes a field in turns, whatever the order in the file: it sets, then adds to text,
#: calculates, clamps, and replaces.
_TURNS: Final = {
    "set": 0, "append": 1, "prepend": 1, "floor": 3, "ceil": 3, "at least": 3, "at most": 3,
    "replace": 4,
}  # fmt: skip


class Strange(Exception):
    """Something of a file that is not understood; its text names it."""


def read_whole(element: FileElement) -> None:
    """Raise Strange where an element says something that is not read."""
    place = element.place
    strange = element.attributes.keys() - _READ[place]
    if element.lists:
        strange |= element.lists.keys() - _INSIDE.get(place, set())
    if strange:
        raise Strange(f"{element.place} {min(strange)}")


def turn_of(act: str) -> int:
    """Return when New Recruit makes a change of a field, among others."""
    return _TURNS.get(act, 2)


def exactly(id: str) -> str:
    """Return the tag of an entry that is linked or defined under an id, and of no other."""
    return f"={id}"


class RuleMaker:
    """Makes the kernel's objects of the conditions of an element; notes what isn't understood.

    `group`: it is the group of that id, which is no pick itself.
    """

    def __init__(self, game: GameFiles, group: str = "") -> None:
        self.game = game
        self._group = group
        self._each_by_element: dict[FileElement, Each] = {}

    def scope(self, element: FileElement, default: str) -> Within:
        """Return the scope of a query, condition or constraint. Raises Strange."""
        name = element.get("scope", default)
        scope = _SCOPES.get(name)
        if scope is None:
            if name not in TYPES and not self.game.has(name, element):
                raise Strange(f"scope {name}")
            scope = Nearest(frozenset({name}), itself=name not in TYPES)
        return scope

    def query(self, element: FileElement, default: str = "self") -> Query:
        """Return the query of a condition, repeat or constraint. Raises Strange."""
        read_whole(element)
        field = element.get("field", "selections")
        if field not in _FIELDS and not field.startswith(_LIMIT):
            cost = self.game.find(field, element)
            if cost is None or cost.place != "costTypes":
                raise Strange(f"field {field}")
        child = element.get("childId")
        scope = self.scope(element, default)
        deep = element.says("includeChildSelections")
        forces = element.says("includeChildForces") or scope is Scope.LIST
        tag = "" if child in _ANY else self._tag(element, child)
        return Query(_FIELDS.get(field, field), tag, scope, deep, forces)

    def inside(self, constraint: FileElement) -> Query:
        """Return how much there is of a child on the pick, or in the force, that a constraint is
        of. Raises Strange."""
        query = self.query(constraint)
        if query.tag not in TYPES and not self.game.has(query.tag, constraint):
            raise Strange(f"constraint childId {query.tag}")
        return Query(query.field, query.tag, Scope.PARENT, query.deep, query.forces)

    def associated(self, association: FileElement) -> Query:
        """Return how many picks there are that may be associated with one. Raises Strange."""
        query, child = self.query(association, "parent"), association.get("childId")
        known = child in TYPES or self.game.has(child, association)
        if not known or query.field != NUMBER or query.scope is Scope.ANCESTORS:
            raise Strange(f"association {association.get('name')}")
        return query

    def _tag(self, element: FileElement, child: str) -> str:
        """Return the tag to count; a shared entry counts by itself only if no link leads to it."""
        if not element.says("shared"):
            target = self.game.find(child, element)
            if target is not None and target.place == "sharedSelectionEntries":
                return exactly(child)
        return child

    def measure(self, element: FileElement) -> Measure:
        """Return the number that a condition or repeat asks for. Raises Strange."""
        query = self.query(element)
        if query.field.startswith(_LIMIT):
            return LimitOf(query.field.removeprefix(_LIMIT))
        child = self.game.find(query.tag, element) if query.tag else None
        if query.field == NUMBER and child is not None and child.place in FORCE_ENTRIES:
            if query.scope is Scope.LIST:
                return Query(FORCES, query.tag, Scope.LIST, forces=True)
            return OneIf(Has(query.tag, query.scope))
        if self._group and query.scope is Scope.SELF:
            return self._in_group(query)
        if not element.says("percentValue"):
            return query
        every = Query(query.field, "", query.scope, query.deep, query.forces)
        return PerCent(query, every)

    def _in_group(self, query: Query) -> Measure:
        """Return how much is picked of a group, within it."""
        if query.tag in ("", self._group):
            return Query(query.field, self._group, Scope.PARENT, query.deep)
        if query.field != NUMBER:
            raise Strange(f"field {query.field} of {query.tag} in a group")
        inside = All((Has(query.tag), self._is_in_group()))
        return Each(inside, ">", 0, Scope.PARENT, query.deep, query.tag)

    def _is_in_group(self) -> Condition:
        return Has(self._group, Nearest(frozenset({self._group})))

    def condition(self, element: FileElement) -> Condition:
        """Return a single condition."""
        try:
            return self._condition(element)
        except Strange as strange:
            return self.unknown(element, str(strange))

    def _condition(self, element: FileElement) -> Condition:
        kind, child = element.get("type"), element.get("childId")
        if kind in ("instanceOf", "notInstanceOf"):
            read_whole(element)
            is_it = self._instance_of(element, child)
            return is_it if kind == "instanceOf" else Not(is_it)
        if kind in ("always", "never"):
            return TRUE if kind == "always" else FALSE
        if kind == "before":
            return Before()
        value = number_of(element.get("value"))
        comparison = _COMPARISONS.get(kind)
        if comparison is None or value is None:
            raise Strange(f"condition {kind} {element.get('value')}")
        measure = self.measure(element)
        is_limit = isinstance(measure, LimitOf)
        if not child and not is_limit and self.scope(element, "self") is not Scope.ANCESTORS:
            return FALSE
        return Compare(measure, comparison, value)

    def _instance_of(self, element: FileElement, child: str) -> Condition:
        name = element.get("scope", "self")
        if name == "primary-category":
            return HasPrimary(child)
        scope = self.scope(element, "self")
        if name == "force":
            target = self.game.find(child, element)
            if target is not None and target.place == "categoryEntries":
                within = Compare(Query(NUMBER, child, Scope.FORCE), ">", 0)
                return Any((Has(child, scope), within))
        return Has(child, scope)

    def unknown(self, element: FileElement, construct: str) -> Condition:
        """Return a condition that is not understood, and note it."""
        self.game.note(element, construct)
        return NotUnderstood(construct)

    def group(self, element: FileElement, kind: str = "") -> Condition:
        """Return the conditions of an element, and groups of them, as one condition."""
        kind = kind or element.get("type", "and")
        parts = tuple(self._parts(element))
        try:
            if element.place in ("conditionGroups", "modifierGroups"):
                read_whole(element)
            if kind in _COMPARING:
                left, right = self._numbers(element, 2)
                return Compare(Combined("subtract", (left, right)), _COMPARING[kind], 0)
        except Strange as strange:
            return self.unknown(element, str(strange))
        if kind == "and":
            return parts[0] if len(parts) == 1 else All(parts)
        if kind == "or":
            return Any(parts) if parts else TRUE
        if kind == "not":
            return Not(All(parts))
        if kind == "count":
            least, most = number_of(element.get("min")), number_of(element.get("max"))
            return Several(parts, least or 0, most)
        return self.unknown(element, f"conditionGroup {kind}")

    def _numbers(self, element: FileElement, number: int = 0) -> tuple[Measure, ...]:
        """Return the counts of a group's parts, `number` of them if that is given. Raises Strange,
        also if conditions and groups mix: their order is not documented.
        """
        conditions, groups = tuple(element.all("conditions")), tuple(element.all("conditionGroups"))
        if "localConditionGroups" in element.lists or (conditions and groups):
            raise Strange(_MIXED)
        if not conditions + groups or number not in (0, len(conditions + groups)):
            raise Strange(f"conditionGroup {element.get('type')} of {len(conditions + groups)}")
        return (*map(self._counted, conditions), *map(self._combined, groups))

    def _counted(self, condition: FileElement) -> Measure:
        if condition.get("type") not in _COMPARISONS or not condition.get("childId"):
            raise Strange(f"condition {condition.get('type')} as a number")
        return self.measure(condition)

    def _combined(self, group: FileElement) -> Measure:
        kind = group.get("type")
        if kind not in COMBINED:
            raise Strange(f"conditionGroup {kind} as a number")
        read_whole(group)
        return Combined(kind, self._numbers(group))

    def _parts(self, element: FileElement) -> Iterator[Condition]:
        for inner in element.all("conditions"):
            yield self.condition(inner)
        for inner in element.all("conditionGroups"):
            yield self.group(inner)
        for inner in element.all("localConditionGroups"):
            try:
                each = self._each(inner)
            except Strange as strange:
                yield self.unknown(inner, str(strange))
            else:
                yield TRUE if inner.get("type") == "always" else each

    def _each(self, element: FileElement) -> Each:
        """Return New Recruit's condition inside each of the entries within a scope.

        Raises Strange, also for its contents.
        """
        known = self._each_by_element.get(element)
        if known is not None:
            return known
        kind, value = element.get("type"), number_of(element.get("value"))
        query = self.query(element)
        comparison = ">" if kind == "always" else _COMPARISONS.get(kind)
        if comparison is None or value is None or query.field != NUMBER:
            raise Strange(f"localConditionGroup {kind} {element.get('field')}")
        maker = RuleMaker(self.game)
        condition, scope = maker.group(element, "and"), query.scope
        if self._group and scope is Scope.SELF:
            condition, scope = All((condition, self._is_in_group())), Scope.PARENT
        for strange in strange_in(condition):
            raise Strange(strange)
        inner = list(element.walk())
        again = any(part.place == element.place for part in inner[1:])
        costly = any(part.get("field", "selections") not in _COUNTED for part in inner)
        each = Each(
            condition, comparison, value, scope, query.deep,
            tag=next(self._tags_of_each(element), ""),
            forces=query.forces,
            of_order=any(part.get("type") == "before" for part in inner),
            of_costs=again or costly,
        )  # fmt: skip
        self._each_by_element[element] = each
        return each

    def _tags_of_each(self, element: FileElement) -> Iterator[str]:
        """Yield tags that each pick must have."""
        for inner in element.all("conditions"):
            if inner.get("type") == "instanceOf" and inner.get("scope") == "self":
                yield inner.get("childId")

    def change(self, modifier: FileElement, around: Iterable[FileElement]) -> Change:
        """Return a modifier, within its groups, as the change of a number or a text."""
        value, act = modifier.get("value"), modifier.get("type")
        number = number_of(value) if act in _ACTS else None
        when = self.when(modifier, around)
        try:
            read_whole(modifier)
            repeats = tuple(self._repeats(modifier, around))
        except Strange as strange:
            when, repeats = All((when, self.unknown(modifier, str(strange)))), ()
        return Change(_ACTS.get(act, act), value, number, when, repeats)

    def when(self, modifier: FileElement, around: Iterable[FileElement]) -> Condition:
        """Return the condition under which a modifier, within its groups, is made."""
        parts = []
        for element in (modifier, *around):
            is_group = element.place == "modifierGroups" and element.get("type") in (
                *("or", "not", "count"),
            )
            condition = self.group(element, "" if is_group else "and")
            if condition.__class__ is not All or condition.parts:
                parts.append(condition)
        if not parts:
            return TRUE
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _repeats(
        self, modifier: FileElement, around: Iterable[FileElement]
    ) -> Iterator[tuple[Repeat, ...]]:
        """Yield how often a modifier is made. A condition of each that it has directly, outside of
        a group of conditions, repeats it, too.
        """
        for element in (modifier, *around):
            asked = (one for one in element.all("repeats") if one.get("childId"))
            repeats = [self._repeat(one, self.measure(one)) for one in asked]
            eaches = element.all("localConditionGroups")
            repeats += [self._repeat(one, self._each(one)) for one in eaches]
            if repeats:
                yield tuple(repeats)

    def _repeat(self, element: FileElement, measure: Measure) -> Repeat:
        step, number = number_of(element.get("value")), number_of(element.get("repeats", "1"))
        if step is None or number is None:
            raise Strange(f"repeat {element.get('value')} {element.get('repeats')}")
        return Repeat(measure, step, int(number), element.says("roundUp"))

    def reach(self, modifier: FileElement, path: str) -> Reach:
        """Return of which picks a change is: New Recruit's `scope`, and the `path` down from there.
        Raises Strange.
        """
        scope = self.scope(modifier, "self")
        parts = path.split(".") if path else []
        tags = [part for part in parts if part not in _PATH]
        known = all(
            tag in TYPES or ID.fullmatch(tag) or self.game.has(tag, modifier) for tag in tags
        )
        if len(tags) > 1 or not known or ("forces" in parts and scope is not Scope.LIST):
            raise Strange(f"affects {path}")
        below, deep = "entries" in parts, "recursive" in parts
        itself = not below or "self" in parts
        return Reach(scope, tags[0] if tags else "", itself, below, deep)


def strange_in(part: object) -> Iterator[str]:
    """Yield unknown constructs in a condition, or in anything made of conditions."""
    for one in parts_in(part):
        if isinstance(one, NotUnderstood):
            yield one.what
        elif isinstance(one, Change) and one.number is None and one.value:
            yield f"{one.act} {one.value}".strip()
