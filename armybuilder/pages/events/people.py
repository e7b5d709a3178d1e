"""Pages of people: players, the waiting list, the staff, invitations and the calendar."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.accounts.holders import holder_of
from armybuilder.downloads import file_response
from armybuilder.events import organising, people
from armybuilder.events.calendars import calendar_of
from armybuilder.events.leagues import add_players_of_round_before, round_before
from armybuilder.events.people import TICKS, NewPlayer, add_players, read_players
from armybuilder.events.rules import StaffRole
from armybuilder.events.selectors import find_event
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
from armybuilder.requests import SignedInRequest
from armybuilder.sheets.drawing.qr import drawing_of

#: Digits of the key of a helper.
_STAFF_DIGITS = 18
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
    return file_response(content, visit.event.name, "ics")


def helper_roles() -> dict[str, str]:
    return {
        StaffRole.ORGANISER.value: _("Organiser: changes the event and checks lists"),
        StaffRole.CHECKER.value: _("Checker: accepts and returns lists"),
        StaffRole.JUDGE.value: _("Judge: sees lists once they are locked"),
    }


@visited(FORM, may=organises)
def staff(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show who helps, with the addresses of invitations; invite and dismiss."""
    event, fields = visit.event, request.POST
    if request.method == "POST":
        if gone := whole_number(fields.get("dismiss", ""), _STAFF_DIGITS):
            organising.dismiss(event.pk, gone, visit.role, visit.now)
        else:
            role, name = fields.get("role", ""), fields.get("name", "")
            if role not in helper_roles():
                raise Refusal(_("Give the helper a name and a role."))
            teams = [team.strip()[:80] for team in fields.get("conflicts", "").split(",")]
            conflicts = list(filter(None, teams))[:20]
            organising.invite(event.pk, StaffRole(role), name, conflicts, visit.role, visit.now)
        return redirect("event-staff", event.pk)
    rows = []
    for helper in event.staff.order_by("pk"):
        place = reverse("join-staff", args=[event.pk, helper.secret])
        rows.append((helper, "" if helper.holder else request.build_absolute_uri(place)))
    context = {**visit.context, "rows": rows, "roles": helper_roles()}
    return render(request, "events/staff.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: SignedInRequest, event_id: UUID, secret: str) -> HttpResponse:
    """Show an invitation; a post accepts it."""
    event = find_event(event_id)
    invited = event.staff.filter(secret=secret).first()
    if invited is None or invited.holder not in ("", request.user.holder):
        raise Http404("no such invitation")
    if request.method == "POST":
        organising.join(event_id, secret, request.user.holder, timezone.now())
        return redirect("event", event_id)
    role = helper_roles().get(invited.role, invited.role)
    return render(request, "events/join.html", {"event": event, "found": invited, "role": role})
