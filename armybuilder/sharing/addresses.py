"""The addresses under which shared lists are seen."""

from django.http import HttpRequest
from django.urls import reverse

from armybuilder.sharing.models import Share
from armybuilder.sharing.tokens import token_of


def address_of(request: HttpRequest, link: Share) -> str:
    """The whole address of a link, to give away."""
    return request.build_absolute_uri(reverse("shared-list", args=[token_of(link.pk)]))
