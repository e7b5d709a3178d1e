"""The API for everyone: games and books, verdicts on documents, one shape of error."""

import json
from typing import Any

import pytest
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.test import Client, override_settings

from armybuilder.accounts.models import Token
from armybuilder.api import verdicts
from armybuilder.api.docs import description
from armybuilder.api.verdicts import MAX_DOCUMENTS
from armybuilder.lists.models import ArmyList
from armybuilder.loading.library import shipped_library
from tests.api.calls import DOCUMENT as LEGAL
from tests.api.calls import Caller


def test_systems_are_listed_with_their_books(nobody: Caller) -> None:
    systems = nobody("get", "/systems/").json()
    assert [system["id"] for system in systems] == list(shipped_library().systems)
    books = {book["id"]: book for system in systems for book in system["books"]}
    revision = shipped_library().books["sbh"]["profiles"].revision
    assert books["profiles"]["revision"] == revision


def test_a_book_tells_its_units(nobody: Caller) -> None:
    book = nobody("get", "/systems/sbh/books/profiles/").json()
    warrior = next(unit for unit in book["units"] if unit["ref"] == "profiles/orc-warchief")
    assert warrior["points"] == 100
    assert warrior["abilities"] == ["Leader", "Tough"]


def test_a_unit_tells_its_options_as_documents_name_them(nobody: Caller) -> None:
    unit = nobody("get", "/systems/t9a-2023/books/highborn-elves/units/high-prince/").json()
    names = {option["id"]: option for option in unit["options"]}
    book = shipped_library().books["t9a-2023"]["highborn-elves"]
    assert set(names) == set(book.units["highborn-elves/high-prince"].offer.slots)
    assert any(option["options"] for option in unit["options"])
    assert unit["profiles"]


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("q=warchief", {"profiles/orc-warchief"}),
        ("ability=leader&points_from=100", {"profiles/orc-warchief"}),
        ("ability=Tough&points_to=100", {"profiles/orc-warchief"}),
    ],
)
def test_units_are_found_by_what_they_are(nobody: Caller, query: str, holds: set[str]) -> None:
    found = nobody("get", f"/systems/sbh/units/?{query}").json()
    assert holds <= {unit["ref"] for unit in found["results"]}
    assert found["count"] < len(shipped_library().books["sbh"]["profiles"].units)


def test_units_are_found_by_category_and_special_rule(nobody: Caller) -> None:
    found = nobody("get", "/systems/t9a-2023/units/?group=characters&ability=fearless").json()
    assert found["count"] >= 5
    for unit in found["results"]:
        rules = [*unit["abilities"], *(rule for one in unit["profiles"] for rule in one["rules"])]
        assert "Fearless" in rules, unit["ref"]
        assert "characters" in unit["categories"]


def test_units_come_in_pages(nobody: Caller) -> None:
    first = nobody("get", "/systems/t9a-2023/units/?book=highborn-elves&page_size=10").json()
    assert first["count"] == len(shipped_library().books["t9a-2023"]["highborn-elves"].units)
    second = Client().get(first["next"]).json()
    assert len(first["results"]) == len(second["results"]) == 10
    assert first["results"] != second["results"]


def test_a_legal_document_is_legal(nobody: Caller) -> None:
    report = nobody("post", "/validate/", LEGAL).json()
    assert report["legal"] is True
    assert (report["spent"], report["findings"]) == (300, [])


def test_an_illegal_document_says_why(nobody: Caller) -> None:
    (finding,) = nobody("post", "/validate/", {**LEGAL, "limit": 299}).json()["findings"]
    assert finding["code"] == "points.over"
    assert (finding["measured"], finding["allowed"], finding["units"]) == (300, 299, ["u1"])


def test_sentences_are_in_the_readers_language(nobody: Caller) -> None:
    answer = nobody("post", "/validate/", {**LEGAL, "limit": 299}, Accept_Language="de")
    (finding,) = answer.json()["findings"]
    assert "Punkte" in finding["sentence"]


def test_choices_tell_what_would_break(nobody: Caller) -> None:
    told = nobody("post", "/choices/", LEGAL).json()
    assert len(told) == len(shipped_library().books["sbh"]["profiles"].units)
    warrior = next(choice for choice in told if choice["unit"] == "profiles/human-warrior")
    assert warrior["points"] == 30
    assert [finding["code"] for finding in warrior["breaks"]] == ["points.over"]


