"""The shelf: the units of a list's books with the effect of adding each, searched and filtered."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.acts.units import TICK
from armybuilder.editing.names import category_of, category_order
from armybuilder.engine import Choice, Report, Severity, choices
from armybuilder.engine.about import AboutCap, AboutCategory, AboutOption
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.describe import ability_names, size_range, unit_facts
from armybuilder.engine.lines import size_bounds
from armybuilder.engine.nouns import counted
from armybuilder.engine.options import keyword_tag
from armybuilder.engine.roster import Roster
from armybuilder.engine.rulebook import cap_top
from armybuilder.engine.rules import Finding
from armybuilder.engine.sentences import sentence
from armybuilder.engine.terms import MODELS
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Stat
from armybuilder.engine.wording import quote
from armybuilder.html import Html, element, join
from armybuilder.library.units import best_value, found_by, rank_of, ranked_stats
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import check_trials
from armybuilder.pages.answers import whole_number
from armybuilder.solving.owned import Models

#: The word next to the sign of each mark.
MARKS: dict[str, Promise] = {
    "fits": gettext_lazy("fits"),
    "breaks": gettext_lazy("Not allowed"),
    "over": gettext_lazy("Too expensive"),
    "dead": gettext_lazy("Blocks a legal list"),
}
#: Groups shown as buttons, at most; more go into a drop-down list.
MOST_CHIPS = 8
#: Filters by what adding a unit would do.
VERDICTS = ("fits", "safe")
SORTS: dict[str, Promise] = {
    "book": gettext_lazy("As in the book"),
    "name": gettext_lazy("Name"),
    "points": gettext_lazy("Points, low to high"),
    "-points": gettext_lazy("Points, high to low"),
}
#: How the fields of a form ask to sort by a statistic: "stat-str".
STAT_SORT = "stat-"
NOTHING_OWNED: Models = {}
#: Units of a shelf that are shown whole, and how many come at once of a longer one.
SHELF_WHOLE, SHELF_AT_ONCE = 150, 60


class ShelfEntry(NamedTuple):
    """A unit on the shelf.

    `mark` is "fits", "breaks", "over", or "dead": it blocks a legal list; `says` has the rules that
    it breaks, `lacks` the missing points, `unknown` the facts missing in the book, `start` "from"
    if it can cost more, `held` the number in the army and its maximum, short and in words, `found`
    the matches of a search.
    """

    unit: Unit
    points: str
    start: str
    facts: str
    abilities: tuple[str, ...]
    mark: str
    says: tuple[str, ...]
    lacks: str
    unknown: str
    settles: tuple[str, ...]
    held: tuple[str, str] | None = None
    found: str = ""
    ticked: bool = False

    @property
    def word(self) -> Promise:
        return MARKS[self.mark]


def make_entry(choice: Choice, catalogue: Catalogue, report: Report | None = None) -> ShelfEntry:
    """Return the entry of a unit; with the list's `report`, also how many of it the army holds."""
    unit = choice.unit
    trouble = [*choice.breaks, *choice.worsens]
    over = next((finding for finding in trouble if finding.rule.is_budget), None)
    says = [sentence(finding) for finding in choice.breaks if not _is_told(finding)]
    says += [_further(finding) for finding in choice.worsens if not _is_told(finding)]
    lacks, held, blanks = "", None, ", ".join(blank.name for blank in unit.blanks)
    if over:
        left = (over.allowed or 0) - (over.measured or 0) + choice.points
        few, none = _("Needs {points} points, {left} left."), _("Needs {points} points, none left.")
        lacks = (few if left > 0 else none).format(points=choice.points, left=left)
    if not catalogue.system.sized:
        start, facts, abilities = "", unit_facts(unit, catalogue.system), ability_names(unit)
        some = (one for one in choice.settles if one.rule.ends_for_all(MODELS)[0] is None)
        settles = [str(finding.head.summary) for finding in some]
    else:
        # For a unit of several models, its size in place of facts.
        low, high = size_bounds(unit)
        facts = size_range(low, high) if high != 1 and unit.counts else ""
        held = None if report is None else _held(unit, report)
        options = unit.offer.options()
        grows = high is None or high > low or any(not option.given for option in options)
        start, settles = _("from") if grows else "", []
        abilities = (keyword.name for keyword in unit.keywords)
    return ShelfEntry(
        unit=unit,
        points=str(choice.points),
        start=start,
        facts=facts,
        abilities=tuple(abilities),
        mark="breaks" if says else "over" if over else "fits",
        says=tuple(says),
        lacks=lacks,
        unknown=_("Unknown: {names}.").format(names=blanks) if blanks else "",
        settles=tuple(settles),
        held=held,
    )


