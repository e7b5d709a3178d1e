"""The record of matches: kept after a game or typed, listed by list and player, and counted."""

from collections import Counter
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_POST

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.comparing.difference import changes_of
from armybuilder.lists.file_sheets import differing, drawn, found_out
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.selectors import current_version
from armybuilder.lists.worked_out import worked_out
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh_form, whole_number
from armybuilder.pages.builder.beside import Chart, ChartBar, ChartRow, bars_chart
from armybuilder.playing.campaigns import (
    ENTRY_FIELDS,
    CampaignStep,
    keep_entry,
    steps_of,
    treasure_of,
)
from armybuilder.playing.keeping import MATCH_FIELDS, keep_match, read_sides, tallies_of
from armybuilder.playing.models import CampaignEntry, Match
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.play import Data, play_side
from armybuilder.sheets.content.play_files import play_file_side


class OwnSide(NamedTuple):
    """A list of this browser as it is played, and the points that it costs."""

    data: Data
    points: int

    @property
    def kept(self) -> dict[str, Any]:
        """The list as a match keeps it, a line for each unit."""
        lines = (
            row["name"] if row["price"] is None else f"{row['name']} · {row['price']}"
            for row in self.data["rows"]
        )
        named = {key: self.data[key] for key in ("name", "about", "books", "hash")}
        return {**named, "lines": [*lines]}


def own_side(version: Version) -> OwnSide:
    """Return a version of a list as it is played today."""
    day = timezone.localdate()
    if isinstance(version.content, ForceList):
        one = worked_out(version)
        return OwnSide(play_file_side(drawn(one, day), version.content.game.key), one.report.points)
    material = Material(version.document, shipped_library(), day)
    return OwnSide(play_side(material, material.sheet), material.report.spent)


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
        side = own_side(current_version(request, army_list.pk))
        match.list_points = side.points
        match.sides = match.sides or [side.kept]
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


def _changes(version: Version, steps: list[CampaignStep], side: OwnSide) -> list[CampaignEntry]:
    """Return the list's changes since the last step, as entries that are not stored yet."""
    if not steps:
        return []
    versions = version.army_list.versions.filter(number__lte=version.number)
    before = versions.filter(created__lte=steps[-1].created).order_by("-number").first()
    if before is None or before == version:
        return []
    try:
        found = differing(found_out(before.content), found_out(version.content))
    except Refusal:  # the game or the books of then are not here any more
        return []
    # A unit of several rows, each of one model, has none of their names.
    units = [(row["id"].split("-")[0], row["name"]) for row in side.data["rows"]]
    rows = Counter(unit for unit, _name in units)
    names = {unit: name for unit, name in units if rows[unit] == 1}
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


def _keep_changes(
    request: HttpRequest, changes: list[CampaignEntry], army_list: ArmyList, points: int
) -> None:
    """Keep the chosen ones of the changes, each of the kind that the player says."""
    for number, entry in enumerate(changes):
        kind = request.POST.get(f"kind-{number}", "")
        if f"change-{number}" in request.POST and kind in Kind.values:
            entry.army_list, entry.points = army_list, points
            entry.day, entry.kind = timezone.localdate(), kind
            keep_entry(entry)


@fresh_form
def campaign(request: HttpRequest, list_id: UUID) -> HttpResponse:
    version = current_version(request, list_id)
    army_list, side = version.army_list, own_side(version)
    steps = steps_of(army_list)
    changes = _changes(version, steps, side)
    form = EntryForm(initial={"day": timezone.localdate()})
    if request.POST.get("go") == "changes":
        if request.POST.get("version") != str(version.number):
            raise Refusal(_("The list has changed since. Look at the changes again."))
        _keep_changes(request, changes, army_list, side.points)
        messages.success(request, _("Changes saved."))
        return redirect("campaign", list_id)
    if request.method == "POST":
        form = EntryForm(request.POST)
        if form.is_valid():
            entry = form.save(commit=False)
            entry.army_list, entry.points = army_list, side.points
            keep_entry(entry)
            messages.success(request, _("Entry saved."))
            return redirect("campaign", list_id)
    matches = [step.match for step in steps if step.match]
    context = {
        "army_list": army_list,
        "form": form,
        "side": side,
        "steps": steps[::-1],
        "version": version,
        "changes": changes,
        "kinds": Kind.choices,
        "tally": tallies_of(matches)[0],
        "treasure": treasure_of(army_list),
        "models": _models(steps, side),
        "chart": _chart(steps),
    }
    return render(request, "playing/campaign.html", context, status=422 if form.errors else 200)


@require_POST
def delete_entry(request: HttpRequest, list_id: UUID, number: int) -> HttpResponse:
    army_list = current_version(request, list_id).army_list
    get_object_or_404(army_list.campaign, pk=number).delete()
    messages.success(request, _("Entry deleted."))
    return redirect("campaign", list_id)


def _models(steps: list[CampaignStep], side: OwnSide) -> list[tuple[str, str, list[CampaignEntry]]]:
    """Return each model on the list or in an entry: name, points now ("" if gone), its entries."""
    prices = {row["name"]: row["price"] for row in side.data["rows"]}
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
