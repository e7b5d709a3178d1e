"""Book files: from JSON that has passed the schema to a frozen Book, its units made on demand."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from armybuilder.engine.abilities import Ability
from armybuilder.engine.amounts import Amount, read_amount
from armybuilder.engine.catalogue import Book, Contents, System
from armybuilder.engine.citations import Citation, RuleHead, Severity
from armybuilder.engine.conditions import army_tags
from armybuilder.engine.make_units import finish, formula_points
from armybuilder.engine.rules import Must, OfTheArmy, Rule
from armybuilder.engine.selectors import Tags
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import Later, marked, say
from armybuilder.loading.cache import Once
from armybuilder.loading.jsontext import canonical_json
from armybuilder.loading.option_checks import option_complaints
from armybuilder.loading.options import (
    Entry,
    IdNames,
    OptionBuilder,
    Path,
    node_id,
    read_unchecked,
    walk,
)
from armybuilder.loading.problems import Problem
from armybuilder.loading.references import Complaint, complaint, duplicates
from armybuilder.loading.systems import own_abilities, read_ability, read_use
from armybuilder.loading.unit_fields import UNIT_FIELDS, Raw
from armybuilder.loading.values import Values

Data = Mapping[str, Any]


def revision_of(data: Data) -> str:
    """Hash of a book's content: the same for files that differ in layout only."""
    return hashlib.sha256(canonical_json(data)).hexdigest()[:16]


def build_book(
    data: Data, system: System, file: str, again: Callable[[], Data] | None = None
) -> tuple[Book | None, list[Problem]]:
    """Return the book, or None and all its mistakes.

    Its units are made on demand, from the result of `again` if given: then the book doesn't keep
    `data` until then.
    """
    complaints = [
        *duplicates(data["units"], ("units",)),
        *card_complaints(data, system),
        *option_complaints(data, system),
    ] or list(_price_complaints(data, system))
    if complaints:
        return None, [Problem(file, *complaint) for complaint in complaints]
    read = again or (lambda: data)
    return described_book(data, Once(lambda: _contents(read(), system))), []


def described_book(data: Data, contents: Callable[[], Contents]) -> Book:
    """Return the book of a file without mistakes, with these contents."""
    source = data["source"]
    return Values({}).make(
        Book,
        data,
        source=" — ".join(filter(None, (source["title"], source.get("note")))),
        revision=revision_of(data),
        names={f"{data['id']}/{entry['id']}": entry["name"] for entry in data["units"]},
        contents=contents,
        abilities=own_abilities(data),
        categories={entry["id"]: entry["name"] for entry in data.get("categories", ())},
        organisations={entry["id"]: entry["name"] for entry in data.get("organisations", ())},
    )


def _contents(data: Data, system: System) -> Contents:
    """Make the units and rules of a book without mistakes."""
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


def _army_tags(unit: Unit) -> Tags:
    """Return the tags that the conditions of a unit and its options count in the whole army."""
    conditions = [unit.needs, unit.can_lead, unit.must_lead]
    conditions += [restriction.condition for restriction in unit.unchecked]
    conditions += [change.condition for change in unit.category_changes]
    conditions += [keyword.condition for keyword in unit.keywords]
    prices = Amount(0, tuple(change for _, change in unit.price_changes))
    offers = (unit.offer, *(option.offer for option in unit.offer.options()))
    parts = (prices, *(unit.size or ()), *offers, *unit.profiles)
    return frozenset().union(*map(army_tags, conditions), *(part.army_tags() for part in parts))


