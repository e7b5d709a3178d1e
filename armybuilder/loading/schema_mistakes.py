"""Breaches of a JSON Schema, in messages for people who write files by hand."""

import json
from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from armybuilder.engine.wording import either, listed, marked, quote, say, say_count
from armybuilder.loading.problems import Problem, pointer
from armybuilder.loading.quick_checks import passes, schema_of

#: Keys that one sentence names.
MOST_NAMED = 100

#: For it 100.0 is no integer: equal lists must have equal bytes.
_TYPE_CHECKER = Draft202012Validator.TYPE_CHECKER.redefine(
    "integer", lambda _checker, value: isinstance(value, int) and not isinstance(value, bool)
)


def _items(
    name: str, validator: Draft202012Validator, items: Any, value: Any, schema: Any
) -> Iterator[ValidationError]:
    """Check like jsonschema, but for entries that the quick check takes, which saves time."""
    ref = items.get("$ref") if isinstance(items, dict) and len(items) == 1 else None
    if ref is None or "prefixItems" in schema or not isinstance(value, list):
        yield from Draft202012Validator.VALIDATORS["items"](validator, items, value, schema)
        return
    for index, entry in enumerate(value):
        if not passes(name, entry, ref):
            yield from validator.descend(entry, items, path=index)


def _unique_items(
    validator: Draft202012Validator, wanted: bool, value: Any, schema: Any
) -> Iterator[ValidationError]:
    """Check for duplicates in linear time; jsonschema's own is quadratic for mixed types."""
    if not wanted or not validator.is_type(value, "array"):
        return
    if len({json.dumps(entry, sort_keys=True) for entry in value}) < len(value):
        yield ValidationError("An entry stands twice")


@cache
def validator(name: str) -> Draft202012Validator:
    """Return jsonschema's validator of a schema; it finds every mistake and has the last word."""
    checks = {"items": partial(_items, name), "uniqueItems": _unique_items}
    kind = extend(  # type: ignore[no-untyped-call]  # jsonschema does not say
        Draft202012Validator, checks, type_checker=_TYPE_CHECKER
    )
    made: Draft202012Validator = kind(schema_of(name))
    return made


def schema_mistakes(name: str, data: Any, file: str, most: int | None = None) -> list[Problem]:
    """Return how `data` breaks the schema, in the file's order; stop after `most` errors."""
    problems = []
    for error in islice(validator(name).iter_errors(data), most):
        for single in _single(error):
            message, advice = _explain(single)
            problems.append(Problem(file, pointer(single.absolute_path), message, advice))
    return sorted(dict.fromkeys(problems), key=lambda problem: problem.pointer)


def _single(error: ValidationError) -> Iterator[ValidationError]:
    """Yield the mistakes of the nearest alternative of the right type, else the error itself.

    Unevaluated keys count only where no branch knows them: another mistake may have failed theirs.
    """
    if error.validator == "unevaluatedProperties" and not _extra_keys(error):
        return
    if error.validator != "anyOf" or _one_key_of(error):
        yield error
        return
    by_branch: dict[object, list[ValidationError]] = {}
    for inner in error.context or ():
        by_branch.setdefault(inner.schema_path[0], []).append(inner)
    branches = [inners for inners in by_branch.values() if not any(map(_of_other_type, inners))]
    fewest = min(map(len, branches), default=0)
    nearest = [inners for inners in branches if len(inners) == fewest]
    if len(nearest) == 1:
        for inner in nearest[0]:
            yield from _single(inner)
    else:
        yield error


def _of_other_type(inner: ValidationError) -> bool:
    wanted: Any = inner.validator_value
    if inner.relative_path:
        return False
    if inner.validator == "enum":
        return not any(isinstance(inner.instance, type(value)) for value in wanted)
    return inner.validator == "type"


def _one_key_of(error: ValidationError) -> bool:
    """Return whether the error is that none of several keys is there."""
    choices: Any = error.validator_value
    return error.validator == "anyOf" and all(list(choice) == ["required"] for choice in choices)


def _extra_keys(error: ValidationError) -> list[str]:
    """Keys of the object that its schema does not know, in any branch that its kind chooses."""
    schema: Any = error.schema
    instance: Any = error.instance
    known = set(schema.get("properties", ()))
    branches = {
        branch["if"]["properties"]["kind"]["const"]: branch["then"].get("properties", ())
        for branch in schema.get("allOf", ())
    }
    if branches:
        kinds = schema["properties"]["kind"]["enum"]
        if instance.get("kind") not in kinds:
            return []
        known.update(branches.get(instance["kind"], ()))
    return [key for key in instance if key not in known]


