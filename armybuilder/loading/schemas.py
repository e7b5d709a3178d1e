"""JSON Schema checks, with messages a person who writes files by hand can act on."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from armybuilder.loading.problems import Problem, pointer

SCHEMA_DIR = Path(__file__).parents[2] / "catalogs" / "schema"


@cache
def validator(name: str) -> Draft202012Validator:
    """The validator of `catalogs/schema/<name>.schema.json`."""
    schema = json.loads((SCHEMA_DIR / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def schema_problems(name: str, data: Any, file: str) -> list[Problem]:
    """Every way in which `data` breaks the schema, in the order of the file."""
    problems = []
    for error in validator(name).iter_errors(data):
        for single in _single(error):
            message, advice = _explain(single)
            problems.append(Problem(file, pointer(single.absolute_path), message, advice))
    return sorted(set(problems), key=lambda problem: problem.pointer)


def _single(error: ValidationError) -> Iterator[ValidationError]:
    """Where alternatives failed, the failure that tells most; else the error itself."""
    deeper = best_match(error.context) if error.context else None
    if error.validator in ("anyOf", "oneOf") and deeper is not None and _useful(deeper):
        yield deeper
    else:
        yield error


def _useful(error: ValidationError) -> bool:
    return error.validator not in ("type", "enum", "const") or len(error.relative_path) > 1


def _explain(error: ValidationError) -> tuple[str, str]:
    """Message and advice for one error. Values are shown cut short: they may be huge."""
    found = _short(error.instance)
    wanted = error.validator_value
    match error.validator:
        case "required":
            missing = [key for key in wanted if key not in error.instance]
            return f"{_words(missing)} is missing.", "Add it."
        case "additionalProperties" | "unevaluatedProperties":
            known = set(error.schema.get("properties", ()))
            extra = [key for key in error.instance if key not in known]
            if error.validator == "unevaluatedProperties":
                return error.message[:200] + ".", "Remove it, or mend its spelling."
            return f"{_words(extra)} is not known here.", "Remove it, or mend its spelling."
        case "type":
            kinds = wanted if isinstance(wanted, str) else " or ".join(wanted)
            return f"{found} is not of type {kinds}.", ""
        case "enum":
            return f"{found} is not one of {_words(wanted)}.", "Choose one of them."
        case "const":
            return f"{found} must be {_short(wanted)}.", ""
        case "pattern":
            return f"{found} is not written as it must be.", f"It must match {wanted}."
        case "minimum" | "maximum":
            side = "below" if error.validator == "minimum" else "above"
            return f"{found} is {side} {wanted}.", ""
        case "minLength":
            return "The text is empty.", "Write something, or leave the key out."
        case "maxLength":
            return f"The text has {len(error.instance)} characters; at most {wanted} fit.", ""
        case "minItems" | "maxItems":
            side = "at least" if error.validator == "minItems" else "at most"
            return f"The list has {len(error.instance)} entries; {side} {wanted} are allowed.", ""
        case "anyOf" if all("required" in choice for choice in wanted):
            keys = [" and ".join(choice["required"]) for choice in wanted]
            return f"One of {_words(keys)} is missing.", "Add it."
        case "anyOf":
            return f"{found} is not written as it must be.", "See catalogs/README.md."
        case _:
            return f"{error.message[:200]}.", ""


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _words(words: Any) -> str:
    return ", ".join(f"“{str(word)[:60]}”" for word in words)
