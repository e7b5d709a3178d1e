"""Lists once they are shown, each as far as the reader may see it; and the log."""

import json
from io import BytesIO
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from armybuilder.downloads import file_response
from armybuilder.events import exporting
from armybuilder.events.exporting import ShownList, hides_cost, shown_lists
from armybuilder.events.log import first_broken, line_data
from armybuilder.events.rules import EventState, Sight
from armybuilder.events.selectors import entries_of
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.events.visits import READ, EventVisit, page_number, visited

EACH = 50
#: Lists that one booklet holds.
MOST_IN_BOOKLET = 300


@visited(READ)
def lists(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show the lists that the visitor may see, some to a page."""
    pages = Paginator(entries_of(visit.event).exclude(submission=None), EACH)
    page, library = pages.get_page(page_number(request)), shipped_library()
    rows = [
        (entry, hides_cost(visit.event, sight, library))
        for entry in page.object_list
        if (sight := visit.sight(entry)) >= Sight.OPEN
    ]
    return render(request, "events/lists.html", {**visit.context, "rows": rows, "page": page})


def _shown(visit: EventVisit) -> list[ShownList]:
    """Return the lists that the visitor may see. Raises Http404 if there is none."""
    shown = list(shown_lists(visit.person, visit.event, visit.now, shipped_library()))
    if not shown:
        raise Http404("no list may be seen")
    return shown


@visited(READ)
def lists_file(request: HttpRequest, visit: EventVisit, form: str) -> HttpResponse:
    """Send the lists as a file: JSON, players for pairing tools, CSV, or a zip of texts."""
    event, shown = visit.event, _shown(visit)
    if form == "csv":
        table = exporting.file_of_table(event, shown)
        return file_response(table, "text/csv; charset=utf-8", event.name, "csv")
    if form == "zip":
        stream = BytesIO()
        exporting.write_zip(stream, event, shown)
        return file_response(stream.getvalue(), "application/zip", event.name, "zip")
    make = exporting.as_players if form == "players" else exporting.as_data
    content = json.dumps(make(event, shown), indent=2, ensure_ascii=False).encode()
    return file_response(content, "application/json", event.name, "json")


@visited(READ)
def booklet(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Send all lists as one PDF."""
    shown = _shown(visit)
    if len(shown) > MOST_IN_BOOKLET:
        sentence = _("A booklet holds {most} lists. Save the zip instead.")
        raise Refusal(sentence.format(most=MOST_IN_BOOKLET))
    stream = BytesIO()
    exporting.write_booklet(stream, visit.event, shown)
    return file_response(stream.getvalue(), "application/pdf", visit.event.name, "pdf", inline=True)


@visited(READ)
def log(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show the log, or what of it players may read; as JSON with `form`."""
    lines = visit.event.log.order_by("sequence")
    whole = visit.person.role is not None or visit.reveals
    if not whole:
        if visit.entry is None:
            raise Http404("not shown yet")
        lines = lines.filter(entry__in=[entry.number for entry in visit.entries])
    if request.GET.get("form") == "json":
        data = [{**line_data(one), "previous": one.previous, "hash": one.hash} for one in lines]
        return _json_file({"format": "log/1", "lines": data}, visit.event.name)
    page = Paginator(lines.reverse(), EACH).get_page(page_number(request))
    broken = first_broken(lines.iterator(500)) if whole else 0
    context = {**visit.context, "page": page, "broken": broken, "whole": whole}
    return render(request, "events/log.html", context)


@visited(READ)
def commitments(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Send the commitments once lists were due: nobody can change a list unnoticed since."""
    if visit.state in (EventState.DRAFT, EventState.OPEN, EventState.CANCELLED):
        raise Http404("lists are not due yet")
    entries = entries_of(visit.event).exclude(submission=None)
    rows = entries.values_list("number", "submission__number", "submission__commitment")
    sheet = [{"entry": a, "submission": b, "commitment": c} for a, b, c in rows]
    data = {"format": "commitments/1", "event": str(visit.event.pk), "commitments": sheet}
    return _json_file(data, "commitments")


def _json_file(data: dict[str, Any], name: str) -> HttpResponse:
    return file_response(json.dumps(data, indent=2).encode(), "application/json", name, "json")
