"""Lists by program: stored, read, replaced only as they were read, deleted; and nobody else's."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from armybuilder.api.docs import description
from armybuilder.api.parsing import etag_of
from armybuilder.lists import services
from armybuilder.lists.models import ArmyList, Version
from tests.api.calls import DOCUMENT, Caller


@pytest.fixture
def stored(ann: Caller) -> Any:
    return ann.store()


def place(answer: Any) -> str:
    return f"/lists/{answer.json()['id']}/"


def test_a_stored_list_is_the_users_and_can_be_read_again(ann: Caller, stored: Any) -> None:
    read = ann("get", place(stored))
    assert read.json() == stored.json()
    assert read.json()["document"] == DOCUMENT
    assert read["ETag"] == stored["ETag"] == etag_of(read.json())
    assert stored["Location"] == f"/api/v1{place(stored)}"
    assert ArmyList.objects.get().holder == ann.user.holder  # type: ignore[union-attr]


def test_a_list_may_be_stored_that_is_not_legal(ann: Caller) -> None:
    answer = ann.store(limit=100)
    assert ann("get", f"{place(answer)}report/").json()["legal"] is False


def test_what_cannot_be_judged_is_not_stored(ann: Caller) -> None:
    answer = ann("post", "/lists/", {**DOCUMENT, "system": "none"})
    assert answer.status_code == 422
    assert not ArmyList.objects.exists()


def test_a_list_is_replaced_as_it_was_read_and_keeps_what_was(ann: Caller, stored: Any) -> None:
    document = {**DOCUMENT, "name": "Others"}
    answer = ann("put", place(stored), document, If_Match=stored["ETag"])
    assert answer.status_code == 200
    assert answer.json()["name"] == "Others"
    assert answer["ETag"] != stored["ETag"]
    assert [
        version.document.to_dict()["name"] for version in Version.objects.order_by("number")
    ] == [
        "Ten men",
        "Others",
    ]


def test_the_same_document_again_makes_no_version(ann: Caller, stored: Any) -> None:
    assert ann("put", place(stored), DOCUMENT, If_Match=stored["ETag"])["ETag"] == stored["ETag"]
    assert Version.objects.count() == 1


def test_who_does_not_say_what_they_saw_replaces_nothing(ann: Caller, stored: Any) -> None:
    assert ann("put", place(stored), {**DOCUMENT, "name": "Others"}).status_code == 428
    assert Version.objects.count() == 1


@pytest.mark.parametrize("tag", ['"other"', "W/{etag}", "nonsense", ""])
def test_who_saw_another_state_replaces_and_deletes_nothing(
    ann: Caller, stored: Any, tag: str
) -> None:
    tag = tag.format(etag=stored["ETag"])
    changed = {**DOCUMENT, "name": "Others"}
    assert ann("put", place(stored), changed, If_Match=tag).status_code == 412
    assert ann("delete", place(stored), If_Match=tag).status_code == 412
    assert ann("get", place(stored))["ETag"] == stored["ETag"]


def test_of_two_programs_the_second_learns_that_it_is_late(ann: Caller, stored: Any) -> None:
    for name, status in (("First", 200), ("Second", 412)):
        document = {**DOCUMENT, "name": name}
        answer = ann("put", place(stored), document, If_Match=stored["ETag"])
        assert answer.status_code == status
    assert ann("get", place(stored)).json()["name"] == "First"


def test_a_change_between_reading_and_writing_is_noticed(
    ann: Caller, stored: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_given: Any) -> None:
        raise services.Conflict

    monkeypatch.setattr(services, "replace_document", late)
    assert ann("put", place(stored), DOCUMENT, If_Match=stored["ETag"]).status_code == 412


def test_any_state_may_be_replaced_on_purpose(ann: Caller, stored: Any) -> None:
    assert ann("put", place(stored), {**DOCUMENT, "limit": 400}, If_Match="*").status_code == 200


def test_who_has_a_state_is_not_sent_it_again(ann: Caller, stored: Any) -> None:
    answer = ann("get", place(stored), If_None_Match=stored["ETag"])
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer["ETag"] == stored["ETag"]
    assert ann("get", place(stored), If_None_Match='"other"').status_code == 200


def test_a_deleted_list_is_gone_here_and_can_be_restored(ann: Caller, stored: Any) -> None:
    assert ann("delete", place(stored)).status_code == 204
    assert ann("get", place(stored)).status_code == 404
    assert ann("delete", place(stored)).status_code == 404
    assert ArmyList.objects.get().deleted is not None


def test_lists_come_in_pages_and_by_game(ann: Caller) -> None:
    for number in range(3):
        ann.store(name=f"List {number}")
    ann.store(system="chainmail-2002", books=[{"id": "practice"}], units=[])
    page = ann("get", "/lists/?system=sbh&page_size=2").json()
    assert [entry["name"] for entry in page["results"]] == ["List 2", "List 1"]
    assert page["count"] == 3
    assert "cursor=" in page["next"]
    rest = ann.client.get(page["next"], headers=ann.headers).json()
    assert [entry["name"] for entry in rest["results"]] == ["List 0"]
    assert rest["next"] is None
    assert ann.client.get(rest["previous"], headers=ann.headers).json() == page
    assert ann("get", "/lists/?archived=true").json()["count"] == 0
    assert ann("get", "/lists/?archived=0").json()["count"] == 4


def test_a_page_may_be_asked_for_by_its_number(ann: Caller) -> None:
    for number in range(3):
        ann.store(name=f"List {number}")
    page = ann("get", "/lists/?page_size=2&page=2").json()
    assert [entry["name"] for entry in page["results"]] == ["List 0"]
    assert page["previous"].endswith("/lists/?page_size=2")


def test_nothing_is_told_twice_where_lists_come_meanwhile(ann: Caller) -> None:
    for number in range(4):
        ann.store(name=f"List {number}")
    page = ann("get", "/lists/?page_size=2").json()
    ann.store(name="New")
    rest = ann.client.get(page["next"], headers=ann.headers).json()
    assert [entry["name"] for entry in rest["results"]] == ["List 1", "List 0"]


def test_lists_changed_at_one_moment_are_all_told(ann: Caller) -> None:
    for number in range(5):
        ann.store(name=f"List {number}")
    ArmyList.objects.update(updated=timezone.now())
    told, address = [], "/api/v1/lists/?page_size=2"
    while address:
        page = ann.client.get(address, headers=ann.headers).json()
        told += [entry["name"] for entry in page["results"]]
        address = page["next"]
    assert sorted(told) == [f"List {number}" for number in range(5)]


@pytest.mark.parametrize(
    ("query", "status", "where"),
    [
        ("page=0", 404, []),
        ("cursor=x", 404, []),
        ("page=x", 404, []),
        ("archived=perhaps", 400, ["?archived"]),
    ],
)
def test_wrong_queries_are_told(ann: Caller, query: str, status: int, where: list[str]) -> None:
    answer = ann("get", f"/lists/?{query}")
    assert answer.status_code == status
    assert [problem["pointer"] for problem in answer.json()["problems"]] == where


def test_how_many_lists_there_are_costs_no_queries(
    ann: Caller, django_assert_num_queries: Any
) -> None:
    for _number in range(2):
        for _each in range(5):
            ann.store()
        with django_assert_num_queries(3):  # the token, the number of lists, the lists
            assert ann("get", "/lists/").status_code == 200


def routes_of_lists() -> Iterator[tuple[str, str, str]]:
    """Method, address and operation of everything that can be asked of one list."""
    for address, methods in json.loads(description())["paths"].items():
        if "{list_id}" in address:
            for method, operation in methods.items():
                yield method, address.removeprefix(Caller.start), operation["operationId"]


@pytest.mark.parametrize(("method", "address", "_name"), list(routes_of_lists()))
def test_nobody_reaches_a_list_of_another(
    ann: Caller, bob: Caller, nobody: Caller, stored: Any, method: str, address: str, _name: str
) -> None:
    """By no operation that the API has; its owner does."""
    other = bob.store().json()["id"]
    own = ann.store().json()["id"]
    listed = stored.json()["id"]
    link = ann("post", f"/lists/{listed}/links/", {}).json()["id"]
    places = {"list_id": listed, "number": "1", "link_id": link, "other_id": "{other_id}"}
    wanted = address.format(**places)
    body = {"put": DOCUMENT, "post": {"label": "Club night"}}.get(method)
    sent = {"If_Match": "*"} if method in ("put", "delete") else {}
    for caller, second, status in ((nobody, other, 401), (bob, other, 404), (ann, own, 200)):
        answer = caller(method, wanted.replace("{other_id}", second), body, **sent)
        assert answer.status_code // 100 * 100 == status // 100 * 100, caller.user
        if status != 200:
            assert answer.status_code == status
            assert b"Human Warrior" not in answer.content


def test_a_list_is_not_compared_with_one_of_another(ann: Caller, bob: Caller, stored: Any) -> None:
    other = bob.store().json()["id"]
    assert ann("get", f"{place(stored)}diff/{other}/").status_code == 404


def test_nobody_sees_the_lists_of_another_among_their_own(bob: Caller, stored: Any) -> None:
    assert bob("get", "/lists/").json()["count"] == 0


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"view": "none"}, ["/view"]),
        ({"name": "x" * 99}, ["/name"]),
        ({"name": 0}, ["/name"]),
        ({"name": False}, ["/name"]),
        ({"name": None}, ["/name"]),
    ],
)
def test_wrong_wishes_for_a_frozen_copy_have_their_place(
    ann: Caller, stored: Any, body: Any, where: list[str]
) -> None:
    answer = ann("post", f"{place(stored)}frozen/", body)
    assert answer.status_code == 400
    assert [problem["pointer"] for problem in answer.json()["problems"]] == where


def test_answers_about_lists_are_for_their_owner_alone(ann: Caller, stored: Any) -> None:
    answer = ann("get", place(stored))
    assert "private" in answer["Cache-Control"]
    assert {"Authorization", "Cookie"} <= set(answer["Vary"].split(", "))


def test_a_token_that_is_not_valid_is_refused(nobody: Caller, stored: Any) -> None:
    for header in ("Bearer ab_" + "x" * 43, "Bearer", "Basic YTpi", "", "Bearer ab_\xe9"):
        answer = nobody("get", place(stored), Authorization=header)
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_browser_that_is_signed_in_needs_its_csrf_token_to_change_something(
    ann: Caller, stored: Any
) -> None:
    browser = Caller()
    browser.client = type(browser.client)(enforce_csrf_checks=True)
    browser.client.force_login(ann.user)  # type: ignore[arg-type]
    assert browser("get", place(stored)).status_code == 200
    assert browser("delete", place(stored)).status_code == 403
    assert ann("get", place(stored)).status_code == 200


def test_a_frozen_copy_is_found_by_its_hash_and_only_by_its_owner(
    ann: Caller, bob: Caller, nobody: Caller, stored: Any
) -> None:
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


def test_two_lists_are_compared(ann: Caller, stored: Any) -> None:
    units = json.loads(json.dumps(DOCUMENT["units"]))
    units[0]["models"] = 9
    other = ann.store(units=units).json()["id"]
    told = ann("get", f"{place(stored)}diff/{other}/").json()
    (unit,) = told["units"]
    assert (unit["kind"], unit["before"], unit["after"]) == ("changed", 300, 270)
    assert ann("get", f"{place(stored)}diff/{uuid4()}/").status_code == 404


def test_a_list_is_printed(ann: Caller, stored: Any) -> None:
    answer = ann(
        "get", f"{place(stored)}sheet/?kinds=compact&paper=letter", Accept="application/pdf"
    )
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")
    assert "Human Warrior" in ann("get", f"{place(stored)}text/?form=lines").content.decode()
