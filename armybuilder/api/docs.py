"""The API's description of itself, for programs and, as a page that needs script, for people."""

import json
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request

from armybuilder.api.base import OpenView
from armybuilder.api.problems import detail_of, problem_response


@cache
def description() -> bytes:
    """Return the OpenAPI document as JSON, made once: it is the same for everyone, in English."""
    with override("en"):
        return json.dumps(SchemaGenerator().get_schema(public=True)).encode()


class ApiDescription(OpenView):
    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        return HttpResponse(description(), content_type="application/json")


class Docs(SpectacularSwaggerSplitView):
    """The page. Its script comes from the same address with `?script=`."""

    url_name = "api-schema"
    template_name = "api/docs.html"
    schema = None


@csrf_exempt
def unknown(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Answer at every address under `/api/` that leads to nothing."""
    detail = detail_of(404)
    if not request.path_info.endswith("/"):
        detail = _("There is nothing at this address. Addresses here end with a slash.")
    start = reverse("api-docs")
    detail = f"{detail} " + _("See {address}.").format(address=start)
    return problem_response(404, detail)
