"""The log: a line for each event that says when, how grave and which request, and no more."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver

from armybuilder.admission.dispatch import HANDING, Handing
from armybuilder.logs import KEYS, formatter, mark
from armybuilder.pages.home import views
from tests.conftest import Builder

pytestmark = pytest.mark.django_db

LINE = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (INFO|WARNING|ERROR) \[([\w.-]+)\] ([\w.]+): (.+)"
)


Written = Callable[[], list[str]]


@pytest.fixture
def log(request: Any) -> Iterator[Written]:
    """Reads the lines written until now; as JSON where the test asks for "json"."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(getattr(request, "param", "") == "json"))
    handler.addFilter(mark)
    logging.getLogger().addHandler(handler)
    yield lambda: stream.getvalue().splitlines()
    logging.getLogger().removeHandler(handler)


class Gone:
    """What a client sends that goes away meanwhile."""

    def read(self, *_given: Any) -> bytes:
        raise ConnectionResetError("reset by peer")

    readline = read


def lines(log: Written, logger: str) -> list[tuple[str, str, str]]:
    """Level, request and message of what a logger wrote; every line of all has its form."""
    found = [LINE.fullmatch(line) for line in log()]
    assert all(found), log()
    return [(one[1], one[2], one[4]) for one in found if one and one[3] == logger]


def test_every_request_has_a_line_with_the_id_that_it_was_answered_with(
    client: Client, log: Written
) -> None:
    answer = client.get("/library/?q=secret-word", REMOTE_ADDR="198.51.100.7")
    ((level, request, said),) = lines(log, "armybuilder.access")
    assert (level, request) == ("INFO", answer["X-Request-ID"])
    told = re.fullmatch(r"GET /library/ 200 \d+\.\d{3} s (\d+) bytes 198\.51\.100\.7", said)
    assert told
    assert int(told[1]) == len(answer.content)
    assert client.get("/library/")["X-Request-ID"] != request


def test_what_strangers_write_into_an_address_begins_no_line(client: Client, log: Written) -> None:
    client.get("/x%0a2026 INFO%1b[2J%c2%9b%e2%80%a8/")
    ((_level, _request, said),) = lines(log, "armybuilder.access")
    assert "\\n2026" in said
    assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in said)


@pytest.mark.parametrize("log", ["json"], indirect=True)
def test_programs_read_lines_of_json(client: Client, log: Written) -> None:
    answer = client.get("/library/sbh/")
    (line,) = map(json.loads, log())
    assert line.pop("time").endswith("Z")
    assert line.pop("seconds") >= 0
    assert "200" in line.pop("message")
    assert line == {
        "level": "INFO",
        "request_id": answer["X-Request-ID"],
        "logger": "armybuilder.access",
        "method": "GET",
        "path": "/library/sbh/",
        "route": "library/<slug:system_id>/",
        "status": 200,
        "bytes": len(answer.content),
        "client": "127.0.0.1",
    }


def test_behind_a_proxy_the_request_id_is_the_proxys(client: Client, settings: Any) -> None:
    named = {"X-Request-ID": "abc.DEF-123"}
    assert client.get("/", headers=named)["X-Request-ID"] != "abc.DEF-123"
    settings.PROXIES = 1
    assert client.get("/", headers=named)["X-Request-ID"] == "abc.DEF-123"
    for bad in ("short", "x" * 65, "two words", "line\x0bfeed-here"):
        assert client.get("/", headers={"X-Request-ID": bad})["X-Request-ID"] != bad


def test_the_client_is_who_our_own_proxies_saw(client: Client, settings: Any, log: Written) -> None:
    told = {"X-Forwarded-For": "203.0.113.9, 198.51.100.7"}
    client.get("/", headers=told)
    settings.PROXIES = 1
    client.get("/", headers=told)
    settings.PROXIES = 2
    client.get("/", headers=told)
    seen = [said.split()[-1] for _level, _id, said in lines(log, "armybuilder.access")]
    assert seen == ["127.0.0.1", "198.51.100.7", "203.0.113.9"]


