"""Checks of the options of book files that a schema cannot make.

Every id that is named is there, and once; keys fit the kind of entry, numbers are in their order,
conditions ask one thing.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import marked, quote, say
from armybuilder.loading.options import CAP_FIELDS, Entry, IdNames, Path, node_id, walk
from armybuilder.loading.references import Complaint, complaint, duplicates, found_at

#: Options and groups below one unit, those of shared ones each time they are used.
MOST_NODES = 5000

#: The kind of thing that a key of a condition needs, for names that are none.
_NO = marked(
    {
        "unit": "unit here",
        "organisation": "organisation here",
        "category": "category here",
        "role": "role here",
        "is": "trait of the game",
    }
)

_PRICES = ("points", "points_per_model")
_BOUNDS = ("min", "max")
_UNITS = ("min_units", "max_units")
_MODELS = ("min_models", "max_models")
_COMMON = ("name", "needs", "not_with", "when")


@dataclass(frozen=True, slots=True)
class ShapeKind:
    """A kind of entry: its name in the format and in messages.

    `keys` are those it may have (None: the schema says them), `fields` the numbers that its `when`
    may move.
    """

    name: str
    spoken: str
    keys: frozenset[str] | None
    fields: frozenset[str]


_MOVED = frozenset([*_PRICES, *_BOUNDS, *CAP_FIELDS, "army_min"])
_OPTION = (
    *("id", "number", "one_of_a_kind", "army_min", "categories", "keywords", "profiles", "item"),
    *("dominant", "on", "mount", "options", "note", "unchecked", "must_lead"),
    *(*_PRICES, *CAP_FIELDS, *_COMMON),
)
_GROUP = (
    *("group", "choose", "default", "allowance", "categories", "options", "note", "unchecked"),
    *_COMMON,
)
_USE = (
    *("use", "number", "one_of_a_kind", "must_lead", "categories"),
    *(*_PRICES, *CAP_FIELDS, *_COMMON),
)

UNIT = ShapeKind("unit", marked("A unit"), None, _MOVED)
CATEGORY = ShapeKind(
    "category", marked("A category"), None, frozenset([*_BOUNDS, *_UNITS, *_MODELS])
)
OPTION = ShapeKind("option", marked("An option"), frozenset(_OPTION), _MOVED)
GROUP = ShapeKind("group", marked("A group"), frozenset(_GROUP), frozenset([*_BOUNDS, "allowance"]))
USED_OPTION = ShapeKind(
    "use of an option", marked("A use of an option"), frozenset(_USE), _MOVED - {"army_min"}
)
USED_GROUP = ShapeKind(
    "use of a group",
    marked("A use of a group"),
    frozenset(["use", "choose", "default", "allowance", "categories", *_COMMON]),
    GROUP.fields,
)

#: Keys of a condition, and of a count: one of these.
_QUESTIONS = (
    *("taken", "models", "limit", "organisation", "unit", "category", "role"),
    *("is", "not", "any", "all"),
)
_COUNTED = ("taken", "models", "limit")
#: Where entries have conditions, and name categories, by the key where that begins.
_CONDITIONS_AT = {
    **{key: key for key in ("needs", "can_lead", "must_lead")},
    **{key: f"{key}/*/if" for key in ("when", "keywords", "unchecked")},
    "profiles": "profiles/*/when/*/if",
}
_CATEGORIES_AT = (
    *(("categories", "categories/*"), ("models_in", "models_in/*")),
    *(("when", "when/*/add_category"), ("when", "when/*/remove_category")),
)
#: What nodes go by, one of them; and by that the keys that say nothing to be checked.
_HEADS = ("id", "group", "use")
_PLAIN = {
    "id": {
        *("id", "name", "note", "item", "dominant", "on", "mount", "one_of_a_kind", "options"),
        *(*_PRICES, *CAP_FIELDS),
    },
    "group": {"group", "name", "note", "options"},
    "use": {"use", "name"},
}
#: Keys with a minimum and a maximum: pairs of numbers, and numbers with a key each.
_PAIRS = ("size", "number", "choose")
_LOW_AND_HIGH = (_BOUNDS, _UNITS, _MODELS)


def option_complaints(book: Entry, system: System) -> Iterator[Complaint]:
    """Yield ids of options, conditions and categories that mean nothing, and misshapen entries."""
    shared = list(walk(book.get("options", ()), ("options",)))
    own = [
        list(walk(unit.get("options", ()), ("units", number, "options")))
        for number, unit in enumerate(book["units"])
    ]
    nodes = list(chain(shared, *own))
    headless = [path for node, path in nodes if node.keys().isdisjoint(_HEADS)]
    for path in headless:
        yield complaint(path, "“id”, “group” or “use” is missing.", "Add one of them.")
    if headless:
        return
    yield from duplicates([{"id": node_id(node)} for node in book.get("options", ())], ("options",))
    yield from duplicates(book.get("categories", ()), ("categories",))
    yield from duplicates(book.get("organisations", ()), ("organisations",))
    names = IdNames(book, system.traits)
    astray = list(_uses(nodes, names))
    astray = astray or list(_too_large(book, names))
    yield from astray
    if astray:
        return
    # The army has one number of a shared option.
    first: dict[str, tuple[object, ...]] = {}
    for node, path in nodes:
        if "use" in node and any(node.get(field) is not None for field in CAP_FIELDS):
            caps = tuple(node.get(field) for field in CAP_FIELDS)
            if first.setdefault(node["use"], caps) != caps:
                message = marked("“{use}” has a different cap elsewhere.")
                advice = marked("Write one cap, with the shared option.")
                yield complaint(path, message, advice, use=node["use"])
    checks = _Checks(book, names, system, dict(zip(names.units, own, strict=False)))
    for number, category in enumerate(book.get("categories", ())):
        yield from checks.category(category, ("categories", number))
    for node, path in shared:
        yield from checks.node(node, path, None)
    for number, unit in enumerate(book["units"]):
        yield from checks.unit(unit, ("units", number))
        for node, path in own[number]:
            yield from checks.node(node, path, unit)


#: Nodes, each with its place in the file.
Nodes = Sequence[tuple[Entry, Path]]


def _uses(nodes: Nodes, names: IdNames) -> Iterator[Complaint]:
    """Yield uses of undefined shared nodes, and shared nodes that use themselves."""
    for node, path in nodes:
        if "use" in node and node["use"] not in names.shared:
            message = marked("The book has no shared option “{use}”.")
            yield complaint((*path, "use"), message, "Define it under “options”.", use=node["use"])
    for number, name in enumerate(names.shared):
        if name in _reached(names, name, set()):
            message = marked("“{name}” contains itself.")
            yield complaint(("options", number), message, "Remove it there.", name=name)


def _reached(names: IdNames, name: str, seen: set[str]) -> set[str]:
    """Return the shared nodes that are used below one."""
    for node, _ in walk(names.shared[name].get("options", ()), ()):
        used = node.get("use")
        if used in names.shared and used not in seen:
            seen.add(used)
            _reached(names, used, seen)
    return seen


def _too_large(book: Entry, names: IdNames) -> Iterator[Complaint]:
    """Yield units with more below them than anyone could choose from: uses inside uses multiply."""
    sizes: dict[str, int] = {}

    def size(nodes: Sequence[Entry]) -> int:
        total = 0
        for node in nodes:
            used = node.get("use")
            if used is None:
                total += 1 + size(node.get("options", ()))
            else:
                if used not in sizes:
                    sizes[used] = size([names.shared[used]])
                total += sizes[used]
        return total

    for number, unit in enumerate(book["units"]):
        found = size(unit.get("options", ()))
        if found > MOST_NODES:
            path, advice = ("units", number), marked("Use fewer shared groups.")
            message = marked("The unit has {found} options; the maximum is {most}.")
            yield complaint(path, message, advice, found=found, most=MOST_NODES)


class _Checks:
    """Looks for ids that mean nothing, entry by entry; `own` are the nodes below each unit."""

    def __init__(
        self, book: Entry, names: IdNames, system: System, own: Mapping[str, Nodes]
    ) -> None:
        self.names = names
        self.known: Mapping[str, Collection[str]] = {
            "unit": names.units,
            "organisation": names.organisations,
            "category": {entry["id"] for entry in book.get("categories", ())},
            "role": system.roles,
            "is": system.traits,
        }
        # The army counts a group in all units, not that of one unit.
        groups = Counter(
            name
            for nodes in own.values()
            for name in {node["group"] for node, _ in nodes if "group" in node}
        )
        self.own = {
            unit: {
                node_id(node)
                for node, _ in nodes
                if "use" not in node and groups[node.get("group", "")] < 2
            }
            for unit, nodes in own.items()
        }

    def category(self, category: Entry, path: Path) -> Iterator[Complaint]:
        """Yield faults of a category, whose conditions check the army: it is part of no unit."""
        yield from _shape(category, path, CATEGORY)
        yield from self.references(category, path, None)
        for data in _questions(category):
            for key, name, army in _named(data):
                if _of_a_unit(key, army):
                    message, advice = marked(
                        (
                            "A category isn’t part of a unit, so it can’t use “{name}”.",
                            'To check the army instead, add “"in": "army"”.',
                        )
                    )
                    yield complaint(path, message, advice, name=name)

    def unit(self, unit: Entry, path: Path) -> Iterator[Complaint]:
        """Yield faults of a unit, such as one id for two nodes below it."""
        yield from _shape(unit, path, UNIT)
        yield from self.caps(unit, path)
        yield from self.references(unit, path, unit)
        seen: dict[str, Entry] = {}
        for node, here in self.names.nodes(unit.get("options", ()), (*path, "options")):
            name = node_id(node)
            if seen.setdefault(name, node) is not node:
                message = marked("The id “{name}” occurs twice below this unit.")
                yield complaint(here, message, "Change one of them.", name=name)

    def node(self, node: Entry, path: Path, unit: Entry | None) -> Iterator[Complaint]:
        """Yield faults of an option, a group or a use; `unit` None: a shared one."""
        head = "use" if "use" in node else "group" if "group" in node else "id"
        if node.keys() <= _PLAIN[head]:
            return
        yield from _shape(node, path, _kind_of(node, self.names.shared))
        yield from self.references(node, path, unit)
        yield from self.caps(node, path)
        default = node.get("default")
        if default is not None and default not in self.inside(node):
            message = marked("The default “{default}” is not in the group.")
            yield complaint((*path, "default"), message, "Choose one that is.", default=default)

    def inside(self, node: Entry) -> Iterator[str]:
        """Yield the options of a group, or of the group it uses, and of groups inside it."""
        node = self.names.shared[node["use"]] if "use" in node else node
        for inner in node.get("options", ()):
            used = self.names.shared[inner["use"]] if "use" in inner else inner
            if "group" in used:
                yield from self.inside(used)
            else:
                yield node_id(inner)

    def caps(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Yield caps, which apply to the army, with conditions on one unit."""
        for number, change in enumerate(entry.get("when", ())):
            fields = {*change.get("set", ()), *change.get("add", ())}
            if fields.isdisjoint((*CAP_FIELDS, "army_min")):
                continue
            for data in (change[key] for key in ("if", "for_each") if key in change):
                if "models" in data or any(_of_a_unit(key, army) for key, _, army in _named(data)):
                    message = marked("A cap applies to the army, so it can’t depend on a unit.")
                    advice = marked('To check the army instead, add “"in": "army"”.')
                    yield complaint((*path, "when", number), message, advice)

    def references(self, entry: Entry, path: Path, unit: Entry | None) -> Iterator[Complaint]:
        unknown: dict[str, str] = {}
        for data in _questions(entry):
            for key, name, army in _named(data):
                if what := self.lacking(key, name, army, unit):
                    unknown[name] = what
        for name, what in unknown.items():
            yield complaint(path, "There is no {what} called “{name}”.", name=name, what=what)
        places = (place for key, place in _CATEGORIES_AT if key in entry)
        for _, category in chain.from_iterable(found_at(entry, place) for place in places):
            if category not in self.known["category"]:
                message = marked("The book has no category “{category}”.")
                yield complaint(path, message, "Add it to “categories”.", category=category)

    def lacking(self, key: str, name: str, army: bool, unit: Entry | None) -> str:
        """Return the kind of thing that a name should be but isn't; "" without a fault."""
        if key != "taken":
            return "" if name in self.known[key] else say(_NO[key])
        if "/" in name:
            home, _, option = name.partition("/")
            fits = army and option in self.own.get(home, ())
            return "" if fits else say("option of a unit that the army can check")
        unknown: list[str] = []
        self.names.resolver(unit, unknown)(name, army)
        if not unknown:
            return ""
        return say("option, group or unit of this book" if army else "option, group or unit here")


