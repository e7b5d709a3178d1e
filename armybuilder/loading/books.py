"""Book files: from JSON that has passed the schema to a frozen `Book` of finished units."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from armybuilder.engine.catalogue import AbilityUse, Book, Option, Spell, System, Unit
from armybuilder.engine.prices import Price
from armybuilder.engine.units import finish
from armybuilder.loading.problems import Problem, pointer
from armybuilder.loading.references import Complaint, duplicates

_ABILITY = re.compile(r"^(?P<id>[a-z0-9-]+)(?: (?P<rating>-?\d+|\?))?(?:: (?P<target>.+))?$")


def revision_of(data: Mapping[str, Any]) -> str:
    """Hash of a book's content: the same for files that differ in layout only."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def build_book(
    data: Mapping[str, Any], system: System, file: str
) -> tuple[Book | None, list[Problem]]:
    """The book, or None and all its mistakes."""
    complaints = list(_complaints(data, system))
    if complaints:
        return None, [Problem(file, *complaint) for complaint in complaints]
    units = [_unit(entry, data, system) for entry in data["units"]]
    wrong = [
        Problem(file, f"/units/{number}/points", *mistake)
        for number, (entry, unit) in enumerate(zip(data["units"], units, strict=True))
        if (mistake := _price_mistake(entry, unit, system))
    ]
    if wrong:
        return None, wrong
    book = Book(
        id=data["id"],
        system=data["system"],
        name=data["name"],
        about=data["about"],
        kind=data["kind"],
        source=" — ".join(filter(None, (data["source"]["title"], data["source"].get("note")))),
        revision=revision_of(data),
        units={unit.ref: unit for unit in units},
        ability_points=data.get("ability_points", {}),
    )
    return book, []


def read_ability(entry: str | Mapping[str, Any]) -> dict[str, Any]:
    """The long form of an ability: "commander ?" becomes {"ability": "commander", "rating": None}.

    "rating" is left out where the short form has none.
    """
    if not isinstance(entry, str):
        return dict(entry)
    match = _ABILITY.match(entry)
    if match is None:
        raise ValueError(f"not an ability: {entry!r}")
    use: dict[str, Any] = {"ability": match["id"]}
    if match["rating"] is not None:
        use["rating"] = None if match["rating"] == "?" else int(match["rating"])
    if match["target"] is not None:
        use["target"] = match["target"]
    return use


def _complaints(data: Mapping[str, Any], system: System) -> Iterator[Complaint]:
    yield from duplicates(data["units"], ("units",))
    for ability in data.get("ability_points", {}):
        if ability not in system.abilities:
            where = pointer(("ability_points", ability))
            yield Complaint(
                where, f"{system.name} has no ability “{ability}”.", "Mend its spelling."
            )
    for number, entry in enumerate(data["units"]):
        yield from _unit_complaints(entry, system, ("units", number))


def _unit_complaints(
    entry: Mapping[str, Any], system: System, path: tuple[object, ...]
) -> Iterator[Complaint]:
    for attribute, value in entry.get("attributes", {}).items():
        where = pointer((*path, "attributes", attribute))
        if attribute not in system.attributes:
            yield Complaint(where, f"{system.name} has no attribute “{attribute}”.", "Remove it.")
            continue
        known = system.attributes[attribute].values
        several = not isinstance(value, str) and len(value) > 1
        if several and system.faction and system.faction.attribute == attribute:
            yield Complaint(where, "A unit is of one faction in this game.", "Name one.")
        for single in [value] if isinstance(value, str) else value:
            if single not in known:
                advice = f"Choose one of {', '.join(known)}."
                yield Complaint(where, f"{attribute} has no value “{single}”.", advice)
    stats = entry.get("stats", {})
    for stat, value in stats.items():
        where = pointer((*path, "stats", stat))
        if stat not in system.stats:
            yield Complaint(where, f"{system.name} has no statistic “{stat}”.", "Remove it.")
        elif system.stats[stat].text != isinstance(value, str):
            text = system.stats[stat].text
            message = f"{system.stats[stat].name} must be {'a text' if text else 'a whole number'}."
            advice = "Put it in double quotes." if text else "Write it without quotes."
            yield Complaint(where, message, advice)
    if system.formula is None and "points" not in entry:
        where = pointer(path)
        yield Complaint(where, "“points” is missing.", "Write null where they are not known.")
    if system.formula is not None:
        for stat in (*system.formula.weights, system.formula.statistic):
            if stat not in stats:
                yield Complaint(pointer((*path, "stats")), f"The price needs “{stat}”.", "Add it.")
    seen: set[str] = set()
    for number, ability in enumerate(entry.get("abilities", ())):
        use = read_ability(ability)
        known_ability = system.abilities.get(use["ability"])
        if str(use) in seen and known_ability and not known_ability.target:
            where = pointer((*path, "abilities", number))
            yield Complaint(where, f"{known_ability.name} stands here twice.", "Remove one.")
        seen.add(str(use))
        yield from _ability_complaints(ability, system, (*path, "abilities", number))
    for number, spell in enumerate(entry.get("spells", ())):
        if spell.split(" ")[0] not in system.spells:
            where = pointer((*path, "spells", number))
            yield Complaint(where, f"{system.name} has no spell “{spell}”.", "Mend its spelling.")
    yield from _option_complaints(entry.get("options", ()), (*path, "options"))


