"""Edits of event packs by a form: what the form says of a pack, and packs with what it says.

All are pure functions of pack documents. Whatever no field of the form speaks of stays as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from armybuilder.authoring.wording import free_id
from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import listed, marked, say
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

Data = Mapping[str, Any]
#: Kinds of books but those of players' own.
_NOT_OWN = ("official", "collected", "imported", "converted", "invented", "house")
#: Tags by which a rule of the form can mean units, beside the attributes of the game.
_KINDS = marked(
    {
        "category": "Category",
        "keyword": "Keyword",
        "tag": "Kind of model",
        "subtype": "Subtype",
        "height": "Height",
        "ability": "Ability",
    }
)
#: What a rule of the form can ask, with the sentence it gets where none is written.
ASKS = marked(
    {
        "most": "At most so many in a list",
        "least": "At least so many in a list",
        "none": "None of them",
        "copies": "Each of them at most so often",
        "models": "No unit of them with more models",
        "points": "No unit of them with more points",
    }
)
_SAID = marked(
    {
        "most": "At most {number} {count} in a list: {what}.",
        "least": "At least {number} {count} in a list: {what}.",
        "none": "Not allowed: {what}.",
        "copies": "Each at most {number} times in a list: {what}.",
        "models": "At most {number} models in a unit: {what}.",
        "points": "At most {number} points for a unit: {what}.",
    }
)
COUNTS = marked({"units": "units", "models": "models", "points": "points"})


@dataclass(frozen=True, slots=True)
class Basics:
    """What a form says of a pack: `sizes` in points, `books` those allowed (none: all). `in_order`:
    each of the lists has its own of the sizes.
    """

    name: str
    about: str
    by: str
    sizes: tuple[int, ...] = ()
    books: tuple[str, ...] = ()
    own_books: bool = True
    own_models: str = "yes"
    lists: int = 1
    in_order: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class NewRule:
    """A rule that a form adds: `asks` is of `ASKS`, `of` a selector (none: all units) that is
    called `what`, `number` units, models or points as `count` says, `place` where the pack says so.
    """

    asks: str
    of: Data | None
    what: str
    number: int
    count: str
    place: str
    summary: str = ""


def new_pack(system: System, name: str) -> Data:
    """Return a pack with nothing in it but a name, and one source to cite."""
    return {
        "format": "pack/1",
        "id": free_id(name, (), "pack"),
        "name": name,
        "about": name,
        "system": system.id,
        "sources": {"pack": {"title": name, "short": say("Pack")}},
        "rules": [],
    }


def basics_of(data: Data) -> Basics:
    """Return what the form says of a pack."""
    books, entry = _rule(data, "books") or {}, data.get("entry", {})
    return Basics(
        data["name"],
        data["about"],
        data.get("by", ""),
        tuple((_rule(data, "game-size") or {}).get("sizes", ())),
        tuple(books.get("allow", ())),
        "own" in books.get("kinds", ("own",)),
        books.get("own_models", "yes"),
        entry.get("lists", 1),
        "sizes" in entry,
        entry.get("hidden", False),
    )


def with_basics(data: Data, basics: Basics, names: Mapping[str, str]) -> Data:
    """Return the pack as the form says; `names` are those of the books by their ids."""
    changed = {**data, "name": basics.name, "about": basics.about or basics.name}
    changed.pop("by", None)
    if basics.by:
        changed["by"] = basics.by
    before = basics_of(data)
    for key in ("lists", "hidden"):
        if getattr(basics, key) != getattr(before, key):
            changed["entry"] = {**changed.get("entry", {}), key: getattr(basics, key)}
    if (basics.sizes, basics.in_order) != (before.sizes, before.in_order):
        changed["entry"] = _entry(changed.get("entry", {}), basics)
    if basics.sizes != before.sizes:
        changed["rules"] = _with(changed, "game-size", _sizes(basics))
    if _of_books(basics) != _of_books(before):
        changed["rules"] = _with(changed, "books", _books(basics, names, _rule(data, "books")))
    return changed


def _entry(entry: Data, basics: Basics) -> Data:
    kept = {key: value for key, value in entry.items() if key != "sizes"}
    return {**kept, "sizes": list(basics.sizes)} if basics.in_order else kept


def _of_books(basics: Basics) -> tuple[object, ...]:
    return basics.books, basics.own_books, basics.own_models


def _sizes(basics: Basics) -> Data | None:
    if not basics.sizes:
        return None
    told = listed([str(size) for size in basics.sizes])
    return {
        "code": "event.size",
        "summary": say("Lists have {sizes} points.", sizes=told),
        "sizes": list(basics.sizes),
    }


def _books(basics: Basics, names: Mapping[str, str], before: Data | None) -> Data | None:
    rule: dict[str, Any] = {}
    if basics.books:
        rule["allow"] = list(basics.books)
    if not basics.own_books:
        rule["kinds"] = [one for one in (before or {}).get("kinds", _NOT_OWN) if one != "own"]
    if basics.own_models != "yes":
        rule["own_models"] = basics.own_models
    if not rule:
        return None
    said = [say("Books: {names}.", names=listed([names.get(one, one) for one in basics.books]))]
    if not basics.books:
        said = []
    if not basics.own_books:
        said.append(say("No custom books."))
    if basics.own_models == "no":
        said.append(say("No custom models."))
    elif basics.own_models == "ask":
        said.append(say("Custom models with the organiser’s yes."))
    return {"code": "event.book", "summary": " ".join(said), **rule}


def _rule(data: Data, kind: str) -> Data | None:
    """Return the first rule of a kind, which is the one that the form speaks of."""
    return next((rule for rule in data["rules"] if rule["kind"] == kind), None)


def _with(data: Data, kind: str, told: Data | None) -> list[Data]:
    """Return the rules with that of the kind as told; None takes it out."""
    rules, found = list(data["rules"]), _rule(data, kind)
    if found is not None:
        place = rules.index(found)
        head = {key: found[key] for key in ("id", "kind", "code", "cite")}
        rules[place : place + 1] = [] if told is None else [{**told, **head}]
    elif told is not None:
        rules.insert(0, {**_head(data, kind, ""), **told})
    return rules


def _head(data: Data, kind: str, place: str) -> Data:
    taken = [rule["id"] for rule in _every_rule(data)]
    return {
        "id": free_id(f"event-{kind}", taken, "rule"),
        "kind": kind,
        "code": f"event.{kind}",
        "cite": place or str(len(data["rules"]) + 1),
    }


def _every_rule(data: Data) -> Iterator[Data]:
    yield from data["rules"]
    yield from (one["by"] for one in data.get("replace", ()))
    for part in data.get("book_rules", ()):
        yield from part["rules"]


def with_rule(data: Data, new: NewRule) -> Data:
    """Return the pack with one rule more. Raises Refusal where it lacks something."""
    if new.asks not in ASKS or new.count not in COUNTS:
        raise Refusal(say("Choose what the rule asks."))
    kind, told = _told(new)
    what = new.what or say("all units")
    count = say(COUNTS[new.count])
    said = say(_SAID[new.asks], number=new.number, count=count, what=what)
    rule = {**_head(data, kind, new.place), "summary": new.summary or said}
    if new.of is not None:
        rule["of"] = new.of
    return {**data, "rules": [*data["rules"], {**rule, **told}]}


def _told(new: NewRule) -> tuple[str, Data]:
    """Return the kind of rule that asks so, and how."""
    if new.asks == "none":
        if new.of is None:
            raise Refusal(say("Choose which units are not allowed."))
        return "limit", {"count": "units", "max": 0}
    if new.asks in ("most", "least"):
        return "limit", {"count": new.count, "max" if new.asks == "most" else "min": new.number}
    if new.asks == "copies":
        count = "models" if new.count == "models" else "units"
        return "copies", {"count": count, "max": new.number}
    return "each-unit", {"count": new.asks, "max": new.number}


def without_rule(data: Data, rule_id: str) -> Data:
    """Return the pack without the rule of that id."""
    return {**data, "rules": [rule for rule in data["rules"] if rule["id"] != rule_id]}


class Meant(NamedTuple):
    """Units that a rule can mean: the selector as "kind:value", and what people call it."""

    key: str
    name: str


def meant_groups(library: Library, system: System) -> list[tuple[str, list[Meant]]]:
    """Return groups of units that rules can mean, by what they have in common, under headings."""
    titles = {key: say(title) for key, title in _KINDS.items()}
    titles |= {key: one.name for key, one in system.attributes.items()}
    found: dict[str, set[str]] = defaultdict(set)
    for catalogue in _catalogues(library, system):
        for unit in catalogue.units.values():
            for tag in unit.tags:
                kind, _colon, value = tag.partition(":")
                if kind in titles and value:
                    found[kind].add(value)
    return [
        (title, sorted((Meant(f"{kind}:{one}", _name(system, kind, one)) for one in found[kind]),
                       key=lambda meant: meant.name.casefold()))
        for kind, title in titles.items() if found[kind]
    ]  # fmt: skip


def _catalogues(library: Library, system: System) -> Iterable[Any]:
    books = list(library.books[system.id])
    if not system.sized:
        return [library.catalogue(system.id, books)]
    return (library.catalogue(system.id, [one]) for one in books)


def _name(system: System, kind: str, value: str) -> str:
    if kind in system.attributes:
        return str(system.attributes[kind].values.get(value, value))
    if kind == "ability" and value in system.abilities:
        return str(system.abilities[value].name)
    return value.replace("-", " ").capitalize()


def unit_names(library: Library, system: System) -> dict[str, str]:
    """Return the units that rules can mean, by "name (book)": their refs."""
    return {
        f"{unit.name} ({unit.book_name})": unit.ref
        for catalogue in _catalogues(library, system)
        for unit in catalogue.units.values()
    }


def selector_of(key: str) -> Data | None:
    """Return the selector that "kind:value" stands for; None for all units."""
    kind, _colon, value = key.partition(":")
    return {kind: value} if value else None
