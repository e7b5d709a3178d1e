"""A list as a table (CSV): a row for each unit, and one for each thing taken on it.

The table holds everything in the list's document, so that reading it gives the same document;
anything else in it (names of the books, points) is for human readers, and is ignored when it is
read. Rows are in the order of the list. The meaning of a row depends on its `kind`:

    kind     id                       name         number   value           others
    list     game system              list's name  limit    format          notes
    book     book                     -            -        revision
    setting  setting                  -            -        value
    unit     book/unit                -            models   -               called, roles, notes
    unit     empty: an own model      its name     models   -               called, roles, notes
    stat     statistic of own model   -            value    -
    ability  ability of own model     -            -        against what
    card     points                   -            points   -
    card     attributes/name          -            -        value
    card     ratings/name             -            rating   -
    option   path: option/option      -            times    -               on

`unit` is the id of the unit that a row belongs to; if it is empty, the unit above. `called` is
the player's name for it; `roles` are ids with spaces between; `on` is the piece of equipment that
an enchantment is put on. A value is JSON, or a text. `more` holds as JSON anything without a
column, such as an empty note; null in it takes a key away. A text that begins like a formula has an
apostrophe before it.
"""

import codecs
import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.showing import number_text
from armybuilder.battlescribe.files.view import ListView
from armybuilder.engine import Report
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.wording import either
from armybuilder.loading.armylist import FORMAT, ArmyList, ListAbility, ListOption, ListUnit
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import judge, read_document
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.library import Library
from armybuilder.loading.limits import DEEPEST
from armybuilder.loading.problems import Refusal

COLUMNS = (
    *("kind", "unit", "id", "name", "number", "points", "called"),
    *("roles", "on", "value", "notes", "more"),
)
Row = dict[str, object]
#: Beginnings that a spreadsheet takes for a formula, and those that were kept from it.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_KEPT = re.compile(r"'+[=+\-@\t\r]")


def write_csv(document: ArmyList, library: Library) -> str:
    """Return the table of a list. Points and names are left out where the list cannot be judged."""
    report = None
    with suppress(Refusal):
        report = judge(document, library).report
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    for row in _rows(document, report):
        texts = {key: safe_text(value) for key, value in row.items() if isinstance(value, str)}
        writer.writerow({**row, **texts})
    return out.getvalue()


def _rows(document: ArmyList, report: Report | None) -> Iterator[Row]:
    more = _empty(document, notes="", stat_lines={})
    if not document.settings and "settings" not in document.kept_empty:
        more["settings"] = None
    if document.stat_lines:
        more["stat_lines"] = document.to_dict()["stat_lines"]
    yield {
        "kind": "list",
        "id": document.system,
        "name": document.name,
        "number": document.limit,
        "points": report.spent if report else "",
        "value": FORMAT,
        "notes": document.notes,
        "more": _more(more),
    }
    for book in document.books:
        yield {"kind": "book", "id": book.id, "value": book.revision}
    for name, value in document.settings.items():
        yield {"kind": "setting", "id": name, "value": value_text(value)}
    for entry in checked(document.units):
        line = report.line(entry.id) if report else None
        for row in _unit_rows(entry, line):
            yield {**row, "unit": entry.id}


def _unit_rows(entry: ListUnit, line: Line | None) -> Iterator[Row]:
    profile, card = entry.profile, entry.card
    more = _empty(entry, roles=[], options=[])
    if card is not None and (not card or card.kept_empty):
        more["card"] = card.to_dict()
        card = None
    more |= _empty(entry, notes="")
    yield {
        "kind": "unit",
        "id": entry.ref,
        "name": profile.name if profile else line.unit.name if line else "",
        "number": entry.models,
        "points": line.points if line else "",
        "called": entry.name,
        "roles": " ".join(entry.roles),
        "notes": entry.notes,
        "more": _more(more),
    }
    if profile:
        for stat, number in profile.stats.items():
            yield {"kind": "stat", "id": stat, "number": number}
        for use in profile.abilities:
            more = _empty(use, target="")
            yield {"kind": "ability", "id": use.ability, "value": use.target, "more": _more(more)}
    if card:
        if card.points is not None:
            yield {"kind": "card", "id": "points", "number": card.points}
        for name, value in card.attributes.items():
            yield {"kind": "card", "id": f"attributes/{name}", "value": value}
        for name, number in card.ratings.items():
            yield {"kind": "card", "id": f"ratings/{name}", "number": number}
    taken = line.loadout.taken if line else ()
    paths: list[str] = []
    for option in taken:
        above = f"{paths[option.parent]}/" if option.parent >= 0 else ""
        paths.append(f"{above}{option.pick.id}")
    yield from _option_rows(entry.options, dict(zip(paths, taken, strict=True)), "")


