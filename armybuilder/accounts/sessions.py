"""Sessions in the database: how long they last, and that no secret key is needed to read them.

An anonymous browser's lists hang on its session, so that must outlive a key that was changed or
lost. Django signs the data of a session, for stores that a browser can write to; the database isn't
one, so the signature is written and not checked. A session is protected by its random name in the
cookie. Who is signed in stays bound to the key, by Django: without the old one, and without
SECRET_KEY_FALLBACKS, everybody signs in again.

Anonymous sessions last as SESSION_COOKIE_AGE says. Somebody who is signed in stays so, since the
last visit, for ACCOUNT_SESSION_COOKIE_AGE if they asked for it, else for `IDLE` and while the
browser is open.
"""

import logging
import zlib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase, UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.signing import TimestampSigner
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from armybuilder.writable import NOT_WRITTEN

logger = logging.getLogger(__name__)

#: How long somebody is signed in who did not ask to stay so and does not come back.
IDLE = timedelta(days=14)
#: Where the session keeps the day, counted from the year 1, on which it was renewed last.
_RENEWED = "renewed"


class _Unasked(TimestampSigner):
    """Takes every signature."""

    def unsign(self, value: str, max_age: int | timedelta | None = None) -> str:
        return value.rsplit(self.sep, 2)[0]


class Lasting(SessionBase):
    """Session store that reads sessions signed with any former key and knows how long they last."""

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        """Return the session's data; an empty dict if it can't be decoded."""
        try:
            return dict(_Unasked().unsign_object(str(session_data), serializer=self.serializer))
        except (ValueError, zlib.error):
            return {}

    def save(self, must_create: bool = False) -> None:
        """Write it. Raises UpdateError only where it was deleted meanwhile.

        Django does so too where the database cannot be written; what that raises is raised here.
        """
        try:
            super().save(must_create)
        except UpdateError as error:
            if isinstance(error.__context__, NOT_WRITTEN):
                raise error.__context__ from None
            raise

    def get_session_cookie_age(self) -> int:
        """Return for how many seconds it is kept where nothing else was asked for."""
        return int(IDLE.total_seconds()) if SESSION_KEY in self else settings.SESSION_COOKIE_AGE

    def get_expiry_age(self, **named: Any) -> int:
        """Return for how many seconds it is kept: signed in no longer than may be."""
        age = super().get_expiry_age(**named)
        if "expiry" in named:  # asked while it is read, with the end that it was given
            return age
        return min(age, settings.ACCOUNT_SESSION_COOKIE_AGE) if SESSION_KEY in self else age

    def get_expiry_date(self, **named: Any) -> datetime:
        end = super().get_expiry_date(**named)
        latest = timezone.now() + timedelta(seconds=settings.ACCOUNT_SESSION_COOKIE_AGE)
        return min(end, latest) if SESSION_KEY in self else end


class SessionStore(Lasting, DatabaseStore):
    """Sessions in the database."""


class Sessions(SessionMiddleware):
    """Django's, but a page that only reads is shown even if its session cannot be written.

    A message shown once is then shown again the next time.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        try:
            return super().process_response(request, response)
        except NOT_WRITTEN as error:
            if request.method not in ("GET", "HEAD") or response.status_code != 200:
                raise
            logger.warning("a session cannot be kept: %s", error)
            patch_vary_headers(response, ("Cookie",))
            return response


def renewing(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Renew sessions of the signed in once a day: they end after days without a visit."""

    def renewed(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        session = request.session
        today = timezone.now().toordinal()
        if session.accessed and SESSION_KEY in session and session.get(_RENEWED) != today:
            session[_RENEWED] = today
        return response

    return renewed
