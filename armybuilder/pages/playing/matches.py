"""The record of matches: kept after a game or typed, listed by list and player, and counted."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_POST

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.lists.models import ArmyList
from armybuilder.lists.selectors import current_version
from armybuilder.pages.answers import fresh_form, whole_number
from armybuilder.pages.playing.sides import own_side
from armybuilder.playing.keeping import MATCH_FIELDS, keep_match, read_sides, tallies_of
from armybuilder.playing.models import Match

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
