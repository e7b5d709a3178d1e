"""Texts read by the API: the document, and what became of each line."""

import io
import json
import zipfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.battlescribe.rosters import write_rosz
from armybuilder.loading.library import shipped_library
from tests.api.calls import DOCUMENT, Caller
from tests.building.documents import value_of
from tests.exchange import packs
from tests.exchange.pasted import text_of
from tests.sheets.papers import example

pytestmark = pytest.mark.long

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


def test_every_line_is_reported_and_its_reading_can_be_changed(nobody: Caller) -> None:
    told = read(nobody, ELVES)
    assert (told["system"], told["books"], told["told"]) == ("t9a-2023", ["highborn-elves"], False)
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
    choices = {"unit-2": "highborn-elves/commander", "piece-3-1": "-", "unit-3": "-"}
    told = read(nobody, ELVES, choices=choices)
    assert told["lines"][1]["unit"]["unit"] == "highborn-elves/commander"
    assert [unit["unit"] for unit in told["document"]["units"]] == ["highborn-elves/commander"]
    listed = example("sbh/gruks-green-flood")
    told = read(nobody, text_of(listed, "markdown"), system="sbh")
    assert (told["doubts"], told["lost"]) == (0, 0)
    assert len(told["document"]["units"]) == len(listed["units"])


@pytest.mark.slow
def test_the_edition_is_chosen_or_one_fits_all_lists_or_none_has_the_points(nobody: Caller) -> None:
    units = "{} - High Prince, General\n{} - 10 Citizen Archers\n{}\n\n"
    older, dear = units.format(235, 150, 385), units.format(999, 998, 1997)
    assert read(nobody, f"Highborn Elves 2023\n{older}")["told"] is True
    told = read(nobody, f"Highborn Elves\n{dear}")
    sentence = (
        "The points match no edition here: 0 of {0} lines with 2023, 0 of {0} with 2024, "
        "0 of {0} with 3rd edition."
    )
    assert (told["told"], told["disagreement"]) == (False, sentence.format(2))
    assert read(nobody, f"Highborn Elves\n{older}")["disagreement"] == ""
    told = read(nobody, f"Anna, Highborn Elves\n{dear}Béla, Highborn Elves\n{dear}")
    assert told["disagreement"] == sentence.format(4)
    text = "".join(f"{name}, Highborn Elves\n{older}" for name in ("Anna", "Béla"))
    told = read(nobody, f"{text}Cem, Highborn Elves\n{units.format(199, 186, 385)}")
    assert [one["system"] for one in told["lists"]] == ["t9a-2023"] * 3


@pytest.mark.slow
def test_unknown_games_and_books_and_unreadable_texts_are_refused(nobody: Caller) -> None:
    for more, said in (
        ({"system": "chess"}, "no such game"),
        ({"system": "t9a-2023", "books": ["nowhere"]}, "no such book"),
        ({"books": ["highborn-elves"]}, "no such book"),
    ):
        assert said in read(nobody, ELVES, 422, **more)["detail"]
    for body in ({}, {"text": ""}, {"text": ["a"]}, {"text": None}):
        assert nobody("post", "/read/", body).status_code in (400, 422), body
    for nothing in (" ", "\n", "x\r\n"):  # a megabyte of it
        answer = nobody("post", "/read/", {"text": nothing * (1 << 20)})
        assert answer.status_code in (400, 413, 422), nothing
        assert answer.json()["detail"]
    for name in ("army.json", "army.rosz", "army.csv", "army.txt", "army.zip"):
        for raw in (b"", b"{", b"PK\x03\x04", b"\xff\xfe<"):
            told = read_file(nobody, name, raw)
            assert told["lists"] == [], (name, raw)
            assert all(one["problem"].endswith(".") for one in told["refused"]), (name, raw)
    nameless = nobody("post", "/read/file/", b"{}", Content_Type="application/octet-stream")
    assert nameless.status_code == 400


@pytest.mark.slow
@settings(max_examples=25)
@given(
    text=st.text(max_size=200), choices=st.dictionaries(st.text(max_size=9), st.text(max_size=9))
)
def test_any_text_is_answered(nobody: Caller, text: str, choices: dict[str, str]) -> None:
    answer = nobody("post", "/read/", {"text": text, "choices": choices})
    assert answer.status_code < 500


