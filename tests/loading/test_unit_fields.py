"""The description of a unit's fields is whole: it names what a book's file may say of a unit, and
what a unit is made of.
"""

import json
from collections import Counter
from dataclasses import fields
from typing import Any

from armybuilder.engine.units import Unit
from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.unit_fields import (
    UNIT_FIELDS,
    Form,
    UnitField,
    certainty_words,
    price_remark,
)
from tests.building.tiny import book_data

SCHEMA = json.loads((CATALOGUE_DIR / "schema" / "book.schema.json").read_text(encoding="utf-8"))
PROPERTIES = SCHEMA["$defs"]["unit"]["properties"]
GUIDE = (CATALOGUE_DIR / "README.md").read_text(encoding="utf-8")
#: What a unit has of its place in the catalogue.
PLACED = {"ref", "book", "book_name", "own"}
#: What is worked out of what the file says.
WORKED_OUT = {
    *("tags", "army_tags", "shifts", "ratings", "smallest", "blanks", "faults", "plain", "fresh"),
}
ASKED = [field for field in UNIT_FIELDS if field.form and field.form.label]


def keys(field: UnitField) -> tuple[str, ...]:
    return (field.key, *field.also)


def test_all_that_a_file_may_say_of_a_unit_is_described_also_in_the_guide() -> None:
    described = {key for field in UNIT_FIELDS for key in keys(field)}
    assert described | {"id"} == set(PROPERTIES)
    told = {key for key in PROPERTIES if f"`{key}`" in GUIDE or f'"{key}"' in GUIDE}
    assert set(PROPERTIES) - told == set()


def test_every_attribute_of_a_unit_is_read_by_one_field_or_worked_out_and_asked_for_once() -> None:
    read = Counter(field.name for field in UNIT_FIELDS if field.read)
    assert set(read.values()) == {1}
    assert set(read) | PLACED | WORKED_OUT == {field.name for field in fields(Unit)}
    assert not set(read) & (PLACED | WORKED_OUT)
    asked = Counter(field.key for field in UNIT_FIELDS if field.form)
    assert set(asked.values()) == {1}


def allowed(schema: Any) -> dict[str, Any]:
    """What the schema allows, its reference looked up."""
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return SCHEMA["$defs"][name] if name else schema


def test_the_form_takes_no_more_than_the_file_may_hold() -> None:
    for field in ASKED:
        form, schema = field.form, allowed(PROPERTIES[field.key])
        assert isinstance(form, Form)
        if form.kind == "number":
            assert form.most <= schema["maximum"], field.key
        elif schema.get("type") == "string":
            assert form.most <= schema["maxLength"], field.key
    assert schema_problems("book", book(), "mine.json") == []
    for field in ASKED:
        (problem,) = schema_problems("book", book(**{field.key: {"wrong": 1.5}}), "mine.json")
        assert problem.pointer.startswith(f"/units/0/{field.key}")


def book(**said: Any) -> dict[str, Any]:
    unit = {"id": "ann", "name": "Ann", "points": 3, **said}
    return book_data(unit, id="mine", system="chainmail-2002", kind="own")


def test_a_remark_on_the_price_is_that_of_the_field_that_is_set() -> None:
    assert price_remark({"name": "Ann"}) is None
    assert price_remark({"suggested": False}) is None
    remark = price_remark({"suggested": True})
    assert remark is not None
    assert (str(remark.mark), str(remark.each)) == ("suggested", "suggested each")
    library = shipped_library()
    books = (book for books in library.books.values() for book in books.values())
    told = {unit.certainty: certainty_words(unit) for book in books for unit in book.units.values()}
    assert told[""] == ""
    assert told["rulebook-probable"] == "numbers probably from the rulebook"
    assert all(words.startswith("numbers ") for sure, words in told.items() if sure)
