"""Checks of the options of book files: every id that is named is there, and stands once."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import marked, say
from armybuilder.loading.names import Entry, IdNames, Path, node_id, walk
from armybuilder.loading.options import CAP_FIELDS
from armybuilder.loading.references import Complaint, complaint, duplicates
from armybuilder.loading.shapes import CATEGORY, UNIT, conditions, kind_of, shape_complaints

#: Options and groups below one unit, those of shared ones each time they are used.
MOST_NODES = 5000

#: What a name is not that some key of a condition asks for.
_NO = marked(
    {
        "unit": "unit here",
        "organisation": "organisation here",
        "category": "category here",
        "role": "role here",
        "is": "trait of the game",
    }
)


def option_complaints(book: Entry, system: System) -> Iterator[Complaint]:
    """Yield ids of options, conditions and categories that mean nothing, and misshapen entries."""
    nodes = list(_all_nodes(book))
    headless = list(_headless(nodes))
    yield from headless
    if headless:
        return
    yield from duplicates([{"id": node_id(node)} for node in book.get("options", ())], ("options",))
    yield from duplicates(book.get("categories", ()), ("categories",))
    yield from duplicates(book.get("organisations", ()), ("organisations",))
    names = IdNames(book, system.traits)
    astray = [*_uses(nodes, names), *_cycles(names)]
    astray = astray or list(_too_large(book, names))
    yield from astray
    if astray:
        return
    yield from _differing_caps(nodes)
    checks = _Checks(book, names, system)
    for number, category in enumerate(book.get("categories", ())):
        yield from checks.category(category, ("categories", number))
    for node, path in walk(book.get("options", ()), ("options",)):
        yield from checks.node(node, path, None)
    for number, unit in enumerate(book["units"]):
        here: Path = ("units", number)
        yield from checks.unit(unit, here)
        for node, path in walk(unit.get("options", ()), (*here, "options")):
            yield from checks.node(node, path, unit)


#: Nodes, each with its place in the file.
Nodes = Sequence[tuple[Entry, Path]]


def _all_nodes(book: Entry) -> Iterator[tuple[Entry, Path]]:
    """Yield every shared node and every node below a unit, with its place."""
    yield from walk(book.get("options", ()), ("options",))
    for number, unit in enumerate(book["units"]):
        yield from walk(unit.get("options", ()), ("units", number, "options"))


def _headless(nodes: Nodes) -> Iterator[Complaint]:
    """Nodes that say neither what they are nor what they use."""
    for node, path in nodes:
        if not node.keys() & {"id", "group", "use"}:
            message = say("“id”, “group” or “use” is missing.")
            yield complaint(path, message, say("Say what it is."))


def _uses(nodes: Nodes, names: IdNames) -> Iterator[Complaint]:
    for node, path in nodes:
        if "use" in node and node["use"] not in names.shared:
            message = say("The book has no shared option “{use}”.", use=node["use"])
            yield complaint((*path, "use"), message, say("Define it under “options”."))


def _differing_caps(nodes: Nodes) -> Iterator[Complaint]:
    """Uses of one shared option that say different caps: the army has one number of it."""
    first: dict[str, tuple[object, ...]] = {}
    for node, path in nodes:
        if "use" not in node:
            continue
        caps = tuple(node.get(field) for field in CAP_FIELDS)
        says = any(cap is not None for cap in caps)
        if says and first.setdefault(node["use"], caps) != caps:
            message = say("Another use of “{use}” has another cap.", use=node["use"])
            yield complaint(path, message, say("Write one cap, with the shared option."))


def _cycles(names: IdNames) -> Iterator[Complaint]:
    for number, name in enumerate(names.shared):
        if name in _reached(names, name, set()):
            message = say("“{name}” contains itself.", name=name)
            yield complaint(("options", number), message, say("Remove it there."))


def _too_large(book: Entry, names: IdNames) -> Iterator[Complaint]:
    """Units with more below them than anyone could choose from: uses inside uses multiply."""
    sizes: dict[str, int] = {}
    for number, unit in enumerate(book["units"]):
        found = _size(unit.get("options", ()), names, sizes)
        if found > MOST_NODES:
            message = say(
                "Below the unit there are {found} options; maximum {most}.",
                found=found,
                most=MOST_NODES,
            )
            yield complaint(("units", number), message, say("Use fewer shared groups."))


def _size(nodes: Sequence[Entry], names: IdNames, sizes: dict[str, int]) -> int:
    """Return how many options and groups there are; `sizes` has those of shared ones."""
    total = 0
    for node in nodes:
        used = node.get("use")
        if used is None:
            total += 1 + _size(node.get("options", ()), names, sizes)
        else:
            if used not in sizes:
                sizes[used] = _size([names.shared[used]], names, sizes)
            total += sizes[used]
    return total


def _reached(names: IdNames, name: str, seen: set[str]) -> set[str]:
    """Return the shared nodes that are used below one."""
    for node, _ in walk(names.shared[name].get("options", ()), ()):
        used = node.get("use")
        if used in names.shared and used not in seen:
            seen.add(used)
            _reached(names, used, seen)
    return seen


def _of_a_unit(key: str, name: str, army: bool) -> bool:
    """Return whether a condition that names this asks one unit."""
    return key in ("unit", "category", "role", "is") or (key == "taken" and not army)


def _group_id(node: Entry) -> str:
    """Return the id of a group; "" of anything else."""
    return str(node.get("group", ""))


class _Checks:
    """Looks for ids that mean nothing, entry by entry."""

    def __init__(self, book: Entry, names: IdNames, system: System) -> None:
        self.names = names
        self.known: Mapping[str, Collection[str]] = {
            "unit": names.units,
            "organisation": names.organisations,
            "category": {entry["id"] for entry in book.get("categories", ())},
            "role": system.roles,
            "is": system.traits,
        }
        below = {
            unit["id"]: [node for node, _ in walk(unit.get("options", ()), ()) if "use" not in node]
            for unit in book["units"]
        }
        # The army counts a group wherever it stands, not that of one unit.
        groups = Counter(
            name for nodes in below.values() for name in {*map(_group_id, nodes)} if name
        )
        self.own = {
            unit: {node_id(node) for node in nodes if groups[_group_id(node)] < 2}
            for unit, nodes in below.items()
        }

    def caps(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Yield what the army may hold is asked of the army, not of one unit."""
        for number, change in enumerate(entry.get("when", ())):
            fields = {*change.get("set", ()), *change.get("add", ())}
            if not fields & {*CAP_FIELDS, "army_min"}:
                continue
            asked = [change[key] for key in ("if", "for_each") if key in change]
            for data in asked:
                if "models" in data or any(_of_a_unit(*named) for named in _named(data)):
                    message = say("A cap is one of the army; it cannot ask about a unit.")
                    advice = say('Ask the army: add “"in": "army"”.')
                    yield complaint((*path, "when", number), message, advice)

    def category(self, category: Entry, path: Path) -> Iterator[Complaint]:
        """Yield a category asks about the army only: it stands in no unit."""
        yield from shape_complaints(category, path, CATEGORY)
        yield from self._references(category, path, None)
        for data in _conditions(category):
            for key, name, army in _named(data):
                if _of_a_unit(key, name, army):
                    message = say(
                        "A category stands in no unit that “{name}” could be asked of.", name=name
                    )
                    advice = say('Ask the army: add “"in": "army"”.')
                    yield complaint(path, message, advice)

    def unit(self, unit: Entry, path: Path) -> Iterator[Complaint]:
        """Yield a unit, and that no two things below it have one id."""
        yield from shape_complaints(unit, path, UNIT)
        yield from self.caps(unit, path)
        yield from self._references(unit, path, unit)
        seen: dict[str, Entry] = {}
        for node, here in self._below(unit.get("options", ()), (*path, "options")):
            name = node_id(node)
            if seen.setdefault(name, node) is not node:
                message = say("The id “{name}” occurs twice below this unit.", name=name)
                yield complaint(here, message, say("Change one of them."))

    def _below(self, nodes: Sequence[Entry], path: Path) -> Iterator[tuple[Entry, Path]]:
        """Yield options and groups below a unit, with the key of their id; shared where used."""
        for node, here in walk(nodes, path):
            if "use" not in node:
                yield node, (*here, "group" if "group" in node else "id")
                continue
            shared = self.names.shared[node["use"]]
            yield shared, (*here, "use")
            for inner, _ in self._below(shared.get("options", ()), ()):
                yield inner, (*here, "use")

    def node(self, node: Entry, path: Path, unit: Entry | None) -> Iterator[Complaint]:
        """Yield an option, a group or a use; `unit` None: a shared one."""
        yield from shape_complaints(node, path, kind_of(node, self.names.shared))
        yield from self._references(node, path, unit)
        yield from self.caps(node, path)
        default = node.get("default")
        if default is not None and default not in set(self._inside(node)):
            message = say("The default “{default}” is not in the group.", default=default)
            yield complaint((*path, "default"), message, say("Choose one that is."))

    def _references(self, entry: Entry, path: Path, unit: Entry | None) -> Iterator[Complaint]:
        unknown: dict[str, str] = {}
        for data in _conditions(entry):
            for key, name, army in _named(data):
                what = self._lacking(key, name, army, unit)
                if what:
                    unknown[name] = what
        for name, what in unknown.items():
            yield complaint(
                path, say("“{name}” is no {what}.", name=name, what=what), say("Fix the spelling.")
            )
        for category in _categories(entry):
            if category not in self.known["category"]:
                message = say("The book has no category “{category}”.", category=category)
                yield complaint(path, message, say("Add it to “categories”."))

    def _lacking(self, key: str, name: str, army: bool, unit: Entry | None) -> str:
        """Return what a name should be and is not; "" where all is well."""
        if key != "taken":
            return "" if name in self.known[key] else say(_NO[key])
        if "/" in name:
            home, _, option = name.partition("/")
            fits = army and option in self.own.get(home, ())
            return "" if fits else say("option of its own of a unit, to be asked of the army")
        unknown: list[str] = []
        self.names.resolver(unit, unknown)(name, army)
        if not unknown:
            return ""
        return say("option, group or unit of this book" if army else "option, group or unit here")

    def _inside(self, node: Entry) -> Iterator[str]:
        """Yield the options of a group, or of the group it uses, and of groups inside it."""
        node = self.names.shared[node["use"]] if "use" in node else node
        for inner in node.get("options", ()):
            used = self.names.shared[inner["use"]] if "use" in inner else inner
            if "group" in used:
                yield from self._inside(used)
            else:
                yield node_id(inner)


def _conditions(entry: Entry) -> Iterator[Entry]:
    """Yield the conditions and counts an entry holds, outermost ones."""
    yield from (data for data, _ in conditions(entry, ()))
    if entry.get("not_with"):
        yield {"taken": entry["not_with"]}
    yield from (change["for_each"] for change in entry.get("when", ()) if "for_each" in change)


def _named(data: Entry) -> Iterator[tuple[str, str, bool]]:
    """Yield the ids a condition names: under which key, the id, and whether in the army."""
    for key in ("any", "all"):
        for inner in data.get(key, ()):
            yield from _named(inner)
    if "not" in data:
        yield from _named(data["not"])
    if "taken" in data:
        ids = [data["taken"]] if isinstance(data["taken"], str) else data["taken"]
        yield from (("taken", name, data.get("in") == "army") for name in ids)
    for key in ("unit", "organisation", "category", "role", "is"):
        if key in data:
            yield key, data[key], True


def _categories(entry: Entry) -> Iterator[str]:
    yield from entry.get("categories", ())
    yield from entry.get("models_in", ())
    for change in entry.get("when", ()):
        for field in ("add_category", "remove_category"):
            if field in change:
                yield change[field]
