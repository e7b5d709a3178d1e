"""The kernel's definitions of entries, groups, forces and categories, each where it is used.

A link and what it leads to are one definition: `elements` are the target and the links to it, each
of which may add to it. Its parts are made when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement, number_of
from armybuilder.battlescribe.files.rules import RuleMaker, exactly
from armybuilder.engine.kernel.definitions import (
    NUMBER,
    Amount,
    Bound,
    CategoryMove,
    Change,
    Condition,
    Definition,
    Flag,
    Kind,
    Number,
    Query,
    Scope,
)

_KINDS: Final = {
    "selectionEntries": Kind.ENTRY,
    "entryLinks": Kind.ENTRY,
    "selectionEntryGroups": Kind.GROUP,
}
_GROUP: Final = "selectionEntryGroup"
_MOVES: Final = {"add", "remove", "set-primary", "unset-primary"}
#: What changes how something is shown, and no verdict.
_SHOWN: Final = {
    "name",
    "description",
    "page",
    "annotation",
    "publicationId",
    "error",
    "warning",
    "info",
}


class FileDefinition(Definition):
    """What files say of something at one place of use."""

    def __init__(
        self,
        book: FileBook,
        element: FileElement,
        kind: Kind,
        prefix: tuple[str, ...] = (),
        groups: tuple[FileDefinition, ...] = (),
    ) -> None:
        self.book = book
        self.kind = kind
        self.elements: tuple[FileElement, ...] = (element,)
        if kind is Kind.ENTRY and element.get("targetId"):
            target = book.game.find(element.get("targetId"), element)
            if target is None:
                book.game.note(element, f"entryLink {element.get('targetId')}")
            else:
                self.elements = (target, element)
                prefix = (*prefix, element.id)
            if element.get("type") == _GROUP:
                self.kind = Kind.GROUP
        self.prefix = prefix
        self._groups = groups
        self.key = "::".join((*prefix, self.main.id))

    @property
    def main(self) -> FileElement:
        """The entry itself, whatever links to it."""
        return self.elements[0]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids by which it is known: its own, and that of the link to it."""
        return tuple(element.id for element in self.elements)

    def get(self, key: str, default: str = "") -> str:
        """Return what the link says of it, else what itself does."""
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
                target = link.get("targetId")
                categories[target] = link.says("primary") or categories.get(target, False)
        return categories

    @cached_property
    def tags(self) -> frozenset[str]:
        if self.kind is not Kind.ENTRY:
            return frozenset(self.ids)
        around = (id for group in self._groups for id in group.ids)
        return frozenset((*self.ids, *around, *self.categories, self.type, exactly(self.ids[-1])))

    @cached_property
    def is_collective(self) -> bool:
        """Whether each model of what it is taken on has it: by itself, its group or all in it."""
        parts = (self, *self._groups)
        if any(part.says("collective") for part in parts):
            return True
        leaves = self.offered if self.kind is Kind.GROUP else ()
        return bool(leaves) and all(
            isinstance(leaf, FileDefinition) and leaf.says("collective") for leaf in leaves
        )

    # Changes

    @cached_property
    def modifiers(self) -> Mapping[str, tuple[tuple[FileElement, tuple[FileElement, ...]], ...]]:
        """Its modifiers by the field that they change, each with the groups around it."""
        found: dict[str, list[tuple[FileElement, tuple[FileElement, ...]]]] = {}
        for element in self.elements:
            for modifier, around in _modifiers(element, ()):
                found.setdefault(modifier.get("field"), []).append((modifier, around))
        return {field: tuple(modifiers) for field, modifiers in found.items()}

    def changes(self, field: str) -> tuple[Change, ...]:
        """Return what changes a number or a text of it; what is about others is none of these."""
        rules, changes = self.book.rules, []
        for modifier, around in self.modifiers.get(field, ()):
            if modifier.get("affects"):
                continue
            changes.append(rules.change(modifier, around))
        return tuple(changes)

    @cached_property
    def hidden(self) -> Flag:
        base = self.says("hidden")
        changes: list[tuple[bool, Condition]] = []
        for modifier, around in self.modifiers.get("hidden", ()):
            if modifier.get("affects"):
                self.book.game.note(self.main, f"affects {modifier.get('affects')} of hidden")
            else:
                changes.append((modifier.says("value"), self.book.rules.when(modifier, around)))
        return Flag(base, tuple(changes))

    @cached_property
    def prices(self) -> Mapping[str, Amount]:
        known = self.book.costs
        base: dict[str, Number] = {}
        for element in self.elements:
            for cost in element.all("costs"):
                id = cost.get("typeId") or cost.get("costTypeId")
                base[id] = number_of(cost.get("value")) or 0
        for field in self.modifiers:
            if field in known:
                base.setdefault(field, 0)
        return {
            id: Amount(number, self.changes(id))
            for id, number in base.items()
            if number or id in self.modifiers
        }

    @cached_property
    def moves(self) -> tuple[CategoryMove, ...]:
        rules, moves = self.book.rules, []
        for modifier, around in self.modifiers.get("category", ()):
            act, category = modifier.get("type"), modifier.get("value")
            if act not in _MOVES:
                self.book.game.note(self.main, f"modifier {act} of category")
                continue
            try:
                reach = rules.reach(modifier)
            except ValueError:
                self.book.game.note(self.main, f"affects {modifier.get('affects')}")
                continue
            moves.append(CategoryMove(act, category, rules.when(modifier, around), reach))
        return tuple(moves)

    # Bounds

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        bounds = []
        for element in self.elements:
            for constraint in element.all("constraints"):
                bound = self._bound(constraint, element)
                if bound is not None:
                    bounds.append(bound)
        return tuple(bounds)

    def _bound(self, constraint: FileElement, element: FileElement) -> Bound | None:
        kind, base = constraint.get("type"), number_of(constraint.get("value"))
        if kind not in ("min", "max", "exactly") or base is None:
            self.book.game.note(element, f"constraint {kind} {constraint.get('value')}")
            return None
        field = constraint.get("field", "selections")
        amount = Amount(base, self.changes(constraint.id))
        query = self.book.rules.query(constraint, "parent")
        shared = constraint.says("shared") or self.kind is Kind.CATEGORY
        tag = self.main.id if shared or len(self.elements) == 1 else self.ids[-1]
        scope = Scope.PARENT if query.scope is Scope.SELF else query.scope
        of_limit = field.removeprefix("limit::") if field.startswith("limit::") else ""
        counts = scope is Scope.PARENT and query.field == NUMBER
        return Bound(
            id=constraint.id,
            definition=self,
            query=Query(query.field, tag, scope, query.deep, query.forces),
            low=None if kind == "max" else amount,
            high=None if kind == "min" else amount,
            share=constraint.says("percentValue"),
            of_limit=of_limit,
            negative=constraint.says("negative"),
            per_model=counts and self.kind in (Kind.ENTRY, Kind.GROUP) and self.is_collective,
            source=element.id,
        )

    @cached_property
    def children(self) -> tuple[Definition, ...]:
        groups = (*self._groups, self) if self.kind is Kind.GROUP else ()
        return tuple(
            FileDefinition(self.book, child, _KINDS[child.place], self.prefix, groups)
            for element in self.elements
            for child in element.all(*_KINDS)
        )


