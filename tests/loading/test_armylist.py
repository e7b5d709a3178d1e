"""The value of a list says all that its document says: written back, it has the same bytes."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from armybuilder.loading import limits
from armybuilder.loading.armylist import ArmyList, changed
from armybuilder.loading.documents import canonical, check_document
from armybuilder.loading.jsontext import canonical_json
from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.loading.quick_checks import SCHEMA_DIR, passes
from armybuilder.loading.schema_mistakes import validator
from armybuilder.loading.schemas import schema_problems
from tests.building.documents import SKIRMISH, army, skirmish
from tests.effort import tries
from tests.golden import adapter, check
from tests.properties.lists import FEW, lists, strange_lists

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
        return st.text(
            letters, min_size=node.get("minLength", 0), max_size=min(node.get("maxLength", 12), 12)
        )
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


@settings(max_examples=tries(60))
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


@pytest.mark.slow
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
    lines = SCHEMA["properties"]["stat_lines"]["additionalProperties"]
    line = lines["items"]["properties"]
    assert {
        "MAX_UNITS": SCHEMA["properties"]["units"]["maxItems"],
        "MAX_LIMIT": SCHEMA["properties"]["limit"]["maximum"],
        "MAX_NAME": parts["name"]["maxLength"],
        "MAX_NOTES": parts["notes"]["maxLength"],
        "MAX_STAT_LINES": lines["maxItems"],
        "MAX_STAT_NAME": line["name"]["maxLength"],
        "MAX_STAT_VALUE": line["stats"]["additionalProperties"]["maxLength"],
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


# The quick schema check and jsonschema come to the same verdict, and what is told of a mistake is
# what jsonschema's own validator finds, where it finds it.

Data = dict[str, Any]

SCHEMAS = ["armylist", "forcelist", "filepack", "book", "system", "audit", "pack"]
#: jsonschema needs some 30 ms for a whole book: documents are cut to so many entries of a list.
ENTRIES = 6
OFTEN = settings(FEW, max_examples=tries(60))


@cache
def plain(name: str) -> Any:
    """jsonschema's own validator of a schema; 100.0 is no whole number for it either, and is not
    the same as 100.
    """
    checker = Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    unique = Draft202012Validator.VALIDATORS["uniqueItems"]
    apart = {"uniqueItems": lambda a, b, value, d: unique(a, b, fractions_as_texts(value), d)}
    own = extend(Draft202012Validator, apart, type_checker=checker)
    schema = schema_file(name)
    if "definitions_of" in schema:
        schema["$defs"] = schema_file(schema.pop("definitions_of"))["$defs"]
    return own(schema)


def fractions_as_texts(value: Any) -> Any:
    return json.loads(json.dumps(value), parse_float=str, parse_constant=str)


def schema_file(name: str) -> Any:
    return json.loads((SCHEMA_DIR / f"{name}.schema.json").read_text(encoding="utf-8"))


def shipped(schema: str) -> list[Path]:
    """The files in `catalogs/` that a schema is for, of all games."""
    if schema == "audit":
        return sorted(CATALOGUE_DIR.glob("*/audit/*.json"))
    if schema == "pack":
        return sorted(CATALOGUE_DIR.glob("packs/*.json"))
    files = sorted(CATALOGUE_DIR.glob("*/*.json"))
    return [
        file
        for file in files
        if file.parent.name not in ("schema", "packs")
        and (file.name == "system.json") == (schema == "system")
    ]


@cache
def file_text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


#: What JSON may hold where something else should stand; with numbers and texts that two programs
#: might understand differently.
ODD: list[Any] = [
    None, True, False, 0, 1, -1, 1.0, 0.0, -0.0, 1.5, 2**63, -(2**64), 10**30, 1e300, float("nan"),
    "", "a", "a\n", "A", "ä", "a-b", "a_b", "a--b", "u1", "u1\n", "u٣", "a/b", "x" * 81, "x" * 121,
    "😀" * 120, "😀" * 121, "e\u0301" * 61, "a\rb", "a: b\u2028c", "a: b\rc", "a: b\nc",
    "a 9: \x85", "50%", "50%\n", "٣%", "1/2", "1/0", "\ud83d", "half \udc00", "a\0", "ſ", "K",
    [], {}, [None], ["a", "a"], [1, 1.0], [1, True], [[1], [1]], {"id": "a"}, {"kind": "limit"},
    {"": 0}, {"a b": 1},
]  # fmt: skip
values: st.SearchStrategy[Any] = st.sampled_from(ODD) | st.recursive(
    st.none() | st.booleans() | st.integers(-1, 10**6) | st.floats(0, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
Change = Callable[[st.DrawFn, Any, Any], None]


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every place in JSON data: what holds it, and the key or number."""
    if not isinstance(data, dict | list):
        return []
    keys = list(data) if isinstance(data, dict) else list(range(len(data)))
    return [(data, key) for key in keys] + [at for key in keys for at in places(data[key])]


def _other(draw: st.DrawFn, holder: Any, key: Any) -> None:
    holder[key] = draw(values)


def _gone(draw: st.DrawFn, holder: Any, key: Any) -> None:
    del holder[key]


def _twice(draw: st.DrawFn, holder: Any, key: Any) -> None:
    """Once more in a list, or under another name, known to the schema elsewhere or not."""
    if isinstance(holder, list):
        holder.append(holder[key])
    else:
        name = draw(st.sampled_from(["kind", "max", "options", "points", "unit", "x", "a b", "K"]))
        holder[name] = holder[key]


