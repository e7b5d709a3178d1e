"""Versions, links and own books by program: told, changed and ended; and nobody else's."""

from typing import Any
from uuid import uuid4

import pytest

from armybuilder.books.models import OwnBook
from armybuilder.lists.models import Version
from armybuilder.sharing.models import Frozen, Share
from tests.api.calls import DOCUMENT, Caller
from tests.api.calls import OWN_BOOK as BOOK


@pytest.fixture
def changed(ann: Caller) -> str:
    """The address of a list that was changed once."""
    place = f"/lists/{ann.store(name='Men').json()['id']}/"
    assert ann("put", place, DOCUMENT, If_Match="*").status_code == 200
    return place


@pytest.fixture
def book(ann: Caller) -> Any:
    answer = ann("post", "/books/", BOOK)
    assert answer.status_code == 201, answer.content
    return answer


def test_a_list_tells_its_versions_and_goes_back_to_one(ann: Caller, changed: str) -> None:
    history = ann("get", f"{changed}history/").json()
    assert [(one["number"], one["current"]) for one in history["results"]] == [
        (2, True),
        (1, False),
    ]
    assert history["results"][0]["act"] == "Replaced through the API."
    first = ann("get", f"{changed}history/1/").json()
    assert first["document"]["name"] == "Men"
    assert ann("put", changed, first["document"], If_Match="*").json()["name"] == "Men"
    assert ann("get", f"{changed}history/4/").status_code == 404


def test_a_long_history_comes_in_pages_each_behind_the_last(ann: Caller, changed: str) -> None:
    for number in range(5):
        ann("put", changed, {**DOCUMENT, "name": f"Men {number}"}, If_Match="*")
    found, address = [], f"{changed}history/?page_size=3"
    while address:
        page = ann("get", address).json()
        found += [one["number"] for one in page["results"]]
        address = (page["next"] or "").partition("/api/v1")[2]
    assert found == [7, 6, 5, 4, 3, 2, 1]


def test_a_version_gets_and_loses_a_label(ann: Caller, changed: str) -> None:
    answer = ann("post", f"{changed}history/1/label/", {"label": "Club night"})
    assert (answer.status_code, answer.json()["label"]) == (200, "Club night")
    assert Version.objects.get(number=1).label == "Club night"
    assert ann("post", f"{changed}history/1/label/", {"label": ""}).json()["label"] == ""
    assert ann("post", f"{changed}history/1/label/", {"label": "x" * 61}).status_code == 400
    assert ann("post", f"{changed}history/9/label/", {"label": "x"}).status_code == 404


def test_links_are_made_told_opened_and_ended(ann: Caller, nobody: Caller, changed: str) -> None:
    made = ann("post", f"{changed}links/", {"view": "open", "name": "Club"})
    assert made.status_code == 201
    copy = ann("post", f"{changed}links/", {"frozen": True}).json()
    assert copy["frozen"] == Frozen.objects.get().pk
    assert ann("get", f"{changed}links/").json() == [copy, made.json()]
    opened = made.json()["link"].partition("testserver")[2]
    assert nobody.client.get(opened).status_code == 200
    for link in (made.json(), copy):
        assert ann("delete", f"{changed}links/{link['id']}/").status_code == 204
        assert ann("delete", f"{changed}links/{link['id']}/").status_code == 404
    assert nobody.client.get(opened).status_code == 404
    assert not Share.objects.exists()
    assert not Frozen.objects.exists()


def test_a_book_is_stored_read_replaced_and_deleted(ann: Caller, book: Any) -> None:
    place = f"/books/{book.json()['id']}/"
    assert book["Location"] == f"/api/v1{place}"
    read = ann("get", place)
    assert read.json() == book.json()
    assert ann("get", place, If_None_Match=read["ETag"]).status_code == 304
    told = ann("get", "/books/").json()["results"]
    assert told == [{key: book.json()[key] for key in book.json() if key != "document"}]
    again = {**BOOK, "name": "Mill watch"}
    assert ann("put", place, again).status_code == 428
    assert ann("put", place, again, If_Match='"other"').status_code == 412
    replaced = ann("put", place, again, If_Match=read["ETag"])
    assert (replaced.status_code, replaced.json()["name"]) == (200, "Mill watch")
    assert ann("delete", place, If_Match=read["ETag"]).status_code == 412
    assert ann("delete", place, If_Match=replaced["ETag"]).status_code == 204
    assert ann("get", place).status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({**BOOK, "units": [{"id": "x"}]}, 422),
        ({**BOOK, "system": "chess"}, 422),
        (DOCUMENT, 422),
        (b"{", 422),
        (b"", 422),
        (b"[" * 2000, 422),
    ],
)
def test_what_is_no_book_is_not_stored(ann: Caller, body: Any, status: int) -> None:
    answer = ann("post", "/books/", body)
    assert (answer.status_code, answer.json()["status"]) == (status, status)
    assert not OwnBook.objects.exists()


def test_every_mistake_of_a_book_has_its_place(ann: Caller) -> None:
    wrong = {**BOOK, "units": [{**BOOK["units"][0], "points": "many"}, {"id": "x"}]}
    places = [one["pointer"] for one in ann("post", "/books/", wrong).json()["problems"]]
    assert any(place.startswith("/units/0") for place in places)
    assert any(place.startswith("/units/1") for place in places)


def test_a_book_stays_with_its_game(ann: Caller, book: Any) -> None:
    other = {**BOOK, "system": "chainmail-2002", "units": []}
    answer = ann("put", f"/books/{book.json()['id']}/", other, If_Match="*")
    assert (answer.status_code, answer.json()["detail"]) == (422, "A book stays with its game.")


def test_a_list_takes_an_own_book_as_it_is_now(ann: Caller, bob: Caller, book: Any) -> None:
    own = book.json()["id"]
    unit = {"id": "u1", "unit": f"{own}/miller", "models": 10}
    document = {**DOCUMENT, "books": [{"id": own}], "units": [unit]}
    stored = ann("post", "/lists/", document)
    assert stored.status_code == 201, stored.content
    revision = book.json()["revision"]
    assert stored.json()["document"]["books"] == [{"id": own, "revision": revision}]
    assert ann("get", f"/lists/{stored.json()['id']}/report/").json()["spent"] == 300
    assert bob("post", "/lists/", document).status_code == 422


def test_nobody_reads_or_changes_what_is_anothers(
    ann: Caller, bob: Caller, nobody: Caller, changed: str, book: Any
) -> None:
    own = f"/books/{book.json()['id']}/"
    link = ann("post", f"{changed}links/", {}).json()["id"]
    calls = [
        ("get", f"{changed}history/", None),
        ("get", f"{changed}history/1/", None),
        ("post", f"{changed}history/1/label/", {"label": "Mine"}),
        ("get", f"{changed}links/", None),
        ("post", f"{changed}links/", {}),
        ("delete", f"{changed}links/{link}/", None),
        ("get", own, None),
        ("put", own, BOOK),
        ("delete", own, None),
        ("delete", f"{changed}links/{uuid4()}/", None),
    ]
    for method, address, body in calls:
        assert bob(method, address, body, If_Match="*").status_code == 404, address
        assert nobody(method, address, body, If_Match="*").status_code == 401, address
    assert bob("get", "/books/").json()["results"] == []
    assert Version.objects.get(number=1).label == ""
    assert Share.objects.count() == 1
