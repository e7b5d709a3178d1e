"""The quickened schema check finds what jsonschema's own finds, where it finds it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from armybuilder.loading.schemas import SCHEMA_DIR, validator
from tests.documents import army, skirmish
from tests.properties.lists import FEW, lists, strange_lists

Data = dict[str, Any]


def plain(name: str) -> Any:
    """jsonschema's own validator of a schema; 100.0 is no whole number for it either."""
    checker = Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    own = extend(Draft202012Validator, type_checker=checker)
    return own(json.loads((SCHEMA_DIR / f"{name}.schema.json").read_text(encoding="utf-8")))


PLAIN = plain("armylist")

values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 10**6) | st.floats(0, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every place in JSON data: what holds it, and the key or number."""
    if not isinstance(data, dict | list):
        return []
    keys = list(data) if isinstance(data, dict) else list(range(len(data)))
    return [(data, key) for key in keys] + [at for key in keys for at in places(data[key])]


@st.composite
def spoilt(draw: st.DrawFn) -> Data:
    """A list in which a few values are others."""
    document = draw(lists() | strange_lists() | st.sampled_from([army(), skirmish("sbh")]))
    document = json.loads(json.dumps(document))
    for _ in range(draw(st.integers(0, 3))):
        holder, key = draw(st.sampled_from(places(document)))
        holder[key] = draw(values)
    return document


def mistakes(checker: Any, data: Any) -> set[tuple[tuple[Any, ...], str]]:
    found = checker.iter_errors(data)
    return {(tuple(error.absolute_path), str(error.validator)) for error in found}


@FEW
@given(spoilt() | values)
def test_mistakes_are_those_of_jsonschema_in_the_same_places(data: Any) -> None:
    assert mistakes(validator("armylist"), data) == mistakes(PLAIN, data)


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [], {}, 1])
@pytest.mark.parametrize("kind", ["integer", "number", "string", "boolean", "null", "array"])
def test_types_are_those_of_json(value: object, kind: str) -> None:
    assert validator("armylist").is_type(value, kind) == PLAIN.is_type(value, kind)
