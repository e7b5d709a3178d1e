"""Cards of a book's units, of a list's entries, and blank ones: what stands on each.

`cards_pdf.draw_cards` draws the faces; nothing is worked out about them there.
"""

from collections.abc import Iterable, Iterator, Mapping

from django.utils.translation import gettext as _

from armybuilder.engine import validate
from armybuilder.engine.catalogue import Book, System, Unit
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import Library
from armybuilder.sheets.content.card_face import Face
from armybuilder.sheets.content.card_lists import list_faces
from armybuilder.sheets.content.card_units import ABILITIES, face_of
from armybuilder.sheets.content.structure import StatCell

#: A page of cards: as many blank ones as one holds.
PAGE = 9
#: Of more statistics the boxes of a blank card have the short names.
MOST_NAMED = 12


def faces_of_units(
    units: Iterable[Unit], system: System, kinds: Mapping[str, str] | None = None
) -> list[Face]:
    """A face for each unit, in their order; `kinds` are the kinds of their books by book id."""
    known = kinds or {}
    return [face_of(unit, system, known.get(unit.book, "")) for unit in checked(units)]


def faces_of_book(book: Book, system: System) -> list[Face]:
    """A face for each unit of the book, in its order."""
    return faces_of_units(book.units.values(), system, {book.id: book.kind})


def faces_of_list(document: ArmyList, library: Library) -> list[Face]:
    """A face for each entry of a document that has passed `read_document`.

    Raises Refusal where its system is not here, or an own model cannot be priced.
    """
    catalogue = catalogue_of(document, library)
    roster = make_roster(document, catalogue)
    return list(list_faces(catalogue, roster, validate(roster, catalogue)))


def blank_faces(system: System, count: int = PAGE) -> list[Face]:
    """So many cards of the system to fill in by pen."""
    stats = system.stats.values()
    names = [stat.name if len(stats) <= MOST_NAMED else stat.short for stat in stats]
    cells = tuple(StatCell(name, "", "") for name in names)
    face = Face(
        title="",
        blank=True,
        stats=cells,
        fields=tuple(_fields(system)),
        write=tuple(_write(system)),
        source=f"{system.name} · {_('empty card')}",
    )
    return [face] * count


def _fields(system: System) -> Iterator[str]:
    """What a card of the system names beside its statistics: attributes, or an army's category."""
    yield from (attribute.name for attribute in system.attributes.values())
    if system.sized:
        yield from (_("Category"), _("Models"))


def _write(system: System) -> Iterator[str]:
    """Headings of the card's free parts."""
    yield from (part.name for part in system.texts.values())
    if system.abilities:
        yield str(ABILITIES)
    if system.spells:
        yield _("Spells")
    if system.sized:
        yield from (_("Rules"), _("Options"))
