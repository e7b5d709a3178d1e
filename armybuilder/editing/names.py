"""Names of units in a list, and their headings."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import Pick
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import marked
from armybuilder.languages import in_every_language
from armybuilder.loading.armylist import ArmyList, ListUnit
from armybuilder.loading.library import Library


def entry_name(entry: ListUnit, units: Mapping[str, Unit]) -> str:
    """Return the entry's own name, its unit's, or, where the unit is unknown, its reference."""
    if entry.name:
        return entry.name
    if entry.profile is not None:
        return entry.profile.name
    unit = units.get(entry.ref)
    return unit.name if unit else entry.ref


def named_units(document: ArmyList, catalogue: Catalogue, library: Library) -> Mapping[str, Unit]:
    """Return the units that a list names, by ref, those of shipped books that it left out too."""
    shipped = library.books[document.system]
    units = {}
    for ref in {entry.ref for entry in document.units}:
        book = shipped.get(ref.partition("/")[0])
        if ref in catalogue.units:
            units[ref] = catalogue.units[ref]
        elif book is not None and ref in book.names:
            units[ref] = book.units[ref]
    return units


#: Heading of units that the book does not have.
STRANGE = gettext_lazy("Not in the book")


def category_of(unit: Unit | None, catalogue: Catalogue) -> str:
    """Return the heading of a unit: its first category, otherwise its group in the book."""
    if unit is None:
        return str(STRANGE)
    if unit.categories:
        for book in catalogue.books:
            if unit.categories[0] in book.categories:
                return book.categories[unit.categories[0]]
    return unit.group or _("Others")


def category_order(catalogue: Catalogue) -> list[str]:
    """Return the headings in the order of the books."""
    return [name for book in catalogue.books for name in book.categories.values()]


def neighbour(picks: Iterable[Pick], pick_id: str, step: int, catalogue: Catalogue) -> int:
    """Return how far a unit moves to pass the next (+1) or former (-1) of its heading; 0: none."""
    listed = list(picks)
    place = next(number for number, pick in enumerate(listed) if pick.id == pick_id)
    heading = category_of(listed[place].unit, catalogue)
    others = range(place + step, len(listed) if step > 0 else -1, step)
    for other in others:
        if category_of(listed[other].unit, catalogue) == heading:
            return other - place
    return 0


#: The part of an act that names the version it went back to.
BACK = marked("Back to: {act}")


def back_to(act: str) -> str:
    """Return the act of going back to a version of this act, said once however often done."""
    for told in in_every_language(BACK):
        before, _act, after = told.partition("{act}")
        if act.startswith(before) and act.endswith(after) and len(act) > len(before + after):
            act = act[len(before) : len(act) - len(after)]
            break
    return gettext(BACK).format(act=act)
