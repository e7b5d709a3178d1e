"""Whatever is sent is answered: with what was asked for, or with one shape of error."""

import json
from typing import Any

import pytest
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.test import Client, override_settings
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.accounts.models import Token
from armybuilder.api import verdicts
from armybuilder.api.urls import description
from armybuilder.lists.models import ArmyList
from tests.api.calls import DOCUMENT, Caller
from tests.effort import tries

VERDICTS = ["/validate/", "/choices/", "/diff/", "/batch/", "/sheet/", "/text/", "/lists/"]
ADDRESSES = [*VERDICTS, "/repair/", "/fill/", "/outlook/", "/explain/"]
FEW = settings(
    max_examples=tries(15),
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=8,
)


def problem_of(answer: Any, status: int) -> Any:
    """Return the problem that an answer tells of, which has the shape of all."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"].startswith("application/problem+json")
    problem = answer.json()
    keys = ["type", "title", "status", "detail", "request_id", "problems"]
    assert list(problem) == keys
    assert problem["request_id"] == answer["X-Request-ID"]
    assert (problem["type"], problem["status"]) == ("about:blank", status)
    assert problem["title"]
    assert problem["detail"]
    return problem


def test_a_token_costs_a_verdict_one_query_may_only_read_and_opens_nothing_once_revoked(
    ann: Caller, django_assert_num_queries: Any
) -> None:
    address = f"/lists/{ann.store().json()['id']}/"
    Token.objects.update(scope="read")
    assert ann("get", address).status_code == 200
    assert ann("get", f"{address}report/").status_code == 200
    assert ann("post", "/validate/", DOCUMENT).status_code == 200, "nothing is stored"
    for method, place, body in (
        ("post", "/lists/", DOCUMENT),
        ("put", address, DOCUMENT),
        ("delete", address, None),
        ("post", f"{address}frozen/", {"view": "open"}),
    ):
        problem = problem_of(ann(method, place, body), 403)
        assert "read-only" in problem["detail"], (method, place)
    assert ArmyList.objects.filter(deleted=None).count() == 1
    assert ann("post", "/validate/", DOCUMENT).status_code == 200
    with django_assert_num_queries(1):
        assert ann("post", "/validate/", DOCUMENT).status_code == 200
    Token.objects.all().delete()
    problem_of(ann("post", "/validate/", DOCUMENT), 401)
    problem_of(ann("get", "/lists/"), 401)


def test_wrong_bodies_addresses_methods_and_media_types_have_one_shape(nobody: Caller) -> None:
    for body, said in (
        (b"{", "not JSON"),
        (b"[]", "must be an object"),
        (b"", "body is empty"),
        (b'"' + b"x" * 600_000 + b'"', "at most 512 KB"),
        (b"[" * 100_000, "nested"),
        ({**DOCUMENT, "system": "none"}, "no game system"),
        ({**DOCUMENT, "limit": "many"}, "/limit"),
    ):
        assert said in problem_of(nobody("post", "/validate/", body), 422)["detail"]
    for method, address, status in (
        ("get", "/systems/none/books/none/", 404),
        ("get", "/systems/none/units/", 404),
        ("get", "/systems/sbh/books/profiles/units/none/", 404),
        ("get", "/systems/sbh/units/?page=99", 404),
        ("get", "/systems/sbh/units/?points_from=x", 400),
        ("get", "/validate/", 405),
        ("post", "/systems/", 405),
        ("options", "/systems/", 405),
        ("get", "/nothing/", 404),
        ("get", "/systems", 404),
        ("post", "/validate", 404),
        ("get", "/lists/", 401),
        ("get", "/frozen/none/", 401),
    ):
        problem_of(getattr(nobody.client, method)(nobody.start + address), status)
    problem_of(nobody("post", "/validate/", b"a,b", Content_Type="text/csv"), 415)
    problem_of(nobody("post", "/validate/", DOCUMENT, Accept="image/png"), 406)
    problem_of(nobody("post", "/sheet/", DOCUMENT, Accept="image/png"), 406)
    problem_of(nobody("post", "/sheet/?paper=B9", DOCUMENT, Accept="application/pdf"), 422)
    problem_of(nobody("get", "/systems/", Host="elsewhere.example"), 400)
    nobody.client = Client(enforce_csrf_checks=True)
    assert "slash" in problem_of(nobody("post", "/validate", DOCUMENT), 404)["detail"]


def test_errors_have_the_described_form_and_our_own_keep_their_traceback(
    nobody: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for error, status in (
        (RequestDataTooBig(), 413),
        (BadRequest(), 400),
        (SuspiciousOperation(), 400),
        (RuntimeError("secret"), 500),
    ):

        def raising(*_given: Any, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(verdicts, "judge", raising)
        assert "secret" not in json.dumps(
            problem_of(nobody("post", "/validate/", DOCUMENT), status)
        )
    assert "secret" in caplog.text


def test_other_sites_pages_may_not_call_unless_they_are_named(nobody: Caller) -> None:
    asked = {"Origin": "https://maps.example", "Access-Control-Request-Method": "POST"}

    def allowed() -> str | None:
        answer = nobody.client.options("/api/v1/validate/", headers=asked)
        found: str | None = answer.headers.get("Access-Control-Allow-Origin")
        return found

    assert allowed() is None
    with override_settings(CORS_ALLOWED_ORIGINS=["https://maps.example"]):
        assert allowed() == "https://maps.example"
        page = nobody.client.get("/", headers={"Origin": "https://maps.example"})
        assert "Access-Control-Allow-Origin" not in page.headers


def test_an_empty_query_value_is_accepted_and_a_nul_refused(nobody: Caller) -> None:
    everything = nobody("get", "/systems/sbh/units/").json()["count"]
    for query in ("q=", "q=&book=&group=&ability="):
        assert nobody("get", f"/systems/sbh/units/?{query}").json()["count"] == everything
    problem = problem_of(nobody("get", "/systems/sbh/units/?q=%00"), 400)
    assert problem["problems"][0]["pointer"] == "?q"
    described = json.loads(description())["paths"]["/api/v1/systems/{system_id}/units/"]["get"]
    (asked,) = [one for one in described["parameters"] if one["name"] == "q"]
    assert asked["schema"]["pattern"] == "^[^\\u0000]*$"
    assert "minLength" not in asked["schema"]


@st.composite
def broken_documents(draw: st.DrawFn) -> Any:
    """Draw the example's document with a value of it replaced by any other, or with one more."""
    document = json.loads(json.dumps(DOCUMENT))
    spots = [document, document["books"][0], document["units"][0]]
    spot = draw(st.sampled_from(spots))
    key = draw(st.sampled_from([*spot, "settings", "options", "profile", "card", "roles", "notes"]))
    spot[key] = draw(VALUES)
    return document


