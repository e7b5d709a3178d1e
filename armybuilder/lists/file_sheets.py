"""Lists of a community's files as sheets and texts draw them, and as files of other programs."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from typing import Final, NamedTuple

from armybuilder.battlescribe.files.roster_files import write_roster
from armybuilder.battlescribe.files.view import view_of
from armybuilder.comparing.file_lists import FileSide
from armybuilder.lists.worked_out import WorkedOut
from armybuilder.loading.documents import hash_of
from armybuilder.sheets.content.file_lists import FileList, at_event, sheet_of
from armybuilder.sheets.content.make import NO_LINKS, SheetLinks
from armybuilder.sheets.content.setup import Setup, written
from armybuilder.sheets.drawing.typeface import unprintable
from armybuilder.sheets.kinds.file_lists import print_file_list
from armybuilder.sheets.printing.printouts import Printout, remembered

#: Letters of a list's hash on its sheets.
HASH = 10


class Shown(NamedTuple):
    """Visible parts of a list: texts of rules, for holders of its files; and its notes."""

    texts: bool = True
    notes: bool = True


#: All, as who holds the files and the list sees it.
ALL: Final = Shown()


def drawn(
    one: WorkedOut, day: datetime.date, shown: Shown = ALL, links: SheetLinks = NO_LINKS
) -> FileList:
    """Return the data that sheets and texts of a list draw; `links` are for codes."""
    view = view_of(one.game, one.evaluation, one.told)
    view = view if shown.texts else view.without_texts()
    view = view if shown.notes else view.without_notes()
    document = one.document
    notes = document.notes if shown.notes else ""
    sheet = sheet_of(view, document.name, day, hash_of(document)[:HASH], notes)
    event = at_event(view) if one.pack is not None else None
    sheet = replace(sheet, at_event=event, link=links.full, certificate=links.certificate)
    return FileList(view, sheet)


def printout(
    one: WorkedOut,
    day: datetime.date,
    setup: Setup,
    shown: Shown = ALL,
    links: SheetLinks = NO_LINKS,
) -> Printout:
    """Return the printout of a list, of those kinds of sheet that it can have."""
    links = links.chosen(setup)

    def make() -> Printout:
        of_files = drawn(one, day, shown, links)
        words = json.dumps(one.document.to_dict(), ensure_ascii=False)
        lost = unprintable(f"{words}{written(setup)}")
        content = print_file_list(of_files, setup)
        return Printout(content, of_files.sheet.heading, setup, lost)

    pack = one.pack and one.pack.revision
    parts = [one.document.to_dict(), day.isoformat(), written(setup), shown, links, pack]
    return remembered(parts, make)


def side_of(one: WorkedOut) -> FileSide:
    """Return a list in the form used for comparisons."""
    return FileSide(one.document, view_of(one.game, one.evaluation), one.report.outcome_words)


def roster(one: WorkedOut) -> str:
    return write_roster(one.document, one.game, one.evaluation)
