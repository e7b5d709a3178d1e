"""Lists of either kind as pages, sheets, texts, files and Play show them: one interface."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Final, TypeAlias

from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.reports import FileReport
from armybuilder.battlescribe.files.roster_files import write_roster
from armybuilder.battlescribe.files.view import ListView, view_of
from armybuilder.battlescribe.rosters import write_ros, write_rosz
from armybuilder.battlescribe.rosters.writing import zipped
from armybuilder.engine import Report
from armybuilder.exchange.csvs import write_csv, write_file_csv
from armybuilder.lists.models import ListDocument, OfFiles, Version
from armybuilder.lists.worked_out import WorkedOut, work_out, worked_out
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import hash_of
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.cards.cards_pdf import draw_cards
from armybuilder.sheets.content.cards import faces_of_list
from armybuilder.sheets.content.file_lists import FileList, at_event, sheet_of
from armybuilder.sheets.content.make import HASH, NO_LINKS, Material, SheetLinks
from armybuilder.sheets.content.play import Data, play_side
from armybuilder.sheets.content.play_files import play_file_side
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.setup import Setup, left_out, written
from armybuilder.sheets.content.structure import AtEvent, Sheet
from armybuilder.sheets.drawing.typeface import unprintable
from armybuilder.sheets.kinds.file_lists import print_file_list
from armybuilder.sheets.printing import printouts
from armybuilder.sheets.printing.printouts import Printout, remembered
from armybuilder.sheets.texts.file_lists import FILE_FORMS
from armybuilder.sheets.texts.forms import FORMS, USUAL, TextForm, forms_of
from armybuilder.sheets.texts.lines import groups

AnyForm = TextForm[Any]
#: Tables begin with the byte order mark by which spreadsheets read them as UTF-8.
TABLE: Final = "utf-8-sig"


@dataclass(eq=False, kw_only=True)
class _Drawn:
    """Visible part of a list: `kind` full or open, with the player's `notes` or without.

    `texts` of rules are for holders of a game's files.
    """

    document: ListDocument
    day: datetime.date = field(default_factory=timezone.localdate)
    kind: str = "full"
    notes: bool = True
    texts: bool = True
    links: SheetLinks = NO_LINKS
    at_event: AtEvent | None = None

    of_files: ClassVar[bool] = False
    #: All forms of text.
    forms: ClassVar[Mapping[str, AnyForm]]

    def form(self, name: str | None, usual: str = USUAL) -> AnyForm | None:
        """Return a form of text by its name, else the `usual` one; None if there is none such."""
        usual = usual if usual in self.forms else USUAL
        return self.forms.get(usual if name is None else name)

    def seconds(self, setup: Setup) -> float:
        return printouts.seconds_for(self.document, setup)


@dataclass(eq=False, kw_only=True)
class DrawnOfBooks(_Drawn):
    """A list of our own books. Raises Refusal where `Material` does."""

    document: ArmyList

    forms = FORMS
    #: Units of a list of files, for pages.
    view = None

    @cached_property
    def material(self) -> Material:
        library = shipped_library()
        return Material(self.document, library, self.day, self.links, self.at_event)

    @cached_property
    def sheet(self) -> Sheet:
        sheet = self.material.open_sheet if self.kind == "open" else self.material.sheet
        return sheet if self.notes else left_out(sheet, Setup(notes=False))

    @property
    def report(self) -> Report:
        return self.material.report

    @property
    def side(self) -> Data:
        """The list as it is played."""
        return play_side(self.material, self.sheet)

    @property
    def lines(self) -> list[str]:
        """A line for each unit."""
        return [unit.said() for _title, units in groups(self.sheet) for unit in units]

    def text(self, form: AnyForm, parts: frozenset[str] | None = None) -> str:
        return form.draw(self.sheet, parts)

    def printout(self, setup: Setup) -> Printout:
        about = self.links, self.at_event
        return printouts.printout(self.document, shipped_library(), self.day, setup, *about)

    def full_pdf(self, setup: Setup) -> bytes:
        return printouts.draw_pdf(self.sheet, setup)

    def pdf(self, setup: Setup, before: int | None = None) -> bytes:
        """Return the sheets of a set-up; `before`: pages before them in a booklet."""
        return printouts.print_list(self.material, setup, before)

    def cards(self, paper: str) -> Printout:
        name = one_line(self.document.name) or _("Unnamed list")
        title = _("{name} cards").format(name=name)
        faces = faces_of_list(self.document, shipped_library())
        return Printout(draw_cards(faces, paper, title), title, Setup(paper=paper))

    def file(self, ending: str) -> bytes:
        """Return the list as a table (csv) or a roster of BattleScribe (ros, rosz)."""
        if ending == "csv":
            return write_csv(self.document, shipped_library()).encode(TABLE)
        write = write_ros if ending == "ros" else write_rosz
        return write(self.document, shipped_library())


@dataclass(eq=False, kw_only=True)
class DrawnOfFiles(_Drawn):
    """A list of a community's files, which has no open kind. Raises Refusal where they are gone."""

    document: ForceList
    work: Callable[[], WorkedOut]

    of_files = True
    forms = FILE_FORMS

    @cached_property
    def one(self) -> WorkedOut:
        return self.work()

    @property
    def view(self) -> ListView:
        return self.files.view

    @property
    def sheet(self) -> Sheet:
        return self.files.sheet

    @property
    def material(self) -> Material:
        """Only lists of our books have it. Raises OfFiles."""
        raise OfFiles

    @property
    def report(self) -> FileReport:
        return self.one.report

    @cached_property
    def files(self) -> FileList:
        """The data that sheets and texts draw."""
        one, document = self.one, self.document
        view = view_of(one.game, one.evaluation, one.told)
        view = view if self.texts else view.without_texts()
        view = view if self.notes else view.without_notes()
        notes = document.notes if self.notes else ""
        sheet = sheet_of(view, document.name, self.day, hash_of(document)[:HASH], notes)
        event = self.at_event or (at_event(view) if one.pack is not None else None)
        links = self.links
        sheet = replace(sheet, at_event=event, link=links.full, certificate=links.certificate)
        return FileList(view, sheet)

    @property
    def side(self) -> Data:
        return play_file_side(self.files, self.document.game.key)

    @property
    def lines(self) -> list[str]:
        units = (u for force in self.view.all_forces for group in force.groups for u in group.units)
        return [f"{u.pick.line} [{u.price}]" if u.price else u.pick.line for u in units]

    def text(self, form: AnyForm, parts: frozenset[str] | None = None) -> str:
        return form.draw(self.files, parts)

    def printout(self, setup: Setup) -> Printout:
        """Return the printout, of those kinds of sheet that it can have."""

        drawn = replace(self, links=self.links.chosen(setup))
        data = self.document.to_dict()

        def make() -> Printout:
            lost = unprintable(f"{json.dumps(data, ensure_ascii=False)}{written(setup)}")
            return Printout(drawn.pdf(setup), drawn.sheet.heading, setup, lost)

        event = self.at_event and self.at_event.said, self.one.pack and self.one.pack.revision
        shown = self.texts, self.notes, drawn.links, event
        return remembered([data, self.day.isoformat(), written(setup), shown], make)

    def full_pdf(self, setup: Setup) -> bytes:
        return self.printout(setup).content

    def pdf(self, setup: Setup, before: int | None = None) -> bytes:
        return print_file_list(self.files, setup, before)

    def cards(self, paper: str) -> Printout:
        return self.printout(Setup(paper=paper, kinds=("cards",)))

    def file(self, ending: str) -> bytes:
        if ending == "csv":
            return write_file_csv(view_of(self.one.game, self.one.evaluation)).encode(TABLE)
        roster = write_roster(self.document, self.one.game, self.one.evaluation)
        return zipped(roster, self.document.name) if ending == "rosz" else roster.encode()


DrawnList: TypeAlias = DrawnOfBooks | DrawnOfFiles


def drawn_list(source: Version | ListDocument | WorkedOut, **more: Any) -> DrawnList:
    """Return a list to be drawn; `more` says how."""
    if isinstance(source, WorkedOut):
        return DrawnOfFiles(document=source.document, work=lambda: source, **more)
    document = source.content if isinstance(source, Version) else source
    if isinstance(document, ArmyList):
        return DrawnOfBooks(document=document, **more)
    if isinstance(source, Version):
        return DrawnOfFiles(document=document, work=partial(worked_out, source), **more)
    return DrawnOfFiles(document=document, work=partial(work_out, document), **more)


def forms_for(document: ListDocument) -> Mapping[str, AnyForm]:
    """Return the forms of text that a list is offered in, even if its game is gone."""
    if isinstance(document, ForceList):
        return FILE_FORMS
    system = shipped_library().find_system(document.system)
    return forms_of(system is not None and system.sized)
