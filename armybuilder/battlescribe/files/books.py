"""A catalogue of a game, and the kernel's definitions of its forces, categories and lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from armybuilder.battlescribe.files.definitions import Catalogue, FileDefinition
from armybuilder.battlescribe.files.event_rules import EventRule
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement
from armybuilder.battlescribe.files.rules import FORCE_ENTRIES, Strange
from armybuilder.engine.kernel.conditions import (
    FORCES,
    NUMBER,
    Change,
    Kind,
    Nearest,
    Query,
    Scope,
    Within,
)
from armybuilder.engine.kernel.definitions import Bound, Definition, Notice
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import Pick


class ForceDefinition(FileDefinition):
    """A force of a catalogue with what its link adds: categories and allowed entries."""

    book: FileBook

    def __init__(
        self, book: FileBook, element: FileElement, link: FileElement | None = None
    ) -> None:
        super().__init__(book, element, Kind.FORCE)
        if link is not None:
            self.elements = (element, link)

    @cached_property
    def tags(self) -> frozenset[str]:
        return frozenset(filter(None, (*self.ids, self.book.root.id)))

    def _counted(self, constraint: FileElement) -> Query:
        """Return the query of a constraint: of forces, or within one. Raises Strange."""
        query = self.rules.query(constraint, "parent")
        in_list = query.scope is Scope.LIST
        own: set[Within] = {Scope.PARENT, Scope.SELF, Scope.FORCE}
        own.add(Nearest(frozenset({self.main.id})))
        if query.tag or not (in_list or query.scope in own):
            raise Strange(f"constraint of a force within {constraint.get('scope')}")
        if query.field == FORCES and query.scope is Scope.SELF:
            return Query(FORCES, "", Scope.SELF, query.deep, query.forces)
        if query.field == FORCES or (query.field == NUMBER and in_list):
            scope = Scope.LIST if in_list else Scope.PARENT
            return Query(FORCES, self.main.id, scope, query.deep, query.forces)
        if in_list:
            return Query(query.field, self.main.id, Scope.LIST, True, True)
        if query.field == NUMBER and query.deep:
            raise Strange("constraint of a force at any depth")
        return Query(query.field, "", Scope.SELF, query.deep, query.forces)

    @cached_property
    def category_definitions(self) -> tuple[FileDefinition, ...]:
        """Its categories, as it links to them."""
        return tuple(CategoryDefinition(self.book, link) for link in self.main.all("categoryLinks"))

    @cached_property
    def sections(self) -> Mapping[str, Definition]:
        linked = {category.key: category for category in self.category_definitions}
        others = (entry for entry in self.book.weighty_categories if entry.id not in linked)
        return linked | {
            entry.id: FileDefinition(self.book, entry, Kind.CATEGORY) for entry in others
        }

    @cached_property
    def notices(self) -> tuple[Notice, ...]:
        categories = (notice for of in self.category_definitions for notice in of.notices)
        links = (Notice(self, "unknown", Change("", construct)) for construct in self.book.missing)
        return (*super().notices, *categories, *links)

    @cached_property
    def standing(self) -> tuple[Bound, ...]:
        categories = (bound for one in self.category_definitions for bound in one.bounds)
        return (*super().standing, *categories)

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


def imports_roots(link: FileElement) -> bool:
    """Return whether a link imports the root entries of its catalogue; before 2.03 each did."""
    old = link.root.get("battleScribeVersion") == "2.02"
    return link.get("importRootEntries", str(old).lower()) == "true"


class ListDefinition(Definition):
    """A list of a game with the rules of an event, some of them about units of its `forces`."""

    kind = Kind.LIST
    key = ""

    def __init__(
        self, game: GameFiles, rules: tuple[EventRule, ...] = (), forces: tuple[Pick, ...] = ()
    ) -> None:
        self.game, self.rules = game, rules
        by_unit = any(rule.is_by_unit for rule in rules)
        self.books = _books_of(forces) if by_unit else {}
        roots = (root for book in self.books for root in book.roots)
        units = {
            root.main.id: root
            for root in roots
            if isinstance(root, FileDefinition) and root.type in ("unit", "model")
        }
        self.standing = tuple(
            bound for rule in rules for bound in (*rule.standing, *rule.bounds_of(units.values()))
        )

    def of(self, forces: tuple[Pick, ...]) -> ListDefinition:
        """Return the same for a list of these forces."""
        by_unit = any(rule.is_by_unit for rule in self.rules)
        if not by_unit or _books_of(forces).keys() == self.books.keys():
            return self
        return ListDefinition(self.game, self.rules, forces)

    @cached_property
    def name(self) -> str:
        return self.game.system.get("name")


def _books_of(forces: Iterable[Pick]) -> dict[FileBook, None]:
    """Return the catalogues that forces are of."""
    definitions = (pick.definition for force in forces for pick in force.walk())
    return dict.fromkeys(one.book for one in definitions if isinstance(one, ForceDefinition))


def cost_types(game: GameFiles, evaluation: Evaluation) -> dict[str, FileElement]:
    """Return the kinds of cost in a list: the game's, and those of its catalogues."""
    roots = dict.fromkeys([game.system])
    for force in evaluation.forces:
        if isinstance(force.definition, FileDefinition):
            roots |= dict.fromkeys(force.definition.book.sources)
    return {cost.id: cost for root in roots for cost in root.all("costTypes")}


