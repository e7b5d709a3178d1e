"""Whatever is sent is answered, with a verdict or with what is wrong: never with a 500."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.calls import DOCUMENT, Caller
from tests.effort import tries

VERDICTS = ["/validate/", "/choices/", "/diff/", "/batch/", "/sheet/", "/text/", "/lists/"]
ADDRESSES = [*VERDICTS, "/repair/", "/fill/", "/outlook/", "/explain/"]
FEW = settings(
    max_examples=tries(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def broken_documents(draw: st.DrawFn) -> Any:
    """The example's document with a value of it replaced by any other, or with one more."""
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


@pytest.mark.parametrize("address", ADDRESSES)
@FEW
@given(body=st.binary(max_size=200) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_answered(ann: Caller, address: str, body: bytes) -> None:
    answered(ann("post", address, body))


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


@FEW
@given(tag=st.text(st.characters(codec="latin-1", exclude_categories=["Cc"])))
def test_any_condition_is_answered(ann: Caller, tag: str) -> None:
    address = f"/lists/{ann.store().json()['id']}/"
    answered(ann("get", address, If_None_Match=tag))
    answered(ann("put", address, DOCUMENT, If_Match=tag))