def _held(unit: Unit, report: Report) -> tuple[str, str] | None:
    """Return the army's number of a unit and its maximum at this game size, short and in words.

    "2/4", "2 of 4 taken"; without a maximum "2", "2 taken", and None for none.
    """
    top = None if unit.cap is None else cap_top(unit.cap, report)
    if top is None:
        held = sum(line.unit.ref == unit.ref for line in report.full.lines)
        return (str(held), _("{number} taken").format(number=held)) if held else None
    taken = sum(line.unit.cap is unit.cap for line in report.full.lines)
    return f"{taken}/{top}", _("{number} of {most} taken").format(number=taken, most=top)


def _is_told(finding: Finding) -> bool:
    """Return whether the entry says it more briefly, or the player chooses it later."""
    incomplete = bool(finding.rule.card_fields) and finding.severity is Severity.ERROR
    chosen_later = isinstance(finding.about, AboutOption) and finding.measured is not None
    short = chosen_later and (finding.measured or 0) < (finding.allowed or 0)
    return finding.rule.is_budget or incomplete or short


def _further(finding: Finding) -> str:
    """Return by how much an addition worsens a finding on the list.

    In few words for a category or a cap. The number is that of the list with one more.
    """
    name, count = finding.values.get("what"), finding.values.get("count", "times")
    if isinstance(finding.about, AboutCap):
        name, count = finding.values["name"], finding.about.count
    elif isinstance(finding.about, AboutCategory):
        count = finding.values.get("count", "points")
    number = str(finding.excess)
    if count in ("models", "points"):
        number = counted(finding.excess, str(count))
    if not name:
        return sentence(finding)
    short = (finding.measured or 0) < (finding.allowed or 0)
    text = (
        _("{name}: {number} short if you add it.")
        if short
        else _("{name}: {number} over if you add it.")
    )
    return text.format(name=name, number=number)


class FacetChoice(NamedTuple):
    """One value of a filter; `number` of the units are left with it."""

    value: str
    name: str
    number: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """A filter, by the name of its field: `label`, and its choices in their order."""

    field: str
    label: str
    choices: tuple[FacetChoice, ...]

    @property
    def options(self) -> Html:
        """The choices as HTML options, as templates are slow with many; none left: disabled."""
        return join(
            element(
                "option",
                f"{one.name} ({one.number})",
                value=one.value,
                selected=one.chosen,
                disabled=not (one.chosen or one.number),
            )
            for one in self.choices
        )


class JudgedUnit(NamedTuple):
    """A unit and the filters that leave it out; `entry` None further down on a long shelf."""

    unit: Unit
    entry: ShelfEntry | None
    fails: frozenset[str]


def heading_of(unit: Unit, catalogue: Catalogue) -> str:
    """Return the heading of a unit on the shelf: its category, its group, or its book."""
    if catalogue.system.sized:
        return category_of(unit, catalogue)
    return unit.group or unit.book_name


def values_of(unit: Unit, field: str, catalogue: Catalogue) -> Iterable[str]:
    """Return a unit's values for a filter: heading, special rules, an attribute's values."""
    if field == "group":
        return (heading_of(unit, catalogue),)
    if field == "ability":
        return _rules(unit, catalogue)
    return unit.attributes.get(field, ())


def _rules(unit: Unit, catalogue: Catalogue) -> dict[str, str]:
    if not catalogue.system.sized:
        return {use.ability.id: use.ability.name for use in unit.abilities}
    names = [keyword.name for keyword in unit.keywords if keyword.condition is None]
    names += [name for profile in unit.profiles for name in profile.rules]
    return dict(map(_rule, names))


@lru_cache(maxsize=4096)
def _rule(name: str) -> tuple[str, str]:
    """Return the id of a special rule and its name, both without a number."""
    return keyword_tag(name).partition(":")[2], name.partition("(")[0].strip()


def make_facets(
    judged: Iterable[JudgedUnit], catalogue: Catalogue, chosen: dict[str, str]
) -> tuple[Facet, ...]:
    """Return filters with counts of the `judged` units, which at most one filter leaves out."""
    judged = list(judged)
    facets = []
    for field, label, names in _filters(catalogue):
        near = (one.unit for one in judged if one.fails <= {field})
        counts = Counter(value for unit in near for value in values_of(unit, field, catalogue))
        choices = (
            FacetChoice(value, name, counts[value], chosen.get(field) == value)
            for value, name in names.items()
        )
        facets.append(Facet(field, label, tuple(choices)))
    return tuple(facet for facet in facets if facet.choices)


