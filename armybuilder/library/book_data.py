"""A book's data: what it was made from, how much of it there is, and what it does not say.

Players need none of this to play. A section is a heading and what it tells of each unit; more of
them are added to `SECTIONS`. One that makes sense for imported books only is None for others.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.engine.catalogue import Book
from armybuilder.library.not_checked import not_checked
from armybuilder.library.truth import audit_of
from armybuilder.loading.audits import Audit
from armybuilder.sheets.content.make_judge import About, gaps_by_unit

#: What a book's `kind` means.
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
    """A part of the page: `about` says what is in it, `none` that nothing is."""

    id: str
    title: str
    about: str
    none: str
    entries: tuple[About, ...]

    @property
    def number(self) -> int:
        """How many things it tells."""
        return sum(len(entry.lines) for entry in self.entries)


@dataclass(frozen=True, slots=True)
class BookData:
    """The page: `file` is where the book stands in the folder of catalogues."""

    file: str
    kind: str
    counts: tuple[tuple[str, str], ...]
    sections: tuple[DataSection, ...]


def make_book_data(book: Book) -> BookData:
    """Return all that the page of a book's data shows."""
    return BookData(
        file=f"catalogs/{book.system}/{book.id}.json",
        kind=str(KINDS.get(book.kind, "")),
        counts=tuple((name, str(number)) for name, number in _counts(book) if number),
        sections=tuple(filter(None, (section(book) for section in SECTIONS))),
    )


def gaps(book: Book) -> DataSection:
    """Return what the book as we have it leaves open."""
    return DataSection(
        id="gaps",
        title=_("What this book does not say"),
        about=_("What the source omits, or the book file cannot express."),
        none=_("Nothing is known to be missing."),
        entries=tuple(gaps_by_unit(book)),
    )


def unchecked(book: Book) -> DataSection:
    """Return what verdicts name as not checked, where it applies to a list."""
    return DataSection(
        id="not-checked",
        title=_("Not checked"),
        about=_(
            "The program cannot check these. A list to which one applies is not called "
            "plainly legal, and its verdict names it."
        ),
        none=_("The program checks everything that this book asks for."),
        entries=tuple(not_checked(book)),
    )


def left_out(book: Book) -> DataSection | None:
    """Return what the source of an imported book has and the book has not."""
    audit = audit_of(book)
    if audit is None:
        return None
    return DataSection(
        id="left-out",
        title=_("Left out"),
        about=_("The source has these but makes them impossible to take."),
        none=_("Nothing in the source is impossible to take."),
        entries=tuple(_left_out(book, audit)),
    )


#: The parts of the page, in their order.
SECTIONS: tuple[Callable[[Book], DataSection | None], ...] = (unchecked, left_out, gaps)


def _left_out(book: Book, audit: Audit) -> Iterator[About]:
    """What is left out, by its place in the source, under the unit whose name that begins with."""
    refs = {unit.name: ref for ref, unit in book.units.items()}
    found: dict[str, list[str]] = {}
    for entry in audit.left_out:
        unit, _arrow, place = entry.place.partition(" › ")
        found.setdefault(unit, []).append(place or unit)
    for name, lines in found.items():
        yield About(name, refs.get(name, ""), tuple(lines))


def _counts(book: Book) -> Iterator[tuple[str, int]]:
    units = list(book.units.values())
    # A shared option is one object, wherever it stands.
    options = {id(option): option for unit in units for option in unit.offer.options()}
    yield _("Units"), len(units)
    stat_lines = ((unit.stats, *(profile.stats for profile in unit.profiles)) for unit in units)
    yield _("Units with a stat line"), sum(map(any, stat_lines))
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
