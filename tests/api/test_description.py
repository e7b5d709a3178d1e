"""The API does what its description says, whatever it is sent, and has examples that work."""

import json
import os
from typing import Any

import pytest
import schemathesis
from django.db import connections
from django.urls import get_resolver
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from schemathesis import GenerationMode, checks
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from armybuilder.api import solving
from armybuilder.api.urls import description
from armybuilder.wsgi import application
from tests.api.calls import DOCUMENT, OWN_BOOK, Caller, an_event
from tests.api.record import operations, play
from tests.effort import tries
from tests.guards.code import PACKAGE

pytestmark = pytest.mark.long

CHECKS = (
    checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
CALLS = settings(
    max_examples=tries(3, least=1),
    database=None,
)


schema = schemathesis.openapi.from_dict(json.loads(description()))
schema.app = application
OPERATIONS = [found.ok() for found in schema.get_all_operations()]
#: They read the same documents as `validate` by the same parsers, and making wrong ones takes long;
#: test_bodies sends them some.
SAME_BODIES = {
    "POST /api/v1/choices/",
    "POST /api/v1/batch/",
    "POST /api/v1/outlook/",
    "POST /api/v1/explain/",
    "POST /api/v1/lists/",
    "PUT /api/v1/lists/{list_id}/",
}
#: Those to which something wrong can be sent.
FUSSY = [
    one
    for one in OPERATIONS
    if (list(one.body) or list(one.query)) and one.label not in SAME_BODIES
]
RUNS = [
    *((operation, GenerationMode.POSITIVE) for operation in OPERATIONS),
    *((operation, GenerationMode.NEGATIVE) for operation in FUSSY),
]


@pytest.fixture
def stored(ann: Caller, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Store a list of the caller that was changed once.

    A server ends connections between requests; the test's must stay.
    """
    monkeypatch.setattr(connections["default"], "close_if_unusable_or_obsolete", lambda: None)
    answer = ann.store(name="Men")
    place = f"/lists/{answer.json()['id']}/"
    return ann("put", place, DOCUMENT, If_Match="*")


def places_of(address: str, ann: Caller, stored: Any) -> dict[str, Any]:
    """Return parts of an address, so that it leads to something of the caller's."""
    places = {"list_id": stored.json()["id"], "number": 2}
    if "{event_id}" in address:
        places["event_id"] = str(an_event(ann).pk)
    if "/books/{book_id}/" in address and "{system_id}" not in address:
        places["book_id"] = ann("post", "/books/", OWN_BOOK).json()["id"]
    return places


@pytest.mark.one_in(11)
@pytest.mark.parametrize(
    ("operation", "mode"), RUNS, ids=[f"{mode.value} {one.label}" for one, mode in RUNS]
)
def test_every_operation_answers_as_described(
    operation: Any, mode: GenerationMode, ann: Caller, stored: Any
) -> None:
    """To what the description allows and to what it does not.

    With a list of the caller's own, so that more than 404 comes back.
    """
    places = places_of(operation.path, ann, stored)

    @CALLS
    @given(case=operation.as_strategy(generation_mode=mode))
    def call(case: Any) -> None:
        for name in places.keys() & (case.path_parameters or {}).keys():
            case.path_parameters[name] = places[name]
        case.call_and_validate(headers=ann.headers, checks=CHECKS)

    call()


def test_it_is_openapi_of_today_and_holds_every_address() -> None:
    whole = json.loads(description())
    assert whole["openapi"].startswith("3.1")
    routes = {
        "/api/" + str(pattern.pattern).split("<")[0]
        for resolver in get_resolver().url_patterns
        if str(resolver.pattern) == "api/"
        for pattern in resolver.url_patterns
        if pattern.name not in ("api-schema", "api-docs", "api-unknown")
    }
    assert {address.split("{")[0] for address in whole["paths"]} == routes
    assert [where for *where, operation in operations() if not operation["description"]] == []


def test_every_answer_is_as_described_and_its_example_is_recorded(
    ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has just the fields that its description names. If it fails: see `record`."""
    monkeypatch.setattr(solving, "SECONDS", 60.0)
    components = json.loads(description())["components"]

    def check(name: str, schema: Any, answer: Any) -> None:
        whole = {**schema, "components": components}
        Draft202012Validator(whole).validate(answer)
        fields_agree(name, schema, answer, components["schemas"])

    file = PACKAGE / "api" / "examples.json"
    recording = play(ann, bob, check)
    if "RECORD" in os.environ:
        file.write_text(json.dumps(recording, indent=1, ensure_ascii=False) + "\n", "utf-8")
    assert recording == json.loads(file.read_text("utf-8"))
    methods = {operation["operationId"]: method for _, method, operation in operations()}
    assert {name for name, method in methods.items() if method != "delete"} == set(recording)
    examples = json.dumps(json.loads(description())["paths"]).count('"examples": {')
    assert examples == sum(len(recorded) for recorded in recording.values())


def fields_agree(where: str, schema: Any, value: Any, schemas: Any) -> None:
    """Assert that an answer has the fields of its description, and no others."""
    for part in (schema, *schema.get("allOf", ()), *schema.get("oneOf", ())):
        if "$ref" in part and value is not None:
            named = part["$ref"].rpartition("/")[2]
            if not named.startswith(("ArmyList", "ForceList")):
                fields_agree(f"{where} {named}", schemas[named], value, schemas)
    if isinstance(value, list):
        for inner in value:
            fields_agree(where, schema.get("items", {}), inner, schemas)
    elif isinstance(value, dict) and "properties" in schema:
        properties = schema["properties"]
        assert set(schema.get("required", ())) <= value.keys() <= properties.keys(), where
        for key, inner in value.items():
            fields_agree(f"{where} {key}", properties[key], inner, schemas)


def test_the_page_of_it_loads_nothing_from_elsewhere_and_runs_no_inline_script(
    nobody: Caller,
) -> None:
    answer = nobody("get", "/docs/")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert page.count("<script src=") == page.count("<script") == 3
    assert "//" not in page
    script = nobody.client.get(f"{nobody.start}/docs/?script=")
    assert script["Content-Type"].startswith("application/javascript")
    assert b"/api/v1/schema/" in script.content
