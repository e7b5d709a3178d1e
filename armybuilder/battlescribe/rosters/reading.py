"""A roster of BattleScribe as a document of ours, and the outcome of everything in it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.reading import FileElement
from armybuilder.battlescribe.rosters.matching import UnitFinder, plain
from armybuilder.battlescribe.rosters.parsing import (
    BsSelection,
    forces_of,
    parse_roster,
    points_of,
    selections_of,
)
from armybuilder.battlescribe.rosters.remarks import Remark, Remarks
from armybuilder.battlescribe.rosters.roster_ids import in_order
from armybuilder.battlescribe.rosters.sites import Origin, books_by_catalogue, find_origin
from armybuilder.battlescribe.rosters.units import RosterUnitReader
from armybuilder.battlescribe.rosters.writing import ORGANISATION
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.lines import make_lines
from armybuilder.loading.armylist import ArmyList, ListBook, ListUnit, with_settings
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import make_roster, named_after
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_LIMIT, MAX_NAME, MAX_NOTES, MAX_UNITS
from armybuilder.loading.problems import Refusal

#: Of what is left out, so many things are told by name.
MOST_NAMED: Final = 12


@dataclass(frozen=True)
class RosterReading:
    """A document from a roster.

    `spent` are the file's points, None if not given; `remarks` list the changes on the way; `more`
    counts remarks that weren't kept.
    """

    document: ArmyList
    spent: int | None
    remarks: tuple[Remark, ...]
    more: int


def read_roster(raw: bytes, library: Library) -> RosterReading:
    """Read a .ros or .rosz file. Raises Refusal where it is none, or its books are not here."""
    roster = parse_roster(raw)
    forces = forces_of(roster)
    found = (_origin(force, library) for force in forces)
    first = next((origin for origin in found if origin is not None), None)
    if first is None:
        raise _unknown(roster, forces)
    origins = [_origin(force, library, first.system) for force in forces]
    books = dict.fromkeys(origin.book for origin in origins if origin is not None)
    reader = _Reader(roster, library, library.catalogue(first.system, list(books)))
    for force, origin in zip(forces, origins, strict=True):
        reader.force(force, origin)
    return reader.reading()


def _origin(force: FileElement, library: Library, system: str = "") -> Origin | None:
    revisions = force.get("catalogueRevision"), force.root.get("gameSystemRevision")
    name = force.get("catalogueName")
    return find_origin(library, force.get("catalogueId"), *revisions, system, name)


def _unknown(roster: FileElement, forces: Iterable[FileElement]) -> Refusal:
    names = dict.fromkeys(_book_name(force) or "?" for force in forces)
    if not names:
        return Refusal(_("There is no army in the list."))
    said = _("The list was made with “{books}” of “{game}”; that book is not available here.")
    books, game = ", ".join(names)[:MAX_NAME], roster.get("gameSystemName")[:MAX_NAME]
    return Refusal(said.format(books=books, game=game))


def _book_name(force: FileElement) -> str:
    return force.get("catalogueName") or force.get("name")


class _Reader:
    def __init__(self, roster: FileElement, library: Library, catalogue: Catalogue) -> None:
        self.roster = roster
        self.library = library
        self.catalogue = catalogue
        self.remarks = Remarks()
        self.waiting: list[tuple[BsSelection, Origin]] = []
        self.units: list[ListUnit] = []
        self.points: dict[str, int] = {}
        self.settings: dict[str, str] = {}
        self.finders: dict[str, UnitFinder] = {}

    def force(self, force: FileElement, origin: Origin | None) -> None:
        """Read the units of one force; `origin` None: its book is not here."""
        if origin is None:
            said = _("“{name}” is not available here; its units are left out.")
            self.remarks.note("", said.format(name=_book_name(force)[:MAX_NAME]))
            for selection in selections_of(force):
                self._left_out(selection)
            return
        self._compare(force, origin)
        self.waiting += [(selection, origin) for selection in selections_of(force)]

    def reading(self) -> RosterReading:
        """Return the units of all forces, in the order of the list."""
        for selection, origin in checked(in_order(self.waiting, lambda one: one[0].order)):
            self._unit(selection, origin)
        document = ArmyList(
            system=self.catalogue.system.id,
            books=tuple(ListBook(one.id, one.revision) for one in self.catalogue.books),
            name=self.remarks.cut(self.roster.get("name"), MAX_NAME, ""),
            limit=self._limit(self.catalogue.system),
            units=tuple(self.units),
            notes=self.remarks.cut(self.roster.get("customNotes"), MAX_NOTES, ""),
        )
        document = with_settings(document, self.settings)
        if not document.name:
            document = replace(document, name=named_after(document, self.catalogue))
        self._compare_points(document)
        spent, found = points_of(self.roster, "costs"), tuple(self.remarks.found)
        return RosterReading(document, spent, found, self.remarks.more)

    def _compare_points(self, document: ArmyList) -> None:
        """Tell which units cost other points here than in the file, where that says any."""
        if not any(self.points.values()):
            return
        roster = make_roster(document, self.catalogue)
        for line in make_lines(roster, self.catalogue.system):
            if line.points != self.points[line.pick.id]:
                self.remarks.points(line.name, self.points[line.pick.id], line.points)

    def _limit(self, system: System) -> int:
        limit = points_of(self.roster, "costLimits")
        if limit is not None and 0 < limit <= MAX_LIMIT:
            return limit
        said = _("The file sets no points limit; {limit} was used.")
        self.remarks.note("", said.format(limit=system.default_size))
        return system.default_size

    def _compare(self, force: FileElement, origin: Origin) -> None:
        """Return what of the force itself differs, or says more than a list can."""
        revision = force.get("catalogueRevision")
        if revision != str(origin.catalogue.revision):
            said = _("{name}: the file was made with revision {theirs}, our book with {ours}.")
            name, ours = origin.catalogue.name, origin.catalogue.revision
            theirs = revision[:MAX_NAME] or "?"
            self.remarks.note("", said.format(name=name, theirs=theirs, ours=ours))
            self._tell_others(force, origin)
        words = [force.get("customName"), *force.get("customNotes").split()]
        if any(words):
            said = _("Left out, the army’s notes: {notes}")
            self.remarks.note("", said.format(notes=" ".join(words).strip()[:MAX_NOTES]))
        self._organise(force, origin)

    def _tell_others(self, force: FileElement, origin: Origin) -> None:
        """Tell which other games have a book of the same catalogue, as none is of its revision."""
        made = books_by_catalogue().get(force.get("catalogueId"), ())
        others = [one.system for one in made if one.system != origin.system]
        names = [self.library.system(one).name for one in others if one in self.library.systems]
        if names:
            said = _("{name}: we used the book for {game}; {others} has one with the same name.")
            game, other = self.catalogue.system.name, ", ".join(names)
            told = said.format(name=origin.catalogue.name, game=game, others=other)
            self.remarks.note("", told)

    def _organise(self, force: FileElement, origin: Origin) -> None:
        """Set how the army is organised, where that is not the usual way."""
        by_id = (one for one in origin.forces if one.id == force.get("entryId"))
        name = force.get("name")
        by_name = (one for one in origin.forces if plain(one.name) == plain(name))
        found = next(chain(by_id, by_name), None)
        if found is None:
            said = _("The organisation “{name}” is unknown.")
            self.remarks.note("", said.format(name=name[:MAX_NAME]))
            return
        setting = self.catalogue.system.settings.get(ORGANISATION)
        if setting is not None and found.organisation not in ("", setting.default):
            self.settings[ORGANISATION] = found.organisation

    def _unit(self, selection: BsSelection, origin: Origin) -> None:
        if origin.book not in self.finders:
            self.finders[origin.book] = UnitFinder(origin)
        finder = self.finders[origin.book]
        match = finder.find(selection)
        unit = self.catalogue.units.get(f"{origin.book}/{match.site.ours}") if match else None
        if match is None or unit is None:
            self._left_out(selection)
            return
        if match.by_name:
            what = selection.name.strip()[:MAX_NAME]
            self.remarks.guessed("", what, unit.name, match.several)
        entry = RosterUnitReader(selection, finder.parts(match.site), unit, self.remarks).entry()
        points = selection.total // selection.number
        for _again in range(selection.number):
            if len(self.units) == MAX_UNITS:
                said = _("A list holds at most {most} units; the rest is left out.")
                self.remarks.note("", said.format(most=MAX_UNITS))
                return
            id_ = f"u{len(self.units) + 1}"
            self.units.append(replace(entry, id=id_))
            self.points[id_] = points

    def _left_out(self, selection: BsSelection) -> None:
        """Tell of a unit that is left out, with everything on it."""
        names = [one.name.strip()[:MAX_NAME] or "?" for one in selection.walk()]
        more = [_("{number} more").format(number=len(names) - MOST_NAMED)]
        what = ", ".join(names[:MOST_NAMED] + (more if len(names) > MOST_NAMED else []))
        self.remarks.left_out("", f"{what} ({selection.total})")
