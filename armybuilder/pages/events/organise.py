"""Pages of organisers: make an event, change its details, pack and webhook, publish it."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.accounts.holders import holder_of
from armybuilder.events import notifications, organising
from armybuilder.events.deciding import ladder_text, read_ladder
from armybuilder.events.judging import try_pack, waivers
from armybuilder.events.leagues import (
    add_round,
    pack_of_points,
    round_before,
    rounds_of_league,
)
from armybuilder.events.leaving import delete_event
from armybuilder.events.models import Event, Webhook
from armybuilder.events.organising import EventDetails
from armybuilder.events.rules import (
    Audience,
    EventTimes,
    LocalTime,
    Rules,
    StaffRole,
    Standing,
    read_local,
    time_names,
    zone_names,
    zone_of,
)
from armybuilder.events.selectors import (
    events_of,
    find_event,
    listed_events,
    newest_pack,
    players_of,
    sees_all,
    staff_of,
)
from armybuilder.events.webhooks import is_given_up, shown_secret, try_again
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.outgoing import check_address
from armybuilder.packs.possible import possible_with
from armybuilder.packs.selectors import offered, pack_by_key, pack_of, read_pack
from armybuilder.packs.unchecked import open_questions
from armybuilder.pages.answers import fresh, list_ids, whole_number
from armybuilder.pages.events.visits import (
    FORM,
    WRITE,
    EventVisit,
    organises,
    owns,
    visited,
)
from armybuilder.pages.packs.shown import pack_context, written
from armybuilder.requests import SignedInRequest
from armybuilder.solving.port import NoSolver

#: Format of a moment in the browser's own date field.
_FIELD = "%Y-%m-%dT%H:%M"
#: Times that players have to keep.
_DEADLINES = ("due", "corrected")
#: Public events on a page.
LISTED = 50
AUDIENCES = {
    Audience.STAFF: _lazy("staff only"),
    Audience.OPPONENTS: _lazy("opponents, once they are paired"),
    Audience.ENTRANTS: _lazy("all registered players"),
    Audience.PUBLIC: _lazy("anyone with the link"),
}
Value = TypeVar("Value")


def _read(read: Callable[[str], Value], text: str) -> Value:
    """Return a field's value. Raises ValidationError for a refused one."""
    try:
        return read(text)
    except Refusal as refusal:
        raise forms.ValidationError(refusal.sentence) from refusal


