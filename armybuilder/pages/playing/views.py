"""Play at the table, and the record: matches, and campaigns of lists, with points over time."""

import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_POST

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.comparing.difference import changes_of
from armybuilder.lists.comparing import list_difference, with_report
from armybuilder.lists.drawn import drawn_list
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.selectors import current_version, recent_lists
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh, fresh_form, whole_number
from armybuilder.pages.builder.beside import Chart, ChartBar, ChartRow, bars_chart
from armybuilder.playing.keeping import (
    ENTRY_FIELDS,
    MATCH_FIELDS,
    MAX_GAME,
    MAX_KEY,
    MAX_NUMBER,
    CampaignStep,
    GameConflict,
    keep_entry,
    keep_game,
    keep_match,
    kept_game,
    read_sides,
    steps_of,
    tallies_of,
    treasure_of,
)
from armybuilder.playing.models import CampaignEntry, Match
from armybuilder.sharing.selectors import TOKEN_LENGTH, digest_of, find_link
from armybuilder.sharing.shared_lists import SharedList
from armybuilder.sheets.content.play import Data

#: Own lists offered as the second one.
MOST_OFFERED = 40
#: Letters of a link's hash in the key of a game.
_KEY = 20
_TOKEN = re.compile(rf"(?<![\w-])[\w-]{{{TOKEN_LENGTH}}}(?![\w-])")
#: What no own list has for an id.
_NO_LIST = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Played:
    """A list to play: its data, by which key its games are kept, where it and its sheet are.

    `source` is how the page of odds names its units; "" where it can't.
    """

    side: Data
    key: str
    back: str
    sheet: str
    list_id: UUID = _NO_LIST
    source: str = ""


