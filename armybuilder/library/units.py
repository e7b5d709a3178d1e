"""Units in the library's pages and search."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Book, Catalogue
from armybuilder.engine.describe import unit_facts
from armybuilder.engine.units import Unit
from armybuilder.library.stats import stat_terms
from armybuilder.sheets.content.make_units import entry_views
from armybuilder.sheets.content.unit_view import UnitView


def by_category(book: Book, catalogue: Catalogue) -> list[tuple[str, list[UnitView]]]:
    """Return the book's units under the names of their first categories, in the book's order.

    Books of single models have one heading, "".
    """
    grouped: dict[str, list[UnitView]] = {name: [] for name in book.categories.values()}
    units, other = book.units.values(), _("Others") if catalogue.system.sized else ""
    for unit, view in zip(units, entry_views(units, catalogue), strict=True):
        heading = book.categories[unit.categories[0]] if unit.categories else other
        grouped.setdefault(heading, []).append(view)
    return [(heading, views) for heading, views in grouped.items() if views]


#: The reasons shown for one unit; more would only be read past.
MAX_REASONS = 3


def found_by(unit: Unit, text: str, catalogue: Catalogue) -> tuple[str, ...] | None:
    """Return the rules, options, facts and statistics by which a unit matches all of `text`.

    That is () if its name alone matches, None if it does not match.
    """
    terms, rest = stat_terms(text, catalogue.system)
    stats = [term.found_in(unit) for term in terms]
    if not all(stats):
        # A rule may be called so: "Breath Attack (AP 1)".
        stats, rest = [], text
    name = unit.name.casefold()
    words = [word for word in rest.casefold().split() if word not in name]
    if not words:
        return tuple(stats)
    texts = dict.fromkeys(_texts(unit, catalogue))
    phrase = " ".join(words)
    whole = [text for text in texts if phrase in text.casefold()]
    if whole:
        return (*stats, *whole[:MAX_REASONS])
    if len(stats) < len(terms):
        return None
    reasons = [next((text for text in texts if word in text.casefold()), None) for word in words]
    if None in reasons:
        return None
    return (*stats, *dict.fromkeys(reason for reason in reasons if reason))


def _texts(unit: Unit, catalogue: Catalogue) -> Iterator[str]:
    """Yield all texts besides its name by which a unit can be found, the most relevant first."""
    yield from (use.label for use in unit.abilities)
    yield from (spell.name for spell in unit.spells)
    yield from (keyword.name for keyword in unit.keywords)
    for profile in unit.profiles:
        yield from profile.rules
    for option in unit.offer.options():
        yield option.name
        yield from (keyword.name for keyword in option.keywords)
    if unit.group:
        yield unit.group
    yield from unit_facts(unit, catalogue.system).split(" · ")
