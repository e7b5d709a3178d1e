"""Event packs for games from files: a form for a new one, and the text to change it."""

import json
from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring.packs import FilePackForm, new_file_pack
from armybuilder.battlescribe.files.documents import game_name
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.games.opening import open_book, open_game
from armybuilder.games.services import holding_of
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.packs import services
from armybuilder.packs.models import OwnPack
from armybuilder.packs.selectors import read_pack, version_of
from armybuilder.pages.answers import fresh_form, whole_number
from armybuilder.pages.forces.page import catalogues_of

#: Digits of a version's number.
KEY = 9


class NewPackForm(forms.Form):
    """Form of an event pack for a game from files."""

    name = forms.CharField(max_length=120, label=_lazy("Name"))
    lists = forms.IntegerField(
        min_value=1, max_value=20, initial=1, label=_lazy("Lists per player")
    )
    catalogues = forms.MultipleChoiceField(
        required=False,
        label=_lazy("Catalogues"),
        help_text=_lazy("Choose none to allow all."),
        widget=forms.CheckboxSelectMultiple,
    )
    forces = forms.MultipleChoiceField(
        required=False,
        label=_lazy("Forces"),
        help_text=_lazy("Choose none to allow all."),
        widget=forms.CheckboxSelectMultiple,
    )
    most = forms.CharField(
        required=False,
        max_length=6000,
        label=_lazy("Maximum per list"),
        help_text=_lazy("A unit or category per line, such as “Dragon: 1”. 0 forbids it."),
        widget=forms.Textarea({"rows": 4}),
    )
    by_hand = forms.CharField(
        required=False,
        max_length=6000,
        label=_lazy("Rules that people check"),
        help_text=_lazy("One per line. We can’t check them, and say so on each list."),
        widget=forms.Textarea({"rows": 3}),
    )

    def __init__(self, data: Any, game: GameFiles) -> None:
        super().__init__(data)
        self.game = game
        self.known = {
            "catalogues": {one.id: one.name for one in catalogues_of(game)},
            "forces": {one.id: one.get("name").strip() for one in game.system.all("forceEntries")},
        }
        for name, choices in self.known.items():
            self.fields[name].choices = list(choices.items())  # type: ignore[attr-defined]  # of choices
        self.costs = {
            cost.id: cost.get("name").strip()
            for cost in game.system.all("costTypes")
            if not cost.says("hidden")
        }
        for number, name in enumerate(self.costs.values()):
            label = _("Limit of {cost}").format(cost=name)
            field = forms.IntegerField(required=False, min_value=0, max_value=99_999_999)
            field.label = label
            self.fields[f"limit_{number}"] = field
        rest = [name for name in self.fields if name != "name"]
        self.order_fields(["name", *(one for one in rest if one.startswith("limit_")), *rest])

    @property
    def asked(self) -> FilePackForm:
        data = self.cleaned_data
        chosen: dict[str, Any] = {
            name: {id: names[id] for id in data[name]} for name, names in self.known.items()
        }
        limits = {
            cost: data[f"limit_{number}"]
            for number, cost in enumerate(self.costs.items())
            if data[f"limit_{number}"] is not None
        }
        words = {name: data[name] for name in ("name", "most", "by_hand", "lists")}
        return FilePackForm(limits=limits, **(chosen | words))


@fresh_form
def new_pack(request: HttpRequest, game_key: str) -> HttpResponse:
    """Show the form of a new pack for a game; a POST stores it.

    Raises Http404 for a game that this browser has not brought.
    """
    holding = holding_of(holder_of(request), game_key)
    if holding is None or not holding.brought:
        raise Http404("no such game of this browser")
    game = open_game(game_key)
    form = NewPackForm(request.POST if request.method == "POST" else None, game)
    if form.is_valid():
        asked = form.asked
        try:
            ids = _ids_by_name(game_key, asked.catalogues or form.known["catalogues"], asked.most)
            pack = read_pack(new_file_pack(asked, game_name(game_key, game), ids))
            made = services.create_pack(holding.holder, pack)
        except Refusal as refusal:
            form.add_error("most" if asked.most else None, refusal.sentence)
        else:
            return redirect("own-pack", made.pk)
    context = {"holding": holding, "form": form}
    return render(request, "packs/new_of_files.html", context, status=422 if form.errors else 200)


def _ids_by_name(key: str, catalogues: Iterable[str], most: str) -> dict[str, list[str]]:
    """Return the ids of units and categories by their names; none where nothing is asked of any."""
    found: dict[str, dict[str, None]] = {}
    for catalogue in catalogues if most.strip() else ():
        book = open_book(key, catalogue)
        categories = (one for root in book.sources for one in root.all("categoryEntries"))
        named = [(one.id, one.get("name")) for one in categories]
        named += [(root.key.rpartition("::")[2], root.name) for root in book.roots]
        for id, name in named:
            found.setdefault(name.strip().casefold(), {})[id] = None
    return {name: list(ids) for name, ids in found.items()}


def edit(request: HttpRequest, own: OwnPack) -> HttpResponse:
    """Show the text of an own pack to change it, or save it. The holder is looked at before."""
    newest = version_of(own)
    text = json.dumps(newest.data, indent=2, ensure_ascii=False)
    problems, seen = list[Problem](), newest.number
    if request.method == "POST":
        text, seen = request.POST.get("text", ""), whole_number(request.POST.get("seen", ""), KEY)
        try:
            pack = read_pack(parse_json(text.encode(), MAX_BYTES, MAX_DEPTH))
            saved = services.save_pack(own.holder, own.pk, pack, seen)
        except Refusal as refusal:
            problems = list(refusal.problems) or [Problem("", "", refusal.sentence, "")]
        else:
            messages.success(request, _("Saved as version {number}.").format(number=saved.number))
            return redirect("own-pack", own.pk)
    context = {"own": own, "seen": seen, "text": text, "problems": problems}
    return render(request, "packs/edit_text.html", context, status=422 if problems else 200)
