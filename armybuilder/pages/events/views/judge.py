"""The judge's page: all lists to be read at the tables, also where there is no connection."""

from __future__ import annotations

import json
from uuid import UUID, uuid4

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from armybuilder.certificates.making import published_keys
from armybuilder.events.ledger import give_points, standing_of, take_back
from armybuilder.events.models import Entry, Submission
from armybuilder.events.seeing import Sight
from armybuilder.events.selectors import find_entry, shown_entries, sight_of
from armybuilder.events.shown import ShownList, shown_lists
from armybuilder.loading.library import shipped_library
from armybuilder.pages.answers import whole_number
from armybuilder.pages.events.visits import Visit, for_staff, visited
from armybuilder.pages.middleware import with_camera
from armybuilder.sheets.texts.lines import groups

#: Lists on one page: it stays on a phone for the whole day.
EACH = 200


@visited
@for_staff
@require_safe
def judge(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Every list that the visitor may see, a unit a line to be ticked, with the number that was
    accepted; and penalties, by the ladder. Large events have several such pages.
    """
    points = standing_of(visit.event)
    pages = Paginator(shown_entries(visit.event), EACH)
    page = pages.get_page(whole_number(request.GET.get("page", ""), 5) or 1)
    entries = list(page.object_list)
    shown = shown_lists(visit.person, visit.event, visit.now, shipped_library(), entries)
    rows = [(one, _units(one), points.get(one.entry.number, 0)) for one in shown]
    hashes = _hashes(visit)
    missing = visit.event.entries.filter(submission=None).exclude(status=Entry.Status.WITHDRAWN)
    missing = missing.order_by("number")[: EACH if page.number == pages.num_pages else 0]
    context = {**visit.context, "rows": rows, "missing": missing, "page": page}
    context |= {"hashes": json.dumps(hashes), "keys": json.dumps(published_keys())}
    return with_camera(render(request, "events/judge.html", context))


def _hashes(visit: Visit) -> list[list[str | int]]:
    """Return the hashes of every submission of entries whose lists the visitor may see whole, also
    on other pages: [hash, entry, number, what it is], those that count first. The player's own
    sheets have another than the submission where the list did not say the revisions of its books.
    """
    entries = [
        one.pk
        for one in shown_entries(visit.event).defer("submission__document")
        if one.submission is not None
        and sight_of(visit.person, visit.event, one, one.submission, visit.now) is Sight.FULL
    ]
    found = Submission.objects.filter(entry__in=entries).exclude(list_hash="")
    rows = found.select_related("entry").defer("document").order_by("entry__number", "-number")
    told = [(row, row.entry.submission_id == row.pk) for row in rows]
    return [
        [one, row.entry.number, row.number, row.entry.status if counts else "former"]
        for row, counts in sorted(told, key=lambda one: not one[1])
        for one in dict.fromkeys((row.list_hash, row.paper_hash))
        if one
    ]


def _units(shown: ShownList) -> list[str]:
    return [unit.said() for group in groups(shown.sheet) for unit in group.units]


@visited
@for_staff
@require_POST
def give(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Give an entry the points for a reason: `key` is a random name of this one time."""
    if visit.staff is None:
        raise Http404("no such page")
    fields = request.POST
    find_entry(visit.event, number)
    key = _key(fields.get("key", ""))
    if "back" in fields:
        take_back(visit.event.pk, number, key, visit.staff, visit.now)
    else:
        give_points(visit.event.pk, number, fields.get("reason", ""), key, visit.staff, visit.now)
    return redirect("event-entry", visit.event.pk, number)


def _key(text: str) -> UUID:
    """Return the name of this one time; a new one where a browser without script sends none."""
    try:
        return UUID(text)
    except ValueError:
        return uuid4()
