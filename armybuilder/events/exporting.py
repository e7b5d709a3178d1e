"""The lists of an event for other programs and for paper: what somebody may see, and no more."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils.translation import get_language

from armybuilder.events.models import Event
from armybuilder.events.shown import ShownList
from armybuilder.exchange.cells import safe_text
from armybuilder.loading.file_names import free_name
from armybuilder.sheets.content.setup import Setup, read_occasion
from armybuilder.sheets.printing.chapters import print_list
from armybuilder.sheets.printing.merging import Merger
from armybuilder.sheets.texts.forms import FORMS

#: The columns of the table.
COLUMNS = ("number", "name", "team", "books", "points", "limit", "legal", "commitment", "list")


def text_of(shown: ShownList) -> str:
    """Return a list as tournaments ask for it: a line a unit, of an army as the tools of its game
    read it; of an open one without what is hidden.
    """
    return FORMS["t9a" if shown.sheet.army else "lines"].draw(shown.sheet)


def as_data(event: Event, shown: Iterable[ShownList]) -> dict[str, Any]:
    """Return the lists as JSON-ready data (docs/events.md): `salt` with `commitment` proves that a
    list is the one submitted, and is there where the whole list is.
    """
    pack = event.packs.latest("pk")
    return {
        "format": "event/1",
        "event": {"id": str(event.pk), "name": event.name, "system": event.system},
        "pack": {"id": pack.pack_id, "revision": pack.revision},
        "entries": [_entry(one) for one in shown],
    }


def _entry(shown: ShownList) -> dict[str, Any]:
    kept = shown.submission
    data: dict[str, Any] = {
        "number": shown.entry.number,
        "name": shown.entry.name,
        "team": shown.entry.team,
        "books": list(shown.sheet.books),
        "legal": kept.legal,
        "points": shown.sheet.spent,
        "limit": shown.sheet.limit,
        "submission": kept.number,
        "received": kept.received.isoformat(),
        "commitment": kept.commitment,
        "text": text_of(shown),
    }
    if shown.document is not None:
        data |= {"salt": kept.salt, "document": shown.document.to_dict()}
    return data


def as_players(event: Event, shown: Iterable[ShownList]) -> dict[str, Any]:
    """Return the players as pairing tools read them (the shape of ListFortress)."""
    players = [
        {"name": one.entry.name, "score": 0, "mov": 0, "sos": 0, "dropped": None}
        | {"rank": {"swiss": None, "elimination": None}, "list": text_of(one)}
        for one in shown
    ]
    return {"title": event.name, "players": players, "rounds": []}


def as_table(shown: Iterable[ShownList]) -> str:
    """Return the lists as CSV, one row each; the texts of players are no formulas."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    for one in shown:
        data = _entry(one)
        books = ", ".join(data["books"])
        row = [data["number"], data["name"], data["team"], books, data["points"], data["limit"]]
        row += ["yes" if data["legal"] else "no", data["commitment"], data["text"]]
        writer.writerow([safe_text(str(cell)) for cell in row])
    return stream.getvalue()


def write_zip(stream: IO[bytes], shown: Iterable[ShownList]) -> None:
    """Write a zip with a text of each list, and its document where that may be seen."""
    taken: set[str] = set()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        for one in shown:
            stem = f"{one.entry.number:04} {one.entry.name}"
            files = {"txt": text_of(one)}
            if one.document is not None:
                files["json"] = json.dumps(one.document.to_dict(), indent=2, ensure_ascii=False)
            for ending, text in files.items():
                # Without the time of day, equal lists make equal files.
                info = ZipInfo(free_name(stem, ending, taken))
                archive.writestr(info, text.encode(), ZIP_DEFLATED)


def write_booklet(stream: IO[bytes], event: Event, shown: Iterable[ShownList]) -> None:
    """Write one PDF with the compact sheet of every list, or the hidden list, under bookmarks with
    the players' names.
    """
    merger = Merger(stream)
    for one in shown:
        kind = "compact" if one.whole else "hidden"
        told = {"player": one.entry.name, "team": one.entry.team, "event": event.name}
        setup = Setup(kinds=(kind,), notes=False, **read_occasion(told))
        content = print_list(one.material, setup, tagged=False)
        merger.add(f"{one.entry.number} {one.entry.name}", content)
    merger.finish(event.name, get_language() or "en")
