"""What the middleware puts on requests, for views that use it."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from armybuilder.accounts.models import User


class HtmxRequest(HttpRequest):
    """A request of which `htmx` tells whether a part of a page is enough."""

    htmx: HtmxDetails


class SignedInRequest(HttpRequest):
    """A request of somebody with an account: its view stands behind `login_required`."""

    user: User
