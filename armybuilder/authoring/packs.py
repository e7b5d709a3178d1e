"""Edits of event packs by a form: from pack to form fields and back.

All are pure functions of pack documents. Anything without a field in the form stays unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from armybuilder.authoring.wording import free_id
from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import listed, say
from armybuilder.loading.file_packs import FORMAT
from armybuilder.loading.forcelist import GameName
from armybuilder.loading.problems import Refusal

Data = Mapping[str, Any]
#: Kinds of books but those of players' own.
_NOT_OWN = ("official", "collected", "imported", "converted", "invented", "house")


@dataclass(frozen=True, slots=True)
class Basics:
    """The form of a pack: `sizes` in points, the allowed `books` (none: all), the `barred` ones.

    `in_order`: each of a player's lists has its own size; `team`: lists of a team, 0 for no teams.
    """

    name: str
    about: str
    by: str
    sizes: tuple[int, ...] = ()
    books: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    own_books: bool = True
    own_models: str = "yes"
    lists: int = 1
    in_order: bool = False
    hidden: bool = False
    team: int = 0


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
    """Return a pack's values for the form."""
    books, entry = _rule(data, "books") or {}, data.get("entry", {})
    return Basics(
        data["name"],
        data["about"],
        data.get("by", ""),
        tuple((_rule(data, "game-size") or {}).get("sizes", ())),
        tuple(books.get("allow", ())),
        tuple(books.get("deny", ())),
        "own" in books.get("kinds", ("own",)),
        books.get("own_models", "yes"),
        entry.get("lists", 1),
        "sizes" in entry,
        entry.get("hidden", False),
        data.get("team", {}).get("lists", 0),
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
    if basics.team != before.team:
        changed = _with_team(changed, basics.team)
    of_books = attrgetter("books", "barred", "own_books", "own_models")
    if of_books(basics) != of_books(before):
        changed["rules"] = _with(changed, "books", _books(basics, names, _rule(data, "books")))
    return changed


def _with_team(data: dict[str, Any], lists: int) -> dict[str, Any]:
    rules = data.get("team", {}).get("rules", [])
    if rules and not lists:
        raise Refusal(say("Remove the team rules first."))
    without = {key: value for key, value in data.items() if key != "team"}
    return without | ({"team": {"lists": lists, "rules": rules}} if lists else {})


def _books(basics: Basics, names: Mapping[str, str], before: Data | None) -> Data | None:
    rule: dict[str, Any] = {}
    sentences = []
    if basics.books:
        rule["allow"] = list(basics.books)
        named = listed([names.get(book, book) for book in basics.books])
        sentences.append(say("Books: {names}.", names=named))
    if basics.barred:
        rule["deny"] = list(basics.barred)
        named = listed([names.get(book, book) for book in basics.barred])
        sentences.append(say("Not these books: {names}.", names=named))
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


def ids_in(value: Any) -> Iterator[str]:
    """Yield all ids in a pack."""
    if isinstance(value, Mapping):
        if isinstance(value.get("id"), str):
            yield value["id"]
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from ids_in(one)


def _head(data: Data, kind: str, place: str) -> Data:
    return {
        "id": free_id(f"event-{kind}", [*ids_in(data)], "rule"),
        "kind": kind,
        "code": f"event.{kind}",
        "cite": place or str(len(data["rules"]) + 1),
    }


def new_file_pack(name: str, game: GameName) -> Data:
    """Return a pack for a game from files with nothing in it but a name."""
    return {
        "format": FORMAT,
        "id": free_id(name, (), "pack"),
        "name": name,
        "about": name,
        "game": game.to_dict(),
        "sources": {"pack": {"title": name, "short": say("Event pack")}},
        "rules": [],
    }
