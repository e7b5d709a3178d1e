"""Texts read by the API: the document, and what became of each line."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.calls import Caller
from tests.exchange import packs
from tests.exchange.pasted import text_of
from tests.sheets.printed import example

ELVES = """Highborn Elves
235 - High Prince, General
2x10 Citizen Archers, Musician, Wings of Wax
Bring soup.
555
"""


def read(nobody: Caller, text: str, status: int = 200, **more: Any) -> Any:
    answer = nobody("post", "/read/", {"text": text, **more})
    assert answer.status_code == status, answer.content
    return answer.json()


def test_every_line_is_told_and_the_document_can_be_judged(nobody: Caller) -> None:
    told = read(nobody, ELVES)
    assert (told["system"], told["books"], told["told"]) == ("t9a-2023", ["highborn-elves"], True)
    assert (told["printed"], told["doubts"], told["lost"]) == (555, 1, 1)
    kinds = [(line["number"], line["kind"], line["state"]) for line in told["lines"]]
    assert kinds == [
        (1, "game", "ok"),
        (2, "unit", "ok"),
        (3, "unit", "doubt"),
        (4, "unread", "lost"),
        (5, "total", ""),
        (6, "empty", ""),
    ]
    archers = told["lines"][2]["unit"]
    assert (archers["unit"], archers["times"], archers["models"]) == (
        "highborn-elves/citizen-archers",
        2,
        10,
    )
    assert [(one["name"], one["kind"]) for one in archers["pieces"]] == [
        ("Musician", "option"),
        ("", "unknown"),
    ]
    assert len(told["document"]["units"]) == 3
    assert "Bring soup." in told["document"]["notes"]
    verdict = nobody("post", "/validate/", told["document"])
    assert verdict.status_code == 200
    assert verdict.json()["spent"] == 555


def test_what_was_meant_can_be_said(nobody: Caller) -> None:
    choices = {"unit-2": "highborn-elves/commander", "piece-3-1": "-", "unit-3": "-"}
    told = read(nobody, ELVES, choices=choices)
    assert told["lines"][1]["unit"]["unit"] == "highborn-elves/commander"
    assert [unit["unit"] for unit in told["document"]["units"]] == ["highborn-elves/commander"]


def test_a_text_of_ours_comes_back(nobody: Caller) -> None:
    listed = example("sbh/gruks-green-flood")
    told = read(nobody, text_of(listed, "markdown"), system="sbh")
    assert (told["doubts"], told["lost"]) == (0, 0)
    assert len(told["document"]["units"]) == len(listed["units"])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"system": "chess"}, "no such game"),
        ({"system": "t9a-2023", "books": ["nowhere"]}, "no such book"),
        ({"books": ["highborn-elves"]}, "no such book"),
    ],
)
def test_what_is_not_there_is_told(nobody: Caller, more: dict[str, Any], said: str) -> None:
    assert said in read(nobody, ELVES, 422, **more)["detail"]


@pytest.mark.parametrize("body", [{}, {"text": ""}, {"text": ["a"]}, {"text": None}])
def test_a_body_without_a_text_is_refused(nobody: Caller, body: Any) -> None:
    assert nobody("post", "/read/", body).status_code in (400, 422)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    text=st.text(max_size=200), choices=st.dictionaries(st.text(max_size=9), st.text(max_size=9))
)
def test_any_text_is_answered(nobody: Caller, text: str, choices: dict[str, str]) -> None:
    answer = nobody("post", "/read/", {"text": text, "choices": choices})
    assert answer.status_code < 500


def test_a_text_with_many_lists_gives_each_of_them(nobody: Caller) -> None:
    text = packs.pack(["comma", "ours", "short"], 6)
    told = read(nobody, text)
    assert (told["document"], told["lines"], told["doubts"], told["lost"]) == (None, [], 0, 0)
    assert [one["name"] for one in told["lists"]][:3] == ["Anna “Crow” Bold", "", "יוסי כהן"]
    assert told["lists"][1]["document"]["name"] == "Béla Kis"
    assert [one["first"] for one in told["lists"]][:2] == [1, 17]
    documents = [one["document"] for one in told["lists"]]
    lines = nobody("post", "/batch/", {"documents": documents}).json()
    assert [line["spent"] for line in lines] == [4471, 4500, 4475] * 2
    alone = read(nobody, text, one=True)
    assert (alone["lists"], bool(alone["document"])) == ([], True)
    assert read(nobody, ELVES)["lists"] == []