def answered(answer: Any) -> None:
    assert answer.status_code < 500, answer.content
    if answer.status_code >= 400:
        problem = answer.json()
        assert problem["status"] == answer.status_code
        assert problem["detail"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("address", ADDRESSES)
@FEW
@given(body=st.binary(max_size=200) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_answered(ann: Caller, address: str, body: bytes) -> None:
    answered(ann("post", address, body))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("address", ADDRESSES)
@FEW
@given(document=broken_documents())
def test_any_mistake_in_a_document_is_answered(ann: Caller, address: str, document: Any) -> None:
    wrapped = {
        "/diff/": {"before": DOCUMENT, "after": document},
        "/batch/": {"documents": [document, DOCUMENT]},
    }
    answered(ann("post", address, wrapped.get(address, document)))


@FEW
@given(texts=VALUES | st.lists(st.text(max_size=60), max_size=3), system=VALUES)
def test_any_batch_of_texts_is_answered(nobody: Caller, texts: Any, system: Any) -> None:
    answered(nobody("post", "/batch/", {"texts": texts, "system": system}))


@FEW
@given(query=st.dictionaries(st.sampled_from(["q", "page", "points_to", "ability"]), st.text()))
def test_any_question_for_units_is_answered(nobody: Caller, query: dict[str, str]) -> None:
    answered(nobody.client.get("/api/v1/systems/t9a-2023/units/", query))


@pytest.mark.slow
@FEW
@given(tag=st.text(st.characters(codec="latin-1", exclude_categories=["Cc"])))
def test_any_condition_is_answered(ann: Caller, tag: str) -> None:
    address = f"/lists/{ann.store().json()['id']}/"
    answered(ann("get", address, If_None_Match=tag))
    answered(ann("put", address, DOCUMENT, If_Match=tag))
