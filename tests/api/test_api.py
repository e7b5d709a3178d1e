"""The API: systems and books, verdicts on documents, one shape of error, its own description."""

import json
from typing import Any

import pytest
from django.test import Client

from armybuilder.loading.library import shipped_library

LEGAL = {
    "format": "armylist/1", "system": "sbh", "books": [{"id": "profiles"}], "name": "Ten men",
    "limit": 300, "units": [{"id": "u1", "unit": "profiles/human-warrior", "models": 10}],
}  # fmt: skip


def validate(document: Any) -> Any:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return Client().post("/api/v1/validate/", body, content_type="application/json")


def test_systems_are_listed_with_their_books() -> None:
    systems = Client().get("/api/v1/systems/").json()
    assert [system["id"] for system in systems] == list(shipped_library().systems)
    books = {book["id"]: book for system in systems for book in system["books"]}
    revision = shipped_library().books["sbh"]["profiles"].revision
    assert books["profiles"]["revision"] == revision


def test_a_book_tells_its_units() -> None:
    book = Client().get("/api/v1/systems/sbh/books/profiles/").json()
    warrior = next(unit for unit in book["units"] if unit["ref"] == "profiles/orc-warchief")
    assert warrior["points"] == 100
    assert warrior["abilities"] == ["Leader", "Tough"]


def test_a_legal_document_is_legal() -> None:
    report = validate(LEGAL).json()
    assert report["legal"] is True
    assert (report["spent"], report["findings"]) == (300, [])


def test_an_illegal_document_says_why() -> None:
    (finding,) = validate({**LEGAL, "limit": 299}).json()["findings"]
    assert finding["code"] == "points.over"
    assert (finding["measured"], finding["allowed"], finding["units"]) == (300, 299, ["u1"])


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"{", 422, "not JSON"),
        (b"[]", 422, "must be an object"),
        (b"", 422, "body is empty"),
        (b'"' + b"x" * 600_000 + b'"', 422, "at most 512 KB"),
        (b"[" * 100_000, 422, "nests"),
        ({**LEGAL, "system": "none"}, 422, "no game system"),
        ({**LEGAL, "limit": "many"}, 422, "/limit"),
    ],
)
def test_errors_have_one_shape(body: Any, status: int, said: str) -> None:
    response = validate(body)
    assert response.status_code == status
    assert response["Content-Type"].startswith("application/problem+json")
    problem = response.json()
    assert problem["status"] == status
    assert said in problem["detail"]


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("get", "/api/v1/systems/none/books/none/", 404),
        ("get", "/api/v1/validate/", 405),
        ("post", "/api/v1/systems/", 405),
    ],
)
def test_wrong_addresses_and_methods_have_the_same_shape(
    method: str, address: str, status: int
) -> None:
    response = getattr(Client(), method)(address)
    assert response.status_code == status
    assert response.json()["status"] == status


def test_a_document_in_another_format_is_refused() -> None:
    response = Client().post("/api/v1/validate/", b"a,b", content_type="text/csv")
    assert response.status_code == 415


def test_the_description_names_every_address() -> None:
    text = Client().get("/api/v1/schema/").content.decode()
    for address in ("/api/v1/systems/", "/api/v1/validate/"):
        assert address in text
