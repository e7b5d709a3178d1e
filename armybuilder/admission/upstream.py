"""The heavy processes, as the others ask them: over a socket that only this server reaches."""

import selectors
import socket
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from time import process_time
from typing import Any

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Any]

#: Seconds that a client waits for an answer to begin, before it is asked to try again.
PATIENCE = 60.0
#: Bytes that are handed on at once.
_PIECE = 64 * 1024
#: Headers of an answer: seconds of the processor that it took; that the next lane is to be asked.
_COST, PASSED_ON = "X-Handed-Seconds", "X-Handed-On"
#: Headers that are between two ends of a connection alone.
_HOP = {"connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer"}
_HOP |= {_COST.lower(), PASSED_ON.lower()}
#: A web process's facts about a request, sent to the heavy one.
_HANDED = {
    "HTTP_X_HANDED_ADDRESS": "REMOTE_ADDR",
    "HTTP_X_HANDED_SCHEME": "wsgi.url_scheme",
    "HTTP_X_HANDED_NAME": "SERVER_NAME",
    "HTTP_X_HANDED_PORT": "SERVER_PORT",
}


class _SocketConnection(HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=PATIENCE)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def ask(path: str, environ: Environ) -> "HeavyAnswer | None":
    """Send a request to the heavy process behind the socket at `path`, and wait for its answer.

    None if the client leaves first. Raises OSError or HTTPException if there is no answer.
    """
    connection = _SocketConnection(path)
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
        while piece := environ["wsgi.input"].read(_PIECE):
            connection.send(piece)
        if not _answers(connection.sock, environ.get("gunicorn.socket")):
            connection.close()
            return None
        return HeavyAnswer(connection, connection.getresponse())
    except BaseException:
        connection.close()
        raise


def _headers(environ: Environ) -> Iterator[tuple[str, str]]:
    for name, value in environ.items():
        if name.startswith("HTTP_") and name not in _HANDED:
            header = name[5:].replace("_", "-").title()
            if header.lower() not in _HOP:
                yield header, value
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(name):
            yield name.replace("_", "-").title(), environ[name]
    for header, name in _HANDED.items():
        yield header[5:].replace("_", "-").title(), str(environ[name])
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
            if client is None or is_closed(client):
                return False
            selector.unregister(client)  # it has sent its next request already, and waits


class HeavyAnswer:
    """Answer of a heavy process: head, and body in pieces.

    `done` is called once, on closing.
    """

    def __init__(self, connection: _SocketConnection, response: HTTPResponse) -> None:
        self.connection = connection
        self.response = response
        self.done: Callable[[], None] = lambda: None

    @property
    def status(self) -> str:
        return f"{self.response.status} {self.response.reason}"

    @property
    def cost(self) -> float | None:
        """Seconds of the processor until the answer began."""
        cost = self.response.getheader(_COST)
        return float(cost) if cost else None

    @property
    def is_passed_on(self) -> bool:
        return self.response.getheader(PASSED_ON) is not None

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Every header, some of them several times."""
        headers = self.response.getheaders()
        return [(name, value) for name, value in headers if name.lower() not in _HOP]

    def __iter__(self) -> Iterator[bytes]:
        while piece := self.response.read(_PIECE):
            yield piece

    def close(self) -> None:
        self.connection.close()
        done, self.done = self.done, lambda: None
        done()


def taking_over(application: Application) -> Application:
    """Return an application for the heavy processes: requests are as the web process got them."""

    def taking(environ: Environ, start_response: StartResponse) -> Any:
        for header, name in _HANDED.items():
            environ[name] = environ.pop(header, environ.get(name, ""))
        begun = process_time()

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            cost = (_COST, f"{process_time() - begun:.3f}")
            return start_response(status, [*headers, cost], *more)

        return application(environ, start)

    return taking


def has_left(environ: Environ) -> bool:
    """Return whether the client has closed its connection; False if unknown."""
    connection = environ.get("gunicorn.socket")
    return connection is not None and is_closed(connection)


def is_closed(connection: socket.socket) -> bool:
    """Return whether the other end has closed a connection; nothing is read from it."""
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except (OSError, ValueError):
        return True
