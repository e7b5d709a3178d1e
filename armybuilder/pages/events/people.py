"""Pages of people: the desk's list of players, the waiting list, invitations and the calendar."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.accounts.holders import holder_of
from armybuilder.downloads import file_response
from armybuilder.events import people
from armybuilder.events.calendars import calendar_of
from armybuilder.events.leagues import add_players_of_round_before, round_before
from armybuilder.events.people import TICKS, NewPlayer, add_players, read_players
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import whole_number
from armybuilder.pages.events.rounds import armies_of
from armybuilder.pages.events.visits import (
    FORM,
    READ,
    WRITE,
    EventVisit,
    event_address,
    is_staff,
    organises,
    page_number,
    visited,
)
from armybuilder.sheets.drawing.qr import drawing_of

#: Players on a page of the desk.
EACH = 50


@visited(FORM, may=is_staff)
def players(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show all players with their ticks; tick, and let organisers add players."""
    refused, fields = "", request.POST
    if request.method == "POST":
        try:
            if fields.get("go") == "add" and visit.person.organises:
                made = add_players(visit.event.pk, _written(request), visit.role, visit.now)
                _tell_added(request, len(made))
            elif fields.get("go") == "round-before" and visit.person.organises:
                made = add_players_of_round_before(visit.event.pk, visit.helper, visit.now)
                _tell_added(request, len(made))
            else:
                people.tick(visit.event.pk, _ticked(request))
            return redirect(request.get_full_path())
        except Refusal as refusal:
            refused = refusal.sentence
    entries = visit.event.entries.filter(main=None, forgotten=None).order_by("number")
    entries = entries.select_related("submission").defer("submission__document")
    page = Paginator(entries, EACH).get_page(page_number(request))
    context: dict[str, Any] = {
        **visit.context,
        "rows": [(one, [(key, getattr(one, key)) for key in TICKS]) for one in page.object_list],
        "names": [_("Paid"), _("Checked in"), _("Painted")],  # of TICKS
        "armies": armies_of(visit, page.object_list),
        "page": page,
        "show": "",
        "waiting": visit.event.waiting.order_by("pk")[:EACH],
        "refused": refused,
        "text": fields.get("players", ""),
        "round_before": round_before(visit.event, visit.holder),
    }
    return render(request, "events/players.html", context, status=422 if refused else 200)


def _written(request: HttpRequest) -> list[NewPlayer]:
    file = request.FILES.get("file")
    if file is None:
        return read_players(request.POST.get("players", ""))
    return read_players(file.read(100_000).decode("utf-8-sig", "replace"))


def _tell_added(request: HttpRequest, number: int) -> None:
    sentence = ngettext("Added {number} player.", "Added {number} players.", number)
    messages.success(request, sentence.format(number=number))


def _ticked(request: HttpRequest) -> dict[int, dict[str, bool]]:
    """Return the changes of the form; ticks that others made meanwhile stay."""
    found: dict[int, dict[str, bool]] = {}
    for number in (whole_number(one, 5) for one in request.POST.getlist("row")[:EACH]):
        for key in TICKS:
            on = f"{key}-{number}" in request.POST
            if on != (request.POST.get(f"was-{key}-{number}") == "1"):
                found.setdefault(number, {})[key] = on
    return found


@visited(WRITE)
def stop_waiting(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    people.stop_waiting(visit.event, holder_of(request))
    return redirect("event", visit.event.pk)


@visited(READ, may=organises)
def invite(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show a poster of the event, with its address as a code, and a text to send."""
    context = {**visit.context, "address": event_address(request, visit.event)}
    return render(request, "events/invite.html", context)


@visited(READ)
def code(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    drawn = drawing_of(event_address(request, visit.event))
    return HttpResponse(drawn, content_type="image/svg+xml")


@visited(READ)
def calendar(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    place = request.build_absolute_uri(reverse("event", args=[visit.event.pk]))
    content = calendar_of(visit.event, place, visit.now).encode()
    return file_response(content, "text/calendar; charset=utf-8", visit.event.name, "ics")
