"""Army list documents: reading them from JSON, and resolving them into rosters."""

import hashlib
import json
from collections.abc import Container, Mapping
from typing import Any

from armybuilder.engine.abilities import AbilityUse
from armybuilder.engine.catalogue import Catalogue, Setting, System, Unit
from armybuilder.engine.options import Offer
from armybuilder.engine.prices import Price
from armybuilder.engine.roster import (
    OptionPick,
    Pick,
    Roster,
    SettingValue,
    Stray,
    given_picks,
    take,
)
from armybuilder.engine.units import finish, with_card
from armybuilder.engine.wording import say, say_count
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.loading.schemas import schema_problems

Document = dict[str, Any]

#: A document's mistakes are looked for until this many are found.
MOST_PROBLEMS = 100


def read_document(raw: bytes, name: str = "document") -> Document:
    """A document from JSON bytes that may come from anyone.

    Raises Refusal when it is too big, too deep, not JSON, or not as the schema says; its
    `problems` name every place.
    """
    return check_document(parse_json(raw, MAX_BYTES, MAX_DEPTH), name)


def check_document(data: Any, name: str = "document") -> Document:
    """The same from JSON that `parse_json` has read, alone or as a part of something larger.

    Raises Refusal when it is not as the schema says; its `problems` name every place.
    """
    if not isinstance(data, dict):
        raise Refusal(say("The file is JSON, but not an army list: it must be an object."))
    problems = schema_problems("armylist", data, name, MOST_PROBLEMS)
    if not problems:
        problems = _repeated_ids(data, name)
    if problems:
        raise Refusal(_told(problems), problems)
    return data


def _told(problems: list[Problem]) -> str:
    """The first mistake, where it is, and how many more there are."""
    first, *rest = problems
    what = first.message
    if first.pointer:
        what = say("At {place}: {what}", place=first.pointer, what=what)
    words = [say("This is not an army list."), what]
    if rest:
        words.append(
            say_count("{number} more mistake found.", "{number} more mistakes found.", len(rest))
        )
    return " ".join(words)


def _repeated_ids(data: Document, name: str) -> list[Problem]:
    seen: set[str] = set()
    problems = []
    for number, unit in enumerate(data["units"]):
        if unit["id"] in seen:
            where = f"/units/{number}/id"
            problems.append(
                Problem(
                    name, where, say("The id “{id}” is taken.", id=unit["id"]), say("Change it.")
                )
            )
        seen.add(unit["id"])
    return problems


def canonical(document: Document) -> bytes:
    """The document's canonical bytes: equal lists have equal bytes."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )


def hash_of(document: Document) -> str:
    """SHA-256 of the canonical bytes, 64 hexadecimal digits: equal lists have equal ones. Printouts
    show the first of them, and the frozen copy of a document is called by it.
    """
    return hashlib.sha256(canonical(document)).hexdigest()


def catalogue_of(document: Document, library: Library) -> Catalogue:
    """The catalogue the document draws from. Raises Refusal where its system is not here."""
    revisions = {book["id"]: book.get("revision", "") for book in document["books"]}
    return library.catalogue(document["system"], list(revisions), revisions)


def make_roster(document: Document, catalogue: Catalogue) -> Roster:
    """The roster a document describes; what it names and nobody knows becomes a stray.

    Raises Refusal where an own model lacks a statistic its price needs.
    """
    strays: list[Stray] = []
    known_books = {book.id for book in catalogue.books}
    strays += [
        Stray("", "book", book["id"]) for book in document["books"] if book["id"] not in known_books
    ]
    settings = _settings(document.get("settings", {}), catalogue, strays)
    picks = tuple(_pick(entry, catalogue, strays) for entry in document["units"])
    return Roster(document["limit"], picks, settings, tuple(strays))


def _settings(
    chosen: Mapping[str, Any], catalogue: Catalogue, strays: list[Stray]
) -> dict[str, SettingValue]:
    settings: dict[str, SettingValue] = {}
    system = catalogue.system
    for setting in system.settings.values():
        value = chosen.get(setting.id, setting.default)
        if setting.kind in ("pieces", "pool"):
            known = catalogue.units if setting.kind == "pool" else setting.values
            settings[setting.id] = _several(value, known, strays)
        else:
            settings[setting.id] = _setting_value(setting, value, system, strays)
    strays += [Stray("", "setting", name) for name in chosen if name not in system.settings]
    return settings


def _several(value: Any, known: Container[str], strays: list[Stray]) -> tuple[str, ...]:
    """What was chosen of many; what nobody knows is a stray."""
    if value is not None and not isinstance(value, list):
        value = [value]
    chosen = [str(piece) for piece in value or []]
    strays += [Stray("", "setting", piece) for piece in chosen if piece not in known]
    return tuple(piece for piece in chosen if piece in known)


def _setting_value(
    setting: Setting, value: Any, system: System, strays: list[Stray]
) -> SettingValue:
    """The value as the setting's kind wants it; anything else is a stray and the default counts."""
    if value is None:
        return setting.default
    if setting.kind == "number":
        if isinstance(value, int) and setting.low <= value <= setting.high:
            return value
    else:
        known: Mapping[str, object] = setting.values
        if setting.kind == "attribute":
            known = system.attributes[setting.attribute].values
        if isinstance(value, str) and value in known:
            return value
    strays.append(Stray("", "setting", f"{setting.name}: {value}"))
    return setting.default