def _empty(value: ArmyList | ListUnit | ListOption | ListAbility, **fields: object) -> Row:
    """Return those of the fields that the document writes down empty: no column can say that."""
    return {key: nothing for key, nothing in fields.items() if key in value.kept_empty}


def _more(values: Row) -> str:
    return value_text(values) if values else ""


def _option_rows(
    entries: Iterable[ListOption], taken: Mapping[str, Taken], above: str
) -> Iterator[Row]:
    for entry in entries:
        path = f"{above}{entry.id}"
        known = taken.get(path)
        yield {
            "kind": "option",
            "id": path,
            "name": known.option.name if known else "",
            "number": entry.number,
            "points": known.points if known else "",
            "on": entry.on,
            "more": _more(_empty(entry, options=[])),
        }
        yield from _option_rows(entry.options, taken, f"{path}/")


#: Bytes of a table; it is longer than the document that it says.
MAX_CSV = 2 * 1024 * 1024
#: The kinds of rows.
_ROWS = ("list", "book", "setting", "unit", "stat", "ability", "card", "option")
#: What `more` may bring that rows below add to, and of which kind that must be.
_ADDED_TO: Mapping[str, type] = {"options": list, "card": dict, "attributes": dict, "ratings": dict}
#: What columns say and rows below rely on; `more` has no say in it.
_SETTLED = frozenset({"id", "profile"})

Cells = Mapping[str, str]
#: A document, or a part of one, while its rows are read.
Data = dict[str, Any]


