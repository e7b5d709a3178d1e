"""Data of a book: its source, size, gaps, limits of the verdicts.

Players don't need this to play. Unchecked restrictions are listed with their units.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.engine.catalogue import Book, System
from armybuilder.engine.conditions import AllOf, AnyOf, Condition, Has
from armybuilder.engine.options import Restriction, nodes_in
from armybuilder.engine.rules import OfTheArmy
from armybuilder.engine.unchecked import REASONS
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import say
from armybuilder.loading.audits import Audit, AuditTally, shipped_audits
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make_judge import AboutPart, gaps_by_unit

#: Reasons due to the source: it doesn't define its own restriction.
LEFT_OPEN = ("source", "stat-line")


class NotChecked(NamedTuple):
    """A restriction of a unit, or of an option or group called `name` on `units`."""

    restriction: Restriction
    name: str
    units: tuple[Unit, ...]


def not_checked(book: Book) -> list[AboutPart]:
    """Return the unchecked restrictions by subject: its name, and a unit's ref.

    First the army's, then the units' in the book's order, those shared by several (by the option's
    name), and the units with too little data.
    """
    lines: dict[tuple[str, str], list[str]] = {
        (_("The whole army"), ""): [_line(each) for each in _of_the_army(book)],
        **{(unit.name, ref): [] for ref, unit in book.units.items()},
    }
    for restriction, name, units in not_checked_in(book):
        if len(units) == 1:
            home, line = (units[0].name, units[0].ref), _line(restriction, name)
        else:
            shared = f"{name} ({', '.join(unit.name for unit in units)})"
            home, line = (shared, ""), _line(restriction)
        lines.setdefault(home, []).append(line)
    abouts = [AboutPart(name, ref, tuple(told)) for (name, ref), told in lines.items() if told]
    return [*abouts, *_sparse(book)]


def restrictions_of(book: Book) -> list[Restriction]:
    """Return everything that the book has as not checked, each once."""
    return [*_of_the_army(book), *(each.restriction for each in not_checked_in(book))]


def not_checked_in(book: Book) -> list[NotChecked]:
    """Return the unchecked restrictions of units, groups and options; shared ones once."""
    entries: dict[int, NotChecked] = {}
    for unit in book.units.values():
        nodes = [(node.name, node.unchecked) for node in nodes_in(unit.offer.nodes)]
        for name, restrictions in (("", unit.unchecked), *nodes):
            for restriction in restrictions:
                if _concerns(restriction.condition, unit):
                    # A shared option may differ by unit; its unchecked restriction is one object.
                    entry = entries.get(id(restriction), NotChecked(restriction, name, ()))
                    units = tuple(dict.fromkeys((*entry.units, unit)))
                    entries[id(restriction)] = entry._replace(units=units)
    return list(entries.values())


def _line(restriction: Restriction, name: str = "") -> str:
    what = restriction.what
    restricted = f"{name}: {what}" if name else f"{what[:1].upper()}{what[1:]}"
    return f"{restricted}. {say(REASONS[restriction.why])}"


def _of_the_army(book: Book) -> list[Restriction]:
    rules = [rule for rule in book.contents().rules if isinstance(rule, OfTheArmy)]
    return [restriction for rule in rules for restriction in rule.restrictions]


def _concerns(condition: Condition | None, unit: Unit) -> bool:
    """Return whether a restriction may be one of the unit: not where it asks for another unit."""
    if isinstance(condition, AllOf):
        return all(_concerns(other, unit) for other in condition.others)
    if isinstance(condition, AnyOf):
        return any(_concerns(other, unit) for other in condition.others)
    if isinstance(condition, Has) and condition.tag.startswith("unit:"):
        return condition.tag in unit.tags
    return True


def _sparse(book: Book) -> Iterator[AboutPart]:
    units = [unit.name for unit in book.units.values() if unit.sparse]
    if units:
        name = ngettext(
            "{number} unit without its special rules and equipment",
            "{number} units without their special rules and equipment",
            len(units),
        ).format(number=len(units))
        told = _("The source leaves these out for {units}. Rules about them are not checked.")
        yield AboutPart(name, "", (told.format(units=", ".join(units)),))


SECOND_READING = Path(__file__).with_name("second_reading.json")
#: Descriptions of a book's `kind`.
KINDS = {
    "official": gettext_lazy("From the publisher."),
    "collected": gettext_lazy("Compiled from public pages."),
    "imported": gettext_lazy("Made from another program’s files."),
    "converted": gettext_lazy("Converted from another game’s statistics."),
    "invented": gettext_lazy("Invented for practice."),
    "house": gettext_lazy("Agreed by players."),
}


@dataclass(frozen=True, slots=True)
class DataSection:
    """A part of the page: `about` describes it, `none` is shown if it is empty."""

    id: str
    title: str
    about: str
    none: str
    entries: list[AboutPart]

    @property
    def number(self) -> int:
        return sum(len(entry.lines) for entry in self.entries)


def make_book_data(book: Book) -> dict[str, Any]:
    return {
        "file": f"catalogs/{book.system}/{book.id}.json",
        "kind": str(KINDS.get(book.kind, "")),
        "counts": [(name, str(number)) for name, number in _counts(book) if number],
        "sections": list(_sections(book)),
    }


def _sections(book: Book) -> Iterator[DataSection]:
    """Yield the unchecked restrictions, the parts left out of an import, the gaps of the book."""
    yield DataSection(
        id="not-checked",
        title=_("Not checked"),
        about=_("We can’t check these. If one applies to your list, the verdict names it."),
        none=_("We check everything this book asks for."),
        entries=not_checked(book),
    )
    remarks = [
        AboutPart(unit.name, ref, (unit.provenance,))
        for ref, unit in book.units.items()
        if unit.provenance
    ]
    if remarks:
        yield DataSection(
            id="provenance",
            title=_("Sources of the numbers"),
            about=_("Notes on single units, and differences between sources."),
            none="",
            entries=remarks,
        )
    audit = audit_of(book)
    if audit is not None:
        yield DataSection(
            id="left-out",
            title=_("Left out"),
            about=_("The source has these but makes them impossible to take."),
            none=_("Nothing in the source is impossible to take."),
            entries=_left_out(book, audit),
        )
    yield DataSection(
        id="gaps",
        title=_("Missing from this book"),
        about=_("Missing from the source, or not possible in a book file."),
        none=_("Nothing is known to be missing."),
        entries=gaps_by_unit(book),
    )


def _left_out(book: Book, audit: Audit) -> list[AboutPart]:
    """Return the parts left out, by place, under the unit whose name that begins with."""
    refs = {unit.name: ref for ref, unit in book.units.items()}
    places: dict[str, list[str]] = {}
    for entry in audit.left_out:
        unit, _arrow, place = entry.place.partition(" › ")
        places.setdefault(unit, []).append(place or unit)
    return [AboutPart(name, refs.get(name, ""), tuple(lines)) for name, lines in places.items()]


def _counts(book: Book) -> Iterator[tuple[str, int]]:
    units = list(book.units.values())
    # A shared option is one object in all places.
    options = {id(option): option for unit in units for option in unit.offer.options()}
    yield _("Units"), len(units)
    stat_lines = ((unit.stats, *(profile.stats for profile in unit.profiles)) for unit in units)
    yield _("Units with a stat line"), sum(map(any, stat_lines))
    lent = sum(any(row.origin for row in unit.profiles) for unit in units)
    yield _("Units with a stat line of another edition"), lent
    yield _("Units without their special rules and equipment"), sum(unit.sparse for unit in units)
    yield _("Options (shared ones counted once)"), len(options)
    yield _("Special items"), sum(bool(option.item) for option in options.values())
    audit = audit_of(book)
    if audit is not None:
        tally = audit.tally
        yield _("Restrictions in the source: checked"), tally.judged
        yield _("Restrictions in the source: reported as not checked"), tally.unchecked
        yield _("Restrictions in the source: without effect"), tally.idle
        yield _("Restrictions in the source: left out"), tally.left_out


def audit_of(book: Book) -> Audit | None:
    """Return the ledger of a shipped book; None if it was not imported."""
    return shipped_audits().by_book.get((book.system, book.id))


class Tried(NamedTuple):
    """Random armies, and their units, judged twice, and how many were judged wrongly."""

    armies: int
    units: int
    wrongly_legal: int
    wrongly_not_legal: int

    @property
    def wrong(self) -> int:
        return self.wrongly_legal + self.wrongly_not_legal


class TruthRow(NamedTuple):
    """A book's outcomes; `open` things in its source, `sparse` units, armies `tried`, if any."""

    book: Book
    tally: AuditTally
    open: int
    sparse: int
    tried: Tried | None


