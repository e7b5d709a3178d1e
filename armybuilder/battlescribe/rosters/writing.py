"""A list as a roster of BattleScribe, plain or zipped: the same list, the same bytes."""

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from django.utils.translation import gettext as _

from armybuilder.battlescribe.rosters.choosing import WrittenSelection, choose
from armybuilder.battlescribe.rosters.describing import (
    Describer,
    WrittenProfile,
    WrittenRule,
)
from armybuilder.battlescribe.rosters.roster_ids import Ids, ordered_id
from armybuilder.battlescribe.rosters.sites import (
    Origin,
    OriginForce,
    OriginName,
    Site,
    origin_in,
    unit_site,
)
from armybuilder.engine.lines import Line, make_lines
from armybuilder.engine.roster import Roster
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import canonical, catalogue_of, make_roster
from armybuilder.loading.file_names import file_stem
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

NAMESPACE: Final = "http://www.battlescribe.net/schema/rosterSchema"
#: The version of BattleScribe whose files these are.
VERSION: Final = "2.03"
#: What XML cannot hold at all.
_UNWRITABLE: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class ElementWriter:
    """Writes the parts of one roster. `ids` gives each element its id."""

    def __init__(self, ids: Ids, points: OriginName) -> None:
        self.ids = ids
        self.points = points

    def roster(
        self, game: OriginName, name: str, spent: int, limit: int, notes: str
    ) -> tuple[Element, Element]:
        """Return the roster, and the element in it that its forces go into."""
        root = Element("roster", {"id": self.ids.root, "name": _clean(name)})
        root.set("battleScribeVersion", VERSION)
        root.set("gameSystemId", game.id)
        root.set("gameSystemName", game.name)
        root.set("gameSystemRevision", str(game.revision))
        root.set("xmlns", NAMESPACE)
        self._costs(root, spent)
        limits = SubElement(root, "costLimits")
        SubElement(limits, "costLimit", self._cost(limit))
        forces = SubElement(root, "forces")
        _notes(root, notes)
        return root, forces

    def force(
        self,
        into: Element,
        origin: Origin,
        force: OriginForce,
        units: Iterable[WrittenSelection],
        notes: str,
    ) -> None:
        """Return a force with its units."""
        element = SubElement(into, "force", {"id": self.ids.next(), "name": force.name})
        element.set("entryId", force.id)
        element.set("catalogueId", origin.catalogue.id)
        element.set("catalogueRevision", str(origin.catalogue.revision))
        element.set("catalogueName", origin.catalogue.name)
        _notes(element, notes)
        self._selections(element, units)
        names = {"(No Category)": "Uncategorised"}
        names |= {id_: origin.categories[id_] for id_ in force.categories}
        self._categories(element, names, dict.fromkeys(names, False))

    def _selections(self, parent: Element, selections: Iterable[WrittenSelection]) -> None:
        found = list(selections)
        if found:
            into = SubElement(parent, "selections")
            for selection in found:
                self._selection(into, selection)

    def _selection(self, parent: Element, selection: WrittenSelection) -> None:
        site = selection.site
        order = selection.order
        id_ = self.ids.next() if order is None else ordered_id(self.ids.root, order)
        element = SubElement(parent, "selection", {"id": id_, "name": _clean(site.name)})
        element.set("entryId", site.path)
        if site.group:
            element.set("entryGroupId", site.group)
        if selection.name:
            element.set("customName", _clean(selection.name))
        element.set("number", str(selection.number))
        element.set("type", site.type)
        _notes(element, selection.notes)
        _rules(element, selection.about.rules)
        _profiles(element, selection.about.profiles)
        self._selections(element, selection.inner)
        self._costs(element, selection.points)
        self._categories(element, site.origin.categories, selection.categories)

    def _costs(self, parent: Element, points: int) -> None:
        SubElement(SubElement(parent, "costs"), "cost", self._cost(points))

    def _cost(self, points: int) -> dict[str, str]:
        return {"name": self.points.name, "typeId": self.points.id, "value": f"{points}.0"}

    def _categories(
        self, parent: Element, names: Mapping[str, str], primary: Mapping[str, bool]
    ) -> None:
        if not primary:
            return
        into = SubElement(parent, "categories")
        for id_, first in primary.items():
            about = {"id": self.ids.next(), "name": _clean(names[id_]), "entryId": id_}
            SubElement(into, "category", about, primary="true" if first else "false")


def text_of(root: Element) -> bytes:
    """Return the file's bytes, in UTF-8."""
    indent(root)
    # Line ends that are part of a text must not be read as one of the file.
    body = tostring(root, encoding="unicode").replace("\r", "&#13;")
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    return f"{head}{body}\n".encode()


def _notes(parent: Element, notes: str) -> None:
    if notes:
        SubElement(parent, "customNotes").text = _clean(notes)


def _rules(parent: Element, rules: Iterable[WrittenRule]) -> None:
    into: Element | None = None
    for one in rules:
        into = SubElement(parent, "rules") if into is None else into
        about = {"id": one.id, "name": one.name, **({"page": one.page} if one.page else {})}
        SubElement(SubElement(into, "rule", {**about, "hidden": "false"}), "description")


