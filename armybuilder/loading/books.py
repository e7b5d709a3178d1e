"""Book files: from JSON that has passed the schema to a frozen Book, its units made on demand."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from armybuilder.engine.amounts import Amount, read_amount
from armybuilder.engine.catalogue import Book, Contents, Gap, System
from armybuilder.engine.citations import Citation, RuleHead, Severity
from armybuilder.engine.conditions import army_tags
from armybuilder.engine.make_units import finish, formula_points
from armybuilder.engine.rules import Must, OfTheArmy, Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import Later, marked
from armybuilder.loading.abilities import own_abilities, read_use
from armybuilder.loading.cache import Once
from armybuilder.loading.card_checks import card_complaints
from armybuilder.loading.names import Entry, IdNames, node_id, walk
from armybuilder.loading.option_checks import option_complaints
from armybuilder.loading.options import OptionBuilder, read_unchecked
from armybuilder.loading.problems import Problem
from armybuilder.loading.references import Complaint, complaint, duplicates
from armybuilder.loading.unit_fields import UNIT_FIELDS, Raw

Data = Mapping[str, Any]


def revision_of(data: Data) -> str:
    """Hash of a book's content: the same for files that differ in layout only."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def build_book(
    data: Data, system: System, file: str, again: Callable[[], Data] | None = None
) -> tuple[Book | None, list[Problem]]:
    """Return the book, or None and all its mistakes.

    Its units are made when somebody asks for them, of what `again` returns where that is given:
    then the book does not hold `data` till then.
    """
    complaints = [
        *duplicates(data["units"], ("units",)),
        *card_complaints(data, system),
        *option_complaints(data, system),
    ] or list(_price_complaints(data, system))
    if complaints:
        return None, [Problem(file, *complaint) for complaint in complaints]
    read = again or (lambda: data)
    book = Book(
        id=data["id"],
        system=data["system"],
        name=data["name"],
        about=data["about"],
        kind=data["kind"],
        source=" — ".join(filter(None, (data["source"]["title"], data["source"].get("note")))),
        revision=revision_of(data),
        names={f"{data['id']}/{entry['id']}": entry["name"] for entry in data["units"]},
        contents=Once(lambda: _contents(read(), system)),
        ability_points=data.get("ability_points", {}),
        abilities=own_abilities(data),
        categories={entry["id"]: entry["name"] for entry in data.get("categories", ())},
        organisations={entry["id"]: entry["name"] for entry in data.get("organisations", ())},
        gaps=tuple(Gap(gap["where"], gap["what"]) for gap in data.get("gaps", ())),
    )
    return book, []


def _contents(data: Data, system: System) -> Contents:
    """Make the units and rules of a book that has no mistake."""
    builder = OptionBuilder(IdNames(data, system.traits), system.gains)
    known = {**system.abilities, **own_abilities(data)}
    units = [_unit(Raw(entry, data, system, builder, known)) for entry in data["units"]]
    rules = tuple(book_rules(data, system, builder))
    watched = {tag for rule in rules for tag in rule.army_tags()}
    for unit in units:
        caps = [unit.cap, *(option.cap for option in unit.offer.options())]
        watched |= unit.army_tags.union(*(cap.army_tags() for cap in caps if cap))
    return Contents({unit.ref: unit for unit in units}, rules, frozenset(watched))


def _price_complaints(data: Data, system: System) -> Iterator[Complaint]:
    """Yield printed points that do not agree with the formula that decides the price."""
    if system.formula is None:
        return
    known = {**system.abilities, **own_abilities(data)}
    for number, entry in enumerate(data["units"]):
        uses = [read_use(ability, known) for ability in entry.get("abilities", ())]
        printed, points = entry.get("points"), formula_points(system.formula, entry["stats"], uses)
        if printed not in (None, points):
            path, named = ("units", number, "points"), {"unit": entry["name"], "printed": printed}
            message = marked("{unit} has {printed} points, but the formula gives {points}.")
            advice = marked("Fix the statistics or abilities, or leave out the points.")
            yield complaint(path, message, advice, points=points, **named)


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
        head = RuleHead(
            id="unchecked",
            pointer=f"{book['id']}/unchecked",
            order=10_002,
            code="",
            severity=Severity.NOTE,
            citation=Citation(book["name"], ""),
            summary=Later("What the book asks of an army and is not checked."),
        )
        yield OfTheArmy(head, book["name"], read_unchecked(book, resolve))
    yield from _musts(book, system, builder, selector_index)


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