def _ability_complaints(
    entry: str | Mapping[str, Any], system: System, path: Sequence[object]
) -> Iterator[Complaint]:
    use = read_ability(entry)
    where = pointer(path)
    ability = system.abilities.get(use["ability"])
    if ability is None:
        message = f"{system.name} has no ability “{use['ability']}”."
        yield Complaint(where, message, "Mend its spelling, or define it in the system.")
        return
    if ability.rating == "none" and "rating" in use:
        yield Complaint(where, f"{ability.name} has no rating.", "Remove the number.")
    if (use.get("rating") or 0) < 0 and ability.rating != "plus":
        yield Complaint(where, f"{ability.name} has no rating below 0.", "Mend the number.")
    if ability.rating != "none" and "rating" not in use and not ability.rating_optional:
        advice = f"Write “{ability.id} 2”, or “{ability.id} ?” where it is not known."
        yield Complaint(where, f"{ability.name} needs a rating.", advice)
    if ability.target and not ability.target_optional and not use.get("target"):
        advice = f"Write “{ability.id}: ...”."
        yield Complaint(where, f"{ability.name} must name a {ability.target}.", advice)


def _option_complaints(
    options: Sequence[Mapping[str, Any]], path: tuple[object, ...]
) -> Iterator[Complaint]:
    yield from duplicates(options, path)
    for number, option in enumerate(options):
        yield from _option_complaints(option.get("options", ()), (*path, number, "options"))


def _price_mistake(entry: Mapping[str, Any], unit: Unit, system: System) -> tuple[str, str] | None:
    """Where a formula decides the price, printed points must agree with it."""
    printed = entry.get("points")
    if system.formula is None or printed is None or printed == unit.price.start:
        return None
    return (
        f"{unit.name} has {printed} points, but the formula gives {unit.price.start}.",
        "Mend the statistics or abilities, or leave the points out.",
    )


def _unit(entry: Mapping[str, Any], book: Mapping[str, Any], system: System) -> Unit:
    unit = Unit(
        ref=f"{book['id']}/{entry['id']}",
        name=entry["name"],
        book=book["id"],
        group=entry.get("group", ""),
        price=Price.each(entry.get("points")),
        tags=frozenset(),
        attributes={
            attribute: (value,) if isinstance(value, str) else tuple(value)
            for attribute, value in entry.get("attributes", {}).items()
        },
        stats=entry.get("stats", {}),
        abilities=tuple(_use(ability, system) for ability in entry.get("abilities", ())),
        spells=tuple(_spell(spell, system) for spell in entry.get("spells", ())),
        options={option["id"]: _option(option) for option in entry.get("options", ())},
        subtype=entry.get("subtype", ""),
        note=entry.get("note", ""),
        origin=_origin(entry),
        sources=tuple(entry.get("sources", ())),
    )
    return finish(system, unit)


def _use(entry: str | Mapping[str, Any], system: System) -> AbilityUse:
    use = read_ability(entry)
    rating = use.get("rating")
    return AbilityUse(
        ability=system.abilities[use["ability"]],
        rating=rating,
        target=use.get("target", ""),
        uses=use.get("uses", 0),
        known="rating" not in use or rating is not None,
    )


def _spell(entry: str, system: System) -> Spell:
    spell, _, uses = entry.partition(" x")
    return Spell(system.spells[spell], int(uses) if uses else 1)


def _option(entry: Mapping[str, Any]) -> Option:
    each = entry.get("points_per_model", 0)
    return Option(
        id=entry["id"],
        name=entry["name"],
        price=Price(entry.get("points", 0) + each, 1, each),
        tags=frozenset([f"option:{entry['id']}"]),
        options={inner["id"]: _option(inner) for inner in entry.get("options", ())},
    )


def _origin(entry: Mapping[str, Any]) -> str:
    """Where a unit's numbers come from and how sure they are, in a few words."""
    confidence = entry.get("confidence")
    told = [
        entry.get("set"),
        entry.get("certainty"),
        f"confidence {confidence}" if confidence else "",
    ]
    return ", ".join(filter(None, told))
