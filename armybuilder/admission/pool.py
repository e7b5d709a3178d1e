"""Heavy requests are answered by processes of their own, of low priority: clicks go first.

`armybuilder/serving.py` starts them beside the processes for the web; they listen on a socket that
only this server's own user reaches. A web process hands a heavy request on as it came, waits for
the answer with a thread, and gives up where its client does. No more wait than is useful: the rest
are told to come back.
"""

import selectors
import socket
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Lock
from typing import Any

from django.urls import Resolver404, ResolverMatch, resolve

from armybuilder.admission.budget import network_of
from armybuilder.admission.marks import MOST_BYTES, is_heavy
from armybuilder.admission.turns import Turns

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Any]

#: Heavy requests that wait in a web process or are under way, and how many of them for one address:
#: a browser asks for so many things at once.
MOST = 12
MOST_EACH = 8
#: Lists that a web process remembers as heavy: acts on them are handed over, too.
REMEMBERED = 1_000
#: Seconds that a client waits for an answer to begin: then it is told to come back.
PATIENCE = 60.0
#: Bytes that are handed on at once.
_PIECE = 64 * 1024
#: Headers that are between two ends of a connection alone.
_HOP = {"connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer"}
#: What the web process knows of a request, told to the heavy one.
_TOLD = {
    "HTTP_X_HANDED_ADDRESS": "REMOTE_ADDR",
    "HTTP_X_HANDED_SCHEME": "wsgi.url_scheme",
    "HTTP_X_HANDED_NAME": "SERVER_NAME",
    "HTTP_X_HANDED_PORT": "SERVER_PORT",
}
#: Under which a request carries its `Handing`, in a web process.
HANDING = "armybuilder.handing"
#: Set where the pool is full: the request is answered with a sentence, see `middleware.py`.
FULL = "armybuilder.full"


