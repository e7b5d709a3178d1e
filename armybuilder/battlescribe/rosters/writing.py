"""A list as a roster of BattleScribe, plain or zipped: the same list, the same bytes."""

import io
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Final

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.reading import UNWRITABLE
from armybuilder.battlescribe.rosters.choosing import WrittenSelection, choose
from armybuilder.battlescribe.rosters.describing import Describer, WrittenProfile, WrittenRule
from armybuilder.battlescribe.rosters.roster_ids import Ids, ordered_id
from armybuilder.battlescribe.rosters.sites import (
    Origin,
    OriginForce,
    OriginName,
    Site,
    origin_in,
    unit_site,
)
from armybuilder.battlescribe.xml import element_lines, list_lines, roster_text, text_lines
from armybuilder.engine.lines import Line, make_lines
from armybuilder.engine.roster import Roster
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import canonical, catalogue_of, make_roster
from armybuilder.loading.file_names import file_stem
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal


class RosterLines:
    """Writes the parts of one roster as lines. `ids` gives each element its id."""

    def __init__(self, ids: Ids, points: OriginName) -> None:
        self.ids = ids
        self.points = points

    def roster(
        self, game: OriginName, name: str, spent: int, limit: int, notes: str, forces: list[str]
    ) -> bytes:
        """Return the file of a roster with these forces."""
        head = {
            "gameSystemId": game.id,
            "gameSystemName": game.name,
            "gameSystemRevision": str(game.revision),
        }
        limits = list_lines("costLimits", element_lines("costLimit", self._cost(limit)))
        inside = [*self._costs(spent), *limits, *list_lines("forces", forces), *_notes(notes)]
        return UNWRITABLE.sub("", roster_text(self.ids.root, name, head, inside)).encode()

    def force(
        self, origin: Origin, force: OriginForce, units: Iterable[WrittenSelection], notes: str
    ) -> list[str]:
        """Return a force with its units."""
        head = {
            "id": self.ids.next(),
            "name": force.name,
            "entryId": force.id,
            "catalogueId": origin.catalogue.id,
            "catalogueRevision": str(origin.catalogue.revision),
            "catalogueName": origin.catalogue.name,
        }
        names = {"(No Category)": "Uncategorised"}
        names |= {id_: origin.categories[id_] for id_ in force.categories}
        categories = dict.fromkeys(names, False)
        inside = [*_notes(notes), *self._selections(units), *self._categories(names, categories)]
        return element_lines("force", head, inside)

    def _selections(self, selections: Iterable[WrittenSelection]) -> list[str]:
        return list_lines(
            "selections", [line for one in selections for line in self._selection(one)]
        )

    def _selection(self, selection: WrittenSelection) -> list[str]:
        site, order = selection.site, selection.order
        head = {
            "id": self.ids.next() if order is None else ordered_id(self.ids.root, order),
            "name": site.name,
            "entryId": site.path,
            **({"entryGroupId": site.group} if site.group else {}),
            **({"customName": selection.name} if selection.name else {}),
            "number": str(selection.number),
            "type": site.type,
        }
        inside = [
            *_notes(selection.notes),
            *_rules(selection.about.rules),
            *_profiles(selection.about.profiles),
            *self._selections(selection.inner),
            *self._costs(selection.points),
            *self._categories(site.origin.categories, selection.categories),
        ]
        return element_lines("selection", head, inside)

    def _costs(self, points: int) -> list[str]:
        return list_lines("costs", element_lines("cost", self._cost(points)))

    def _cost(self, points: int) -> dict[str, str]:
        return {"name": self.points.name, "typeId": self.points.id, "value": f"{points}.0"}

    def _categories(self, names: Mapping[str, str], primary: Mapping[str, bool]) -> list[str]:
        lines: list[str] = []
        for id_, first in primary.items():
            about = {"id": self.ids.next(), "name": names[id_], "entryId": id_}
            lines += element_lines("category", {**about, "primary": "true" if first else "false"})
        return list_lines("categories", lines)


def _notes(notes: str) -> list[str]:
    return text_lines("customNotes", notes) if notes else []


def _rules(rules: Iterable[WrittenRule]) -> list[str]:
    lines: list[str] = []
    for one in rules:
        about = {"id": one.id, "name": one.name, **({"page": one.page} if one.page else {})}
        lines += element_lines("rule", {**about, "hidden": "false"}, text_lines("description", ""))
    return list_lines("rules", lines)


def _profiles(profiles: Iterable[WrittenProfile]) -> list[str]:
    lines: list[str] = []
    for one in profiles:
        kind = {"typeId": one.type.id, "typeName": one.type.name}
        about = {"id": one.id, "name": one.name, "hidden": "false", **kind}
        cells: list[str] = []
        for column, id_, text in one.cells:
            cells += text_lines("characteristic", text, {"name": column, "typeId": id_})
        lines += element_lines("profile", about, list_lines("characteristics", cells))
    return list_lines("profiles", lines)


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
    writer = RosterLines(Ids(canonical(document)), first.points)
    spent = sum(one.points for all_ in units.values() for unit in all_ for one in unit.walk())
    organisation = str(roster.settings.get(ORGANISATION) or "")
    forces: list[str] = []
    for origin in origins:
        if origin is first or units[origin.book]:
            said = _said(left_out) if origin is first else ""
            forces += writer.force(origin, origin.force(organisation), units[origin.book], said)
    return writer.roster(first.game, document.name, spent, document.limit, document.notes, forces)


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
