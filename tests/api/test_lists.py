"""Lists, versions, links and own books by program: read and changed by their owner alone."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from armybuilder.api.parsing import etag_of
from armybuilder.books.models import OwnBook
from armybuilder.lists import forces, services
from armybuilder.lists.models import ArmyList, Version
from armybuilder.sharing.models import Frozen, Share
from tests.api.calls import DOCUMENT, Caller
from tests.api.calls import OWN_BOOK as BOOK
from tests.api.record import operations

OTHERS = {**DOCUMENT, "name": "Others"}


@pytest.fixture
def stored(ann: Caller) -> Any:
    return ann.store()


@pytest.fixture
def changed(ann: Caller) -> str:
    """Return the address of a list that was changed once."""
    address = place(ann.store(name="Men"))
    assert ann("put", address, DOCUMENT, If_Match="*").status_code == 200
    return address


@pytest.fixture
def book(ann: Caller) -> Any:
    answer = ann("post", "/books/", BOOK)
    assert answer.status_code == 201, answer.content
    return answer


def place(answer: Any) -> str:
    return f"/lists/{answer.json()['id']}/"


def names_of(page: Any) -> list[str]:
    return [entry["name"] for entry in page["results"]]


def pointers(answer: Any) -> list[str]:
    return [problem["pointer"] for problem in answer.json()["problems"]]


def test_a_stored_list_is_the_users_and_can_be_read_compared_and_printed(
    ann: Caller, stored: Any
) -> None:
    read = ann("get", place(stored))
    assert read.json() == stored.json()
    assert read.json()["document"] == DOCUMENT
    assert read["ETag"] == stored["ETag"] == etag_of(read.json())
    assert stored["Location"] == f"/api/v1{place(stored)}"
    assert ArmyList.objects.get().holder == ann.user.holder  # type: ignore[union-attr]
    assert "private" in read["Cache-Control"]
    assert {"Authorization", "Cookie"} <= set(read["Vary"].split(", "))
    again = ann("get", place(stored), If_None_Match=stored["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", stored["ETag"])
    assert ann("get", place(stored), If_None_Match='"other"').status_code == 200
    units = json.loads(json.dumps(DOCUMENT["units"]))
    units[0]["models"] = 9
    other = ann.store(units=units).json()["id"]
    (unit,) = ann("get", f"{place(stored)}diff/{other}/").json()["units"]
    assert (unit["kind"], unit["before"], unit["after"]) == ("changed", 300, 270)
    assert ann("get", f"{place(stored)}diff/{uuid4()}/").status_code == 404
    address = f"{place(stored)}sheet/?kinds=compact&paper=letter"
    pdf = ann("get", address, Accept="application/pdf")
    assert pdf["Content-Type"] == "application/pdf"
    assert pdf.content.startswith(b"%PDF-")
    assert "Human Warrior" in ann("get", f"{place(stored)}text/?form=lines").content.decode()


def test_a_list_need_not_be_legal_but_must_be_one_that_can_be_judged(ann: Caller) -> None:
    assert ann("post", "/lists/", {**DOCUMENT, "system": "none"}).status_code == 422
    assert not ArmyList.objects.exists()
    answer = ann.store(limit=100)
    assert ann("get", f"{place(answer)}report/").json()["legal"] is False


def test_a_list_is_replaced_if_unchanged_and_keeps_its_history(ann: Caller, stored: Any) -> None:
    same = ann("put", place(stored), DOCUMENT, If_Match=stored["ETag"])
    assert (same["ETag"], Version.objects.count()) == (stored["ETag"], 1)
    answer = ann("put", place(stored), OTHERS, If_Match=stored["ETag"])
    assert (answer.status_code, answer.json()["name"]) == (200, "Others")
    assert answer["ETag"] != stored["ETag"]
    late = ann("put", place(stored), {**DOCUMENT, "name": "Late"}, If_Match=stored["ETag"])
    assert late.status_code == 412
    names = [version.document.to_dict()["name"] for version in Version.objects.order_by("number")]
    assert names == ["Ten men", "Others"]
    assert ann("put", place(stored), {**DOCUMENT, "limit": 400}, If_Match="*").status_code == 200


def test_who_saw_no_or_another_state_replaces_and_deletes_nothing(
    ann: Caller, stored: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ann("put", place(stored), OTHERS).status_code == 428
    for tag in ('"other"', f"W/{stored['ETag']}", "nonsense", ""):
        assert ann("put", place(stored), OTHERS, If_Match=tag).status_code == 412, tag
        assert ann("delete", place(stored), If_Match=tag).status_code == 412, tag
    assert ann("get", place(stored))["ETag"] == stored["ETag"]
    assert Version.objects.count() == 1

    def late(*_given: Any) -> None:
        raise services.Conflict

    monkeypatch.setattr(forces, "replace_document", late)
    between = ann("put", place(stored), DOCUMENT, If_Match=stored["ETag"])
    assert between.status_code == 412, "a change between reading and writing is noticed"


def test_a_deleted_list_is_not_found_and_can_be_restored(ann: Caller, stored: Any) -> None:
    assert ann("delete", place(stored)).status_code == 204
    assert ann("get", place(stored)).status_code == 404
    assert ann("delete", place(stored)).status_code == 404
    assert ArmyList.objects.get().deleted is not None


def test_lists_come_in_pages_and_by_game(ann: Caller) -> None:
    for number in range(3):
        ann.store(name=f"List {number}")
    ann.store(system="chainmail-2002", books=[{"id": "practice"}], units=[])
    page = ann("get", "/lists/?system=sbh&page_size=2").json()
    assert (names_of(page), page["count"]) == (["List 2", "List 1"], 3)
    assert "cursor=" in page["next"]
    rest = ann.client.get(page["next"], headers=ann.headers).json()
    assert (names_of(rest), rest["next"]) == (["List 0"], None)
    assert ann.client.get(rest["previous"], headers=ann.headers).json() == page
    assert ann("get", "/lists/?archived=true").json()["count"] == 0
    assert ann("get", "/lists/?archived=0").json()["count"] == 4
    numbered = ann("get", "/lists/?system=sbh&page_size=2&page=2").json()
    assert names_of(numbered) == ["List 0"]
    assert numbered["previous"].endswith("/lists/?page_size=2&system=sbh")
    for query, status, where in (
        ("page=0", 404, []),
        ("cursor=x", 404, []),
        ("page=x", 404, []),
        ("archived=perhaps", 400, ["?archived"]),
    ):
        answer = ann("get", f"/lists/?{query}")
        assert (answer.status_code, pointers(answer)) == (status, where), query


def test_each_list_appears_once_even_if_lists_change_meanwhile(ann: Caller) -> None:
    for number in range(4):
        ann.store(name=f"List {number}")
    page = ann("get", "/lists/?page_size=2").json()
    ann.store(name="New")
    rest = ann.client.get(page["next"], headers=ann.headers).json()
    assert names_of(rest) == ["List 1", "List 0"]
    ArmyList.objects.update(updated=timezone.now())  # all at one moment
    told, address = [], "/api/v1/lists/?page_size=2"
    while address:
        page = ann.client.get(address, headers=ann.headers).json()
        told += names_of(page)
        address = page["next"]
    assert sorted(told) == [*(f"List {number}" for number in range(4)), "New"]


def test_how_many_lists_there_are_costs_no_queries(
    ann: Caller, django_assert_num_queries: Any
) -> None:
    for number in (1, 4):
        for _each in range(number):
            ann.store()
        with django_assert_num_queries(3):  # the token, the number of lists, the lists
            assert ann("get", "/lists/").status_code == 200


def calls_of_one() -> Iterator[tuple[str, str]]:
    """Yield method and address of all that can be asked of one list or book, what ends it last."""
    found = [
        (method, address.removeprefix(Caller.start))
        for address, method, _operation in operations()
        if "{list_id}" in address or "/v1/books/{book_id}" in address
    ]
    yield from sorted(found, key=lambda call: (call[0] == "delete", -len(call[1])))


def test_nobody_reaches_a_list_or_book_of_another(
    ann: Caller, bob: Caller, nobody: Caller, stored: Any, book: Any
) -> None:
    """By no operation that the API has; its owner does."""
    other, own = bob.store().json()["id"], ann.store().json()["id"]
    link = ann("post", f"{place(stored)}links/", {}).json()["id"]
    places = {"list_id": stored.json()["id"], "number": "1", "link_id": link}
    places["book_id"] = book.json()["id"]
    for method, address in calls_of_one():
        content = BOOK if "book_id" in address else DOCUMENT
        body = {"put": content, "post": {"label": "Club night"}}.get(method)
        for caller, second, status in ((nobody, other, 401), (bob, other, 404), (ann, own, 200)):
            wanted = address.format(**places, other_id=second)
            answer = caller(method, wanted, body, If_Match="*")
            assert answer.status_code // 100 == status // 100, (method, wanted, caller.user)
            if status != 200:
                assert answer.status_code == status, (method, wanted)
                assert b"Human Warrior" not in answer.content
    assert bob("get", "/lists/").json()["count"] == 1
    assert bob("get", "/books/").json()["results"] == []
    assert ann("get", f"/lists/{own}/diff/{other}/").status_code == 404


def test_who_calls_is_known_by_a_valid_token_or_a_browser_with_its_csrf_token(
    ann: Caller, nobody: Caller, stored: Any
) -> None:
    for header in ("Bearer ab_" + "x" * 43, "Bearer", "Basic YTpi", "", "Bearer ab_\xe9"):
        answer = nobody("get", place(stored), Authorization=header)
        assert answer.status_code == 401, header
        assert answer["WWW-Authenticate"].startswith("Bearer")
    browser = Caller()
    browser.client = type(browser.client)(enforce_csrf_checks=True)
    browser.client.force_login(ann.user)  # type: ignore[arg-type]
    assert browser("get", place(stored)).status_code == 200
    assert browser("delete", place(stored)).status_code == 403
    assert ann("get", place(stored)).status_code == 200


def test_a_frozen_copy_is_found_by_its_hash_and_only_by_its_owner(
    ann: Caller, bob: Caller, nobody: Caller, stored: Any
) -> None:
    for body, where in (
        ({"view": "none"}, ["/view"]),
        *(({"name": name}, ["/name"]) for name in ("x" * 99, 0, False, None)),
    ):
        answer = ann("post", f"{place(stored)}frozen/", body)
        assert (answer.status_code, pointers(answer)) == (400, where), body
    made = ann("post", f"{place(stored)}frozen/", {"view": "open", "name": "Club night"})
    assert made.status_code == 201, made.content
    frozen = made.json()
    assert frozen["hash"] == stored.json()["hash"]
    assert frozen["report"]["legal"] is True
    link = frozen.pop("link")
    assert nobody.client.get(link).status_code == 200
    address = f"/frozen/{frozen['hash']}/"
    assert ann("get", address).json() == frozen
    assert (bob("get", address).status_code, nobody("get", address).status_code) == (404, 401)


@pytest.mark.slow
def test_versions_are_listed_and_labelled_and_can_be_restored(ann: Caller, changed: str) -> None:
    history = ann("get", f"{changed}history/").json()["results"]
    assert [(one["number"], one["current"]) for one in history] == [(2, True), (1, False)]
    assert history[0]["act"] == "Replaced through the API."
    first = ann("get", f"{changed}history/1/").json()
    assert first["document"]["name"] == "Men"
    assert ann("put", changed, first["document"], If_Match="*").json()["name"] == "Men"
    assert ann("get", f"{changed}history/4/").status_code == 404
    for number in range(4):
        ann("put", changed, {**DOCUMENT, "name": f"Men {number}"}, If_Match="*")
    found, address = [], f"{changed}history/?page_size=3"
    while address:
        page = ann("get", address).json()
        found += [one["number"] for one in page["results"]]
        address = (page["next"] or "").partition("/api/v1")[2]
    assert found == [7, 6, 5, 4, 3, 2, 1]
    answer = ann("post", f"{changed}history/1/label/", {"label": "Club night"})
    assert (answer.status_code, answer.json()["label"]) == (200, "Club night")
    assert Version.objects.get(number=1).label == "Club night"
    assert ann("post", f"{changed}history/1/label/", {"label": ""}).json()["label"] == ""
    assert ann("post", f"{changed}history/1/label/", {"label": "x" * 61}).status_code == 400
    assert ann("post", f"{changed}history/9/label/", {"label": "x"}).status_code == 404


def test_links_are_made_listed_opened_and_revoked(
    ann: Caller, nobody: Caller, changed: str
) -> None:
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
    address = f"/books/{book.json()['id']}/"
    assert book["Location"] == f"/api/v1{address}"
    read = ann("get", address)
    assert read.json() == book.json()
    assert ann("get", address, If_None_Match=read["ETag"]).status_code == 304
    told = ann("get", "/books/").json()["results"]
    assert told == [{key: book.json()[key] for key in book.json() if key != "document"}]
    again = {**BOOK, "name": "Mill watch"}
    assert ann("put", address, again).status_code == 428
    assert ann("put", address, again, If_Match='"other"').status_code == 412
    moved = ann("put", address, {**BOOK, "system": "chainmail-2002", "units": []}, If_Match="*")
    assert (moved.status_code, moved.json()["detail"]) == (
        422,
        "A book can’t move to another game.",
    )
    replaced = ann("put", address, again, If_Match=read["ETag"])
    assert (replaced.status_code, replaced.json()["name"]) == (200, "Mill watch")
    assert ann("delete", address, If_Match=read["ETag"]).status_code == 412
    assert ann("delete", address, If_Match=replaced["ETag"]).status_code == 204
    assert ann("get", address).status_code == 404


def test_an_invalid_book_is_refused_with_the_place_of_every_mistake(ann: Caller) -> None:
    bodies = (
        *({**BOOK, "units": [{"id": "x"}]}, {**BOOK, "system": "chess"}, DOCUMENT),
        *(b"{", b"", b"[" * 2000),
    )
    for body in bodies:
        answer = ann("post", "/books/", body)
        assert (answer.status_code, answer.json()["status"]) == (422, 422), body
    wrong = {**BOOK, "units": [{**BOOK["units"][0], "points": "many"}, {"id": "x"}]}
    where = pointers(ann("post", "/books/", wrong))
    assert any(pointer.startswith("/units/0") for pointer in where)
    assert any(pointer.startswith("/units/1") for pointer in where)
    assert not OwnBook.objects.exists()


def test_a_list_takes_an_own_book_as_it_is_now(ann: Caller, bob: Caller, book: Any) -> None:
    own = book.json()["id"]
    unit = {"id": "u1", "unit": f"{own}/miller", "models": 10}
    document = {**DOCUMENT, "books": [{"id": own}], "units": [unit]}
    stored = ann("post", "/lists/", document)
    assert stored.status_code == 201, stored.content
    revision = book.json()["revision"]
    assert stored.json()["document"]["books"] == [{"id": own, "revision": revision}]
    assert ann("get", f"{place(stored)}report/").json()["spent"] == 300
    assert bob("post", "/lists/", document).status_code == 422
