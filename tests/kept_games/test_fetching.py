"""Games by their address: where the operator allows it, from GitHub's hosts alone."""

import io
import socket
from email.message import Message
from typing import Any

import pytest
from django.test import Client

from armybuilder import outgoing
from armybuilder.games.fetching import address_of, fetch_game
from armybuilder.loading.problems import Refusal
from armybuilder.uploads.models import Upload
from tests.kept_games.files import otters, zipped
from tests.uploads.files import Uploading

ZIP = "https://codeload.github.com/river/otters/zip/HEAD"


class FakeGitHub:
    """Answers by host and path; remembers what it was asked for."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, str, bytes]] = {}
        self.asked: list[str] = []

    def connect(self, address: outgoing.Address) -> "FakeConnection":
        return FakeConnection(self, address)


class FakeConnection:
    def __init__(self, hub: FakeGitHub, address: outgoing.Address) -> None:
        self.hub, self.address = hub, address

    def request(self, method: str, path: str, headers: dict[str, str]) -> None:
        assert method == "GET"
        self.hub.asked.append(f"https://{headers['Host']}{path}")

    def getresponse(self) -> Any:
        status, location, body = self.hub.answers.get(self.hub.asked[-1], (404, "", b""))
        answer = io.BytesIO(body)
        answer.status = status  # type: ignore[attr-defined]
        answer.headers = Message()  # type: ignore[attr-defined]
        if location:
            answer.headers["Location"] = location  # type: ignore[attr-defined]
        return answer

    def close(self) -> None:
        pass


@pytest.fixture
def hub(settings: Any, monkeypatch: pytest.MonkeyPatch) -> FakeGitHub:
    settings.GAMES_BY_ADDRESS = True
    found = FakeGitHub()
    monkeypatch.setattr(outgoing, "_connection", found.connect)
    return found


@pytest.mark.parametrize(
    ("address", "url", "name"),
    [
        ("https://github.com/river/otters", ZIP, "river/otters"),
        (" https://github.com/river/otters/ ", ZIP, "river/otters"),
        ("https://github.com/river/otters.git", ZIP, "river/otters"),
        (
            "https://github.com/river/otters/releases/tag/v1.2",
            "https://codeload.github.com/river/otters/zip/v1.2",
            "river/otters v1.2",
        ),
        (
            "https://github.com/river/otters/tree/next/beta",
            "https://codeload.github.com/river/otters/zip/next/beta",
            "river/otters next/beta",
        ),
    ],
)
def test_addresses_of_repositories_lead_to_their_zip(
    hub: FakeGitHub, address: str, url: str, name: str
) -> None:
    assert address_of(address) == (url, name)


@pytest.mark.parametrize(
    "address",
    [
        "http://github.com/river/otters",
        "https://github.com.evil.example/river/otters",
        "https://evil.example/https://github.com/river/otters",
        "https://user@github.com/river/otters",
        "https://github.com:444/river/otters",
        "https://github.com/river",
        "https://github.com/river/otters/tree/../../x",
        "https://github.com/river/otters?x=1",
        "https://127.0.0.1/river/otters",
        "file:///etc/passwd",
        "",
    ],
)
def test_other_addresses_are_refused(hub: FakeGitHub, address: str) -> None:
    with pytest.raises(Refusal, match="Enter the link of a repository"):
        address_of(address)


def test_redirections_are_followed_to_githubs_hosts_and_to_no_other(hub: FakeGitHub) -> None:
    hub.answers[ZIP] = (302, "https://objects.githubusercontent.com/x?sig=1", b"")
    hub.answers["https://objects.githubusercontent.com/x?sig=1"] = (200, "", b"files")
    assert fetch_game(ZIP, 100) == b"files"
    for place in ("https://evil.example/", "http://github.com/x", "https://github.com:8443/x"):
        hub.answers[ZIP] = (302, place, b"")
        asked = len(hub.asked)
        with pytest.raises(Refusal):
            fetch_game(ZIP, 100)
        assert len(hub.asked) == asked + 1, "nothing else was called"
    hub.answers[ZIP] = (302, ZIP, b"")
    with pytest.raises(Refusal, match="redirects too often"):
        fetch_game(ZIP, 100)


def test_what_is_too_long_missing_or_silent_is_refused(
    hub: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.answers[ZIP] = (200, "", b"x" * 101)
    with pytest.raises(Refusal, match="larger than"):
        fetch_game(ZIP, 100)
    del hub.answers[ZIP]
    with pytest.raises(Refusal, match="answers 404"):
        fetch_game(ZIP, 100)

    def silent(_address: outgoing.Address) -> None:
        raise TimeoutError

    monkeypatch.setattr(outgoing, "_connection", silent)
    with pytest.raises(Refusal, match="did not answer"):
        fetch_game(ZIP, 100)


def test_a_host_that_is_looked_up_to_a_private_address_is_not_called(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.GAMES_BY_ADDRESS = True
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_host, **_more: found)
    with pytest.raises(Refusal, match="not on the public internet"):
        fetch_game(ZIP, 100)


@pytest.mark.django_db
def test_the_worker_brings_a_game_by_its_address(hub: FakeGitHub, client: Client) -> None:
    hub.answers[ZIP] = (200, "", zipped(otters(), comment="801555b" + "0" * 33))
    mine = Uploading(client)
    answer = client.post("/books/upload/", {"address": "https://github.com/river/otters"})
    mine.url = answer["Location"]
    assert "War of the Otters" in mine.page
    assert (mine.upload.report or {})["source"] == "github.com/river/otters, 801555b"
    wrong = client.post("/books/upload/", {"address": "https://evil.example/x"})
    assert wrong.status_code == 422
    assert "Enter the link of a repository" in wrong.text


@pytest.mark.django_db
def test_nothing_is_fetched_where_the_operator_does_not_allow_it(client: Client) -> None:
    assert "id_address" not in client.get("/books/upload/").text
    answer = client.post("/books/upload/", {"address": "https://github.com/river/otters"})
    assert answer.status_code == 422
    assert "doesn’t fetch games from links" in answer.text
    assert Upload.objects.count() == 0
