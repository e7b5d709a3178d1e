"""The entries of the shelf and its filters, each choice with how many units it would leave."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.editing.names import category_of, category_order
from armybuilder.engine import Choice, Report, Severity
from armybuilder.engine.about import AboutCap, AboutCategory, AboutOption
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.describe import size_range, unit_abilities, unit_facts
from armybuilder.engine.lines import size_bounds
from armybuilder.engine.nouns import counted
from armybuilder.engine.options import keyword_tag
from armybuilder.engine.rulebook import cap_top
from armybuilder.engine.rules import Finding
from armybuilder.engine.sentences import sentence
from armybuilder.engine.units import Unit
from armybuilder.html import Html, element, join

#: The word beside the sign of each mark.
MARKS: dict[str, Promise] = {
    "fits": gettext_lazy("fits"),
    "breaks": gettext_lazy("Not allowed"),
    "over": gettext_lazy("Too expensive"),
    "dead": gettext_lazy("Dead end"),
}
#: Up to so many groups stand as buttons; more go into a list to choose from.
MOST_CHIPS = 8
#: Filters by what adding a unit would do.
VERDICTS = ("fits", "safe")


class ShelfEntry(NamedTuple):
    """A unit on the shelf.

    `mark` is "fits", "breaks", "over", or "dead": it leads nowhere; `says` what it breaks, `lacks`
    how the points left do not suffice, `unknown` what the book leaves open, `start` "from" where it
    can cost more, `found` by what a search found it.
    """

    unit: Unit
    points: str
    start: str
    facts: str
    abilities: str
    mark: str
    says: tuple[str, ...]
    lacks: str
    unknown: str
    settles: tuple[str, ...]
    found: str = ""
    ticked: bool = False

    @property
    def word(self) -> Promise:
        """The mark as a word."""
        return MARKS[self.mark]


def make_entry(choice: Choice, catalogue: Catalogue, report: Report | None = None) -> ShelfEntry:
    """Return the entry of a unit; with the list's `report`, also how many of it the army holds."""
    unit = choice.unit
    trouble = [*choice.breaks, *choice.worsens]
    over = next((finding for finding in trouble if finding.rule.is_budget), None)
    says = [sentence(finding) for finding in choice.breaks if not _is_told(finding)]
    says += [_further(finding) for finding in choice.worsens if not _is_told(finding)]
    blanks = ", ".join(blank.name for blank in unit.blanks)
    if not catalogue.system.sized:
        start, facts, abilities = "", unit_facts(unit, catalogue.system), unit_abilities(unit)
        settles = [str(one.head.summary) for one in choice.settles if not one.rule.wants_some]
    else:
        # A unit of so many models: its size and how many the army may hold, in place of facts.
        low, high = size_bounds(unit)
        numbers = [size_range(low, high)] if high != 1 and unit.counts else []
        numbers.append("" if report is None else _held_words(unit, report))
        grows = high is None or high > low or any(not one.given for one in unit.offer.options())
        start, facts, settles = _("from") if grows else "", " · ".join(filter(None, numbers)), []
        abilities = ", ".join(keyword.name for keyword in unit.keywords)
    return ShelfEntry(
        unit=unit,
        points=str(choice.points),
        start=start,
        facts=facts,
        abilities=abilities,
        mark="breaks" if says else "over" if over else "fits",
        says=tuple(says),
        lacks=_lacking(choice, over) if over else "",
        unknown=_("Not known: {names}.").format(names=blanks) if blanks else "",
        settles=tuple(settles),
    )


def _held_words(unit: Unit, report: Report) -> str:
    """Return how many of it the army may hold at this game size, and holds.

    "0–4", "2 of 4 taken", of what it may hold any number of "2 taken".
    """
    top = None if unit.cap is None else cap_top(unit.cap, report)
    if top is None:
        held = sum(line.unit.ref == unit.ref for line in report.full.lines)
        return _("{number} taken").format(number=held) if held else ""
    taken = sum(line.unit.cap is unit.cap for line in report.full.lines)
    return _("{number} of {most} taken").format(number=taken, most=top) if taken else f"0–{top}"


def _is_told(finding: Finding) -> bool:
    """Return whether the entry tells it shorter, or the player meets it only later.

    As a new unit's path of magic.
    """
    incomplete = bool(finding.rule.card_fields) and finding.severity is Severity.ERROR
    chosen_later = isinstance(finding.about, AboutOption) and finding.measured is not None
    short = chosen_later and (finding.measured or 0) < (finding.allowed or 0)
    return finding.rule.is_budget or incomplete or short


def _lacking(choice: Choice, over: Finding) -> str:
    left = (over.allowed or 0) - (over.measured or 0) + choice.points
    if left > 0:
        return _("Needs {points} points, {left} left.").format(points=choice.points, left=left)
    return _("Needs {points} points, none left.").format(points=choice.points)


def _further(finding: Finding) -> str:
    """Return what makes a finding worse that the list has already.

    In few words for a part of the army, and for what it may hold few of. The number is that of the
    list with one more.
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
    text = _("{name}: then {number} short.") if short else _("{name}: then {number} over.")
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
    """A unit and the fields of the filters that leave it out.

    `entry` is None where it was not judged, further down on a long shelf than is shown.
    """

    unit: Unit
    entry: ShelfEntry | None
    fails: frozenset[str]


def heading_of(unit: Unit, catalogue: Catalogue) -> str:
    """Return where a unit stands on the shelf: under its category, its group, or its book."""
    if catalogue.system.sized:
        return category_of(unit, catalogue)
    return unit.group or unit.book_name


def values_of(unit: Unit, field: str, catalogue: Catalogue) -> Iterable[str]:
    """Return what a unit has of a filter: its heading, its special rules, an attribute's values."""
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
    """Return the id of a special rule, whatever its number, and its name without that."""
    return keyword_tag(name).partition(":")[2], name.partition("(")[0].strip()


def make_facets(
    judged: Iterable[JudgedUnit], catalogue: Catalogue, chosen: dict[str, str]
) -> tuple[Facet, ...]:
    """Return the filters with their counts.

    `judged` are units that at most one filter leaves out, `chosen` the value of each filter set.
    """
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