def read_csv(raw: bytes, name: str = "table") -> ArmyList:
    """Read the list in a table of anyone; units without an id get one.

    Raises Refusal where it is too long, no table of a list, or says what no list may say.
    """
    if len(raw) > MAX_CSV:
        said = _("The table has {size} KB; maximum {most} KB.")
        raise Refusal(said.format(size=len(raw) // 1024 + 1, most=MAX_CSV // 1024))
    reading = _Reading()
    rows = table_rows(table_text(raw), COLUMNS[0])
    headings = [heading.strip().casefold() for heading in next(rows)]
    for number, row in enumerate(checked(rows), start=2):
        if any(row):
            reading.read(number, dict(zip(headings, row, strict=False)))
    return read_document(json.dumps(reading.finished()).encode(), name)


class _Reading:
    """A document while its rows are read; `options` are those of each unit by their paths."""

    def __init__(self) -> None:
        self.document: Data = {}
        self.books: list[Data] = []
        self.settings: Data = {}
        self.units: list[Data] = []
        self.by_id: dict[str, Data] = {}
        self.options: dict[int, dict[str, Data]] = {}

    def read(self, number: int, row: Cells) -> None:
        """Read a row of the table. Raises Refusal, naming the row."""
        kind = row.get("kind", "").strip().casefold()
        cells = {heading: plain_text(cell) for heading, cell in row.items()}
        try:
            match kind:
                case "list":
                    self._list(cells)
                case "book":
                    about = _said(cells, revision="value")
                    self.books.append({"id": cells.get("id", ""), **about})
                case "setting":
                    self.settings[cells.get("id", "")] = text_value(cells.get("value", ""))
                case "unit":
                    self._unit(cells)
                case "stat":
                    self._profile(cells)["stats"][cells.get("id", "")] = _number(cells)
                case "ability":
                    use = {"ability": cells.get("id", ""), **_said(cells, target="value")}
                    _add_more(use, cells)
                    self._profile(cells)["abilities"].append(use)
                case "card":
                    self._card(cells)
                case "option":
                    self._option(cells)
                case _:
                    self._unknown(cells)
        except Refusal as refusal:
            sentence = _("In row {number}: {reason}")
            raise Refusal(sentence.format(number=number, reason=refusal.sentence)) from refusal

    def _unknown(self, cells: Cells) -> None:
        kind = cells.get("kind", "").strip().casefold()
        sentence = _("“{kind}” is not a kind of row. Write {kinds}.")
        raise Refusal(sentence.format(kind=kind[:60], kinds=either(_ROWS)))

    def finished(self) -> Data:
        """Return the document of all rows. Raises Refusal if there is no row of the list."""
        if not self.document:
            raise Refusal(_("The table has no row of the kind “list”."))
        numbers = [int(known[1:]) for known in self.by_id if re.fullmatch("u[0-9]{1,9}", known)]
        free = max(numbers, default=0)
        for entry in self.units:
            if not entry["id"]:
                free += 1
                entry["id"] = f"u{free}"
        return self.document

    def _list(self, cells: Cells) -> None:
        if self.document:
            raise Refusal(_("a table holds one list, and there is already one above."))
        self.document = {
            "format": cells.get("value") or "armylist/1",
            "system": cells.get("id", ""),
            "name": cells.get("name", ""),
            "limit": _number(cells),
            "books": self.books,
            "settings": self.settings,
            "units": self.units,
            **_said(cells, notes="notes"),
        }
        _add_more(self.document, cells)

    def _unit(self, cells: Cells) -> None:
        entry: Data = {"id": cells.get("unit", ""), "models": _number(cells)}
        if cells.get("id"):
            entry["unit"] = cells["id"]
        else:
            entry["profile"] = {"name": cells.get("name", ""), "stats": {}, "abilities": []}
        entry |= _said(cells, name="called", notes="notes")
        if cells.get("roles"):
            entry["roles"] = cells["roles"].split()
        _add_more(entry, cells)
        self.units.append(entry)
        self.by_id.setdefault(entry["id"], entry)

    def _unit_of(self, cells: Cells) -> Data:
        named = cells.get("unit", "")
        if named and named in self.by_id:
            return self.by_id[named]
        if named or not self.units:
            raise Refusal(_("the unit it belongs to is not above it."))
        return self.units[-1]

    def _profile(self, cells: Cells) -> Data:
        profile: Data | None = self._unit_of(cells).get("profile")
        if profile is None:
            raise Refusal(_("only custom models can have this: leave their unit id empty."))
        return profile

    def _card(self, cells: Cells) -> None:
        card = self._unit_of(cells).setdefault("card", {})
        part, _slash, name = cells.get("id", "").partition("/")
        if part == "attributes":
            card.setdefault(part, {})[name] = cells.get("value", "")
        elif part == "ratings":
            card.setdefault(part, {})[name] = _number(cells)
        elif part == "points":
            card[part] = _number(cells)
        else:
            parts = either(["points", "attributes/…", "ratings/…"])
            raise Refusal(_("the id of a card’s row is {parts}.").format(parts=parts))

    def _option(self, cells: Cells) -> None:
        unit = self._unit_of(cells)
        path = cells.get("id", "")
        above, _slash, option_id = path.rpartition("/")
        known = self.options.setdefault(id(unit), {"": unit})
        if above not in known:
            raise Refusal(_("the option it is taken on is not above it."))
        entry: Data = {"id": option_id, **_said(cells, on="on")}
        if cells.get("number", "").strip() not in ("", "1"):
            entry["number"] = _number(cells)
        _add_more(entry, cells)
        taken = known[above].setdefault("options", [])
        if path.count("/") + 1 < DEEPEST:
            taken.append(entry)
            known[path] = entry
        elif len(entry) == 1:
            taken.append(option_id)
        else:
            raise Refusal(_("an option of an option can only have an id."))


def _said(cells: Cells, **columns: str) -> Data:
    """Return the values of these columns by key, without empty ones."""
    return {key: cells[column] for key, column in columns.items() if cells.get(column)}


def _number(cells: Cells) -> int:
    text = cells.get("number", "").strip()
    if not re.fullmatch("[0-9]{1,9}", text):
        raise Refusal(_("“{text}” is not a whole number.").format(text=text[:60]))
    return int(text)


def _add_more(entry: Data, cells: Cells) -> None:
    """Merge the column `more` into the entry; null removes a key."""
    more: Any = text_value(cells.get("more", "")) or {}
    if not isinstance(more, Mapping) or not _SETTLED.isdisjoint(more) or not _fits(more):
        raise Refusal(_("“more” cannot be read."))
    entry |= more
    for key in [key for key, value in more.items() if value is None]:
        del entry[key]


def _fits(more: Mapping[str, Any]) -> bool:
    """Return whether rows below can add to its values; null ones go before they come."""
    there = {key: value for key, value in more.items() if value is not None}
    kinds = all(isinstance(there[key], kind) for key, kind in _ADDED_TO.items() if key in there)
    card = there.get("card", {})
    return kinds and None not in card.values() and (not card or _fits(card))


def safe_text(text: str) -> str:
    """Return the text as a cell that no spreadsheet takes for a formula: after an apostrophe."""
    return f"'{text}" if _FORMULA.match(text) else text


def plain_text(cell: str) -> str:
    """Return the text that `safe_text` made the cell of."""
    return cell[1:] if _KEPT.match(cell) else cell


def value_text(value: Any) -> str:
    """Return a value as JSON; a text that isn't JSON unchanged, without quotes."""
    if isinstance(value, str) and not _is_json(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def text_value(text: str) -> Any:
    """Return the value that `value_text` made the text of. Raises Refusal where it is too large."""
    return parse_json(text.encode(), MAX_BYTES, MAX_DEPTH) if _is_json(text) else text


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def table_text(raw: bytes) -> str:
    """Decode a table's file: UTF-8, or Windows' encoding. Raises Refusal: it isn't text."""
    utf16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16" if utf16 else "utf-8-sig", "cp1252"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Refusal(_("That is not text; save the table as CSV."))


def table_rows(text: str, heading: str) -> Iterator[list[str]]:
    """Yield a table's rows; its heading has the separator. Raises Refusal: none, a long cell."""
    first = text.partition("\n")[0]
    headings = {
        mark: [cell.strip().strip('"').casefold() for cell in first.split(mark)] for mark in ",;\t"
    }
    separator = next((mark for mark, found in headings.items() if heading in found), None)
    if separator is None:
        said = _("This table is not a list: its first row has no column “{heading}”.")
        raise Refusal(said.format(heading=heading))
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    except csv.Error as error:
        raise Refusal(_("A cell of the table is too long.")) from error


# A list of a game by files: a row for each unit, with all its costs.


def write_file_csv(view: ListView) -> str:
    """Return the table of a list; unlike a roster, it can't be read back."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows(map(safe_text, row) for row in _file_rows(view))
    return out.getvalue()


def _file_rows(view: ListView) -> Iterator[list[str]]:
    costs = [cost.name for cost in view.costs]
    head = _("Force"), _("Army book"), _("Category"), _("Unit"), _("Name"), _("Models")
    yield [*head, _("Contents"), *costs, _("Notes")]
    for force in view.all_forces:
        for group in force.groups:
            for unit in group.units:
                pick, prices = unit.pick, {cost.name: cost.number for cost in unit.costs}
                contents = ", ".join(one.words for one in pick.below)
                place = force.own or force.name, force.book, group.name
                what = pick.name, pick.own, str(pick.models or ""), contents
                amounts = (number_text(prices.get(name, 0)) for name in costs)
                yield [*place, *what, *amounts, pick.notes]