def _modifiers(
    element: FileElement, around: tuple[FileElement, ...]
) -> Iterator[tuple[FileElement, tuple[FileElement, ...]]]:
    """Yield the modifiers of an element, each with the groups that stand around it."""
    for modifier in element.all("modifiers"):
        yield modifier, around
    for group in element.all("modifierGroups"):
        yield from _modifiers(group, (*around, group))


class ForceDefinition(FileDefinition):
    """A force of a catalogue: its categories, and what may stand in it."""

    def __init__(self, book: FileBook, element: FileElement) -> None:
        super().__init__(book, element, Kind.FORCE)

    @cached_property
    def tags(self) -> frozenset[str]:
        return frozenset((*self.ids, self.book.root.id))

    @cached_property
    def category_definitions(self) -> tuple[FileDefinition, ...]:
        """Its categories, as it links to them."""
        return tuple(CategoryDefinition(self.book, link) for link in self.main.all("categoryLinks"))

    @cached_property
    def standing(self) -> tuple[Bound, ...]:
        return tuple(bound for category in self.category_definitions for bound in category.bounds)

    @cached_property
    def children(self) -> tuple[Definition, ...]:
        return self.book.roots

    @cached_property
    def demanded(self) -> tuple[Definition, ...]:
        linked = {category.key for category in self.category_definitions}
        return tuple(
            child
            for child in self.children
            if linked.issuperset(id for id, primary in child.categories.items() if primary)
        )


