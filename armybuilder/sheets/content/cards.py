"""Cards of a book's units, of a list's entries, and blank ones: their contents."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.engine import Report
from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.engine.meanings import Meanings
from armybuilder.engine.nouns import counted
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import judge
from armybuilder.loading.library import Library, make_catalogue
from armybuilder.sheets.content.hidden import letters
from armybuilder.sheets.content.make_units import ViewMaker, entry_views
from armybuilder.sheets.content.setup import unpriced
from armybuilder.sheets.content.structure import NamedValue
from armybuilder.sheets.content.unit_view import (
    OfferedGroup,
    StatCell,
    StatRow,
    UnitView,
    Uses,
)

#: Boxes drawn behind an ability or a spell; more is a number.
MOST_USES = 20
#: So few statistics of a game have their whole names, in large letters.
FEW = 3
#: What a part to write abilities in is called.
ABILITIES = gettext_lazy("Special abilities")
#: A group of more options than these is only named.
MOST_NAMES = 14


@dataclass(frozen=True, slots=True)
class Face:
    """Contents of one card: a unit, and lines and boxes for a pen.

    `stats` are those of its card, empty ones to write in, `rows` its other stat lines. `powers` are
    abilities, spells, rules and items under their headings, with their effects. `write` are
    headings with lines below (on a `blank` card always, else where room is left).
    """

    unit: UnitView
    stats: tuple[StatCell, ...] = ()
    rows: tuple[StatRow, ...] = ()
    powers: tuple[tuple[str, tuple[Uses, ...]], ...] = ()
    write: tuple[str, ...] = ()
    blank: bool = False

    @property
    def price(self) -> str:
        """The points of a unit, of single models those of each; "?" not known, "" left out."""
        unit = self.unit
        if not unit.priced or not unit.known:
            return ""
        points = unit.points if unit.sized else unit.each
        return "?" if points is None else str(points)

    @property
    def price_note(self) -> str:
        """Return the note below the price: remarks on it, and whether it is for one."""
        each, remark = not self.unit.sized and self.unit.models > 1, self.unit.price_remark
        if remark:
            return str(remark.each if each else remark.mark)
        return _("points each") if each else _("points")

    @property
    def about(self) -> str:
        entry = self.unit.entry
        heading = entry.heading if entry and self.unit.sized else ""
        return " · ".join(filter(None, (self.unit.unit_name, heading, self.unit.about)))

    @property
    def labels(self) -> tuple[str, ...]:
        """Marks of the card: its parts and side, size, other costs."""
        unit, entry, each = self.unit, self.unit.entry, self.unit.each or 0
        labels = [*unit.marks, *([_("Scoring")] if unit.scoring else [])]
        if entry:
            labels += filter(None, (entry.size, entry.cap))
            more = _("{points} points for each additional model")
            labels += [more.format(points=f"{entry.extra:+}")] if entry.extra else []
        elif not unit.sized and unit.priced and unit.points and unit.points != unit.models * each:
            points = counted(unit.points, "points")
            labels.append(_("{points} on this list").format(points=points))
        return tuple(labels)

    @property
    def lists(self) -> tuple[NamedValue, ...]:
        """Names under a heading: the options taken or, on no list, the possible ones."""
        unit = self.unit
        lists = []
        if unit.options and not unit.entry:
            names = (f"{option.title} {option.points or ''}".rstrip() for option in unit.options)
            lists.append(NamedValue(_("Options"), ", ".join(names)))
        lists.append(NamedValue(_("Comes with"), ", ".join(unit.given)))
        lists.append(NamedValue(_("Wizard"), unit.wizard.label if unit.wizard else ""))
        groups = unit.entry.groups if unit.entry else ()
        lists += [NamedValue(group.name, _in_few_words(group)) for group in groups]
        return tuple(named for named in lists if named.text)

    @property
    def fields(self) -> Iterator[str]:
        """Yield the fields with a line to write on."""
        unit = self.unit
        yield from unit.blanks
        if unit.entry:
            return
        if unit.condition and unit.health is None:
            yield _("Health Points")
        if unit.wizard and unit.wizard.asks_path:
            yield _("Path")
        wizard = unit.wizard
        for number in range(wizard.spells if wizard and not wizard.choices else 0):
            yield _("Spell {number}").format(number=number + 1)


def _in_few_words(group: OfferedGroup) -> str:
    """Return the choices of a group; of many options their number, and points for them."""
    number = len(group.options)
    if number <= MOST_NAMES:
        return ", ".join(option.words for option in group.options)
    text = _("{number} to choose from").format(number=number)
    return ", ".join(filter(None, (text, group.bound)))


def _powers(unit: UnitView, meanings: Meanings | None) -> Iterator[tuple[str, tuple[Uses, ...]]]:
    """Yield a unit's names under headings; of an army with their meanings in the game."""

    def told(name: str) -> Uses:
        known = meanings.explained(name) if meanings else ()
        return Uses(name, summary=" ".join(one.summary for one in known))

    yield "", unit.abilities
    yield _("Spells"), unit.spells
    if unit.sized:
        items = () if unit.entry else unit.items
        yield (
            _("Items"),
            tuple(
                replace(
                    told(item.plain),
                    label=f"{item.name} {item.points or ''}".rstrip(),
                    boxes=int(item.once),
                )
                for item in items
            ),
        )
        yield _("Rules"), tuple(map(told, unit.rules))
        choices = unit.wizard.choices if unit.wizard else ()
        yield _("Spells"), tuple(Uses(spell.name, 1, spell.text) for spell in choices)
    else:
        yield _("Keywords"), tuple(map(Uses, unit.rules))


