"""Edits of event packs by a form: from pack to form fields and back.

All are pure functions of pack documents. Anything without a field in the form stays unchanged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
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
        "most": "Maximum per list",
        "least": "Minimum per list",
        "none": "Not allowed",
        "copies": "Maximum of each",
        "models": "Maximum models per unit",
        "points": "Maximum points per unit",
    }
)
_SENTENCES = marked(
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
#: The same where models are bought singly: there nothing is asked of units.
_ASKS_OF_MODELS = marked({"points": "Maximum points per model"})
_SENTENCES_OF_MODELS = marked({"points": "At most {number} points for a model: {what}."})


@dataclass(frozen=True, slots=True)
class Basics:
    """The form of a pack: `sizes` in points, the allowed `books` (none: all).

    `in_order`: each of a player's lists has its own size.
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
    """A rule that a form adds: `asks` is of `ASKS`, `of` a selector (none: all units).

    Those are called `what`; `number` units, models or points as `count` says; `place` in the pack.
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
        "sources": {"pack": {"title": name, "short": say("Event pack")}},
        "rules": [],
    }


def copy_of(data: Data, name: str) -> Data:
    """Return a pack under another name, with an id of its own in logs and files."""
    return {**data, "name": name, "id": free_id(name, [data["id"]], "pack")}


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
        entry = {key: value for key, value in changed.get("entry", {}).items() if key != "sizes"}
        changed["entry"] = entry | ({"sizes": list(basics.sizes)} if basics.in_order else {})
    if basics.sizes != before.sizes:
        sizes = {
            "code": "event.size",
            "summary": say("Lists have {sizes} points.", sizes=listed(map(str, basics.sizes))),
            "sizes": list(basics.sizes),
        }
        changed["rules"] = _with(changed, "game-size", sizes if basics.sizes else None)
    of_books = attrgetter("books", "own_books", "own_models")
    if of_books(basics) != of_books(before):
        changed["rules"] = _with(changed, "books", _books(basics, names, _rule(data, "books")))
    return changed


def _books(basics: Basics, names: Mapping[str, str], before: Data | None) -> Data | None:
    rule: dict[str, Any] = {}
    sentences = []
    if basics.books:
        rule["allow"] = list(basics.books)
        named = listed([names.get(book, book) for book in basics.books])
        sentences.append(say("Books: {names}.", names=named))
    if not basics.own_books:
        rule["kinds"] = [kind for kind in (before or {}).get("kinds", _NOT_OWN) if kind != "own"]
        sentences.append(say("No custom books."))
    if basics.own_models != "yes":
        rule["own_models"] = basics.own_models
    if basics.own_models == "no":
        sentences.append(say("No custom models."))
    elif basics.own_models == "ask":
        sentences.append(say("Custom models with the organiser’s approval."))
    return {"code": "event.book", "summary": " ".join(sentences), **rule} if rule else None


def _rule(data: Data, kind: str) -> Data | None:
    return next((rule for rule in data["rules"] if rule["kind"] == kind), None)


def _with(data: Data, kind: str, body: Data | None) -> list[Data]:
    """Return the rules with the first of a kind replaced or added; None takes it out."""
    rules, old = list(data["rules"]), _rule(data, kind)
    if old is not None:
        place = rules.index(old)
        head = {key: old[key] for key in ("id", "kind", "code", "cite")}
        rules[place : place + 1] = [] if body is None else [{**body, **head}]
    elif body is not None:
        rules.insert(0, {**_head(data, kind, ""), **body})
    return rules


def _head(data: Data, kind: str, place: str) -> Data:
    rules = [*data["rules"], *(each["by"] for each in data.get("replace", ()))]
    rules += [rule for part in data.get("book_rules", ()) for rule in part["rules"]]
    return {
        "id": free_id(f"event-{kind}", [rule["id"] for rule in rules], "rule"),
        "kind": kind,
        "code": f"event.{kind}",
        "cite": place or str(len(data["rules"]) + 1),
    }


def asks_of(system: System) -> Mapping[str, str]:
    """Return what a rule of the form can ask in a game, by its key."""
    if system.sized:
        return ASKS
    return {key: text for key, text in (ASKS | _ASKS_OF_MODELS).items() if key != "models"}


def counts_of(system: System) -> Mapping[str, str]:
    """Return what a rule of the form can count in a game, by its key."""
    return {key: text for key, text in COUNTS.items() if system.sized or key != "units"}


def with_rule(data: Data, new: NewRule, system: System) -> Data:
    """Return the pack with one rule more. Raises Refusal where it lacks something."""
    if new.asks not in asks_of(system) or new.count not in COUNTS:
        raise Refusal(say("Choose a kind of rule."))
    sentences = _SENTENCES if system.sized else _SENTENCES | _SENTENCES_OF_MODELS
    if new.count not in counts_of(system):
        new = replace(new, count="models")
    kind, bounds = _bounds(new, system)
    every = say("all units") if system.sized else say("all models")
    what, count = new.what or every, say(COUNTS[new.count])
    sentence = say(sentences[new.asks], number=new.number, count=count, what=what)
    rule = {**_head(data, kind, new.place), "summary": new.summary or sentence}
    if new.of is not None:
        rule["of"] = new.of
    return {**data, "rules": [*data["rules"], {**rule, **bounds}]}


def _bounds(new: NewRule, system: System) -> tuple[str, Data]:
    if new.asks == "none":
        if new.of is None:
            if system.sized:
                raise Refusal(say("Choose which units are not allowed."))
            raise Refusal(say("Choose which models are not allowed."))
        return "limit", {"count": next(iter(counts_of(system))), "max": 0}
    if new.asks in ("most", "least"):
        return "limit", {"count": new.count, "max" if new.asks == "most" else "min": new.number}
    if new.asks == "copies":
        count = "models" if new.count == "models" or not system.sized else "units"
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
    titles |= {key: attribute.name for key, attribute in system.attributes.items()}
    values: dict[str, set[str]] = defaultdict(set)
    for catalogue in _catalogues(library, system):
        for unit in catalogue.units.values():
            for tag in unit.tags:
                kind, _colon, value = tag.partition(":")
                if kind in titles and value:
                    values[kind].add(value)
    groups = []
    for kind, title in titles.items():
        meant = [Meant(f"{kind}:{value}", _name(system, kind, value)) for value in values[kind]]
        if meant:
            groups.append((title, sorted(meant, key=lambda each: each.name.casefold())))
    return groups


def _catalogues(library: Library, system: System) -> Iterable[Any]:
    books = list(library.books[system.id])
    if not system.sized:
        return [library.catalogue(system.id, books)]
    return (library.catalogue(system.id, [book]) for book in books)


def _name(system: System, kind: str, value: str) -> str:
    if kind in system.attributes:
        return str(system.attributes[kind].values.get(value, value))
    if kind == "ability" and value in system.abilities:
        return str(system.abilities[value].name)
    return value.replace("-", " ").capitalize()


def unit_names(library: Library, system: System) -> dict[str, str]:
    """Return the units that rules can mean, by "name (book)": their refs."""
    return {
        unit.full_name: unit.ref
        for catalogue in _catalogues(library, system)
        for unit in catalogue.units.values()
    }


def selector_of(key: str) -> Data | None:
    """Return the selector of "kind:value"; None for all units."""
    kind, _colon, value = key.partition(":")
    return {kind: value} if value else None
