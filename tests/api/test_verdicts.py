"""Verdicts, choices, differences, batches and sheets of documents, for everyone."""

import json
from typing import Any

import pytest

from armybuilder.api import verdicts
from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from tests.api.calls import DOCUMENT as LEGAL
from tests.api.calls import Caller

EXAMPLE = CATALOGUE_DIR / "sbh" / "examples" / "rangers-of-the-hollow-oak.json"
RANGERS = json.loads(EXAMPLE.read_text("utf-8"))


def test_a_document_is_legal_or_says_why_and_choices_what_would_break(nobody: Caller) -> None:
    report = nobody("post", "/validate/", LEGAL).json()
    assert (report["legal"], report["spent"], report["findings"]) == (True, 300, [])
    over = {**LEGAL, "limit": 299}
    (finding,) = nobody("post", "/validate/", over).json()["findings"]
    assert finding["code"] == "points.over"
    assert (finding["measured"], finding["allowed"], finding["units"]) == (300, 299, ["u1"])
    (german,) = nobody("post", "/validate/", over, Accept_Language="de").json()["findings"]
    assert "Punkte" in german["sentence"]
    plain = nobody("post", "/validate/", LEGAL)
    limit = f'"limit": {LEGAL["limit"]}'.encode()
    raw = json.dumps(LEGAL).encode()
    assert limit in raw
    for written in (b'"limit": %d.0' % LEGAL["limit"], b'"limit": %de0' % LEGAL["limit"]):
        answer = nobody("post", "/validate/", raw.replace(limit, written))
        assert answer.json() == plain.json(), written
    half = b'"limit": %d.5' % LEGAL["limit"]
    assert nobody("post", "/validate/", raw.replace(limit, half)).status_code == 422
    told = nobody("post", "/choices/", LEGAL).json()
    assert len(told) == len(shipped_library().books["sbh"]["profiles"].units)
    warrior = next(choice for choice in told if choice["unit"] == "profiles/human-warrior")
    assert warrior["points"] == 30
    assert [finding["code"] for finding in warrior["breaks"]] == ["points.over"]


def test_the_answer_has_the_verdicts_of_event_and_game(nobody: Caller) -> None:
    alone = nobody("post", "/validate/", RANGERS).json()
    both = nobody("post", "/validate/?pack=raven-cup", RANGERS).json()
    event = both.pop("event")
    assert both == alone
    assert (both["legal"], event["legal"]) == (True, False)
    assert event["verdict"] == "not legal at this event: 1 error"
    assert [(one["code"], one["origin"]) for one in event["findings"]] == [("event.size", "event")]
    assert event["pack"]["revision"] == shipped_library().packs["raven-cup"].revision
    for pack, status in (("nobody", 422), ("../x", 400), ("lantern-cup", 422)):
        answer = nobody("post", f"/validate/?pack={pack}", RANGERS)
        assert answer.status_code == status, pack
        assert answer["Content-Type"] == "application/problem+json"


def test_many_documents_are_judged_each_for_itself(
    nobody: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [LEGAL, {**LEGAL, "limit": 200}, {**LEGAL, "limit": "x"}, "nothing"]
    lines = nobody("post", "/batch/", {"documents": documents}).json()
    assert [line["legal"] for line in lines] == [True, False, None, None]
    assert lines[1]["codes"] == ["points.over"]
    assert lines[2]["problems"][0]["pointer"] == "/documents/2/limit"
    assert lines[3]["problem"]
    sources = [(line["source"], line["first"]) for line in lines[:2]]
    assert sources == [("/documents/0", None), ("/documents/1", None)]
    assert nobody("post", "/batch/", {"documents": LEGAL}).status_code == 422
    monkeypatch.setattr(verdicts, "MAX_DOCUMENTS", 3)
    assert nobody("post", "/batch/", {"documents": documents}).status_code == 422
    assert nobody("post", "/batch/", {"documents": [LEGAL] * 3}).status_code == 200
    both = {"documents": [LEGAL] * 3, "texts": ["x"]}
    assert nobody("post", "/batch/", both).status_code == 422


def test_documents_are_compared_and_printed_as_far_as_offered(nobody: Caller) -> None:
    # Two documents are compared and their mistakes have their place.
    told = nobody("post", "/diff/", {"before": LEGAL, "after": {**LEGAL, "units": []}}).json()
    assert [unit["kind"] for unit in told["units"]] == ["gone"]
    assert told["numbers"][0]["before"] == "Legal"
    for body, where in (
        ({"before": LEGAL}, []),
        ({"before": LEGAL, "after": 5}, ["/after"]),
        ({"before": LEGAL, "after": {**LEGAL, "limit": "x"}}, ["/after/limit"]),
        ({"before": {**LEGAL, "system": "none"}, "after": LEGAL}, ["/before"]),
    ):
        answer = nobody("post", "/diff/", body)
        assert answer.status_code == 422
        assert [problem["pointer"] for problem in answer.json()["problems"]] == where
    # A document is printed as pdf and as text as far as offered.
    pdf = nobody("post", "/sheet/?kinds=compact,judge&paper=A5", LEGAL)
    assert pdf["Content-Type"] == "application/pdf"
    assert pdf.content.startswith(b"%PDF-")
    text = nobody("post", "/text/?form=markdown", LEGAL)
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert "Ten men" in text.content.decode()
    for query in (
        *("sheet/?paper=B9", "sheet/?kinds=none", "text/?form=none", "text/?kind=none"),
        *("sheet/?prices=AAA", "sheet/?notes=true", "sheet/?backs=", "sheet/?paper="),
        *("sheet/?size=huge", "sheet/?cards=poker,A6"),
    ):
        assert nobody("post", f"/{query}", LEGAL).status_code == 422, query


def test_open_answers_ask_the_database_for_nothing(
    nobody: Caller, db: None, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        assert nobody("post", "/validate/", LEGAL).status_code == 200
        assert nobody("get", "/systems/").status_code == 200
