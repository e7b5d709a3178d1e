"""Each address of a page answers the methods it is for, and no other."""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.urls import URLPattern

from armybuilder.pages.urls import urlpatterns

#: Where whoever is not signed in is sent, before a view looks at the method.
SIGN_IN = "/account/sign-in/"


def addresses(patterns: Any = urlpatterns, names: Any = ()) -> Iterator[tuple[URLPattern, Any]]:
    """Yield our patterns, each with the names of what its address holds."""
    for pattern in patterns:
        inner = (*names, *pattern.pattern.converters)
        if not isinstance(pattern, URLPattern):
            yield from addresses(pattern.url_patterns, inner)
        # Those of a package; and those of events, whose decorator asks for the methods.
        elif not (pattern.name or "").startswith("account_") and "event_id" not in inner:
            yield pattern, inner


def test_no_page_answers_a_method_that_it_is_not_for() -> None:
    """Every view says which methods it takes, and that before it looks anything up."""
    answering = []
    for address, names in addresses():
        request = RequestFactory().generic("PATCH", "/")
        request.user = AnonymousUser()
        given = {**dict.fromkeys(names, "x"), **address.default_args}
        response = address.callback(request, **given)
        if response.status_code != 405 and not response.get("Location", "").startswith(SIGN_IN):
            answering.append((address.name, response.status_code))
    assert answering == []