@fresh
def play(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show a list of this browser to be played."""
    return played(request, _own(request, list_id))


def played(request: HttpRequest, first: Played) -> HttpResponse:
    """Answer the page of a list, and of the second one that the address names."""
    wrong, sides, key = "", [first.side], first.key
    status = 200
    try:
        second = _second(request, first.side["system"])
    except Refusal as refusal:
        second, wrong, status = None, refusal.sentence, 422
    if second is not None:
        sides.append(second.side)
        key = f"{key}+{second.key}"
    data = {
        "key": key,
        "hashes": [side["hash"] for side in sides],
        "sides": sides,
        "words": _words(),
        "account": account_part(request, key),
    }
    opponent = sides[1]["books"] if len(sides) > 1 else []
    context = {
        "name": first.side["name"],
        "data": data,
        "back": first.back,
        "sheet": first.sheet,
        "odds": _odds_address(first, second),
        "others": recent_lists(holder_of(request), first.list_id, MOST_OFFERED),
        "against": request.GET.get("list", ""),
        "link": request.GET.get("link", "")[:300],
        "wrong": wrong,
        "form": new_form(opponent_book=", ".join(opponent)[:120]),
        "keep_match": reverse("list-matches", args=[first.list_id])
        if first.list_id != _NO_LIST
        else reverse("matches"),
    }
    return render(request, "playing/play.html", context, status=status)


def _odds_address(first: Played, second: Played | None) -> str:
    """Return the page of odds between these lists; "" for a game without, or without a way in."""
    system = shipped_library().systems.get(first.side["system"])
    if system is None or system.odds is None or not first.source:
        return ""
    query = {"a_from": first.source, **({"b_from": second.source} if second else {})}
    return f"{reverse('odds', args=[system.id])}?{urlencode(query)}"


def account_part(request: HttpRequest, key: str) -> Data | None:
    """Return the page's data to keep a game with an account; None without one."""
    if not request.user.is_authenticated:
        return None
    kept = kept_game(holder_of(request), key)
    return {
        "address": reverse("keep-game"),
        "token": get_token(request),
        "kept": {"number": kept.number, "game": kept.data} if kept else None,
    }


@require_POST
def keep(request: HttpRequest) -> HttpResponse:
    """Keep a game for the account's other devices: its new number, or 409 with the kept game."""
    if not request.user.is_authenticated:
        raise Http404("no account")
    data = parse_json(request.body, MAX_GAME, 20)
    facts = data if isinstance(data, dict) else {}
    key, number = facts.get("key"), facts.get("number")
    if not isinstance(key, str) or type(number) is not int or not 0 <= number < MAX_NUMBER:
        raise Refusal(_("We can’t read this game."))
    if not 0 < len(key) <= MAX_KEY:
        raise Refusal(_("We can’t read this game."))
    try:
        kept = keep_game(holder_of(request), key, number, facts.get("game"))
    except GameConflict as conflict:
        there = conflict.kept
        return JsonResponse({"number": there.number, "game": there.data}, status=409)
    return JsonResponse({"number": kept})


def _own(request: HttpRequest, list_id: UUID) -> Played:
    return Played(
        drawn_list(current_version(request, list_id)).side,
        f"list-{list_id}",
        reverse("builder", args=[list_id]),
        reverse("sheet", args=[list_id]),
        list_id,
        f"list:{list_id}",
    )


def linked(shared: SharedList, token: str) -> Played:
    """Return the target of a link, for playing; a game's key doesn't reveal the link's secret."""
    address = reverse("shared-list", args=[token])
    key = f"link-{digest_of(token)[:_KEY]}"
    return Played(shared.drawn.side, key, address, address, source=f"link:{token}")


def _second(request: HttpRequest, system: str) -> Played | None:
    """Return the second list that the address names. Raises Refusal where that cannot be played."""
    wanted, link = request.GET.get("list", ""), request.GET.get("link", "")
    if not wanted and not link:
        return None
    second = _by_link(link) if link else None
    if not link:
        with suppress(ValueError, Http404):
            second = _own(request, UUID(wanted))
    if second is None:
        raise Refusal(_("We can’t find the second list. Check the link, or choose one of yours."))
    if second.side["system"] != system:
        raise Refusal(_("The second list is for another game. Choose a list for the same game."))
    return second


def _by_link(link: str) -> Played | None:
    token = _TOKEN.search(link)
    found = find_link(token[0]) if token else None
    if token is None or found is None:
        return None
    return linked(SharedList(found, shipped_library(), timezone.localdate()), token[0])


def _words() -> dict[str, Any]:
    """Return the words of the page's script; values are in braces."""
    return {
        "lose": _("Lose {number}"),
        "gain": _("Get back {number}"),
        "back": _("Get back: {name}"),
        "left": _("{number} left"),
        "models": _("{number} models"),
        "done": _("Activated"),
        "health": _("Health"),
        "unknown": _("We don’t know the health of this unit. Tick its states yourself."),
        "at": _("at {left} or less"),
        "past": _("below 0"),
        "activated": _("Activated: {done} of {standing}."),
        "lost": _("Lost now: {lost} of {models}."),
        "reached": _("Reached."),
        "reminders": _("Reminders, {phase}: {number}"),
        "opponent": _("Opponent"),
        "over": _("The game is over."),
        "score": _("Score"),
        "noScore": _("We have no score table for this game. Count here by your scenario."),
        "losses": _("{points} for losses of {name}."),
        "unpriced": _("Units without a known price, not counted: {number}."),
        "typed": _("Count your opponent’s losses here yourself."),
        "undone": _("Undone."),
    }


def kept_side(side: Data) -> Data:
    """Return a list as a match keeps it, a line for each unit."""
    lines = (
        row["name"] if row["price"] is None else f"{row['name']} · {row['price']}"
        for row in side["rows"]
    )
    named = {key: side[key] for key in ("name", "about", "books", "hash")}
    return {**named, "lines": [*lines]}


#: Matches on a page.
A_PAGE = 30


class MatchForm(forms.ModelForm[Match]):
    """Form of a match; `sides` come from the page of the game."""

    sides = forms.CharField(required=False, widget=forms.HiddenInput, max_length=120_000)

    class Meta:
        model = Match
        fields = MATCH_FIELDS
        labels = {
            "day": gettext_lazy("Date"),
            "opponent": gettext_lazy("Opponent"),
            "opponent_book": gettext_lazy("Opponent’s book"),
            "scenario": gettext_lazy("Scenario"),
            "result": gettext_lazy("Result"),
            "points": gettext_lazy("Your score"),
            "opponent_points": gettext_lazy("Opponent’s score"),
            "notes": gettext_lazy("Notes"),
        }
        widgets = {
            "day": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "notes": forms.Textarea(attrs={"rows": 3}),
        }

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        results = forms.ChoiceField(
            label=_("Result"),
            choices=[
                ("won", pgettext_lazy("match", "Won")),
                ("drawn", pgettext_lazy("match", "Drawn")),
                ("lost", pgettext_lazy("match", "Lost")),
            ],
        )
        self.fields["result"] = results


def new_form(**given: Any) -> MatchForm:
    """Return an empty form, of today."""
    return MatchForm(initial={"day": timezone.localdate(), **given})


@fresh_form
def matches(request: HttpRequest, list_id: UUID | None = None) -> HttpResponse:
    army_list = current_version(request, list_id).army_list if list_id else None
    form = new_form()
    if request.method == "POST":
        form = MatchForm(request.POST)
        if form.is_valid():
            return _kept(request, form, army_list)
    mine = Match.objects.filter(holder=holder_of(request)).exclude(holder="")
    mine = mine.filter(army_list=army_list) if army_list else mine
    rows = mine.order_by("-day", "-created")
    page = Paginator(rows, A_PAGE).get_page(whole_number(request.GET.get("page", ""), 5, 1))
    # Load only the counted fields of all matches: their lists are long.
    counted = list(mine.only("opponent_book", "result"))
    context = {
        "army_list": army_list,
        "form": form,
        "page": page,
        "tallies": tallies_of(counted) if counted else [],
    }
    return render(request, "playing/matches.html", context, status=422 if form.errors else 200)


def _kept(request: HttpRequest, form: MatchForm, army_list: ArmyList | None) -> HttpResponse:
    match = form.save(commit=False)
    match.holder, match.army_list = make_holder(request), army_list
    match.sides = read_sides(form.cleaned_data["sides"])
    if army_list is not None:
        drawn = drawn_list(current_version(request, army_list.pk))
        match.list_points = drawn.report.numbers[0]
        match.sides = match.sides or [kept_side(drawn.side)]
    keep_match(match)
    messages.success(request, _("Match saved."))
    return redirect("list-matches", army_list.pk) if army_list else redirect("matches")


@require_POST
def delete_match(request: HttpRequest, match_id: UUID) -> HttpResponse:
    holder = holder_of(request)
    if not holder:
        raise Http404("no such match")
    get_object_or_404(Match, pk=match_id, holder=holder).delete()
    messages.success(request, _("Match deleted."))
    return redirect("matches")


#: Bars of the chart: the latest points.
MOST_BARS = 20
Kind = CampaignEntry.Kind


class EntryForm(forms.ModelForm[CampaignEntry]):
    class Meta:
        model = CampaignEntry
        fields = ENTRY_FIELDS
        labels = {
            "day": gettext_lazy("Date"),
            "kind": gettext_lazy("Kind"),
            "model": gettext_lazy("Model"),
            "text": gettext_lazy("Description"),
            "price_before": gettext_lazy("Points before"),
            "price_after": gettext_lazy("Points after"),
            "treasure": gettext_lazy("Treasure gained or spent"),
        }
        widgets = {
            "day": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "model": forms.TextInput(attrs={"list": "campaign-models"}),
            "text": forms.Textarea(attrs={"rows": 3}),
        }

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not any(data.get(field) not in (None, "") for field in ENTRY_FIELDS[2:]):
            self.add_error("text", _("Say what happened, or name a model."))
        return data


def _changes(version: Version, steps: list[CampaignStep], rows: list[Data]) -> list[CampaignEntry]:
    """Return the list's changes since the last step was entered, as entries not stored yet."""
    if not steps:
        return []
    entered = max(step.created for step in steps)  # the last one may be of an earlier day
    versions = version.army_list.versions.filter(number__lte=version.number)
    before = versions.filter(created__lte=entered).order_by("-number").first()
    if before is None or before == version:
        return []
    try:
        found = list_difference(with_report(before.content), with_report(version.content))
    except Refusal:  # the game or the books of then are not here any more
        return []
    # A unit of several rows, each of one model, has none of their names.
    units = [(row["id"].split("-")[0], row["name"]) for row in rows]
    number = Counter(unit for unit, _name in units)
    names = {unit: name for unit, name in units if number[unit] == 1}
    return [
        CampaignEntry(
            kind=_KINDS[unit.kind],
            model=names.get(unit.ids[1], unit.name)[:120],
            text=changes_of(unit)[:1000],
            price_before=unit.before,
            price_after=unit.after,
        )
        for unit in found.units
        if unit.changes or unit.before != unit.after
    ]


#: The most likely cause of a difference in a campaign.
_KINDS = {"new": Kind.RECRUIT, "gone": Kind.DEATH, "changed": Kind.ADVANCE}


@transaction.atomic
def _keep_changes(
    request: HttpRequest, changes: list[CampaignEntry], army_list: ArmyList, points: int
) -> None:
    """Keep the chosen changes, all or none, each of the kind that the player says."""
    for number, entry in enumerate(changes):
        kind = request.POST.get(f"kind-{number}", "")
        if f"change-{number}" in request.POST and kind in Kind.values:
            entry.army_list, entry.points = army_list, points
            entry.day, entry.kind = timezone.localdate(), kind
            keep_entry(entry)


@fresh_form
def campaign(request: HttpRequest, list_id: UUID) -> HttpResponse:
    version = current_version(request, list_id)
    army_list, drawn = version.army_list, drawn_list(version)
    steps, rows, points = steps_of(army_list), drawn.side["rows"], drawn.report.numbers[0]
    form = EntryForm(initial={"day": timezone.localdate()})
    if request.POST.get("go") == "changes":
        if request.POST.get("version") != str(version.number):
            raise Refusal(_("The list has changed since. Look at the changes again."))
        _keep_changes(request, _changes(version, steps, rows), army_list, points)
        messages.success(request, _("Changes saved."))
        return redirect("campaign", list_id)
    if request.method == "POST":
        form = EntryForm(request.POST)
        if form.is_valid():
            entry = form.save(commit=False)
            entry.army_list, entry.points = army_list, points
            keep_entry(entry)
            messages.success(request, _("Entry saved."))
            return redirect("campaign", list_id)
    matches = [step.match for step in steps if step.match]
    context = {
        "army_list": army_list,
        "form": form,
        "points": points,
        "steps": steps[::-1],
        "version": version,
        "changes": _changes(version, steps, rows),
        "kinds": Kind.choices,
        "tally": tallies_of(matches)[0],
        "treasure": treasure_of(army_list),
        "models": _models(steps, rows),
        "chart": _chart(steps),
    }
    return render(request, "playing/campaign.html", context, status=422 if form.errors else 200)


@require_POST
def delete_entry(request: HttpRequest, list_id: UUID, number: int) -> HttpResponse:
    army_list = current_version(request, list_id).army_list
    get_object_or_404(army_list.campaign, pk=number).delete()
    messages.success(request, _("Entry deleted."))
    return redirect("campaign", list_id)


def _models(
    steps: list[CampaignStep], rows: list[Data]
) -> list[tuple[str, str, list[CampaignEntry]]]:
    """Return each model on the list or in an entry: name, points now ("" if gone), its entries."""
    prices = {row["name"]: row["price"] for row in rows}
    entries: dict[str, list[CampaignEntry]] = {name: [] for name in prices}
    for step in steps:
        if step.entry and step.entry.model:
            entries.setdefault(step.entry.model, []).append(step.entry)
    shown = {name: "?" if price is None else str(price) for name, price in prices.items()}
    return [(name, shown.get(name, ""), mine) for name, mine in entries.items()]


def _chart(steps: list[CampaignStep]) -> Chart | None:
    """Return the points of the list over time, of its latest steps; None without any."""
    title, bars = _("Points over time"), []
    for step in [step for step in steps if step.points is not None][-MOST_BARS:]:
        day = date_format(step.day, "j M Y")
        what = step.match.opponent if step.match else step.entry.model if step.entry else ""
        name = " · ".join(filter(None, (day, what)))
        bars.append(ChartBar(name, step.points or 0, str(step.points)))
    rows = tuple(ChartRow(bar.name, (bar.words,)) for bar in bars)
    columns = (_("Date"), _("Points"))
    return bars_chart("campaign", title, bars, columns, rows) if bars else None
