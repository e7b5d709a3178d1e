"""Where entries and groups stand in a unit: links followed, each with the path of ids that rosters
write.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tests.second_reading.reader.parts import Constraint, Modifier, Part, Parts

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
        #: What it is counted by: its own ids, those of the groups around it, its kind.
        self.keys = self.ids.union((self.what.type, "any"), *around)

    def __repr__(self) -> str:
        return f"<{self.name} {self.path}>"

    @property
    def id(self) -> str:
        return self.what.id

    @property
    def name(self) -> str:
        """What it is called here: a link may call its target otherwise."""
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
                place = self._at(one, links, groups)
                yield place
                if place.is_group:
                    around = (*groups, place)
                    yield from self._below(place.parts, place.links, around, depth + 1)

    def _at(self, part: Part, links: tuple[str, ...], groups: tuple[Place, ...]) -> Place:
        if part.tag != "entryLink":
            return Place(self.book, (part,), links, self, groups)
        target = self.book.by_id(part.target)
        return Place(self.book, (target, part), (*links, part.id), self, groups)

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
