"""The headings of a list by army category, and which unit stands next under one."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import Pick
from armybuilder.engine.units import Unit

#: Heading of units that the book does not have.
STRANGE = gettext_lazy("Not in the book")


def category_of(unit: Unit | None, catalogue: Catalogue) -> str:
    """The heading a unit stands under: its first category, else its group in the book."""
    if unit is None:
        return str(STRANGE)
    if unit.categories:
        for book in catalogue.books:
            if unit.categories[0] in book.categories:
                return book.categories[unit.categories[0]]
    return unit.group or _("Others")


def category_order(catalogue: Catalogue) -> list[str]:
    """The headings in the order of the books."""
    return [name for book in catalogue.books for name in book.categories.values()]


def neighbour(picks: Iterable[Pick], pick_id: str, step: int, catalogue: Catalogue) -> int:
    """How far a unit moves in the document to pass the next one (+1) or the one before (-1)
    under its heading; 0 where there is none.
    """
    listed = list(picks)
    place = next(number for number, pick in enumerate(listed) if pick.id == pick_id)
    heading = category_of(listed[place].unit, catalogue)
    others = range(place + step, len(listed) if step > 0 else -1, step)
    for other in others:
        if category_of(listed[other].unit, catalogue) == heading:
            return other - place
    return 0
