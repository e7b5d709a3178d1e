"""Browsers in which somebody has signed in before: wrong passwords of others don't count for them.

A signed cookie names the account and the browser, as OWASP's "device cookies" do. It opens nothing.
"""

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from armybuilder.accounts.models import User

COOKIE = "device"
#: Seconds for which a browser is remembered.
_LIFE = 400 * 24 * 3600


def remember_device(response: HttpResponse, user: User) -> None:
    """Let the browser say from now on that this user has signed in there."""
    response.set_cookie(
        COOKIE,
        signing.dumps([user.pk, secrets.token_hex(12)], salt=COOKIE),
        max_age=_LIFE,
        path="/account/",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def device_of(request: HttpRequest, login: str) -> str:
    """Return the browser's own mark if whoever has this name or email has signed in there."""
    try:
        key, mark = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    user = User.objects.filter(pk=key).only("username", "email").first()
    known = user is not None and login in (user.username.lower(), user.email.lower())
    return f"{key} {mark}" if known else ""
