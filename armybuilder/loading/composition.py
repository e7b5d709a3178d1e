"""What a book asks of a whole army: its categories and its musts as rules, and the checks of its
options: every id that is named is there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from armybuilder.engine.amounts import read_amount
from armybuilder.engine.bounds import Moving
from armybuilder.engine.catalogue import System, Unit
from armybuilder.engine.findings import Citation
from armybuilder.engine.kinds.cap import CapRule
from armybuilder.engine.kinds.category import Category
from armybuilder.engine.kinds.limit import Limit
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.loading.options import Names, OptionBuilder, node_id
from armybuilder.loading.problems import pointer
from armybuilder.loading.references import Complaint, duplicates

Entry = Mapping[str, Any]
Path = tuple[object, ...]


def book_rules(
    book: Entry, system: System, builder: OptionBuilder, units: Sequence[Unit]
) -> Iterator[Rule]:
    """The rules that a book adds to those of its system. What they and its units count in the
    whole army is noted for the tallies.
    """
    resolve = builder.names.resolver(None, builder.unknown)
    for rule in system.rules:
        if isinstance(rule, Category):
            limits = list(rule.bounds(book, resolve, system.tallies))
            for limit in limits:
                for bound in (limit.minimum, limit.maximum):
                    system.tallies.watched |= getattr(bound, "amount", _NO_AMOUNT).army_tags()
            yield from limits
    for unit in units:
        system.tallies.watched |= unit.army_tags
        caps = [unit.cap, *(option.cap for option in unit.offer.options())]
        for cap in filter(None, caps):
            for amount in (cap.number, cap.models, cap.points):
                system.tallies.watched |= amount.army_tags()
    yield from _musts(book, system, builder)


_NO_AMOUNT = read_amount(None, (), "")


def _musts(book: Entry, system: System, builder: OptionBuilder) -> Iterator[Rule]:
    """Rules that a unit or option with `army_min` is there so often."""
    head = next((rule.head for rule in system.rules if isinstance(rule, CapRule)), None)
    if head is None:
        return
    for tag, entry, unit in _entries(book):
        when = entry.get("when", ())
        if "army_min" not in entry and not any(
            "army_min" in change.get(key, ()) for change in when for key in ("set", "add")
        ):
            continue
        resolve = builder.names.resolver(unit, builder.unknown)
        amount = read_amount(entry.get("army_min", 0), when, "army_min", resolve)
        system.tallies.watched |= amount.army_tags()
        kind, _, name = tag.partition(":")
        selector = Selector.read({kind: name})
        yield Limit(
            head=replace(
                head,
                id=f"must-{tag}",
                pointer=f"{book['id']}/{tag}",
                code="cap.under",
                summary=f"{entry['name']} must be in the army.",
                citation=Citation(book["name"], ""),
            ),
            count="picks",
            selector=selector,
            number=system.tallies.add(selector),
            minimum=Moving(amount),
            maximum=None,
            setting="",
            name="",
            what=entry["name"],
        )


def _entries(book: Entry) -> Iterator[tuple[str, Entry, Entry | None]]:
    """Every unit and option of a book with the tag that counts it, and the unit it is local to."""
    for option, _ in _options(book.get("options", ()), ("options",)):
        yield f"option:{node_id(option)}", option, None
    for number, unit in enumerate(book["units"]):
        yield f"unit:{book['id']}/{unit['id']}", unit, unit
        for option, _ in _options(unit.get("options", ()), ("units", number, "options")):
            if "use" not in option:
                yield f"option:{unit['id']}/{node_id(option)}", option, unit


def _options(nodes: Sequence[Entry], path: Path) -> Iterator[tuple[Entry, Path]]:
    for node, here in _nodes(nodes, path):
        if "group" not in node:
            yield node, here


def _nodes(nodes: Sequence[Entry], path: Path) -> Iterator[tuple[Entry, Path]]:
    for number, node in enumerate(nodes):
        yield node, (*path, number)
        yield from _nodes(node.get("options", ()), (*path, number, "options"))


def option_complaints(book: Entry) -> Iterator[Complaint]:
    """Every id in a book's options, conditions and categories that means nothing."""
    yield from duplicates([{"id": node_id(node)} for node in book.get("options", ())], ("options",))
    yield from duplicates(book.get("categories", ()), ("categories",))
    yield from duplicates(book.get("organisations", ()), ("organisations",))
    names = Names(book)
    missing = list(_uses(book, names))
    yield from missing
    if missing:
        return
    yield from _cycles(names)
    checks = _Checks(book, names)
    for number, node in enumerate(book.get("categories", ())):
        yield from checks.entry(node, ("categories", number), None)
    for node, path in _nodes(book.get("options", ()), ("options",)):
        yield from checks.entry(node, path, None)
    for number, unit in enumerate(book["units"]):
        here: Path = ("units", number)
        yield from checks.unit(unit, here)
        for node, path in _nodes(unit.get("options", ()), (*here, "options")):
            yield from checks.entry(node, path, unit)


