"""Cards of a book's units, of a list's entries, and blank ones: texts tidied, a line each."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.engine.describe import endurance, option_cost, side_marks, unit_attributes
from armybuilder.engine.nouns import counted
from armybuilder.engine.options import Group, Option, keyword_tag
from armybuilder.engine.report import LineNumbers
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Stat
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import Library
from armybuilder.loading.unit_fields import PriceRemark, price_remark, remark_words
from armybuilder.sheets.content.make_army import ArmyMaker
from armybuilder.sheets.content.printable import one_line, tidy
from armybuilder.sheets.content.structure import NamedValue, SheetArmy
from armybuilder.sheets.content.unit_view import (
    MOST_ROWS,
    UNKNOWN_UNIT,
    Lines,
    StatCell,
    UnitView,
    Uses,
)
from armybuilder.sheets.content.unit_words import (
    cap_words,
    option_names,
    role_names,
    size_of,
    unknown,
)

#: Boxes drawn for the health of one model; more is a number and a line to count on.
MOST_HEALTH = 20
#: Boxes drawn behind an ability or a spell; more is a number.
MOST_USES = 20

#: So few statistics of a game have their whole names, in large letters.
FEW = 3

#: What small print calls a kind of book: that one was made of files tells a player nothing.
KINDS = {
    "official": gettext_lazy("official"),
    "collected": gettext_lazy("from public pages"),
    "imported": "",
    "invented": gettext_lazy("practice: invented"),
    "house": gettext_lazy("house rules"),
    "converted": gettext_lazy("converted"),
    "own": gettext_lazy("own book"),
}


@dataclass(frozen=True, slots=True)
class StatBlock:
    """A stat line of its own, of a mount or a part; `about` are the statistics that are words."""

    name: str
    about: str
    cells: tuple[StatCell, ...]


@dataclass(frozen=True, slots=True)
class Health:
    """What one model can take, for each of `models`; one box stands for `box` of it."""

    name: str
    each: int
    models: int = 1
    box: int = 1

    @property
    def boxes(self) -> int:
        boxes = -(-self.each // self.box)
        return boxes if boxes <= MOST_HEALTH else 0

    @property
    def rows(self) -> range:
        """Numbers of the models that get boxes or a line, from 1."""
        return range(1, min(self.models, MOST_ROWS) + 1)

    @property
    def more(self) -> int:
        return self.models - len(self.rows)


@dataclass(frozen=True, slots=True)
class Face:
    """What stands on one card: texts tidied, one line each, but for the notes.

    `price` is "?" where unknown, "" where there is none; `each`: it is that of one model,
    `price_remark` what the book says of it; `known` false: not in the chosen books. `marks` say
    its part and side, `price_marks` what else it costs; `unique` is the name that one model of a
    list may have. `lists` are names under a heading, `fields` have a line to write beside them,
    `write` lines below (on a `blank` card always, else where room is left). `source` is the small
    print, `note` the book's remark.
    """

    title: str
    price: str = ""
    price_remark: PriceRemark | None = None
    models: int = 1
    each: bool = False
    known: bool = True
    blank: bool = False
    unique: str = ""
    about: str = ""
    marks: tuple[str, ...] = ()
    price_marks: tuple[str, ...] = ()
    stats: tuple[StatCell, ...] = ()
    blocks: tuple[StatBlock, ...] = ()
    health: Health | None = None
    condition: str = ""
    abilities: tuple[Uses, ...] = ()
    spells: tuple[Uses, ...] = ()
    keywords: tuple[str, ...] = ()
    keywords_name: str = ""
    texts: tuple[Lines, ...] = ()
    lists: tuple[NamedValue, ...] = ()
    fields: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    notes: str = ""
    note: str = ""
    source: str = ""

    @property
    def heading(self) -> str:
        return f"{self.models} × {self.title}" if self.models > 1 else self.title

    @property
    def price_note(self) -> str:
        """What stands under the price: what is to know of it, and whether it is that of one."""
        if self.price_remark:
            return str(self.price_remark.each if self.each else self.price_remark.mark)
        return _("points each") if self.each else _("points")

    @property
    def labels(self) -> tuple[str, ...]:
        """What marks the card out: that it is unique, and what part it plays."""
        same = self.title.casefold().startswith(self.unique.casefold())
        text = _("Unique") if same else _("Unique: {name}").format(name=self.unique)
        marks = (*self.marks, *self.price_marks)
        return (text, *marks) if self.unique else marks


#: Values of at most so many letters stand in a box under their label; longer ones are words.
SHORT = 4
#: What a part to write abilities in is called.
ABILITIES = gettext_lazy("Special abilities")
#: A group of more options than these is only named.
MOST_NAMES = 14


def face_of(unit: Unit, system: System, kind: str = "") -> Face:
    """Return the face of a unit's card; `kind` is that of its book, "" where nobody says."""
    # How many models a unit of many has, how often an army may have it, what more models cost.
    size = size_of(unit) if system.sized and unit.size is not None and unit.counts else ""
    marks = (size, cap_words(unit) if system.sized else "")
    extra = unit.price.extra if system.sized else 0
    more = _("{points} points for each additional model")
    texts = (
        Lines(part.name, tuple(filter(None, map(one_line, unit.texts.get(part.id, ())))))
        for part in system.texts.values()
    )
    summaries = {spell.name: spell.summary for spell in system.spells.values()}
    given = [one.name for one in unit.offer.nodes if isinstance(one, Option) and one.given]
    # Parts that a card which is not complete may have besides what we know of it.
    missing = [part.name for part in system.texts.values() if part.id not in unit.texts]
    if not unit.abilities and not unit.spells:
        missing.append(str(ABILITIES))
    return Face(
        title=one_line(unit.name) or _("Unnamed"),
        price="?" if unit.price.start is None else str(unit.price.start),
        price_remark=price_remark(unit),
        unique=one_line(unit.unique),
        about=one_line(unit_attributes(unit, system) or unit.group),
        marks=tuple(filter(None, marks)),
        price_marks=(more.format(points=f"{extra:+}"),) if extra else (),
        stats=tuple(_stats(unit, system)),
        blocks=tuple(_blocks(unit, system)),
        health=health_of(unit, system),
        abilities=tuple(
            Uses(one_line(use.label), use.boxes, one_line(use.ability.summary))
            for use in unit.abilities
        ),
        spells=tuple(
            Uses(one_line(spell.name), spell.uses, summaries.get(spell.name, ""))
            for spell in unit.spells
        ),
        keywords=tuple(one_line(keyword.name) for keyword in unit.keywords),
        keywords_name=keywords_name(system),
        texts=tuple(part for part in texts if part.lines),
        lists=(*_comes_with(given), *offered(unit)),
        fields=tuple(one_line(blank.name[:1].upper() + blank.name[1:]) for blank in unit.blanks),
        write=tuple(missing) if unit.blanks else (),
        note=one_line(remark_words(unit)),
        source=source_of(unit, system, kind),
    )


