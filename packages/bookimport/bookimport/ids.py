"""Ids for everything in a book: readable, unique where they must be, the same on every run."""

from collections.abc import Iterable, Iterator

from bookimport.drafts import BookDraft, UnitDraft
from bookimport.logic import named
from bookimport.names import kebab
from bookimport.organisation import unused
from bookimport.source import SourceEntry


class Ids:
    """Ids of units, of shared nodes with all in them, and of what stands in one unit only."""

    def __init__(
        self,
        units: list[UnitDraft],
        shared: dict[SourceEntry, BookDraft],
        stand_ins: dict[SourceEntry, SourceEntry],
    ) -> None:
        self.units: dict[SourceEntry, str] = {}
        self.book: dict[SourceEntry, str] = {}
        self.local: dict[SourceEntry, tuple[str, str]] = {}
        self.shared = shared
        self.stand_ins = stand_ins
        for unit in units:
            self.units[unit.source] = unused(kebab(unit.name), self.units.values())
        self._name_shared(units)
        asked = {thing for unit in units for thing in self._asked_in_army(unit)}
        for unit in units:
            self._name_local(unit, asked)

    def of(self, entry: SourceEntry) -> str:
        """Return the entry's id, as it stands at the entry itself and in conditions on its unit."""
        entry = self.stood_in(entry)
        if entry in self.units:
            return self.units[entry]
        return self.book.get(entry) or self.local[entry][1]

    def in_army(self, entry: SourceEntry) -> str:
        """Return the id by which the whole army is asked for it: with its unit, if only there."""
        entry = self.stood_in(entry)
        unit, id_ = self.local.get(entry, ("", ""))
        return f"{unit}/{id_}" if unit else self.of(entry)

    def knows(self, entry: SourceEntry) -> bool:
        """Return whether the entry is in the book at all."""
        entry = self.stood_in(entry)
        return entry in self.units or entry in self.book or entry in self.local

    def stood_in(self, entry: SourceEntry) -> SourceEntry:
        """Return what stands for an entry that was merged away, or itself."""
        while entry in self.stand_ins:
            entry = self.stand_ins[entry]
        return entry

    def _name_shared(self, units: list[UnitDraft]) -> None:
        inside = [one for draft in self.shared.values() for one in draft.walk()]
        nodes = [one for one in inside if one.kind != "use"]
        here = {one.source for one in nodes}
        asked = {self.stood_in(one) for node in inside for one, _ in conditions_of(node)}
        for unit in units:
            nodes += [one for one in unit.walk()
                      if one.kind != "use" and one.source in asked - here]  # fmt: skip
        used = set(self.units.values())
        for node in nodes:
            if node.source not in self.book:
                self.book[node.source] = unused(kebab(_plain_name(node)), used)
                used.add(self.book[node.source])

    def _name_local(self, unit: UnitDraft, asked: set[SourceEntry]) -> None:
        home = self.units[unit.source]
        used = {*self.units.values(), *(self.book[one] for one in asked if one in self.book)}
        used |= {self.book[one] for one in self._reached(unit) if one in self.book}
        for node in unit.walk():
            if node.kind != "use" and node.source not in self.book:
                id_ = unused(kebab(_plain_name(node)), used)
                used.add(id_)
                self.local[node.source] = (home, id_)

    def _reached(self, unit: UnitDraft) -> Iterator[SourceEntry]:
        """Yield what is used in the unit, at any depth, and what is asked for there."""
        level, seen = unit.walk(), set()
        while level:
            node = level.pop()
            yield node.source
            yield from (self.stood_in(thing) for thing, _ in conditions_of(node))
            if node.kind == "use" and node.source not in seen:
                seen.add(node.source)
                level += self.shared[node.source].walk()

    def _asked_in_army(self, unit: UnitDraft) -> Iterator[SourceEntry]:
        nodes: Iterable[BookDraft | UnitDraft] = [unit, *unit.walk(), *self.shared.values()]
        for node in nodes:
            yield from (self.stood_in(one) for one, army in conditions_of(node) if army)


def conditions_of(node: BookDraft | UnitDraft) -> Iterator[tuple[SourceEntry, bool]]:
    """Yield (entry, whether in the army) of everything that the conditions of a node name."""
    yield from named(node.available)
    changes = list(node.facts.get("when") or ())
    for row in node.facts.get("profiles") or ():
        changes += row.get("when", ())
    for word in node.facts.get("keywords") or ():
        if isinstance(word, dict):
            changes.append(word)
    for change in changes:
        yield from named(change.get("if", True))
        yield from named(change.get("for_each", True))
    for key in ("can_lead", "must_lead"):
        yield from named(node.facts.get(key) or True)


def _plain_name(node: BookDraft) -> str:
    """Return the source's own name; what one place appends is no part of the id."""
    return node.source.name if node.source.name.strip() else node.name
