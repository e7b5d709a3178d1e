"""JSON: from anyone, within limits of size and depth; and its canonical bytes."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.engine.wording import marked, say
from armybuilder.loading.problems import Refusal

#: Digits of a whole number. Those of real files are short; longer ones only cost time.
MAX_DIGITS = 12

#: A list document may have this many bytes and this many objects and arrays inside each other.
MAX_BYTES = 512 * 1024
MAX_DEPTH = 8

_UNWRITABLE = re.compile("[\\0\ud800-\udfff]")


def parse_json(raw: bytes, max_bytes: int | None = None, max_depth: int | None = None) -> Any:
    """Return the value in UTF-8 JSON text. Raises Refusal with the error and its place."""
    if max_bytes is not None and len(raw) > max_bytes:
        size, most = len(raw) // 1024 + 1, max_bytes // 1024
        message = marked("The file has {size} KB; at most {most} KB can be read.")
        raise Refusal(say(message, size=size, most=most))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = marked("The file is not UTF-8 text (at byte {byte}).")
        raise Refusal(say(message, byte=error.start)) from error
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_int=_short_int,
            parse_float=_whole,
        )
    except json.JSONDecodeError as error:
        message = marked("The file is not JSON: {what} in line {line}, column {column}.")
        where = {"line": error.lineno, "column": error.colno}
        raise Refusal(say(message, what=error.msg, **where)) from error
    except RecursionError as error:
        raise Refusal(say("The file is nested too deeply.")) from error
    if max_depth is not None and (depth := nesting(value)) > max_depth:
        message = marked("The file is nested {depth} levels deep; maximum {most}.")
        raise Refusal(say(message, depth=depth, most=max_depth))
    # What neither databases nor UTF-8 take.
    if "\\u" in text and any(map(_UNWRITABLE.search, _strings(value))):
        raise Refusal(
            say("The file contains half a character (such as \\ud800) or a NUL (\\u0000).")
        )
    return value


def canonical_json(data: Mapping[str, Any]) -> bytes:
    """Return the canonical bytes of a value: the same for files that differ in layout only."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def nesting(value: Any) -> int:
    """Return how deep objects and arrays nest in a JSON value."""
    depth = 0
    level = [value]
    while level := [inner for inner in level if isinstance(inner, dict | list)]:
        depth += 1
        level = [
            inner
            for holder in level
            for inner in (holder.values() if isinstance(holder, dict) else holder)
        ]
    return depth


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen = dict(pairs)
    if len(seen) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise Refusal(say("The file names “{key}” twice in one object.", key=twice[:60]))
    return seen


def _short_int(digits: str) -> int:
    if len(digits.removeprefix("-")) > MAX_DIGITS:
        raise Refusal(say("The file contains a number with too many digits."))
    return int(digits)


def _whole(digits: str) -> int | float:
    # To JSON 468.0 is the whole number 468, and equal lists must have equal bytes.
    value = float(digits)
    return int(value) if value.is_integer() and abs(value) < 10**MAX_DIGITS else value


def _no_constant(name: str) -> None:
    raise Refusal(say("The file contains {name}, which is not valid JSON.", name=name))