def _stats(unit: Unit, system: System) -> Iterator[StatCell]:
    few = len(system.stats) <= FEW
    for stat in system.stats.values():
        label = stat.name if few else stat.short
        if stat.id in unit.stats:
            yield StatCell(label, one_line(stat.shown(unit.stats[stat.id])), stat.help)
        elif not unit.profiles and (unit.blanks or stat.health):
            yield StatCell(label, "", stat.help)


def _blocks(unit: Unit, system: System) -> Iterator[StatBlock]:
    """Return the stat lines, without rules that the whole unit has, and without its name."""
    known = {keyword_tag(keyword.name) for keyword in unit.keywords}
    for profile in unit.profiles:
        told = [(stat, str(profile.stats.get(stat.id, ""))) for stat in system.stats.values()]
        rules = [rule for rule in profile.rules if keyword_tag(rule) not in known]
        name = "" if profile.name == unit.name else one_line(profile.name)
        yield stat_block(name, told, one_line(", ".join(rules)))


def keywords_name(system: System) -> str:
    """Return what the system calls the words on a unit's card."""
    return _("Rules") if system.sized else _("Keywords")


def stat_block(name: str, told: Iterable[tuple[Stat, str]], rules: str = "") -> StatBlock:
    """Return short values in boxes, others in words; "" is none."""
    cells, words = [], []
    for stat, text in told:
        value = one_line(text)
        if len(value) > SHORT:
            words.append(f"{stat.short} {value}")
        elif value:
            cells.append(StatCell(stat.short, value, stat.help))
    return StatBlock(name, "; ".join(filter(None, (", ".join(words), rules))), tuple(cells))