def _filters(catalogue: Catalogue) -> Iterable[tuple[str, str, dict[str, str]]]:
    sized, units = catalogue.system.sized, catalogue.units.values()
    if sized:
        groups = category_order(catalogue)
    else:
        groups = sorted({unit.group for unit in units if unit.group})
        books = sorted({unit.book_name for unit in units if not unit.group} - set(groups))
        groups = [*groups, *books] if groups or len(books) > 1 else []
    yield "group", _("Category") if sized else _("Group"), {name: name for name in groups}
    for attribute in catalogue.system.attributes.values():
        if attribute.filter:
            yield attribute.id, attribute.name, dict(attribute.values)
    rules = {key: name for unit in units for key, name in _rules(unit, catalogue).items()}
    label = _("Rule or equipment") if sized else _("Ability")
    yield "ability", label, dict(sorted(rules.items(), key=lambda pair: pair[1]))


def count_verdicts(judged: Iterable[JudgedUnit]) -> dict[str, int]:
    """Return how many units each filter by verdict leaves; nothing where not all were judged."""
    counts = Counter(dict.fromkeys(VERDICTS, 0))
    for one in judged:
        if one.entry is None:
            return {}
        counts.update(
            field for field in VERDICTS if one.fails <= {field} and passes(one.entry, field)
        )
    return dict(counts)


def passes(entry: ShelfEntry, field: str) -> bool:
    """Return whether an entry "fits" the points left, or else breaks no rule ("safe")."""
    return not entry.lacks if field == "fits" else entry.mark != "breaks"


class ShelfQuery(NamedTuple):
    """A player's search on the shelf.

    Filters: units that the remaining points suffice for (`fits`), that break no rule (`safe`), that
    the player owns enough models of to add one (`owned`). `ticked` are the filters ticked on the
    page; a long shelf shows `most` units.
    """

    text: str = ""
    group: str = ""
    ability: str = ""
    points: int | None = None
    sort: str = "book"
    attributes: tuple[tuple[str, str], ...] = ()
    fits: bool = False
    safe: bool = False
    owned: bool = False
    ticked: tuple[str, ...] = ()
    most: int = SHELF_AT_ONCE

    @property
    def query(self) -> str:
        """The same as a query string, without the ticks, which the page keeps."""
        pairs = [("q", self.text), ("group", self.group), ("ability", self.ability)]
        pairs += [("points", "" if self.points is None else str(self.points))]
        pairs += [(field, "1") for field in (*VERDICTS, "owned") if getattr(self, field)]
        pairs += [("sort", "" if self.sort == "book" else self.sort), *self.attributes]
        return urlencode([(key, value) for key, value in pairs if value])

    @property
    def filtering(self) -> bool:
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
        return self._replace(attributes=tuple(pair for pair in self.attributes if pair[0] != field))


@dataclass(frozen=True)
class Shelf:
    """The books as shown: `groups` in their order, each with its heading.

    `away` are ticked units that filters hide; `verdicts` the number of units that the filters by
    verdict leave; `rest` the number further down.
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
        """Return whether more than the first units of a long shelf are shown."""
        return SHELF_AT_ONCE < self.shown < self.shown + self.rest

    @property
    def most(self) -> int:
        return self.shown + SHELF_AT_ONCE

    @property
    def quick(self) -> Facet | None:
        """The filter shown as buttons above all others: the groups, if few."""
        first = self.facets[0] if self.facets else None
        few = first is not None and first.field == "group" and len(first.choices) <= MOST_CHIPS
        return first if few else None

    @property
    def further(self) -> tuple[Facet, ...]:
        return self.facets[1:] if self.quick else self.facets

    @cached_property
    def chips(self) -> tuple[tuple[str, str], ...]:
        """The active filters in words, each with the query without it."""
        filters = self._set_filters()
        return tuple((name, self.wanted.without(field).query) for field, name in filters)

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
        if wanted.owned:
            yield "owned", _("in my collection")


def sorts_of(catalogue: Catalogue) -> dict[str, str]:
    """Return the orders of the shelf, with their names: also each statistic with numbers."""
    stats = {
        f"{STAT_SORT}{stat.id}": _("{stat}, best first").format(stat=stat.name)
        for stat in _numbered_stats(catalogue)
    }
    return {key: str(name) for key, name in SORTS.items()} | stats


@lru_cache(maxsize=32)
def _numbered_stats(catalogue: Catalogue) -> tuple[Stat, ...]:
    """Return the statistics of which some unit of the books has a number."""
    stats, units = ranked_stats(catalogue.system), catalogue.units.values()
    return tuple(stat for stat in stats if any(best_value(unit, stat) for unit in units))


def read_wanted(fields: Mapping[str, str], catalogue: Catalogue) -> ShelfQuery:
    """Return the query of the address; invalid values are ignored."""
    points = whole_number(fields.get("points", "").strip(), 5, -1)
    sort = fields.get("sort", "book")
    return ShelfQuery(
        text=fields.get("q", "").strip()[:80],
        group=fields.get("group", "")[:80],
        ability=fields.get("ability", "")[:80],
        points=points if points >= 0 else None,
        sort=sort if sort in SORTS or _stat_of(sort, catalogue) else "book",
        attributes=tuple(
            (attribute.id, value)
            for attribute in catalogue.system.attributes.values()
            if attribute.filter and (value := fields.get(attribute.id, "")) in attribute.values
        ),
        fits=bool(fields.get("fits")),
        safe=bool(fields.get("safe")),
        owned=bool(fields.get("owned")),
        ticked=read_ticks(fields, catalogue),
        most=whole_number(fields.get("shelf", ""), 5, SHELF_AT_ONCE),
    )


def read_ticks(fields: Iterable[str], catalogue: Catalogue) -> tuple[str, ...]:
    """Return the references of the units whose ticks are among a form's fields."""
    refs = (field.removeprefix(TICK) for field in fields if field.startswith(TICK))
    return tuple(ref for ref in refs if ref in catalogue.units)


