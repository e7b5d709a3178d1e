"""Answers to addresses that are keys."""

from django.http import HttpResponse


def private(response: HttpResponse) -> HttpResponse:
    """The answer to an address that is a key: no other site and no search engine is to learn it.
    (With no referrer at all, browsers would leave out the origin, and the page's form would be
    refused.)
    """
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response
