"""What views of the API have in common: who may call them, and who may keep the answer."""

from collections.abc import Callable
from typing import Any

from django.utils.cache import patch_cache_control, patch_vary_headers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.pagination import BasePagination, CursorPagination, PageNumberPagination
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from armybuilder.accounts.models import User
from armybuilder.admission.marks import stores_nothing
from armybuilder.api.authentication import MayWrite, SessionAuthentication, TokenAuthentication
from armybuilder.api.throttles import BudgetThrottle


class _View(APIView):
    """Answers what it is asked, no questions about itself: the description has all there is."""

    http_method_names = ["get", "head", "post", "put", "delete"]
    throttle_classes = [BudgetThrottle]


@stores_nothing
class OpenView(_View):
    """For anyone. A token only says whose calls are counted; cookies are not looked at."""

    authentication_classes = [TokenAuthentication]
    permission_classes = [AllowAny]


class OwnView(_View):
    """For users and what is theirs. Nobody on the way may keep the answer."""

    authentication_classes = [TokenAuthentication, SessionAuthentication]
    permission_classes = [IsAuthenticated, MayWrite]

    @property
    def holder(self) -> str:
        """The name under which the user holds lists."""
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
    """Pages that each begin behind the last thing of the one before: the last page of thousands
    costs as much as the first, and nothing is told twice where something changed meanwhile. A page
    may also be asked for by its number, as of `Pages`. Each kind says what its things go by.
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

    def get_paginated_response(self, data: Any) -> Response:
        if self.numbered is not None:
            return self.numbered.get_paginated_response(data)
        links = {"next": self.get_next_link(), "previous": self.get_previous_link()}
        return Response({"count": self.count, **links, "results": data})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return Pages().get_paginated_response_schema(schema)

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        numbered = Pages().get_schema_operation_parameters(view)
        mine = super().get_schema_operation_parameters(view)
        return [*numbered, *(one for one in mine if one not in numbered)]


class ListPages(KeysetPages):
    """Lists, the latest changed first."""

    ordering = ("-army_list__updated", "army_list_id")

    def _get_position_from_instance(self, instance: Any, ordering: Any) -> str:
        return str(instance.army_list.updated.isoformat())


class VersionPages(KeysetPages):
    """Versions of one list, the latest first."""

    ordering = ("-number",)


class OwnBookPages(KeysetPages):
    """Own books, the latest changed first."""

    ordering = ("-updated", "id")


class Paged(APIView):
    """For views whose answer comes in pages."""

    pagination_class: type[BasePagination] = Pages

    def page(self, found: Any, told: Callable[[Any], Any], request: Request) -> Response:
        """The page that the request asks for; `told` tells one thing of it."""
        pages = self.pagination_class()
        shown: list[Any] | None = pages.paginate_queryset(found, request, self)
        return pages.get_paginated_response([told(one) for one in shown or ()])


class _FileRenderer(BaseRenderer):
    """Lets programs ask for a kind of file; what is no file is an error, told as JSON."""

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
