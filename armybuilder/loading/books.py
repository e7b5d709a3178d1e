"""Book files: from JSON that has passed the schema to a frozen `Book` of finished units."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from armybuilder.engine.abilities import Ability, Spell
from armybuilder.engine.amounts import Amount, read_changes
from armybuilder.engine.catalogue import (
    Book,
    CategoryChange,
    Gap,
    Lift,
    PriceChange,
    System,
    Unit,
)
from armybuilder.engine.conditions import Resolve, army_tags, read_condition
from armybuilder.engine.prices import Price
from armybuilder.engine.selectors import Selector
from armybuilder.engine.units import finish
from armybuilder.engine.wording import say
from armybuilder.loading.abilities import own_abilities, read_use
from armybuilder.loading.card_checks import card_complaints
from armybuilder.loading.composition import book_rules
from armybuilder.loading.names import Names
from armybuilder.loading.option_checks import option_complaints
from armybuilder.loading.options import (
    OptionBuilder,
    category_tags,
    read_cap,
    read_fact,
    read_keywords,
    read_must_lead,
    read_needs,
    read_profile,
    read_size,
    read_unchecked,
)
from armybuilder.loading.problems import Problem
from armybuilder.loading.references import Complaint, duplicates

#: The size of a unit that says none, in systems whose entries are units.
ONE_MODEL = (Amount(1), Amount(1))


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
    builder = OptionBuilder(Names(data, system.traits), system.gains)
    abilities = own_abilities(data)
    known = {**system.abilities, **abilities}
    units = [_unit(entry, data, system, builder, known) for entry in data["units"]]
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
        abilities=abilities,
        rules=tuple(book_rules(data, system, builder, units)),
        categories={entry["id"]: entry["name"] for entry in data.get("categories", ())},
        organisations={entry["id"]: entry["name"] for entry in data.get("organisations", ())},
        gaps=tuple(Gap(gap["where"], gap["what"]) for gap in data.get("gaps", ())),
    )
    return book, []


def _complaints(data: Mapping[str, Any], system: System) -> Iterator[Complaint]:
    yield from duplicates(data["units"], ("units",))
    yield from card_complaints(data, system)
    yield from option_complaints(data, system)


def _price_mistake(entry: Mapping[str, Any], unit: Unit, system: System) -> tuple[str, str] | None:
    """Where a formula decides the price, printed points must agree with it."""
    printed = entry.get("points")
    if system.formula is None or printed is None or printed == unit.price.start:
        return None
    return (
        say(
            "{unit} has {printed} points, but the formula gives {points}.",
            unit=unit.name,
            printed=printed,
            points=unit.price.start,
        ),
        say("Mend the statistics or abilities, or leave the points out."),
    )


def _unit(
    entry: Mapping[str, Any],
    book: Mapping[str, Any],
    system: System,
    builder: OptionBuilder,
    known: Mapping[str, Ability],
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
        abilities=tuple(read_use(ability, known) for ability in entry.get("abilities", ())),
        spells=tuple(_spell(spell, system) for spell in entry.get("spells", ())),
        offer=builder.offer(entry),
        size=size,
        price_changes=tuple(_price_changes(when, resolve)),
        categories=tuple(entry.get("categories", ())),
        category_changes=tuple(_category_changes(when, resolve)),
        models_in=category_tags(entry.get("models_in", ())),
        cap=read_cap(entry, resolve, f"unit:{ref}"),
        can_lead=read_fact(entry, "can_lead", resolve),
        must_lead=read_must_lead(entry, resolve),
        needs=read_needs(entry, resolve),
        keywords=read_keywords(entry, resolve, system.gains),
        profiles=tuple(read_profile(profile, resolve) for profile in entry.get("profiles", ())),
        counts=not entry.get("army_choice", False),
        sparse=entry.get("sparse", False),
        without=tuple(entry.get("without", ())),
        unchecked=read_unchecked(entry, resolve),
        item_limits=entry.get("item_limits", {}),
        unique=entry.get("unique", ""),
        lifts=tuple(
            Lift(lift["rule"], Selector.read(lift["of"])) for lift in entry.get("lifts", ())
        ),
        texts={part: tuple(lines) for part, lines in entry.get("texts", {}).items()},
        number=entry.get("number", ""),
        owned=entry.get("owned"),
        suggested=entry.get("suggested", False),
        subtype=entry.get("subtype", ""),
        remark=entry.get("note", ""),
        origin=_origin(entry),
        sources=tuple(entry.get("sources", ())),
    )
    return finish(system, replace(unit, army_tags=_army_tags(unit)))


def _price_changes(when: Sequence[Mapping[str, Any]], resolve: Resolve) -> Iterator[PriceChange]:
    for field in ("points", "points_per_model"):
        for change in read_changes(when, field, resolve):
            yield PriceChange(field == "points_per_model", change)


def _price(entry: Mapping[str, Any], size: tuple[Amount, Amount] | None) -> Price:
    """Models bought singly, or a start for the smallest unit and so much for each more."""
    points = entry.get("points")
    if size is None or points is None:
        return Price.each(points)
    return Price(points, size[0].base or 1, entry.get("points_per_model", 0))


def _primary(entry: Mapping[str, Any], book: Mapping[str, Any]) -> str:
    """The name of a unit's first category, its heading in the book; "" where it has none."""
    first = next(iter(entry.get("categories", ())), None)
    return next(
        (category["name"] for category in book.get("categories", ()) if category["id"] == first), ""
    )


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
    tags |= army_tags(unit.must_lead)
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