def health_of(unit: Unit, system: System, models: int = 1) -> Health | None:
    """Return what each of so many models can take; None where the system or the card tells none."""
    takes = endurance(unit, system)
    return Health(takes.name, takes.each, models, takes.box) if takes else None


def offered(unit: Unit) -> Iterator[NamedValue]:
    """Yield what may be chosen, group by group; options outside of groups together."""
    nodes = unit.offer.nodes
    loose = [_priced(node) for node in nodes if isinstance(node, Option) and not node.given]
    if loose:
        yield NamedValue(_("Options"), one_line(", ".join(loose)))
    for node in nodes:
        if isinstance(node, Group):
            yield NamedValue(one_line(node.name), one_line(_group(node)))


def _group(group: Group) -> str:
    names = list(dict.fromkeys(_names(group)))
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    number, most = len(names), group.allowance.base
    if not most:
        return _("{number} to choose from").format(number=number)
    text = ngettext(
        "{number} to choose from, up to {points} point",
        "{number} to choose from, up to {points} points",
        most,
    )
    return text.format(number=number, points=most)


def _names(group: Group) -> Iterator[str]:
    for node in group.nodes:
        if isinstance(node, Group):
            yield from _names(node)
        elif not node.given:
            yield _priced(node)


def _priced(option: Option) -> str:
    """Return an option with its price: "Shields +2 a model"; a free one by its name alone."""
    cost = option_cost(option)
    return f"{option.name} {cost}" if cost else option.name


def source_of(unit: Unit, system: System, kind: str = "") -> str:
    """Return the small print: collector number and set, the book, its kind, and the game."""
    told = (unit.number, unit.origin, unit.book_name, str(KINDS.get(kind, kind)), system.name)
    return one_line(" · ".join(dict.fromkeys(filter(None, told))))


def list_faces(
    catalogue: Catalogue, roster: Roster, report: Report, prices: bool = True
) -> Iterator[Face]:
    """Return a face for each entry of the list, in its order; without `prices` none says points."""
    system, sized = catalogue.system, catalogue.system.sized
    kinds = {book.id: book.kind for book in catalogue.books}
    army = ArmyMaker(catalogue, roster, report, report, "full").make() if sized else None
    blocks = {block.id: block for block in army.units} if army else {}
    for pick in checked(roster.picks):
        unit, numbers = pick.unit, report.lines.get(pick.id)
        kind = kinds.get(unit.book, "") if unit else ""
        if unit is None or not (army or numbers):
            lost = UnitView(**unknown(pick))
            face = Face(lost.name, models=lost.models, known=False, about=lost.unit_name)
            yield replace(face, notes=lost.notes, note=str(UNKNOWN_UNIT))
        elif army:
            block = replace(blocks[pick.id], priced=prices)
            yield _army_face(block, army, system, source_of(unit, system, kind))
        elif numbers:
            yield _listed_face(pick, unit, numbers, system, kind, prices)


