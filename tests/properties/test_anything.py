"""Whatever comes in, the answer is a report or a refusal, never a crash."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.engine import Report, choices, validate
from armybuilder.engine.sentences import sentence
from armybuilder.loading.documents import (
    canonical,
    catalogue_of,
    make_roster,
    read_document,
)
from armybuilder.loading.jsontext import canonical_json
from armybuilder.loading.problems import Refusal
from tests.building.documents import value_of
from tests.effort import tries
from tests.properties.lists import LAW, LIBRARY, lists, strange_lists

pytestmark = pytest.mark.long

Data = dict[str, Any]

MANY = settings(LAW, max_examples=tries(150))


def texts_of(report: Report) -> list[str]:
    """Everything a page would read of the report."""
    texts = [sentence(found) for found in report.findings]
    texts += [fact.text for _, fact in report.facts]
    texts += [gauge.name for gauge in report.gauges]
    texts += [str(found.head.citation) for found in report.findings]
    assert report.spent >= 0
    assert set(report.lines) <= {pick.id for pick in report.full.roster.picks}
    return texts


@pytest.mark.slow
@MANY
@given(strange_lists())
def test_a_list_of_strange_words_is_judged_or_refused_and_the_strange_words_are_reported(
    document: Data,
) -> None:
    try:
        read = read_document(canonical_json(document))
        catalogue = catalogue_of(value_of(read), LIBRARY)
        roster = make_roster(value_of(read), catalogue)
    except Refusal as refusal:
        check_refusal(refusal)
        return
    report = validate(roster, catalogue)
    assert all(texts_of(report))
    choices(roster, catalogue, list(catalogue.units.values())[:2])
    assert [pick.id for pick in roster.picks] == [unit["id"] for unit in document["units"]]
    system = catalogue.system
    unknown = {
        (found.code, found.values["name"], found.units)
        for found in report.findings
        if found.code.endswith(".unknown")
    }
    for unit in document["units"]:
        where = (unit["id"],)
        if "unit" in unit and unit["unit"] not in catalogue.units:
            assert ("unit.unknown", unit["unit"], where) in unknown
        elif "unit" in unit:
            for option in unit.get("options", ()):
                assert ("option.unknown", option["id"], where) in unknown
        elif not system.own_models:
            assert ("unit.unknown", unit["profile"]["name"], where) in unknown
        else:
            for use in unit["profile"]["abilities"]:
                told_of = ("ability.unknown", use["ability"], where) in unknown
                assert told_of is (use["ability"] not in system.abilities)
        for role in unit.get("roles", ()):
            assert (("role.unknown", role, where) in unknown) is (role not in system.roles)
    for name in document["settings"]:
        assert (("setting.unknown", name, ()) in unknown) or name in system.settings
    for book in document["books"]:
        missing = book["id"] not in LIBRARY.books[system.id]
        assert (("book.unknown", book["id"], ()) in unknown) is missing
    if unknown:
        assert not report.legal


def check_refusal(refusal: Refusal) -> None:
    """A refusal is one sentence that a person can read, however long what was sent."""
    assert refusal.sentence.endswith(".")
    assert len(refusal.sentence) < 500


def read(raw: bytes) -> None:
    try:
        document = read_document(raw)
    except Refusal as refusal:
        check_refusal(refusal)
    else:
        assert read_document(canonical(document)) == document


@MANY
@given(st.binary(max_size=200))
def test_random_bytes_are_read_or_refused(raw: bytes) -> None:
    read(raw)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@MANY
@given(VALUES)
def test_random_json_is_read_or_refused(value: Any) -> None:
    read(json.dumps(value).encode())


@MANY
@given(lists(most=3), st.data())
def test_a_list_with_one_wild_value_is_read_or_refused(document: Data, data: st.DataObject) -> None:
    """Somewhere in a good document a value becomes anything at all, or a key gets company."""
    places: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        keys = (
            value
            if isinstance(value, dict)
            else range(len(value))
            if isinstance(value, list)
            else ()
        )
        for key in keys:
            places.append((value, key))
            walk(value[key])

    walk(document)
    holder, key = data.draw(st.sampled_from(places))
    if isinstance(holder, dict) and data.draw(st.booleans()):
        holder[data.draw(st.text(max_size=8))] = data.draw(VALUES)
    else:
        holder[key] = data.draw(VALUES)
    read(json.dumps(document).encode())


@MANY
@given(lists(most=2), st.data())
def test_a_list_with_a_byte_changed_is_read_or_refused(document: Data, data: st.DataObject) -> None:
    raw = bytearray(canonical_json(document))
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] = data.draw(st.integers(0, 255))
    read(bytes(raw))
