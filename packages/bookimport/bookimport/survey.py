"""Where everything of a catalogue is used: which units reach it, through which links, how often."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import cached_property

from armybuilder.loading.deadline import check
from armybuilder.loading.problems import Refusal
from bookimport.drafts import Notes
from bookimport.ledger import LedgerItem, items_of_category, items_of_entry
from bookimport.names import DOMINANT_MARK, clean
from bookimport.rulebook import NINTH_AGE, Rulebook
from bookimport.source import (
    CategoryLink,
    Constraint,
    SourceEntry,
    SourceFile,
    SourceProfile,
)

_MOUNTS = re.compile(r"mounts?$", re.I)
_MOUNTED = re.compile(r"^mount\b|\(mount\)", re.I)
#: How deep entries and links may lead into each other; real books stay below 20.
MAX_LINKS = 60


class Survey:
    """One catalogue together with its game system; ids of the catalogue come first."""

    def __init__(
        self,
        book: SourceFile,
        system: SourceFile,
        notes: Notes,
        rules: Rulebook = NINTH_AGE,
        unlinked: Collection[str] = (),
    ) -> None:
        self.book = book
        self.system = system
        self.notes = notes
        self.rules = rules
        #: Names of rules and profiles of the game to which no link of any book leads.
        self.unlinked = unlinked
        self.owners: dict[SourceEntry, set[SourceEntry]] = defaultdict(set)
        self.links: dict[SourceEntry, list[SourceEntry]] = defaultdict(list)
        self.containers: dict[SourceEntry, list[SourceEntry]] = defaultdict(list)
        self.order: list[SourceEntry] = []
        #: Units with several kinds of models, once `models` was asked for.
        self.mixed: list[SourceEntry] = []
        for root in book.roots:
            self._visit(root, root, [])

    def entry(self, id_: str) -> SourceEntry | None:
        """Return the entry, group or link with this id; the target, if it is a link."""
        found = self.book.entries.get(id_) or self.system.entries.get(id_)
        return self.resolved(found) if found else None

    def entries(self, id_: str) -> list[SourceEntry]:
        """Return what has this id: several where root entries link to it from several places."""
        found = self.entry(id_)
        return self.book.copies.get(id_) or ([found] if found is not None else [])

    def target(self, link: SourceEntry) -> SourceEntry | None:
        """Return what a link points to; None, and a note, if nothing does."""
        found = self.book.entries.get(link.target) or self.system.entries.get(link.target)
        if found is None:
            self.doubt(link, f"links to {link.target}, which is nowhere")
        return found

    def resolved(self, entry: SourceEntry) -> SourceEntry | None:
        """Return the entry, or what a link points to; None, and a note, where that is nothing."""
        return self.target(entry) if entry.kind == "link" else entry

    def doubt(self, at: SourceEntry, what: str) -> None:
        """Note once what looks doubtful at an entry."""
        self.notes.doubt(self.place(at), what)

    def refusal(self, at: SourceEntry, what: str) -> Refusal:
        """Return that something at an entry is not understood, with its file and place."""
        return Refusal(f"{self.book.file}: {self.place(at)}: {what} is not understood.")

    def leave_out(self, entry: SourceEntry, refusal: Refusal) -> None:
        """Note that an entry is left out with all that stands in it, and why."""
        why = refusal.sentence.removeprefix(f"{self.book.file}: ").rstrip(".")
        what = f"{clean(entry.name)[:60]} is left out ({why[:300]})"
        self.notes.gap(entry, f"{what}.")
        self.notes.ledger.dropped("what is not understood, left out", entry)
        self.notes.unchecked(entry, what, "condition", left_out=True)

    def profile(self, id_: str) -> SourceProfile | None:
        """Return the profile with this id."""
        return self.book.profiles.get(id_) or self.system.profiles.get(id_)

    def constraint(self, id_: str) -> Constraint | None:
        """Return the constraint with this id."""
        return self.book.constraints.get(id_) or self.system.constraints.get(id_)

    def in_category(self, link: CategoryLink) -> Iterator[CategoryLink]:
        """Yield a category's link in a force, and what stands at the category in any file."""
        yield link
        for file in (self.book, self.system):
            if link.target in file.categories:
                yield file.categories[link.target]

    def name(self, id_: str) -> str:
        """Return the name of whatever has this id, or the id."""
        return self.book.names.get(id_) or self.system.names.get(id_) or id_

    def is_shared(self, entry: SourceEntry) -> bool:
        """Return whether it stands in more than one place of the book."""
        return len(self.containers[entry]) > 1

    def is_general(self, entry: SourceEntry) -> bool:
        """Return whether it is the option that marks the General."""
        return entry.kind == "upgrade" and clean(entry.name) == "Army General"

    def is_mark_of_general(self, entry: SourceEntry) -> bool:
        """Return whether it only stands below the option that marks the General."""
        holders = list(self.holders(entry))
        found = filter(None, map(self.resolved, holders))
        return bool(holders) and all(map(self.is_general, found))

    @cached_property
    def has_generals(self) -> bool:
        """Whether the file marks the General at all."""
        return any(self.is_general(entry) for entry in self.order)

    def is_standard_bearer(self, entry: SourceEntry) -> bool:
        """Return whether it is the Battle Standard Bearer."""
        return entry.kind == "upgrade" and clean(entry.name) == "Battle Standard Bearer"

    def is_mount(self, entry: SourceEntry) -> bool:
        """Return whether it is a mount, by its group, its name, or Harnessed with its own size."""
        if entry.kind != "upgrade" or entry in self.book.roots:
            return False
        words = [holder.name for holder in self.holders(entry) if holder.is_group]
        if any(_MOUNTS.match(clean(word)) for word in words) or _MOUNTED.search(clean(entry.name)):
            return True
        rules = {clean(info.name) for info in entry.infos}
        sizes = [self.profile(info.target) for info in entry.infos if info.is_profile]
        rows = [*entry.profiles, *filter(None, sizes)]
        return "Harnessed" in rules and any(row.type.startswith("0 Size") for row in rows)

    def holders(self, entry: SourceEntry) -> Iterator[SourceEntry]:
        """Yield the groups and options it directly stands in, links left out."""
        for holder in self.containers[entry]:
            if holder.kind == "link":
                yield from self.containers[holder]
            else:
                yield holder

    def categories(self, unit: SourceEntry) -> set[str]:
        """Ids of the categories that a unit or its models are in."""
        model = self.models.get(unit)
        return {id_ for id_, _ in (*unit.categories, *(model.categories if model else ()))}

    def is_dominant(self, entry: SourceEntry) -> bool:
        """Return whether its name, a link's, its type or its category calls it Dominant."""
        if not self.rules.slots:
            return False
        names = [entry.name, *(link.name for link in self.links[entry])]
        types = [text for row in entry.profiles for _, name, text in row.cells if name == "Type"]
        words = [*types, *(self.name(id_) for id_, _ in entry.categories)]
        return any(name.lstrip().startswith(DOMINANT_MARK) for name in names) or any(
            "dominant" in word.lower() for word in [*words, *names]
        )

    @cached_property
    def models(self) -> dict[SourceEntry, SourceEntry]:
        """The entry of its models for each unit that has one."""
        found = {}
        for unit in self.book.roots:
            models = [child for child in unit.children if child.kind == "model"]
            models = models or [child for child in unit.children if _is_like_a_model(child)]
            if len(models) > 1:
                self.mixed.append(unit)
            elif models:
                found[unit] = models[0]
                if models[0].kind != "model":
                    self.notes.doubt(unit.name, f"{models[0].name} is taken for its model")
        return found

    def around(self, entry: SourceEntry) -> Iterator[SourceEntry]:
        """The groups and links an option stands in, in all its places, up to what holds them."""
        seen = {entry}
        level = list(self.containers[entry])
        while level:
            holder = level.pop()
            if holder in seen or holder.kind in {"unit", "model"}:
                continue
            seen.add(holder)
            yield holder
            if holder.kind in {"group", "link"}:
                level += self.containers[holder]

    def place(self, entry: SourceEntry) -> str:
        """Where it stands: "Unit › Group › Option"."""
        names = [entry.name]
        seen = {entry}
        while above := self.containers[entry]:
            entry = above[0]
            if entry in seen:
                break
            seen.add(entry)
            if clean(entry.name) != clean(names[0]):
                names.insert(0, entry.name)
        return " › ".join(map(clean, names))

    def restrictions(self) -> Iterator[LedgerItem]:
        """Everything in the file that may restrict: what its units reach, and its categories."""
        for entry in self.order:
            yield from items_of_entry(entry, self.place(entry))
        for force in self.book.forces:
            for link in force.categories:
                for one in self.in_category(link):
                    place = f"{force.name} › {link.name}" if one is link else self.name(link.target)
                    yield from items_of_category(one, place)

    def _visit(self, entry: SourceEntry, root: SourceEntry, path: list[SourceEntry]) -> None:
        check()
        if len(path) > MAX_LINKS:
            raise Refusal(f"{self.book.file}: links lead more than {MAX_LINKS} levels deep.")
        if entry in path:
            names = " › ".join(clean(step.name) for step in [*path[path.index(entry) :], entry])
            raise Refusal(f"{self.book.file}: the links {names} lead in a circle.")
        if root in self.owners[entry]:
            return
        is_new = not self.owners[entry]
        self.owners[entry].add(root)
        if is_new:
            self.order.append(entry)
        for inner in self._inner(entry):
            if is_new:
                self.containers[inner].append(entry)
                if entry.kind == "link" and inner not in entry.children:
                    self.links[inner].append(entry)
            self._visit(inner, root, [*path, entry])

    def _inner(self, entry: SourceEntry) -> Iterator[SourceEntry]:
        if entry.kind == "link" and (found := self.target(entry)):
            yield found
        yield from entry.children


def _is_like_a_model(entry: SourceEntry) -> bool:
    """An upgrade of a unit that must be taken and may be several times: models, typed wrongly."""
    limits = {part.type: part.value for part in entry.constraints if part.scope == "parent"}
    return entry.kind == "upgrade" and limits.get("min", 0) > 0 and limits.get("max", 0) > 1
