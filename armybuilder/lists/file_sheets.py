"""Lists of a community's files as sheets and texts draw them, and as files of other programs."""

from __future__ import annotations

import datetime

from armybuilder.battlescribe.files.roster_files import write_roster
from armybuilder.battlescribe.files.view import view_of
from armybuilder.lists.worked_out import WorkedOut
from armybuilder.loading.documents import hash_of
from armybuilder.sheets.content.file_lists import FileList, sheet_of
from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.kinds.file_lists import print_file_list
from armybuilder.sheets.printing.printouts import Printout

#: Letters of a list's hash on its sheets.
HASH = 10


def drawn(one: WorkedOut, day: datetime.date, others: bool = False) -> FileList:
    """Return what sheets and texts of a list draw; for `others`, rules by their names alone."""
    view = view_of(one.game, one.evaluation)
    document = one.document
    notes = "" if others else document.notes
    sheet = sheet_of(view, document.name, day, hash_of(document)[:HASH], notes)
    return FileList(view.without_texts() if others else view, sheet)


def printout(one: WorkedOut, day: datetime.date, setup: Setup, others: bool = False) -> Printout:
    """Return the printout of a list, of those kinds of sheet that it can have."""
    shown = drawn(one, day, others)
    return Printout(print_file_list(shown, setup), shown.sheet.file_name, setup)


def roster(one: WorkedOut) -> str:
    """Return a list as a roster in XML."""
    return write_roster(one.document, one.game, one.evaluation)
