"""Book files: from JSON that has passed the schema to a frozen `Book` of finished units."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from armybuilder.engine.amounts import Amount, read_changes
from armybuilder.engine.catalogue import (
    AbilityUse,
    Book,
    CategoryChange,
    PriceChange,
    Spell,
    System,
    Unit,
)
from armybuilder.engine.conditions import AllOf, Condition, Resolve, army_tags, read_condition
from armybuilder.engine.prices import Price
from armybuilder.engine.units import finish
from armybuilder.loading.composition import book_rules, option_complaints
from armybuilder.loading.options import (
    Names,
    OptionBuilder,
    read_cap,
    read_keyword,
    read_needs,
    read_profile,
    read_size,
)
from armybuilder.loading.problems import Problem, pointer
from armybuilder.loading.references import Complaint, duplicates

#: The size of a unit that says none, in systems whose entries are units.
ONE_MODEL = (Amount(1), Amount(1))

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
    builder = OptionBuilder(Names(data))
    units = [_unit(entry, data, system, builder) for entry in data["units"]]
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
        rules=tuple(book_rules(data, system, builder, units)),
        categories={entry["id"]: entry["name"] for entry in data.get("categories", ())},
        organisations={entry["id"]: entry["name"] for entry in data.get("organisations", ())},
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
    yield from option_complaints(data, system.roles)


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


def _price_mistake(entry: Mapping[str, Any], unit: Unit, system: System) -> tuple[str, str] | None:
    """Where a formula decides the price, printed points must agree with it."""
    printed = entry.get("points")
    if system.formula is None or printed is None or printed == unit.price.start:
        return None
    return (
        f"{unit.name} has {printed} points, but the formula gives {unit.price.start}.",
        "Mend the statistics or abilities, or leave the points out.",
    )


def _unit(
    entry: Mapping[str, Any], book: Mapping[str, Any], system: System, builder: OptionBuilder
) -> Unit:
    resolve = builder.names.resolver(entry)
    ref = f"{book['id']}/{entry['id']}"
    when = entry.get("when", ())
    size = read_size(entry, resolve) or (ONE_MODEL if system.sized else None)
    unit = Unit(
        ref=ref,
        name=entry["name"],
        book=book["id"],
        book_name=book["name"],
        group=entry.get("group") or _primary(entry, book),
        price=_price(entry, size),
        tags=frozenset(),
        attributes={
            attribute: (value,) if isinstance(value, str) else tuple(value)
            for attribute, value in entry.get("attributes", {}).items()
        },
        stats=entry.get("stats", {}),
        abilities=tuple(_use(ability, system) for ability in entry.get("abilities", ())),
        spells=tuple(_spell(spell, system) for spell in entry.get("spells", ())),
        offer=builder.offer(entry),
        size=size,
        price_changes=tuple(
            PriceChange(field == "points_per_model", change)
            for field in ("points", "points_per_model")
            for change in read_changes(when, field, resolve)
        ),
        categories=tuple(entry.get("categories", ())),
        category_changes=tuple(_category_changes(when, resolve)),
        cap=read_cap(entry, resolve, f"unit:{ref}"),
        can_lead=_can_lead(entry, resolve),
        needs=read_needs(entry, resolve),
        keywords=tuple(read_keyword(keyword, resolve) for keyword in entry.get("keywords", ())),
        profiles=tuple(read_profile(profile, resolve) for profile in entry.get("profiles", ())),
        counts=not entry.get("army_choice", False),
        sparse=entry.get("sparse", False),
        item_limits=entry.get("item_limits", {}),
        subtype=entry.get("subtype", ""),
        note=_note(entry, book),
        origin=_origin(entry),
        sources=tuple(entry.get("sources", ())),
    )
    return finish(system, replace(unit, army_tags=_army_tags(unit)))


def _price(entry: Mapping[str, Any], size: tuple[Amount, Amount] | None) -> Price:
    """Models bought singly, or a start for the smallest unit and so much for each more."""
    points = entry.get("points")
    if size is None or points is None:
        return Price.each(points)
    return Price(points, size[0].base or 1, entry.get("points_per_model", 0))


def _note(entry: Mapping[str, Any], book: Mapping[str, Any]) -> str:
    """What a player should know of the unit: the book's own note, and what the book as we have it
    does not say of the unit.
    """
    gaps = [
        gap["what"] for gap in book.get("gaps", ()) if gap["where"].partition("/")[0] == entry["id"]
    ]
    told = f"As this book has it: {' '.join(gaps)}" if gaps else ""
    return " ".join(filter(None, (entry.get("note", ""), told)))


def _primary(entry: Mapping[str, Any], book: Mapping[str, Any]) -> str:
    """The name of a unit's first category, its heading in the book; "" where it has none."""
    first = next(iter(entry.get("categories", ())), None)
    return next(
        (category["name"] for category in book.get("categories", ()) if category["id"] == first), ""
    )


def _can_lead(entry: Mapping[str, Any], resolve: Resolve) -> Condition | None:
    can = entry.get("can_lead", False)
    if isinstance(can, bool):
        return AllOf(()) if can else None
    return read_condition(can, resolve)


def _category_changes(
    when: Sequence[Mapping[str, Any]], resolve: Resolve
) -> Iterator[CategoryChange]:
    for entry in when:
        condition = read_condition(entry["if"], resolve) if "if" in entry else None
        for field, joins in (("add_category", True), ("remove_category", False)):
            if field in entry:
                yield CategoryChange(entry[field], joins, condition)


def _army_tags(unit: Unit) -> frozenset[str]:
    """What the conditions of a unit and its options count in the whole army."""
    tags = unit.offer.army_tags() | army_tags(unit.needs) | army_tags(unit.can_lead)
    for option in unit.offer.options():
        tags |= option.offer.army_tags()
    prices = Amount(0, tuple(change for _, change in unit.price_changes))
    tags |= prices.army_tags()
    for change in unit.category_changes:
        tags |= army_tags(change.condition)
    for amount in unit.size or ():
        tags |= amount.army_tags()
    for keyword in unit.keywords:
        tags |= army_tags(keyword.condition)
    for profile in unit.profiles:
        tags |= profile.army_tags()
    return frozenset(tags)


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


def _origin(entry: Mapping[str, Any]) -> str:
    """Where a unit's numbers come from and how sure they are, in a few words."""
    confidence = entry.get("confidence")
    told = [
        entry.get("set"),
        entry.get("certainty"),
        f"confidence {confidence}" if confidence else "",
    ]
    return ", ".join(filter(None, told))
