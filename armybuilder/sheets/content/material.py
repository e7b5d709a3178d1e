"""What all sheets of one list are made of: judged once, each part made when a kind asks for it."""

import datetime
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from armybuilder.engine.catalogue import System
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge
from armybuilder.loading.library import Library
from armybuilder.sheets.content.card_face import Face
from armybuilder.sheets.content.cards import list_faces
from armybuilder.sheets.content.hidden import open_hash
from armybuilder.sheets.content.make import HASH, army_sheet, make_sheet
from armybuilder.sheets.content.structure import AtEvent, Sheet


class SheetLinks(NamedTuple):
    """Addresses that codes lead to: of frozen copies of a list, by what they show of it, and of the
    page that checks the `certificate` in it; "" where there is none.
    """

    full: str = ""
    open: str = ""
    certificate: str = ""


NO_LINKS = SheetLinks()


class Material:
    """One list. Raises Refusal where its system is not here, or an own model cannot be priced."""

    def __init__(
        self,
        document: ArmyList,
        library: Library,
        printed_on: datetime.date,
        links: SheetLinks = NO_LINKS,
        at_event: AtEvent | None = None,
    ) -> None:
        self.document = document
        self.printed_on = printed_on
        self.links = links
        self.at_event = at_event
        judged = judge(document, library)
        self.catalogue, self.roster, self.report = judged.catalogue, judged.roster, judged.report

    @property
    def system(self) -> System:
        return self.catalogue.system

    @cached_property
    def sheet(self) -> Sheet:
        """The list with all that is on it."""
        sheet = self._sheet("full")
        opened = self.open_hash[:HASH]
        return replace(
            sheet,
            link=self.links.full,
            certificate=self.links.certificate,
            open_hash=opened if opened != sheet.hash else "",
        )

    @cached_property
    def open_sheet(self) -> Sheet:
        """The list as opponents see it before the game: of an army, without special items."""
        return replace(self._sheet("open"), link=self.links.open, hash=self.open_hash[:HASH])

    @cached_property
    def open_hash(self) -> str:
        """The hash that the open list carries, 64 hexadecimal digits."""
        return open_hash(self.document, self.roster, self.system.sized)

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """A card for each entry of the list."""
        return tuple(list_faces(self.catalogue, self.roster, self.report))

    def _sheet(self, kind: str) -> Sheet:
        parts = (self.document, self.catalogue, self.roster, self.report, self.printed_on)
        made = army_sheet(*parts, kind) if self.system.sized else make_sheet(*parts)
        return replace(made, at_event=self.at_event)


def sheet_of(
    document: ArmyList, library: Library, printed_on: datetime.date, kind: str = "full"
) -> Sheet:
    """Return the sheet of a checked document, judged anew; `kind` (`make.KINDS`) matters to armies
    only. Raises Refusal as `Material` does.
    """
    material = Material(document, library, printed_on)
    return material.open_sheet if kind == "open" else material.sheet
