"""Dispatch of requests: to a web process here, or to a heavy one, which gives way to clicks.

A request is read completely before its turn, so that a slow client blocks nobody; turns are fair
between addresses (`Turns`). Heavy views are marked (`marks.py`); others find out when they see
the size of a list (`armybuilder.loading.documents`). Heavy work has two lanes: work that turns out
long in the short lane is passed on to the other, unless it has written to the database, and the
next of its kind starts there. So a small print waits for short work only. Requests that would wait
too long are refused and may try again.
"""

import io
import math
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from threading import Condition
from time import thread_time
from typing import IO, Any

from django.conf import settings
from django.db import connection
from django.urls import Resolver404, ResolverMatch, resolve

from armybuilder.admission.marks import MB, is_heavy, most_bytes
from armybuilder.admission.upstream import (
    PASSED_ON,
    PATIENCE,
    Application,
    Environ,
    StartResponse,
    ask,
    has_left,
)
from armybuilder.incoming import network_of
from armybuilder.loading.cache import Cache

#: Seconds between two looks at whether somebody who waits has left.
_LOOK_EVERY = 0.5
#: Names whose work is remembered.
_MOST_NAMES = 1_000
#: A name may use one part in so many of a processor; what it uses beyond is owed, up to so many
#: seconds.
_PART, _OWED = 8, 30.0


@dataclass(slots=True, eq=False)
class Ticket:
    """A turn that was `asked` for at a time and is expected to cost some seconds."""

    who: str
    cost: float
    asked: float


