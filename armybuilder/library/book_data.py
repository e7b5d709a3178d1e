"""A book's data: what it was made from, how much of it there is, and what it does not say.

Players need none of this to play. A section is a heading and what it tells of each unit; more of
them are added to `SECTIONS`.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.engine.catalogue import Book, Unit
from armybuilder.sheets.book_gaps import About, gaps_by_unit

#: What a book's `kind` means.
KINDS = {
    "official": gettext_lazy("From the publisher."),
    "collected": gettext_lazy("Put together from public pages."),
    "imported": gettext_lazy("Made of another program's files."),
    "converted": gettext_lazy("Worked out from the scores of another game."),
    "invented": gettext_lazy("Made up for practice."),
    "house": gettext_lazy("Agreed among players."),
}


class Section(NamedTuple):
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


class BookData(NamedTuple):
    """The page: `file` is where the book stands in the folder of catalogues."""

    file: str
    kind: str
    counts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]


def make_book_data(book: Book) -> BookData:
    """All that the page of a book's data shows."""
    return BookData(
        file=f"catalogs/{book.system}/{book.id}.json",
        kind=str(KINDS.get(book.kind, "")),
        counts=tuple((name, str(number)) for name, number in _counts(book) if number),
        sections=tuple(section(book) for section in SECTIONS),
    )


def gaps(book: Book) -> Section:
    """What the book as we have it leaves open."""
    return Section(
        id="gaps",
        title=_("What this book does not say"),
        about=_("What its source leaves out, or its file cannot say."),
        none=_("Nothing is known to be missing."),
        entries=tuple(gaps_by_unit(book)),
    )


#: The parts of the page, in their order.
SECTIONS: tuple[Callable[[Book], Section], ...] = (gaps,)


def _counts(book: Book) -> Iterator[tuple[str, int]]:
    units = list(book.units.values())
    # A shared option is one object, wherever it stands.
    options = {id(option): option for unit in units for option in unit.offer.options()}
    yield _("Units"), len(units)
    yield _("Units with a stat line"), sum(_has_stats(unit) for unit in units)
    yield _("Units without their special rules and equipment"), sum(unit.sparse for unit in units)
    yield _("Options, shared ones once"), len(options)
    yield _("Special items"), sum(bool(option.item) for option in options.values())


def _has_stats(unit: Unit) -> bool:
    return bool(unit.stats or any(profile.stats for profile in unit.profiles))
