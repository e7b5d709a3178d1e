"""What captains do for their teams, and who plays whom."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from armybuilder.events import captains, entering
from armybuilder.events.clock import State
from armybuilder.events.models import Entry
from armybuilder.events.pairing import rounds_of, set_pairings
from armybuilder.events.seeing import Audience
from armybuilder.events.selectors import find_entry, newest_pack, team_of, turn_of
from armybuilder.events.trying import judge_teams
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.reading import pack_of
from armybuilder.pages.answers import whole_number
from armybuilder.pages.events.visits import Visit, for_organisers, visited


@visited
@require_http_methods(["GET", "HEAD", "POST"])
def team(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The captain's page: who plays, whose list is in, what the lists come to together, and a form
    that brings another player.
    """
    captain = visit.entry
    if captain is None or not visit.person.leads or not visit.person.plays:
        raise Http404("no captain of a team")
    if request.method == "POST":
        made = entering.bring(visit.event.pk, captain, request.POST.get("name", ""), visit.now)
        told = _("{name} plays in your team as entry {number}.")
        messages.success(request, told.format(name=made.name, number=made.number))
        return redirect("event-team", visit.event.pk)
    pack = pack_of(newest_pack(visit.event))
    rows = [
        (one, turn_of(visit.event, one, visit.now), _address(request, one))
        for one in team_of(visit.event, captain.team)
    ]
    judged = next(judge_teams(visit.event, pack, shipped_library(), captain.team), None)
    context = {**visit.context, "rows": rows, "judged": judged, "pack": pack}
    context |= {"for_teams": "team" in pack.data, "takes": visit.event.takes_entries(visit.now)}
    return render(request, "events/team.html", context)


@visited
@for_organisers
@require_POST
def name_captain(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Name the captain of a team."""
    if visit.staff is None:
        raise Http404("no such page")
    find_entry(visit.event, number)
    made = captains.name_captain(visit.event.pk, number, visit.staff, visit.now)
    told = _("{name} is captain of “{team}” from now on.")
    messages.success(request, told.format(name=made.name, team=made.team))
    return redirect("event-entry", visit.event.pk, number)


def _address(request: HttpRequest, entry: Entry) -> str:
    """Return where a player comes to the entry that a captain made; "" once they have."""
    if entry.holder:
        return ""
    place = reverse("come-back", args=[entry.event_id, entry.secret])
    return request.build_absolute_uri(place)


@visited
@require_http_methods(["GET", "HEAD", "POST"])
def pairings(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Who plays whom, written by organisers, and read by those who may see lists once these are
    shown. A round that is refused stays in its form.
    """
    role, refused, fields = visit.person.role, "", request.POST
    if request.method == "POST":
        if role is None or not visit.person.organises:
            raise Http404("no such page")
        number = whole_number(fields.get("round", ""), 3)
        try:
            set_pairings(visit.event.pk, number, fields.get("pairs", ""), role, visit.now)
        except Refusal as refusal:
            refused = refusal.sentence
        else:
            return redirect("event-pairings", visit.event.pk)
    if role is None and not _may_read(visit):
        raise Http404("no such page")
    rounds = rounds_of(visit.event)
    context = {
        **visit.context,
        "rounds": rounds,
        "refused": refused,
        "round": fields.get("round", max(rounds, default=0) + 1),
        "pairs": fields.get("pairs", ""),
    }
    return render(request, "events/pairings.html", context, status=422 if refused else 200)


def _may_read(visit: Visit) -> bool:
    audience = visit.event.rules.audience
    shown = visit.state in (State.REVEALED, State.OVER)
    return shown and (visit.person.is_entered or audience is Audience.PUBLIC)
