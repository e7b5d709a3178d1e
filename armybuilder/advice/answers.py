"""What a page says of a finding beside its sentence: the units it is about, where to look, and the
buttons that settle it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise

from armybuilder.engine import Finding
from armybuilder.engine.citations import RuleHead
from armybuilder.html import Html, element, hidden_field, join

#: So many units a finding names; of more it tells how many.
MOST_CULPRITS = 12


@dataclass(frozen=True, slots=True)
class Culprit:
    """A unit a finding speaks of. `opens` is its address with the unit open, "" for none."""

    id: str
    name: str
    opens: str = ""

    @property
    def link(self) -> Html:
        """The way to it, as HTML."""
        if not self.opens:
            return element("a", self.name, href=f"#{self.id}")
        asks = {"hx_get": f"{self.opens}&part=list", "data_goto": "unit-title"}
        return element("a", self.name, href=self.opens, data_view="unit", **asks)


@dataclass(frozen=True, slots=True)
class RemedyPlace:
    """Where a player settles something: an address, or a part of the page ("#set-map"); what is of
    a `unit` is there where that is open.
    """

    url: str
    words: str | Promise
    unit: str = ""

    @property
    def link(self) -> Html:
        """The way there, as HTML."""
        if not self.unit or self.url.startswith("#"):
            return element("a", str(self.words), href=self.url)
        address, __, place = self.url.partition("#")
        asks = {"hx_get": f"{address}&part=list", "data_goto": place, "data_view": "unit"}
        return element("a", str(self.words), href=self.url, **asks)


@dataclass(frozen=True, slots=True)
class Remedy:
    """A button that settles a finding: its words and the act's fields. `priced`: its words are to
    tell what it costs. `spare`: offered only where nothing before it settles the finding.
    """

    label: str
    fields: Mapping[str, str]
    priced: bool = False
    spare: bool = False

    @property
    def inputs(self) -> Html:
        """The fields as HTML."""
        return join(hidden_field(name, value) for name, value in self.fields.items())


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding as the page tells it; its severity names its icon too, so that colour is never
    the only sign. `state` is "broken" or "missing" for an error, else the severity; `new`: the list
    did not have it before the last act. `id` names it on the page; `by` is how far a number is off,
    where the sentence does not say it. `rule` is what it comes from. `own`: it is about a unit by
    itself, whatever list it stands in; `place` is where to look. `several` units take part.
    """

    id: str
    severity: str
    state: str
    sentence: str
    by: str
    rule: RuleHead
    citation: str
    own: bool
    place: RemedyPlace | None
    culprits: tuple[Culprit, ...]
    answers: tuple[Remedy, ...]
    new: bool = False
    several: bool = False

    @property
    def links(self) -> Html:
        """The ways to the units it speaks of, as HTML: templates are slow with so many."""
        return join((culprit.link for culprit in self.culprits[:MOST_CULPRITS]), ", ")

    @property
    def more_culprits(self) -> int:
        """How many units it speaks of beside those that are named."""
        return max(0, len(self.culprits) - MOST_CULPRITS)


def own_unit(finding: Finding) -> str:
    """Return the id of the unit a finding is about by itself; "" where it is about the list."""
    unit = finding.about.own_unit
    return unit if finding.units == (unit,) else ""