def _longer(draw: st.DrawFn, holder: Any, key: Any) -> None:
    """A text with something after it, a number a little off, a list or object many times over."""
    value = holder[key]
    if isinstance(value, str):
        holder[key] = value + draw(
            st.sampled_from(["\n", "-", "ä", " 2", "%", "\ud83d", "x" * 130])
        )
    elif isinstance(value, list):
        holder[key] = value * draw(st.sampled_from([2, 70]))
    elif isinstance(value, int):
        holder[key] = value * draw(st.sampled_from([1.0, -1, 10**6, 10**20]))
    elif isinstance(value, dict):
        holder[key] = {f"{key}{number}": inner for key, inner in value.items() for number in "123"}


CHANGES: list[Change] = [_other, _other, _gone, _twice, _longer]


def spoil(draw: st.DrawFn, document: Any, most: int = 3) -> Any:
    """The document with a few changes, each somewhere; none is possible too."""
    document = json.loads(json.dumps(document))
    for _ in range(draw(st.integers(0, most))):
        if there := places(document):
            draw(st.sampled_from(CHANGES))(draw, *draw(st.sampled_from(there)))
    return document


@st.composite
def spoilt_lists(draw: st.DrawFn) -> Any:
    whole = st.sampled_from([army(), skirmish("sbh"), skirmish("chainmail-2002")])
    return spoil(draw, draw(lists() | strange_lists() | whole))


@st.composite
def spoilt_files(draw: st.DrawFn, schema: str) -> Any:
    """A shipped file, its long lists cut to a few of their entries, with a few changes."""
    document = json.loads(file_text(draw(st.sampled_from(shipped(schema)))))
    for key, value in document.items():
        if isinstance(value, list) and len(value) > ENTRIES:
            first = draw(st.integers(0, len(value) - ENTRIES))
            document[key] = value[first : first + ENTRIES]
    return spoil(draw, document)


def mistakes(checker: Any, data: Any) -> set[tuple[tuple[Any, ...], str]]:
    found = checker.iter_errors(data)
    return {(tuple(error.absolute_path), str(error.validator)) for error in found}


def whole(data: Any) -> bool:
    """Whether there is no half of a character in the data."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def agree(quick: bool, slow: bool, data: Any) -> bool:
    """Whether both say the same. The quick check says no to a half of a character that it meets;
    never may its yes be wrong.
    """
    return quick == slow or (slow and not whole(data))


def assert_alike(schema: str, data: Any) -> None:
    """The same verdict, quick or not, and the same mistakes."""
    wanted = mistakes(plain(schema), data)
    assert agree(passes(schema, data), not wanted, data)
    assert mistakes(validator(schema), data) == wanted
    assert bool(schema_problems(schema, data, "x")) == bool(wanted)


@OFTEN
@given(spoilt_lists() | values)
def test_lists_are_judged_as_jsonschema_judges_them(data: Any) -> None:
    assert_alike("armylist", data)


@OFTEN
@given(spoilt_files("book"))
def test_books_are_judged_as_jsonschema_judges_them(data: Any) -> None:
    assert_alike("book", data)


@OFTEN
@given(spoilt_files("system"))
def test_systems_are_judged_as_jsonschema_judges_them(data: Any) -> None:
    assert_alike("system", data)


@FEW
@given(spoilt_files("audit"))
def test_ledgers_are_judged_as_jsonschema_judges_them(data: Any) -> None:
    assert_alike("audit", data)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_schemas_are_schemas_and_their_files_pass(schema: str) -> None:
    Draft202012Validator.check_schema(plain(schema).schema)
    of_players = schema in ("armylist", "forcelist", "filepack")
    files = [] if of_players else shipped(schema)
    assert len(files) > 5 or of_players
    assert [file for file in files if not passes(schema, json.loads(file_text(file)))] == []


@pytest.mark.parametrize("schema", SCHEMAS)
def test_each_definition_takes_and_refuses_what_jsonschema_does(schema: str) -> None:
    """Alone, without the luck of the draw: every odd value against every part of a schema."""
    apart = []
    for name in plain(schema).schema["$defs"]:
        ref = {"$ref": f"#/$defs/{name}"}
        wanted, ours = (of(schema).evolve(schema=ref) for of in (plain, validator))
        for odd in ODD:
            wrong = mistakes(wanted, odd)
            if not agree(passes(schema, odd, ref["$ref"]), not wrong, odd):
                apart.append((name, odd))
            if mistakes(ours, odd) != wrong:
                apart.append((name, odd))
    assert apart == []


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("data", [(), {1: 2}, {"units": ({},)}, {"limit": b"1"}, object()])
def test_what_json_does_not_have_is_left_to_jsonschema(schema: str, data: Any) -> None:
    assert not passes(schema, data)


def test_one_mistake_behind_thousands_of_right_entries_is_found_in_its_place() -> None:
    document = army()
    document["units"] = [
        {"id": f"u{number}", "unit": "a/b", "models": 1, "options": [{"id": "x"}] * 40}
        for number in range(500)
    ]
    document["units"][499]["options"][39] = {"id": "X"}
    problems = schema_problems("armylist", document, "x")
    assert [problem.pointer for problem in problems] == ["/units/499/options/39/id"]
