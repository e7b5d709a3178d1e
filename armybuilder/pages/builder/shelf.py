"""The shelf: the units of a list's books, searched, sorted, with what each would do."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.acts.units import TICK
from armybuilder.editing.names import category_order
from armybuilder.engine import Report, choices
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import Roster
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import quote
from armybuilder.library.units import found_by
from armybuilder.loading.cost import check_trials
from armybuilder.loading.deadline import checked
from armybuilder.pages.answers import whole_number
from armybuilder.pages.builder.facets import (
    MOST_CHIPS,
    VERDICTS,
    Facet,
    JudgedUnit,
    ShelfEntry,
    count_verdicts,
    heading_of,
    make_entry,
    make_facets,
    passes,
    values_of,
)

SORTS: dict[str, Promise] = {
    "book": gettext_lazy("As in the book"),
    "name": gettext_lazy("Name"),
    "points": gettext_lazy("Points, low to high"),
    "-points": gettext_lazy("Points, high to low"),
}
#: Units of a shelf that are shown whole, and how many come at once of a longer one.
SHELF_WHOLE, SHELF_AT_ONCE = 150, 60


class ShelfQuery(NamedTuple):
    """What the player looks for on the shelf.

    Units that the points left suffice for (`fits`), that break no rule (`safe`); `ticked` are those
    ticked on the page; `most` are shown of a long shelf.
    """

    text: str = ""
    group: str = ""
    ability: str = ""
    points: int | None = None
    sort: str = "book"
    attributes: tuple[tuple[str, str], ...] = ()
    fits: bool = False
    safe: bool = False
    ticked: tuple[str, ...] = ()
    most: int = SHELF_AT_ONCE

    @property
    def query(self) -> str:
        """The same as a query string, without the ticks, which the page keeps."""
        pairs = [("q", self.text), ("group", self.group), ("ability", self.ability)]
        pairs += [("points", "" if self.points is None else str(self.points))]
        pairs += [(field, "1") for field in VERDICTS if getattr(self, field)]
        pairs += [("sort", "" if self.sort == "book" else self.sort), *self.attributes]
        return urlencode([(key, value) for key, value in pairs if value])

    @property
    def filtering(self) -> bool:
        """Whether anything is left out of the shelf."""
        return bool(self._replace(sort="book").query)

    @property
    def chosen(self) -> dict[str, str]:
        """The value of each filter that is a choice of several, where one is chosen."""
        pairs = [("group", self.group), ("ability", self.ability), *self.attributes]
        return {key: value for key, value in pairs if value}

    def without(self, field: str) -> "ShelfQuery":
        """Return the same, but for one filter."""
        if field in self._fields:
            return self._replace(**{field: self._field_defaults[field]})
        kept = tuple(pair for pair in self.attributes if pair[0] != field)
        return self._replace(attributes=kept)


class Chip(NamedTuple):
    """A filter that is set, in words; `query` is what is looked for without it."""

    name: str
    query: str


@dataclass(frozen=True)
class Shelf:
    """The books as shown: `groups` in their order, each with its heading.

    `away` are ticked units that filters leave out; `verdicts` how many units the filters by verdict
    leave; `rest` how many stand further down.
    """

    groups: list[tuple[str, list[ShelfEntry]]]
    shown: int
    total: int
    wanted: ShelfQuery
    facets: tuple[Facet, ...]
    verdicts: dict[str, int]
    away: tuple[Unit, ...]
    rest: int

    @property
    def grown(self) -> bool:
        """Whether more than the first units of a long shelf are shown."""
        return SHELF_AT_ONCE < self.shown < self.shown + self.rest

    @property
    def most(self) -> int:
        """How many units are shown where more of them are asked for."""
        return self.shown + SHELF_AT_ONCE

    @property
    def quick(self) -> Facet | None:
        """The filter that stands as buttons above all others: the groups, where they are few."""
        first = self.facets[0] if self.facets else None
        few = first is not None and first.field == "group" and len(first.choices) <= MOST_CHIPS
        return first if few else None

    @property
    def further(self) -> tuple[Facet, ...]:
        """The other filters."""
        return self.facets[1:] if self.quick else self.facets

    @cached_property
    def chips(self) -> tuple[Chip, ...]:
        """The filters that are set, each with the way back."""
        filters = self._set_filters()
        return tuple(Chip(name, self.wanted.without(field).query) for field, name in filters)

    def _set_filters(self) -> Iterator[tuple[str, str]]:
        wanted = self.wanted
        if wanted.text:
            yield "text", quote(wanted.text)
        for facet in self.facets:
            yield from ((facet.field, one.name) for one in facet.choices if one.chosen)
        if wanted.points is not None:
            yield "points", _("max {number} points").format(number=wanted.points)
        if wanted.fits:
            yield "fits", _("fits the points left")
        if wanted.safe:
            yield "safe", _("allowed")


def read_wanted(fields: Mapping[str, str], catalogue: Catalogue) -> ShelfQuery:
    """Return what the address asks for; what makes no sense in it is passed over."""
    points = whole_number(fields.get("points", "").strip(), 5, -1)
    sort = fields.get("sort", "book")
    return ShelfQuery(
        text=fields.get("q", "").strip()[:80],
        group=fields.get("group", "")[:80],
        ability=fields.get("ability", "")[:80],
        points=points if points >= 0 else None,
        sort=sort if sort in SORTS else "book",
        attributes=tuple(
            (attribute.id, value)
            for attribute in catalogue.system.attributes.values()
            if attribute.filter and (value := fields.get(attribute.id, "")) in attribute.values
        ),
        fits=bool(fields.get("fits")),
        safe=bool(fields.get("safe")),
        ticked=read_ticks(fields, catalogue),
        most=whole_number(fields.get("shelf", ""), 5, SHELF_AT_ONCE),
    )


def read_ticks(fields: Iterable[str], catalogue: Catalogue) -> tuple[str, ...]:
    """Return the references of the units whose ticks are among a form's fields."""
    refs = (field.removeprefix(TICK) for field in fields if field.startswith(TICK))
    return tuple(ref for ref in refs if ref in catalogue.units)