def book_rules(book: Entry, system: System, builder: OptionBuilder) -> Iterator[Rule]:
    """Yield the rules that a book adds. A catalogue numbers their selectors in its own index."""
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
            summary=Later("Army requirements of the book that are not checked."),
        )
        yield OfTheArmy(head, book["name"], read_unchecked(book, resolve))
    # A unit or option with `army_min` is there so often.
    for tag, entry, unit in _entries(book):
        when = entry.get("when", ())
        if "army_min" not in entry and not any(
            "army_min" in change.get(key, ()) for change in when for key in ("set", "add")
        ):
            continue
        local = builder.names.resolver(unit)
        amount = read_amount(entry.get("army_min", 0), when, "army_min", local)
        must = Must(book, entry["name"], tag, amount)
        made = (each.must(must, selector_index) for each in system.rules)
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
    """Yield the options and uses of a book or unit, at any depth."""
    for node, _ in walk(entry.get("options", ()), ()):
        if "group" not in node:
            yield node


#: Facts of a unit that a lift may check, besides the system's attributes.
_LIFT_ASKS = ("ability", "keyword", "tag")


def card_complaints(book: Entry, system: System) -> Iterator[Complaint]:
    """Yield every mistake on the cards of a book that has passed the schema."""
    # Abilities that a book brings have ids of their own; changed points are of known ones.
    yield from duplicates(book.get("abilities", ()), ("abilities",))
    for number, entry in enumerate(book.get("abilities", ())):
        if entry["id"] in system.abilities:
            path: Path = ("abilities", number, "id")
            message = marked("{system} already has an ability “{id}”.")
            advice = marked("Use that one, or give yours another id.")
            yield complaint(path, message, advice, system=system.name, id=entry["id"])
    for ability in book.get("ability_points", {}):
        if ability not in system.abilities:
            path, message = (
                ("ability_points", ability),
                marked("{system} has no ability “{ability}”."),
            )
            yield complaint(path, message, system=system.name, ability=ability)
    checks = _Checks(book, system)
    for number, entry in enumerate(book["units"]):
        yield from checks.unit(entry, ("units", number))


