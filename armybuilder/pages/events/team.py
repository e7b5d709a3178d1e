"""The captain's page of a team, and who plays whom."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from armybuilder.events import entering
from armybuilder.events.judging import judge_teams
from armybuilder.events.organising import rounds_of, set_pairings
from armybuilder.events.selectors import find_entry, newest_pack, team_of, turn_of
from armybuilder.events.visibility import Audience
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_of
from armybuilder.pages.answers import whole_number
from armybuilder.pages.events.visits import FORM, WRITE, Visit, organises, visited


@visited(FORM)
def team(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show who plays and what the team's lists come to together, or bring another player."""
    captain = visit.entry
    if captain is None or not visit.person.leads or not visit.person.plays:
        raise Http404("no captain of a team")
    if request.method == "POST":
        made = entering.bring(visit.event.pk, captain, request.POST.get("name", ""), visit.now)
        sentence = _("{name} plays in your team as entry {number}.")
        messages.success(request, sentence.format(name=made.name, number=made.number))
        return redirect("event-team", visit.event.pk)
    pack, rows = pack_of(newest_pack(visit.event)), []
    for entry in team_of(visit.event, captain.team):
        address = ""
        if not entry.holder:  # brought by the captain, and not come yet
            place = reverse("come-back", args=[entry.event_id, entry.secret])
            address = request.build_absolute_uri(place)
        rows.append((entry, turn_of(visit.event, entry, visit.now), address))
    judged = next(judge_teams(visit.event, pack, shipped_library(), captain.team), None)
    context = {**visit.context, "rows": rows, "judged": judged, "pack": pack}
    context |= {"for_teams": "team" in pack.data, "takes": visit.event.takes_entries(visit.now)}
    return render(request, "events/team.html", context)


@visited(WRITE, may=organises)
def name_captain(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Name the captain of a team."""
    find_entry(visit.event, number)
    made = entering.name_captain(visit.event.pk, number, visit.helper, visit.now)
    sentence = _("{name} is captain of “{team}” from now on.")
    messages.success(request, sentence.format(name=made.name, team=made.team))
    return redirect("event-entry", visit.event.pk, number)


@visited(FORM)
def pairings(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show who plays whom once lists are shown; organisers write it."""
    refused, fields = "", request.POST
    if request.method == "POST":
        if not visit.person.organises:
            raise Http404("no such page")
        number = whole_number(fields.get("round", ""), 3)
        try:
            set_pairings(visit.event.pk, number, fields.get("pairs", ""), visit.role, visit.now)
        except Refusal as refusal:
            refused = refusal.sentence
        else:
            return redirect("event-pairings", visit.event.pk)
    public = visit.event.rules.audience is Audience.PUBLIC
    may_read = visit.reveals and (visit.person.is_entered or public)
    if visit.person.role is None and not may_read:
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
