"""Views of findings: links, places to go, order."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise

from armybuilder.engine import Finding, Severity
from armybuilder.engine.catalogue import System
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.report import Report
from armybuilder.engine.states import State
from armybuilder.html import EMPTY, Html, element, hidden_field, join
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged
from armybuilder.loading.problems import Refusal

#: Units that a finding names at most; if there are more, it gives their number.
MOST_CULPRITS = 12
#: Of lists of more units and options than this the former one is not judged: it would take longer
#: than a click may wait.
LARGEST = 400


@dataclass(frozen=True, slots=True, eq=False)
class Subject(Judged):
    """A list to advise on, no page.

    `names` are what its player knows each entry by, by its id; `other_books` the names of those
    that it could draw from and does not, by their ids. `former`: the list before the last act,
    where that is known.
    """

    names: Mapping[str, str]
    other_books: Mapping[str, str] = field(default_factory=dict)
    former: ArmyList | None = None

    @property
    def system(self) -> System:
        return self.catalogue.system


@dataclass(frozen=True, slots=True)
class Culprit:
    """A unit a finding speaks of. `opens` is its address with the unit open, "" for none."""

    id: str
    name: str
    opens: str = ""

    @property
    def link(self) -> Html:
        if not self.opens:
            return element("a", self.name, href=f"#{self.id}")
        asks = {"hx_get": f"{self.opens}&part=list", "data_goto": "unit-title"}
        return element("a", self.name, href=self.opens, data_view="unit", **asks)


@dataclass(frozen=True, slots=True)
class RemedyPlace:
    """Place where a player settles something: a URL or part of the page, with the `unit` open."""

    url: str
    words: str | Promise
    unit: str = ""

    @property
    def link(self) -> Html:
        if not self.unit or self.url.startswith("#"):
            return element("a", str(self.words), href=self.url)
        address, __, place = self.url.partition("#")
        asks = {"hx_get": f"{address}&part=list", "data_goto": place, "data_view": "unit"}
        return element("a", str(self.words), href=self.url, **asks)


@dataclass(frozen=True, slots=True)
class Remedy:
    """A button that settles a finding; `priced`: says its cost; `spare`: if nothing else does."""

    label: str
    fields: Mapping[str, str]
    priced: bool = False
    spare: bool = False

    @property
    def inputs(self) -> Html:
        return join(hidden_field(name, value) for name, value in self.fields.items())


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding as shown on the page; the severity chooses its icon, since colour may not be seen.

    `state` is "broken" or "missing" for an error, otherwise the severity; `new`: the last act
    caused it. `id` identifies it on the page; `by` is the excess or shortfall, if the sentence
    doesn't have it. `rule` is its source. `own`: it concerns a unit by itself, in any list; `place`
    is where to look. `several` units take part.
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
        """Return links to the units concerned, as HTML: templates are too slow for many."""
        *others, last = [culprit.link for culprit in self.culprits[:MOST_CULPRITS]] or [EMPTY]
        return join([*(element("span", link, ",") for link in others), last], " ")

    @property
    def more_culprits(self) -> int:
        return max(0, len(self.culprits) - MOST_CULPRITS)


def own_unit(finding: Finding) -> str:
    """Return the id of the unit that a finding concerns by itself; "" if it concerns the list."""
    unit = finding.about.own_unit
    return unit if finding.units == (unit,) else ""


def size_of(report: Report) -> int:
    """Return how many units and options a list has."""
    return sum(1 + len(line.loadout.taken) for line in report.full.lines)


def standing_of(finding: Finding) -> str:
    """Return a finding's key on pages: an error's state, else the severity."""
    error = finding.severity is Severity.ERROR
    return finding.state.value if error else finding.severity.value


def new_findings(
    subject: Subject, former: ArmyList | None, touched: str, judge: Callable[[ArmyList], Judged]
) -> list[Finding]:
    """Return the findings that the `former` list lacks; of a long one, those of unit `touched`."""
    document, findings = subject.document, subject.report.findings
    if former is None or not findings:
        return []
    if (former.system, former.books) != (document.system, document.books):
        return []
    if size_of(subject.report) > LARGEST:
        return [one for one in findings if touched in one.units]
    try:
        earlier = {(one.code, *one.key) for one in judge(former).report.findings}
    except Refusal:
        return []
    return [one for one in findings if (one.code, *one.key) not in earlier]


def in_order(findings: Iterable[Finding], new: Iterable[Finding]) -> list[Finding]:
    """Return broken findings, the new first, then missing ones, then warnings and notes."""
    newest = set(map(id, new))
    order = (State.BROKEN, State.MISSING, Severity.WARNING, Severity.NOTE)
    place = {standing.value: number for number, standing in enumerate(order)}
    return sorted(findings, key=lambda one: (place[standing_of(one)], id(one) not in newest))
