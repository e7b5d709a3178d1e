"""Reading a list back from its table; `csvs.py` tells what the rows say."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.engine.wording import either
from armybuilder.exchange.cells import plain_text, table_rows, table_text, text_value
from armybuilder.exchange.csvs import COLUMNS
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import read_document
from armybuilder.loading.limits import DEEPEST
from armybuilder.loading.problems import Refusal

#: Bytes of a table; it is longer than the document that it says.
MAX_CSV = 2 * 1024 * 1024
#: What `more` may bring that rows below add to, and of which kind that must be.
_ADDED_TO: Mapping[str, type] = {"options": list, "card": dict, "attributes": dict, "ratings": dict}
#: What columns say and rows below rely on; `more` has no say in it.
_SETTLED = frozenset({"id", "profile"})

Cells = Mapping[str, str]
#: A document, or a part of one, while its rows are read.
Data = dict[str, Any]


def read_csv(raw: bytes, name: str = "table") -> ArmyList:
    """The list in a table that may come from anyone. Units without an id get one.

    Raises Refusal when it is too long, no table of a list, or says what no list may say.
    """
    if len(raw) > MAX_CSV:
        said = _("The table has {size} KB; at most {most} KB can be read.")
        raise Refusal(said.format(size=len(raw) // 1024 + 1, most=MAX_CSV // 1024))
    reading = _Reading()
    rows = table_rows(table_text(raw), COLUMNS[0])
    headings = [heading.strip().casefold() for heading in next(rows)]
    for number, row in enumerate(checked(rows), start=2):
        if any(row):
            reading.read(number, dict(zip(headings, row, strict=False)))
    return read_document(json.dumps(reading.finished()).encode(), name)


class _Reading:
    """A document while its rows are read. `unit` is the one that rows belong to now, `options`
    are those of each unit by their paths.
    """

    def __init__(self) -> None:
        self.document: Data = {}
        self.books: list[Data] = []
        self.settings: Data = {}
        self.units: list[Data] = []
        self.by_id: dict[str, Data] = {}
        self.options: dict[int, dict[str, Data]] = {}
        self.kinds: Mapping[str, Callable[[Cells], None]] = {
            "list": self._list,
            "book": self._book,
            "setting": self._setting,
            "unit": self._unit,
            "stat": self._stat,
            "ability": self._ability,
            "card": self._card,
            "option": self._option,
        }

    def read(self, number: int, cells: Cells) -> None:
        """One row of the table. Raises Refusal, naming the row."""
        try:
            self._row(cells)
        except Refusal as refusal:
            said = _("In row {number}: {reason}")
            raise Refusal(said.format(number=number, reason=refusal.sentence)) from refusal

    def _row(self, cells: Cells) -> None:
        kind = cells.get("kind", "").strip().casefold()
        if kind not in self.kinds:
            said = _("“{kind}” is no kind of row; write {kinds}.")
            raise Refusal(said.format(kind=kind[:60], kinds=either(self.kinds)))
        self.kinds[kind]({heading: plain_text(cell) for heading, cell in cells.items()})

    def finished(self) -> Data:
        """The document that all rows say. Raises Refusal where there is no row of the list."""
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
            raise Refusal(_("there is one list in a table, and it stands above already."))
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

    def _book(self, cells: Cells) -> None:
        self.books.append({"id": cells.get("id", ""), **_said(cells, revision="value")})

    def _setting(self, cells: Cells) -> None:
        self.settings[cells.get("id", "")] = text_value(cells.get("value", ""))

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
        """The unit that a row belongs to. Raises Refusal where none stands above."""
        named = cells.get("unit", "")
        if named and named in self.by_id:
            return self.by_id[named]
        if named or not self.units:
            raise Refusal(_("the unit that it belongs to does not stand above it."))
        return self.units[-1]

    def _profile(self, cells: Cells) -> Data:
        profile: Data | None = self._unit_of(cells).get("profile")
        if profile is None:
            raise Refusal(_("only own models have this, and their units have no id of a book."))
        return profile

    def _stat(self, cells: Cells) -> None:
        self._profile(cells)["stats"][cells.get("id", "")] = _number(cells)

    def _ability(self, cells: Cells) -> None:
        use = {"ability": cells.get("id", ""), **_said(cells, target="value")}
        _add_more(use, cells)
        self._profile(cells)["abilities"].append(use)

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
            raise Refusal(_("the option that it is taken on does not stand above it."))
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
            raise Refusal(_("on an option of an option there is only the id of what is taken."))


def _said(cells: Cells, **columns: str) -> Data:
    """What stands in these columns, by key; what is empty is left out."""
    return {key: cells[column] for key, column in columns.items() if cells.get(column)}


def _number(cells: Cells) -> int:
    text = cells.get("number", "").strip()
    if not re.fullmatch("[0-9]{1,9}", text):
        raise Refusal(_("“{text}” is not a whole number.").format(text=text[:60]))
    return int(text)


def _add_more(entry: Data, cells: Cells) -> None:
    """Puts what stands in the column `more` into the entry; null takes a key away."""
    more: Any = text_value(cells.get("more", "")) or {}
    if not isinstance(more, Mapping) or not _SETTLED.isdisjoint(more) or not _fits(more):
        raise Refusal(_("what stands under “more” cannot be read."))
    entry |= more
    for key in _gone(more):
        del entry[key]


def _fits(more: Mapping[str, Any]) -> bool:
    """Whether rows below can add to what is in it; what is null goes before they come."""
    there = {key: value for key, value in more.items() if value is not None}
    kinds = all(isinstance(there[key], kind) for key, kind in _ADDED_TO.items() if key in there)
    card = there.get("card", {})
    return kinds and None not in card.values() and (not card or _fits(card))


def _gone(more: Mapping[str, Any]) -> Iterable[str]:
    return [key for key, value in more.items() if value is None]
