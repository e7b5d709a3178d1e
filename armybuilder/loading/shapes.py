"""What the schema of books cannot say: keys that fit the kind of entry they stand in, numbers in
their order, conditions that ask one thing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from armybuilder.engine.wording import marked, quote, say
from armybuilder.loading.references import Complaint, complaint

Entry = Mapping[str, Any]
Path = tuple[object, ...]

_CAPS = ("cap", "cap_models", "cap_points")
_PRICES = ("points", "points_per_model")
_BOUNDS = ("min", "max")
_COMMON = ("name", "needs", "not_with", "when")


@dataclass(frozen=True, slots=True)
class ShapeKind:
    """A kind of entry: its name in the format and in messages, the keys it may have (None: the
    schema says them), and the numbers its `when` may move.
    """

    name: str
    spoken: str
    keys: frozenset[str] | None
    fields: frozenset[str]


_MOVED = frozenset([*_PRICES, *_BOUNDS, *_CAPS, "army_min"])
_OPTION = (
    *("id", "number", "one_of_a_kind", "army_min", "categories", "keywords", "profiles", "item"),
    *("dominant", "on", "mount", "options", "note", "unchecked", "must_lead"),
    *(*_PRICES, *_CAPS, *_COMMON),
)
_GROUP = (
    *("group", "choose", "default", "allowance", "categories", "options", "note", "unchecked"),
    *_COMMON,
)
_USE = ("use", "number", "one_of_a_kind", "must_lead", "categories", *_PRICES, *_CAPS, *_COMMON)

UNIT = ShapeKind("unit", marked("A unit"), None, _MOVED)
CATEGORY = ShapeKind(
    "category", marked("A category"), None, frozenset([*_BOUNDS, "min_units", "max_units"])
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

#: What a condition asks, and what a count counts: one of these.
_QUESTIONS = (
    *("taken", "models", "limit", "organisation", "unit", "category", "role"),
    *("is", "not", "any", "all"),
)
_COUNTED = ("taken", "models", "limit")
#: What a condition stands under.
_HOLDERS = frozenset(
    ["needs", "can_lead", "must_lead", "when", "keywords", "unchecked", "profiles"]
)
#: What has a least and a most: pairs of numbers, and numbers that are keys of their own.
_PAIRS = ("size", "number", "choose")
_LOW_AND_HIGH = (_BOUNDS, ("min_units", "max_units"))
_RANGES = frozenset(chain(_PAIRS, *_LOW_AND_HIGH))


def kind_of(node: Entry, shared: Mapping[str, Entry]) -> ShapeKind:
    """Return what kind of node it is; of a use, by what it uses."""
    if "use" in node:
        return USED_GROUP if "group" in shared.get(node["use"], {}) else USED_OPTION
    return GROUP if "group" in node else OPTION


def shape_complaints(entry: Entry, path: Path, kind: ShapeKind) -> Iterator[Complaint]:
    """Yield what is wrong with the shape of a unit, option, group, use or category."""
    heads = [key for key in ("id", "group", "use") if key in entry]
    if kind.keys is not None and len(heads) > 1:
        message = say("It has {words}, but can be only one of them.", words=_listed(heads))
        yield complaint(path, message, say("Keep one of them."))
    elif kind.keys is not None and not entry.keys() <= kind.keys:
        for key in (key for key in entry if key not in kind.keys):
            advice = say("Remove it; see “{kind}” in catalogs/README.md.", kind=kind.name)
            yield complaint(
                path, say("{entry} has no “{key}”.", entry=say(kind.spoken), key=key), advice
            )
    yield from _orders(entry, path)
    for number, change in enumerate(entry.get("when", ())):
        yield from _change(change, (*path, "when", number), kind, entry)
    for condition, where in conditions(entry, path):
        yield from _condition(condition, where)


def _orders(entry: Entry, path: Path) -> Iterator[Complaint]:
    """Least and most, where both are there, in this order."""
    if _RANGES.isdisjoint(entry):
        return
    for key in _PAIRS:
        pair = entry.get(key)
        if isinstance(pair, list) and pair[0] is None:
            message = say("The minimum is missing.")
            yield complaint((*path, key), message, say("Write 0 for none."))
        elif isinstance(pair, list) and pair[1] is not None and pair[0] > pair[1]:
            yield _order(path, key, *pair)
    if isinstance(entry.get("size"), list) and entry["size"][0] == 0:
        message = say("A unit needs at least one model.")
        yield complaint((*path, "size"), message, say("Write 1 or more."))
    for low, high in _LOW_AND_HIGH:
        if low in entry and high in entry and _number(entry[low]) > _number(entry[high]):
            yield _order(path, high, entry[low], entry[high])


def _order(path: Path, key: str, low: object, high: object) -> Complaint:
    message = say("The minimum, {low}, is above the maximum, {high}.", low=low, high=high)
    return complaint((*path, key), message, say("Write the smaller number first."))


def _number(amount: int | str) -> int:
    return int(str(amount).removesuffix("%"))


def _change(change: Entry, path: Path, kind: ShapeKind, entry: Entry) -> Iterator[Complaint]:
    if "if" not in change and "for_each" not in change:
        message = say("It does not say when it holds.")
        yield complaint(path, message, say("Add “if” or “for_each”, or write the number."))
    for how in ("set", "add"):
        for field in change.get(how, ()):
            if field not in kind.fields:
                message = say("{entry} has no “{key}” to move.", entry=say(kind.spoken), key=field)
                advice = say("It has {words}.", words=_listed(sorted(kind.fields)))
                yield complaint((*path, how), message, advice)
            elif kind is UNIT and field in _BOUNDS and "size" not in entry:
                message = say(
                    "“{field}” of a unit is that of its size, and it has none.", field=field
                )
                yield complaint((*path, how), message, say("Add “size” to the unit."))
    for how in ("add_category", "remove_category"):
        if how in change and kind is not UNIT:
            message = say("Only a unit joins or leaves a category.")
            yield complaint((*path, how), message, say("Move it to the unit's “when”."))
    if "for_each" in change:
        yield from _count(change["for_each"], (*path, "for_each"))


def _count(count: Entry, path: Path) -> Iterator[Complaint]:
    asked = [key for key in _COUNTED if key in count]
    if len(asked) != 1:
        yield complaint(
            path,
            say("It must count one thing."),
            say("Name one of {words}.", words=_listed(_COUNTED)),
        )
    if "in" in count and "taken" not in count:
        yield complaint(path, say("“in” belongs to “taken”."), say("Remove it."))
    if "per" in count and "limit" in count:
        advice = say("Write the number of points there.")
        yield complaint(path, say("“limit” says itself per how many points."), advice)


def conditions(entry: Entry, path: Path) -> Iterator[tuple[Entry, Path]]:
    """Yield the conditions an entry holds, outermost ones, and where they stand."""
    if _HOLDERS.isdisjoint(entry):  # as most
        return
    for key in ("needs", "can_lead", "must_lead"):
        if isinstance(entry.get(key), dict):
            yield entry[key], (*path, key)
    for key in ("when", "keywords", "unchecked"):
        yield from _held(entry.get(key, ()), (*path, key))
    for number, profile in enumerate(entry.get("profiles", ())):
        yield from _held(profile.get("when", ()), (*path, "profiles", number, "when"))


def _held(holders: Iterable[object], path: Path) -> Iterator[tuple[Entry, Path]]:
    for number, holder in enumerate(holders):
        if isinstance(holder, dict) and "if" in holder:
            yield holder["if"], (*path, number, "if")


def _condition(data: Entry, path: Path) -> Iterator[Complaint]:
    asked = [key for key in _QUESTIONS if key in data]
    if not asked:
        message = say("The condition asks nothing.")
        yield complaint(path, message, say("Name one of {words}.", words=_listed(_QUESTIONS)))
    elif len(asked) > 1:
        message = say("The condition asks several things: {words}.", words=_listed(asked))
        yield complaint(path, message, say("Put each into an “all”."))
    elif "taken" not in data:
        for key in ("in", "as", "at_least", "at_most"):
            if key in data:
                message = say("“{key}” does not belong beside “{other}”.", key=key, other=asked[0])
                advice = (
                    say("Write it inside “{other}”.", other=asked[0])
                    if key != "in"
                    else say("Remove it.")
                )
                yield complaint(path, message, advice)
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
