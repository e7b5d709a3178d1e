"""Book files: from JSON that has passed the schema to a frozen Book of finished units."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from armybuilder.engine.amounts import Amount, read_amount
from armybuilder.engine.catalogue import Book, Gap, System
from armybuilder.engine.citations import Citation, RuleHead, Severity
from armybuilder.engine.condition_reading import Resolve
from armybuilder.engine.conditions import army_tags
from armybuilder.engine.make_units import finish
from armybuilder.engine.rules import Must, OfTheArmy, Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import Later, say
from armybuilder.loading.abilities import own_abilities
from armybuilder.loading.card_checks import card_complaints
from armybuilder.loading.names import Entry, IdNames, node_id, walk
from armybuilder.loading.option_checks import option_complaints
from armybuilder.loading.options import OptionBuilder, read_unchecked
from armybuilder.loading.problems import Problem
from armybuilder.loading.references import Complaint, duplicates
from armybuilder.loading.unit_fields import UNIT_FIELDS
from armybuilder.loading.unit_reading import Raw


def revision_of(data: Mapping[str, Any]) -> str:
    """Hash of a book's content: the same for files that differ in layout only."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def build_book(
    data: Mapping[str, Any], system: System, file: str
) -> tuple[Book | None, list[Problem]]:
    """Return the book, or None and all its mistakes."""
    complaints = list(_complaints(data, system))
    if complaints:
        return None, [Problem(file, *complaint) for complaint in complaints]
    builder = OptionBuilder(IdNames(data, system.traits), system.gains)
    abilities = own_abilities(data)
    known = {**system.abilities, **abilities}
    units = [_unit(Raw(entry, data, system, builder, known)) for entry in data["units"]]
    wrong = [
        Problem(file, f"/units/{number}/points", *mistake)
        for number, (entry, unit) in enumerate(zip(data["units"], units, strict=True))
        if (mistake := _price_mistake(entry, unit, system))
    ]
    if wrong:
        return None, wrong
    rules = tuple(book_rules(data, system, builder))
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
        rules=rules,
        watched=frozenset(_watched(units, rules)),
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
        say("Fix the statistics or abilities, or leave out the points."),
    )


def _unit(raw: Raw) -> Unit:
    said = {field.name: field.read(raw) for field in UNIT_FIELDS if field.read}
    book = raw.book
    unit = Unit(ref=raw.ref, tags=frozenset(), book=book["id"], book_name=book["name"], **said)
    return finish(raw.system, replace(unit, army_tags=_army_tags(unit)))


def _army_tags(unit: Unit) -> frozenset[str]:
    """Return what the conditions of a unit and its options count in the whole army."""
    tags = unit.offer.army_tags() | army_tags(unit.needs) | army_tags(unit.can_lead)
    tags |= army_tags(unit.must_lead)
    for restriction in unit.unchecked:
        tags |= army_tags(restriction.condition)
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


def book_rules(book: Entry, system: System, builder: OptionBuilder) -> Iterator[Rule]:
    """Yield the rules a book adds. A catalogue numbers what they count in its own index."""
    resolve = builder.names.resolver(None)
    selector_index = system.selector_index.copy()
    for rule in system.rules:
        yield from rule.of_book(book, resolve, selector_index)
    if "unchecked" in book:
        yield _unanswered(book, resolve)
    yield from _musts(book, system, builder, selector_index)


def _watched(units: Iterable[Unit], rules: Iterable[Rule]) -> Iterator[str]:
    """Yield what the conditions of a book count in the whole army."""
    for rule in rules:
        yield from rule.army_tags()
    for unit in units:
        yield from unit.army_tags
        for cap in filter(None, [unit.cap, *(option.cap for option in unit.offer.options())]):
            yield from cap.army_tags()


def _unanswered(book: Entry, resolve: Resolve) -> OfTheArmy:
    """Return what the book asks of a whole army and cannot be judged."""
    head = RuleHead(
        id="unchecked",
        pointer=f"{book['id']}/unchecked",
        order=10_002,
        code="",
        severity=Severity.NOTE,
        citation=Citation(book["name"], ""),
        summary=Later("What the book asks of an army and is not checked."),
    )
    return OfTheArmy(head, book["name"], read_unchecked(book, resolve))


def _musts(
    book: Entry, system: System, builder: OptionBuilder, selector_index: SelectorIndex
) -> Iterator[Rule]:
    """Rules that a unit or option with `army_min` is there so often."""
    for tag, entry, unit in _entries(book):
        when = entry.get("when", ())
        if "army_min" not in entry and not any(
            "army_min" in change.get(key, ()) for change in when for key in ("set", "add")
        ):
            continue
        resolve = builder.names.resolver(unit)
        amount = read_amount(entry.get("army_min", 0), when, "army_min", resolve)
        must = Must(book, entry["name"], tag, amount)
        made = (rule.must(must, selector_index) for rule in system.rules)
        # Of several rules that count such things the first says it.
        yield from islice(filter(None, made), 1)


def _entries(book: Entry) -> Iterator[tuple[str, Entry, Entry | None]]:
    """Every unit and option of a book with the tag that counts it, and the unit it is local to."""
    for option in _options(book):
        yield f"option:{node_id(option)}", option, None
    for unit in book["units"]:
        yield f"unit:{book['id']}/{unit['id']}", unit, unit
        for option in _options(unit):
            if "use" not in option:
                yield f"option:{unit['id']}/{node_id(option)}", option, unit


def _options(entry: Entry) -> Iterator[Entry]:
    """Yield the options and uses of a book or unit, in whatever they stand."""
    for node, _ in walk(entry.get("options", ()), ()):
        if "group" not in node:
            yield node
