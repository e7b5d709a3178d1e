"""A submitted list as far as a person may see it: of our own books, or by files."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.view import ListView
from armybuilder.engine.event_report import event_words
from armybuilder.engine.verdict import outcome_of
from armybuilder.events.models import Entry, Submission
from armybuilder.events.rules import Sight
from armybuilder.lists import file_sheets
from armybuilder.lists.models import ListDocument
from armybuilder.lists.worked_out import force_list_of, work_out
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.file_lists import FileList
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.play import Data, play_side
from armybuilder.sheets.content.play_files import play_file_side
from armybuilder.sheets.content.setup import Setup, left_out
from armybuilder.sheets.content.structure import AtEvent, Sheet
from armybuilder.sheets.kinds.file_lists import print_file_list
from armybuilder.sheets.printing.printouts import print_list
from armybuilder.sheets.texts.file_lists import FILE_FORMS
from armybuilder.sheets.texts.forms import FORMS
from armybuilder.sheets.texts.lines import groups


def book_names(submission: Submission | None, library: Library) -> str:
    """Return the names of the army books of a list; "" for lists of a community's files."""
    content = submission.content if submission else None
    if not isinstance(content, ArmyList):
        return ""
    known = library.books.get(content.system, {})
    names = (
        known[book.id].name if book.id in known else _("custom book") for book in content.books
    )
    return ", ".join(names)


@dataclass(eq=False)
class ShownList:
    """A visible submission, the open list or all of it."""

    entry: Entry
    submission: Submission
    sight: Sight
    library: Library
    day: datetime.date

    #: A page's view of a list of files; None if `sheet` has everything.
    view: ClassVar[Any] = None

    @property
    def whole(self) -> bool:
        return self.sight is Sight.FULL

    @property
    def content(self) -> ListDocument:
        """The list. Raises Refusal where it was removed."""
        if (content := self.submission.content) is None:
            raise Refusal(_("This list was removed."))
        return content

    @cached_property
    def document(self) -> ListDocument | None:
        """The list itself, where all of it may be seen."""
        return self.content if self.whole else None

    @property
    def at_event(self) -> AtEvent:
        """The event's verdict and the state of the list, in words."""
        kept = self.submission
        report, unchecked = kept.event_report, len(kept.event_report["unchecked"])
        verdict = event_words(kept.legal, report["refusals"], unchecked)
        state = {
            Entry.Status.ENTERED: _("To check"),
            Entry.Status.RETURNED: _("Returned"),
            Entry.Status.ACCEPTED: _("Accepted"),
            Entry.Status.WITHDRAWN: _("Withdrawn"),
        }[Entry.Status(self.entry.status)]
        words = [verdict, state, *([_("late")] if kept.late else [])]
        return AtEvent(" · ".join(words), outcome_of(kept.legal, unchecked))

    @cached_property
    def material(self) -> Material:
        """The material of its sheets. Raises Refusal as `Material` does."""
        document = self.submission.document
        return Material(document, self.library, self.day, at_event=self.at_event)

    @cached_property
    def sheet(self) -> Sheet:
        """The visible sheet, without the player's notes if it isn't all."""
        if self.whole:
            return self.material.sheet
        return left_out(self.material.open_sheet, Setup(notes=False))

    @property
    def side(self) -> Data:
        """The list as it is played."""
        return play_side(self.material, self.sheet)

    @property
    def units(self) -> list[str]:
        """A line for each unit."""
        return [unit.said() for _title, units in groups(self.sheet) for unit in units]

    def pdf(self, setup: Setup, before: int) -> bytes:
        """Return its sheet, short, as it may be seen; `before`: pages before it in a booklet."""
        kind = "compact" if self.whole else "hidden"
        return print_list(self.material, replace(setup, kinds=(kind,)), before)

    @property
    def key(self) -> str:
        """Key in a cache of what exported files say of it."""
        return f"{self.submission.pk} {self.day} {self.at_event.alone}"

    @cached_property
    def drawn(self) -> Mapping[str, Any]:
        """Facts and text of the list for exported files, as tournaments ask for them."""
        sheet = self.sheet
        text = FORMS["t9a" if sheet.army else "lines"].draw(sheet)
        facts = {"books": list(sheet.books), "points": sheet.spent, "limit": sheet.limit}
        return {**facts, "text": text}


class ShownForces(ShownList):
    """The same of a game from files. What their rules say stays with who holds them."""

    @cached_property
    def files(self) -> FileList:
        """The list as drawn. Raises Refusal if the files are gone."""
        one = work_out(force_list_of(self.content))
        drawn = file_sheets.drawn(one, self.day, file_sheets.Shown(False, self.whole))
        return replace(drawn, sheet=replace(drawn.sheet, at_event=self.at_event))

    @property
    def view(self) -> ListView:
        return self.files.view

    @property
    def sheet(self) -> Sheet:
        return self.files.sheet

    @property
    def side(self) -> Data:
        """The list as it is played."""
        return play_file_side(self.files, force_list_of(self.content).game.key)

    @property
    def units(self) -> list[str]:
        """A line for each unit."""
        return [
            f"{unit.pick.line} [{unit.price}]" if unit.price else unit.pick.line
            for force in self.view.all_forces
            for group in force.groups
            for unit in group.units
        ]

    def pdf(self, setup: Setup, before: int) -> bytes:
        """Return its sheet, short, as it may be seen; `before`: pages before it in a booklet."""
        return print_file_list(self.files, replace(setup, kinds=("compact",)), before)

    @cached_property
    def drawn(self) -> Mapping[str, Any]:
        """Facts and text of the list for exported files, as tournaments ask for them."""
        report = self.submission.event_report
        text = FILE_FORMS["compact"].draw(self.files)
        facts = {"points": report["spent"], "limit": report["limit"]}
        return {"books": list(self.sheet.books), **facts, "text": text}
