"""Units of one game beside each other, from the books that are shipped."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.side_by_side import MOST, chosen_units, side_by_side


@require_safe
def compare(request: HttpRequest, system_id: str) -> HttpResponse:
    """Up to four units, each named by a `unit` of the address ("book/unit")."""
    library = shipped_library()
    if system_id not in library.systems:
        raise Http404("no such game system")
    system = library.systems[system_id]
    books = library.books[system_id].values()
    units = {ref: unit for book in books for ref, unit in book.units.items()}
    chosen = chosen_units(request.GET.getlist("unit"), units)
    context = {
        "system": system,
        "chosen": chosen,
        "columns": [(column, None) for column in chosen.columns],
        "parts": side_by_side(chosen.units, system) if chosen.units else (),
        "most": MOST,
    }
    return render(request, "library/compare.html", context)
