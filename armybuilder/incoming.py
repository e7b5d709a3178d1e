"""Every request before the site sees it: its stack, its name in the log, its address."""

import ipaddress
import re
import secrets
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar, cast
from urllib.parse import urljoin

from django.conf import settings
from django.http import HttpRequest, HttpResponse

_View = TypeVar("_View", bound=Callable[..., Any])
Answering = Callable[[HttpRequest], HttpResponse]

#: Words that the frame of a roomy call asks for. It gets the next power of two in bytes, 256 KB, so
#: that about 96 KB are left for what it calls.
_STACK_WORDS = 20_000
#: Bits of the network that a household has at least, version 6.
HOUSEHOLD_BITS = 64
REQUEST_ID = "X-Request-ID"
#: A valid request id from a proxy.
_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_current: ContextVar[str] = ContextVar("request_id", default="")
_asking: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


def roomy(view: _View) -> _View:
    """Return the same function, which is called with room on the interpreter's stack.

    CPython keeps the frames of its calls in pieces of 16 KB, and takes or gives back a piece
    whenever a call crosses an edge: a loop that happens to call across one takes many times as long
    (measured on CPython 3.11, 3.12 and 3.13; a page of the builder, with its templates within
    templates, up to seven times). A frame that asks for more gets a large piece, and all it calls
    finds room behind it. Memory that no call needs is never touched. As the first of `MIDDLEWARE`
    it gives room to every page.
    """

    @wraps(view)
    def called(*args: Any, **kwargs: Any) -> Any:
        return view(*args, **kwargs)

    function = cast(FunctionType, called)
    function.__code__ = function.__code__.replace(co_stacksize=_STACK_WORDS)
    return cast(_View, called)


def request_id() -> str:
    """Return the id of the current request; "" outside of any.

    It marks a request's lines in the log: error pages and answers show it, and so does the header
    X-Request-ID of every answer.
    """
    return _current.get()


def with_request_id(get_response: Answering) -> Answering:
    """Return the middleware that takes the name that the proxy gave; without one it makes one."""

    def named(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(REQUEST_ID, "") if settings.PROXIES else ""
        name = given if _ID.fullmatch(given) else secrets.token_hex(8)
        mark = _current.set(name)
        try:
            response = get_response(request)
        finally:
            _current.reset(mark)
        response[REQUEST_ID] = name
        return response

    return named


def at_site_url(get_response: Answering) -> Answering:
    """Return the middleware that makes absolute URLs begin with SITE_URL, if that is set.

    The request's own Host isn't trusted: it may name another port, or another name of the server.
    Every absolute URL, Django's and libraries' too, is made from the request: in mails, links, QR
    codes and the API. So this corrects all of them.
    """

    def served(request: HttpRequest) -> HttpResponse:
        def build(location: str | None = None) -> str:
            path = request.get_full_path() if location is None else str(location)
            here = urljoin(settings.SITE_URL, request.path)
            # A path starting with // would be a different host.
            return settings.SITE_URL + path if path.startswith("/") else urljoin(here, path)

        if settings.SITE_URL:
            setattr(request, "build_absolute_uri", build)  # noqa: B010 - a method
        mark = _asking.set(request)
        try:
            return get_response(request)
        finally:
            _asking.reset(mark)

    return served


def site_address() -> str:
    """Return how addresses of this site begin: SITE_URL, or as the request says; "" without any."""
    request = _asking.get()
    if settings.SITE_URL or request is None:
        return str(settings.SITE_URL)
    return f"{request.scheme}://{request.get_host()}"


def address_of(meta: Mapping[str, Any]) -> str:
    """Return the address of the client, or "unknown".

    Only as many proxies are trusted as PROXIES says.
    """
    address = str(meta.get("REMOTE_ADDR", ""))
    forwarded = [part.strip() for part in meta.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if settings.PROXIES and forwarded[-1]:
        address = forwarded[-min(settings.PROXIES, len(forwarded))]
    return address[:60].replace(" ", "") or "unknown"


def networks_of(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the networks that the address that asks is in, as limits count it, the widest last.

    Of version 6 they are a household's and what one customer may have of a provider, all of which
    may be theirs; of version 4 it is the address.
    """
    address = address_of(meta)
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return (address,)
    if ip.version == 4:
        return (str(ip),)
    if ip.ipv4_mapped is not None:
        return (str(ip.ipv4_mapped),)
    widths = (HOUSEHOLD_BITS, settings.ALLAUTH_RATE_LIMIT_IPV6_PREFIX)
    return tuple(str(ipaddress.ip_network((ip, width), strict=False)) for width in widths)


def network_of(meta: Mapping[str, Any]) -> str:
    """Return the widest network that may belong to one customer."""
    return networks_of(meta)[-1]
