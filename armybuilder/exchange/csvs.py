"""A list as a table (CSV): a row for each unit, and one for each thing taken on it.

The table says all that the list's document says, so that reading it gives the same document; what
it says besides (names of the books, points) is for those who look at it, and is passed over when
it is read. Rows stand in the order of the list. What a row says depends on its `kind`:

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

`unit` is the id of the unit that a row belongs to; where it is empty, the unit above. `called` is
what the player calls it; `roles` are ids with spaces between; `on` is the piece of equipment that
an enchantment is put on. A value is JSON, or a text. `more` holds as JSON what no column can say,
such as an empty note; null in it takes a key away. A text that begins like a formula has an
apostrophe before it.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from armybuilder.engine import Report
from armybuilder.engine.loadout import Taken
from armybuilder.exchange.cells import safe_text, value_text
from armybuilder.loading.armylist import (
    FORMAT,
    ArmyList,
    ListAbility,
    ListCard,
    ListOption,
    ListProfile,
    ListUnit,
)
from armybuilder.loading.deadline import checked
from armybuilder.loading.judging import judge
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

COLUMNS = (
    *("kind", "unit", "id", "name", "number", "points", "called"),
    *("roles", "on", "value", "notes", "more"),
)
Row = dict[str, object]


def write_csv(document: ArmyList, library: Library) -> str:
    """The table of a list. Points and names are left out where the list cannot be judged."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    for row in _Writing(document, _report(document, library)).rows():
        writer.writerow({column: _cell(value) for column, value in row.items()})
    return out.getvalue()


def _cell(value: object) -> object:
    return safe_text(value) if isinstance(value, str) else value


def _report(document: ArmyList, library: Library) -> Report | None:
    """None where the list cannot be judged; it can be written nevertheless."""
    try:
        return judge(document, library).report
    except Refusal:
        return None


class _Writing:
    """The rows of one list, with what its report says about them."""

    def __init__(self, document: ArmyList, report: Report | None) -> None:
        self.document = document
        self.report = report

    def rows(self) -> Iterator[Row]:
        """All rows: the list, its books and settings, and its units."""
        yield self._list()
        for book in self.document.books:
            yield {"kind": "book", "id": book.id, "value": book.revision}
        for name, value in self.document.settings.items():
            yield {"kind": "setting", "id": name, "value": value_text(value)}
        for entry in checked(self.document.units):
            for row in self._unit(entry):
                yield {**row, "unit": entry.id}

    def _list(self) -> Row:
        document = self.document
        more = _empty(document, notes="")
        if not document.settings and "settings" not in document.kept_empty:
            more["settings"] = None
        return {
            "kind": "list",
            "id": document.system,
            "name": document.name,
            "number": document.limit,
            "points": self.report.spent if self.report else "",
            "value": FORMAT,
            "notes": document.notes,
            "more": _more(more),
        }

    def _unit(self, entry: ListUnit) -> Iterator[Row]:
        line = self.report.line(entry.id) if self.report else None
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
        yield from _profile_rows(profile) if profile else ()
        yield from _card_rows(card) if card else ()
        taken = _by_path(line.loadout.taken) if line else {}
        yield from _option_rows(entry.options, taken, "")


def _empty(value: ArmyList | ListUnit | ListOption | ListAbility, **fields: object) -> Row:
    """Those of the fields that the document writes down empty, which no column can say."""
    return {key: nothing for key, nothing in fields.items() if key in value.kept_empty}


def _more(values: Row) -> str:
    return value_text(values) if values else ""


def _profile_rows(profile: ListProfile) -> Iterator[Row]:
    for stat, number in profile.stats.items():
        yield {"kind": "stat", "id": stat, "number": number}
    for use in profile.abilities:
        more = _more(_empty(use, target=""))
        yield {"kind": "ability", "id": use.ability, "value": use.target, "more": more}


def _card_rows(card: ListCard) -> Iterator[Row]:
    if card.points is not None:
        yield {"kind": "card", "id": "points", "number": card.points}
    for name, value in card.attributes.items():
        yield {"kind": "card", "id": f"attributes/{name}", "value": value}
    for name, number in card.ratings.items():
        yield {"kind": "card", "id": f"ratings/{name}", "number": number}


def _by_path(taken: Sequence[Taken]) -> dict[str, Taken]:
    """What is taken on a unit by its path, as the rows of options name it."""
    paths: list[str] = []
    for one in taken:
        above = f"{paths[one.parent]}/" if one.parent >= 0 else ""
        paths.append(f"{above}{one.pick.id}")
    return dict(zip(paths, taken, strict=True))


def _option_rows(
    entries: Iterable[ListOption], taken: Mapping[str, Taken], above: str
) -> Iterator[Row]:
    """The rows of options, each followed by those of what is taken on it."""
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