def _profiles(parent: Element, profiles: Iterable[WrittenProfile]) -> None:
    into: Element | None = None
    for one in profiles:
        into = SubElement(parent, "profiles") if into is None else into
        kind = {"typeId": one.type.id, "typeName": one.type.name}
        about = {"id": one.id, "name": one.name, "hidden": "false", **kind}
        cells = SubElement(SubElement(into, "profile", about), "characteristics")
        for column, id_, text in one.cells:
            SubElement(cells, "characteristic", {"name": column, "typeId": id_}).text = text or None


def _clean(text: str) -> str:
    """Return the text without what XML cannot hold."""
    return _UNWRITABLE.sub("", text)


#: The setting that says how the army is organised.
ORGANISATION: Final = "organisation"
#: The day that stands in a zip, so that the same list has the same bytes.
_DAY: Final = (1980, 1, 1, 0, 0, 0)


def data_of(document: ArmyList, library: Library) -> tuple[OriginName, ...]:
    """Return the catalogues that the list's books were made of, with their revisions: what
    BattleScribe needs to open it. Empty where it cannot be written for BattleScribe.
    """
    return tuple(origin.catalogue for origin in _origins(document, library))


def write_ros(document: ArmyList, library: Library) -> bytes:
    """Write the list as a .ros file; its notes name choices without a place in it.

    Raises Refusal if none of its books was made of BattleScribe's files.
    """
    catalogue = catalogue_of(document, library)
    origins = _origins(document, library)
    if not origins:
        raise Refusal(
            _(
                "BattleScribe has no data for the books of this list, so it cannot be saved "
                "for BattleScribe."
            )
        )
    roster = make_roster(document, catalogue)
    lines = make_lines(roster, catalogue.system)
    first = origins[0]
    units: dict[str, list[WrittenSelection]] = defaultdict(list)
    left_out = [*_strays(roster), *_settings(roster)]
    orders = count(1)
    describers = {origin: Describer(origin, catalogue.system.glossary) for origin in origins}
    for origin, site, line in _placed(lines, origins, left_out):
        chosen = choose(line, site, describers[origin], orders)
        units[origin.book].append(chosen.unit)
        left_out += [f"{line.name}: {what}" for what in chosen.left_out]
    writer = ElementWriter(Ids(canonical(document)), first.points)
    spent = sum(one.points for all_ in units.values() for unit in all_ for one in unit.walk())
    about = (document.name, spent, document.limit, document.notes)
    root, forces = writer.roster(first.game, *about)
    organisation = str(roster.settings.get(ORGANISATION) or "")
    for origin in origins:
        if origin is first or units[origin.book]:
            said = _said(left_out) if origin is first else ""
            force = origin.force(organisation)
            writer.force(forces, origin, force, units[origin.book], said)
    return text_of(root)


def write_rosz(document: ArmyList, library: Library) -> bytes:
    """The same as the bytes of a .rosz file: a zip with the .ros in it."""
    return zipped(write_ros(document, library), document.name)


def zipped(xml: str | bytes, title: str) -> bytes:
    """Return a roster as a zip of one file; equal rosters give equal bytes."""
    content = io.BytesIO()
    name = zipfile.ZipInfo(f"{file_stem(title) or 'roster'}.ros", _DAY)
    name.compress_type = zipfile.ZIP_DEFLATED
    name.external_attr = 0o644 << 16
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(name, xml)
    return content.getvalue()


def _origins(document: ArmyList, library: Library) -> list[Origin]:
    """Return the origins of the list's books."""
    origins = (origin_in(library, document.system, book.id) for book in document.books)
    return [origin for origin in origins if origin is not None]


def _placed(
    lines: Iterable[Line], origins: list[Origin], left_out: list[str]
) -> Iterable[tuple[Origin, Site, Line]]:
    """Yield the units with their places; those without are named in `left_out`."""
    by_book = {origin.book: origin for origin in origins}
    for line in checked(lines):
        book, _sign, unit = line.unit.ref.partition("/")
        origin = by_book.get(book)
        site = unit_site(origin, unit) if origin else None
        if origin is None or site is None:
            left_out.append(line.name)
        else:
            yield origin, site, line


def _strays(roster: Roster) -> Iterable[str]:
    """Return the names of the list that its books don't have."""
    units = (pick.ref for pick in roster.picks if pick.unit is None)
    return (*units, *(stray.name for stray in roster.strays))


def _settings(roster: Roster) -> Iterable[str]:
    """Settings without a place in BattleScribe."""
    others = {key: value for key, value in roster.settings.items() if key != ORGANISATION}
    return (f"{key}: {value}" for key, value in others.items() if value)


def _said(left_out: list[str]) -> str:
    """Return the notes about parts that the file lacks; "" if it has all."""
    if not left_out:
        return ""
    return "\n".join([_("Not in this file:"), *(f"- {what}" for what in left_out)])
