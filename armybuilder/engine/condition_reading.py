"""Conditions as files write them: `when`, `needs`, `not_with` in JSON."""

from collections.abc import Mapping
from typing import Any, Protocol

from armybuilder.engine.conditions import (
    AllOf,
    AnyOf,
    Condition,
    Has,
    Not,
    OptionTaken,
    SettingIs,
    Within,
    in_role,
)
from armybuilder.engine.wording import Later, say, spelled


class Resolve(Protocol):
    """Resolution of the ids in a condition, in a book."""

    def __call__(self, name: str, army: bool) -> tuple[str, str]:
        """Return the tag that an id is counted by (`army`: in the whole army), and the name."""

    def trait(self, name: str) -> Condition:
        """Return the condition of a trait of the game system."""


class _Plain:
    """Ids without a book to look them up in: options only, no traits."""

    def __call__(self, name: str, army: bool) -> tuple[str, str]:
        return f"option:{name}", name

    def trait(self, name: str) -> Condition:
        raise KeyError(name)


plain: Resolve = _Plain()


def read_condition(data: Mapping[str, Any], resolve: Resolve = plain) -> Condition:
    """Build from its JSON form; see "Conditions" in catalogs/README.md."""
    if "taken" in data:
        return _taken(data, resolve)
    if "models" in data or "limit" in data:
        what = "models" if "models" in data else "limit"
        return Within(what, data[what].get("at_least"), data[what].get("at_most"))
    if "not" in data:
        return Not(read_condition(data["not"], resolve))
    if "all" in data or "any" in data:
        several = tuple(
            read_condition(inner, resolve) for inner in data.get("all", data.get("any"))
        )
        return AllOf(several) if "all" in data else AnyOf(several)
    if "organisation" in data:
        return SettingIs(
            "organisation", data["organisation"], resolve(data["organisation"], True)[1]
        )
    ((kind, value),) = data.items()
    if kind == "is":
        return resolve.trait(value)
    if kind == "unit":
        return Has(*resolve(value, True))
    name = spelled(value)
    return Has(f"{kind}:{value}", Later("the {role}", role=name) if kind == "role" else name)


def _taken(data: Mapping[str, Any], resolve: Resolve) -> OptionTaken:
    ids = [data["taken"]] if isinstance(data["taken"], str) else data["taken"]
    army = data.get("in") == "army"
    found = [resolve(name, army) for name in ids]
    if "as" in data:
        role = spelled(data["as"])
        found = [
            (in_role(tag, data["as"]), say("{unit} as the {role}", unit=name, role=role))
            for tag, name in found
        ]
    low, high = data.get("at_least"), data.get("at_most")
    if low is None and high is None:
        low = 1
    return OptionTaken(
        tuple(tag for tag, _ in found), tuple(name for _, name in found), low, high, army
    )


def not_with(ids: list[str], resolve: Resolve = plain) -> Condition:
    """Return the condition that none of these is taken in the unit."""
    return Not(_taken({"taken": ids}, resolve))
