"""Types of requests with the attributes that middleware adds."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from armybuilder.accounts.models import User


class HtmxRequest(HttpRequest):
    """A request whose `htmx` says whether a part of a page is enough."""

    htmx: HtmxDetails


class SignedInRequest(HttpRequest):
    """A request of a person with an account: its view has `login_required`."""

    user: User