class FileBook(Catalogue):
    """A catalogue of a game, as kernel definitions. Raises Refusal where it cannot be read."""

    def __init__(self, game: GameFiles, catalogue: str) -> None:
        super().__init__(game, catalogue)
        self._forces: dict[tuple[ForceDefinition | None, str], ForceDefinition] = {}

    @cached_property
    def roots(self) -> tuple[Definition, ...]:
        """Entries allowed directly in a force: the catalogue's, those it imports, and those of
        the system."""
        roots: list[Definition] = []
        imports = self.game.drawn_on(self.root, imports_roots)
        for root in (*imports, self.game.system):
            imported = root is not self.root
            for element in root.all("selectionEntries", "entryLinks"):
                definition = FileDefinition(self, element, Kind.ENTRY)
                if element.place == "entryLinks" and len(definition.elements) == 1:
                    self.game.note(element, f"entryLink to {element.get('targetId')}")
                    continue
                exported = definition.get("import") != "false" and element.get("import") != "false"
                if exported or not imported:
                    is_group = definition.kind is Kind.GROUP
                    roots += definition.offered if is_group else (definition,)
        return tuple(roots)

    @cached_property
    def weighty_categories(self) -> tuple[FileElement, ...]:
        """The categories with constraints or modifiers of their own."""
        categories = (entry for root in self.sources for entry in root.all("categoryEntries"))
        weighty = ("constraints", "modifiers", "modifierGroups")
        return tuple(
            entry
            for entry in categories
            if entry.says("hidden") or any(name in entry.lists for name in weighty)
        )

    def force_elements(self, above: ForceDefinition | None = None) -> Iterator[FileElement]:
        """Yield the forces that a list may have, or that another force may contain."""
        yield from (element for element, _ in self._forces_in(above))

    def _forces_in(
        self, above: ForceDefinition | None
    ) -> Iterator[tuple[FileElement, FileElement | None]]:
        """Yield forces, each with the link that leads to it, if one does."""
        for root in self.sources if above is None else (above.main,):
            for element in root.all("forceEntries", "sharedForceEntries"):
                yield element, None
            for link in root.all("forceEntryLinks"):
                target = self.game.find(link.get("targetId"), link)
                if target is None or target.place not in FORCE_ENTRIES:
                    self.game.note(link, f"forceEntryLink {link.get('targetId')}")
                else:
                    yield target, link

    def force(self, id: str, above: ForceDefinition | None = None) -> ForceDefinition | None:
        """Return the definition of a force by its id, as a child of another if that is named;
        None if there is none."""
        key = above, id
        if key not in self._forces:
            offered = (pair for pair in self._forces_in(above) if pair[0].id == id)
            element, link = next(offered, (self.game.find(id, self.root), None))
            if element is None or element.place not in FORCE_ENTRIES:
                return None
            self._forces[key] = ForceDefinition(self, element, link)
        return self._forces[key]
