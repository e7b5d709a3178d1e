"""Repair, fill, look ahead and explain by program, of documents and of stored lists."""

from typing import Any
from uuid import uuid4

import pytest
from django.urls import resolve

from armybuilder.admission.marks import is_heavy
from armybuilder.api import solving
from armybuilder.lists.models import Version
from armybuilder.solving import cpsat
from tests.api.calls import DOCUMENT, Caller
from tests.api.record import ELEVEN, NINE

VERBS = {
    "repair": "repair/",
    "fill": "fill/",
    "answer": "answer/?ask=models",
    "outlook": "outlook/",
    "explain": "explain/",
}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what is found not depend on the machine."""
    monkeypatch.setattr(solving, "SECONDS", 60.0)


def test_a_list_gets_the_requested_number_of_fixes(nobody: Caller) -> None:
    told = nobody("post", "/repair/", ELEVEN).json()
    assert (told["legal"], told["impossible"]) == (False, False)
    first, *_others = told["repairs"]
    assert first["document"] == DOCUMENT
    assert (first["points"], first["spent"], first["proved"]) == (-30, 300, True)
    assert first["changes"] == ["Human Warrior: 1 fewer (−30 points)"]
    assert [unit["name"] for unit in first["difference"]["units"]] == ["Human Warrior"]
    report = nobody("post", "/validate/", first["document"]).json()
    assert report["legal"]
    none = nobody("post", "/repair/", DOCUMENT).json()
    assert none == {"legal": True, "repairs": [], "impossible": False}
    spider = {"id": "u2", "unit": "profiles/giant-spider", "models": 1}
    document = {**ELEVEN, "units": [*ELEVEN["units"], spider]}
    ways = nobody("post", "/repair/", document).json()["repairs"]
    assert len(ways) > 1
    assert len(nobody("post", "/repair/?number=1", document).json()["repairs"]) == 1
    kept = nobody("post", "/repair/?keep=u2", document).json()["repairs"]
    assert kept
    assert all(spider in way["document"]["units"] for way in kept)
    none = nobody("post", "/repair/?keep=u1&keep=u2", document).json()
    assert (none["repairs"], none["impossible"]) == ([], True)
    for query, status, said in (
        ("keep=u7", 422, "u7"),
        ("keep=u1/shield", 422, "u1/shield"),
        ("keep=u1:leader", 422, "u1:leader"),
        ("keep=everything", 422, "everything"),
        ("number=4", 400, ""),
        ("number=0", 400, ""),
    ):
        answer = nobody("post", f"/repair/?{query}", ELEVEN)
        assert answer.status_code == status, query
        assert said in answer.content.decode()


def test_a_list_is_filled_to_the_limit(nobody: Caller) -> None:
    told = nobody("post", "/fill/?seed=3", NINE).json()
    assert (told["found"], told["left"]) == (True, 0)
    assert nobody("post", "/validate/", told["document"]).json()["spent"] == 300
    assert nobody("post", "/fill/?seed=x", NINE).status_code == 400
    none = nobody("post", "/fill/", ELEVEN).json()
    assert (none["found"], none["document"], none["difference"]) == (False, None, None)
    told = nobody("post", "/answer/?ask=models", NINE).json()
    assert (told["name"], told["found"]) == ("Most models", True)
    men = sum(unit["models"] for unit in told["document"]["units"])
    assert men == told["value"] >= 10
    assert nobody("post", "/validate/", told["document"]).json()["legal"]
    cheapest = nobody("post", "/answer/?ask=cheapest", NINE).json()
    assert (cheapest["value"], cheapest["proved"]) == (270, True)
    over = nobody("post", "/answer/?ask=models", ELEVEN).json()
    assert (over["found"], over["value"], over["document"]) == (False, None, None)
    assert nobody("post", "/answer/", NINE).json() == told
    assert nobody("post", "/answer/?ask=gold", NINE).status_code == 422


@pytest.mark.slow
def test_wishes_change_the_suggestion(nobody: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "SECONDS", 0.3)  # of work, on any machine
    empty = {**DOCUMENT, "units": []}
    for wish, other in (("bodies", "few"), ("few", "bodies")):
        told = nobody("post", f"/fill/?seed=3&wish={wish}", empty).json()
        assert told["left"] == 0
        men = sum(unit["models"] for unit in told["document"]["units"])
        against = nobody("post", f"/fill/?seed=3&wish={other}", empty).json()["document"]
        others = sum(unit["models"] for unit in against["units"])
        assert (men > others) is (wish == "bodies")
    answer = nobody("post", "/fill/?wish=gold", empty)
    assert answer.status_code == 422
    assert "“gold”" in answer.content.decode()
    assert "no-copies" in answer.content.decode()


def test_the_outlook_of_a_list_and_its_conflicts_are_reported(nobody: Caller) -> None:
    told = nobody("post", "/outlook/", NINE).json()
    fates = {unit["unit"]: unit["fate"] for unit in told["units"]}
    assert told["whole"] == "open"
    assert fates["profiles/human-warrior"] == "open"
    assert fates["profiles/orc-warchief"] == "dead"
    assert nobody("post", "/outlook/", ELEVEN).json()["whole"] == "dead"
    told = nobody("post", "/explain/", ELEVEN).json()
    assert (told["found"], told["units"], told["proved"]) == (True, ["u1"], True)
    (rule,) = told["rules"]
    assert rule["rule"] == "/rules/0"
    assert rule["summary"]
    assert nobody("post", "/explain/", NINE).json()["found"] is False


def test_stored_lists_are_answered_likewise_and_stay_as_they_are(
    ann: Caller, nobody: Caller
) -> None:
    address = f"/lists/{ann.store(units=ELEVEN['units']).json()['id']}"
    for verb, call in VERBS.items():
        of_list = ann("get", f"{address}/{call}")
        assert of_list.status_code == 200
        assert of_list.json() == nobody("post", f"/{call}", ELEVEN).json(), verb
    assert Version.objects.count() == 1


def test_without_a_solver_the_answer_says_so(ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Any:
        raise cpsat.NoSolver

    monkeypatch.setattr(cpsat, "_helper", missing)
    address = f"/lists/{ann.store(units=ELEVEN['units']).json()['id']}"
    for call in VERBS.values():
        for answer in (ann("post", f"/{call}", ELEVEN), ann("get", f"{address}/{call}")):
            assert answer.status_code == 503, call
            assert answer["Content-Type"].startswith("application/problem+json")
            assert "not installed" in answer.json()["detail"]


def test_solver_calls_are_heavy_and_answer_when_time_is_up(
    nobody: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It proves nothing that is not so at a glance, and is not told as if it did."""
    in_time = {verb: nobody("post", f"/{call}", ELEVEN).json() for verb, call in VERBS.items()}
    monkeypatch.setattr(solving, "SECONDS", 0.000_001)
    for verb, call in VERBS.items():
        for address in (f"/api/v1/{verb}/", f"/api/v1/lists/{uuid4()}/{verb}/"):
            assert is_heavy(resolve(address).func)
        told = nobody("post", f"/{call}", ELEVEN)
        assert told.status_code == 200, verb
        assert not told.json().get("impossible") or in_time[verb]["impossible"]
        assert told.json().get("whole", "unknown") == "unknown"
