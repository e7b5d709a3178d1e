"""Tables of cards: which column is which field, and what each row would become."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.authoring.cards import CardForm
from armybuilder.authoring.checking import MAX_ABILITIES, MAX_UNITS
from armybuilder.authoring.fields import CardField, ReadCard
from armybuilder.authoring.grids import Grid, Row
from armybuilder.authoring.wording import and_more, grouped, short, simplified
from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import quote
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import Document


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table and the name of the field it fills; "" where it is left out."""

    heading: str
    field: str


@dataclass(frozen=True, slots=True)
class RowView:
    """A row as it would be taken over: its `number`, `cells` (text, mistake), other mistakes."""

    number: int
    cells: tuple[tuple[str, str], ...]
    mistakes: tuple[str, ...]
    read: ReadCard

    @property
    def is_wrong(self) -> bool:
        return bool(self.mistakes) or any(wrong for _, wrong in self.cells)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a table would become. `wrong` rows must be mended; `ready`: all can be taken over."""

    columns: tuple[TableColumn, ...]
    rows: tuple[RowView, ...]
    wrong: int
    notes: tuple[str, ...]
    ready: bool


def match_columns(grid: Grid, fields: Sequence[CardField]) -> tuple[TableColumn, ...]:
    """Return which field each column fills: by its name, its label in any language, or an alias."""
    known = _headings(fields)
    return tuple(TableColumn(heading, known.get(_plain(heading), "")) for heading in grid.rows[0])


def _headings(fields: Sequence[CardField]) -> dict[str, str]:
    """Return the field of every heading. What a field is called goes before other words for it."""
    known: dict[str, str] = {}
    for field in fields:
        for heading in (field.name, field.label, field.english or field.name):
            known.setdefault(_plain(heading), field.name)
    for field in fields:
        for heading in field.aliases:
            known.setdefault(_plain(heading), field.name)
    return known


def _plain(heading: str) -> str:
    return simplified(heading).replace("-", "")


def preview(
    grid: Grid,
    columns: Sequence[TableColumn],
    system: System,
    book: Document,
    replace: bool = False,
) -> Preview:
    """Return what the rows become. With `replace`, a row changes the unit that has its name."""
    card = CardForm(system, book)
    troubles = _troubles(grid, columns, card.fields)
    rows = _Rows(card, columns, book, replace)
    numbered = enumerate(checked(grid.rows[1:]), grid.first + 1)
    views = tuple(rows.view(number, cells) for number, cells in numbered if cells)
    total = len(book["units"]) + sum("id" not in view.read.unit for view in views)
    if total > MAX_UNITS:
        told = _("Your book would have {number} units; maximum {most}.")
        troubles.append(told.format(number=grouped(total), most=grouped(MAX_UNITS)))
    existing = {entry["id"] for entry in book.get("abilities", ())}
    named = {entry["id"]: entry["name"] for view in views for entry in view.read.abilities}
    fresh = [name for ability_id, name in named.items() if ability_id not in existing]
    own = len(book.get("abilities", ())) + len(fresh)
    if own > MAX_ABILITIES:
        told = _("Your book would have {number} abilities of its own; maximum {most}.")
        troubles.append(told.format(number=grouped(own), most=MAX_ABILITIES))
    wrong = sum(view.is_wrong for view in views)
    notes = (*grid.notes, *troubles, *_remarks(grid, columns, views, fresh))
    return Preview(tuple(columns), views, wrong, notes, not (wrong or troubles))


class _Rows:
    """Reads the rows of one table."""

    def __init__(
        self, card: CardForm, columns: Sequence[TableColumn], book: Document, replace: bool
    ) -> None:
        self.card = card
        self.fields = [column.field for column in columns]
        self.place = {field: at for at, field in reversed(list(enumerate(self.fields))) if field}
        self.units = {simplified(unit["name"]): unit for unit in reversed(book["units"])}
        self.replace = replace
        self.seen: dict[str, int] = {}

    def view(self, number: int, cells: Row) -> RowView:
        """Return one row as it would be taken over."""
        values = {field: cells[at] for field, at in self.place.items()}
        name = simplified(values.get("name", ""))
        base = self.units.get(name) if self.replace and name else None
        read = self.card.read(values, base)
        beside = [""] * len(cells)
        mistakes = []
        for mistake in read.mistakes:
            at = self.place.get(mistake.field)
            if at is None:
                mistakes.append(mistake.message)
            else:
                beside[at] = " ".join(filter(None, (beside[at], mistake.message)))
        if name and not beside[self.place["name"]]:
            beside[self.place["name"]] = self._same_name(name, values["name"], number)
        if len(cells) > len(self.fields):
            told = _(
                "Row {number} has {cells} cells, the headings are {headings}: put cells that "
                "contain a separator in quotation marks."
            )
            headings = len(self.fields)
            mistakes.append(told.format(number=number, cells=len(cells), headings=headings))
        return RowView(number, tuple(zip(cells, beside, strict=True)), tuple(mistakes), read)

    def _same_name(self, name: str, written: str, number: int) -> str:
        first = self.seen.setdefault(name, number)
        if first != number:
            told = _("Name: row {number} is called “{name}” too; rename one.")
            return told.format(number=first, name=short(written))
        if name in self.units and not self.replace:
            told = _(
                "Name: your book already has “{name}”; replace its units of the same name, or "
                "rename this one."
            )
            return told.format(name=short(written))
        return ""


def _troubles(grid: Grid, columns: Sequence[TableColumn], fields: Sequence[CardField]) -> list[str]:
    troubles = []
    labels = {field.name: field.label for field in fields}
    counts = Counter(column.field for column in columns if column.field)
    for field, number in counts.items():
        if field not in labels:
            told = _("There is no field “{field}” on these cards.")
            troubles.append(told.format(field=short(field)))
        elif number > 1:
            named = ", ".join(quote(short(c.heading)) for c in columns if c.field == field)
            told = _("{field} is filled by {number} columns, {columns}; keep one.")
            troubles.append(told.format(field=labels[field], number=number, columns=named))
    if "name" not in counts:
        troubles.append(_("No column holds the name; choose one, or write “Name” above it."))
    known = _headings(fields)
    first, second = (
        {known.get(_plain(cell), "") for cell in row if cell} - {""} for row in grid.rows[:2]
    )
    if len(second) > 1 and len(second) >= len(first):
        told = _(
            "The headings are in two rows, {first} and {second}; put them in one row, one "
            "heading above each column."
        )
        troubles.append(told.format(first=grid.first, second=grid.first + 1))
    return troubles


def _remarks(
    grid: Grid, columns: Sequence[TableColumn], views: Sequence[RowView], fresh: Sequence[str]
) -> Iterator[str]:
    """Yield what is worth knowing, and needs no correction."""
    bare = [at for at, heading in enumerate(grid.rows[0]) if not heading]
    filled = [at for at in bare if any(len(row) > at and row[at] for row in grid.rows[1:])]
    if filled and any(not columns[at].field for at in filled):
        named = ", ".join(map(_letters, filled))
        told = _("There is no heading above column {columns}; write one to import it.")
        yield told.format(columns=named)
    left = [column.heading for column in columns if column.heading and not column.field]
    if left:
        yield _("Left out: {columns}.").format(columns=", ".join(map(short, left)))
    replaced = sum("id" in view.read.unit for view in views)
    if replaced:
        told = ngettext(
            "{number} row changes a unit that your book already has.",
            "{number} rows change units that your book already has.",
            replaced,
        )
        yield told.format(number=replaced)
    if fresh:
        names = ", ".join(fresh[:20])
        names = and_more(names, len(fresh) - 20) if len(fresh) > 20 else names
        yield _("New abilities of your book: {names}.").format(names=names)


def _letters(place: int) -> str:
    """Return a column as spreadsheets name it: A, B, ..., AA."""
    first, last = divmod(place, 26)
    return (chr(64 + first) if first else "") + chr(65 + last)