class _Connection(HTTPConnection):
    """HTTP over a socket of this machine's file system."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=PATIENCE)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


@dataclass(slots=True)
class Handing:
    """What a view finds out of a request: whether it is heavy. It is handed over if it `may` be
    asked a second time.
    """

    may: bool = True
    heavy: bool = False


class Pool:
    """The heavy processes as a web process sees them, `number` of them behind the socket at
    `path`.
    """

    def __init__(self, path: str, number: int = 1) -> None:
        self.path = path
        self._turns = Turns(number, MOST, MOST_EACH)
        self._heavy_lists: OrderedDict[object, None] = OrderedDict()
        self._lock = Lock()

    def handing_over(self, application: Application) -> Application:
        """Return an application that hands heavy requests over, and gives the rest to this one."""

        def handing(environ: Environ, start_response: StartResponse) -> Any:
            view = _view(environ)
            list_id = view.kwargs.get("list_id") if view else None
            if view and (is_heavy(view.func) or list_id in self._heavy_lists):
                return self._hand_over(environ, start_response, application)
            if int(environ.get("CONTENT_LENGTH") or 0) > MOST_BYTES:
                return application(environ, start_response)
            body, found, answer = _Remembered(environ["wsgi.input"]), Handing(), _Answer()
            environ |= {"wsgi.input": body, HANDING: found}
            result = application(environ, answer.start)
            if found.heavy and list_id:
                self._remember(list_id)
            if not (found.heavy and found.may):
                answer.pass_on(start_response)
                return result
            result.close()
            environ["wsgi.input"] = body.again()
            del environ[HANDING]
            return self._hand_over(environ, start_response, application)

        return handing

    def _remember(self, list_id: object) -> None:
        with self._lock:
            self._heavy_lists[list_id] = None
            while len(self._heavy_lists) > REMEMBERED:
                self._heavy_lists.popitem(last=False)

    def _hand_over(
        self, environ: Environ, start_response: StartResponse, application: Application
    ) -> Any:
        who = network_of(environ)
        if not self._turns.take(who, PATIENCE, lambda: has_left(environ)):
            return application(environ | {FULL: True}, start_response)
        try:
            connection, response = _ask(self.path, environ)
        except (OSError, HTTPException):
            self._turns.give_back(who)
            return application(environ | {FULL: True}, start_response)
        except BaseException:
            self._turns.give_back(who)
            raise
        if response is None:  # nobody waits for it any more
            self._turns.give_back(who)
            start_response("499 Client Closed Request", [])
            return []
        headers = [
            (name, value) for name, value in response.getheaders() if name.lower() not in _HOP
        ]
        start_response(f"{response.status} {response.reason}", headers)
        return _Body(connection, response, lambda: self._turns.give_back(who))


def taking_over(application: Application) -> Application:
    """Return an application for the heavy processes: requests are as the web process got them."""

    def taking(environ: Environ, start_response: StartResponse) -> Any:
        for told, name in _TOLD.items():
            environ[name] = environ.pop(told, environ.get(name, ""))
        return application(environ, start_response)

    return taking


def is_handed_over(environ: Environ) -> bool:
    """Tell that a request turned out to be heavy, and return whether a heavy process answers it;
    what the view answers is thrown away then.
    """
    found: Handing | None = environ.get(HANDING)
    if found is None:
        return False
    found.heavy = True
    return found.may


def has_left(environ: Environ) -> bool:
    """Whether the client has closed its connection. Where that cannot be told, it has not."""
    connection = environ.get("gunicorn.socket")
    return connection is not None and _is_closed(connection)


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except (OSError, ValueError):
        return True


def _view(environ: Environ) -> ResolverMatch | None:
    path = environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace")
    try:
        return resolve(path)
    except Resolver404:
        return None


def _ask(path: str, environ: Environ) -> tuple[_Connection, HTTPResponse | None]:
    """Send the request to a heavy process and wait for its answer; None where the client left."""
    connection = _Connection(path)
    try:
        connection.putrequest(
            environ["REQUEST_METHOD"],
            environ["RAW_URI"],
            skip_host=True,
            skip_accept_encoding=True,
        )
        for name, value in _headers(environ):
            connection.putheader(name, value)
        connection.endheaders()
        left = int(environ.get("CONTENT_LENGTH") or 0)
        while left and (piece := environ["wsgi.input"].read(min(_PIECE, left))):
            connection.send(piece)
            left -= len(piece)
        if not _answers(connection.sock, environ.get("gunicorn.socket")):
            connection.close()
            return connection, None
        return connection, connection.getresponse()
    except BaseException:
        connection.close()
        raise


def _headers(environ: Environ) -> Iterator[tuple[str, str]]:
    for name, value in environ.items():
        if name.startswith("HTTP_") and name not in _TOLD:
            header = name[5:].replace("_", "-").title()
            if header.lower() not in _HOP:
                yield header, value
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(name):
            yield name.replace("_", "-").title(), environ[name]
    for told, name in _TOLD.items():
        yield told[5:].replace("_", "-").title(), str(environ[name])
    yield "Connection", "close"


def _answers(upstream: socket.socket, client: socket.socket | None) -> bool:
    """Wait until the heavy process answers; False where the client leaves before.

    Raises TimeoutError where neither happens in time.
    """
    with selectors.DefaultSelector() as selector:
        selector.register(upstream, selectors.EVENT_READ)
        if client is not None:
            selector.register(client, selectors.EVENT_READ)
        while True:
            ready = {key.fileobj for key, _ in selector.select(PATIENCE)}
            if upstream in ready:
                return True
            if not ready:
                raise TimeoutError
            if client is None or _is_closed(client):
                return False
            selector.unregister(client)  # it has sent its next request already, and waits


class _Body:
    """The answer's body, piece by piece; closing it gives the place in the pool to the next."""

    def __init__(
        self, connection: _Connection, response: HTTPResponse, done: Callable[[], None]
    ) -> None:
        self.connection = connection
        self.response = response
        self.done = done

    def __iter__(self) -> Iterator[bytes]:
        while piece := self.response.read(_PIECE):
            yield piece

    def close(self) -> None:
        self.connection.close()
        done, self.done = self.done, lambda: None
        done()


class _Remembered:
    """A request's body that can be read again."""

    def __init__(self, body: Any) -> None:
        self.body = body
        self.read_so_far = bytearray()

    def read(self, size: int = -1) -> bytes:
        return self._remember(self.body.read(size))

    def readline(self, size: int = -1) -> bytes:
        return self._remember(self.body.readline(size))

    def _remember(self, piece: bytes) -> bytes:
        self.read_so_far += piece
        return piece

    def again(self) -> "_Again":
        return _Again(bytes(self.read_so_far), self.body)


class _Again:
    """What was read already, and then the rest."""

    def __init__(self, start: bytes, body: Any) -> None:
        self.start = start
        self.body = body

    def read(self, size: int) -> bytes:
        if self.start:
            piece, self.start = self.start[:size], self.start[size:]
            return piece
        return bytes(self.body.read(size))


class _Answer:
    """Keeps an answer's head until it is known whether it counts."""

    def __init__(self) -> None:
        self.head: tuple[Any, ...] = ()

    def start(self, *head: Any) -> None:
        self.head = head

    def pass_on(self, start_response: StartResponse) -> None:
        start_response(*self.head)
