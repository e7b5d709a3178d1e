"""Why a list cannot become legal by adding alone, or not with one more unit: the units and rules
that cannot stand together.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.acts.trying import performed
from armybuilder.editing.names import entry_name
from armybuilder.engine import Report, validate
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.nouns import counted
from armybuilder.engine.sentences import sentence
from armybuilder.engine.terms import Gauge
from armybuilder.lists.outlooks import ahead_of
from armybuilder.lists.selectors import current_version
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import render_for_htmx, wants_part
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.requests import HtmxRequest
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import Core, explain
from armybuilder.solving.look_ahead import Fate
from armybuilder.solving.port import NoSolver

PAGE = "builder/why.html"
PART = "builder/why.html#why"
#: Seconds that are spent on a reason, in a process for heavy work.
SECONDS = 6.0
#: So many units are named; of more only the number tells anything.
MOST_UNITS = 5


@dataclass(frozen=True, slots=True)
class ReasonView:
    """A rule that is among the reasons: what it says of the list, its numbers, where it stands."""

    sentence: str
    numbers: str
    citation: str


@dataclass(frozen=True, slots=True)
class WhyView:
    """Rules and units that cannot stand together; of many `units` just their `number`. `found`: a
    reason is known; `open`: none is needed, as adding alone settles it; `absent`: nothing here can
    tell; `minimal`: nothing of it can be left out.
    """

    found: bool = False
    open: bool = False
    absent: bool = False
    rules: tuple[ReasonView, ...] = ()
    units: tuple[str, ...] = ()
    number: int = 0
    free: str = ""
    minimal: bool = True


@never_cache
@require_safe
def show_why(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show why a list cannot become legal: with one more `unit`, if one is named, or because of the
    rule at the pointer `rule`.
    """
    page = BuilderPage(current_version(request, list_id), shipped_library())
    ref, rule = request.GET.get("unit", ""), request.GET.get("rule", "")
    army_list, more = page.document, ""
    if ref:
        army_list, more = _with_unit(page, ref), page.catalogue.units[ref].name
    context: dict[str, Any] = {"page": page, "more": more, "why": _why(page, army_list, rule)}
    return render_for_htmx(request, PART if wants_part(request) else PAGE, context)


def _with_unit(page: BuilderPage, ref: str) -> ArmyList:
    """Return the list with one more of a unit. Raises Http404 where that cannot be added."""
    if ref not in page.catalogue.units:
        raise Http404("no such unit")
    try:
        made = performed(page.subject, {"act": "add", "ref": ref})
    except Refusal as refusal:
        raise Http404("the unit cannot be added") from refusal
    if made is None:
        raise Http404("the unit cannot be added")
    return made


def _why(page: BuilderPage, army_list: ArmyList, rule: str) -> WhyView:
    try:
        core = explain(army_list, page.catalogue, CpSat(), SECONDS, rule)
    except NoSolver:
        return WhyView(absent=True)
    if core is None:
        ahead = ahead_of(army_list, page.catalogue, longer=True)
        return WhyView(open=ahead is not None and ahead.whole is Fate.OPEN)
    report = validate(make_roster(army_list, page.catalogue), page.catalogue)
    left = report.limit - report.spent
    return WhyView(
        found=True,
        rules=tuple(_reason(head, report) for head in core.rules),
        units=tuple(_units(page, army_list, core)),
        number=len(core.units),
        free=_("{points} are free.").format(points=counted(left, "point")) if left > 0 else "",
        minimal=core.minimal,
    )


def _reason(head: RuleHead, report: Report) -> ReasonView:
    """Tell a rule by what it finds on the list, else by what it says, with the number it bounds."""
    finding = next((one for one in report.findings if one.head.pointer == head.pointer), None)
    gauge = next((one for one in report.gauges if one.head.pointer == head.pointer), None)
    return ReasonView(
        sentence=str(head.summary) if finding is None else sentence(finding),
        numbers="" if gauge is None else _numbers(gauge),
        citation=str(head.citation),
    )


def _numbers(gauge: Gauge) -> str:
    """Return a number with its bounds: "Core: 845, at least 1,125"."""
    words = [f"{gauge.name}: {gauge.used}"]
    if gauge.minimum:
        words.append(_("at least {number}").format(number=gauge.minimum))
    if gauge.maximum is not None:
        words.append(_("at most {number}").format(number=gauge.maximum))
    return ", ".join(words)


def _units(page: BuilderPage, army_list: ArmyList, core: Core) -> Iterator[str]:
    """Return the names of the units of the core, those of one name once with how many they are;
    nothing where there are many.
    """
    if len(core.units) > MOST_UNITS:
        return
    entries = {entry.id: entry for entry in army_list.units}
    names = Counter(entry_name(entries[one], dict(page.catalogue.units)) for one in core.units)
    for name, number in names.items():
        yield f"{name} ({number})" if number > 1 else name