def _of_a_unit(key: str, army: bool) -> bool:
    """Return whether a condition that names something under this key asks one unit."""
    return key in ("unit", "category", "role", "is") or (key == "taken" and not army)


def _questions(entry: Entry) -> Iterator[Entry]:
    """Yield the conditions and counts an entry holds, outermost ones."""
    yield from (data for data, _ in _conditions(entry, ()))
    if entry.get("not_with"):
        yield {"taken": entry["not_with"]}
    if "when" in entry:
        yield from (count for _, count in found_at(entry, "when/*/for_each"))


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


def _kind_of(node: Entry, shared: Mapping[str, Entry]) -> ShapeKind:
    if "use" in node:
        return USED_GROUP if "group" in shared.get(node["use"], {}) else USED_OPTION
    return GROUP if "group" in node else OPTION


def _shape(entry: Entry, path: Path, kind: ShapeKind) -> Iterator[Complaint]:
    """Yield faults in the shape of a unit, option, group, use or category."""
    heads = [key for key in _HEADS if key in entry]
    if kind.keys is not None and len(heads) > 1:
        message = marked("It has {words}; only one is allowed.")
        yield complaint(path, message, "Keep one of them.", words=_listed(heads))
    elif kind.keys is not None and not entry.keys() <= kind.keys:
        for key in (key for key in entry if key not in kind.keys):
            message = marked("{entry} has no “{key}”.")
            advice = marked("Remove it; see “{kind}” in catalogs/README.md.")
            yield complaint(path, message, advice, entry=say(kind.spoken), key=key, kind=kind.name)
    for pair_key in _PAIRS:
        pair = entry.get(pair_key)
        if isinstance(pair, list) and pair[0] is None:
            yield complaint((*path, pair_key), "The minimum is missing.", "Write 0 for none.")
        elif isinstance(pair, list) and pair[1] is not None and pair[0] > pair[1]:
            yield _order(path, pair_key, *pair)
    if isinstance(entry.get("size"), list) and entry["size"][0] == 0:
        yield complaint((*path, "size"), "A unit needs at least one model.", "Write 1 or more.")
    for low, high in _LOW_AND_HIGH:
        if low in entry and high in entry and _number(entry[low]) > _number(entry[high]):
            yield _order(path, high, entry[low], entry[high])
    for number, change in enumerate(entry.get("when", ())):
        yield from _change(change, (*path, "when", number), kind, entry)
    for condition, where in _conditions(entry, path):
        yield from _condition(condition, where)


