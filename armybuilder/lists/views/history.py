"""The history of a list: its versions, going back to one, and what differs between any two."""

import re
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.lists import services
from armybuilder.lists.comparison import judge
from armybuilder.lists.difference import difference
from armybuilder.lists.history import finding_rows, history_page, unit_rows, version_at
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version, current_versions
from armybuilder.lists.views.builder import back_to_list
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

#: A list or a version of it in an address: its id, and "@" with the version's number.
_POINT = re.compile(r"([0-9a-f-]{32,36})(?:@([0-9]{1,9}))?", re.ASCII)

#: Most lists that are offered to be compared.
MOST_LISTS = 200


@never_cache
@require_safe
def history(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Every version of a list, some to a page."""
    return _history(request, list_id)


def _history(request: HttpRequest, list_id: UUID, status: int = 200) -> HttpResponse:
    current = current_version(request, list_id)
    rows = history_page(current, _number(request.GET.get("page", "")) or 1, shipped_library())
    context = {
        "current": current,
        "list_id": list_id,
        "rows": rows,
        "undone": current.army_list.latest - current.number,
        "changed": status == 409,
    }
    return render(request, "lists/history.html", context, status=status)


@never_cache
@require_safe
def version(request: HttpRequest, list_id: UUID, number: int) -> HttpResponse:
    """A version as it was, to read only. Raises Refusal where its game is not here any more."""
    shown = version_at(request, list_id, number)
    judged = judge(shown.document, shipped_library())
    current = shown if shown.number == shown.army_list.number else version_at(request, list_id)
    context = {
        "shown": shown,
        "current": current,
        "list_id": list_id,
        "judged": judged,
        "units": unit_rows(judged),
        "findings": finding_rows(judged),
        "earlier": number - 1,
        "later": number + 1 if number < shown.army_list.latest else 0,
    }
    return render(request, "lists/version.html", context)


@require_POST
def go_back(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Make a version current again: `target` is its primary key, `version` that of the one which
    the page took for the current one.
    """
    seen, target = (_number(request.POST.get(key, "")) for key in ("version", "target"))
    try:
        now = services.go_to(holder_of(request), list_id, seen, target)
    except services.Conflict:
        return _history(request, list_id, status=409)
    said = now.act if now.pk != seen else "The list is like that already."
    return back_to_list(request, list_id, said, "")


def _number(text: str) -> int:
    """The number of a field; 0 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


class Side(NamedTuple):
    """One of two lists to compare: how it stands in an address, what it is called, its page."""

    point: str
    version: Version
    name: str
    words: str
    address: str


@never_cache
@require_safe
def compare_lists(request: HttpRequest) -> HttpResponse:
    """What differs between two lists, `a` and `b`, or two versions of one; one alone is compared
    with its list as it is now, or with the version `to` of it.
    """
    sides = _sides(request)
    context: dict[str, object] = {"sides": sides, "lists": _offered(request)}
    if sides:
        before, after = sides
        one_list = before.version.army_list_id == after.version.army_list_id
        library = shipped_library()
        judged = [judge(side.version.document, library) for side in sides]
        found = difference(*judged, one_list=one_list)
        swap = urlencode({"a": after.point, "b": before.point})
        context |= {"difference": found, "lines": found.lines(), "one_list": one_list, "swap": swap}
    return render(request, "lists/difference.html", context)


def _sides(request: HttpRequest) -> list[Side]:
    """The two lists that the address names; none where it names none. Versions of one list that
    were ticked, both as `a`, come in their order.
    """
    points = [point for key in "ab" for point in request.GET.getlist(key) if point]
    if not points:
        return []
    if len(points) > 2:
        raise Refusal("Tick two versions to compare, no more.")
    found = [_find(request, point) for point in points]
    if len(found) == 1:
        other = _number(request.GET.get("to", "")) or None
        found.append(version_at(request, found[0].army_list_id, other))
    one_list = found[0].army_list_id == found[1].army_list_id
    if one_list and not request.GET.get("b"):
        found.sort(key=lambda version: version.number)
    return [_side(version, one_list) for version in found]


def _find(request: HttpRequest, point: str) -> Version:
    match = _POINT.fullmatch(point)
    if match is None:
        raise Http404("no such list")
    try:
        list_id = UUID(match[1])
    except ValueError as error:
        raise Http404("no such list") from error
    return version_at(request, list_id, int(match[2]) if match[2] else None)


def _side(version: Version, one_list: bool) -> Side:
    list_id, name = version.army_list_id, version.document["name"]
    current = version.number == version.army_list.number
    words = "as it is now" if current else f"version {version.number}: {version.act}"
    if current and not one_list:
        return Side(str(list_id), version, name, words, reverse("builder", args=[list_id]))
    point = f"{list_id}@{version.number}"
    return Side(point, version, name, words, reverse("version", args=[list_id, version.number]))


def _offered(request: HttpRequest) -> list[tuple[str, str]]:
    """(id, name) of this browser's lists, the latest changed first."""
    columns = current_versions(holder_of(request)).values_list("army_list_id", "document__name")
    return [(str(list_id), name) for list_id, name in columns[:MOST_LISTS]]
