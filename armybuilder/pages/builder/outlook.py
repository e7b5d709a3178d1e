"""What can become of a list by adding alone, the units that lead nowhere, and why.

Both are loaded into the builder once they are seen there, and are pages of their own.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.acts.base import performed
from armybuilder.editing.names import entry_name
from armybuilder.engine import Report, validate
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.nouns import counted
from armybuilder.engine.sentences import sentence
from armybuilder.engine.terms import POINTS, PRICE, Gauge
from armybuilder.lists.outlooks import ahead_of, options_ahead_of
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import render_page_or_part
from armybuilder.pages.builder.page import BuilderPage, current_page
from armybuilder.requests import HtmxRequest
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import Core, explain
from armybuilder.solving.look_ahead import Fate
from armybuilder.solving.port import NoSolver

#: Seconds that are spent on a reason, in a process for heavy work.
SECONDS = 6.0
#: So many units are named; of more only the number tells anything.
MOST_UNITS = 5


@dataclass(frozen=True, slots=True)
class OutlookView:
    """What can become of a list by adding alone.

    `state` is that of the whole list, "over" where more points than there are have been spent,
    "unfinished" where cards are to be filled in first, "busy" while another request works it out,
    "absent" where nothing can. `needs` is what is short, in sentences; `dead` are the units that
    lead nowhere, by ref and name; `options` the ids of the buttons of such options of the open
    unit.
    """

    state: str
    needs: tuple[str, ...] = ()
    enough: str = ""
    dead: tuple[tuple[str, str], ...] = ()
    unknown: int = 0
    options: tuple[str, ...] = ()
    long: bool = False

    @property
    def further(self) -> bool:
        """Whether looking longer may tell more."""
        return not self.long and (self.state == Fate.UNKNOWN.value or self.unknown > 0)

    @property
    def refs(self) -> str:
        return " ".join(ref for ref, _name in self.dead)

    @property
    def places(self) -> str:
        return " ".join(self.options)


@never_cache
@require_safe
def show_outlook(request: HtmxRequest, list_id: UUID, longer: bool = False) -> HttpResponse:
    """Show what can become of a list by adding alone; `now-open` names the open unit."""
    opened = request.GET.get("now-open", "")
    page = current_page(request, list_id, opened)
    context = {"page": page, "outlook": outlook_of(page, longer)}
    return render_page_or_part(request, "builder/outlook.html", "ahead", context)


@never_cache
@require_safe
def look_longer(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the same after looking for seconds."""
    answer: HttpResponse = show_outlook(request, list_id, longer=True)
    return answer


def outlook_of(page: BuilderPage, longer: bool = False) -> OutlookView:
    if page.left < 0:
        return OutlookView("over")
    units, opened = page.catalogue.units, page.opened
    options: tuple[str, ...] = ()
    try:
        ahead = ahead_of(page.document, page.catalogue, longer)
        if ahead is not None and ahead.whole is Fate.OPEN and opened in page.names:
            dead = options_ahead_of(page.document, page.catalogue, opened)
            options = tuple(sorted(f"option-{opened}-{'/'.join(path)}" for path in dead))
    except NoSolver:
        return OutlookView("absent")
    if ahead is None:
        return OutlookView("busy")
    enough = ""
    if ahead.points:
        enough = ngettext(
            "{number} more point is enough.", "{number} more points are enough.", ahead.points
        ).format(number=ahead.points)
    # That the points left do not suffice for a unit, the shelf says anyway.
    affordable = (ref for ref in ahead.dead if (units[ref].price.start or 0) <= page.left)
    hangs_on_cards = ahead.cards and ahead.whole is Fate.UNKNOWN
    return OutlookView(
        state="unfinished" if hangs_on_cards else ahead.whole.value,
        needs=() if page.report.legal else tuple(_needs(page.report)),
        enough=enough,
        dead=tuple((ref, units[ref].name) for ref in affordable),
        unknown=ahead.unknown,
        options=options,
        long=ahead.long,
    )


def _needs(report: Report) -> Iterator[str]:
    free = max(0, report.limit - report.spent)
    for gauge in report.gauges:
        if not gauge.term.is_short:
            continue
        short = (gauge.minimum or 0) - gauge.used
        if gauge.term.count in (POINTS, PRICE):
            text = _("{name} still needs {points}, {free} are free.")
            yield text.format(name=gauge.name, points=counted(short, "point"), free=free)
        else:
            yield _("{name}: {number} more needed.").format(name=gauge.name, number=short)


@dataclass(frozen=True, slots=True)
class ReasonView:
    """A rule that is among the reasons: what it says of the list, its numbers, where it stands."""

    sentence: str
    numbers: str
    citation: str


@dataclass(frozen=True, slots=True)
class WhyView:
    """Rules and units that cannot stand together; of many `units` just their `number`.

    `found`: a reason is known; `open`: none is needed, as adding alone settles it; `absent`:
    nothing here can tell; `minimal`: nothing of it can be left out.
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
    """Show why a list cannot become legal by adding alone.

    With one more `unit`, if one is named, or because of the rule at the pointer `rule`.
    """
    page = current_page(request, list_id)
    ref, rule = request.GET.get("unit", ""), request.GET.get("rule", "")
    army_list, more = page.document, ""
    if ref:
        army_list, more = _with_unit(page, ref), page.catalogue.units[ref].name
    context = {"page": page, "more": more, "why": _why(page, army_list, rule)}
    return render_page_or_part(request, "builder/why.html", "why", context)


def _with_unit(page: BuilderPage, ref: str) -> ArmyList:
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
        units=tuple(_core_units(page, army_list, core)),
        number=len(core.units),
        free=_("{points} are free.").format(points=counted(left, "point")) if left > 0 else "",
        minimal=core.minimal,
    )


def _reason(head: RuleHead, report: Report) -> ReasonView:
    """Return a rule by what it finds on the list, else by what it says, with its number."""
    finding = next((one for one in report.findings if one.head.pointer == head.pointer), None)
    gauge = next((one for one in report.gauges if one.head.pointer == head.pointer), None)
    return ReasonView(
        sentence=str(head.summary) if finding is None else sentence(finding),
        numbers="" if gauge is None else _with_bounds(gauge),
        citation=str(head.citation),
    )


def _with_bounds(gauge: Gauge) -> str:
    """Return a number with its bounds: "Core: 845, at least 1,125"."""
    words = [f"{gauge.name}: {gauge.used}"]
    if gauge.minimum:
        words.append(_("at least {number}").format(number=gauge.minimum))
    if gauge.maximum is not None:
        words.append(_("at most {number}").format(number=gauge.maximum))
    return ", ".join(words)


def _core_units(page: BuilderPage, army_list: ArmyList, core: Core) -> Iterator[str]:
    """Yield the names of the core's units, each with how many they are; nothing for many."""
    if len(core.units) > MOST_UNITS:
        return
    entries = {entry.id: entry for entry in army_list.units}
    names = Counter(entry_name(entries[unit], page.catalogue.units) for unit in core.units)
    for name, number in names.items():
        yield f"{name} ({number})" if number > 1 else name