def _uses(book: Entry, names: Names) -> Iterator[Complaint]:
    sources: list[tuple[Sequence[Entry], Path]] = [(book.get("options", ()), ("options",))]
    sources += [
        (unit.get("options", ()), ("units", number, "options"))
        for number, unit in enumerate(book["units"])
    ]
    for nodes, start in sources:
        for node, path in _nodes(nodes, start):
            if "use" in node and node["use"] not in names.shared:
                message = f"The book has no shared option “{node['use']}”."
                yield Complaint(pointer((*path, "use")), message, "Define it under “options”.")


def _cycles(names: Names) -> Iterator[Complaint]:
    for number, name in enumerate(names.shared):
        if name in _reached(names, name, set()):
            message = f"“{name}” is used inside itself."
            yield Complaint(pointer(("options", number)), message, "Take it out there.")


def _reached(names: Names, name: str, seen: set[str]) -> set[str]:
    """The shared nodes that are used below one."""
    for node, _ in _nodes(names.shared[name].get("options", ()), ()):
        used = node.get("use")
        if used is not None and used not in seen:
            seen.add(used)
            _reached(names, used, seen)
    return seen


class _Checks:
    """Looks for ids that mean nothing, entry by entry."""

    def __init__(self, book: Entry, names: Names) -> None:
        self.names = names
        self.categories = {entry["id"] for entry in book.get("categories", ())}

    def unit(self, unit: Entry, path: Path) -> Iterator[Complaint]:
        size = unit.get("size")
        if isinstance(size, list) and size[0] > size[1]:
            message = f"The smallest size, {size[0]}, is above the largest, {size[1]}."
            yield Complaint(pointer((*path, "size")), message, "Write the smaller number first.")
        yield from self._twice(unit, path)
        yield from self.entry(unit, path, unit)

    def _twice(self, unit: Entry, path: Path) -> Iterator[Complaint]:
        seen: set[str] = set()
        for node, here in _nodes(unit.get("options", ()), (*path, "options")):
            if "id" in node and node["id"] in seen:
                message = f"The id “{node['id']}” stands twice below this unit."
                yield Complaint(pointer((*here, "id")), message, "Change one of them.")
            seen.add(node.get("id", ""))

    def entry(self, entry: Entry, path: Path, unit: Entry | None) -> Iterator[Complaint]:
        """Conditions, categories and the default of one unit, group, option or category."""
        unknown: list[str] = []
        resolve = self.names.resolver(unit, unknown)
        for data in _conditions(entry):
            for name, army in _named(data):
                resolve(name, army)
        for name in dict.fromkeys(unknown):
            message = f"“{name}” is no option, group or unit here."
            yield Complaint(pointer(path), message, "Mend its spelling.")
        for category in _categories(entry):
            if category not in self.categories:
                message = f"The book has no category “{category}”."
                yield Complaint(pointer(path), message, "Add it to “categories”.")
        default = entry.get("default")
        if default and "group" in entry and not self._inside(entry, default):
            message = f"The default “{default}” is not in the group."
            yield Complaint(pointer((*path, "default")), message, "Choose one that is.")

    def _inside(self, group: Entry, name: str) -> bool:
        for node, _ in _nodes(group.get("options", ()), ()):
            if node_id(node) == name:
                return True
            shared = self.names.shared.get(node.get("use", ""))
            if shared is not None and "group" in shared and self._inside(shared, name):
                return True
        return False


def _categories(entry: Entry) -> Iterator[str]:
    yield from entry.get("categories", ())
    for change in entry.get("when", ()):
        for field in ("add_category", "remove_category"):
            if field in change:
                yield change[field]


def _conditions(entry: Entry) -> Iterator[Entry]:
    """The conditions and counts an entry holds, outermost ones."""
    if "needs" in entry:
        yield entry["needs"]
    if entry.get("not_with"):
        yield {"taken": entry["not_with"]}
    if isinstance(entry.get("can_lead"), dict):
        yield entry["can_lead"]
    holders = [*entry.get("when", ()), *entry.get("keywords", ())]
    for profile in entry.get("profiles", ()):
        holders += profile.get("when", ())
    for holder in holders:
        if isinstance(holder, dict):
            yield from (holder[key] for key in ("if", "for_each") if key in holder)


def _named(data: Entry) -> Iterator[tuple[str, bool]]:
    """The ids a condition names, and whether in the army."""
    for key in ("any", "all"):
        for inner in data.get(key, ()):
            yield from _named(inner)
    if "not" in data:
        yield from _named(data["not"])
    if "taken" in data:
        ids = [data["taken"]] if isinstance(data["taken"], str) else data["taken"]
        yield from ((name, data.get("in") == "army") for name in ids)
    for key in ("unit", "organisation"):
        if key in data:
            yield data[key], True
