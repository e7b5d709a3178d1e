"""A new list of a kept game: its catalogue first, then the kind of force, name and limits."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from armybuilder.accounts.holders import holder_of
from armybuilder.acts.forces import read_limit
from armybuilder.battlescribe.files.game import GameFiles, limits_of
from armybuilder.battlescribe.files.showing import number_text
from armybuilder.games.opening import open_book, open_game
from armybuilder.games.services import holding_of
from armybuilder.lists.forces import build_forces_for, start_forces
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.forcelist import FROM_FILES
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh_form, pack_wanted, tie_to_event
from armybuilder.pages.forces.page import catalogues_of


@fresh_form
def new_list(request: HttpRequest, game_key: str) -> HttpResponse:
    """Show the catalogues of a game, or the form for a list of one; a POST starts the list.

    Raises Http404 for a game that this browser does not hold.
    """
    holding = holding_of(holder_of(request), game_key)
    if holding is None:
        raise Http404("no such game in this browser")
    game, pack = open_game(game_key), pack_wanted(request, f"{FROM_FILES}{game_key}")
    refused = ""
    if request.method == "POST":
        try:
            return _start(request, game_key, game, pack)
        except Refusal as refusal:
            refused = refusal.sentence
    asked = request.POST if request.method == "POST" else request.GET
    catalogue = asked.get("catalogue", "")
    given = {key: asked[key] for key in ("event", "pack", "list") if asked.get(key)}
    context: dict[str, Any] = {"holding": holding, "refused": refused, "asked": asked}
    context |= {"event_pack": pack, "given": given, "query": urlencode(given)}
    if catalogue in game.heads:
        context |= _choices(request, game_key, game, catalogue, pack)
    else:
        context["catalogues"] = catalogues_of(game)
    return render(request, "forces/new.html", context, status=422 if refused else 200)


def _choices(
    request: HttpRequest, game_key: str, game: GameFiles, catalogue: str, pack: Pack | None
) -> dict[str, Any]:
    """Return the choices for a list of a catalogue. Raises Refusal if it cannot be read."""
    book = open_book(game_key, catalogue)
    limits = {**limits_of(game.system), **(pack.limits if isinstance(pack, FilePack) else {})}
    costs = [cost for cost in game.system.all("costTypes") if not cost.says("hidden")]
    return {
        "catalogue": catalogue,
        "catalogue_name": book.root.get("name").strip(),
        "forces": [(one.id, one.get("name").strip()) for one in book.force_elements()],
        "chosen": request.POST.get("force", ""),
        "costs": [
            (cost.id, cost.get("name").strip(), _typed(request, cost.id, limits)) for cost in costs
        ],
    }


def _typed(request: HttpRequest, cost: str, limits: Any) -> str:
    limit = limits.get(cost, -1)
    return request.POST.get(f"limit-{cost}", number_text(limit) if limit > 0 else "")


def _start(request: HttpRequest, game_key: str, game: GameFiles, pack: Pack | None) -> HttpResponse:
    limits = {
        cost.id: read_limit(request.POST[f"limit-{cost.id}"])
        for cost in game.system.all("costTypes")
        if f"limit-{cost.id}" in request.POST
    }
    catalogue, force = request.POST.get("catalogue", ""), request.POST.get("force", "")
    name = request.POST.get("name", "")
    holder = holder_of(request)
    version = start_forces(holder, game_key, catalogue, force, name, limits)
    if pack is not None:
        build_forces_for(holder, version.army_list_id, pack)
    tie_to_event(request, version.army_list_id)
    return redirect("builder", version.army_list_id)