class CategoryDefinition(FileDefinition):
    """A category as a force links to it."""

    def __init__(self, book: FileBook, link: FileElement) -> None:
        super().__init__(book, link, Kind.CATEGORY)
        entry = book.game.find(link.get("targetId"), link)
        if entry is None:
            book.game.note(link, f"categoryLink {link.get('targetId')}")
        else:
            self.elements = (entry, link)
            self.key = entry.id


class ListDefinition(Definition):
    """A list of a game."""

    kind = Kind.LIST
    key = ""

    def __init__(self, game: GameFiles) -> None:
        self.game = game

    @cached_property
    def name(self) -> str:
        return self.game.system.get("name")

    @cached_property
    def tags(self) -> frozenset[str]:
        return frozenset()


class FileBook:
    """A catalogue of a game, as kernel definitions. Raises Refusal where it cannot be read."""

    def __init__(self, game: GameFiles, catalogue: str) -> None:
        self.game = game
        self.root = game.root(catalogue)
        self.rules = RuleMaker(game)
        self._forces: dict[str, ForceDefinition] = {}
        self.sources = game.sources(self.root)

    @cached_property
    def costs(self) -> Mapping[str, FileElement]:
        """The kinds of cost, by their ids."""
        found = (cost for root in self.sources for cost in root.all("costTypes"))
        return {cost.id: cost for cost in found}

    @cached_property
    def roots(self) -> tuple[Definition, ...]:
        """What may stand directly in a force: the catalogue's entries, those that it imports, and
        those of the system.
        """
        roots: list[Definition] = []
        seen: set[FileElement] = set()
        for root, imported in (*self._imported(self.root, seen), (self.game.system, True)):
            for element in root.all("selectionEntries", "entryLinks"):
                definition = FileDefinition(self, element, Kind.ENTRY)
                exported = definition.get("import") != "false" and element.get("import") != "false"
                if exported or not imported:
                    is_group = definition.kind is Kind.GROUP
                    roots += definition.offered if is_group else (definition,)
        return tuple(roots)

    def _imported(
        self, root: FileElement, seen: set[FileElement]
    ) -> Iterator[tuple[FileElement, bool]]:
        if root in seen:
            return
        seen.add(root)
        yield root, root is not self.root
        for link in root.all("catalogueLinks"):
            if link.says("importRootEntries"):
                linked = self.game.linked(link)
                if linked is not None:
                    yield from self._imported(linked, seen)

    def force_elements(self, above: ForceDefinition | None = None) -> Iterator[FileElement]:
        """Yield the forces that a list may have, or that may stand within another."""
        roots = self.sources if above is None else (above.main,)
        for root in roots:
            yield from root.all("forceEntries", "sharedForceEntries")
            for link in root.all("forceEntryLinks"):
                target = self.game.find(link.get("targetId"), link)
                if target is None:
                    self.game.note(link, f"forceEntryLink {link.get('targetId')}")
                else:
                    yield target

    def force(self, id: str) -> ForceDefinition | None:
        """Return the definition of a force by its id, at any depth; None where there is none."""
        if id not in self._forces:
            element = self.game.find(id, self.root)
            if element is None or element.place not in ("forceEntries", "sharedForceEntries"):
                return None
            self._forces[id] = ForceDefinition(self, element)
        return self._forces[id]
