"""The filters of the shelf, each choice with how many units it leaves under the other filters."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _

from armybuilder.editing.headings import category_of, category_order
from armybuilder.engine.catalogue import Catalogue, Unit
from armybuilder.engine.options import keyword_tag
from armybuilder.html import Html, element, join
from armybuilder.pages.builder.shelf.shelf_entries import ShelfEntry

#: Up to so many groups stand as buttons; more go into a list to choose from.
MOST_CHIPS = 8

#: Filters by what adding a unit would do.
VERDICTS = ("fits", "safe")


@dataclass(frozen=True, slots=True)
class FacetChoice:
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


@dataclass(frozen=True, slots=True)
class JudgedUnit:
    """A unit and the fields of the filters that leave it out; `entry` is None where it was not
    judged, as it stands further down on a long shelf than is shown.
    """

    unit: Unit
    entry: ShelfEntry | None
    fails: frozenset[str]


def heading_of(unit: Unit, catalogue: Catalogue) -> str:
    """Where a unit stands on the shelf: under its category, or its group in the book."""
    return category_of(unit, catalogue) if catalogue.system.sized else unit.group


def values_of(unit: Unit, field: str, catalogue: Catalogue) -> Iterable[str]:
    """What a unit has of a filter: its heading, its special rules, an attribute's values."""
    if field == "group":
        return (heading_of(unit, catalogue),)
    if field == "ability":
        return _rules(unit, catalogue)
    return unit.attributes.get(field, ())


def _rules(unit: Unit, catalogue: Catalogue) -> dict[str, str]:
    """The special rules of a unit: id to name."""
    if not catalogue.system.sized:
        return {use.ability.id: use.ability.name for use in unit.abilities}
    names = [keyword.name for keyword in unit.keywords if keyword.condition is None]
    names += [name for profile in unit.profiles for name in profile.rules]
    return dict(map(_rule, names))


@lru_cache(maxsize=4096)
def _rule(name: str) -> tuple[str, str]:
    """The id of a special rule, whatever its number, and its name without that."""
    return keyword_tag(name).partition(":")[2], name.partition("(")[0].strip()


def make_facets(
    judged: Iterable[JudgedUnit], catalogue: Catalogue, chosen: dict[str, str]
) -> tuple[Facet, ...]:
    """The filters with their counts. `judged` are the units that at most one filter among these
    leaves out; `chosen` the value of each filter that is set.
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
    """Each filter's field, its label, and the names of its values."""
    sized = catalogue.system.sized
    units = catalogue.units.values()
    yield (
        "group",
        _("Category") if sized else _("Group"),
        {name: name for name in _groups(catalogue)},
    )
    for attribute in catalogue.system.attributes.values():
        if attribute.filter:
            yield attribute.id, attribute.name, dict(attribute.values)
    rules = {key: name for unit in units for key, name in _rules(unit, catalogue).items()}
    label = _("Rule or equipment") if sized else _("Ability")
    yield "ability", label, dict(sorted(rules.items(), key=lambda pair: pair[1]))


def _groups(catalogue: Catalogue) -> list[str]:
    if catalogue.system.sized:
        return category_order(catalogue)
    return sorted({unit.group for unit in catalogue.units.values() if unit.group})


def count_verdicts(judged: Iterable[JudgedUnit]) -> dict[str, int]:
    """How many units each filter by verdict leaves under all other filters; none where not all
    of them were judged.
    """
    counts = Counter(dict.fromkeys(VERDICTS, 0))
    for one in judged:
        if one.entry is None:
            return {}
        counts.update(
            field for field in VERDICTS if one.fails <= {field} and passes(one.entry, field)
        )
    return dict(counts)


def passes(entry: ShelfEntry, field: str) -> bool:
    """Whether an entry passes a filter by verdict: "fits" the points left, breaks no rule
    ("safe").
    """
    return not entry.lacks if field == "fits" else entry.mark != "breaks"
