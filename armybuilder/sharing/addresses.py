"""The addresses under which shared lists are seen."""

from django.http import HttpRequest
from django.urls import reverse

from armybuilder.sharing.models import Share


def address_of(request: HttpRequest, link: Share) -> str:
    """The whole address of a link, to give away; "" where it is not known here any more."""
    if not link.token:
        return ""
    return request.build_absolute_uri(reverse("shared-list", args=[link.token]))