def _order(path: Path, key: str, low: object, high: object) -> Complaint:
    message = marked("The minimum, {low}, is above the maximum, {high}.")
    return complaint((*path, key), message, "Write the smaller number first.", low=low, high=high)


def _number(amount: int | str) -> int:
    return int(str(amount).removesuffix("%"))


def _change(change: Entry, path: Path, kind: ShapeKind, entry: Entry) -> Iterator[Complaint]:
    if "if" not in change and "for_each" not in change:
        advice = marked("Add “if” or “for_each”, or write the number.")
        yield complaint(path, "The condition for it is missing.", advice)
    for how in ("set", "add"):
        for field in change.get(how, ()):
            if field not in kind.fields:
                message, advice = marked(("{entry} has no “{key}” to move.", "It has {words}."))
                named = {"entry": say(kind.spoken), "key": field}
                words = _listed(sorted(kind.fields))
                yield complaint((*path, how), message, advice, words=words, **named)
            elif kind is UNIT and field in _BOUNDS and "size" not in entry:
                message = marked("“{field}” belongs to a unit’s size, but this unit has no size.")
                yield complaint((*path, how), message, "Add “size” to the unit.", field=field)
    for how in ("add_category", "remove_category"):
        if how in change and kind is not UNIT:
            message = marked("Only a unit can join or leave a category.")
            yield complaint((*path, how), message, "Move it to the unit’s “when”.")
    if "for_each" in change:
        count, place = change["for_each"], (*path, "for_each")
        if sum(key in count for key in _COUNTED) != 1:
            message = marked("It must count one thing.")
            yield complaint(place, message, "Name one of {words}.", words=_listed(_COUNTED))
        if "in" in count and "taken" not in count:
            yield complaint(place, "“in” only works with “taken”.", "Remove it.")
        if "per" in count and "limit" in count:
            message = marked("“limit” already says per how many points.")
            yield complaint(place, message, "Write the number of points there.")