class _Checks:
    """The checks of one book's units."""

    def __init__(self, book: Entry, system: System) -> None:
        self.system = system
        self.game = system.name
        self.abilities = {**own_abilities(book), **system.abilities}

    def unit(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        for attribute, value in entry.get("attributes", {}).items():
            yield from self.attribute(attribute, value, (*path, "attributes", attribute))
        for stat, value in entry.get("stats", {}).items():
            yield from self.stat(stat, value, (*path, "stats", stat))
        yield from self.points(entry, path)
        yield from self.uses(entry, (*path, "abilities"))
        for number, spell in enumerate(entry.get("spells", ())):
            if spell.split(" ")[0] not in self.system.spells:
                where, message = (
                    (*path, "spells", number),
                    marked("{system} has no spell “{spell}”."),
                )
                yield complaint(where, message, system=self.game, spell=spell)
        for part in entry.get("texts", {}):
            if part not in self.system.texts:
                message = marked("Cards of {system} have no part “{part}”.")
                advice, where = marked("Remove it, or write it as a note."), (*path, "texts", part)
                yield complaint(where, message, advice, system=self.game, part=part)
        for number, lift in enumerate(entry.get("lifts", ())):
            yield from self.lift(lift, (*path, "lifts", number))

    def attribute(self, attribute: str, value: Any, path: Path) -> Iterator[Complaint]:
        if attribute not in self.system.attributes:
            message = marked("{system} has no attribute “{attribute}”.")
            yield complaint(path, message, "Remove it.", system=self.game, attribute=attribute)
            return
        faction = self.system.faction
        several = not isinstance(value, str) and len(value) > 1
        if several and faction and faction.attribute == attribute:
            yield complaint(path, "A unit has exactly one faction in this game.", "Name one.")
        yield from self.values(attribute, value, path)

    def values(self, attribute: str, value: str | list[str], path: Path) -> Iterator[Complaint]:
        known = self.system.attributes[attribute].values
        named = {"attribute": attribute, "words": ", ".join(known)}
        for single in [value] if isinstance(value, str) else value:
            if single not in known:
                message = marked("{attribute} has no value “{value}”.")
                yield complaint(path, message, "Choose one of {words}.", value=single, **named)

    def stat(self, stat: str, value: object, path: Path) -> Iterator[Complaint]:
        known = self.system.stats.get(stat)
        if known is None:
            message = marked("{system} has no statistic “{stat}”.")
            yield complaint(path, message, "Remove it.", system=self.game, stat=stat)
        elif known.text and not isinstance(value, str):
            kind, advice = say("a text"), marked("Put it in double quotes.")
            yield complaint(path, "{stat} must be {kind}.", advice, stat=known.name, kind=kind)
        elif not known.text and isinstance(value, str):
            kind, advice = say("a whole number"), marked("Write it without quotes.")
            yield complaint(path, "{stat} must be {kind}.", advice, stat=known.name, kind=kind)

    def points(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Yield that there are no points, or that a formula lacks a value."""
        formula = self.system.formula
        if formula is None:
            if "points" not in entry:
                yield complaint(path, "“points” is missing.", "Write null if they are unknown.")
            return
        for stat in (*formula.weights, formula.statistic):
            if stat not in entry.get("stats", {}):
                yield complaint((*path, "stats"), "The price needs “{stat}”.", "Add it.", stat=stat)

    def uses(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        seen: set[str] = set()
        for number, written in enumerate(entry.get("abilities", ())):
            use, where = read_ability(written), (*path, number)
            ability = self.abilities.get(use["ability"])
            if ability is None:
                message = marked("{system} has no ability “{ability}”.")
                advice = marked("Fix the spelling, or define it in the book’s “abilities”.")
                yield complaint(where, message, advice, system=self.game, ability=use["ability"])
                continue
            if str(use) in seen and not ability.target:
                message = marked("{ability} appears twice.")
                yield complaint(where, message, "Remove one.", ability=ability.name)
            seen.add(str(use))
            yield from self.use(use, ability, where)

    def use(self, use: Entry, ability: Ability, path: Path) -> Iterator[Complaint]:
        """Yield that an ability lacks a rating or target, or has a rating too many."""
        named = {"ability": ability.name, "id": ability.id}
        if ability.rating == "none" and "rating" in use:
            yield complaint(path, "{ability} has no rating.", "Remove the number.", **named)
        if (use.get("rating") or 0) < 0 and ability.rating != "plus":
            yield complaint(
                path, "The rating of {ability} can’t be below 0.", "Fix the number.", **named
            )
        if ability.rating != "none" and "rating" not in use and not ability.rating_optional:
            advice = marked("Write “{id} 2”, or “{id} ?” if it is unknown.")
            yield complaint(path, "{ability} needs a rating.", advice, **named)
        if ability.target and not ability.target_optional and not use.get("target"):
            message, advice = marked(("{ability} must name a {target}.", "Write “{id}: ...”."))
            yield complaint(path, message, advice, target=ability.target, **named)

    def lift(self, lift: Entry, path: Path) -> Iterator[Complaint]:
        """Yield that the rule doesn't exist, or that the units have no known value."""
        rules = {rule.head.id: rule for rule in self.system.rules}
        name, where = lift["rule"], (*path, "rule")
        if name not in rules:
            message, words = marked("{system} has no rule “{rule}”."), ", ".join(rules)
            named = {"system": self.game, "rule": name}
            yield complaint(where, message, "It has {words}.", words=words, **named)
        elif not rules[name].can_be_lifted:
            message = marked("The rule “{rule}” cannot be lifted from single units.")
            words = ", ".join(name for name, rule in rules.items() if rule.can_be_lifted)
            yield complaint(where, message, "These can: {words}.", rule=name, words=words)
        for kind, wanted in lift["of"].items():
            where = (*path, "of", kind)
            if kind in self.system.attributes:
                yield from self.values(kind, wanted, where)
            elif kind not in _LIFT_ASKS:
                yield complaint(where, "Units have no attribute “{kind}”.", kind=kind)
