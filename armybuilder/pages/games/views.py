"""Games from files: bringing one, its catalogues with their units, newer sets, forgetting it."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRefresh

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.games import services
from armybuilder.games.models import Holding
from armybuilder.lists.forces import changes_of, lists_of_game, move_lists
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh, fresh_form, list_ids
from armybuilder.requests import HtmxRequest
from armybuilder.uploads import jobs
from armybuilder.uploads.jobs import uploads
from armybuilder.uploads.models import Upload
from armybuilder.uploads.tasks import enqueue


def held(request: HttpRequest, game_key: str) -> Holding:
    """Return that this browser holds a game. Raises Http404 for any other game."""
    holding = services.holding_of(holder_of(request), game_key)
    if holding is None:
        raise Http404("no such game in this browser")
    return holding


@fresh
def game(request: HttpRequest, game_key: str) -> HttpResponse:
    """Show a game with its contents, and other sets of files of the same game."""
    holding = held(request, game_key)
    others = services.games_of(holding.holder).filter(game__system_id=holding.game.system_id)
    context = {
        "holding": holding,
        "game": holding.game,
        "report": holding.game.report,
        "others": others.exclude(game=holding.game),
        "lists": lists_of_game(holding.holder, game_key),
    }
    return render(request, "games/game.html", context)


@fresh_form
def newer(request: HttpRequest, game_key: str, newer_key: str) -> HttpResponse:
    """Show the changes of lists of a game with another set of its files; a post moves some."""
    holding, other = held(request, game_key), held(request, newer_key)
    if holding.game.system_id != other.game.system_id or holding == other:
        raise Http404("no other set of this game")
    refused = ""
    if request.method == "POST":
        try:
            chosen = list_ids(request.POST.getlist("list"))
            number = move_lists(holding.holder, game_key, newer_key, chosen)
        except Refusal as refusal:
            refused = refusal.sentence
        else:
            sentence = ngettext("Moved {number} list.", "Moved {number} lists.", number)
            messages.success(request, sentence.format(number=number))
            return redirect("game", newer_key)
    context = {
        "holding": holding,
        "other": other,
        "refused": refused,
        "changes": changes_of(holding.holder, game_key, newer_key),
    }
    return render(request, "games/newer.html", context, status=422 if refused else 200)


@require_POST
def rename(request: HttpRequest, game_key: str) -> HttpResponse:
    """Call a game otherwise."""
    holding = held(request, game_key)
    name = request.POST.get("name", "").strip()[:200]
    holding.change(name=name or holding.game.name)
    return redirect("game", game_key)


@require_POST
def forget(request: HttpRequest, game_key: str) -> HttpResponse:
    """Hold a game no longer; lists of it can still be opened."""
    holding = held(request, game_key)
    services.forget(holding.holder, game_key, bool(lists_of_game(holding.holder, game_key)))
    sentence = _("{game} was deleted.").format(game=holding.name)
    messages.success(request, sentence)
    return redirect("my-books")


@fresh_form
def new_upload(request: HttpRequest) -> HttpResponse:
    """Choose files; a post stores them for the worker."""
    refused = ""
    if request.method == "POST":
        try:
            upload = _started(request)
        except Refusal as refusal:
            refused = refusal.sentence
        else:
            enqueue(upload)
            return redirect("upload", upload.pk)
    context = {
        "refused": refused,
        "most": jobs.MAX_BYTES >> 20,
        "by_address": settings.GAMES_BY_ADDRESS,
        "address": request.POST.get("address", ""),
        "like": "https://github.com/owner/name",
        "earlier": [
            {"upload": earlier, "state": uploads.state_of(earlier)}
            for earlier in uploads.of(holder_of(request))
        ],
    }
    return render(request, "uploads/new.html", context, status=422 if refused else 200)


def _started(request: HttpRequest) -> Upload:
    """Begin an upload of the chosen files, or else of an address. Raises Refusal."""
    if address := request.POST.get("address", "").strip():
        return jobs.start_address(make_holder(request), address)
    return jobs.start(make_holder(request), request.FILES.getlist("file"))


@fresh
def upload(request: HtmxRequest, upload_id: UUID) -> HttpResponse:
    """Show the progress, or the report; requested again with the state that it has `seen`."""
    job = uploads.get(holder_of(request), upload_id)
    if not request.htmx:
        return _show(request, job)
    context = {"upload": job, **uploads.progress(job)}
    if request.GET.get("seen") != context["state"]:
        return HttpResponseClientRefresh()
    return render(request, "uploads/upload.html#progress", context)


def _show(request: HttpRequest, job: Upload, refused: str = "") -> HttpResponse:
    context = {"upload": job, **uploads.progress(job), "report": job.report, "refused": refused}
    return render(request, "uploads/upload.html", context, status=422 if refused else 200)


@require_POST
def keep(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """Hold the games that are ticked."""
    holder = holder_of(request)
    job = uploads.get(holder, upload_id)
    try:
        held = jobs.keep(holder, upload_id, request.POST.getlist("game"))
    except Refusal as refusal:
        return _show(request, job, refusal.sentence)
    names = ", ".join(holding.name for holding in held)
    messages.success(request, _("Saved {games}.").format(games=names))
    return redirect("game", held[0].game_id) if len(held) == 1 else redirect("my-books")


@require_POST
def throw_away(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """Throw an upload away, also one that is still being read."""
    uploads.remove([uploads.get(holder_of(request), upload_id)])
    messages.success(request, _("Upload discarded. Nothing was saved."))
    return redirect("upload-books")
