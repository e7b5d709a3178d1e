"""Units of a list's books beside each other, with what adding each to the list would do."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.engine import choices
from armybuilder.lists.selectors import current_version
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.shelf.shelf import read_ticks
from armybuilder.pages.builder.shelf.shelf_entries import ShelfEntry, make_entry
from armybuilder.sheets.content.side_by_side import MOST, chosen_units, side_by_side, units_query


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def compare_units(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Up to four units, each named by a `unit` of the address; the shelf posts those ticked on it
    and is led there.
    """
    page = BuilderPage(current_version(request, list_id), shipped_library())
    address = reverse("compare-units", args=[list_id])
    if request.method == "POST":
        ticked = read_ticks(request.POST, page.catalogue)
        if not ticked:
            request.session["said"] = _("Tick two to four units to compare them.")
            return redirect("builder", list_id)
        query = units_query(page.catalogue.units[ref] for ref in ticked)
        return redirect(f"{address}?{query}")
    chosen = chosen_units(request.GET.getlist("unit"), page.catalogue.units)
    entries = [
        make_entry(choice, page.catalogue, page.report)
        for choice in choices(page.roster, page.catalogue, chosen.units)
    ]
    points = [_points(entry) for entry in entries]
    context = {
        "page": page,
        "chosen": chosen,
        "columns": list(zip(chosen.columns, entries, strict=True)),
        "parts": side_by_side(chosen.units, page.system, points) if entries else (),
        "most": MOST,
    }
    return render(request, "builder/compare_units.html", context)


def _points(entry: ShelfEntry) -> str:
    if entry.unit.price.start is None:
        return "?"
    return f"{entry.start} {entry.points}".strip()
