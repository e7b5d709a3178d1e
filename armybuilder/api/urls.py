"""Addresses of the API, and its description of itself: for programs and, as a page, for people."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, re_path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request

from armybuilder.admission.marks import MB, heavy, takes_bytes
from armybuilder.api import books, events, games, lists, reading, solving, verdicts
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
        detail = _("Nothing was found at this URL. URLs here end with a slash.")
    start = reverse("api-docs")
    detail = f"{detail} " + _("See {address}.").format(address=start)
    return problem_response(404, detail)


def _at(address: str, view: Any, name: str, *marks: Callable[[Any], Any]) -> URLPattern:
    """Return the address of a view, marked by how much work it may cause."""
    answer = view.as_view()
    for mark in marks:
        answer = mark(answer)
    pattern: URLPattern = path(f"v1/{address}", answer, name=f"api-{name}")
    return pattern


_SYSTEM = "systems/<slug:system_id>/"
_BOOK = f"{_SYSTEM}books/<slug:book_id>/"
_EVENT = "events/<uuid:event_id>/"
_LIST = "lists/<uuid:list_id>/"
_VERSION = f"{_LIST}history/<int:number>/"

urlpatterns = [
    _at("systems/", games.Systems, "systems"),
    _at(_SYSTEM, games.SystemDetail, "system"),
    _at(f"{_SYSTEM}units/", games.UnitsOfSystem, "units"),
    _at(_BOOK, games.BookDetail, "book"),
    _at(f"{_BOOK}units/<slug:unit_id>/", games.UnitDetail, "unit"),
    _at("packs/", games.Packs, "packs"),
    _at("packs/<slug:pack_id>/", games.PackDetail, "pack"),
    _at("events/", events.Events, "events"),
    _at(_EVENT, events.EventDetail, "event"),
    _at(f"{_EVENT}entry/", events.EventEntry, "enter"),
    _at(f"{_EVENT}submissions/", events.EventSubmissions, "submit"),
    _at(f"{_EVENT}entries/", events.EventEntries, "entries"),
    _at(f"{_EVENT}entries/<int:number>/decisions/", events.EventDecisions, "decide"),
    _at(f"{_EVENT}lists/", events.EventLists, "event-lists", heavy),
    _at("validate/", verdicts.Validate, "validate"),
    _at("choices/", verdicts.Choices, "choices", heavy),
    _at("offers/", verdicts.Offers, "offers", heavy),
    _at("repair/", solving.RepairDocument, "repair", heavy),
    _at("fill/", solving.FillDocument, "fill", heavy),
    _at("answer/", solving.AnswerDocument, "answer", heavy),
    _at("outlook/", solving.OutlookDocument, "outlook", heavy),
    _at("explain/", solving.ExplainDocument, "explain", heavy),
    _at("diff/", verdicts.Diff, "diff", takes_bytes(8 * MB)),
    _at("batch/", verdicts.Batch, "batch", takes_bytes(8 * MB), heavy),
    _at("sheet/", verdicts.SheetOfDocument, "sheet", heavy),
    _at("read/", reading.ReadText, "read", heavy),
    _at("read/file/", reading.ReadFile, "read-file", takes_bytes(5 * MB), heavy),
    _at("text/", verdicts.TextOfDocument, "text"),
    _at("lists/", lists.Lists, "lists"),
    _at(_LIST, lists.ListDetail, "list"),
    _at(f"{_LIST}report/", lists.ListReport, "list-report"),
    _at(f"{_LIST}diff/<uuid:other_id>/", lists.ListDiff, "list-diff"),
    _at(f"{_LIST}repair/", solving.RepairList, "list-repair", heavy),
    _at(f"{_LIST}fill/", solving.FillList, "list-fill", heavy),
    _at(f"{_LIST}answer/", solving.AnswerList, "list-answer", heavy),
    _at(f"{_LIST}outlook/", solving.OutlookList, "list-outlook", heavy),
    _at(f"{_LIST}explain/", solving.ExplainList, "list-explain", heavy),
    _at(f"{_LIST}sheet/", lists.ListSheet, "list-sheet", heavy),
    _at(f"{_LIST}text/", lists.ListText, "list-text"),
    _at(f"{_LIST}frozen/", lists.ListFrozen, "list-frozen"),
    _at(f"{_LIST}history/", lists.ListHistory, "list-history"),
    _at(_VERSION, lists.ListVersion, "list-version"),
    _at(f"{_VERSION}label/", lists.VersionLabel, "version-label"),
    _at(f"{_LIST}links/", lists.ListLinks, "list-links"),
    _at(f"{_LIST}links/<uuid:link_id>/", lists.ListLink, "list-link"),
    _at("books/", books.OwnBooks, "own-books", takes_bytes(2 * MB)),
    _at("books/<slug:book_id>/", books.OwnBookDetail, "own-book", takes_bytes(2 * MB)),
    _at("frozen/<slug:frozen_id>/", lists.FrozenDetail, "frozen"),
    _at("schema/", ApiDescription, "schema"),
    _at("docs/", Docs, "docs"),
    re_path(r"^(?P<rest>.*)$", unknown, name="api-unknown"),
]
