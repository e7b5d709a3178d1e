"""The shelf: the units of a list's books, searched and sorted, with what adding each would do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from armybuilder.engine import Choice, choices
from armybuilder.engine.catalogue import Attribute, Catalogue, Unit
from armybuilder.engine.describe import unit_abilities, unit_facts
from armybuilder.engine.findings import Finding
from armybuilder.engine.roster import Roster
from armybuilder.engine.sentences import counted, sentence

SORTS = {
    "book": "As in the book",
    "name": "Name",
    "points": "Points, low to high",
    "-points": "Points, high to low",
}


#: Findings that an entry tells in its own way, shorter than their sentences would.
_TOLD = ("points.over", "unit.incomplete")


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
    `over`: the list would cost more than its size.
    """

    unit: Unit
    points: int
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


def make_shelf(roster: Roster, catalogue: Catalogue, wanted: Wanted) -> Shelf:
    """The units wanted, each with what adding it would cost, break and settle."""
    units = [unit for unit in catalogue.units.values() if _matches(unit, wanted, catalogue)]
    if wanted.sort == "name":
        units.sort(key=lambda unit: unit.name.casefold())
    elif wanted.sort in ("points", "-points"):
        sign = -1 if wanted.sort == "-points" else 1
        units.sort(key=lambda unit: (unit.price.start is None, sign * (unit.price.start or 0)))
    grouped: dict[str, list[Entry]] = {}
    # A unit whose card was filled in on the list is added with that card.
    filled = {pick.ref: pick.unit for pick in roster.picks if pick.unit and not pick.unit.own}
    for choice in choices(roster, catalogue, [filled.get(unit.ref, unit) for unit in units]):
        heading = choice.unit.group if wanted.sort == "book" else ""
        grouped.setdefault(heading, []).append(_entry(choice, catalogue))
    return Shelf(
        groups=list(grouped.items()),
        shown=len(units),
        total=len(catalogue.units),
        group_names=sorted({unit.group for unit in catalogue.units.values() if unit.group}),
        abilities=_abilities(catalogue),
        filters=[
            FilterChoice(attribute, dict(wanted.attributes).get(attribute.id, ""))
            for attribute in catalogue.system.attributes.values()
            if attribute.filter
        ],
    )


def _matches(unit: Unit, wanted: Wanted, catalogue: Catalogue) -> bool:
    if wanted.group and unit.group != wanted.group:
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
    said = f"{unit.name} {unit.group} {unit_facts(unit, catalogue.system)} {unit_abilities(unit)}"
    said = said.casefold()
    return all(word in said for word in wanted.text.casefold().split())


def _entry(choice: Choice, catalogue: Catalogue) -> Entry:
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
        choice.points,
        unit_facts(choice.unit, catalogue.system),
        unit_abilities(choice.unit),
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
