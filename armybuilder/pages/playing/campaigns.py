"""Campaign of a list: a log of matches and changes, points over time, changes by model."""

from collections import Counter
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from armybuilder.comparing.difference import changes_of
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.selectors import current_version
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh_form
from armybuilder.pages.builder.beside import Chart, ChartBar, ChartRow, bars_chart
from armybuilder.pages.history import differing, found_out
from armybuilder.pages.playing.sides import OwnSide, own_side
from armybuilder.playing.campaigns import (
    ENTRY_FIELDS,
    CampaignStep,
    keep_entry,
    steps_of,
    treasure_of,
)
from armybuilder.playing.keeping import tallies_of
from armybuilder.playing.models import CampaignEntry

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