def make_shelf(
    roster: Roster,
    catalogue: Catalogue,
    wanted: ShelfQuery,
    report: Report | None = None,
    owned: Models = NOTHING_OWNED,
) -> Shelf:
    """Return the wanted units with what adding each does; with `report` also how many there are.

    `owned` are the models that the player has, where only these are wanted.
    """
    judged = _judged_units(roster, catalogue, wanted, report, owned)
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
    """Return a shelf with units that lead nowhere marked, if nothing else speaks against them."""
    says = (_("Add one more and the list can’t be made legal by adding."),)

    def marked(entry: ShelfEntry) -> ShelfEntry:
        leads_nowhere = entry.mark == "fits" and entry.unit.ref in dead
        return entry._replace(mark="dead", says=says) if leads_nowhere else entry

    groups = [(heading, list(map(marked, entries))) for heading, entries in shelf.groups]
    return replace(shelf, groups=groups)


def _judged_units(
    roster: Roster,
    catalogue: Catalogue,
    wanted: ShelfQuery,
    report: Report | None,
    owned: Models,
) -> list[JudgedUnit]:
    """Return the units that at most one of the filters with counts leaves out, in their order.

    Each is judged once; of a long shelf only those that are shown, unless a filter asks for
    verdicts. Raises Elsewhere where that is work for another process.
    """
    near: dict[str, tuple[frozenset[str], str]] = {}
    on_list = Counter(dict.fromkeys(catalogue.units, 0))
    for pick in roster.picks:
        on_list[pick.ref] += pick.models
    for unit in catalogue.units.values():
        if wanted.owned and owned.get(unit.ref, 0) < on_list[unit.ref] + max(1, unit.smallest):
            continue
        points = unit.price.start
        if wanted.points is not None and (points is None or points > wanted.points):
            continue
        reasons = found_by(unit, wanted.text, catalogue) if wanted.text else ()
        fails = frozenset(
            field
            for field, value in wanted.chosen.items()
            if value not in values_of(unit, field, catalogue)
        )
        if reasons is not None and len(fails) <= 1:
            near[unit.ref] = fails, ", ".join(reasons)
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
    judged, stat = [], _stat_of(wanted.sort, catalogue)
    for choice in choices(roster, catalogue, checked(units), report):
        ref = choice.unit.ref
        fails, why = near[ref]
        entry = make_entry(choice, catalogue, report)
        entry = entry._replace(found=why, ticked=ref in wanted.ticked)
        if wanted.owned:
            free = owned[ref] - on_list[ref]
            told = _("{number} left in my collection").format(number=free)
            entry = entry._replace(facts=f"{entry.facts} · {told}".removeprefix(" · "))
        if stat is not None and (value := best_value(choice.unit, stat)):
            entry = entry._replace(facts=f"{stat.short} {value}")
        fails |= {field for field in verdicts if not passes(entry, field)}
        judged.append(JudgedUnit(choice.unit, entry, fails))
    return [*judged, *(JudgedUnit(unit, None, near[unit.ref][0]) for unit in later)]


def _stat_of(sort: str, catalogue: Catalogue) -> Stat | None:
    """Return the statistic by which a sort is, if it is by one."""
    is_stat = sort.startswith(STAT_SORT)
    return catalogue.system.stats.get(sort.removeprefix(STAT_SORT)) if is_stat else None


def _sorted(units: list[Unit], wanted: ShelfQuery, catalogue: Catalogue) -> list[Unit]:
    stat = _stat_of(wanted.sort, catalogue)
    if stat is not None:
        values = {unit.ref: best_value(unit, stat) for unit in units}
        return sorted(units, key=lambda unit: (not values[unit.ref], -rank_of(values[unit.ref])))
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