@pytest.mark.slow
def test_a_text_with_many_lists_gives_each_of_them(nobody: Caller) -> None:
    text = packs.pack(["comma", "ours", "short"], 3)
    told = read(nobody, text)
    assert (told["document"], told["lines"], told["doubts"], told["lost"]) == (None, [], 0, 0)
    assert [one["name"] for one in told["lists"]][:3] == ["Anna “Crow” Bold", "", "יוסי כהן"]
    assert told["lists"][1]["document"]["name"] == "Béla Kis"
    assert [one["first"] for one in told["lists"]][:2] == [1, 17]
    documents = [one["document"] for one in told["lists"]]
    lines = nobody("post", "/batch/", {"documents": documents}).json()
    assert [line["spent"] for line in lines] == [4471, 4500, 4475]
    alone = read(nobody, text, one=True)
    assert (alone["lists"], bool(alone["document"])) == ([], True)
    assert read(nobody, ELVES)["lists"] == []


def batch(nobody: Caller, status: int = 200, **body: Any) -> Any:
    answer = nobody("post", "/batch/", body)
    assert answer.status_code == status, answer.content
    return answer.json()


def test_texts_are_judged_in_a_batch_each_of_their_lists_that_is_clear(nobody: Caller) -> None:
    text = packs.pack(["comma", "ours", "short"], 3)
    alone = text_of(example("t9a-2023/the-princes-dragon"), "compact")
    lines = batch(nobody, documents=[DOCUMENT], texts=[text, alone])
    assert [line["source"] for line in lines] == ["/documents/0", *["/texts/0"] * 3, "/texts/1"]
    assert [line["first"] for line in lines][:3] == [None, 1, 17]
    assert [line["spent"] for line in lines[1:4]] == [4471, 4500, 4475]
    assert (lines[1]["name"], lines[2]["name"]) == ("Anna “Crow” Bold", "Béla Kis")
    assert (lines[4]["legal"], lines[4]["problem"]) == (True, "")
    (unclear,) = batch(nobody, texts=[ELVES])
    assert unclear["legal"] is None
    assert "Bring soup." in unclear["problem"]
    texts = ["Soup.", "x\n" * 50_000, "Warband\n10 Human Warrior, 300"]
    nothing, too_long, whole = batch(nobody, texts=texts, system="sbh")
    assert nothing["problem"] == "No unit was found in the text."
    assert "too long" in too_long["problem"]
    assert (whole["game"], whole["spent"]) == ("sbh", 300)
    for body, said in (
        ({"texts": "Highborn Elves"}, "list of documents, of texts"),
        ({"lists": []}, "list of documents, of texts"),
        ({"texts": [1]}, "must be a string"),
        ({"texts": [ELVES], "system": "chess"}, "no such game"),
        ({"texts": [ELVES], "system": []}, "no such game"),
    ):
        assert said in batch(nobody, 422, **body)["detail"], body


def read_file(nobody: Caller, name: str, raw: bytes, status: int = 200) -> Any:
    answer = nobody(
        "post", f"/read/file/?name={name}", raw, Content_Type="application/octet-stream"
    )
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_zip_is_read_file_by_file_and_a_roster_with_remarks(nobody: Caller) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("ten.json", json.dumps(DOCUMENT))
        archive.writestr("broken.json", "{")
    told = read_file(nobody, "lists.zip", packed.getvalue())
    assert [one["document"] for one in told["lists"]] == [DOCUMENT]
    assert [one["name"] for one in told["refused"]] == ["broken.json"]
    army = value_of(example("t9a-2023/the-princes-dragon"))
    told = read_file(nobody, "army.rosz", write_rosz(army, shipped_library()))
    (one,) = told["lists"]
    assert told["refused"] == []
    assert nobody("post", "/validate/", one["document"]).json()["spent"] == one["printed"]


HALVES = "Doubles, 600 points\n\nAnna\nHuman Leader 60\n\nBob\nOrc Boss 60\n5 Orc Warriors 115\n"


@pytest.mark.slow
def test_a_text_of_perhaps_several_lists_says_so_and_is_split_on_request(
    nobody: Caller,
) -> None:
    told = read(nobody, HALVES)
    assert (len(told["document"]["units"]), told["lists"]) == (3, [])
    assert told["perhaps"] == [{"first": 1, "name": "Anna"}, {"first": 6, "name": "Bob"}]
    several = read(nobody, HALVES, several=True)
    assert [one["name"] for one in several["lists"]] == ["Anna", "Bob"]
    assert (several["perhaps"], several["document"]) == ([], None)
    assert read(nobody, HALVES, one=True)["perhaps"] == []
    assert read(nobody, ELVES, several=True)["lists"] == []
    (line,) = batch(nobody, texts=[HALVES])
    assert line["problem"] == "The text may contain 2 lists: Anna, Bob."