def _conditions(entry: Entry, path: Path) -> Iterator[tuple[Entry, Path]]:
    """Yield the conditions of an entry, outermost ones, and their places."""
    if _CONDITIONS_AT.keys().isdisjoint(entry):  # as most
        return
    for key, place in _CONDITIONS_AT.items():
        for where, condition in found_at(entry, place) if key in entry else ():
            if isinstance(condition, dict):
                yield condition, (*path, *where)


def _condition(data: Entry, path: Path) -> Iterator[Complaint]:
    questions = [key for key in _QUESTIONS if key in data]
    if not questions:
        words = _listed(_QUESTIONS)
        yield complaint(path, "The condition is empty.", "Name one of {words}.", words=words)
    elif len(questions) > 1:
        message = marked("The condition has several parts: {words}.")
        yield complaint(path, message, "Put each into an “all”.", words=_listed(questions))
    elif "taken" not in data:
        for key in ("in", "as", "at_least", "at_most"):
            if key in data:
                message = marked("“{key}” and “{other}” can’t be used together.")
                advice = marked("Remove it." if key == "in" else "Write it inside “{other}”.")
                yield complaint(path, message, advice, key=key, other=questions[0])
    for bounds in (data, data.get("models", {}), data.get("limit", {})):
        low, high = bounds.get("at_least"), bounds.get("at_most")
        if low is not None and high is not None and low > high:
            yield _order(path, "at_least", low, high)
    for key in ("any", "all"):
        for number, inner in enumerate(data.get(key, ())):
            yield from _condition(inner, (*path, key, number))
    if "not" in data:
        yield from _condition(data["not"], (*path, "not"))


def _listed(words: Iterable[str]) -> str:
    return ", ".join(map(quote, words))
