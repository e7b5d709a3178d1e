"""Ways to make a list legal: loaded into the errors where these are seen, and a page of its own."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.lists.selectors import current_version
from armybuilder.loading.library import shipped_library
from armybuilder.pages.answers import render_for_htmx, wants_part
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.views.builder import act_attributes
from armybuilder.pages.builder.ways import keepables, make_ways
from armybuilder.requests import HtmxRequest

PAGE = "builder/ways.html"
PART = "builder/ways.html#ways"


@never_cache
@require_safe
def show_ways(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the best ways to make a list legal; `keep` names what stays as it is: units, roles and
    options of theirs.
    """
    page = BuilderPage(current_version(request, list_id), shipped_library())
    context: dict[str, Any] = {"page": page}
    if not page.report.legal:
        asked = set(request.GET.getlist("keep"))
        units = keepables(page.roster, page.catalogue, page.names, asked)
        every = [one for unit in units for one in (unit, *unit.parts)]
        kept = [one.value for one in every if one.is_kept]
        found = make_ways(page.document, page.catalogue, kept)
        context |= {"found": found, "units": units, "kept": kept}
    context |= act_attributes(request, page.version, reverse("act", args=[list_id]))
    return render_for_htmx(request, PART if wants_part(request) else PAGE, context)
