"""What organisers do: make an event, change what it says, its pack and its staff, publish it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.events import notices, organising
from armybuilder.events.clock import Standing
from armybuilder.events.models import Event
from armybuilder.events.seeing import Role, Sight
from armybuilder.events.selectors import events_of, find_event, newest_pack, sight_of
from armybuilder.events.trying import Outcome, try_pack, waivers
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.packs.possible import Possible, possible_with
from armybuilder.packs.reading import read_pack
from armybuilder.packs.selectors import offered, pack_by_key, suiting
from armybuilder.pages.answers import whole_number
from armybuilder.pages.events.forms import ChangeForm, EventForm, NewEventForm, twice_words, zones
from armybuilder.pages.events.visits import Visit, for_organisers, visited
from armybuilder.pages.packs.reading import pack_context, written
from armybuilder.requests import SignedInRequest
from armybuilder.solving.port import NoSolver

#: The roles that helpers may be invited for, in words.
KEY = 18


def helper_roles() -> dict[str, str]:
    """Return the roles that helpers may have, by what they may do."""
    return {
        Role.ORGANISER.value: _("Organiser: changes the event and checks lists"),
        Role.CHECKER.value: _("Checker: accepts and returns lists"),
        Role.JUDGE.value: _("Judge: sees lists from the time on when they are final"),
    }


@never_cache
@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """The events that the visitor helps with or plays in."""
    now = timezone.now()
    found = [(one, one.state(now).value) for one in events_of(holder_of(request))[:100]]
    return render(request, "events/events.html", {"events": found})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_event(request: SignedInRequest) -> HttpResponse:
    """The form for a new event, which begins as a draft."""
    said = request.POST if request.method == "POST" else None
    holder, now, chosen = request.user.holder, timezone.now(), request.GET.get("pack", "")
    form = NewEventForm(said, offered(holder, chosen), chosen)
    pack = pack_by_key(form.cleaned_data["pack"]) if form.is_valid() else None
    if pack is not None:
        name = form.cleaned_data["organiser"]
        made = organising.create_event(holder, name, form.about_event, pack, now)
        _tell_of_times(request, form)
        return redirect("event", made.pk)
    context = {"form": form, "zones": zones()}
    status = 200 if said is None else 422
    return render(request, "events/event_form.html", context, status=status)


def _tell_of_times(request: HttpRequest, form: EventForm) -> None:
    if told := twice_words(form.twice):
        messages.warning(request, told)
    times, now = form.about_event.times, timezone.now()
    if times.over <= now:
        messages.warning(request, _("All times of this event are past. Is that meant?"))
    elif times.due <= now:
        messages.warning(request, _("Lists were due already. Is that meant?"))


@visited
@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Change what an event says; a form that is refused keeps what was typed."""
    form = ChangeForm(request.POST if request.method == "POST" else None, visit.event)
    if request.method == "POST" and form.is_valid():
        try:
            _change(request, visit, form)
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
        else:
            return redirect("event", visit.event.pk)
    context = {**visit.context, "form": form, "zones": zones()}
    wrong = request.method == "POST"
    return render(request, "events/event_form.html", context, status=422 if wrong else 200)


def _change(request: HttpRequest, visit: Visit, form: ChangeForm) -> None:
    """Change the event as the form says, and tell those whose seal that breaks."""
    if visit.staff is None:
        raise Http404("no such page")
    reason = form.cleaned_data.get("reason", "")
    event, said, by = visit.event.pk, form.about_event, visit.staff
    broken = organising.change_event(event, said, by, visit.now, reason)
    for one in broken:
        notices.decided(one, one.submission.entry, _event_address(request, visit.event))
    messages.success(request, _("Saved."))
    _tell_of_times(request, form)


def _event_address(request: HttpRequest, event: Event) -> str:
    return request.build_absolute_uri(reverse("event", args=[event.pk]))


def _role(visit: Visit) -> Role:
    if visit.person.role is None:
        raise Http404("no such page")
    return visit.person.role


