"""JSON that people can read: what fits stands in one line, the rest is nested."""

import json
from typing import Any, Final

WIDTH: Final = 150


def pretty(value: Any) -> str:
    """The value as JSON text with a newline at the end; the same for equal values."""
    return _text(value, 0) + "\n"


def _text(value: Any, depth: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    fits = depth > 0 and depth + len(flat) <= WIDTH
    if not isinstance(value, dict | list) or not value or fits:
        return flat
    inner = " " * (depth + 1)
    if isinstance(value, list):
        parts = [inner + _text(item, depth + 1) for item in value]
        return "[\n" + ",\n".join(parts) + "\n" + " " * depth + "]"
    return "{\n" + ",\n".join(_members(value, depth)) + "\n" + " " * depth + "}"


def _members(value: dict[str, Any], depth: int) -> list[str]:
    """The members of an object; short ones share lines."""
    inner = " " * (depth + 1)
    lines: list[str] = []
    for key, item in value.items():
        text = f"{json.dumps(key)}: {_text(item, depth + 1)}"
        is_short = "\n" not in text
        fits = lines and is_short and len(lines[-1]) + len(text) + 2 <= WIDTH
        if fits and "\n" not in lines[-1] and depth:
            lines[-1] += f", {text}"
        else:
            lines.append(inner + text)
    return lines
