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

from armybuilder.admission import dispatch
from armybuilder.admission.dispatch import (
    FULL,
    HANDING,
    Dispatcher,
    Handing,
    Turns,
    is_handed_over,
)
from armybuilder.admission.marks import MOST_BYTES
from armybuilder.admission.upstream import taking_over
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
        while asked.startswith(b"POST") and not asked.endswith(b"\r\n\r\nbody"):
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
        connection.sendall(ANSWER)


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
        is_handed_over(asked)
    read = asked["wsgi.input"].read()
    start("200 OK", [])
    return Body([b"here", read])


def ask(handing: Any, asked: dict[str, Any]) -> tuple[Answer, bytes]:
    answer = Answer()
    result = handing({"QUERY": "", **asked}, answer.start)
    content = b"".join(result)
    result.close()
    return answer, content


def test_a_light_request_is_answered_here(upstream: Upstream) -> None:
    answer, content = ask(Dispatcher(local, upstream.path), environ(LIGHT, b"body"))
    assert (answer.status, content) == ("200 OK", b"herebody")
    assert upstream.asked == []


@pytest.mark.parametrize(
    ("path", "size"), [(LIGHT, MOST_BYTES + 1), ("/nowhere/", 1), ("/static/app.css", 1)]
)
def test_what_is_too_large_or_not_wanted_is_not_read(path: str, size: int) -> None:
    asked = environ(path, CONTENT_LENGTH=str(size))

    def application(given: dict[str, Any], start: Any) -> Body:
        assert given["wsgi.input"] is asked["wsgi.input"]
        start("404 Not Found", [])
        return Body()

    asked["wsgi.input"] = Unreadable()
    assert ask(Dispatcher(application), asked)[0].status == "404 Not Found"


def test_a_heavy_one_is_handed_over_as_it_came(upstream: Upstream) -> None:
    answer, content = ask(Dispatcher(local, upstream.path), environ(HEAVY, b"body"))
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


def test_nobody_tells_the_heavy_process_another_address(upstream: Upstream) -> None:
    forged = environ(HEAVY, HTTP_X_HANDED_ADDRESS="198.51.100.7")
    ask(Dispatcher(local, upstream.path), forged)
    assert b"198.51.100.7" not in upstream.asked[0]
    assert b"X-Handed-Address: 203.0.113.9" in upstream.asked[0]


def test_what_turns_out_to_be_heavy_is_handed_over_with_its_body(upstream: Upstream) -> None:
    asked = environ(LIGHT, b"body", QUERY="heavy")
    _answer, content = ask(Dispatcher(local, upstream.path), asked)
    assert content == b"done"
    assert upstream.asked[0].endswith(b"\r\n\r\nbody")


def test_what_may_not_be_asked_twice_is_answered_here(upstream: Upstream) -> None:
    def changes(asked: dict[str, Any], start: Any) -> Body:
        asked[HANDING].may = False
        return local(asked, start)

    handing = Dispatcher(changes, upstream.path)
    page = f"/lists/{uuid4()}/"
    assert ask(handing, environ(f"{page}act/", b"body", QUERY="heavy"))[1] == b"herebody"
    # From then on the list is known to be heavy, and so is every act on it.
    assert ask(handing, environ(f"{page}act/", b"body"))[1] == b"done"
    assert ask(handing, environ(f"/lists/{uuid4()}/act/", b"body"))[1] == b"herebody"


def test_where_there_are_no_heavy_processes_all_is_done_here() -> None:
    assert is_handed_over({}) is False
    assert is_handed_over({HANDING: Handing(may=False)}) is False


def test_one_address_does_not_take_all_heavy_processes(upstream: Upstream) -> None:
    upstream.may_answer.clear()
    handing = Dispatcher(local, upstream.path)
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
    handing = Dispatcher(local, upstream.path)

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


def test_a_heavy_process_that_is_gone_means_to_come_back(tmp_path: Path) -> None:
    handing = Dispatcher(local, str(tmp_path / "nobody"))
    for _again in range(dispatch.MOST_HEAVY + 1):  # none of them keeps its place
        assert ask(handing, environ(HEAVY))[0].status == "503 Busy"


def test_one_that_never_answers_too(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    upstream.may_answer.clear()
    monkeypatch.setattr("armybuilder.admission.upstream.PATIENCE", 0.05)
    assert ask(Dispatcher(local, upstream.path), environ(HEAVY))[0].status == "503 Busy"


# Turns are fair: nobody waits behind all that another one has asked for.

NEVER = 20.0


def never() -> bool:
    return False


def test_who_had_a_turn_longest_ago_is_next() -> None:
    turns, order, threads = Turns(1, 10, 5), list[str](), list[threading.Thread]()

    def take(who: str) -> None:
        if turns.take(who, NEVER, never):
            order.append(who)
            turns.give_back(who)

    assert turns.take("a", NEVER, never)
    for number, who in enumerate("aaaabc", 1):
        threads.append(threading.Thread(target=take, args=(who,)))
        threads[-1].start()
        while len(turns._waiting) < number:
            time.sleep(0.001)
    turns.give_back("a")
    for thread in threads:
        thread.join(5)
    assert order == list("bcaaaa")


def test_too_many_are_sent_away_and_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Turns(5, 3, 2)
    assert [turns.take(who, NEVER, never) for who in "aaabb"] == [True, True, False, True, False]
    turns.give_back("a")
    assert turns.take("b", NEVER, never)
    monkeypatch.setattr(dispatch, "_LOOK_EVERY", 0.01)
    turns = Turns(1, 5, 5)
    assert turns.take("a", NEVER, never)
    assert not turns.take("b", 0.0, never)
    assert not turns.take("b", NEVER, lambda: True)
    turns.give_back("a")
    assert turns.take("b", NEVER, never)
    turns = Turns(1, 5, 5)
    for number in range(dispatch._REMEMBERED + 5):
        assert turns.take(f"name {number}", NEVER, never)
        turns.give_back(f"name {number}")
    assert len(turns._last) == dispatch._REMEMBERED