class EventForm(forms.Form):
    """Details of an event. Times are those of its place."""

    name = forms.CharField(max_length=120, label=_lazy("Name"))
    about = forms.CharField(
        max_length=4000, required=False, label=_lazy("About"), widget=forms.Textarea({"rows": 4})
    )
    place = forms.CharField(max_length=200, required=False, label=_lazy("Place"))
    zone = forms.CharField(
        max_length=64,
        label=_lazy("Time zone"),
        help_text=_lazy("All times are in this time zone, such as Europe/Berlin."),
        widget=forms.TextInput({"list": "zones", "data-own-zone": True}),
    )
    starts = forms.CharField(
        required=False,
        label=_lazy("Play begins"),
        widget=forms.DateTimeInput({"type": "datetime-local"}, format=_FIELD),
    )
    frozen = forms.CharField()
    due = forms.CharField()
    corrected = forms.CharField()
    revealed = forms.CharField()
    over = forms.CharField()
    grace = forms.IntegerField(
        min_value=0,
        max_value=1440,
        initial=0,
        label=_lazy("Grace period after the list deadline (minutes)"),
    )
    capacity = forms.IntegerField(
        min_value=0, max_value=5000, initial=0, label=_lazy("Maximum players (0 = no limit)")
    )
    late_allowed = forms.BooleanField(
        required=False,
        label=_lazy("Accept late lists until the correction deadline, marked as late"),
    )
    audience = forms.ChoiceField(
        choices=[(key.value, name) for key, name in AUDIENCES.items()],
        label=_lazy("Published to"),
        initial=Audience.ENTRANTS.value,
    )
    shows_all = forms.BooleanField(
        required=False, label=_lazy("Publish full lists, special items included")
    )
    sealed = forms.BooleanField(
        required=False,
        label=_lazy("Sealed: until lists are published, staff see only whether they are legal"),
    )
    staff_plays = forms.BooleanField(
        required=False, label=_lazy("Staff who play can see lists before they are published")
    )
    listed = forms.BooleanField(
        required=False, label=_lazy("Show this event in the public list of events")
    )
    ladder = forms.CharField(
        max_length=3000,
        required=False,
        label=_lazy("Penalties and bonuses"),
        help_text=_lazy("One per line, such as “Late list: -3”. Players can read them."),
        widget=forms.Textarea({"rows": 3}),
    )

    def __init__(self, data: Any = None, event: Event | None = None) -> None:
        super().__init__(data, initial=_details_of(event) if event else {})
        helps = {
            "frozen": _("Later changes of the pack need a reason."),
            "due": _("Players can submit and replace lists until then."),
            "corrected": _("Players can correct returned lists until then."),
            "revealed": _("All lists become visible at this time."),
        }
        for name, label in time_names().items():
            field = self.fields[name]
            field.label = label
            field.widget = forms.DateTimeInput({"type": "datetime-local"}, format=_FIELD)
            field.help_text = helps.get(name, "")

    def clean_zone(self) -> str:
        return str(_read(zone_of, self.cleaned_data["zone"].strip()))

    def clean_ladder(self) -> dict[str, int]:
        return _read(read_ladder, self.cleaned_data["ladder"])

    def clean(self) -> dict[str, Any]:
        """Read the times as those of the zone; they must come in their order."""
        data = super().clean() or {}
        zone = data.get("zone")
        times: dict[str, LocalTime] = {}
        for name in time_names():
            if zone and data.get(name):
                try:
                    times[name] = read_local(data[name], zone)
                except Refusal as refusal:
                    self.add_error(name, refusal.sentence)
        if zone and data.get("starts"):
            try:
                data["starts_at"] = read_local(data["starts"], zone).moment
            except Refusal as refusal:
                self.add_error("starts", refusal.sentence)
        if len(times) == len(time_names()) and "grace" in data:
            try:
                grace = timedelta(minutes=data["grace"])
                data["times"] = EventTimes(**{k: v.moment for k, v in times.items()}, grace=grace)
            except Refusal as refusal:
                self.add_error(None, refusal.sentence)
        self.twice = [time_names()[name] for name, time in times.items() if time.twice]
        return data

    @property
    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the fields under their headings: event, times, visibility of lists."""
        when = ["zone", "starts", *time_names(), "grace", "late_allowed"]
        who = ["audience", "shows_all", "sealed", "staff_plays", "reason"]
        what = [name for name in self.fields if name not in {*when, *who}]
        parts = (_("Event"), what), (_("Times"), when), (_("Visibility of lists"), who)
        return [(said, [self[one] for one in names if one in self.fields]) for said, names in parts]

    @property
    def about_event(self) -> EventDetails:
        data = self.cleaned_data
        audience = Audience(data["audience"])
        rules = Rules(audience, data["shows_all"], data["sealed"], data["staff_plays"])
        names = ("name", "about", "place", "zone", "times", "capacity", "late_allowed", "ladder")
        details = {name: data[name] for name in (*names, "listed")}
        return EventDetails(rules=rules, starts_at=data.get("starts_at"), **details)


def _details_of(event: Event) -> dict[str, Any]:
    place = zone_of(event.zone)
    names = ("name", "about", "place", "zone", "capacity", "audience", "late_allowed")
    details = {
        name: getattr(event, name)
        for name in (*names, "shows_all", "sealed", "staff_plays", "listed")
    }
    times = {
        name: getattr(event.times, name).astimezone(place).strftime(_FIELD) for name in time_names()
    }
    if event.starts_at is not None:
        details["starts"] = event.starts_at.astimezone(place).strftime(_FIELD)
    grace, ladder = event.grace_seconds // 60, ladder_text(event.ladder)
    return {**details, **times, "grace": grace, "ladder": ladder}


class ChangeForm(EventForm):
    """Details of an existing event, and why its lists are shown to more people."""

    reason = forms.CharField(
        max_length=200,
        required=False,
        label=_lazy("Reason for showing lists to more people"),
        help_text=_lazy(
            "Give one once lists are submitted, if you remove “Sealed” or publish lists earlier, "
            "in full or to more people (staff who play included). Players can read it."
        ),
    )


class NewEventForm(EventForm):
    """Details of a new event, and who organises it by which pack."""

    pack = forms.ChoiceField(label=_lazy("Event pack"))
    organiser = forms.CharField(
        max_length=80, label=_lazy("Your name"), help_text=_lazy("shown to players")
    )
    field_order: tuple[str, ...] = ("pack", "name", "organiser")

    def __init__(
        self,
        data: Any,
        packs: Iterable[tuple[str, str]],
        chosen: str,
        like: Event | None,
        by: timedelta,
    ) -> None:
        super().__init__(data, like)
        if like is not None:
            self.initial.update(_later(like, timezone.now(), by))
        field = self.fields["pack"]
        field.choices = list(packs)  # type: ignore[attr-defined]  # a field of choices
        field.initial = chosen
        field.help_text = _("Requirements for lists. You can change it until rules lock.")


class NewRoundForm(NewEventForm):
    """Details of the next round of a league, after that of an event."""

    points = forms.IntegerField(
        min_value=1,
        max_value=1_000_000,
        required=False,
        label=_lazy("Points limit of this round"),
        help_text=_lazy("Leave empty to use the event pack’s limit."),
    )
    field_order = ("pack", "points", "name", "organiser")

    def __init__(
        self,
        data: Any,
        packs: Iterable[tuple[str, str]],
        chosen: str,
        last: Event,
        before: Event | None,
    ) -> None:
        """Take the interval and the growth from the round `before` to the `last` for the next."""
        by = (last.due_at - before.due_at if before else None) or MONTH
        super().__init__(data, packs, chosen, last, by)
        number = rounds_of_league(last).count() + 1
        self.initial["name"] = f"{_NUMBER.sub('', last.name)} {number}"
        sizes = [pack_of(newest_pack(one)).sizes[:1] for one in (last, before) if one]
        if isinstance(pack_of(newest_pack(last)), FilePack):
            del self.fields["points"]
        elif sizes[0]:
            growth = sizes[0][0] - sizes[1][0] if len(sizes) > 1 and sizes[1] else 0
            self.initial["points"] = max(1, sizes[0][0] + growth)


def _show_form(
    request: HttpRequest, form: EventForm, context: dict[str, Any] | None = None
) -> HttpResponse:
    """Show the form; every zone that is a place is offered."""
    zones = sorted(name for name in zone_names() if "/" in name and "Etc/" not in name)
    status = 422 if request.method == "POST" else 200
    context = {**(context or {}), "form": form, "zones": zones}
    return render(request, "events/event_form.html", context, status=status)


def _warn_of_times(request: HttpRequest, form: EventForm) -> None:
    if form.twice:
        sentence = _(
            "Clocks go back that night, so this time occurs twice. We use the first. {names}"
        )
        messages.warning(request, sentence.format(names=", ".join(form.twice)))
    times, now = form.about_event.times, timezone.now()
    if times.over <= now:
        messages.warning(request, _("Note: all times of this event are in the past."))
    elif times.due <= now:
        messages.warning(request, _("Note: the list deadline is in the past."))


@fresh
def events(request: HttpRequest) -> HttpResponse:
    """Show the events of the visitor, who helps, plays or builds for them, and all listed ones."""
    now, mine = timezone.now(), events_of(holder_of(request), built=True)
    rows = [(event, event.state(now).value) for event in mine[:100]]
    page = Paginator(listed_events(now), LISTED).get_page(
        whole_number(request.GET.get("page", ""), 5)
    )
    listed = [(event, event.state(now).value) for event in page.object_list]
    context = {"events": rows, "listed": listed, "page": page, "show": ""}
    return render(request, "events/events.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_event(request: SignedInRequest) -> HttpResponse:
    """Show the form for a new event, which begins as a draft, or for the next round of a league."""
    data = request.POST if request.method == "POST" else None
    holder, chosen = request.user.holder, request.GET.get("pack", "")
    like, packs = _like(request), list(offered(holder, key=chosen))
    if like is not None:
        name = _("The pack of {event}").format(event=like.name)
        packs, chosen = [(_LIKE, name), *packs], _LIKE
    form: NewEventForm
    if like is not None and "league" in request.GET:
        form = NewRoundForm(data, packs, chosen, like, round_before(like, holder))
    else:
        form = NewEventForm(data, packs, chosen, like, YEAR)
    made = _create(form, holder, like) if form.is_valid() else None
    if made is None:
        return _show_form(request, form, {"league": isinstance(form, NewRoundForm)})
    _warn_of_times(request, form)
    return redirect("event", made.pk)


def _create(form: NewEventForm, holder: str, like: Event | None) -> Event | None:
    """Create the event of a form; None, with the reason in the form, if it is refused."""
    fields, now = form.cleaned_data, timezone.now()
    key, name, about = fields["pack"], fields["organiser"], form.about_event
    pack = pack_of(newest_pack(like)) if like and key == _LIKE else pack_by_key(key)
    if pack is None:
        form.add_error("pack", _("This pack no longer exists. Choose another."))
        return None
    try:
        if like is None or not isinstance(form, NewRoundForm):
            return organising.create_event(holder, name, about, pack, now)
        if points := fields.get("points"):
            pack = pack_of_points(pack, points)
        return add_round(like, holder, name, about, pack, now)
    except Refusal as refusal:
        form.add_error("pack", refusal.sentence)
        return None


#: The choice of the same pack as another event has.
_LIKE = "like"
#: So long an event is put off until its deadline is ahead: whole weeks, so that weekdays stay.
YEAR, MONTH = timedelta(weeks=52), timedelta(weeks=4)
#: The number at the end of a name.
_NUMBER = re.compile(r"\s*\d+$")


def _like(request: SignedInRequest) -> Event | None:
    """Return the event that a new one is to be like. Raises Http404 if somebody else runs it."""
    if not (key := request.GET.get("like", "")):
        return None
    event = find_event(list_ids([key])[0])
    staff = staff_of(event, request.user.holder)
    if staff is None or staff.role not in (StaffRole.OWNER, StaffRole.ORGANISER):
        raise Http404("no such event")
    return event


def _later(event: Event, now: datetime, step: timedelta) -> dict[str, str]:
    """Return the times of an event some steps later, so that its deadline is ahead of now."""
    place, by = zone_of(event.zone), step * max(1, (now - event.due_at) // step + 1)
    moments = {name: getattr(event.times, name) for name in time_names()}
    if event.starts_at is not None:
        moments["starts"] = event.starts_at
    return {
        # What clocks show is put off, not the moment: 20:00 stays 20:00 in summer.
        name: (moment.astimezone(place).replace(tzinfo=None) + by).strftime(_FIELD)
        for name, moment in moments.items()
    }


@visited(FORM, may=organises)
def edit(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Change the details of an event; a refused form keeps its input."""
    event = visit.event
    form = ChangeForm(request.POST if request.method == "POST" else None, event)
    context = visit.context
    if form.is_valid() and "sure" not in request.POST:
        context |= {"sooner": _sooner(event, form), "playing": players_of(event).count()}
        context["missing"] = players_of(event).filter(submission=None).count()
    if form.is_valid() and not (context.get("sooner") and context["playing"]):
        reason, about = form.cleaned_data.get("reason", ""), form.about_event
        try:
            organising.change_event(event.pk, about, visit.helper, visit.now, reason)
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
        else:
            messages.success(request, _("Saved."))
            _warn_of_times(request, form)
            return redirect("event", event.pk)
    return _show_form(request, form, context)