def make_shelf(
    roster: Roster, catalogue: Catalogue, wanted: ShelfQuery, report: Report | None = None
) -> Shelf:
    """Return the wanted units with what adding each does; with `report` also how many there are."""
    judged = _judged_units(roster, catalogue, wanted, report)
    left = [one for one in judged if not one.fails]
    shown = [one.entry for one in left if one.entry is not None]
    if len(left) > SHELF_WHOLE:
        shown = shown[: wanted.most]
    # Under their headings only where that is the order of the book.
    groups: dict[str, list[ShelfEntry]] = {}
    for entry in shown:
        heading = heading_of(entry.unit, catalogue) if wanted.sort == "book" else ""
        groups.setdefault(heading, []).append(entry)
    seen = {entry.unit.ref for entry in shown}
    return Shelf(
        groups=list(groups.items()),
        shown=len(shown),
        total=len(catalogue.units),
        wanted=wanted,
        facets=make_facets(judged, catalogue, wanted.chosen),
        verdicts=count_verdicts(judged),
        away=tuple(catalogue.units[ref] for ref in wanted.ticked if ref not in seen),
        rest=len(left) - len(shown),
    )


def mark_dead(shelf: Shelf, dead: Collection[str]) -> Shelf:
    """Return a shelf with units that lead nowhere, by their refs, marked.

    Only where nothing else speaks against them.
    """
    says = (_("With one more of it the list can no longer become legal."),)

    def marked(entry: ShelfEntry) -> ShelfEntry:
        leads_nowhere = entry.mark == "fits" and entry.unit.ref in dead
        return entry._replace(mark="dead", says=says) if leads_nowhere else entry

    groups = [(heading, list(map(marked, entries))) for heading, entries in shelf.groups]
    return replace(shelf, groups=groups)


def _judged_units(
    roster: Roster, catalogue: Catalogue, wanted: ShelfQuery, report: Report | None
) -> list[JudgedUnit]:
    """Return the units that at most one of the filters with counts leaves out, in their order.

    Each is judged once; of a long shelf only those that are shown, unless a filter asks for
    verdicts. Raises Elsewhere where that is work for another process.
    """
    near: dict[str, tuple[frozenset[str], str]] = {}
    for unit in catalogue.units.values():
        points = unit.price.start
        if wanted.points is not None and (points is None or points > wanted.points):
            continue
        found = found_by(unit, wanted.text, catalogue) if wanted.text else ()
        fails = frozenset(
            field
            for field, value in wanted.chosen.items()
            if value not in values_of(unit, field, catalogue)
        )
        if found is not None and len(fails) <= 1:
            near[unit.ref] = fails, ", ".join(found)
    # A unit whose card was filled in on the list is added with that card.
    filled = {pick.ref: pick.unit for pick in roster.picks if pick.unit and not pick.unit.own}
    units = _sorted([filled.get(ref, catalogue.units[ref]) for ref in near], wanted, catalogue)
    verdicts = [field for field in VERDICTS if getattr(wanted, field)]
    later: list[Unit] = []
    if len(units) > SHELF_WHOLE and not verdicts:
        left = [unit for unit in units if not near[unit.ref][0]][: wanted.most]
        seen = {unit.ref for unit in left}
        later = [unit for unit in units if unit.ref not in seen]
        units = left
    check_trials(roster, len(units))
    judged = []
    for choice in choices(roster, catalogue, checked(units)):
        ref = choice.unit.ref
        fails, why = near[ref]
        entry = make_entry(choice, catalogue, report)
        entry = entry._replace(found=why, ticked=ref in wanted.ticked)
        fails |= {field for field in verdicts if not passes(entry, field)}
        judged.append(JudgedUnit(choice.unit, entry, fails))
    return [*judged, *(JudgedUnit(unit, None, near[unit.ref][0]) for unit in later)]


def _sorted(units: list[Unit], wanted: ShelfQuery, catalogue: Catalogue) -> list[Unit]:
    if wanted.sort == "name":
        return sorted(units, key=lambda unit: unit.name.casefold())
    if wanted.sort == "book":
        known = category_order(catalogue) if catalogue.system.sized else []
        places = {name: place for place, name in enumerate(known)}
        for unit in units:
            places.setdefault(heading_of(unit, catalogue), len(places))
        return sorted(units, key=lambda unit: places[heading_of(unit, catalogue)])
    sign = -1 if wanted.sort == "-points" else 1

    def price(unit: Unit) -> tuple[bool, int]:
        return unit.price.start is None, sign * (unit.price.start or 0)

    return sorted(units, key=price)
