"""Every request on its way in and out: whether it is answered, its limits, its cost."""

import logging
import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from time import thread_time
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.accounts.quotas import NoRoom
from armybuilder.admission.budget import budget, payers_of, stored, stores_of
from armybuilder.admission.dispatch import FULL, HANDING, Handing, is_handed_over
from armybuilder.admission.marks import MB, can_be_repeated, is_heavy, most_bytes
from armybuilder.admission.upstream import has_left
from armybuilder.loading.cache import Cache
from armybuilder.loading.deadline import Elsewhere, GivenUp, OutOfTime, allow, within
from armybuilder.loading.problems import Refusal
from armybuilder.writable import counting_bytes

logger = logging.getLogger(__name__)

#: Seconds after which to try again where too many wait, or the work was too much.
COME_BACK = 5
#: What is sent counts beside the time it takes: a megabyte as a quarter of a second, so that nobody
#: fills the disk from one address, as ever new visitors.
SECONDS_A_BYTE = 0.25 / MB
#: How many of the requests that found the server busy are remembered.
_REMEMBERED = 200
#: Status of an answer that nobody waits for.
GAVE_UP = 499


class NotNow(Refusal):
    """A request that is not answered now, with the status of the answer that says so."""

    def __init__(self, status: int, sentence: str, seconds: float = COME_BACK) -> None:
        super().__init__(sentence)
        self.status = status
        self.seconds = math.ceil(seconds)


class AdmissionMiddleware:
    """Outermost middleware, which admits requests, so that it measures all others, too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        #: The pages for requests that found the server busy, and when they were drawn.
        self._pages: Cache[object, tuple[float, HttpResponse]] = Cache(_REMEMBERED)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._tell_busy(request) if request.META.get(FULL) else self._let_in(request)

    def _tell_busy(self, request: HttpRequest) -> HttpResponseBase:
        """Return the page that says so: drawn once for those who ask the same again at once."""
        asked = sorted(pair for pair in request.META.items() if pair[0].startswith("HTTP_"))
        key, now = (request.path, *asked), time.monotonic()
        at, page = self._pages.get(key) or (-math.inf, None)
        if page is None or now - at > COME_BACK:
            response = self._let_in(request)
            new = {name: cookie.value for name, cookie in response.cookies.items()}
            if not isinstance(response, HttpResponse) or not new.items() <= request.COOKIES.items():
                return response  # with a cookie that is for one browser alone
            _at, page = self._pages.put(key, (now, response))
        return HttpResponse(page.content, status=page.status_code, headers=dict(page.headers))

    def _let_in(self, request: HttpRequest) -> HttpResponseBase:
        started = thread_time()
        seconds, meta = settings.REQUEST_SECONDS["light"], request.META
        with (
            within(seconds, partial(has_left, meta), partial(is_handed_over, meta)),
            counting_bytes(partial(_store, request)),
        ):
            response = self.get_response(request)
        sent = int(request.META.get("CONTENT_LENGTH") or 0) * SECONDS_A_BYTE
        self._charge(request, thread_time() - started + sent)
        if isinstance(response, StreamingHttpResponse):
            response.streaming_content = self._counted(request, response.streaming_content)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Refuse requests that get no work, before anything reads their bodies."""
        if has_left(request.META):
            return HttpResponse(status=GAVE_UP)
        if not can_be_repeated(view, request.method):
            request.META.get(HANDING, Handing()).may = False
        if is_heavy(view):
            allow(settings.REQUEST_SECONDS["heavy"])
        try:
            _admit(request, view)
        except NotNow as refusal:
            return not_now(request, refusal)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer for work that was ended before its time."""
        if isinstance(error, GivenUp | Elsewhere):
            return HttpResponse(status=GAVE_UP)
        if isinstance(error, OutOfTime):
            logger.warning("out of time: %s %s", request.method, request.path)
            error = NotNow(503, str(error))
        return not_now(request, error) if isinstance(error, NotNow) else None

    def _charge(self, request: HttpRequest, seconds: float) -> None:
        for who, allowed in payers_of(request, _known_user(request)):
            if allowed:
                budget.charge(who, seconds)

    def _counted(self, request: HttpRequest, content: Any) -> Iterator[bytes]:
        started = thread_time()
        try:
            yield from content
        finally:
            with suppress(AttributeError):
                content.close()
            self._charge(request, thread_time() - started)


def _known_user(request: HttpRequest) -> Any:
    """Return the user if a view or the API has already looked it up; None otherwise."""
    user = getattr(request, "_cached_user", None) or getattr(request, "user", None)
    return None if isinstance(user, SimpleLazyObject) else user


def _store(request: HttpRequest, number: int) -> None:
    """Count bytes that a request stores. Raises NoRoom where its network has stored enough."""
    user = _known_user(request)
    if "user_name" in request.session or (user is not None and user.is_authenticated):
        return
    networks = stores_of(request)
    if any(stored.wait(*network) for network in networks):
        sentence = _(
            "Your connection has reached its daily limit without an account. Sign in, or "
            "try again tomorrow."
        )
        raise NoRoom(sentence)
    for network, allowed in networks:
        if allowed:
            stored.charge(network, number / 1_000_000)


def _admit(request: HttpRequest, view: Callable[..., Any]) -> None:
    if request.META.get(FULL):
        raise NotNow(503, _("The server is busy. Try again in a moment."))
    most = most_bytes(view)
    if int(request.META.get("CONTENT_LENGTH") or 0) > most:
        megabytes = most // 1024**2
        sentence = ngettext(
            "Too large: over {number} MB.",
            "Too large: over {number} MB.",
            megabytes,
        )
        raise NotNow(413, sentence.format(number=megabytes), 0)
    if not request.path_info.startswith("/api/"):  # it knows its callers only later, by tokens
        check_budget(request, lambda: getattr(request, "user", None))


def check_budget(request: HttpRequest, user: Callable[[], Any]) -> None:
    """Raise NotNow if the client has used up its budget.

    `user` is called only if the address has none left: then the user's own budget is charged.
    """
    waits = max(budget.wait(*payer) for payer in payers_of(request))
    if waits:
        who = user()
        if who is not None and who.is_authenticated:
            waits = max(budget.wait(*payer) for payer in payers_of(request, who))
    if waits:
        seconds = math.ceil(waits)
        sentence = ngettext(
            "Too many requests from your connection. Try again in {number} second.",
            "Too many requests from your connection. Try again in {number} seconds.",
            seconds,
        )
        raise NotNow(429, sentence.format(number=seconds), seconds)


def not_now(request: HttpRequest, refusal: NotNow) -> HttpResponse:
    """Return the page that says why a request is not answered, and when to try again."""
    response = render(request, "refusal.html", {"refusal": refusal}, status=refusal.status)
    if refusal.seconds:
        response.headers["Retry-After"] = str(refusal.seconds)
    return response