#: What players call the JSON types.
_TYPES = marked(
    {
        "integer": "a whole number",
        "string": "a text",
        "boolean": "true or false",
        "array": "a list",
        "object": "an object",
        "null": "null",
    }
)

#: How a value of each JSON type is written.
_WRITE = marked(
    {
        "integer": "Write a whole number, without quotes.",
        "string": "Write a text in double quotes.",
        "boolean": "Write true or false.",
        "array": "Write a list in square brackets.",
        "object": "Write an object in curly brackets.",
    }
)

#: How the patterns of ids begin.
_ID = "^[a-z0-9]+([-_]"

#: What is wrong and what to do, by the schema's word. {found} is the value, cut short; {wanted}
#: what the schema asks for; {size} how long the value is.
_MISTAKES = marked(
    {
        "enum": ("{found} is not one of {wanted}.", "Choose one of them."),
        "const": ("{found} must be {wanted}.", "Write exactly that."),
        "minimum": ("{found} is below {wanted}.", "Write {wanted} or more."),
        "maximum": ("{found} is above {wanted}.", "Write {wanted} or less."),
        "minLength": ("The text is empty.", "Write something, or leave the key out."),
        "maxLength": ("The text has {size} characters; maximum {wanted}.", "Shorten it."),
        "minItems": ("The list has {size} entries; minimum {wanted}.", "Add some."),
        "maxItems": ("The list has {size} entries; maximum {wanted}.", "Remove some."),
        "maxProperties": ("The object has {size} entries; maximum {wanted}.", "Remove some."),
        "uniqueItems": ("An entry occurs twice in the list.", "Remove one of them."),
        "minProperties": ("The object is empty.", "Add an entry."),
        "type": ("{found} is not {wanted}.", ""),
        "id": (
            "{found} is not in the right form.",
            "Use lower-case letters and digits, separated by hyphens or underscores.",
        ),
        "pattern": (
            "{found} is not in the right form.",
            "It must match {wanted}; see catalogs/README.md.",
        ),
        "anyOf": ("{found} is not in the right form.", "See catalogs/README.md."),
        "other": ("{wanted}.", "See catalogs/README.md."),
    }
)


def _explain(error: ValidationError) -> tuple[str, str]:
    """Message and advice for one error. Values are shown cut short: they may be huge."""
    wanted: Any = error.validator_value
    instance: Any = error.instance
    match error.validator:
        case "required" | "dependentRequired":
            # The keys an object must have: a list of them, or lists by a key that asks for them.
            lists = {None: wanted} if isinstance(wanted, list) else wanted
            asked = (keys for there, keys in lists.items() if there is None or there in instance)
            missing = [key for keys in asked for key in keys if key not in instance]
            keys = _words(missing)
            message = say_count(
                "{keys} is missing.", "{keys} are missing.", len(missing), keys=keys
            )
            return message, say("Add it.")
        case "additionalProperties" | "unevaluatedProperties":
            extra = _extra_keys(error)
            keys = _words(extra)
            message = say_count(
                "{keys} is not known here.", "{keys} are not known here.", len(extra), keys=keys
            )
            return message, say("Remove it, or fix the spelling.")
        case "anyOf" if _one_key_of(error):
            keys = _words(listed(choice["required"]) for choice in wanted)
            return say("One of {keys} is missing.", keys=keys), say("Add it.")
        case "type":
            kinds = [wanted] if isinstance(wanted, str) else wanted
            names = either(say(_TYPES[kind]) for kind in kinds)
            message = say(_MISTAKES["type"][0], found=_short(instance), wanted=names)
            return message, say(_WRITE[kinds[0]])
    key = str(error.validator)
    if key == "pattern" and wanted.startswith(_ID):
        key = "id"
    if key not in _MISTAKES:
        key, wanted = "other", error.message[:200]
    if key == "enum":
        wanted = _words(wanted)
    values = {
        "found": _short(instance),
        "wanted": _short(wanted) if key == "const" else wanted,
        "size": len(instance) if isinstance(instance, str | list | dict) else 0,
    }
    message, advice = _MISTAKES[key]
    return say(message, **values), say(advice, **values)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _words(words: Iterable[Any]) -> str:
    """Return the words, of very many only the first: a file may have any number of wrong keys."""
    named = [quote(str(word)[:60]) for word in islice(words, MOST_NAMED + 1)]
    return ", ".join([*named[:MOST_NAMED], *(["…"] if len(named) > MOST_NAMED else [])])