def face_of(unit: UnitView, system: System, meanings: Meanings | None = None) -> Face:
    """Return the face of a unit's card; equal ones for units that differ in nothing printed."""
    names = [stat.name for stat in system.stats.values()]
    # The statistics have boxes of their own.
    blanks = tuple(name for name in unit.blanks if name not in names)
    has_card = bool(unit.rows) and not unit.rows[0].name
    values = {cell.id: cell.value for cell in unit.rows[0].cells} if has_card else {}
    rows = unit.rows[has_card:]
    stats = tuple(
        StatCell(
            stat.name if len(names) <= FEW else stat.short,
            values.get(stat.id, ""),
            stat.help,
            stat.id,
        )
        for stat in system.stats.values()
        if stat.id in values or (unit.known and not rows and (blanks or stat.health))
    )
    # Parts that a card which is not complete may have besides what we know of it.
    known = {part.name for part in unit.texts}
    write = [part.name for part in system.texts.values() if part.name not in known]
    write += [] if unit.abilities or unit.spells else [str(ABILITIES)]
    powers = tuple((name, uses) for name, uses in _powers(unit, meanings) if uses)
    shown = replace(unit, id="", blanks=blanks)
    return Face(shown, stats, rows, powers, tuple(write if blanks else ()))


def list_faces(report: Report, prices: bool = True) -> Iterator[Face]:
    """Yield a face for each entry of a list, in its order; without `prices` none says points."""
    roster, system = report.full.roster, report.system
    maker = ViewMaker(report, letters(roster) if system.sized else {})
    meanings = Meanings(report.catalogue)
    for pick in checked(roster.picks):
        unit = maker.make(pick)
        yield face_of(unit if prices else unpriced(unit), system, meanings)


def faces_of_units(units: Iterable[Unit], catalogue: Catalogue) -> list[Face]:
    """Return a face for each unit of the catalogue's books."""
    meanings = Meanings(catalogue)
    views = entry_views(units, catalogue)
    return [face_of(view, catalogue.system, meanings) for view in views]


def faces_of_book(book: Book, system: System) -> list[Face]:
    """Return a face for each unit of the book, in its order."""
    return faces_of_units(book.units.values(), make_catalogue(system, [book]))


def faces_of_list(document: ArmyList, library: Library) -> list[Face]:
    """Return a face for each entry of a document that has passed `read_document`.

    Raises Refusal where its system is not here, or an own model cannot be priced.
    """
    return list(list_faces(judge(document, library).report))


#: A page of cards: as many blank ones as one holds.
PAGE = 9
#: Of more statistics the boxes of a blank card have the short names.
MOST_NAMED = 12


def blank_faces(system: System, count: int = PAGE) -> list[Face]:
    """Return cards of the system to fill in by pen."""
    stats = system.stats.values()
    fields = [attribute.name for attribute in system.attributes.values()]
    headings = [part.name for part in system.texts.values()]
    if system.abilities:
        headings.append(str(ABILITIES))
    if system.spells:
        headings.append(_("Spells"))
    if system.sized:
        fields += [_("Category"), _("Models")]
        headings += [_("Rules"), _("Options")]
    source = f"{system.name} · {_('empty card')}"
    face = Face(
        UnitView("", "", 1, priced=False, blanks=tuple(fields), source=source),
        tuple(
            StatCell(stat.name if len(stats) <= MOST_NAMED else stat.short, "", "")
            for stat in stats
        ),
        write=tuple(headings),
        blank=True,
    )
    return [face] * count
