"""What pages show of a book: its cards as rows of a table, and one card as it was understood."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.authoring.fields import Entry, ReadCard
from armybuilder.authoring.marks import mark_of
from armybuilder.engine.catalogue import Book, System
from armybuilder.engine.describe import size_words, unit_abilities, unit_attributes, unit_facts
from armybuilder.engine.options import Group, Option
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import Later
from armybuilder.loading.books import build_book
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Problem
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.unit_fields import UNIT_FIELDS, price_remark, remark_words

#: Rows of one page of a table of cards.
ROWS = 100
#: Keys of cards that have a column of their own, and its heading.
_COLUMNS = [
    (field.key, field.form.column) for field in UNIT_FIELDS if field.form and field.form.column
]


class CardRow(NamedTuple):
    """A card in a table: `number` is its place in the book from 1, `cells` are (heading, text) of
    further columns, `price_mark` stands beside the points, `mark` is what the card says now.
    """

    id: str
    name: str
    points: str
    facts: str
    abilities: str
    price_mark: str
    cells: tuple[tuple[str, str], ...]
    note: str
    number: int
    mark: str


class CardRows(NamedTuple):
    """A page of the cards looked for: `found` of `total`, page `page` of `last`; `columns` are
    headings that some card fills; `problems` say why the game does not take the book any more.
    """

    rows: tuple[CardRow, ...]
    columns: tuple[str, ...]
    text: str
    found: int
    total: int
    page: int
    last: int
    problems: tuple[Problem, ...]


def found_units(document: Entry, text: str) -> list[tuple[int, Entry]]:
    """Return the cards whose name holds the text, whatever its case, each with its place from 1."""
    return [
        (number, unit)
        for number, unit in enumerate(document["units"], 1)
        if text.casefold() in unit["name"].casefold()
    ]


def rows_of(document: Entry, system: System, text: str = "", page: int = 1) -> CardRows:
    """The cards whose name holds the text, whatever its case; a page too high is the last."""
    units = document["units"]
    found = found_units(document, text)
    last = max(1, -(-len(found) // ROWS))
    page = min(max(page, 1), last)
    some = found[(page - 1) * ROWS : page * ROWS]
    built, problems = _built(document, [unit for _, unit in some], system)
    headings = {one["id"]: one["name"] for one in document.get("categories", ())}
    columns = [(key, name) for key, name in _COLUMNS if any(key in unit for _, unit in some)]
    rows = (
        _row(number, unit, built.get(unit["id"]), system, headings, columns)
        for number, unit in some
    )
    names = tuple(str(name) for _, name in columns)
    return CardRows(tuple(rows), names, text, len(found), len(units), page, last, problems)


def _built(
    document: Entry, units: Sequence[Entry], system: System
) -> tuple[dict[str, Unit], tuple[Problem, ...]]:
    """Some units of a book by id; where they cannot do without the others, all are built."""
    book, problems = build_book({**document, "units": list(units)}, system, "book")
    if book is None and len(units) < len(document["units"]):
        book, problems = build_book(dict(document), system, "book")
    return (_by_id(book), ()) if book else ({}, tuple(problems))


def _by_id(book: Book) -> dict[str, Unit]:
    return {ref.partition("/")[2]: unit for ref, unit in book.units.items()}


def _row(
    number: int,
    entry: Entry,
    unit: Unit | None,
    system: System,
    headings: Mapping[str, str],
    columns: Sequence[tuple[str, Later]],
) -> CardRow:
    """Return a row; of a card that the game does not take any more, what can be told without it."""
    categories = ", ".join(headings.get(one, one) for one in entry.get("categories", ()))
    points = unit.price.start if unit else entry.get("points")
    return CardRow(
        id=entry["id"],
        name=entry["name"],
        points="?" if points is None else str(points),
        facts=_sized(unit_facts(unit, system) or categories, unit) if unit else "",
        abilities=_known_for(unit, system) if unit else "",
        price_mark=_price_mark(entry),
        cells=tuple((str(name), str(entry.get(key, ""))) for key, name in columns),
        note=entry.get("note", ""),
        number=number,
        mark=mark_of(entry),
    )


def _price_mark(card: Unit | Entry) -> str:
    remark = price_remark(card)
    return str(remark.mark) if remark else ""


def _known_for(unit: Unit, system: System) -> str:
    """Return the unit's abilities; where armies have regiments, their special rules."""
    if system.sized:
        return ", ".join(keyword.name for keyword in unit.keywords)
    return unit_abilities(unit)


def _sized(words: str, unit: Unit) -> str:
    """Return the words and the unit's size, where units have one."""
    size = size_words(unit.size[0].base or 1, unit.size[1].base) if unit.size else ""
    return " · ".join(filter(None, (words, size)))


class ShownAbility(NamedTuple):
    """An ability of a shown card. `free`: the book's own; `near`: the game's that may be meant."""

    label: str
    free: bool
    near: str