def test_two_documents_are_compared(nobody: Caller) -> None:
    told = nobody("post", "/diff/", {"before": LEGAL, "after": {**LEGAL, "units": []}}).json()
    assert [unit["kind"] for unit in told["units"]] == ["gone"]
    verdict = told["numbers"][0]
    assert verdict["before"] == "Legal"


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"before": LEGAL}, []),
        ({"before": LEGAL, "after": 5}, ["/after"]),
        ({"before": LEGAL, "after": {**LEGAL, "limit": "x"}}, ["/after/limit"]),
        ({"before": {**LEGAL, "system": "none"}, "after": LEGAL}, ["/before"]),
    ],
)
def test_mistakes_in_one_of_two_documents_have_their_place(
    nobody: Caller, body: Any, where: list[str]
) -> None:
    answer = nobody("post", "/diff/", body)
    assert answer.status_code == 422
    assert [problem["pointer"] for problem in answer.json()["problems"]] == where


def test_many_documents_are_judged_each_for_itself(nobody: Caller) -> None:
    documents = [LEGAL, {**LEGAL, "limit": 200}, {**LEGAL, "limit": "x"}, "nothing"]
    lines = nobody("post", "/batch/", {"documents": documents}).json()
    assert [line["legal"] for line in lines] == [True, False, None, None]
    assert lines[1]["codes"] == ["points.over"]
    assert lines[2]["problems"][0]["pointer"] == "/documents/2/limit"
    assert lines[3]["problem"]
    assert [(line["source"], line["first"]) for line in lines[:2]] == [
        ("/documents/0", None), ("/documents/1", None)]  # fmt: skip


def test_a_batch_has_its_limit(nobody: Caller) -> None:
    documents = [LEGAL] * (MAX_DOCUMENTS + 1)
    assert nobody("post", "/batch/", {"documents": documents}).status_code == 422
    assert nobody("post", "/batch/", {"documents": LEGAL}).status_code == 422
    texts = {"documents": [LEGAL] * MAX_DOCUMENTS, "texts": ["x"]}
    assert nobody("post", "/batch/", texts).status_code == 422


def test_a_document_is_printed_as_pdf_and_as_text(nobody: Caller) -> None:
    pdf = nobody("post", "/sheet/?kinds=compact,judge&paper=A5", LEGAL)
    assert pdf["Content-Type"] == "application/pdf"
    assert pdf.content.startswith(b"%PDF-")
    text = nobody("post", "/text/?form=markdown", LEGAL)
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert "Ten men" in text.content.decode()


@pytest.mark.parametrize(
    "address",
    [
        *("/sheet/?paper=B9", "/sheet/?kinds=none", "/text/?form=none", "/text/?kind=none"),
        *("/sheet/?prices=AAA", "/sheet/?notes=true", "/sheet/?backs=", "/sheet/?paper="),
        *("/sheet/?size=huge", "/sheet/?cards=poker,A6"),
    ],
)
def test_what_is_not_offered_is_refused(nobody: Caller, address: str) -> None:
    assert nobody("post", address, LEGAL).status_code == 422


def test_open_answers_ask_the_database_for_nothing(
    nobody: Caller, db: None, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        assert nobody("post", "/validate/", LEGAL).status_code == 200
        assert nobody("get", "/systems/").status_code == 200


def test_a_token_costs_a_verdict_one_query_and_opens_nothing_once_it_is_revoked(
    ann: Caller, django_assert_num_queries: Any
) -> None:
    assert ann("post", "/validate/", LEGAL).status_code == 200
    with django_assert_num_queries(1):
        assert ann("post", "/validate/", LEGAL).status_code == 200
    Token.objects.all().delete()
    for method, address in (("post", "/validate/"), ("get", "/lists/")):
        told(ann(method, address, LEGAL if method == "post" else None), 401)


def test_a_token_that_may_only_read_changes_nothing(ann: Caller) -> None:
    address = f"/lists/{ann.store().json()['id']}/"
    Token.objects.update(scope="read")
    assert ann("get", address).status_code == 200
    assert ann("get", f"{address}report/").status_code == 200
    assert ann("post", "/validate/", LEGAL).status_code == 200, "nothing is stored"
    for method, place, body in (
        ("post", "/lists/", LEGAL),
        ("put", address, LEGAL),
        ("delete", address, None),
        ("post", f"{address}frozen/", {"view": "open"}),
    ):
        problem = told(ann(method, place, body), 403)
        assert "read-only" in problem["detail"], (method, place)
    assert ArmyList.objects.filter(deleted=None).count() == 1


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"{", 422, "not JSON"),
        (b"[]", 422, "must be an object"),
        (b"", 422, "body is empty"),
        (b'"' + b"x" * 600_000 + b'"', 422, "at most 512 KB"),
        (b"[" * 100_000, 422, "nested"),
        ({**LEGAL, "system": "none"}, 422, "no game system"),
        ({**LEGAL, "limit": "many"}, 422, "/limit"),
    ],
)
def test_errors_have_one_shape(nobody: Caller, body: Any, status: int, said: str) -> None:
    problem = told(nobody("post", "/validate/", body), status)
    assert said in problem["detail"]


