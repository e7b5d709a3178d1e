"""The address that an event tells of what happens: given, tried and taken away by organisers."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from armybuilder.events.models import Webhook
from armybuilder.events.webhooks import shown_secret, tell
from armybuilder.loading.problems import Refusal
from armybuilder.outgoing import check_address
from armybuilder.pages.events.visits import Visit, for_organisers, visited


@visited
@for_organisers
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The address, its secret, and the answer to the last call."""
    hook = Webhook.objects.filter(event=visit.event).first()
    url, refused = request.POST.get("url", hook.url if hook else "").strip()[:500], ""
    if request.method == "POST":
        try:
            _change(request, visit, url)
            return redirect("event-webhook", visit.event.pk)
        except Refusal as refusal:
            refused = refusal.sentence
    context = {**visit.context, "hook": hook, "url": url, "refused": refused}
    context["secret"] = shown_secret(hook) if hook else ""
    return render(request, "events/webhook.html", context, status=422 if refused else 200)


def _change(request: HttpRequest, visit: Visit, url: str) -> None:
    go = request.POST.get("go", "")
    if go == "remove":
        Webhook.objects.filter(event=visit.event).delete()
    elif go == "try":
        tell(visit.event, "test", visit.now)
        messages.success(request, _("A call is on its way. Check again in a moment."))
    else:
        check_address(url)
        Webhook.objects.update_or_create(event=visit.event, defaults={"url": url})
