"""The files of a game: its system, its catalogues, and what their links lead to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from threading import RLock
from typing import Final, NamedTuple

from armybuilder.battlescribe.files.reading import (
    FileElement,
    Foreign,
    Member,
    is_far,
    modifiers_of,
    number_of,
    read_element,
)
from armybuilder.engine.kernel.conditions import Number
from armybuilder.engine.wording import say
from armybuilder.loading.forcelist import MAX_COST
from armybuilder.loading.problems import Refusal

#: Lists that have the modifiers of an element.
_MODIFYING: Final = {"modifiers", "modifierGroups"}


@dataclass(frozen=True, slots=True)
class Note:
    """A construct that is not understood: in which file, of which entry."""

    file: str
    entry: str
    construct: str


class FarModifier(NamedTuple):
    """A modifier that changes something other than the element that it is of, and its groups."""

    owner: FileElement
    modifier: FileElement
    around: tuple[FileElement, ...]


class _Index(NamedTuple):
    """Parts of a file to look up: elements by id (of several with one id the first), and far
    modifiers by the field that they change."""

    by_id: dict[str, FileElement]
    far: dict[str, list[FarModifier]]


class GameFiles:
    """A game by its files, each read when it is first asked for.

    `heads` are the first elements of its catalogues by id, `refused` the files that cannot be read,
    with why. `sizes` are the bytes of the files that are read, by id, `notes` the parts
    read so far that were not understood.
    """

    def __init__(self, members: Iterable[Member], system: str = "") -> None:
        self._members: dict[str, Member] = {}
        self._roots: dict[str, FileElement] = {}
        self._indexes: dict[FileElement, _Index] = {}
        self._sources: dict[FileElement, tuple[FileElement, ...]] = {}
        self._owners: dict[FileElement, dict[FileElement, str]] = {}
        self._lock = RLock()
        self.heads: dict[str, FileElement] = {}
        self.refused: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        self.notes: dict[Note, None] = {}
        systems: dict[str, FileElement] = {}
        for member in members:
            try:
                head = member.head()
            except Foreign:
                continue
            except Refusal as refusal:
                self.refused[member.name] = refusal.sentence
                continue
            if head.place == "catalogue":
                self._tell_apart(head)
            elif head.place != "gameSystem":
                self.refused[member.name] = say("This is neither a catalogue nor a game system.")
                continue
            if not head.id or head.id in self._members:
                self.refused[member.name] = say("The file has no id, or the id of another file.")
                continue
            (systems if head.place == "gameSystem" else self.heads)[head.id] = head
            self._members[head.id] = member
        named = [head for head in systems.values() if not system or head.id == system]
        if not named:
            raise Refusal(say("There is no game system among the files."))
        if len(named) > 1:
            names = ", ".join(f"{head.get('name')} ({head.id})" for head in named)
            raise Refusal(say("The files are for several games: {names}.", names=names))
        self.system = self.root(named[0].id)
        for id, head in list(self.heads.items()):
            if head.get("gameSystemId") != named[0].id:
                del self.heads[id]
                if len(systems) == 1:
                    self.refused[self._members[id].name] = say("The file is for another game.")

    @classmethod
    def of(cls, system: FileElement, catalogues: Iterable[FileElement]) -> GameFiles:
        """Return the game of elements that are at hand."""
        game = cls.__new__(cls)
        game._members, game._indexes, game._sources, game._owners = {}, {}, {}, {}
        game.refused, game.notes, game.sizes, game._lock = {}, {}, {}, RLock()
        game.heads = {root.id: root for root in catalogues}
        game._roots = {system.id: system, **game.heads}
        game.system = system
        return game

    def _tell_apart(self, head: FileElement) -> None:
        """Give a catalogue another id if its author gave it that of a catalogue with another
        name."""
        other = self.heads.get(head.id)
        if other is not None and other.get("name") != head.get("name"):
            head.attributes["id"] = f"{head.id}#{head.get('name')}"

    def catalogue_of(self, roster_force: FileElement) -> str:
        """Return the id of the catalogue that a force of a roster names."""
        id, name = roster_force.get("catalogueId"), roster_force.get("catalogueName")
        own = f"{id}#{name}"
        return own if own in self.heads else id

    def root(self, id: str) -> FileElement:
        """Return the system or a catalogue by its id. Raises Refusal, also of a missing one."""
        if (root := self._roots.get(id)) is None:
            with self._lock:
                if (root := self._roots.get(id)) is None:
                    root = self._roots[id] = self._read(id)
        return root

    def _read(self, id: str) -> FileElement:
        member = self._members.get(id)
        if member is None:
            raise Refusal(say("There is no catalogue “{id}” among the files.", id=id))
        try:
            raw = member.read()
            root = read_element(raw)
        except Refusal as refusal:
            reason = refusal.sentence
            raise Refusal(say("{file}: {reason}", file=member.name, reason=reason)) from refusal
        self.sizes[id] = len(raw)
        root.attributes["id"] = id
        return root

    def release(self, kept: Collection[FileElement]) -> None:
        """Let go of the files that were read, but for some of them and the system's."""
        with self._lock:
            for id, root in list(self._roots.items()):
                if root not in kept and root is not self.system:
                    del self._roots[id]
                    self.sizes.pop(id, None)
                    for made in (self._indexes, self._sources, self._owners):
                        made.pop(root, None)

    def sources(self, root: FileElement) -> tuple[FileElement, ...]:
        """Return a file and all that it draws on: the files it links to, and the system last."""
        sources = self._sources.get(root)
        if sources is None:
            collected = dict.fromkeys(self.drawn_on(root, lambda link: True))
            collected.setdefault(self.system)
            sources = self._sources[root] = tuple(collected)
        return sources

    def drawn_on(
        self, root: FileElement, follows: Callable[[FileElement], bool]
    ) -> Iterator[FileElement]:
        """Yield a file and those that its links lead to, and theirs, each once, as far as a link is
        one that is followed.
        """
        stack, seen = [root], set[FileElement]()
        while stack:
            one = stack.pop()
            if one in seen:
                continue
            seen.add(one)
            yield one
            links = [self.linked(link) for link in one.all("catalogueLinks") if follows(link)]
            stack += reversed([linked for linked in links if linked is not None])

    def linked(self, link: FileElement) -> FileElement | None:
        """Return the catalogue that a link leads to; None where it is missing, which is noted."""
        target = link.get("targetId")
        try:
            if target in self.heads:
                return self.root(target)
        except Refusal as refusal:
            self.refused[self._members[target].name] = refusal.sentence
        self.note(link, f"catalogueLink {target}")
        return None

    def find(self, id: str, near: FileElement) -> FileElement | None:
        """Return the element of an id, looked for in the file of another and its sources."""
        for root in self.sources(near.root):
            by_id = self._index(root).by_id
            if id in by_id:
                return by_id[id]
        return None

    def name_of(self, id: str, near: FileElement) -> str:
        """Return the name of such an element; "" if there is none."""
        element = self.find(id, near) if id else None
        return "" if element is None else element.get("name")

    def far_modifiers(self, root: FileElement) -> Mapping[str, list[FarModifier]]:
        """Return the modifiers of a file that change other elements than their own, by field."""
        return self._index(root).far

    def _index(self, root: FileElement) -> _Index:
        index = self._indexes.get(root)
        if index is None:
            index = self._indexes[root] = _indexed(root)
        return index

    def has(self, id: str, near: FileElement) -> bool:
        """Return whether anything that is read, or a file that is not, has an id."""
        return self.find(id, near) is not None or any(
            id in self._index(root).by_id for root in self._roots.values()
        )

    def note(self, element: FileElement, construct: str) -> None:
        """Note that a construct of an element is not understood."""
        file = element.root.get("name")
        self.notes[Note(file, self._owner_of(element) or file, construct)] = None

    def _owner_of(self, element: FileElement) -> str:
        """Return the name of the entry around an element, if it has one."""
        if element.get("name"):
            return element.get("name")
        names = self._owners.get(element.root)
        if names is None:
            names = self._owners[element.root] = {element.root: element.root.get("name")}
            for outer in element.root.walk():
                for inner in outer.all(*outer.lists):
                    names[inner] = inner.get("name") or names[outer]
        return names.get(element, element.id)


def limits_of(system: FileElement) -> dict[str, Number]:
    """Return the limits of a new list by cost, as far as lists can have them; -1: no limit."""
    costs = system.all("costTypes")
    limits = {cost.id: number_of(cost.get("defaultCostLimit", "-1")) for cost in costs}
    return {
        id: -1 if limit is None else max(-1, min(limit, MAX_COST)) for id, limit in limits.items()
    }


def opening_limits(system: FileElement) -> dict[str, Number]:
    """Return the limits of a list that sets none: 0 is how some files leave them to the player."""
    return {cost: limit or -1 for cost, limit in limits_of(system).items()}


def _indexed(root: FileElement) -> _Index:
    """Return the parts of a file to look up."""
    index = _Index({}, {})
    for element in root.walk():
        if element.id:
            index.by_id.setdefault(element.id, element)
        if element.place == "modifierGroups" or element.lists.keys().isdisjoint(_MODIFYING):
            continue
        for modifier, around in modifiers_of(element):
            if is_far(modifier):
                far = FarModifier(element, modifier, around)
                index.far.setdefault(modifier.get("field"), []).append(far)
    return index