def told(answer: Any, status: int) -> Any:
    """The problem that an answer tells of, which has the shape of all."""
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


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
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
    ],
)
def test_wrong_addresses_and_methods_have_the_same_shape(
    nobody: Caller, method: str, address: str, status: int
) -> None:
    told(getattr(nobody.client, method)(nobody.start + address), status)


def test_an_address_without_its_slash_is_told(nobody: Caller) -> None:
    nobody.client = Client(enforce_csrf_checks=True)
    assert "slash" in told(nobody("post", "/validate", LEGAL), 404)["detail"]


def test_other_media_types_are_refused_both_ways(nobody: Caller) -> None:
    told(nobody("post", "/validate/", b"a,b", Content_Type="text/csv"), 415)
    told(nobody("post", "/validate/", LEGAL, Accept="image/png"), 406)
    told(nobody("post", "/sheet/", LEGAL, Accept="image/png"), 406)
    told(nobody("post", "/sheet/?paper=B9", LEGAL, Accept="application/pdf"), 422)


def test_a_mistake_of_ours_is_told_without_its_trace(
    nobody: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_given: Any) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(verdicts, "judge", broken)
    problem = told(nobody("post", "/validate/", LEGAL), 500)
    assert "secret" not in json.dumps(problem)
    assert "secret" in caplog.text


def test_what_goes_wrong_around_the_views_has_the_shape_too(nobody: Caller) -> None:
    told(nobody("get", "/systems/", Host="elsewhere.example"), 400)


@pytest.mark.parametrize(
    ("error", "status"),
    [(RequestDataTooBig, 413), (BadRequest, 400), (SuspiciousOperation, 400)],
)
def test_what_django_refuses_on_the_way_has_the_shape_too(
    nobody: Caller, monkeypatch: pytest.MonkeyPatch, error: type[Exception], status: int
) -> None:
    def refusing(*_given: Any) -> None:
        raise error

    monkeypatch.setattr(verdicts, "judge", refusing)
    told(nobody("post", "/validate/", LEGAL), status)


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


def test_a_whole_number_may_be_written_with_a_point(nobody: Caller) -> None:
    plain = nobody("post", "/validate/", LEGAL)
    limit = f'"limit": {LEGAL["limit"]}'.encode()
    raw = json.dumps(LEGAL).encode()
    assert limit in raw
    for written in (b'"limit": %d.0' % LEGAL["limit"], b'"limit": %de0' % LEGAL["limit"]):
        answer = nobody("post", "/validate/", raw.replace(limit, written))
        assert answer.json() == plain.json(), written
    half = b'"limit": %d.5' % LEGAL["limit"]
    assert nobody("post", "/validate/", raw.replace(limit, half)).status_code == 422


def test_what_is_asked_for_in_an_address_may_be_empty_and_holds_no_nul(nobody: Caller) -> None:
    everything = nobody("get", "/systems/sbh/units/").json()["count"]
    for query in ("q=", "q=&book=&group=&ability="):
        assert nobody("get", f"/systems/sbh/units/?{query}").json()["count"] == everything
    problem = told(nobody("get", "/systems/sbh/units/?q=%00"), 400)
    assert problem["problems"][0]["pointer"] == "?q"
    described = json.loads(description())["paths"]["/api/v1/systems/{system_id}/units/"]["get"]
    (asked,) = [one for one in described["parameters"] if one["name"] == "q"]
    assert asked["schema"]["pattern"] == "^[^\\u0000]*$"
    assert "minLength" not in asked["schema"]