def _sooner(event: Event, form: EventForm) -> list[tuple[str, datetime, datetime]]:
    """Return the deadlines that a published event would have sooner: name, now, and then."""
    times, names = form.about_event.times, time_names()
    if event.standing != Standing.PUBLISHED:
        return []
    moved = ((name, getattr(event.times, name), getattr(times, name)) for name in _DEADLINES)
    return [(names[name], now, then) for name, now, then in moved if then < now]


@visited(WRITE, may=organises)
def standing(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Publish the event, cancel it, or take it back into draft."""
    wanted = request.POST.get("standing", "")
    if wanted not in {one.value for one in Standing}:
        raise Refusal(_("Choose an action for the event."))
    organising.set_standing(visit.event.pk, Standing(wanted), visit.role, visit.now)
    return redirect("event", visit.event.pk)


@visited(WRITE, may=owns)
def delete(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Delete the event, and inform its players."""
    players = delete_event(visit.event.pk, visit.helper, visit.now)
    notifications.deleted(players, request.build_absolute_uri(reverse("events")))
    messages.success(request, _("“{name}” is deleted.").format(name=visit.event.name))
    return redirect("events")


@visited(FORM, may=organises)
def change_pack(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Choose a pack or write one, read it, preview its verdicts, and put it into effect."""
    event = visit.event
    kept, blind = newest_pack(event), not sees_all(event, visit.person, visit.now)
    context: dict[str, Any] = {
        **visit.context,
        "kept": kept,
        "suiting": offered(visit.holder, event.system),
        "history": event.packs.order_by("-pk").only("pack_id", "revision", "since", "reason")[:20],
        "text": written(kept.data),
        "reason_wanted": blind or visit.now >= event.frozen_at,
        "blind": blind,
    }
    if request.method == "POST":
        text, problems, pack = _pack_written(request)
        context |= {"text": text, "problems": problems}
        if pack is not None and request.POST.get("go") == "use":
            about = (request.POST.get("reason", ""), visit.helper, visit.now, shipped_library())
            organising.use_pack(event.pk, pack, *about)
            messages.success(request, _("The new pack is in effect."))
            return redirect("event", event.pk)
        if pack is not None:
            context |= {"tried": pack, **pack_context(pack), **_tried(visit, pack, blind)}
    status = 422 if context.get("problems") else 200
    return render(request, "events/change_pack.html", context, status=status)


def _pack_written(request: HttpRequest) -> tuple[str, list[Problem], Pack | None]:
    """Return the text of the form, its mistakes, and the pack if there are none."""
    if (chosen := request.POST.get("chosen", "")) and (pack := pack_by_key(chosen)) is not None:
        return written(pack.data), [], pack
    text = request.POST.get("text", "")
    try:
        return text, [], read_pack(parse_json(text.encode(), MAX_BYTES, MAX_DEPTH))
    except Refusal as refusal:
        problems = list(refusal.problems) or [Problem("", "", refusal.sentence, "")]
        return text, problems, None


def _tried(visit: EventVisit, pack: Pack, blind: bool) -> dict[str, Any]:
    """Return whether the pack leaves legal lists, and its verdicts on submitted ones.

    Without the verdicts if the visitor may not see one of the lists: a verdict reveals contents.
    """
    if pack.system != visit.event.system:
        raise Refusal(_("This pack is for another game."))
    library = shipped_library()
    try:
        possible = None if isinstance(pack, FilePack) else possible_with(pack, library)
    except NoSolver:
        possible = None
    questions = {"possible": possible, "questions": open_questions(pack, library)}
    if blind:
        return questions
    outcomes = list(try_pack(visit.event, pack, library))
    return {
        **questions,
        "lists": len(outcomes),
        "fallen": [outcome for outcome in outcomes if outcome.falls],
        "worse": [outcome for outcome in outcomes if outcome.worsens],
        "again": sum(outcome.is_looked_at_again for outcome in outcomes),
        "rising": sum(outcome.rises for outcome in outcomes),
        "waivers": waivers(outcomes),
    }


@visited(FORM, may=organises)
def webhook(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show, change, try or remove the webhook: its address, secret, and answer to the last call."""
    hooks = Webhook.objects.filter(event=visit.event)
    hook, refused, go = hooks.first(), "", request.POST.get("go", "")
    url = request.POST.get("url", hook.url if hook else "").strip()[:500]
    if request.method == "POST":
        try:
            if go == "remove":
                hooks.delete()
            elif go == "try":
                try_again(visit.event, visit.now)
                messages.success(request, _("A call is on its way. Check again in a moment."))
            else:
                check_address(url)
                changed = {"url": url, "failures": 0}
                Webhook.objects.update_or_create(event=visit.event, defaults=changed)
            return redirect("event-webhook", visit.event.pk)
        except Refusal as refusal:
            refused = refusal.sentence
    context = {**visit.context, "hook": hook, "url": url, "refused": refused}
    context |= {"secret": shown_secret(hook), "given_up": is_given_up(hook)} if hook else {}
    return render(request, "events/webhook.html", context, status=422 if refused else 200)
