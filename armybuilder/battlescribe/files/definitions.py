"""The kernel's definitions of entries and groups, each where it is used.

A link and its target are one definition: `elements` are the target and the links to it, each
of which may add to it. Its parts are made when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from armybuilder.battlescribe.files.far_changes import FarChanges
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement, is_far, modifiers_of, number_of
from armybuilder.battlescribe.files.rules import ID, RuleMaker, Strange, exactly, turn_of
from armybuilder.battlescribe.files.scanning import (
    ATTRIBUTES,
    GROUPS,
    LISTS,
    SHOWN,
    Held,
    Modifiers,
    Scanner,
    asks,
)
from armybuilder.engine.kernel.conditions import (
    NUMBER,
    All,
    Amount,
    Change,
    Condition,
    Flag,
    Kind,
    NotUnderstood,
    OffStep,
    Query,
    Scope,
)
from armybuilder.engine.kernel.definitions import Bound, CategoryMove, Definition, Notice

_KINDS: Final = {
    "selectionEntries": Kind.ENTRY,
    "entryLinks": Kind.ENTRY,
    "selectionEntryGroups": Kind.GROUP,
}
_MOVES: Final = {"add", "remove", "set-primary", "unset-primary"}
#: Words of an author to the player.
_WORDS: Final = ("error", "warning", "info")
#: How many groups may stand in each other.
_MAX_GROUPS: Final = 50


class Need(NamedTuple):
    """Something of which some must be taken, or may have to be, as its bounds say; or of which
    some are by default.
    """

    definition: FileDefinition
    floors: tuple[Bound, ...]


class Catalogue:
    """A catalogue with the files that it draws on. Raises Refusal where it cannot be read."""

    def __init__(self, game: GameFiles, catalogue: str) -> None:
        self.game = game
        self.root = game.root(catalogue)
        self.rules = RuleMaker(game)
        self.sources = game.sources(self.root)
        self._far_changes: dict[str, FarChanges] = {}

    @cached_property
    def costs(self) -> Mapping[str, FileElement]:
        """The kinds of cost, by their ids."""
        found = (cost for root in self.sources for cost in root.all("costTypes"))
        return {cost.id: cost for cost in found}

    @cached_property
    def far_fields(self) -> frozenset[str]:
        """The fields that modifiers change of other picks than their own."""
        files = map(self.game.far_modifiers, self.sources)
        return frozenset(field for by_field in files for field in by_field)

    @cached_property
    def far_costs(self) -> frozenset[str]:
        """The costs among them."""
        return self.far_fields & self.costs.keys()

    def far_changes(self, field: str) -> FarChanges:
        """Return how picks change a field of others."""
        known = self._far_changes.get(field)
        if known is None:
            known = FarChanges(self.game, self.rules, self.sources, field)
            self._far_changes[field] = known
        return known

    @property
    def missing(self) -> Iterator[str]:
        """The catalogues that are linked to, and are not there."""
        for root in self.sources:
            for link in root.all("catalogueLinks"):
                if self.game.linked(link) is None:
                    yield f"catalogueLink {link.get('name')} to {link.get('targetId')}"

    def is_dead(self, id: str) -> bool:
        """Return whether nothing in the files has an id, none of which is missing."""
        near = not any(self.missing) and not self.game.has(id, self.root)
        return near and ID.fullmatch(id) is not None

    @cached_property
    def scanner(self) -> Scanner:
        """Looks into groups, each once for all units."""
        return Scanner(self.game, self.costs.keys())


class FileDefinition(Definition):
    """Definition of an entry of the files at one place of use."""

    def __init__(
        self,
        book: Catalogue,
        element: FileElement,
        kind: Kind,
        prefix: tuple[str, ...] = (),
        groups: tuple[FileDefinition, ...] = (),
    ) -> None:
        self.book = book
        self.kind = kind
        self.elements: tuple[FileElement, ...] = (element,)
        if kind is Kind.ENTRY and element.place == "entryLinks":
            self.elements = book.scanner.parts(element)
            if len(self.elements) > 1:
                prefix = (*prefix, element.id)
                self.kind = Kind.GROUP if self.main.place in GROUPS else kind
        self.rules = book.rules
        if self.kind is Kind.GROUP:
            self.rules = RuleMaker(book.game, self.main.id)
        self.missing: list[str] = []
        self._changes: dict[str, tuple[Change, ...]] = {}
        self.prefix = prefix
        self._groups = groups
        self.key = "::".join((*prefix, self.main.id))

    @property
    def main(self) -> FileElement:
        """The entry itself, without links."""
        return self.elements[0]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids by which it is known: its own, and that of the link to it."""
        return tuple(element.id for element in self.elements)

    def get(self, key: str, default: str = "") -> str:
        """Return an attribute of the link to it, or its own."""
        said = (element.get(key) for element in reversed(self.elements))
        return next((value for value in said if value), default)

    def says(self, key: str) -> bool:
        """Return whether the entry, or the link to it, says that something is so."""
        return any(element.says(key) for element in self.elements)

    @cached_property
    def name(self) -> str:
        return self.main.get("name") or self.get("name")

    @property
    def type(self) -> str:
        """The kind of entry that the file makes of it: unit, model, upgrade."""
        return self.main.get("type", "unit")

    @cached_property
    def groups(self) -> tuple[Definition, ...]:
        return self._groups

    @cached_property
    def categories(self) -> Mapping[str, bool]:
        categories: dict[str, bool] = {}
        around = (element for group in self._groups for element in group.elements)
        for element in (*self.elements, *around):
            for link in element.all("categoryLinks"):
                if not (target := link.get("targetId")):
                    continue
                categories[target] = link.says("primary") or categories.get(target, False)
        return categories

    @cached_property
    def tags(self) -> frozenset[str]:
        if self.kind is not Kind.ENTRY:
            return frozenset(filter(None, self.ids))
        around = (id for group in self._groups for id in group.ids)
        types = (self.type, self.main.get("subType", self.type))
        tags = (*self.ids, *around, *self.categories, *types, exactly(self.ids[-1]))
        return frozenset(filter(None, tags))

    @cached_property
    def is_collective(self) -> bool:
        """Return whether each model of the parent has it: by itself, its group or its contents."""
        parts = (self, *self._groups)
        if any(part.says("collective") for part in parts):
            return True
        leaves = self.offered if self.kind is Kind.GROUP else ()
        return bool(leaves) and all(
            isinstance(leaf, FileDefinition) and leaf.says("collective") for leaf in leaves
        )

    @cached_property
    def joins(self) -> bool:
        """Return whether all copies on a pick are one pick, whose models share all options."""
        return self.is_collective or all(
            not isinstance(child, FileDefinition) or child.says("collective")
            for child in self.offered
        )

    # Changes

    @cached_property
    def modifiers(self) -> Mapping[str, Modifiers]:
        """Its modifiers by the field that they change, each with the groups around it."""
        by_field: dict[str, list[tuple[FileElement, tuple[FileElement, ...]]]] = {}
        for element in self.elements:
            for modifier, around in modifiers_of(element):
                by_field.setdefault(modifier.get("field"), []).append((modifier, around))
        if self._takes_turns:
            for modifiers in by_field.values():
                modifiers.sort(key=lambda pair: turn_of(pair[0].get("type")))
        return {field: tuple(modifiers) for field, modifiers in by_field.items()}

    @property
    def _takes_turns(self) -> bool:
        """True if New Recruit's editor wrote it: its changes take their turns."""
        return bool(self.main.root.get("type"))

    def changes(self, field: str) -> tuple[Change, ...]:
        """Return the changes of a number or a text of it, without those of other picks."""
        changes = self._changes.get(field)
        if changes is None:
            modifiers = self.modifiers.get(field, ())
            spoken = field in _WORDS  # the scope of a message says which pick shows it
            own = (
                (modifier, around)
                for modifier, around in modifiers
                if not (modifier.get("affects") if spoken else is_far(modifier))
            )
            changes = tuple(self.rules.change(modifier, around) for modifier, around in own)
            self._changes[field] = changes
        return changes

    def _number_changes(self, field: str) -> tuple[Change, ...]:
        """Return the changes of a number of it, those by other picks too, and note those that are
        not understood."""
        changes = (*self.changes(field), *self._from_afar(field))
        if self._takes_turns:
            changes = tuple(sorted(changes, key=lambda change: turn_of(change.act)))
        for change in changes:
            if change.number is None:
                self.book.game.note(self.main, f"modifier {change.act} {change.value}")
        return changes

    def _from_afar(self, field: str) -> tuple[Change, ...]:
        """Return the changes of a field that other picks make on it."""
        if self.kind is not Kind.ENTRY or field not in self.book.far_fields:
            return ()
        return self.book.far_changes(field).of(self.tags)

    @cached_property
    def hidden(self) -> Flag:
        changes: list[tuple[bool, Condition]] = []
        for change in (*self.changes("hidden"), *self._from_afar("hidden")):
            when = change.when
            if change.act != "set":
                when = self.rules.unknown(self.main, f"modifier {change.act} of hidden")
            changes.append((change.value == "true", when))
        return Flag(self.says("hidden"), tuple(changes))

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        inner = [child for child in self.children if child.kind is Kind.GROUP]
        spoken = (notice for group in inner if _held(group).speaks for notice in group.notices)
        return (*self.own_notices, *spoken)

    @cached_property
    def own_notices(self) -> tuple[Notice, ...]:
        """Its own messages to the player, and those it doesn't state clearly, which are noted."""
        notices = [
            Notice(self, severity, change)
            for severity in _WORDS
            for change in self.changes(severity)
        ]
        notices += (Notice(self, "info", Change("add", "", None, step)) for step in self._steps)
        for construct in dict.fromkeys(self._strange()):
            self.book.game.note(self.elements[-1], construct)
            notices.append(Notice(self, "unknown", Change("", construct)))
        return tuple(notices)

    @property
    def _steps(self) -> Iterator[Condition]:
        """Yield the condition that its number isn't one to which New Recruit's buttons lead: the
        guide leaves open whether steps begin at 0 or at the minimum.
        """
        said = next((one.get("step") for one in self.elements if one.get("step")), "")
        step = number_of(said) if said else 1
        least = [bound.low.base for bound in self.floors if bound.low is not None]
        if step is None or step <= 0 or any(base % step for base in least):
            yield self.rules.unknown(self.main, f"step {said}")
        elif step != 1:
            yield OffStep(step, NotUnderstood(f"step {said}"))

    def _strange(self) -> Iterator[str]:
        """Yield what of it is not understood, and may be of weight wherever it is taken."""
        _children, missing = self.children, self.missing  # the former fill the latter
        yield from missing
        for element in self.elements:
            yield from sorted(element.lists.keys() - LISTS)
            yield from sorted(element.attributes.keys() - ATTRIBUTES)
            values = [number_of(cost.get("value")) for cost in element.all("costs")]
            if self.kind is Kind.CATEGORY and any(value != 0 for value in values):
                yield "costs of a category"
            for association in element.all("associations"):
                if self._association(association) is None:
                    yield f"association {association.get('name')}"
        bounds = {bound.id for element in self.elements for bound in element.all("constraints")}
        for field, modifiers in self.modifiers.items():
            if field in bounds or field in self.book.costs or field == "hidden":
                known = self.book.far_changes(field).modifiers
                yield from self._far(field, [one for one, _ in modifiers if one not in known])
            elif field in _WORDS:
                yield from self._far(field, [one for one, _ in modifiers if one.get("affects")])
            elif field not in SHOWN and field != "category" and not self._is_shown(field):
                # What changes nothing needs no understanding.
                yield from () if self.book.is_dead(field) else (f"modifier of {field}",)

    def _far(self, field: str, modifiers: Iterable[FileElement]) -> Iterator[str]:
        """Yield the modifiers of a field that change something other than their own element."""
        for modifier in filter(is_far, modifiers):
            path = modifier.get("affects") or modifier.get("scope")
            yield f"modifier of {field} that affects {path}"

    def _is_shown(self, field: str) -> bool:
        """Return whether a field is one of a profile."""
        roots = {self.main.root, self.elements[-1].root, self.book.root}
        types = (self.book.game.find(field, root) for root in roots)
        return any(type is not None and type.place.endswith("Types") for type in types)

    @cached_property
    def prices(self) -> Mapping[str, Amount]:
        base: dict[str, Amount] = {}
        for element in self.elements:
            for cost in element.all("costs"):
                id, value = cost.get("typeId") or cost.get("costTypeId"), cost.get("value")
                number = number_of(value)
                unknown = () if number is not None else (Change("set", value),)
                if unknown:
                    self.book.game.note(element, f"cost {value}")
                base[id] = Amount(number or 0, unknown)
        for id in self.book.far_costs | (self.book.costs.keys() & self.modifiers.keys()):
            base.setdefault(id, Amount(0))
        prices = {
            id: Amount(amount.base, (*amount.changes, *self._number_changes(id)))
            for id, amount in base.items()
        }
        return {
            id: price
            for id, price in prices.items()
            if price.base or price.changes or id in self.modifiers
        }

    @cached_property
    def moves(self) -> tuple[CategoryMove, ...]:
        moves = []
        for modifier, around in self.modifiers.get("category", ()):
            act, category = modifier.get("type"), modifier.get("value")
            change, reach = self.rules.change(modifier, around), None
            when = change.when
            try:
                if modifier.get("affects") or modifier.get("scope", "self") != "self":
                    reach = self.rules.reach(modifier, modifier.get("affects"))
                if act not in _MOVES or not category:
                    raise Strange(f"modifier {act} of category")  # noqa: TRY301 one way out
            except Strange as strange:
                when = All((when, self.rules.unknown(self.main, str(strange))))
            moves.append(CategoryMove(act, category, when, reach))
        return tuple(moves)

    # Bounds

    @cached_property
    def floors(self) -> tuple[Bound, ...]:
        return tuple(self._bound(*pair) for pair in self._constraints(False))

    @cached_property
    def tops(self) -> tuple[Bound, ...]:
        return tuple(self._bound(*pair) for pair in self._constraints(True))

    @cached_property
    def ceilings(self) -> tuple[Bound, ...]:
        return (*super().ceilings, *self._associations)

    def associates(self, bound: Bound) -> bool:
        """Return whether a bound is one of the picks that it may be associated with."""
        return bound in self._associations

    @cached_property
    def _associations(self) -> tuple[Bound, ...]:
        associations = (one for element in self.elements for one in element.all("associations"))
        return tuple(bound for one in associations for bound in self._association(one) or ())

    def _association(self, association: FileElement) -> tuple[Bound, ...] | None:
        """Return the bounds of an association: as many picks as it asks for must be there to be
        associated with one. None if it is not understood."""
        least = number_of(association.get("min", "0"))
        try:
            query = self.rules.associated(association)
        except Strange:
            return () if least == 0 else None
        if least is None:
            return None
        id = association.id or f"association {association.get('name')}"
        return (Bound(id, self, query, Amount(least)),) if least > 0 else ()

    @cached_property
    def standing(self) -> tuple[Bound, ...]:
        """Bounds of its contents, which New Recruit's files may state in its own scope."""
        return tuple(
            self._bound(constraint, element, inside=True)
            for element in self.elements
            for constraint in element.all("constraints")
            if self._is_inside(constraint)
        )

    def _is_inside(self, constraint: FileElement) -> bool:
        """Return whether a constraint is one of its contents."""
        holds = self.kind in (Kind.ENTRY, Kind.FORCE) and constraint.get("scope") == "self"
        return holds and bool(constraint.get("childId"))

    def _constraints(self, tops: bool) -> Iterator[tuple[FileElement, FileElement]]:
        for element in self.elements:
            for constraint in element.all("constraints"):
                is_top = constraint.get("type") == "max"
                if is_top is tops and not self._is_inside(constraint):
                    yield constraint, element

    def _bound(self, constraint: FileElement, element: FileElement, inside: bool = False) -> Bound:
        kind, base = constraint.get("type"), number_of(constraint.get("value"))
        amount = Amount(base or 0, self._number_changes(constraint.id) if constraint.id else ())
        query = Query(NUMBER, self.main.id)
        try:
            query = self.rules.inside(constraint) if inside else self._counted(constraint)
            if kind not in ("min", "max", "exactly") or base is None:
                raise Strange(f"constraint {kind} {constraint.get('value')}")  # noqa: TRY301 one way out
        except Strange as strange:
            unknown = self.rules.unknown(constraint, str(strange))
            amount = Amount(0, (Change("set", "", None, unknown),))
        field = constraint.get("field", "selections")
        counts = query.scope is Scope.PARENT and query.field == NUMBER
        same = [one for one in element.all("constraints") if one.id == constraint.id]
        again = same.index(constraint)
        id = constraint.id or f"{kind} {base} {field} {constraint.get('scope')}"
        return Bound(
            id=f"{id}#{again}" if again else id,
            definition=self,
            query=query,
            low=None if kind == "max" else amount,
            high=None if kind == "min" else amount,
            share=constraint.says("percentValue"),
            of_limit=field.removeprefix("limit::") if field.startswith("limit::") else "",
            negative=constraint.says("negative"),
            per_model=counts and not inside and self.is_collective,
            source=element.id,
            message=constraint.get("message"),
            automatic=constraint.says("automatic")
            or any(one.says("automatic") for one, _ in self.modifiers.get(constraint.id, ())),
        )

    def _counted(self, constraint: FileElement) -> Query:
        """Return the query of a constraint. Raises Strange."""
        query = self.rules.query(constraint, "parent")
        if query.tag:
            raise Strange(f"constraint childId {query.tag}")
        shared = constraint.says("shared") or self.kind is Kind.CATEGORY
        tag = self.main.id if shared or len(self.elements) == 1 else self.ids[-1]
        of_place = query.scope is Scope.SELF and self.kind is not Kind.ENTRY
        scope = Scope.PARENT if of_place else query.scope
        return Query(query.field, tag, scope, query.deep, query.forces)

    @cached_property
    def children(self) -> tuple[Definition, ...]:
        is_group = self.kind is Kind.GROUP
        groups = (*self._groups, self) if is_group else ()
        children = []
        for element in self.elements:
            for child in element.all(*_KINDS):
                kind = _KINDS[child.place]
                definition = FileDefinition(self.book, child, kind, self.prefix, groups)
                if child.place == "entryLinks" and len(definition.elements) == 1:
                    self.missing.append(f"entryLink {child.get('name')} to {child.get('targetId')}")
                elif definition.kind is Kind.GROUP and (
                    len(groups) == _MAX_GROUPS or definition.main in (g.main for g in groups)
                ):
                    if child.lists:  # a bare link offers only what the outer group does
                        self.missing.append(f"group {definition.name} within itself")
                else:
                    children.append(definition)
        return tuple(children)

    @cached_property
    def needs(self) -> tuple[Need, ...]:
        """Entries that must be taken on it, or may have to be; a group comes after its contents."""
        found: list[Need] = []
        for child in self.children:
            if not isinstance(child, FileDefinition) or not _may_ask(child):
                continue
            if child.kind is Kind.GROUP:
                found += child.needs
            floors = tuple(
                bound
                for bound in child.floors
                if bound.low is not None and bound.query.field == NUMBER and not bound.share
                if bound.low.base > 0 or bound.low.changes
            )
            if floors or child.get("defaultAmount") or "defaultAmount" in child.modifiers:
                found.append(Need(child, floors))
        return tuple(found)


def _held(group: Definition) -> Held:
    """Return the contents of a group, which are the same at all its places."""
    if not isinstance(group, FileDefinition):
        return Held(True, True)
    return group.book.scanner.held(group.elements[-1])


def _may_ask(definition: FileDefinition) -> bool:
    """Return whether some of it, or of a group's contents, must be taken, or may have to be."""
    if definition.kind is Kind.GROUP:
        return _held(definition).asks
    return any(map(asks, definition.elements))