def _listed_face(
    pick: Pick, unit: Unit, numbers: LineNumbers, system: System, kind: str, prices: bool
) -> Face:
    face, own_name = face_of(unit, system, kind), one_line(pick.name)
    taken = ", ".join(map(one_line, option_names(pick.picks)))
    price, price_marks, fields = "", "", face.fields
    if prices:
        price = "?" if unit.price.start is None else str(numbers.each)
        if numbers.points != numbers.each * pick.models:
            points = counted(numbers.points, "points")
            price_marks = _("{points} on this list").format(points=points)
    else:  # not even a line to write them on
        pairs = zip(face.fields, unit.blanks, strict=True)
        fields = tuple(name for name, blank in pairs if blank.field != "points")
    return replace(
        face,
        title=own_name or face.title,
        price=price,
        models=pick.models,
        each=pick.models > 1,
        about=" · ".join(filter(None, (face.title if own_name else "", face.about))),
        marks=(*role_names(pick, system), *side_marks(numbers)),
        price_marks=(price_marks,) if price_marks else (),
        health=health_of(unit, system, pick.models),
        lists=(NamedValue(_("Options"), taken),) if taken else (),
        fields=fields,
        notes=tidy(pick.notes),
    )


def _army_face(block: UnitView, army: SheetArmy, system: System, source: str) -> Face:
    scoring = (_("Scoring"),) if block.scoring else ()
    # Where boxes or a line to write on do not say all of its health.
    total = block.total_health
    is_drawn = total is None or (block.boxes and not block.shattered)
    return Face(
        title=f"{one_line(block.name)} {block.letter}".rstrip(),
        price=block.price,
        models=block.models if block.counts else 1,
        about=one_line(" · ".join(filter(None, (block.unit_name, block.about)))),
        marks=(*block.marks, *scoring),
        blocks=tuple(
            stat_block(
                one_line(row.name),
                [(system.stats[cell.id], cell.value) for cell in row.cells],
                row.note,
            )
            for row in block.rows
        ),
        health=Health(_("Health"), total) if block.counts and total else None,
        condition="" if is_drawn else block.condition,
        keywords=tuple(map(one_line, block.rules)),
        keywords_name=keywords_name(system),
        lists=tuple(_army_lists(block)),
        fields=tuple(_army_fields(block)),
        notes=block.notes,
        note=one_line(block.remark),
        source=source,
    )


def _army_lists(block: UnitView) -> Iterator[NamedValue]:
    for heading, options in ((_("Options"), block.options), (_("Items"), block.items)):
        if options:
            names = [
                f"{taken.name} {taken.points}" if taken.points and block.priced else taken.name
                for taken in options
            ]
            yield NamedValue(heading, one_line(", ".join(names)))
    yield from _comes_with(block.given)
    if block.wizard:
        yield NamedValue(_("Wizard"), one_line(block.wizard.label))


def _comes_with(names: Iterable[str]) -> Iterator[NamedValue]:
    if text := one_line(", ".join(names)):
        yield NamedValue(_("Comes with"), text)


def _army_fields(block: UnitView) -> Iterator[str]:
    """Yield lines for what a wizard knows, and for health that the book does not tell."""
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
    """Return a face for each unit; `kinds` are the kinds of their books by book id."""
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
    """Return so many cards of the system to fill in by pen."""
    stats = system.stats.values()
    names = [stat.name if len(stats) <= MOST_NAMED else stat.short for stat in stats]
    fields = [attribute.name for attribute in system.attributes.values()]
    headings = [part.name for part in system.texts.values()]
    if system.abilities:
        headings.append(str(ABILITIES))
    if system.spells:
        headings.append(_("Spells"))
    if system.sized:
        fields += [_("Category"), _("Models")]
        headings += [_("Rules"), _("Options")]
    face = Face(
        title="",
        blank=True,
        stats=tuple(StatCell(name, "", "") for name in names),
        fields=tuple(fields),
        write=tuple(headings),
        source=f"{system.name} · {_('empty card')}",
    )
    return [face] * count
