"""The value of a list says all that its document says: written back, it has the same bytes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.loading import limits
from armybuilder.loading.armylist import ArmyList, changed
from armybuilder.loading.documents import canonical, canonical_json, check_document
from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.loading.quick_checks import SCHEMA_DIR
from armybuilder.loading.schemas import schema_problems
from tests.building.documents import SKIRMISH, army, skirmish
from tests.effort import tries
from tests.golden import adapter, check

SCHEMA = json.loads((SCHEMA_DIR / "armylist.schema.json").read_text(encoding="utf-8"))
GOLDEN = Path(adapter.__file__).parent

Strategy = st.SearchStrategy[Any]


def of_schema(node: dict[str, Any]) -> Strategy:
    """Whatever a part of the schema accepts; lists and objects stay short."""
    if "$ref" in node:
        name = node["$ref"].removeprefix("#/$defs/")
        return st.deferred(lambda: of_schema(SCHEMA["$defs"][name]))
    if "const" in node:
        return st.just(node["const"])
    if "type" not in node:
        return st.one_of(*map(of_schema, node["anyOf"]))
    return {
        "null": lambda _node: st.none(),
        "integer": lambda node: st.integers(node["minimum"], node["maximum"]),
        "string": text_of,
        "array": list_of,
        "object": object_of,
    }[node["type"]](node)


def text_of(node: dict[str, Any]) -> Strategy:
    if "pattern" not in node:
        letters = st.characters(exclude_categories=["Cs"])
        return st.text(letters, min_size=node.get("minLength", 0), max_size=12)
    wanted = re.compile(node["pattern"].removesuffix("$(?!\n)") + r"\Z")
    return st.from_regex(wanted).filter(lambda text: len(text) <= node.get("maxLength", 200))


def list_of(node: dict[str, Any]) -> Strategy:
    return st.lists(of_schema(node["items"]), max_size=3, unique=node.get("uniqueItems", False))


def object_of(node: dict[str, Any]) -> Strategy:
    if "properties" not in node:
        keys = of_schema(node["propertyNames"]) if "propertyNames" in node else st.text(max_size=8)
        return st.dictionaries(keys, of_schema(node["additionalProperties"]), max_size=3)
    fields = {key: of_schema(value) for key, value in node["properties"].items()}
    if "anyOf" not in node:
        return fixed(fields, node.get("required", ()))
    ways = [branch["required"] for branch in node["anyOf"]]
    others = [key for way in ways for key in way]
    return st.one_of(
        *(
            fixed(
                {key: value for key, value in fields.items() if key in way or key not in others},
                [*node["required"], *way],
            )
            for way in ways
        )
    )


def fixed(fields: dict[str, Strategy], required: Any) -> Strategy:
    return st.fixed_dictionaries(
        {key: fields[key] for key in required},
        optional={key: value for key, value in fields.items() if key not in required},
    )


def says_the_same(data: dict[str, Any]) -> None:
    value = ArmyList.from_dict(data)
    assert canonical(value) == canonical_json(data)
    assert ArmyList.from_dict(value.to_dict()) == value


@settings(max_examples=tries(150), deadline=None)
@given(of_schema(SCHEMA))
def test_a_document_of_the_schema_is_written_back_as_it_was(data: dict[str, Any]) -> None:
    assert schema_problems("armylist", data, "drawn") == []
    says_the_same(data)


def kept() -> dict[str, dict[str, Any]]:
    """Every document in the repository, by where it stands."""
    found = {file.name: check.read(file) for file in CATALOGUE_DIR.glob("*/examples/*.json")}
    armies = (GOLDEN / "armies").glob("*.json")
    found |= {file.name: check.read(file)["document"] for file in armies}
    for place in check.cases_in(adapter.CASES_DIR) + check.cases_in(GOLDEN / "own"):
        system = shipped_library().system(check.system_of(*place))
        found[check.name_of(place)] = adapter.document_of(place[1], system)
    return {"army": army(), **{system: skirmish(system) for system in SKIRMISH}, **found}


def test_every_document_of_the_repository_is_written_back_as_it_was() -> None:
    for data in kept().values():
        says_the_same(data)


def test_a_value_stays_equal_to_one_of_the_same_document_alone() -> None:
    data = skirmish("sbh")
    for other in ({**data, "notes": ""}, {**data, "name": "Other"}, {**data, "limit": 499}):
        assert check_document(other) != check_document(data)
    assert check_document(data) == check_document(dict(reversed(data.items())))
    value = check_document(skirmish("chainmail-2002"))
    with pytest.raises(AttributeError):
        value.name = "Other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        value.settings["terrain"] = ()  # type: ignore[index]
    data = skirmish("sbh")
    assert "notes" not in changed(check_document({**data, "notes": "Old."}), notes="").to_dict()
    kept_empty = check_document({**data, "notes": ""})
    assert kept_empty.to_dict()["notes"] == ""
    assert "notes" not in changed(kept_empty, notes="").to_dict()
    value = check_document(army())
    value.to_dict()["units"].clear()
    assert len(value.units) == 15, "the document is the reader's own"


def test_each_limit_is_that_of_the_schema() -> None:
    parts = SCHEMA["$defs"]
    unit, option, inner = (parts[name]["properties"] for name in ("unit", "option", "inner"))
    values = SCHEMA["properties"]["settings"]["additionalProperties"]["anyOf"]
    assert {
        "MAX_UNITS": SCHEMA["properties"]["units"]["maxItems"],
        "MAX_LIMIT": SCHEMA["properties"]["limit"]["maximum"],
        "MAX_NAME": parts["name"]["maxLength"],
        "MAX_NOTES": parts["notes"]["maxLength"],
        "MAX_MODELS": unit["models"]["maximum"],
        "MAX_OPTIONS": unit["options"]["maxItems"],
        "MAX_TIMES": option["number"]["maximum"],
        "MAX_PIECES": next(one["maxItems"] for one in values if "maxItems" in one),
    } == {name: value for name, value in vars(limits).items() if name.startswith("MAX_")}
    assert inner["number"]["maximum"] == limits.MAX_TIMES
    assert option["options"]["maxItems"] == inner["options"]["maxItems"] == limits.MAX_OPTIONS
    options: list[object] = ["x"]
    for _each in range(limits.DEEPEST - 1):
        options = [{"id": "x", "options": options}]
    data = {**skirmish("sbh"), "units": [{"id": "u1", "unit": "a/b", "models": 1}]}
    data["units"][0]["options"] = options
    assert check_document(data)
    data["units"][0]["options"] = [{"id": "x", "options": options}]
    with pytest.raises(Refusal):
        check_document(data)
