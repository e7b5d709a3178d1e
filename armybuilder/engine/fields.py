"""Fields of a system file: their keys, and how to read them.

Kinds of rules and of facts are dataclasses whose fields are the parameters of their JSON objects.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, field, fields
from typing import Any, TypeVar

from armybuilder.engine.citations import RuleHead
from armybuilder.engine.selectors import Selector, SelectorIndex

Made = TypeVar("Made")


def given(key: str = "", read: Callable[[Any], Any] | None = None, default: Any = MISSING) -> Any:
    """Return a dataclass field stored under `key`, by default its own name, and built by `read`.

    A field with a `default` can be left out of the file.
    """
    return field(default=default, metadata={"key": key, "read": read})


def counted(key: str, default: Any = MISSING) -> Any:
    """Return a dataclass field: the number in the selector index of the selector under `key`; what
    is left out and has no `default` counts everything.
    """
    return field(default=default, metadata={"key": key, "counted": True})


def choice(key: str, default: Any = MISSING) -> Any:
    """Return a dataclass field: the head of a rule's finding that a choice is missing, which has
    its own code and summary under `key`.
    """
    return field(default=default, metadata={"key": key, "choice": True})


def each_of(kind: type[Made]) -> Callable[[Iterable[Mapping[str, Any]]], tuple[Made, ...]]:
    """Return a reader that makes a dataclass of each of several JSON objects."""
    return lambda data: tuple(kind(**read_fields(kind, entry)) for entry in data)


def read_fields(
    kind: type,
    data: Mapping[str, Any],
    selector_index: SelectorIndex | None = None,
    head: RuleHead | None = None,
) -> dict[str, Any]:
    """Return a dataclass's fields from a JSON object, each converted by its own reader; those of a
    rule with a `head`.
    """
    values: dict[str, Any] = {}
    for one in fields(kind):
        key = one.metadata.get("key") or one.name
        read = one.metadata.get("read")
        if selector_index is not None and "counted" in one.metadata:
            if key in data or one.default is MISSING:
                values[one.name] = selector_index.add(Selector.read(data.get(key, {})))
        elif head is not None and "choice" in one.metadata:
            if key in data:
                values[one.name] = head.of_choice(data[key])
        elif key in data and one.init and one.name != "head":
            values[one.name] = read(data[key]) if read else data[key]
    return values
