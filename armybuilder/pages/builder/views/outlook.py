"""What can become of a list by adding alone: told in the builder once it is seen, and on a page of
its own; the units that lead nowhere, and why.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.engine import Report
from armybuilder.engine.nouns import counted
from armybuilder.engine.terms import POINTS, PRICE, Gauge
from armybuilder.lists.outlooks import Ahead, ahead_of, options_ahead_of
from armybuilder.lists.selectors import current_version
from armybuilder.loading.library import shipped_library
from armybuilder.pages.answers import render_for_htmx, wants_part
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.requests import HtmxRequest
from armybuilder.solving.look_ahead import Fate
from armybuilder.solving.port import NoSolver

PAGE = "builder/outlook.html"
PART = "builder/outlook.html#ahead"


@dataclass(frozen=True, slots=True)
class OutlookView:
    """What is told: `state` is that of the whole list, "over" where more points than there are have
    been spent, "unfinished" where cards are to be filled in first, "busy" while another request
    works it out, "absent" where nothing can. `needs` is what is short, in sentences; `dead` are the
    units that lead nowhere, by ref and name; `options` the places of such options of the open unit.
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
        """The references of the units, with spaces between."""
        return " ".join(ref for ref, _name in self.dead)

    @property
    def places(self) -> str:
        """The ids of the options' buttons, with spaces between."""
        return " ".join(self.options)


@never_cache
@require_safe
def show_outlook(request: HtmxRequest, list_id: UUID, longer: bool = False) -> HttpResponse:
    """Show what can become of a list by adding alone; `now-open` names the open unit."""
    opened = request.GET.get("now-open", "")
    page = BuilderPage(current_version(request, list_id), shipped_library(), opened)
    context = {"page": page, "outlook": outlook_of(page, longer)}
    return render_for_htmx(request, PART if wants_part(request) else PAGE, context)


@never_cache
@require_safe
def look_longer(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the same after looking for seconds."""
    answer: HttpResponse = show_outlook(request, list_id, longer=True)
    return answer


def outlook_of(page: BuilderPage, longer: bool = False) -> OutlookView:
    """Return what can become of the list of a page."""
    if page.left < 0:
        return OutlookView("over")
    try:
        ahead = ahead_of(page.document, page.catalogue, longer)
        options = _dead_options(page, ahead)
    except NoSolver:
        return OutlookView("absent")
    if ahead is None:
        return OutlookView("busy")
    hangs_on_cards = ahead.cards and ahead.whole is Fate.UNKNOWN
    return OutlookView(
        state="unfinished" if hangs_on_cards else ahead.whole.value,
        needs=() if page.report.legal else tuple(_needs(page.report)),
        enough=_enough(ahead),
        dead=tuple(_dead_units(page, ahead)),
        unknown=ahead.unknown,
        options=options,
        long=ahead.long,
    )


def _dead_units(page: BuilderPage, ahead: Ahead) -> Iterator[tuple[str, str]]:
    """Return units that lead nowhere though the points left are enough for them: of others the
    shelf says so anyway.
    """
    for ref in ahead.dead:
        unit = page.catalogue.units[ref]
        if (unit.price.start or 0) <= page.left:
            yield ref, unit.name


def _dead_options(page: BuilderPage, ahead: Ahead | None) -> tuple[str, ...]:
    """Return the ids of the buttons of options that lead nowhere."""
    unit = page.opened
    if ahead is None or ahead.whole is not Fate.OPEN or unit not in page.names:
        return ()
    dead = options_ahead_of(page.document, page.catalogue, unit)
    return tuple(sorted(f"option-{unit}-{'/'.join(path)}" for path in dead))


def _enough(ahead: Ahead) -> str:
    """How few points more make the list legal, where that is known."""
    if not ahead.points:
        return ""
    said = ngettext(
        "{number} more point is enough.", "{number} more points are enough.", ahead.points
    )
    return said.format(number=ahead.points)


def _needs(report: Report) -> Iterator[str]:
    """Return what is short, by the numbers that the rules bound."""
    free = max(0, report.limit - report.spent)
    for gauge in report.gauges:
        if gauge.term.is_short:
            yield _need(gauge, free)


def _need(gauge: Gauge, free: int) -> str:
    short = (gauge.minimum or 0) - gauge.used
    if gauge.term.count in (POINTS, PRICE):
        said = _("{name} still needs {points}, {free} are free.")
        return said.format(name=gauge.name, points=counted(short, "point"), free=free)
    return _("{name}: {number} more needed.").format(name=gauge.name, number=short)
