"""JSON Schema checks, with messages a person who writes files by hand can act on."""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from armybuilder.engine.wording import either, listed, marked, quote, say, say_count
from armybuilder.loading.problems import Problem, pointer

SCHEMA_DIR = Path(__file__).parents[2] / "catalogs" / "schema"


#: JSON's types in Python. 100.0 is no whole number here: equal lists must have equal bytes.
_PYTHON: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}


def _is_type(self: Draft202012Validator, value: object, kind: str) -> bool:
    """As jsonschema's own, which looks up how a type is checked for longer than checking takes."""
    return isinstance(value, _PYTHON[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _type(
    validator: Draft202012Validator, kinds: Any, value: Any, schema: Any
) -> Iterable[ValidationError]:
    """As jsonschema's own, which is asked only where the value is of none of the types: so small a
    question about every value is a fourth of the time.
    """
    for kind in (kinds,) if isinstance(kinds, str) else kinds:
        if _is_type(validator, value, kind):
            return ()
    told: Iterator[ValidationError] = Draft202012Validator.VALIDATORS["type"](
        validator, kinds, value, schema
    )
    return told


def _unique_items(
    validator: Draft202012Validator, wanted: bool, value: Any, schema: Any
) -> Iterator[ValidationError]:
    """As jsonschema's own, whose time grows with the square of a list that mixes types."""
    if not wanted or not validator.is_type(value, "array"):
        return
    if len({json.dumps(entry, sort_keys=True) for entry in value}) < len(value):
        yield ValidationError("An entry stands twice")


def _descend(
    self: Draft202012Validator,
    instance: Any,
    schema: Any,
    path: Any = None,
    schema_path: Any = None,
    resolver: object = None,
) -> Iterator[ValidationError]:
    """As jsonschema's own, which makes a validator for each value so that references below it
    can be resolved; here none is left, and a third of the time is saved.
    """
    if isinstance(schema, bool):
        if not schema:
            yield ValidationError("nothing is allowed here", instance=instance, schema=schema)
        return
    for keyword, value in schema.items():
        check = self.VALIDATORS.get(keyword)
        for error in (check(self, value, instance, schema) if check else None) or ():
            error._set(
                validator=keyword,
                validator_value=value,
                instance=instance,
                schema=schema,
                type_checker=self.TYPE_CHECKER,
            )
            if keyword != "if":
                error.schema_path.appendleft(keyword)
            if path is not None:
                error.path.appendleft(path)
            if schema_path is not None:
                error.schema_path.appendleft(schema_path)
            yield error


_Validator = extend(  # type: ignore[no-untyped-call]  # jsonschema does not say
    Draft202012Validator,
    {"uniqueItems": _unique_items, "type": _type},
)
_Validator.is_type = _is_type
_Validator.descend = _descend


@cache
def validator(name: str) -> Draft202012Validator:
    """The validator of `catalogs/schema/<name>.schema.json`."""
    schema = json.loads((SCHEMA_DIR / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    made: Draft202012Validator = _Validator(_Inlining(schema["$defs"]).of(schema))
    return made


class _Inlining:
    """Puts every definition of a schema where it is named, as one object that may hold itself.
    Looking up the name anew for each value takes longer than checking the value.
    """

    def __init__(self, definitions: dict[str, Any]) -> None:
        self.definitions = definitions
        self.made: dict[str, dict[str, Any]] = {}

    def of(self, node: Any) -> Any:
        """The node without references. Their siblings, descriptions, are left out."""
        if isinstance(node, list):
            return [self.of(inner) for inner in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return self.definition(node["$ref"].removeprefix("#/$defs/"))
        return {key: self.of(value) for key, value in node.items() if key != "$defs"}

    def definition(self, name: str) -> dict[str, Any]:
        """One definition, the same object each time."""
        if name not in self.made:
            self.made[name] = {}
            self.made[name].update(self.of(self.definitions[name]))
        return self.made[name]


def schema_problems(name: str, data: Any, file: str, most: int | None = None) -> list[Problem]:
    """Every way in which `data` breaks the schema, in the order of the file; looking stops
    after `most` errors, where the data may come from anyone.
    """
    problems = []
    for error in islice(validator(name).iter_errors(data), most):
        for single in _single(error):
            message, advice = _explain(single)
            problems.append(Problem(file, pointer(single.absolute_path), message, advice))
    return sorted(set(problems), key=lambda problem: problem.pointer)


def _single(error: ValidationError) -> Iterator[ValidationError]:
    """Where alternatives failed, what is wrong in the one of the right type that is nearest to
    right; else the error itself.

    A key counts as unevaluated also where another mistake made its branch of the schema fail;
    only keys that no branch knows are told.
    """
    if error.validator == "unevaluatedProperties":
        if _extra_keys(error):
            yield error
    elif error.validator != "anyOf" or _one_key_of(error):
        yield error
    else:
        branches = _branches_of_its_type(error)
        fewest = min(map(len, branches), default=0)
        nearest = [inners for inners in branches if len(inners) == fewest]
        if len(nearest) == 1:
            for inner in nearest[0]:
                yield from _single(inner)
        else:
            yield error


def _branches_of_its_type(error: ValidationError) -> list[list[ValidationError]]:
    """The errors of each alternative that is of the value's own JSON type."""
    branches: dict[object, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    return [inners for inners in branches.values() if not any(map(_of_other_type, inners))]


def _of_other_type(inner: ValidationError) -> bool:
    wanted: Any = inner.validator_value
    if inner.relative_path:
        return False
    if inner.validator == "enum":
        return not any(isinstance(inner.instance, type(value)) for value in wanted)
    return inner.validator == "type"


def _one_key_of(error: ValidationError) -> bool:
    """Whether the error is that none of several keys is there."""
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
        "const": ("{found} must be {wanted}.", "Write it so."),
        "minimum": ("{found} is below {wanted}.", "Write {wanted} or more."),
        "maximum": ("{found} is above {wanted}.", "Write {wanted} or less."),
        "minLength": ("The text is empty.", "Write something, or leave the key out."),
        "maxLength": ("The text has {size} characters; at most {wanted} fit.", "Shorten it."),
        "minItems": ("The list has {size} entries; at least {wanted} are needed.", "Add some."),
        "maxItems": ("The list has {size} entries; at most {wanted} fit.", "Remove some."),
        "maxProperties": ("The object has {size} entries; at most {wanted} fit.", "Remove some."),
        "uniqueItems": ("An entry stands twice in the list.", "Remove one of them."),
        "minProperties": ("The object is empty.", "Add an entry."),
        "type": ("{found} is not {wanted}.", ""),
        "id": (
            "{found} is not written as it must be.",
            "Use small letters and digits, with hyphens or underscores between.",
        ),
        "pattern": (
            "{found} is not written as it must be.",
            "It must match {wanted}; see catalogs/README.md.",
        ),
        "anyOf": ("{found} is not written as it must be.", "See catalogs/README.md."),
        "other": ("{wanted}.", "See catalogs/README.md."),
    }
)


def _explain(error: ValidationError) -> tuple[str, str]:
    """Message and advice for one error. Values are shown cut short: they may be huge."""
    wanted: Any = error.validator_value
    instance: Any = error.instance
    match error.validator:
        case "required" | "dependentRequired":
            return _missing([key for key in _wanted_keys(wanted, instance) if key not in instance])
        case "additionalProperties" | "unevaluatedProperties":
            return _not_known(_extra_keys(error))
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
    values = {
        "found": _short(instance),
        "wanted": _wanted_words(key, wanted),
        "size": len(instance) if isinstance(instance, str | list | dict) else 0,
    }
    message, advice = _MISTAKES[key]
    return say(message, **values), say(advice, **values)


def _wanted_words(key: str, wanted: Any) -> object:
    if key == "enum":
        return _words(wanted)
    return _short(wanted) if key == "const" else wanted


def _missing(keys: list[str]) -> tuple[str, str]:
    message = say_count("{keys} is missing.", "{keys} are missing.", len(keys), keys=_words(keys))
    return message, say("Add it.")


def _not_known(keys: list[str]) -> tuple[str, str]:
    message = say_count(
        "{keys} is not known here.", "{keys} are not known here.", len(keys), keys=_words(keys)
    )
    return message, say("Remove it, or mend its spelling.")


def _wanted_keys(wanted: Any, instance: Any) -> list[str]:
    """Keys an object must have: a list of them, or lists by a key that asks for them."""
    if isinstance(wanted, list):
        return wanted
    return [key for there, needed in wanted.items() if there in instance for key in needed]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _words(words: Any) -> str:
    return ", ".join(quote(str(word)[:60]) for word in words)
