"""Heavy requests go to processes of their own, as they came; no more wait than is useful."""

import io
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from armybuilder.admission import dispatch
from armybuilder.admission.dispatch import (
    FULL,
    HANDING,
    Dispatcher,
    Handing,
    is_handed_over,
    passing_on,
)
from armybuilder.admission.marks import MB, MOST_BYTES
from armybuilder.admission.upstream import PASSED_ON, taking_over
from tests.serving import wait_until

LIGHT, HEAVY = "/", f"/lists/{uuid4()}/print.pdf"
ANSWER = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 4\r\n\r\ndone"


class Upstream:
    """A heavy process: what it was asked, and when it answers."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(self.path)
        self.listening.listen()
        self.answer = ANSWER
        self.asked: list[bytes] = []
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.left = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            self._read_and_answer(connection)

    def _read_and_answer(self, connection: socket.socket) -> None:
        asked = connection.recv(65_536)
        while asked.startswith(b"POST") and not asked.endswith((b"\r\n\r\nbody", b"xx")):
            asked += connection.recv(65_536)
        self.asked.append(asked)
        while not self.may_answer.wait(0.01):
            connection.setblocking(False)
            try:
                if connection.recv(1, socket.MSG_PEEK) == b"":
                    self.left.set()
                    return
            except BlockingIOError:
                pass
        connection.setblocking(True)
        connection.sendall(self.answer)


@pytest.fixture
def upstream(tmp_path: Path) -> Iterator[Upstream]:
    made = Upstream(tmp_path / "s")
    yield made
    made.listening.close()


class Answer:
    """What a client gets."""

    status = ""
    headers: list[tuple[str, str]] = []

    def start(self, status: str, headers: list[tuple[str, str]]) -> None:
        self.status, self.headers = status, headers


def environ(path: str, body: bytes = b"", **more: Any) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "POST" if body else "GET",
        "PATH_INFO": path,
        "RAW_URI": path + "?q=1",
        "REMOTE_ADDR": "203.0.113.9",
        "SERVER_NAME": "here",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "https",
        "wsgi.input": io.BytesIO(body),
        "CONTENT_LENGTH": str(len(body)) if body else "",
        "CONTENT_TYPE": "text/plain",
        "HTTP_HOST": "here:80",
        "HTTP_COOKIE": "session=1",
        **more,
    }


class Unreadable:
    """What a client sends that nobody asks for."""

    def read(self, *_given: Any) -> bytes:
        raise AssertionError("read")


class Body(list[bytes]):
    """The body of an answer, which is closed."""

    def close(self) -> None:
        self.clear()


def local(asked: dict[str, Any], start: Any) -> Body:
    """What a web process answers itself; a path with `heavy` in it turns out to be heavy."""
    if FULL in asked:
        start("503 Busy", [])
        return Body([b"busy"])
    if "heavy" in asked["QUERY"]:
        is_handed_over(asked, 0.0, 0.3)
    read = asked["wsgi.input"].read()
    start("200 OK", [])
    return Body([b"here", read])


def ask(handing: Any, asked: dict[str, Any]) -> tuple[Answer, bytes]:
    answer = Answer()
    result = handing({"QUERY": "", **asked}, answer.start)
    content = b"".join(result)
    result.close()
    return answer, content


@pytest.mark.parametrize(
    ("path", "size"), [(LIGHT, MOST_BYTES + 1), ("/nowhere/", 1), ("/static/app.css", 1)]
)
def test_bodies_too_large_or_unwanted_are_not_read(path: str, size: int) -> None:
    asked = environ(path, CONTENT_LENGTH=str(size))

    def application(given: dict[str, Any], start: Any) -> Body:
        assert given["wsgi.input"] is asked["wsgi.input"]
        start("404 Not Found", [])
        return Body()

    asked["wsgi.input"] = Unreadable()
    assert ask(Dispatcher(application), asked)[0].status == "404 Not Found"


def test_light_requests_are_answered_here_and_heavy_ones_handed_over(upstream: Upstream) -> None:
    # A light request is answered here.
    answer, content = ask(Dispatcher(local, [(upstream.path, 1)]), environ(LIGHT, b"body"))
    assert (answer.status, content) == ("200 OK", b"herebody")
    assert upstream.asked == []
    # A heavy one is handed over as it came.
    answer, content = ask(Dispatcher(local, [(upstream.path, 1)]), environ(HEAVY, b"body"))
    assert (answer.status, content) == ("200 OK", b"done")
    assert [value for name, value in answer.headers if name == "Set-Cookie"] == ["a=1", "b=2"]
    head, _, body = upstream.asked[0].partition(b"\r\n\r\n")
    assert head.startswith(f"POST {HEAVY}?q=1 HTTP/1.1\r\n".encode())
    assert {b"Host: here:80", b"Cookie: session=1", b"Content-Length: 4"} <= {*head.split(b"\r\n")}
    assert body == b"body"


def test_the_heavy_process_sees_who_really_asks() -> None:
    seen: dict[str, Any] = {}

    def application(asked: dict[str, Any], _start: Any) -> list[bytes]:
        seen.update(asked)
        return []

    told = {
        "HTTP_X_HANDED_ADDRESS": "203.0.113.9", "HTTP_X_HANDED_SCHEME": "https",
        "HTTP_X_HANDED_NAME": "here", "HTTP_X_HANDED_PORT": "443",
    }  # fmt: skip
    taking_over(application)({**told, "REMOTE_ADDR": ""}, None)
    assert seen["REMOTE_ADDR"] == "203.0.113.9"
    assert seen["wsgi.url_scheme"] == "https"
    assert not [name for name in seen if "HANDED" in name]


def test_no_client_can_fake_its_address_to_the_heavy_process(upstream: Upstream) -> None:
    forged = environ(HEAVY, HTTP_X_HANDED_ADDRESS="198.51.100.7")
    ask(Dispatcher(local, [(upstream.path, 1)]), forged)
    assert b"198.51.100.7" not in upstream.asked[0]
    assert b"X-Handed-Address: 203.0.113.9" in upstream.asked[0]


def test_a_request_that_turns_out_heavy_is_handed_over(upstream: Upstream) -> None:
    # What turns out to be heavy is handed over with its body.
    asked = environ(LIGHT, b"body", QUERY="heavy")
    _answer, content = ask(Dispatcher(local, [(upstream.path, 1)]), asked)
    assert content == b"done"
    assert upstream.asked[0].endswith(b"\r\n\r\nbody")

    # What may not be asked twice is answered here.
    def changes(asked: dict[str, Any], start: Any) -> Body:
        asked[HANDING].may = False
        return local(asked, start)

    handing = Dispatcher(changes, [(upstream.path, 1)])
    page = f"/lists/{uuid4()}/"
    assert ask(handing, environ(f"{page}act/", b"body", QUERY="heavy"))[1] == b"herebody"
    # From then on the list is known to be heavy, and so is every act on it.
    assert ask(handing, environ(f"{page}act/", b"body"))[1] == b"done"
    assert ask(handing, environ(f"/lists/{uuid4()}/act/", b"body"))[1] == b"herebody"


def test_without_heavy_processes_every_request_is_answered_here() -> None:
    assert is_handed_over({}, 9.0, 9.0) is False
    assert is_handed_over({HANDING: Handing(may=False)}, 0.0, 9.0) is False
    assert is_handed_over({HANDING: Handing()}, 9.0, 0.0) is False, "unless it says so before"


def test_one_address_does_not_take_all_heavy_processes(upstream: Upstream) -> None:
    upstream.may_answer.clear()
    handing = Dispatcher(local, [(upstream.path, 1)])
    threads = [
        threading.Thread(target=ask, args=(handing, environ(HEAVY)))
        for _ in range(dispatch.MOST_HEAVY_EACH)
    ]
    for thread in threads:
        thread.start()
    wait_until(lambda: upstream.asked)
    time.sleep(0.1)
    assert ask(handing, environ(HEAVY))[0].status == "503 Busy"
    assert len(upstream.asked) == 1
    upstream.may_answer.set()
    assert ask(handing, environ(HEAVY, REMOTE_ADDR="203.0.113.10"))[0].status == "200 OK"
    for thread in threads:
        thread.join()
    assert ask(handing, environ(HEAVY))[0].status == "200 OK"


def test_a_client_that_leaves_ends_the_work(upstream: Upstream) -> None:
    upstream.may_answer.clear()
    ours, theirs = socket.socketpair()
    asked = environ(HEAVY, **{"gunicorn.socket": ours})
    answers: list[tuple[Answer, bytes]] = []
    handing = Dispatcher(local, [(upstream.path, 1)])

    def wait_for_it() -> None:
        answer = Answer()
        answers.append((answer, b"".join(handing(asked, answer.start))))
        ours.close()

    thread = threading.Thread(target=wait_for_it)
    thread.start()
    wait_until(lambda: upstream.asked)
    theirs.close()
    thread.join(5)
    assert answers[0][0].status.startswith("499")
    assert upstream.left.wait(5)


def test_a_missing_heavy_process_gives_503(tmp_path: Path) -> None:
    handing = Dispatcher(local, [(str(tmp_path / "nobody"), 1)])
    for _again in range(dispatch.MOST_HEAVY + 1):  # none of them keeps its place
        assert ask(handing, environ(HEAVY))[0].status == "503 Busy"


def test_a_heavy_process_that_never_answers_gives_503(
    upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.may_answer.clear()
    monkeypatch.setattr("armybuilder.admission.upstream.PATIENCE", 0.05)
    assert ask(Dispatcher(local, [(upstream.path, 1)]), environ(HEAVY))[0].status == "503 Busy"


# Two lanes: what turns out long in the one for short work is passed on.


def passed_on(spent: float, ahead: float, asks: str = "", may: bool = True) -> tuple[Answer, bytes]:
    """What a lane for short work answers of work that has taken and will take so many seconds, and
    has asked this of the database.
    """

    def application(asked: dict[str, Any], start: Any) -> Body:
        asked[HANDING].may = may
        if asks:
            with connection.cursor() as cursor:
                cursor.execute(asks)
        is_handed_over(asked, spent, ahead)
        start("200 OK", [])
        return Body([b"done"])

    answer = Answer()
    return answer, b"".join(passing_on(application)({}, answer.start))


@pytest.mark.django_db
def test_the_lane_for_short_work_passes_on_what_takes_long(settings: Any) -> None:
    settings.REQUEST_SECONDS = {"short": 2.0}
    assert passed_on(1.9, 0.0)[1] == passed_on(0.0, 1.9)[1] == b"done"
    for spent, ahead in ((2.1, 0.0), (0.0, 2.1)):
        answer, content = passed_on(spent, ahead)
        assert (PASSED_ON, "1") in answer.headers
        assert content == b""
        # Of what may not be asked twice, until it has written.
        assert passed_on(spent, ahead, "SELECT 1", may=False)[1] == b""
        assert passed_on(spent, ahead, "DELETE FROM lists_armylist", may=False)[1] == b"done"
        assert passed_on(spent, ahead, "DELETE FROM lists_armylist")[1] == b""


def lanes(tmp_path: Path) -> tuple[Upstream, Upstream, Dispatcher]:
    short, long = Upstream(tmp_path / "short"), Upstream(tmp_path / "long")
    return short, long, Dispatcher(local, [(short.path, 1), (long.path, 1)])


def answered(cost: float, *more: str) -> bytes:
    head = "\r\n".join([f"X-Handed-Seconds: {cost}", "Content-Length: 4", *more])
    return f"HTTP/1.1 200 OK\r\n{head}\r\n\r\ndone".encode()


def test_work_goes_to_the_lane_of_its_known_cost(tmp_path: Path) -> None:
    short, long, handing = lanes(tmp_path)
    # Unknown work is taken for short, and passed on where it is not; nobody is told.
    short.answer = answered(2.1, "X-Handed-On: 1")
    long.answer = answered(9.0)
    answer, content = ask(handing, environ(HEAVY, b"body"))
    assert (answer.status, content) == ("200 OK", b"done")
    assert not [name for name, _value in answer.headers if "Handed" in name]
    assert long.asked[0].endswith(b"\r\n\r\nbody")
    # The next time it goes there at once, until it is short.
    short.answer = long.answer = answered(0.1)
    for _each in range(2):
        ask(handing, environ(HEAVY))
    assert (len(short.asked), len(long.asked)) == (2, 2)
    # Of others nothing is known; and much that is sent is much to do.
    ask(handing, environ(HEAVY, REMOTE_ADDR="203.0.113.10"))
    assert len(short.asked) == 3
    body = b"x" * (MB // 2)
    ask(handing, environ("/lists/paste/", body, REMOTE_ADDR="203.0.113.11"))
    assert (len(short.asked), len(long.asked)) == (3, 3)


def test_short_work_comes_while_the_other_lane_is_full(tmp_path: Path) -> None:
    short, long, handing = lanes(tmp_path)
    short.answer = answered(2.1, "X-Handed-On: 1")
    long.may_answer.clear()
    attackers = [
        threading.Thread(target=ask, args=(handing, environ(HEAVY, REMOTE_ADDR=f"203.0.113.{n}")))
        for n in range(4)
        for _each in range(4)
    ]
    for thread in attackers:
        thread.start()
    wait_until(lambda: len(long.asked) == 1 and len(handing._lanes[1][1]._waiting) >= 11)
    short.answer = answered(0.1)
    assert ask(handing, environ(HEAVY, REMOTE_ADDR="198.51.100.1"))[1] == b"done"
    long.may_answer.set()
    for thread in attackers:
        thread.join(5)