def _pick(entry: Mapping[str, Any], catalogue: Catalogue, strays: list[Stray]) -> Pick:
    roles = tuple(role for role in entry.get("roles", ()) if role in catalogue.system.roles)
    strays += [
        Stray(entry["id"], "role", role)
        for role in entry.get("roles", ())
        if role not in catalogue.system.roles
    ]
    unit = _unit(entry, catalogue, strays)
    picks: tuple[OptionPick, ...] = ()
    if unit is not None and (unit.offer or entry.get("options")):
        picks = _options(entry.get("options", []), unit.offer, entry["id"], strays)
    return Pick(
        id=entry["id"],
        ref=entry.get("unit", "") or entry["profile"]["name"],
        unit=unit,
        models=entry["models"],
        roles=roles,
        name=entry.get("name", ""),
        notes=entry.get("notes", ""),
        picks=picks,
    )


def _unit(entry: Mapping[str, Any], catalogue: Catalogue, strays: list[Stray]) -> Unit | None:
    if "unit" not in entry:
        return own_unit(entry["profile"], catalogue, entry["id"], strays)
    unit = catalogue.units.get(entry["unit"])
    if unit is not None and entry.get("card") and unit.blanks:
        return with_card(catalogue.system, unit, entry["card"])
    return unit


def own_unit(
    profile: Mapping[str, Any], catalogue: Catalogue, pick_id: str, strays: list[Stray]
) -> Unit | None:
    """The unit of a player's own model; None where the system has no own models.

    Two own models of equal profile are the same unit, as two bases of one swarm are.
    Raises Refusal where a statistic is missing.
    """
    system = catalogue.system
    if not system.own_models:
        return None
    missing = [stat.name for stat in system.stats.values() if stat.id not in profile["stats"]]
    if missing:
        raise Refusal(
            say(
                "The own model “{name}” has no {missing}.", name=profile["name"], missing=missing[0]
            )
        )
    uses = []
    for use in profile["abilities"]:
        ability = catalogue.abilities.get(use["ability"])
        if ability is None:
            strays.append(Stray(pick_id, "ability", use["ability"]))
        else:
            uses.append(AbilityUse(ability, target=use.get("target", "")))
    unit = Unit(
        ref=f"own/{json.dumps(profile, sort_keys=True).casefold()}",
        name=profile["name"],
        price=Price(None),
        tags=frozenset(),
        stats=profile["stats"],
        abilities=tuple(uses),
        origin=say("own model"),
        own=True,
    )
    return finish(system, unit)


def _options(
    entries: list[Mapping[str, Any] | str], offer: Offer, pick_id: str, strays: list[Stray]
) -> tuple[OptionPick, ...]:
    """What is taken of an offer, with what is given beside it. What is given is written down only
    where something is taken on it.
    """
    given = {pick.id: pick for pick in given_picks(offer)}
    chosen: dict[str, OptionPick] = {}
    for written in entries:
        entry: Mapping[str, Any] = {"id": written} if isinstance(written, str) else written
        option_id = entry["id"]
        slots = offer.slots.get(option_id)
        if slots is None:
            strays.append(Stray(pick_id, "option", option_id))
            continue
        if option_id in chosen:
            again = Stray(pick_id, "repeated", option_id, slots[0].option.name)
            strays += [] if again in strays else [again]
            continue
        inner = _options(entry.get("options", []), slots[0].option.offer, pick_id, strays)
        had = given.get(option_id)
        number = max(entry.get("number", 1), had.number if had else 1)
        on = entry.get("on", "")
        if on and on not in slots[0].option.on:
            strays.append(Stray(pick_id, "option", f"{option_id} on {on}"))
        chosen[option_id] = take(slots, inner, number, on, had is not None)
    return tuple({**given, **chosen}.values())
