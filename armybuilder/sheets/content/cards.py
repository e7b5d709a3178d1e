"""Cards of a book's units, of a list's entries, and blank ones: what stands on each."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.engine.describe import side_marks
from armybuilder.engine.nouns import counted
from armybuilder.engine.report import LineNumbers
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import Library
from armybuilder.sheets.content.army import SheetArmy, StatRow, TakenLine, UnitBlock
from armybuilder.sheets.content.card_face import Face, Health, StatBlock
from armybuilder.sheets.content.card_units import (
    ABILITIES,
    face_of,
    health_of,
    keywords_name,
    source_of,
    stat_block,
)
from armybuilder.sheets.content.make import option_names
from armybuilder.sheets.content.make_army import ArmyMaker
from armybuilder.sheets.content.printable import one_line, tidy
from armybuilder.sheets.content.structure import UNKNOWN_UNIT, Named, StatCell
from armybuilder.sheets.content.unit_words import role_names


def list_faces(
    catalogue: Catalogue, roster: Roster, report: Report, prices: bool = True
) -> Iterator[Face]:
    """Return a face for each entry of the list, in its order; without `prices` none says points."""
    kinds = {book.id: book.kind for book in catalogue.books}
    if catalogue.system.sized:
        yield from _army_faces(catalogue, roster, report, kinds, prices)
        return
    for pick in checked(roster.picks):
        numbers = report.lines.get(pick.id)
        if pick.unit is None or numbers is None:
            yield _unknown(pick)
        else:
            face = face_of(pick.unit, catalogue.system, kinds.get(pick.unit.book, ""))
            face = _face(face, pick, pick.unit, numbers, catalogue.system)
            yield face if prices else _unpriced(face, pick.unit)


def _unknown(pick: Pick) -> Face:
    """Return the card of a unit that the chosen books do not have."""
    ref = one_line(pick.ref)
    own_name = one_line(pick.name)
    return Face(
        title=own_name or ref,
        models=pick.models,
        known=False,
        about=ref if own_name else "",
        notes=tidy(pick.notes),
        note=str(UNKNOWN_UNIT),
    )


def _face(face: Face, pick: Pick, unit: Unit, numbers: LineNumbers, system: System) -> Face:
    """Return the face of the unit's card, and what is true of it on this list."""
    own_name = one_line(pick.name)
    taken = ", ".join(map(one_line, option_names(pick.picks)))
    return replace(
        face,
        title=own_name or face.title,
        price="?" if unit.price.start is None else str(numbers.each),
        models=pick.models,
        each=pick.models > 1,
        about=" · ".join(filter(None, (face.title if own_name else "", face.about))),
        marks=(*role_names(pick, system), *side_marks(numbers)),
        price_marks=tuple(_price_marks(pick, numbers)),
        health=health_of(unit, system, pick.models),
        lists=(Named(_("Options"), taken),) if taken else (),
        notes=tidy(pick.notes),
    )


def _price_marks(pick: Pick, numbers: LineNumbers) -> Iterator[str]:
    """Return what it costs on this list, where that is not what its models do."""
    if numbers.points != numbers.each * pick.models:
        points = counted(numbers.points, "points")
        yield _("{points} on this list").format(points=points)


def _unpriced(face: Face, unit: Unit) -> Face:
    """Return the face without points, and without a line to write them on."""
    fields = tuple(
        name
        for name, blank in zip(face.fields, unit.blanks, strict=True)
        if blank.field != "points"
    )
    return replace(face, price="", price_marks=(), fields=fields)


def _army_faces(
    catalogue: Catalogue, roster: Roster, report: Report, kinds: dict[str, str], prices: bool
) -> Iterator[Face]:
    army = ArmyMaker(catalogue, roster, report, report, "full").make()
    blocks = {block.id: block for block in army.units}
    for pick in checked(roster.picks):
        if pick.unit is None:
            yield _unknown(pick)
        else:
            source = source_of(pick.unit, catalogue.system, kinds.get(pick.unit.book, ""))
            block = replace(blocks[pick.id], priced=prices)
            yield _army_face(block, army, catalogue.system, source)


def _army_face(block: UnitBlock, army: SheetArmy, system: System, source: str) -> Face:
    scoring = (_("Scoring"),) if block.scoring else ()
    return Face(
        title=f"{one_line(block.name)} {block.letter}".rstrip(),
        price=block.price,
        models=block.models if block.counts else 1,
        about=one_line(" · ".join(filter(None, (block.unit_name, block.build)))),
        marks=(*block.marks, *scoring),
        blocks=tuple(_row(row, army, system) for row in block.stats),
        health=Health(_("Health"), block.health) if block.counts and block.health else None,
        condition=_condition(block),
        keywords=tuple(map(one_line, block.rules)),
        keywords_name=keywords_name(system),
        lists=tuple(_army_lists(block)),
        fields=tuple(_army_fields(block)),
        notes=block.notes,
        note=one_line(block.remark),
        source=source,
    )


def _condition(block: UnitBlock) -> str:
    """Health in words, where boxes or a line to write on do not say it all."""
    said = block.health is None or (block.ticks and not block.shattered)
    return "" if said else block.condition


def _row(row: StatRow, army: SheetArmy, system: System) -> StatBlock:
    stats = [system.stats[column.id] for column in army.columns]
    return stat_block(one_line(row.name), zip(stats, row.values, strict=True), row.note)


def _army_lists(block: UnitBlock) -> Iterator[Named]:
    """Return what was chosen, its special items, and what it comes with."""
    taken = ((_("Options"), block.chosen), (_("Items"), block.items))
    for heading, options in taken:
        if options:
            told = [_option(option, block.priced) for option in options]
            yield Named(heading, one_line(", ".join(told)))
    if block.given:
        yield Named(_("Comes with"), one_line(", ".join(block.given)))
    if block.wizard:
        yield Named(_("Wizard"), one_line(block.wizard.label))


def _option(taken: TakenLine, priced: bool) -> str:
    return f"{taken.name} {taken.points}" if taken.points and priced else taken.name


def _army_fields(block: UnitBlock) -> Iterator[str]:
    """Lines for what a wizard knows, and for health that the book does not tell."""
    if block.counts and block.healthy and block.health is None:
        yield _("Health Points")
    if block.wizard and block.wizard.asks_path:
        yield _("Path")
    for number in range(1, (block.wizard.spells if block.wizard else 0) + 1):
        yield _("Spell {number}").format(number=number)


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
    """Return a face for each unit of the book, in its order."""
    return faces_of_units(book.units.values(), system, {book.id: book.kind})


def faces_of_list(document: ArmyList, library: Library) -> list[Face]:
    """Return a face for each entry of a document that has passed `read_document`.

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
