"""Who answers a request: a web process here, or a heavy one, which gives way to clicks.

A request is read whole before its turn, so that a slow client keeps nobody waiting; turns are fair
between addresses (`Turns`). Views that may take long are marked (`marks.py`); others find out
when they see how large a list is (`armybuilder.loading.documents`). No more wait than is useful:
the rest are told to come back.
"""

import io
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from threading import Condition
from typing import IO, Any

from django.db import connection
from django.urls import Resolver404, ResolverMatch, resolve

from armybuilder.admission.marks import is_heavy, most_bytes
from armybuilder.admission.upstream import (
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
#: Lists that a web process remembers as heavy, for acts on them are handed over, too; and names of
#: those who had their turn.
_REMEMBERED = 1_000
#: Seconds between two looks at whether somebody who waits has left.
_LOOK_EVERY = 0.5
#: Bytes of a body beyond which it waits in a file.
IN_MEMORY = 1024 * 1024
#: Under which a request carries its `Handing`, in a web process.
HANDING = "armybuilder.handing"
#: Set where too many wait: the request is answered with a sentence, see `middleware.py`.
FULL = "armybuilder.full"


@dataclass(slots=True)
class Handing:
    """What a view finds out of a request: whether it is heavy.

    It is handed over if it `may` be asked a second time.
    """

    may: bool = True
    heavy: bool = False


def is_handed_over(environ: Environ) -> bool:
    """Note that a request turned out to be heavy; return whether a heavy process answers it.

    What the view answers is thrown away then.
    """
    handing: Handing | None = environ.get(HANDING)
    if handing is None:
        return False
    handing.heavy = True
    return handing.may


class Turns:
    """Turns of those who ask: who had theirs longest ago goes first, however many others ask.

    `at_once` have theirs at a time; `most` may wait or have theirs, `most_each` for one name.
    """

    def __init__(self, at_once: int, most: int, most_each: int) -> None:
        self.at_once = at_once
        self.most = most
        self.most_each = most_each
        self._changed = Condition()
        self._running = 0
        self._here: Counter[str] = Counter()
        self._waiting: list[str] = []
        self._last: Cache[str, float] = Cache(_REMEMBERED)

    def take(self, who: str, seconds: float, gone: Callable[[], bool]) -> bool:
        """Wait for a turn and return True; False if there are too many, or it does not come.

        That is within so many seconds, or before whoever waits is `gone`.
        """
        ends = time.monotonic() + seconds
        with self._changed:
            if self._here.total() >= self.most or self._here[who] >= self.most_each:
                return False
            self._here[who] += 1
            self._waiting.append(who)
            while self._running >= self.at_once or who != min(
                self._waiting, key=lambda name: self._last.get(name) or 0.0
            ):
                self._changed.wait(_LOOK_EVERY)
                if time.monotonic() > ends or gone():
                    self._waiting.remove(who)
                    self._leave(who)
                    return False
            self._waiting.remove(who)
            self._running += 1
            self._last.put(who, time.monotonic())
            return True

    def give_back(self, who: str) -> None:
        with self._changed:
            self._running -= 1
            self._leave(who)

    def _leave(self, who: str) -> None:
        self._here -= Counter([who])
        self._changed.notify_all()


class Dispatcher:
    """Gives each request its turn: here with an application, or in a heavy process.

    There are `number` of these behind the socket at `path`; without a path all are answered here.
    """

    def __init__(self, application: Application, path: str = "", number: int = 0) -> None:
        self.application = application
        self.path = path
        self._here = Turns(AT_ONCE.get(connection.vendor, 1), MOST_LIGHT, MOST_LIGHT_EACH)
        self._there = Turns(max(1, number), MOST_HEAVY, MOST_HEAVY_EACH)
        self._heavy_lists: Cache[object, bool] = Cache(_REMEMBERED)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Any:
        view = _view(environ)
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if length > (most_bytes(view.func) if view else 0):
            return self.application(environ, start_response)  # it says so, and reads nothing
        body = _read(environ["wsgi.input"], length)
        list_id = view.kwargs.get("list_id") if view else None
        if self.path and view and (is_heavy(view.func) or self._heavy_lists.get(list_id)):
            return self._hand_over(environ, start_response, body)
        return self._answer(environ, start_response, body, list_id)

    def _answer(
        self, environ: Environ, start_response: StartResponse, body: IO[bytes], list_id: object
    ) -> Any:
        who = network_of(environ)
        if not self._here.take(who, PATIENCE, lambda: has_left(environ)):
            return self._send_away(environ, start_response)
        handing, heads = Handing(), list[tuple[Any, ...]]()
        environ |= {"wsgi.input": body} | ({HANDING: handing} if self.path else {})
        try:
            result = self.application(environ, lambda *head: heads.append(head))
        finally:
            self._here.give_back(who)
        if handing.heavy and list_id:
            self._heavy_lists.put(list_id, True)
        if handing.heavy and handing.may:
            result.close()
            body.seek(0)
            return self._hand_over(environ, start_response, body)
        start_response(*heads[-1])
        return result

    def _hand_over(self, environ: Environ, start_response: StartResponse, body: IO[bytes]) -> Any:
        who = network_of(environ)
        if not self._there.take(who, PATIENCE, lambda: has_left(environ)):
            return self._send_away(environ, start_response)
        try:
            answer = ask(self.path, environ, body)
        except BaseException as error:
            self._there.give_back(who)
            if not isinstance(error, OSError | HTTPException):
                raise
            return self._send_away(environ, start_response)
        if answer is None:  # nobody waits for it any more
            self._there.give_back(who)
            start_response("499 Client Closed Request", [])
            return []
        answer.done = lambda: self._there.give_back(who)
        start_response(answer.status, answer.headers)
        return answer

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
