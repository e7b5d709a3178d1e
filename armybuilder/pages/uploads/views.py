"""Uploading the files of a game, the report on them, and keeping it."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRefresh

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh, fresh_form
from armybuilder.requests import HtmxRequest
from armybuilder.uploads import jobs
from armybuilder.uploads.jobs import uploads
from armybuilder.uploads.models import Upload
from armybuilder.uploads.tasks import enqueue


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
