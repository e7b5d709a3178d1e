"""What conditions, repeats and changes of files ask, as the kernel's queries and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement, number_of
from armybuilder.engine.kernel.definitions import (
    FALSE,
    FORCES,
    NUMBER,
    TRUE,
    All,
    Any,
    Before,
    Change,
    Compare,
    Condition,
    Each,
    Has,
    HasPrimary,
    LimitOf,
    Measure,
    Not,
    NotUnderstood,
    PerCent,
    Query,
    Reach,
    Repeat,
    Scope,
    Several,
    Within,
)

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
    "primary-category": Scope.FORCE,
    "roster": Scope.LIST,
    "model-or-unit": frozenset({"model", "unit"}),
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


def exactly(id: str) -> str:
    """Return the tag of what stands where it is linked or defined under an id, not elsewhere."""
    return f"={id}"


class RuleMaker:
    """Makes the kernel's objects of a game's conditions; notes what is not understood."""

    def __init__(self, game: GameFiles) -> None:
        self.game = game

    def scope(self, element: FileElement, default: str) -> Within:
        """Return the scope of a query, condition or constraint."""
        name = element.get("scope", default)
        return _SCOPES.get(name) or frozenset({name})

    def query(self, element: FileElement, default: str = "self") -> Query:
        """Return how much of what a condition, repeat or constraint asks for, within its scope."""
        field = element.get("field", "selections")
        child = element.get("childId")
        scope = self.scope(element, default)
        deep = element.says("includeChildSelections")
        forces = element.says("includeChildForces") or scope is Scope.LIST
        tag = "" if child in _ANY else self._tag(element, child)
        return Query(_FIELDS.get(field, field), tag, scope, deep, forces)

    def _tag(self, element: FileElement, child: str) -> str:
        """Return the tag that is counted; a shared entry, asked for by itself, is only that which
        no link leads to.
        """
        if not element.says("shared"):
            target = self.game.find(child, element)
            if target is not None and target.place == "sharedSelectionEntries":
                return exactly(child)
        return child

    def measure(self, element: FileElement) -> Measure:
        """Return the number that a condition or repeat asks for."""
        field = element.get("field", "selections")
        if field.startswith(_LIMIT):
            return LimitOf(field.removeprefix(_LIMIT))
        query = self.query(element)
        if not element.says("percentValue"):
            return query
        every = Query(query.field, "", query.scope, query.deep, query.forces)
        return PerCent(query, every)

    def condition(self, element: FileElement) -> Condition:
        """Return a single condition."""
        kind, child = element.get("type"), element.get("childId")
        if kind in ("instanceOf", "notInstanceOf"):
            is_it = self._instance_of(element, child)
            return is_it if kind == "instanceOf" else Not(is_it)
        if kind in ("always", "never"):
            return TRUE if kind == "always" else FALSE
        if kind == "before":
            return Before()
        value = number_of(element.get("value"))
        comparison = _COMPARISONS.get(kind)
        if comparison is None or value is None:
            return self._unknown(element, f"condition {kind} {element.get('value')}")
        is_limit = element.get("field").startswith(_LIMIT)
        if not child and not is_limit and self.scope(element, "self") is not Scope.ANCESTORS:
            return FALSE
        return Compare(self.measure(element), comparison, value)

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

    def _unknown(self, element: FileElement, construct: str) -> Condition:
        self.game.note(element, construct)
        return NotUnderstood(construct)

    def group(self, element: FileElement, kind: str = "") -> Condition:
        """Return what an element's conditions and groups of them come to."""
        kind = kind or element.get("type", "and")
        parts = tuple(self._parts(element))
        if kind == "and":
            return parts[0] if len(parts) == 1 else All(parts)
        if kind == "or":
            return Any(parts) if parts else TRUE
        if kind == "not":
            return Not(All(parts))
        if kind == "count":
            least, most = number_of(element.get("min")), number_of(element.get("max"))
            return Several(parts, least or 0, most)
        return self._unknown(element, f"conditionGroup {kind}")

    def _parts(self, element: FileElement) -> Iterator[Condition]:
        for inner in element.all("conditions"):
            yield self.condition(inner)
        for inner in element.all("conditionGroups"):
            yield self.group(inner)
        for inner in element.all("localConditionGroups"):
            yield self._each(inner)

    def _each(self, element: FileElement) -> Condition:
        """Return New Recruit's condition that is inner of each of what stands within a scope."""
        kind, value = element.get("type"), number_of(element.get("value"))
        query = self.query(element)
        comparison = ">" if kind == "always" else _COMPARISONS.get(kind)
        if comparison is None or value is None or query.field != NUMBER:
            return self._unknown(element, f"localConditionGroup {kind} {element.get('field')}")
        inner = list(element.walk())
        return Each(
            self.group(element, "and"), comparison, 0 if kind == "always" else value,
            query.scope, query.deep,
            tag=next(self._tags_of_each(element), ""),
            of_order=any(one.get("type") == "before" for one in inner),
            of_costs=any(one.get("field", "selections") not in _COUNTED for one in inner[1:]),
        )  # fmt: skip

    def _tags_of_each(self, element: FileElement) -> Iterator[str]:
        """Yield tags without which no pick fulfils what is asked of each."""
        for inner in element.all("conditions"):
            if inner.get("type") == "instanceOf" and inner.get("scope") == "self":
                yield inner.get("childId")

    def change(self, modifier: FileElement, around: Iterable[FileElement]) -> Change:
        """Return what a modifier, within its groups, does with a number or a text."""
        value, act = modifier.get("value"), modifier.get("type")
        number = number_of(value) if act in _ACTS else None
        return Change(
            _ACTS.get(act, act), value, number, self.when(modifier, around),
            tuple(self._repeats(modifier, around)),
        )  # fmt: skip

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
        for element in (modifier, *around):
            repeats = tuple(element.all("repeats"))
            if repeats:
                yield tuple(self._repeat(repeat) for repeat in repeats if repeat.get("childId"))

    def _repeat(self, element: FileElement) -> Repeat:
        step, number = number_of(element.get("value")), number_of(element.get("repeats", "1"))
        return Repeat(self.measure(element), step or 0, int(number or 1), element.says("roundUp"))

    def reach(self, modifier: FileElement) -> Reach | None:
        """Return of which picks a change is, where not of its own: New Recruit's `scope` and
        `affects`. Raises ValueError where they are not understood.
        """
        affects = modifier.get("affects")
        scope = self.scope(modifier, "self")
        if not affects:
            return None if scope is Scope.SELF else Reach(scope)
        parts = affects.split(".")
        itself = parts[0] == "self"
        below = "entries" in parts
        deep = "recursive" in parts
        tags = [part for part in parts if part not in ("self", "entries", "recursive")]
        if len(tags) > 1:
            raise ValueError(affects)
        return Reach(scope, tags[0] if tags else "", itself, below, deep)
