"""What a book asks of a whole army: its categories, its musts and what is not judged, as rules."""

from collections.abc import Iterator, Sequence
from itertools import islice

from armybuilder.engine.amounts import read_amount
from armybuilder.engine.catalogue import System
from armybuilder.engine.citations import Citation, RuleHead, Severity
from armybuilder.engine.conditions import Resolve, army_tags
from armybuilder.engine.rules import Must, OfTheArmy, Rule
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import Later
from armybuilder.loading.names import Entry, node_id, walk
from armybuilder.loading.options import OptionBuilder, read_unchecked


def book_rules(
    book: Entry, system: System, builder: OptionBuilder, units: Sequence[Unit]
) -> Iterator[Rule]:
    """The rules that a book adds to those of its system. What they and its units count in the
    whole army is noted for the selector index.
    """
    resolve = builder.names.resolver(None)
    for rule in system.rules:
        for bound in rule.of_book(book, resolve, system.selector_index):
            system.selector_index.watched |= bound.army_tags()
            yield bound
    if "unchecked" in book:
        unanswered = _unanswered(book, resolve)
        for restriction in unanswered.restrictions:
            system.selector_index.watched |= army_tags(restriction.condition)
        yield unanswered
    for unit in units:
        system.selector_index.watched |= unit.army_tags
        caps = [unit.cap, *(option.cap for option in unit.offer.options())]
        for cap in filter(None, caps):
            system.selector_index.watched |= cap.army_tags()
    yield from _musts(book, system, builder)


def _unanswered(book: Entry, resolve: Resolve) -> OfTheArmy:
    """What the book asks of a whole army and cannot be judged."""
    head = RuleHead(
        id="unchecked",
        pointer=f"{book['id']}/unchecked",
        order=10_002,
        code="",
        severity=Severity.NOTE,
        citation=Citation(book["name"], ""),
        summary=Later("What the book asks of an army that is not checked."),
    )
    return OfTheArmy(head, book["name"], read_unchecked(book, resolve))


def _musts(book: Entry, system: System, builder: OptionBuilder) -> Iterator[Rule]:
    """Rules that a unit or option with `army_min` is there so often."""
    for tag, entry, unit in _entries(book):
        when = entry.get("when", ())
        if "army_min" not in entry and not any(
            "army_min" in change.get(key, ()) for change in when for key in ("set", "add")
        ):
            continue
        resolve = builder.names.resolver(unit)
        amount = read_amount(entry.get("army_min", 0), when, "army_min", resolve)
        system.selector_index.watched |= amount.army_tags()
        must = Must(book, entry["name"], tag, amount)
        made = (rule.must(must, system.selector_index) for rule in system.rules)
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
    """The options and uses of a book or unit, in whatever they stand."""
    for node, _ in walk(entry.get("options", ()), ()):
        if "group" not in node:
            yield node