class Turns:
    """A queue that gives `at_once` turns at a time, and to one name at most all but one of them.

    A turn is due when it is asked for, later by its cost, and not before its name has paid off its
    earlier turns. So heavy users wait for light ones, and long work for short, but never for ever.
    At most `most` wait or have a turn, `most_each` of one name; if the queue is full, the name with
    most turns loses its last.
    """

    def __init__(
        self,
        at_once: int,
        most: int,
        most_each: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clock = clock
        self.at_once = at_once
        self.most = most
        self.most_each = most_each
        self._changed = Condition()
        self._waiting: list[Ticket] = []
        self._running: list[Ticket] = []
        #: When each name owes nothing more.
        self._free: Cache[str, float] = Cache(_MOST_NAMES)

    def take(
        self, who: str, seconds: float, gone: Callable[[], bool], cost: float
    ) -> Ticket | None:
        """Wait for a turn and return it; None if there are too many, or none comes in time.

        It waits at most this many seconds, and stops when the client is `gone`. `cost` is the
        expected work in seconds.
        """
        ends = time.monotonic() + seconds
        with self._changed:
            if not self._makes_room(who):
                return None
            turn = Ticket(who, cost, self.clock())
            self._waiting.append(turn)
            while turn is not self._next():
                self._changed.wait(_LOOK_EVERY)
                if turn not in self._waiting:
                    return None
                if time.monotonic() > ends or gone():
                    self._leave(turn)
                    return None
            self._waiting.remove(turn)
            self._running.append(turn)
            self._charge(who, cost)
            self._changed.notify_all()
            return turn

    def give_back(self, turn: Ticket, cost: float | None = None) -> None:
        """End a turn that took `cost` seconds of work, or the expected time."""
        with self._changed:
            self._running.remove(turn)
            if cost is not None:
                self._charge(turn.who, cost - turn.cost)
            self._changed.notify_all()

    def _next(self) -> Ticket | None:
        if len(self._running) >= self.at_once:
            return None
        running = Counter(turn.who for turn in self._running)
        most = max(1, self.at_once - 1)
        may = [turn for turn in self._waiting if running[turn.who] < most]
        return min(may, key=self._due, default=None)

    def _due(self, turn: Ticket) -> float:
        return max(turn.asked, self._free.get(turn.who) or 0.0) + turn.cost

    def _makes_room(self, who: str) -> bool:
        here = Counter(turn.who for turn in (*self._waiting, *self._running))
        if here[who] >= self.most_each:
            return False
        if here.total() < self.most:
            return True
        last = max(self._waiting, key=lambda turn: (here[turn.who], self._due(turn)), default=None)
        if last is None or here[last.who] <= here[who] + 1:
            return False
        self._leave(last)
        return True

    def _leave(self, turn: Ticket) -> None:
        self._waiting.remove(turn)
        self._changed.notify_all()

    def _charge(self, who: str, seconds: float) -> None:
        now = self.clock()
        free = max(now, self._free.get(who) or 0.0) + _PART * seconds
        self._free.put(who, min(free, now + _OWED))


#: Requests that a web process works on at once, by database: more would only take turns on its one
#: processor, and with SQLite wait for each other's writing.
AT_ONCE = {"sqlite": 1, "postgresql": 3}
#: Those that wait or are under way, light and heavy, and how many of them for one address.
MOST_LIGHT, MOST_LIGHT_EACH = 50, 25
MOST_HEAVY, MOST_HEAVY_EACH = 12, 8
#: Lists that a web process remembers as heavy, for acts on them are handed over, too; and what
#: requests cost.
_MOST_LISTS = 1_000
#: Seconds of the processor that light and heavy work is taken for until it has been done, and for
#: each megabyte that is sent.
_LIGHT, _HEAVY, _A_MEGABYTE = 0.01, 0.1, 8.0
#: Bytes of a body beyond which it waits in a file.
IN_MEMORY = 1024 * 1024
#: Under which a request carries its `Handing`, in a web process.
HANDING = "armybuilder.handing"
#: Set where too many wait: the request is answered with a sentence, see `middleware.py`.
FULL = "armybuilder.full"


@dataclass(slots=True)
class Handing:
    """A view's findings about a request: whether it is heavy.

    It is heavy if the view expects more than `ahead` seconds, or after `after` seconds. It
    `goes_on` elsewhere if it `may` be repeated, or is `unwritten`: it has written nothing yet.
    """

    may: bool = True
    unwritten: bool = False
    heavy: bool = False
    goes_on: bool = False
    ahead: float = 0.0
    after: float = math.inf


def is_handed_over(environ: Environ, spent: float, ahead: float) -> bool:
    """Return whether the request moves elsewhere, having taken or expecting this many seconds.

    The view's own answer is then discarded.
    """
    handing: Handing | None = environ.get(HANDING)
    if handing is None or (spent <= handing.after and ahead <= handing.ahead):
        return False
    handing.heavy = True
    handing.goes_on = handing.may or handing.unwritten
    return handing.goes_on


def passing_on(application: Application) -> Application:
    """Return an application for the lane of short work: it leaves long work to the next lane."""

    def passing(environ: Environ, start_response: StartResponse) -> Any:
        most = settings.REQUEST_SECONDS["short"]
        handing = Handing(unwritten=True, ahead=most, after=most)

        def note_writing(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
            handing.unwritten &= not sql.startswith(("INSERT", "UPDATE", "DELETE"))
            return execute(sql, *arguments)

        heads = list[tuple[Any, ...]]()
        environ = {**environ, HANDING: handing}
        with connection.execute_wrapper(note_writing):
            result = application(environ, lambda *head: heads.append(head))
        if handing.goes_on:
            result.close()
            heads.append(("503 Passed On", [(PASSED_ON, "1")]))
            result = []
        start_response(*heads[-1])
        return result

    return passing


class Dispatcher:
    """Gives each request its turn: here with an application, or in a heavy process.

    `lanes` are the sockets of heavy processes and how many there are, those for short work first;
    without any, all are answered here.
    """

    def __init__(self, application: Application, lanes: Sequence[tuple[str, int]] = ()) -> None:
        self.application = application
        self._here = Turns(AT_ONCE.get(connection.vendor, 1), MOST_LIGHT, MOST_LIGHT_EACH)
        self._lanes = [(path, Turns(number, MOST_HEAVY, MOST_HEAVY_EACH)) for path, number in lanes]
        self._heavy_lists: Cache[object, bool] = Cache(_MOST_LISTS)
        self._costs: Cache[object, float] = Cache(_MOST_LISTS)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Any:
        view = _view(environ)
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if length > (most_bytes(view.func) if view else 0):
            return self.application(environ, start_response)  # it says so, and reads nothing
        environ |= {"wsgi.input": _read(environ["wsgi.input"], length)}
        list_id = view.kwargs.get("list_id") if view else None
        if self._lanes and view and (is_heavy(view.func) or self._heavy_lists.get(list_id)):
            return self._hand_over(environ, start_response, view)
        return self._answer(environ, start_response, view)

    def _answer(
        self, environ: Environ, start_response: StartResponse, view: ResolverMatch | None
    ) -> Any:
        turn = self._here.take(network_of(environ), PATIENCE, lambda: has_left(environ), _LIGHT)
        if turn is None:
            return self._send_away(environ, start_response)
        handing, heads = Handing(), list[tuple[Any, ...]]()
        environ |= {HANDING: handing} if self._lanes else {}
        begun = thread_time()
        try:
            result = self.application(environ, lambda *head: heads.append(head))
        finally:
            self._here.give_back(turn, thread_time() - begun)
        list_id = view.kwargs.get("list_id") if view else None
        if handing.heavy and list_id:
            self._heavy_lists.put(list_id, True)
        if handing.goes_on:
            result.close()
            return self._hand_over(environ, start_response, view)
        start_response(*heads[-1])
        return result

    def _hand_over(
        self, environ: Environ, start_response: StartResponse, view: ResolverMatch | None
    ) -> Any:
        who, short = network_of(environ), settings.REQUEST_SECONDS["short"]
        kind = (view and view.view_name, view and view.kwargs.get("list_id"), who)
        guess = _HEAVY + int(environ.get("CONTENT_LENGTH") or 0) / MB * _A_MEGABYTE
        cost = self._costs.get(kind) or guess
        for path, turns in self._lanes[0 if cost <= short else -1 :]:
            turn = turns.take(who, PATIENCE, lambda: has_left(environ), cost)
            if turn is None:
                break
            try:
                environ["wsgi.input"].seek(0)
                answer = ask(path, environ)
            except BaseException as error:
                turns.give_back(turn)
                if not isinstance(error, OSError | HTTPException):
                    raise
                break
            if answer is None:  # nobody waits for it any more
                turns.give_back(turn)
                start_response("499 Client Closed Request", [])
                return []
            answer.done = partial(turns.give_back, turn, answer.cost)
            if answer.cost is not None:
                cost = self._costs.put(kind, answer.cost + (short if answer.is_passed_on else 0))
            if not answer.is_passed_on:
                start_response(answer.status, answer.headers)
                return answer
            answer.close()
        return self._send_away(environ, start_response)

    def _send_away(self, environ: Environ, start_response: StartResponse) -> Any:
        return self.application({**environ, FULL: True}, start_response)


def _view(environ: Environ) -> ResolverMatch | None:
    path = environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace")
    try:
        return resolve(path)
    except Resolver404:
        return None


def _read(body: Any, length: int) -> IO[bytes]:
    if length <= IN_MEMORY:
        return io.BytesIO(body.read(length) if length else b"")
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # gone with the request
    while length and (piece := body.read(min(IN_MEMORY, length))):
        file.write(piece)
        length -= len(piece)
    file.seek(0)
    return file
