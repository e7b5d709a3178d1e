"""The way back to a list after an act on it."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse


def with_query(address: str, query: str) -> str:
    """Return the address with the query, if there is one."""
    return f"{address}?{query}" if query else address


def back_to_list(
    request: HttpRequest, list_id: UUID, said: str, entry: str, opened: str = "", start: int = 0
) -> HttpResponse:
    """A redirect to the list's page, which says what was done and shows the entry; of a long list
    the units from the number `start` on.
    """
    request.session["said"] = said
    query = request.GET.copy()
    if opened:
        query["open"] = opened
    if start:
        query["from"] = str(start)
    address = with_query(reverse("builder", args=[list_id]), query.urlencode())
    return redirect(f"{address}#{entry or 'list'}")
