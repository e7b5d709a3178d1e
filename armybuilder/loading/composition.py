"""What a book asks of a whole army: its categories, its musts and what is not judged, as rules."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from armybuilder.engine.amounts import read_amount
from armybuilder.engine.bounds import Moving
from armybuilder.engine.catalogue import System, Unit
from armybuilder.engine.conditions import Resolve, army_tags
from armybuilder.engine.findings import Citation, RuleHead, Severity
from armybuilder.engine.kinds.cap import CapRule
from armybuilder.engine.kinds.category import Category
from armybuilder.engine.kinds.limit import Limit
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.unchecked import OfTheArmy
from armybuilder.engine.wording import Later
from armybuilder.loading.names import Entry, node_id, walk
from armybuilder.loading.options import OptionBuilder, read_unchecked


def book_rules(
    book: Entry, system: System, builder: OptionBuilder, units: Sequence[Unit]
) -> Iterator[Rule]:
    """The rules that a book adds to those of its system. What they and its units count in the
    whole army is noted for the tallies.
    """
    resolve = builder.names.resolver(None)
    for rule in system.rules:
        if isinstance(rule, Category):
            for limit in rule.bounds(book, resolve, system.tallies):
                for bound in filter(None, (limit.minimum, limit.maximum)):
                    system.tallies.watched |= bound.army_tags()
                yield limit
    if "unchecked" in book:
        unanswered = _unanswered(book, resolve)
        for restriction in unanswered.restrictions:
            system.tallies.watched |= army_tags(restriction.condition)
        yield unanswered
    for unit in units:
        system.tallies.watched |= unit.army_tags
        caps = [unit.cap, *(option.cap for option in unit.offer.options())]
        for cap in filter(None, caps):
            system.tallies.watched |= cap.army_tags()
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
    head = next((rule.head for rule in system.rules if isinstance(rule, CapRule)), None)
    if head is None:
        return
    for tag, entry, unit in _entries(book):
        when = entry.get("when", ())
        if "army_min" not in entry and not any(
            "army_min" in change.get(key, ()) for change in when for key in ("set", "add")
        ):
            continue
        resolve = builder.names.resolver(unit)
        amount = read_amount(entry.get("army_min", 0), when, "army_min", resolve)
        system.tallies.watched |= amount.army_tags()
        kind, _, name = tag.partition(":")
        selector = Selector.read({kind: name})
        yield Limit(
            head=replace(
                head,
                id=f"must-{tag}",
                pointer=f"{book['id']}/{tag}",
                code="cap.under",
                summary=Later("{unit} must be in the army.", unit=entry["name"]),
                citation=Citation(book["name"], ""),
            ),
            count="picks",
            selector=selector,
            number=system.tallies.add(selector),
            minimum=Moving(amount),
            maximum=None,
            setting="",
            name="",
            what=entry["name"],
        )


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
