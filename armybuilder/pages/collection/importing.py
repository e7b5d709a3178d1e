"""Import of collections: a table with any columns, or a list as text; shown before it is saved.

Nothing is kept between the steps: the text and the choices travel in the form.
"""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from armybuilder.accounts.holders import make_holder
from armybuilder.authoring.tables import MAX_BYTES, read_grid
from armybuilder.collection.services import MAX_UNITS, Owned, add_models, put_units
from armybuilder.collection.tables import CollectionTable, table_fields
from armybuilder.exchange.csvs import table_text
from armybuilder.exchange.pasting import PastedList, read_text
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh_form
from armybuilder.pages.collection.views import CollectionPage, collection_page
from armybuilder.solving.owned import models_of

#: Mistakes and lines that are shown; the others are counted.
MOST_SHOWN = 100


@fresh_form
def import_collection(request: HttpRequest, system_id: str) -> HttpResponse:
    """Show the forms; after a post the units as read; save them on request."""
    page = collection_page(request, system_id)
    context: dict[str, Any] = {"page": page, "most_kilobytes": MAX_BYTES // 1024}
    context |= {"most_units": MAX_UNITS, "most_list": MAX_TEXT // 1024}
    if request.method == "GET":
        return render(request, "collection/import.html", context)
    try:
        read = _pasted if request.POST.get("kind") == "list" else _table
        done, shown = read(request, page)
    except Refusal as refusal:
        context |= {"refused": refusal.sentence, "table": request.POST.get("table", "")}
        context["text"] = request.POST.get("text", "")
        return render(request, "collection/import.html", context, status=422)
    if done is None:
        return render(request, "collection/import.html", context | shown)
    said = ngettext("Saved {number} unit.", "Saved {number} units.", done)
    messages.success(request, said.format(number=done))
    return redirect(page.address)


def _table(request: HttpRequest, page: CollectionPage) -> tuple[int | None, dict[str, Any]]:
    """Return the number of units saved from a table, or None and the table as read."""
    fields, file = request.POST, request.FILES.get("file")
    raw = file.read(MAX_BYTES + 1) if file is not None else fields.get("table", "").encode()
    grid = read_grid(raw, MAX_UNITS)
    table = CollectionTable(grid, fields.dict(), page.units)
    wrong, units = table.wrong, table.units
    how, go = fields.get("how", "set"), fields.get("go", "")
    if units and (go == "good" or (go == "save" and not wrong)):
        return _saved(request, page, units, how), {}
    shown = {
        "read": table,
        "fields": table_fields(),
        "good": len(units),
        "models": sum(unit.number for unit in units),
        "wrong": wrong[:MOST_SHOWN],
        "wrong_number": len(wrong),
        "how": how,
        "table": table_text(raw),
    }
    return None, shown


def _saved(request: HttpRequest, page: CollectionPage, units: list[Owned], how: str) -> int:
    """Write the units of a table as the form says. Raises NoRoom."""
    holder = make_holder(request)
    if how == "add":
        models = {unit.ref: unit.number for unit in units}
        add_models(holder, page.game, models, page.units.names, add=True)
        return len(units)
    return put_units(holder, page.game, units, instead=how == "instead")


def _pasted(request: HttpRequest, page: CollectionPage) -> tuple[int | None, dict[str, Any]]:
    """Return the number of units saved from a list as text, or None and the list as read."""
    text = request.POST.get("text", "").replace("\0", "")
    reading: PastedList = read_text(text, page.library, page.system.id)
    models = models_of(reading.document) if reading.document is not None else {}
    known = {ref: number for ref, number in models.items() if ref in page.units.names}
    lost = [line for line in reading.lines if line.state in ("lost", "doubt")]
    if known and request.POST.get("go") in ("add", "raise"):
        add = request.POST["go"] == "add"
        add_models(make_holder(request), page.game, known, page.units.names, add)
        return len(known), {}
    units = [(page.units.names[ref], number) for ref, number in known.items()]
    return None, {"text": text, "pasted": units, "lost": lost[:MOST_SHOWN]}
