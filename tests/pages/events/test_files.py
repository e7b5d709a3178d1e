"""What the files of an event say of its lists, for people and for other programs."""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import replace
from typing import Any

import pytest

from armybuilder.events.models import Submission
from armybuilder.exchange.files import clear_list
from armybuilder.loading.library import shipped_library
from tests.events.builders import TIMES, legal_list
from tests.pages.events.people import People
from tests.pdfs import text_of

pytestmark = pytest.mark.django_db


def table_of(content: bytes) -> list[dict[str, str]]:
    """The rows of a table, by its columns."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def two_lists() -> People:
    """One list that is legal in the game and not at the event, late and with a penalty; and one
    that is legal and accepted.
    """
    people = People(late_allowed=True, ladder={"Late list": -3})
    people.submit(people.player("Anne"))
    people.post(people.owner, "entries/1/decide/", what="accepted", seen="1")
    elif_ = people.player("Elif")
    late = TIMES.due + (TIMES.corrected - TIMES.due) / 2
    assert people.submit(elif_, replace(legal_list(), limit=400), now=late).status_code == 302
    key = "6f1d1f0e-5c0f-4a8e-9c55-0f4f3f1c6a11"
    people.post(people.owner, "entries/2/points/", late, reason="Late list", key=key)
    return people


def test_files_tell_both_verdicts_and_what_became_of_a_list() -> None:
    people = two_lists()
    told = people.get(people.owner, "lists/csv/", TIMES.revealed).content
    anne, elif_ = table_of(told)
    wanted = ("legal", "legal_in_game", "state", "late", "extra_points")
    assert [anne[one] for one in wanted] == ["yes", "yes", "accepted", "no", "0"]
    assert [elif_[one] for one in wanted] == ["no", "yes", "entered", "yes", "-3"]
    assert "Legal · not at this event: 1 error · To check · late." in elif_["list"]
    archive = zipfile.ZipFile(
        io.BytesIO(people.get(people.owner, "lists/zip/", TIMES.revealed).content)
    )
    assert archive.read("lists.csv") == told
    assert "not at this event" in archive.read("0002-Elif.txt").decode()
    (_anne, entry) = people.get(people.owner, "lists/json/", TIMES.revealed).json()["entries"]
    assert [entry[one] for one in wanted] == [False, True, "entered", True, -3]


def test_the_booklet_says_what_the_event_makes_of_each_list() -> None:
    people = two_lists()
    booklet = people.get(people.owner, "lists/booklet.pdf", TIMES.revealed)
    said = " ".join(text_of(booklet.content).split())
    assert "Not at this event: 1 error · To check · late" in said
    assert "Legal at this event · Accepted" in said


def test_a_text_with_both_verdicts_is_read_back() -> None:
    people = two_lists()
    row = table_of(people.get(people.owner, "lists/csv/", TIMES.revealed).content)[1]
    found = clear_list(row["list"], shipped_library(), "sbh")
    kept: Any = Submission.objects.latest("pk").document
    assert [one.ref for one in found.units] == [one.ref for one in kept.units]