@visited
@for_organisers
@require_POST
def standing(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Publish the event, cancel it, or take it back into draft."""
    wanted = request.POST.get("standing", "")
    if wanted not in {one.value for one in Standing}:
        raise Refusal(_("Choose what becomes of the event."))
    organising.set_standing(visit.event.pk, Standing(wanted), _role(visit), visit.now)
    return redirect("event", visit.event.pk)


@visited
@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def staff(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Who helps, and invitations for those who are to."""
    if request.method == "POST":
        fields, by = request.POST, _role(visit)
        if gone := whole_number(fields.get("dismiss", ""), KEY):
            organising.dismiss(visit.event.pk, gone, by, visit.now)
        else:
            role = fields.get("role", "")
            if role not in helper_roles():
                raise Refusal(_("Give the helper a name and a role."))
            teams = [one.strip()[:80] for one in fields.get("conflicts", "").split(",")]
            conflicts = [one for one in teams if one][:20]
            name = fields.get("name", "")
            organising.invite(visit.event.pk, Role(role), name, conflicts, by, visit.now)
        return redirect("event-staff", visit.event.pk)
    rows = [
        (one, _address(request, visit.event, one.secret) if not one.holder else "")
        for one in visit.event.staff.order_by("pk")
    ]
    context = {**visit.context, "rows": rows, "roles": helper_roles()}
    return render(request, "events/staff.html", context)


def _address(request: HttpRequest, event: Event, secret: str) -> str:
    return request.build_absolute_uri(reverse("join-staff", args=[event.pk, secret]))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: SignedInRequest, event_id: UUID, secret: str) -> HttpResponse:
    """Take an invitation, after a look at what it is for."""
    event = find_event(event_id)
    found = event.staff.filter(secret=secret).first()
    if found is None or found.holder not in ("", request.user.holder):
        raise Http404("no such invitation")
    if request.method == "POST":
        organising.join(event_id, secret, request.user.holder, timezone.now())
        return redirect("event", event_id)
    context = {"event": event, "found": found, "role": helper_roles().get(found.role, found.role)}
    return render(request, "events/join.html", context)


@visited
@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def change_pack(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Choose a pack or write one, read it, see what becomes of the lists, and let it count."""
    event, library = visit.event, shipped_library()
    kept = newest_pack(event)
    context: dict[str, Any] = {
        **visit.context,
        "kept": kept,
        "suiting": suiting(visit.holder, event.system),
        "history": event.packs.order_by("-pk").only("pack_id", "revision", "since", "reason")[:20],
        "text": written(kept.data),
        "reason_wanted": visit.now >= event.frozen_at,
    }
    if request.method == "POST":
        text, problems, pack = _pack_written(request)
        context |= {"text": text, "problems": problems}
        if pack is not None and request.POST.get("go") == "use":
            reason = request.POST.get("reason", "")
            made = organising.use_pack(event.pk, pack, reason, _role(visit), visit.now, library)
            notices.judged_again(made, _event_address(request, event))
            messages.success(request, _("The pack counts from now on."))
            return redirect("event", event.pk)
        if pack is not None:
            context |= {"tried": pack, **pack_context(pack), **_tried(visit, pack)}
    return render(
        request, "events/change_pack.html", context, status=422 if context.get("problems") else 200
    )


def _pack_written(request: HttpRequest) -> tuple[str, list[Problem], Pack | None]:
    """Return the text of the form, its mistakes, and the pack where there are none."""
    if (chosen := request.POST.get("chosen", "")) and (pack := pack_by_key(chosen)) is not None:
        return written(pack.data), [], pack
    text = request.POST.get("text", "")
    try:
        return text, [], read_pack(parse_json(text.encode(), MAX_BYTES, MAX_DEPTH))
    except Refusal as refusal:
        problems = list(refusal.problems) or [Problem("", "", refusal.sentence, "")]
        return text, problems, None


def _tried(visit: Visit, pack: Pack) -> dict[str, Any]:
    """Return what the pack would make of the lists: of those that may be seen whose, and how; else
    trying packs would tell what is on sealed lists, one question at a time.
    """
    if pack.system != visit.event.system:
        raise Refusal(_("This pack is for another game."))
    outcomes = list(try_pack(visit.event, pack, shipped_library()))
    others = [one for one in outcomes if one.falls or one.worsens]
    told = [one for one in others if _may_read(visit, one)]
    return {
        "lists": len(outcomes),
        "falling": sum(1 for one in outcomes if one.falls),
        "fallen": [one for one in told if one.falls],
        "worse": [one for one in told if one.worsens],
        "untold": len(others) - len(told),
        "again": sum(1 for one in outcomes if one.is_looked_at_again),
        "rising": sum(1 for one in outcomes if one.rises),
        "waivers": waivers(outcomes),
        "possible": _possible(pack),
    }


def _possible(pack: Pack) -> Possible | None:
    """Return whether the pack leaves any legal list; None without a solver."""
    try:
        return possible_with(pack, shipped_library())
    except NoSolver:
        return None


def _may_read(visit: Visit, outcome: Outcome) -> bool:
    entry, found = outcome.entry, outcome.submission
    return sight_of(visit.person, visit.event, entry, found, visit.now) is Sight.FULL
