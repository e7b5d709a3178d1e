"""A kept game: its catalogues with their units, where it came from, and forgetting it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armybuilder.accounts.holders import holder_of
from armybuilder.games import services
from armybuilder.games.models import Holding
from armybuilder.pages.answers import fresh


def held(request: HttpRequest, game_key: str) -> Holding:
    """Return that this browser holds a game. Raises Http404 for any other game."""
    holding = services.holding_of(holder_of(request), game_key)
    if holding is None:
        raise Http404("no such game in this browser")
    return holding


@fresh
def game(request: HttpRequest, game_key: str) -> HttpResponse:
    """Show a game with what is in it, and other sets of files of the same game."""
    holding = held(request, game_key)
    others = services.games_of(holding.holder).filter(game__system_id=holding.game.system_id)
    context = {
        "holding": holding,
        "game": holding.game,
        "report": holding.game.report,
        "others": others.exclude(game=holding.game),
    }
    return render(request, "games/game.html", context)


@require_POST
def rename(request: HttpRequest, game_key: str) -> HttpResponse:
    """Call a game otherwise."""
    holding = held(request, game_key)
    name = request.POST.get("name", "").strip()[:200]
    holding.change(name=name or holding.game.name)
    return redirect("game", game_key)


@require_POST
def forget(request: HttpRequest, game_key: str) -> HttpResponse:
    """Hold a game no longer."""
    holding = held(request, game_key)
    services.forget(holding.holder, game_key)
    sentence = _("{game} was deleted.").format(game=holding.name)
    messages.success(request, sentence)
    return redirect("my-books")
