"""Addresses that programs look for at every site."""

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

#: For how long it may be believed; it is made anew for whoever asks.
_HOLDS = timedelta(days=180)


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Where weaknesses are reported (RFC 9116). Raises Http404 where no one says."""
    if not settings.SECURITY_CONTACT:
        raise Http404("nobody to report to")
    until = (timezone.now() + _HOLDS).strftime("%Y-%m-%dT00:00:00Z")
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {until}",
        "Preferred-Languages: " + ", ".join(code for code, _name in settings.LANGUAGES),
    ]
    if settings.SITE_URL:
        lines.append(f"Canonical: {settings.SITE_URL}{request.path}")
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
