"""Charts of a list: a page of its own; by htmx only the charts, for the fold-out of the builder."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.lists.selectors import current_version
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.charts import charts_of
from armybuilder.pages.builder.makeup import line_makeup
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.requests import HtmxRequest

PAGE = "builder/charts.html"
DRAWN = "builder/charts.html#drawn"


@never_cache
@require_safe
def charts(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """The list's charts, and what the points of each of its units are made of."""
    page = BuilderPage(current_version(request, list_id), shipped_library())
    whole = not request.htmx or request.htmx.history_restore_request
    context = {"page": page, "charts": charts_of(page.report, page.catalogue)}
    if whole:
        context["made"] = [
            (line.pick.id, page.names[line.pick.id], line_makeup(line, page.system))
            for line in page.report.full.lines
        ]
    response = render(request, PAGE if whole else DRAWN, context)
    patch_vary_headers(response, ["HX-Request"])
    return response
