"""Dispatch of requests: to a web process here, or to a heavy one, which gives way to clicks.

A request is read completely before its turn, so that a slow client blocks nobody; turns are fair
between addresses (`turns.py`). Heavy views are marked (`marks.py`); others find out when they see
the size of a list (`armybuilder.loading.documents`). Heavy work has two lanes: work that turns out
long in the short lane is passed on to the other, unless it has written to the database, and the
next of its kind starts there. So a small print waits for short work only. Requests that would wait
too long are refused and may try again.
"""

import io
import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from time import thread_time
from typing import IO, Any

from django.conf import settings
from django.db import connection
from django.urls import Resolver404, ResolverMatch, resolve

from armybuilder.admission.marks import MB, is_heavy, most_bytes
from armybuilder.admission.turns import Turns
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

#: Requests that a web process works on at once, by database: more would only take turns on its one
#: processor, and with SQLite wait for each other's writing.
AT_ONCE = {"sqlite": 1, "postgresql": 3}
#: Those that wait or are under way, light and heavy, and how many of them for one address.
MOST_LIGHT, MOST_LIGHT_EACH = 50, 25
MOST_HEAVY, MOST_HEAVY_EACH = 12, 8
#: Lists that a web process remembers as heavy, for acts on them are handed over, too; and what
#: requests cost.
_REMEMBERED = 1_000
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
        self._heavy_lists: Cache[object, bool] = Cache(_REMEMBERED)
        self._costs: Cache[object, float] = Cache(_REMEMBERED)

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