def test_contents_of_lists_are_not_in_the_log(sbh: Builder, log: Written) -> None:
    sbh.client.post(f"{sbh.url}rename/", {"name": "Mordenkainen’s own", "version": 1})
    assert sbh.act("add", ref="profiles/troll").status_code == 302
    sbh.client.post("/lists/paste/", {"text": "Mordenkainen 5 pts"})
    sbh.client.post("/account/sign-in/", {"login": "Mordenkainen", "password": "Mordenkainen"})
    sbh.client.get("/lists/?q=Mordenkainen")
    assert len(log()) >= 4
    assert "Mordenkainen" not in "".join(log())


def test_addresses_that_are_keys_are_not_in_the_log(client: Client, log: Written) -> None:
    token = "q" * 43
    for path in (f"/shared/{token}/", f"/shared/{token}", f"/account/email/{token}/"):
        client.get(path)
    assert token not in "".join(log())
    assert "/shared/…/" in "".join(log())
    client.get("/library/chainmail-2001-advanced/")
    client.get("/lists/3f1c9bc2-2c9f-4d51-8b6e-0f0f8f1f7a10/")
    assert "/library/chainmail-2001-advanced/" in "".join(log())
    assert "/lists/3f1c9bc2-2c9f-4d51-8b6e-0f0f8f1f7a10/" in "".join(log())


#: Parts of addresses that open nothing by themselves.
OPEN = {
    "book_id", "event_id", "example_id", "form", "game_key", "job_id", "link_id", "list_id",
    "mark", "match_id", "name", "newer_key", "number", "other_id", "pack_id", "paper", "rest",
    "share_id", "system_id", "token_id", "uidb36", "unit", "unit_id", "upload_id", "which",
}  # fmt: skip


def test_each_part_of_an_address_is_known_to_be_a_key_or_none() -> None:
    assert {*_parts(get_resolver())} == KEYS | OPEN


def _parts(resolver: URLResolver) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        yield from pattern.pattern.regex.groupindex
        if isinstance(pattern, URLResolver):
            yield from _parts(pattern)


def test_a_foreign_host_is_one_line(client: Client, log: Written, settings: Any) -> None:
    settings.SLOW_SECONDS = 0  # however busy the machine is
    answer = client.get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    ((level, _id, said),) = lines(log, "django.security.DisallowedHost")
    assert level == "WARNING"
    assert "evil.example" in said
    assert len(log()) == 2  # and the access log's


def test_a_client_that_goes_while_it_sends_is_one_line(client: Client, log: Written) -> None:
    client.raise_request_exception = False
    broken: dict[str, Any] = {"wsgi.input": Gone(), "CONTENT_LENGTH": "400"}
    for number, (path, kind) in enumerate(
        (
            ("/lists/paste/", "application/x-www-form-urlencoded"),
            ("/lists/paste/", "multipart/form-data; boundary=x"),
            ("/api/v1/validate/", "application/json"),
        ),
        1,
    ):
        answer = client.generic("POST", path, b"x", content_type=kind, **broken)
        assert answer.status_code == 400
        assert len([line for line in log() if "gone while it sent" in line]) == number
        assert len(log()) == 2 * number  # with the access log's


def test_a_request_passed_to_the_heavy_process_is_logged_only_there(
    client: Client, log: Written
) -> None:
    handing: Any = {HANDING: Handing(heavy=True, goes_on=True)}
    client.get("/library/sbh/", **handing)
    assert log() == []
    handing[HANDING].goes_on = False
    client.get("/library/sbh/", **handing)
    assert len(lines(log, "armybuilder.access")) == 1


def test_a_slow_request_has_a_line_of_its_own(client: Client, settings: Any, log: Written) -> None:
    settings.SLOW_SECONDS = 30
    client.get("/")
    assert lines(log, "armybuilder.slow") == []
    settings.SLOW_SECONDS = 0.000_01
    answer = client.get("/")
    ((level, request, said),) = lines(log, "armybuilder.slow")
    assert (level, request) == ("WARNING", answer["X-Request-ID"])
    assert re.fullmatch(r"GET / took \d+\.\d{3} s", said)


def test_a_failure_is_found_by_the_id_that_its_page_shows(
    client: Client, log: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(views, "shipped_library", fail)
    client.raise_request_exception = False
    answer = client.get("/")
    assert answer.status_code == 500
    request = answer["X-Request-ID"]
    assert request in answer.content.decode()
    failed = [line for line in log() if f"ERROR [{request}] django.request" in line]
    assert len(failed) == 1
    assert "RuntimeError: broken" in log()
