"""Every request on its way in and out: whether it is answered, its limits, its cost.

Processor time is counted by client, over all processes and hosts. A client is a signed-in user,
otherwise an address. Each may use some seconds of it a minute (`PROCESSOR_SECONDS_PER_MINUTE`): a
click takes 0.02 s, the PDF of a large army 0.3 s. A process adds its figures to the shared cache
now and then, not at each click, and reads those of the others at the same time.
"""

import logging
import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock
from time import thread_time
from typing import Any
from zlib import crc32

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.db import connections, router, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.accounts.quotas import NoRoom
from armybuilder.admission.dispatch import FULL, HANDING, Handing, is_handed_over
from armybuilder.admission.marks import MB, can_be_repeated, is_heavy, most_bytes
from armybuilder.admission.upstream import has_left
from armybuilder.incoming import networks_of
from armybuilder.loading.cache import Cache
from armybuilder.loading.deadline import Elsewhere, GivenUp, OutOfTime, allow, within
from armybuilder.loading.problems import Refusal
from armybuilder.writable import counting_bytes

#: Seconds of a window: what was spent in the one before counts less and less.
PERIOD = 60
#: Seconds of processor time that a process keeps to itself before it adds them to the cache.
SHARE_AT = 0.5
#: How many times the budget of one household a network of version 6 has that holds many.
WIDER = 4
#: How many askers a process remembers; those of long ago go first.
REMEMBERED = 10_000


@dataclass(slots=True)
class _Spent:
    """Seconds in this window and the one before, as last read, and those not yet added."""

    window: int
    now: float = 0.0
    before: float = 0.0
    pending: float = 0.0

    def move_to(self, window: int) -> None:
        """Go on to another window; also to an earlier one, where the clock was set back."""
        if window != self.window:
            self.before = self.now + self.pending if window == self.window + 1 else 0.0
            self.now, self.pending, self.window = 0.0, 0.0, window


class Budget:
    """Time used by all clients, one object in each process; `clock` gives seconds since the epoch.

    `period` is the window in seconds, `share_at` how much a process collects before it shares.
    """

    def __init__(
        self,
        cache: str = "default",
        clock: Callable[[], float] = time.time,
        period: int = PERIOD,
        share_at: float = SHARE_AT,
    ) -> None:
        self.cache = cache
        self.clock = clock
        self.period, self.share_at = period, share_at
        self._spent: Cache[str, _Spent] = Cache(REMEMBERED)
        self._lock = Lock()

    def charge(self, who: str, seconds: float) -> None:
        """Count processor time that a request of theirs took."""
        with self._lock:
            spent = self._of(who)
            spent.pending += seconds
            added = spent.pending if spent.pending >= self.share_at else 0.0
            spent.pending -= added
            spent.now += added
        if added:
            self._share(who, spent.window, added)

    def wait(self, who: str, allowed: float) -> float:
        """Return the seconds until they may ask again, 0.0 where they may now.

        `allowed` are seconds of processor time a minute, 0 for any.
        """
        if not allowed:
            return 0.0
        with self._lock:
            spent = self._of(who)
            part = self.clock() % self.period / self.period
            now = spent.now + spent.pending
        if now + spent.before * (1 - part) < allowed:
            return 0.0
        if now < allowed:  # what counts of the window before falls steadily
            return max(1.0, ((1 - part) - (allowed - now) / spent.before) * self.period)
        return max(1.0, ((1 - part) + (1 - allowed / now)) * self.period)

    def _of(self, who: str) -> _Spent:
        window = int(self.clock() // self.period)
        spent = self._spent.get(who) or _Spent(window)
        spent.move_to(window)
        return self._spent.put(who, spent)

    def _share(self, who: str, window: int, seconds: float) -> None:
        try:
            life = 3 * self.period
            now = _add(self.cache, self._key(who, window), round(seconds * 1000), life) / 1000
            before = caches[self.cache].get(self._key(who, window - 1), 0) / 1000
        except Exception as error:  # each backend raises its own, and all mean that it is not there
            logger.warning("the cache does not answer, so each process counts alone: %s", error)
            return
        with self._lock:
            spent = self._spent.get(who)
            if spent is not None and spent.window == window:
                spent.now, spent.before = max(now, spent.now), max(before, spent.before)

    def _key(self, who: str, window: int) -> str:
        return f"spent-{self.period}-{who}-{window}"


def _add(name: str, key: str, number: int, life: int) -> int:
    """Add to a number in the cache, as one step over all processes, and return the sum."""
    cache = caches[name]
    if not isinstance(cache, DatabaseCache):
        cache.add(key, 0, life)
        return int(cache.incr(key, number))
    # Django's cache in the database reads and writes in two steps; a transaction makes them one.
    database = router.db_for_write(cache.cache_model_class)
    with transaction.atomic(using=database):
        if connections[database].vendor == "postgresql":
            with connections[database].cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [crc32(key.encode())])
        total = int(cache.get(key, 0)) + number
        cache.set(key, total, life)
    return total


budget = Budget()
#: Megabytes that browsers without an account have stored today.
stored = Budget(period=86_400, share_at=1.0)


def payers_of(request: HttpRequest, user: Any = None) -> list[tuple[str, float]]:
    """Return the budgets that a request is charged to, each with its seconds a minute.

    `user`: the known user, or None.
    """
    if user is not None and user.is_authenticated:
        return [(f"user-{user.pk}", settings.PROCESSOR_SECONDS_PER_MINUTE["user"])]
    return _networks(request, settings.PROCESSOR_SECONDS_PER_MINUTE["anonymous"])


def stores_of(request: HttpRequest) -> list[tuple[str, float]]:
    """Return the networks in which a request stores something, and megabytes a day of each."""
    return _networks(request, settings.NETWORK_BYTES / 1_000_000)


def _networks(request: HttpRequest, each: float) -> list[tuple[str, float]]:
    """Return the networks of a request, of which one of several households has `WIDER` times."""
    networks = enumerate(networks_of(request.META))
    return [(f"address-{network}", each * (WIDER if place else 1)) for place, network in networks]


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