class TruthTable(NamedTuple):
    """The imported books of a game, and all of them together."""

    system: System
    rows: list[TruthRow]
    total: AuditTally
    open: int
    sparse: int
    tried: Tried | None


@cache
def second_reading() -> Mapping[str, Any]:
    """Return the numbers of the second reading, as the command that counts them wrote them."""
    return dict(json.loads(SECOND_READING.read_text(encoding="utf-8")))


def tried(system: str, book: str = "") -> Tried | None:
    """Return how the armies of a book, or of a game, were tried; None if they were not."""
    data = next((game for game in second_reading()["games"] if game["system"] == system), None)
    counts = data["books"].get(book) if data and book else data
    return Tried(*(counts[field] for field in Tried._fields)) if counts else None


def truth_tables() -> Iterator[TruthTable]:
    """Yield the outcome of the restrictions of each imported book, a table for each game."""
    library = shipped_library()
    for system in library.systems.values():
        rows = [
            TruthRow(
                book,
                audit.tally,
                sum(restriction.why in LEFT_OPEN for restriction in restrictions_of(book)),
                sum(unit.sparse for unit in book.units.values()),
                tried(book.system, book.id),
            )
            for book in library.books[system.id].values()
            if (audit := audit_of(book)) is not None
        ]
        if rows and rows[0].book.system == system.id:
            columns = zip(*(row.tally for row in rows), strict=True)
            total = AuditTally(*(sum(numbers) for numbers in columns))
            opens, sparse = sum(row.open for row in rows), sum(row.sparse for row in rows)
            yield TruthTable(system, rows, total, opens, sparse, tried(system.id))
