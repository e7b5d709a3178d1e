"""What ids mean in a book: which option, group or unit a condition names by them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from armybuilder.engine.condition_reading import Resolve
from armybuilder.engine.conditions import Condition
from armybuilder.engine.traits import Trait

Entry = Mapping[str, Any]
Path = tuple[object, ...]


def node_id(node: Entry) -> str:
    """Return the id a node goes by: of a use, that of what it uses."""
    return str(node.get("id") or node.get("group") or node.get("use"))


class IdNames:
    """What ids mean in a book: in all of it, or below one unit. `traits` are the game's."""

    def __init__(self, book: Entry, traits: Mapping[str, Trait]) -> None:
        self.book = book
        self.traits = traits
        self.shared = {node_id(node): node for node in book.get("options", ())}
        self.units = {unit["id"]: unit["name"] for unit in book["units"]}
        self.organisations = {entry["id"]: entry["name"] for entry in book.get("organisations", ())}
        self.options: dict[str, str] = {}
        self.groups: dict[str, str] = {}
        self._below: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
        seen: set[str] = set()
        for nodes in [book.get("options", ()), *(u.get("options", ()) for u in book["units"])]:
            self._collect(nodes, self.options, self.groups, seen)

    def _collect(
        self,
        nodes: Iterable[Entry],
        options: dict[str, str],
        groups: dict[str, str],
        seen: set[str],
    ) -> None:
        for node in nodes:
            if "use" in node:
                used = self.shared.get(node["use"])
                if used is not None and node["use"] not in seen:
                    seen.add(node["use"])
                    self._collect([used], options, groups, seen)
                continue
            table = groups if "group" in node else options
            table.setdefault(node_id(node), node["name"])
            if "options" in node:
                self._collect(node["options"], options, groups, seen)

    def below(self, unit: Entry) -> tuple[dict[str, str], dict[str, str]]:
        """Return the options and groups of one unit: name by id."""
        found = self._below.get(unit["id"])
        if found is None:
            found = ({}, {})
            self._collect(unit.get("options", ()), *found, set())
            self._below[unit["id"]] = found
        return found

    def resolver(self, unit: Entry | None, unknown: list[str] | None = None) -> Resolve:
        """Return how conditions in a unit (None: not in one) read ids; note `unknown` ones."""
        options, groups = (self.options, self.groups) if unit is None else self.below(unit)
        return Resolver(self, options, groups, [] if unknown is None else unknown)


@dataclass(frozen=True)
class Resolver:
    """What ids mean in one unit, or (a shared node) anywhere in the book."""

    names: IdNames
    options: Mapping[str, str]
    groups: Mapping[str, str]
    unknown: list[str]

    def __call__(self, name: str, army: bool) -> tuple[str, str]:
        """Return the tag by which what an id names is counted, and its name."""
        options, groups, last = self.options, self.groups, name
        if army:
            book = self.names
            if name in book.units:
                return f"unit:{book.book['id']}/{name}", book.units[name]
            if name in book.organisations:
                return f"organisation:{name}", book.organisations[name]
            options, groups, last = book.options, book.groups, name.rpartition("/")[2]
        if last in options:
            return f"option:{name}", options[last]
        if last in groups:
            return f"group:{last}", groups[last]
        self.unknown.append(name)
        return f"option:{name}", name

    def trait(self, name: str) -> Condition:
        """Return the trait of the system with this id. Raises KeyError where there is none."""
        return self.names.traits[name]


def walk(nodes: Sequence[Entry], path: Path) -> Iterator[tuple[Entry, Path]]:
    """Yield nodes and all that stand below them, each with its place."""
    for number, node in enumerate(nodes):
        yield node, (*path, number)
        if "options" in node:
            yield from walk(node["options"], (*path, number, "options"))
