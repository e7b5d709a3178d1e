"""The shelf: the units of a list's books, searched and sorted, with what adding each would do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from armybuilder.engine import Choice, Report, choices
from armybuilder.engine.catalogue import Attribute, Catalogue, Unit
from armybuilder.engine.describe import size_words, unit_abilities, unit_facts
from armybuilder.engine.findings import Finding
from armybuilder.engine.kinds.cap import CapRule
from armybuilder.engine.roster import Roster
from armybuilder.engine.sentences import counted, sentence
from armybuilder.lists.army import category_of, category_order
from armybuilder.lists.editor import size_bounds

SORTS = {
    "book": "As in the book",
    "name": "Name",
    "points": "Points, low to high",
    "-points": "Points, high to low",
}


#: Findings that an entry tells in its own way, shorter than their sentences would, or that the
#: player meets only later: a new unit's path of magic is still to be chosen.
_TOLD = ("points.over", "unit.incomplete", "group.under")


class Wanted(NamedTuple):
    """What the player looks for, from the address of the page."""

    text: str = ""
    group: str = ""
    ability: str = ""
    points: int | None = None
    sort: str = "book"
    attributes: tuple[tuple[str, str], ...] = ()

    @property
    def query(self) -> str:
        """The same as a query string, so that a page can keep what was looked for."""
        pairs = [("q", self.text), ("group", self.group), ("ability", self.ability)]
        pairs += [("points", "" if self.points is None else str(self.points))]
        pairs += [("sort", "" if self.sort == "book" else self.sort), *self.attributes]
        return urlencode([(key, value) for key, value in pairs if value])

    @property
    def filtering(self) -> bool:
        """Whether anything is left out of the shelf."""
        return bool(self._replace(sort="book").query)


class Entry(NamedTuple):
    """A unit on the shelf. `mark` is "fits", "breaks" or "over"; `says` why, in sentences.
    `over`: the list would cost more than its size. `start` is "from" where it can cost more.
    """

    unit: Unit
    points: str
    start: str
    facts: str
    abilities: str
    mark: str
    over: bool
    says: tuple[str, ...]
    settles: tuple[str, ...]


class FilterChoice(NamedTuple):
    attribute: Attribute
    value: str


@dataclass(frozen=True)
class Shelf:
    """What the page shows of the books. `groups` keep the order of the books."""

    groups: list[tuple[str, list[Entry]]]
    shown: int
    total: int
    group_names: list[str]
    abilities: list[tuple[str, str]]
    filters: list[FilterChoice]


def read_wanted(fields: Mapping[str, str], catalogue: Catalogue) -> Wanted:
    """What the address asks for; what makes no sense in it is passed over."""
    points = fields.get("points", "").strip()
    sort = fields.get("sort", "book")
    return Wanted(
        text=fields.get("q", "").strip()[:80],
        group=fields.get("group", "")[:80],
        ability=fields.get("ability", "")[:80],
        points=int(points) if points.isascii() and points.isdigit() and len(points) < 6 else None,
        sort=sort if sort in SORTS else "book",
        attributes=tuple(
            (attribute.id, value)
            for attribute in catalogue.system.attributes.values()
            if attribute.filter and (value := fields.get(attribute.id, "")) in attribute.values
        ),
    )


def make_shelf(
    roster: Roster, catalogue: Catalogue, wanted: Wanted, report: Report | None = None
) -> Shelf:
    """The units wanted, each with what adding it would cost, break and settle. With the list's
    `report`, also how many of it the army holds.
    """
    units = [unit for unit in catalogue.units.values() if _matches(unit, wanted, catalogue)]
    if wanted.sort == "name":
        units.sort(key=lambda unit: unit.name.casefold())
    elif wanted.sort in ("points", "-points"):
        sign = -1 if wanted.sort == "-points" else 1
        units.sort(key=lambda unit: (unit.price.start is None, sign * (unit.price.start or 0)))
    sized = catalogue.system.sized
    grouped: dict[str, list[Entry]] = {}
    if sized and wanted.sort == "book":
        grouped = {name: [] for name in category_order(catalogue)}
    # A unit whose card was filled in on the list is added with that card.
    filled = {pick.ref: pick.unit for pick in roster.picks if pick.unit and not pick.unit.own}
    for choice in choices(roster, catalogue, [filled.get(unit.ref, unit) for unit in units]):
        heading = _heading(choice.unit, catalogue) if wanted.sort == "book" else ""
        entry = _army_entry(choice, report) if sized else _entry(choice, catalogue)
        grouped.setdefault(heading, []).append(entry)
    return Shelf(
        groups=[(heading, entries) for heading, entries in grouped.items() if entries],
        shown=len(units),
        total=len(catalogue.units),
        group_names=_group_names(catalogue),
        abilities=_abilities(catalogue),
        filters=[
            FilterChoice(attribute, dict(wanted.attributes).get(attribute.id, ""))
            for attribute in catalogue.system.attributes.values()
            if attribute.filter
        ],
    )


def _matches(unit: Unit, wanted: Wanted, catalogue: Catalogue) -> bool:
    if wanted.group and _heading(unit, catalogue) != wanted.group:
        return False
    if wanted.ability and f"ability:{wanted.ability}" not in unit.tags:
        return False
    points = unit.price.start
    if wanted.points is not None and (points is None or points > wanted.points):
        return False
    if any(value not in unit.attributes.get(key, ()) for key, value in wanted.attributes):
        return False
    if not wanted.text:
        return True
    said = _said(unit) if catalogue.system.sized else _line(unit, catalogue)
    said = said.casefold()
    return all(word in said for word in wanted.text.casefold().split())


def _line(unit: Unit, catalogue: Catalogue) -> str:
    return f"{unit.name} {unit.group} {unit_facts(unit, catalogue.system)} {unit_abilities(unit)}"


def _said(unit: Unit) -> str:
    """Every word a unit of many options can be found by: its own, its rules', its options'."""
    names = [unit.name, *(keyword.name for keyword in unit.keywords)]
    for option in unit.offer.options():
        names += [option.name, *(keyword.name for keyword in option.keywords)]
    return " ".join(names)


def _heading(unit: Unit, catalogue: Catalogue) -> str:
    """Where a unit stands on the shelf: under its category, or its group in the book."""
    return category_of(unit, catalogue) if catalogue.system.sized else unit.group


def _group_names(catalogue: Catalogue) -> list[str]:
    if catalogue.system.sized:
        return category_order(catalogue)
    return sorted({unit.group for unit in catalogue.units.values() if unit.group})


def _army_entry(choice: Choice, report: Report | None) -> Entry:
    """A unit of so many models: its size and how many the army may hold, in place of facts."""
    unit = choice.unit
    low, high = size_bounds(unit)
    facts = [size_words(low, high).replace(" to ", "–")] if high != 1 and unit.counts else []
    facts += [cap] if report is not None and (cap := _cap_words(unit, report)) else []
    grows = high is None or high > low or any(not one.given for one in unit.offer.options())
    entry = _told(choice)
    return entry._replace(
        points=str(choice.points),
        start="from" if grows else "",
        facts=" · ".join(facts),
        abilities=", ".join(keyword.name for keyword in unit.keywords),
        settles=(),
    )


def _cap_words(unit: Unit, report: Report) -> str:
    """How many of it the army may hold at this game size, and holds: "0–4", "2 of 4 taken"."""
    if unit.cap is None:
        return ""
    rules = (rule for rule in report.full.system.rules if isinstance(rule, CapRule))
    tops = [rule.top(unit.cap, report.full) for rule in rules]
    top = min((top for top in tops if top is not None), default=None)
    if top is None:
        return ""
    taken = sum(line.unit.cap is unit.cap for line in report.full.lines)
    return f"{taken} of {top} taken" if taken else f"0–{top}"


def _entry(choice: Choice, catalogue: Catalogue) -> Entry:
    return _told(choice)._replace(
        facts=unit_facts(choice.unit, catalogue.system),
        abilities=unit_abilities(choice.unit),
    )


def _told(choice: Choice) -> Entry:
    """What adding a unit would cost, break and settle; what it is stays open."""
    trouble = [*choice.breaks, *choice.worsens]
    over = [finding for finding in trouble if finding.code == "points.over"]
    says = [sentence(finding) for finding in choice.breaks if finding.code not in _TOLD]
    says += [_further(finding) for finding in choice.worsens if finding.code not in _TOLD]
    mark = "breaks" if says else "over" if over else "fits"
    if over:
        says.append(f"{counted(over[0].excess, 'points')} over the size.")
    if choice.unit.blanks:
        says.append(f"Not known: {', '.join(blank.name for blank in choice.unit.blanks)}.")
    return Entry(
        choice.unit,
        str(choice.points),
        "",
        "",
        "",
        mark,
        bool(over),
        tuple(says),
        tuple(finding.rule.summary for finding in choice.settles if finding.code != "list.empty"),
    )


def _further(finding: Finding) -> str:
    """What makes a finding worse that the list has already, in few words."""
    short = (finding.measured or 0) < (finding.allowed or 0)
    name = finding.rule.id.replace("-", " ").capitalize()
    return f"{name}: {finding.excess} {'short' if short else 'over'}."


def _abilities(catalogue: Catalogue) -> list[tuple[str, str]]:
    """(id, name) of the abilities the books' units have, by name."""
    found = {
        use.ability.id: use.ability.name
        for unit in catalogue.units.values()
        for use in unit.abilities
    }
    return sorted(found.items(), key=lambda pair: pair[1])
