"""Who asks: by a token in the header, or signed in with the browser."""

import hashlib
from typing import Any

from django.core.cache import caches
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from armybuilder.accounts.models import User
from armybuilder.accounts.tokens import user_of

__all__ = ["SessionAuthentication", "TokenAuthentication"]

_SCHEME = "bearer"
#: Seconds for which a token that was valid counts as one where nothing of the user's is at stake.
REMEMBERED = 60


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer ab_…`. Costs a query; for a view that `remembers_tokens` mostly none,
    as a valid token counts as one for a minute more.
    """

    def authenticate(self, request: Request) -> tuple[User, str] | None:
        """Return the user and the token; None without the header.

        Raises AuthenticationFailed where the header holds no valid token.
        """
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _space, raw = header.partition(" ")
        view = (request.parser_context or {}).get("view")
        find = _remembered if getattr(view, "remembers_tokens", False) else user_of
        user = find(raw.strip()) if scheme.lower() == _SCHEME else None
        if user is None:
            raise AuthenticationFailed(_("This token is not valid. Make one on your account page."))
        return user, raw.strip()

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


def _remembered(raw: str) -> User | None:
    """Whose token it is, or was up to a minute ago."""
    memory = caches["memory"]
    key = f"api-token-{hashlib.sha256(raw.encode()).hexdigest()}"
    user: User | None = memory.get(key)
    if user is None:
        user = user_of(raw)
        if user is not None:
            memory.set(key, user, REMEMBERED)
    return user


class _TokenScheme(OpenApiAuthenticationExtension):
    """How the description of the API tells of tokens."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from your account page, such as `ab_…`.",
        }


class _SessionScheme(OpenApiAuthenticationExtension):
    """How the description tells of browsers that are signed in."""

    target_class = SessionAuthentication
    name = "session"
    priority = 1

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "Signed in with the browser; what changes something also needs the"
            " header `X-CSRFToken`.",
        }
