"""Light or dark, as the reader chooses, kept in a cookie; else as the system has it."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_POST

COOKIE = "theme"
#: Themes by the cookie's value, with icons; "": that of the system.
THEMES = {
    "": ("system", _lazy("System")),
    "light": ("light", _lazy("Light")),
    "dark": ("dark", _lazy("Dark")),
}
_YEAR = 365 * 24 * 3600


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep the chosen theme and return to the page `next`."""
    to = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(to, {request.get_host()}, request.is_secure()):
        to = "/"
    response = HttpResponseRedirect(to)  # `redirect` takes a word for a name of a view
    chosen = request.POST.get("theme", "")
    if chosen in THEMES and chosen:
        response.set_cookie(
            COOKIE,
            chosen,
            max_age=_YEAR,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
        )
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
