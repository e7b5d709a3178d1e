"""Base of API views: permissions, pages, caching."""

from typing import Any

from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import serializers, status
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.pagination import BasePagination, CursorPagination, PageNumberPagination
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission, IsAuthenticated
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from armybuilder.accounts.models import Token, User
from armybuilder.accounts.tokens import find_token
from armybuilder.admission.marks import stores_nothing
from armybuilder.admission.middleware import NotNow, check_budget
from armybuilder.api.fields import answers
from armybuilder.api.parsing import DocumentParser, ObjectParser, etag_of
from armybuilder.books.paths import is_own_id
from armybuilder.books.pinning import library_of
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import Library, shipped_library


class TokenAuthentication(BaseAuthentication):
    """Signs in by `Authorization: Bearer ab_…`.

    Costs a query each time, so that a token that was revoked opens nothing from then on.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return the user and the token; None without the header.

        Raises AuthenticationFailed where the header holds no valid token.
        """
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _space, raw = header.partition(" ")
        token = find_token(raw.strip()) if scheme.lower() == "bearer" else None
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
    """Description of token authentication for OpenAPI."""

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
    """Description of session authentication for OpenAPI."""

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


class BudgetThrottle(BaseThrottle):
    """Throttle that makes clients wait as on pages: see `armybuilder.admission.middleware`."""

    seconds = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        try:
            check_budget(request._request, lambda: request.user)
        except NotNow as refusal:
            self.seconds = refusal.seconds
            return False
        return True

    def wait(self) -> float:
        """Return the whole seconds until the same call gets through."""
        return self.seconds


class _View(APIView):
    """Answers requests, but none about itself (OPTIONS): the API description has everything."""

    http_method_names = ["get", "head", "post", "put", "delete"]
    throttle_classes = [BudgetThrottle]


@stores_nothing
class OpenView(_View):
    """For anyone. A token counts calls for its user, and makes their custom books available."""

    authentication_classes = [TokenAuthentication]
    permission_classes = [AllowAny]

    @property
    def library(self) -> Library:
        """The library with the caller's own books and games; cookies are not read."""
        user = self.request.user
        return library_of(user.holder if isinstance(user, User) else "", shipped_library())

    def library_for(self, document: ArmyList) -> Library:
        """Return the same for a list that names own books; it costs no query for others."""
        own = any(is_own_id(book.id) for book in document.books)
        return self.library if own else shipped_library()


class OwnView(_View):
    """For users and their own data. No cache on the way may keep the answer."""

    authentication_classes = [TokenAuthentication, SessionAuthentication]
    permission_classes = [IsAuthenticated, MayWrite]

    @property
    def holder(self) -> str:
        user = self.request.user
        if not isinstance(user, User):
            raise NotAuthenticated
        return user.holder

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Authorization", "Cookie"])
        return response


class TakesDocument(APIView):
    """For views whose body is a list document."""

    parser_classes = [DocumentParser]


class TakesObject(APIView):
    """For views whose body is a JSON object."""

    parser_classes = [ObjectParser]


def tagged(data: Any, code: int = status.HTTP_200_OK) -> Response:
    """Return an answer with its ETag."""
    return Response(data, status=code, headers={"ETag": etag_of(data)})


def tagged_unless_known(data: Any, request: Request) -> Response:
    """Return an answer with its ETag; 304 without it if the caller has it (`If-None-Match`)."""
    response = tagged(data)
    tags = [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]
    if response["ETag"] in tags or "*" in tags:
        headers = {"ETag": response["ETag"]}
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return response


class Pages(PageNumberPagination):
    """Fifty things to a page, or as many as are asked for."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"], "format": "uri", "example": None}
        return {
            "type": "object",
            "required": ["count", "next", "previous", "results"],
            "properties": {
                "count": {"type": "integer", "example": 1},
                "next": link,
                "previous": link,
                "results": schema,
            },
        }


class KeysetPages(CursorPagination):
    """Keyset pagination: each page begins after the last item of the one before.

    The last page of thousands costs as much as the first, and changes in between repeat nothing. A
    page can also be requested by its number, as of `Pages`. The view sets the `ordering`.
    """

    page_size = Pages.page_size
    max_page_size = Pages.max_page_size
    page_size_query_param = Pages.page_size_query_param

    def paginate_queryset(
        self, queryset: Any, request: Request, view: APIView | None = None
    ) -> list[Any] | None:
        self.numbered = Pages() if "page" in request.query_params else None
        if self.numbered is not None:
            return self.numbered.paginate_queryset(queryset, request, view)
        self.count = queryset.count()
        return super().paginate_queryset(queryset, request, view)

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> Any:
        return view.ordering

    def get_paginated_response(self, data: Any) -> Response:
        if self.numbered is not None:
            return self.numbered.get_paginated_response(data)
        links = {"next": self.get_next_link(), "previous": self.get_previous_link()}
        return Response({"count": self.count, **links, "results": data})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return Pages().get_paginated_response_schema(schema)

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        numbered = Pages().get_schema_operation_parameters(view)
        parameters = super().get_schema_operation_parameters(view)
        return [*numbered, *(each for each in parameters if each not in numbered)]


class Paged(APIView):
    """For views whose answer comes in pages."""

    pagination_class: type[BasePagination] = Pages

    def page(
        self, things: Any, kind: type[serializers.Serializer[Any]], **context: Any
    ) -> Response:
        """Return the requested page, each item serialized."""
        pages = self.pagination_class()
        shown: list[Any] = pages.paginate_queryset(things, self.request, self) or []
        return pages.get_paginated_response(answers(kind, shown, **context))


class _FileRenderer(BaseRenderer):
    """Renderer for a kind of file; errors are JSON."""

    charset: str | None = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        rendered: bytes = JSONRenderer().render(data)
        return rendered


class PdfRenderer(_FileRenderer):
    media_type = "application/pdf"
    format = "pdf"


class TextRenderer(_FileRenderer):
    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"
