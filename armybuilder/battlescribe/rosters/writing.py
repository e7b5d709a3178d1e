"""A list as a roster of BattleScribe, plain or zipped: the same list, the same bytes."""

import io
import zipfile
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext as _

from armybuilder.battlescribe.rosters.choosing import WrittenSelection, choose
from armybuilder.battlescribe.rosters.elements import ElementWriter, numbered_ids, text_of
from armybuilder.battlescribe.rosters.origins import Origin, has_origin, origin_of
from armybuilder.battlescribe.rosters.sites import Site, unit_site
from armybuilder.engine.lines import Line, make_lines
from armybuilder.engine.roster import Roster
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import canonical, catalogue_of, make_roster
from armybuilder.loading.file_names import file_stem
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

#: The setting that says how the army is organised.
ORGANISATION: Final = "organisation"
#: The day that stands in a zip, so that the same list has the same bytes.
_DAY: Final = (1980, 1, 1, 0, 0, 0)


def can_write(document: ArmyList) -> bool:
    """Whether a book of the list was made of BattleScribe's files, so that it can be written."""
    return any(has_origin(document.system, book.id) for book in document.books)


def write_ros(document: ArmyList, library: Library) -> bytes:
    """The list as the XML of a .ros file. What BattleScribe has no place for is named in the notes
    of its force. Raises Refusal where none of its books was made of BattleScribe's files.
    """
    catalogue = catalogue_of(document, library)
    origins = _origins(document)
    roster = make_roster(document, catalogue)
    lines = make_lines(roster, catalogue.system)
    first = origins[0]
    units: dict[str, list[WrittenSelection]] = defaultdict(list)
    left_out = [*_strays(roster), *_settings(roster)]
    for origin, site, line in _placed(lines, origins, left_out):
        chosen = choose(line, site)
        units[origin.book].append(chosen.unit)
        left_out += [f"{line.name}: {what}" for what in chosen.left_out]
    writer = ElementWriter(numbered_ids(canonical(document)), first.points)
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
    content = io.BytesIO()
    name = zipfile.ZipInfo(f"{file_stem(document.name) or 'roster'}.ros", _DAY)
    name.compress_type = zipfile.ZIP_DEFLATED
    name.external_attr = 0o644 << 16
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(name, write_ros(document, library))
    return content.getvalue()


def _origins(document: ArmyList) -> list[Origin]:
    """The origins of the list's books."""
    found = [origin_of(document.system, book.id) for book in document.books]
    origins = [origin for origin in found if origin is not None]
    if not origins:
        raise Refusal(
            _("BattleScribe has no files for the books of this list, so it cannot be saved for it.")
        )
    return origins


def _placed(
    lines: Iterable[Line], origins: list[Origin], left_out: list[str]
) -> Iterable[tuple[Origin, Site, Line]]:
    """The units with their places; those without are named in `left_out`."""
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
    """What the list names and its books do not know."""
    units = (pick.ref for pick in roster.picks if pick.unit is None)
    return (*units, *(stray.name for stray in roster.strays))


def _settings(roster: Roster) -> Iterable[str]:
    """Settings that BattleScribe has no place for."""
    others = {key: value for key, value in roster.settings.items() if key != ORGANISATION}
    return (f"{key}: {value}" for key, value in others.items() if value)


def _said(left_out: list[str]) -> str:
    """The notes about what is not in the file; "" where all of it is."""
    if not left_out:
        return ""
    return "\n".join([_("Not in this file:"), *(f"- {what}" for what in left_out)])
