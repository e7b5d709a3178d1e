"""Lists as tables: nothing is lost on the way there and back, and tables of anyone are safe."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.exchange.csvs import (
    COLUMNS,
    MAX_CSV,
    plain_text,
    read_csv,
    safe_text,
    text_value,
    value_text,
    write_csv,
)
from armybuilder.lists.models import Version
from armybuilder.loading.documents import read_document
from armybuilder.loading.problems import Refusal
from tests.building.documents import SKIRMISH, army, skirmish, value_of
from tests.conftest import Builder
from tests.properties.lists import FEW, LIBRARY, strange_lists
from tests.sheets.test_promises import listed

Data = dict[str, Any]


def there_and_back(document: Data) -> Data:
    return read_csv(write_csv(value_of(document), LIBRARY).encode("utf-8-sig")).to_dict()


def rows(document: Data) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(write_csv(value_of(document), LIBRARY), newline="")))


def of_kind(document: Data, kind: str) -> list[dict[str, str]]:
    return [row for row in rows(document) if row["kind"] == kind]


def table(*lines: str, head: str = "kind,unit,id,name,number,value,more") -> bytes:
    return "\n".join((head, "list,,sbh,A list,300,,", *lines)).encode()


def test_a_list_of_every_game_comes_back_as_it_was() -> None:
    for document in (army(), *map(skirmish, SKIRMISH)):
        assert there_and_back(document) == document
    without_settings = {**skirmish("sbh"), "notes": ""}
    del without_settings["settings"]
    for document in (*({**skirmish("sbh"), **odd} for odd in ODD), without_settings):
        assert read_document(json.dumps(document).encode()).to_dict() == document
        assert there_and_back(document) == document


@FEW
@given(listed() | strange_lists())
def test_random_lists_and_those_that_name_anything_come_back_as_they_were(document: Data) -> None:
    try:
        read = read_document(json.dumps(document).encode())
    except Refusal:
        return
    assert there_and_back(document) == read.to_dict()


#: What the schema allows and hardly any list has: nothing in places where something may be.
ODD: list[Data] = [
    {"notes": ""},
    {"settings": {"a": 5, "b": "5", "c": None, "d": [], "e": "null", "f": ["hill", "a/b"]}},
    {"units": [{"id": "u1", "unit": "a/b", "models": 1, "roles": [], "options": [], "notes": ""}]},
    {"units": [{"id": "u1", "unit": "a/b", "models": 1, "card": {}}]},
    {"units": [{"id": "u1", "unit": "a/b", "models": 1, "card": {"ratings": {}, "points": 3}}]},
    {"units": [{"id": "u1", "unit": "a/b", "models": 1,
                "card": {"attributes": {"x/y": "z"}, "ratings": {"r": 2}, "points": 0}}]},
    {"units": [{"id": "u9", "models": 1, "profile": {"name": "=1+1", "stats": {}, "abilities": [
        {"ability": "x", "target": ""}, {"ability": "x", "target": " Orcs"}]}}]},
    {"units": [{"id": "u1", "unit": "a/b", "models": 1, "options": [
        {"id": "a", "options": [{"id": "b", "number": 2, "on": "x", "options": ["c", "c"]},
                                {"id": "b", "options": []}]},
        {"id": "a", "options": [{"id": "b", "options": ["d"]}]}]}]},
    {"units": [{"id": "u1", "unit": "a/b", "models": 1, "name": "'-@",
                "notes": "=A1\r\n\"x\",;\t"}]},
]  # fmt: skip


def test_each_unit_and_option_has_a_row_with_its_name_and_points() -> None:
    document = army()
    entries = of_kind(document, "unit")
    assert [row["unit"] for row in entries] == [unit["id"] for unit in document["units"]]
    assert (entries[0]["name"], entries[0]["number"], entries[0]["roles"]) == (
        "High Prince", "1", "general",
    )  # fmt: skip
    options = [row for row in of_kind(document, "option") if row["unit"] == "u1"]
    assert len(options) == len(document["units"][0]["options"])
    priced = sum(int(row["points"]) for row in options)
    assert 0 < priced < int(entries[0]["points"])
    (head,) = of_kind(document, "list")
    assert int(head["points"]) == sum(int(row["points"]) for row in entries)
    document = {**skirmish("sbh"), "system": "no-such"}
    assert {row["points"] for row in rows(document)} == {""}
    assert there_and_back(document) == document


@FEW
@given(st.text(max_size=12) | st.from_regex(r"\A'*[=+@-]?[a-z']*\Z"))
def test_no_text_is_a_formula_and_each_comes_back(text: str) -> None:
    assert not safe_text(text).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert plain_text(safe_text(text)) == text


@FEW
@given(st.text(max_size=12) | st.integers(0, 9999) | st.none() | st.lists(st.text(max_size=3)))
def test_each_value_comes_back(value: Any) -> None:
    try:
        assert text_value(value_text(value)) == value
    except Refusal:  # a NUL, which no list may hold
        assert "\\u0000" in json.dumps(value)


def test_a_table_written_by_hand_needs_few_columns_and_no_ids() -> None:
    raw = table(
        "BOOK,,profiles", "unit,,profiles/troll,,2", "unit,u7,profiles/human-leader,,1",
        "unit,,profiles/troll,,1", "option,,sword", "option,u7,shield",
    )  # fmt: skip
    read = read_csv(raw).to_dict()
    assert [unit["id"] for unit in read["units"]] == ["u8", "u7", "u9"]
    assert read["units"][1]["options"] == [{"id": "shield"}]
    assert read["units"][2]["options"] == [{"id": "sword"}]
    assert (read["name"], read["limit"], read["settings"]) == ("A list", 300, {})
    document = {**skirmish("sbh"), "name": "Grün"}
    cells = list(csv.reader(io.StringIO(write_csv(value_of(document), LIBRARY), newline="")))
    for separator in (";", "\t"):
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=separator).writerows(cells)
        for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
            assert read_csv(out.getvalue().encode(encoding)).to_dict() == document, encoding


def test_what_is_no_table_of_a_list_is_refused_in_a_sentence() -> None:
    for raw, said in (
        (b"", "its first row has no column"),
        (b"name,points\nA,5", "its first row has no column"),
        (b"kind,id\nbook,x", "no row of the kind"),
        (b"kind,id\nlist,sbh", "“” is not a whole number"),
        (table("list,,sbh,Another,300"), "In row 3: a table holds one list"),
        (table("squad,,x"), "In row 3: “squad” is not a kind of row. Write list or book"),
        (table("option,,x"), "is not above"),
        (table("unit,,a/b,,1", "option,,x/y"), "it is taken on is not above"),
        (table("unit,,a/b,,1", "option,u2,x"), "is not above"),
        (table("unit,,a/b,,1", "stat,,quality,,3"), "only custom models"),
        (table("unit,,a/b,,1", "card,,colour,,3"), "the id of a card"),
        (table("unit,,a/b,,many"), "In row 3: “many” is not a whole number"),
        (table('unit,,a/b,,1,,"[1]"'), "cannot be read"),
        (table('unit,,a/b,,1,,"{""a"": NaN}"'), "NaN"),
        (table("unit,,a/b,,1000"), "1000 is above 999"),
        (table("unit,u1,a/b,,1", "unit,u1,a/b,,1"), "is taken"),
        (table("unit,,a/b\0,,1"), "NUL"),
        (table("unit,,a/b,,1", "option,,a", "option,,a/b", "option,,a/b/c,,2"), "only have an id"),
        (table(f"unit,,a/b,{'x' * 200_000},1"), "too long"),
        (b"\x81kind", "That is not text"),
        (b"x" * (MAX_CSV + 1), "maximum 2048 KB"),
        (table(*["option,,x"] * 9), "is not above"),
        (table('unit,,a/b,,1,,"' + "[" * 5000 + '"'), "cannot be read"),
    ):
        with pytest.raises(Refusal) as refused:
            read_csv(raw)
        assert said in refused.value.sentence
    for lines in (
        ['unit,,a/b,,1,,"{""id"": null}"'],
        ['unit,,a/b,,1,,"{""id"": [1]}"'],
        ['unit,,,x,1,,"{""profile"": 5}"', "stat,,a,,1"],
        ['unit,,a/b,,1,,"{""options"": 5}"', "option,,a"],
        ['unit,,a/b,,1,,"{""card"": 5}"', "card,,points,,1"],
        ['unit,,a/b,,1,,"{""card"": {""ratings"": null}}"', "card,,ratings/x,,1"],
    ):
        with pytest.raises(Refusal) as refused:
            read_csv(table(*lines))
        assert refused.value.sentence == "In row 3: “more” cannot be read.", lines


#: What cells hold, and what breaks them.
CELLS = [
    *("list", "unit", "option", "card", "stat", "1", "setting", "book", "{}", "[", "ability"),
    *("a/b", "ratings/x", "'=", *'abc/",\n'),
]


@FEW
@given(st.lists(st.lists(st.sampled_from(CELLS), max_size=12), max_size=8))
def test_whatever_a_table_says_it_is_a_list_or_refused(cells: list[list[str]]) -> None:
    text = ",".join(COLUMNS) + "\nlist,,sbh,L,5\n" + "\n".join(",".join(row) for row in cells)
    try:
        read = read_csv(text.encode())
    except Refusal:
        return
    assert there_and_back(read.to_dict()) == read.to_dict()


@pytest.mark.django_db
def test_a_list_is_saved_as_a_table_by_its_owner_and_opened_again(
    client: Client, build: Callable[..., Builder]
) -> None:
    builder = build("chainmail-2002", limit=100, books=["practice"])
    builder.act("add", unit="practice/millbrook-spearhand")
    saved = client.get(f"{builder.url}list.csv")
    assert saved["Content-Type"] == "text/csv; charset=utf-8"
    assert "Test-list.csv" in saved["Content-Disposition"]
    assert b"list.csv" in client.get(f"{builder.url}export/").content
    upload = SimpleUploadedFile("mine.CSV", saved.content)
    answer = client.post("/lists/open/", {"file": upload})
    assert answer.status_code == 302
    first, second = Version.objects.filter(act="Imported from a file.") | Version.objects.filter(
        pk=builder.version.pk
    )
    assert first.document == second.document
    builder = build("sbh", limit=300, books=["profiles"])
    assert Client().get(f"{builder.url}list.csv").status_code == 404
