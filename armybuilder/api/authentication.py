"""Who asks: by a token in the header, or signed in with the browser."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from armybuilder.accounts.models import Token, User
from armybuilder.accounts.tokens import find_token

__all__ = ["MayWrite", "SessionAuthentication", "TokenAuthentication"]

_SCHEME = "bearer"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer ab_…`. Costs a query each time, so that one that was revoked opens
    nothing from then on.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return the user and the token; None without the header.

        Raises AuthenticationFailed where the header holds no valid token.
        """
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _space, raw = header.partition(" ")
        token = find_token(raw.strip()) if scheme.lower() == _SCHEME else None
        if token is None:
            raise AuthenticationFailed(
                _("This token is not valid. Create one on your account page.")
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class MayWrite(BasePermission):
    """Only reads with a token that may only read."""

    message = gettext_lazy("This token is read-only. Create one that may change your lists.")

    def has_permission(self, request: Request, view: Any) -> bool:
        token = request.auth
        return not isinstance(token, Token) or token.may_write or request.method in SAFE_METHODS


class _TokenScheme(OpenApiAuthenticationExtension):
    """How the description of the API tells of tokens."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from your account page, such as `ab_…`. One that may only read"
            " is answered 403 where something would be changed.",
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