class ShownCell(NamedTuple):
    """A statistic: its short name, its name, its value as the card prints it."""

    short: str
    name: str
    value: str


class ShownFace(NamedTuple):
    """A card as it was understood; points "?" where they are not known."""

    name: str
    points: str
    price_mark: str
    facts: str
    lines: tuple[tuple[str, tuple[ShownCell, ...]], ...]  # (whose stat line, or "", its cells)
    abilities: tuple[ShownAbility, ...]
    spells: str
    keywords: str
    options: tuple[str, ...]
    texts: tuple[tuple[str, tuple[str, ...]], ...]
    note: str
    extra: int = 0  # points for each model above the least, where units have sizes

    @property
    def price(self) -> str:
        """The points in words, "?" where they are not known."""
        number = int(self.points) if self.points.isdigit() else 0
        price = ngettext("{points} point", "{points} points", number).format(points=self.points)
        if not self.extra:
            return price
        told = _("{price}, +{extra} for each additional model")
        return told.format(price=price, extra=self.extra)


def face_of_read(read: ReadCard, document: Document, system: System) -> ShownFace | None:
    """Return the card that the fields of a form make; None where they make none yet."""
    entry = {"id": "card", **read.unit}
    entry["name"] = entry.get("name") or _("This card")
    own = (*document.get("abilities", ()), *read.abilities)
    return face_of({**document, "abilities": list(own)}, entry, system)


def face_of(document: Entry, entry: Entry, system: System) -> ShownFace | None:
    """One card of a book by itself; None where that cannot be shown."""
    alone = {**document, "units": [entry]}
    if not alone.get("abilities"):
        alone.pop("abilities", None)
    if schema_problems("book", alone, "card", 1):
        return None
    book, _ = build_book(alone, system, "card")
    return _face(next(iter(book.units.values())), book, system) if book else None


def _face(unit: Unit, book: Book, system: System) -> ShownFace:
    uses = (
        ShownAbility(use.label, free, _longer(use.ability.name, system) if free else "")
        for use in unit.abilities
        for free in (use.ability.id in book.abilities,)
    )
    return ShownFace(
        name=unit.name,
        points="?" if unit.price.start is None else str(unit.price.start),
        price_mark=_price_mark(unit),
        facts=_sized(unit_attributes(unit, system) or _headings(unit, book), unit),
        lines=tuple(_lines(unit, system)),
        abilities=tuple(uses),
        spells=", ".join(
            f"{spell.name} ×{spell.uses}" if spell.uses > 1 else spell.name for spell in unit.spells
        ),
        keywords=", ".join(keyword.name for keyword in unit.keywords),
        options=tuple(map(_priced, unit.offer.nodes)),
        texts=tuple(
            (part.name, unit.texts[part.id])
            for part in system.texts.values()
            if unit.texts.get(part.id)
        ),
        note=remark_words(unit),
        extra=unit.price.extra if unit.size and unit.size[0].base != unit.size[1].base else 0,
    )


def _headings(unit: Unit, book: Book) -> str:
    """Return the army categories that the unit counts in."""
    return ", ".join(book.categories.get(one, one) for one in unit.categories)


def _longer(name: str, system: System) -> str:
    """The game's abilities whose names begin with this one and go on: "Wild" may be Wild Troop."""
    begun = f"{name.casefold()} "
    found = (one.name for one in system.abilities.values() if one.name.casefold().startswith(begun))
    return ", ".join(sorted(found)[:3])


def _priced(node: Option | Group) -> str:
    """Return an option with its points; of a group what can be chosen in it."""
    if isinstance(node, Group):
        return f"{node.name}: {' | '.join(map(_priced, node.nodes))}"
    points, each = _signed(node.points.base), _signed(node.each.base)
    if points and each:
        return _("{name} {points} and {each} a model").format(
            name=node.name, points=points, each=each
        )
    if each:
        return _("{name} {each} a model").format(name=node.name, each=each)
    return f"{node.name} {points}" if points else _("{name} free").format(name=node.name)


def _signed(points: int | None) -> str:
    """Points with their sign; "" for none."""
    return f"{points:+}".replace("-", "−") if points else ""


def _lines(unit: Unit, system: System) -> Iterable[tuple[str, tuple[ShownCell, ...]]]:
    """Return the unit's stat line, or those of its parts; each named where there are several."""
    if unit.stats:
        yield "", _cells(unit.stats, system)
    for profile in unit.profiles:
        name = profile.name if len(unit.profiles) > 1 else ""
        yield name, _cells(profile.stats, system)


def _cells(stats: Mapping[str, int | str], system: System) -> tuple[ShownCell, ...]:
    known = (stat for stat in system.stats.values() if stat.id in stats)
    return tuple(ShownCell(stat.short, stat.name, stat.shown(stats[stat.id])) for stat in known)
