"""The JSON Schemas of catalogue files and lists, and quick yes or no checks by them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

SCHEMA_DIR = Path(__file__).parents[2] / "catalogs" / "schema"

#: What JSON is read as, but for fractions: no schema here has a place for them.
_JSON = frozenset({dict, list, str, int, bool, type(None)})


@cache
def schema_of(name: str) -> dict[str, Any]:
    """Return `catalogs/schema/<name>.schema.json`, with definitions it takes from another."""
    schema: dict[str, Any] = json.loads((SCHEMA_DIR / f"{name}.schema.json").read_bytes())
    if "definitions_of" in schema:
        theirs = schema_of(schema.pop("definitions_of"))["$defs"]
        schema["$defs"] = {**theirs, **schema.get("$defs", {})}
    return schema


@cache
def _quick(name: str, ref: str = "") -> jsonschema_rs.Draft202012Validator:
    """Return the quick check of a schema, or of one of its definitions (`#/$defs/unit`)."""
    schema = schema_of(name)
    if ref:
        schema = {"$ref": ref, "$defs": schema["$defs"]}
    return jsonschema_rs.Draft202012Validator(schema)


def passes(name: str, data: Any, ref: str = "") -> bool:
    """Return whether the quick check takes the data. After a no, jsonschema has to be asked."""
    try:
        return _is_json(data) and _quick(name, ref).is_valid(data)
    except ValueError:  # half a character, or a key that is no text
        return False


def _is_json(data: Any) -> bool:
    """Return whether the data are of `_JSON`; the quick check takes tuples for lists, 1.0 for 1."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        kind = type(value)
        if kind is dict:
            waiting += value.values()
        elif kind is list:
            waiting += value
        elif kind not in _JSON:
            return False
    return True
