"""Conditions of the book format as values that can be negated, joined and simplified.

A condition is True, False or a dict as the format has it; in "taken" and "unit" stand the
source's entries instead of ids until the book is written.
"""

from collections.abc import Iterable, Iterator
from typing import Any

Cond = bool | dict[str, Any]


def negate(cond: Cond) -> Cond:
    """Return the condition that holds when `cond` does not; "not" is pushed inwards."""
    if isinstance(cond, bool):
        return not cond
    if "not" in cond:
        inner: Cond = cond["not"]
        return inner
    if "all" in cond:
        return any_of(negate(part) for part in cond["all"])
    if "any" in cond:
        return all_of(negate(part) for part in cond["any"])
    for key in ("models", "limit"):
        if len(cond.get(key, ())) == 1:
            return {key: _beyond(cond[key])}
    return {"not": cond}


def all_of(conds: Iterable[Cond]) -> Cond:
    """Return the condition that holds when all of them do."""
    parts = _parts(conds, "all", False)
    if parts is None:
        return False
    return {"all": parts} if len(parts) > 1 else parts[0] if parts else True


def any_of(conds: Iterable[Cond]) -> Cond:
    """The condition that holds when one of them does; plain "taken" are joined into a list."""
    found = _parts(conds, "any", True)
    if found is None:
        return True
    parts = _joined(found)
    return {"any": parts} if len(parts) > 1 else parts[0] if parts else False


def conjuncts(cond: Cond) -> list[Cond]:
    """Return the conditions that must all hold; a refused list of things counts as one."""
    if cond is True:
        return []
    return list(cond["all"]) if isinstance(cond, dict) and "all" in cond else [cond]


def taken_here(cond: Cond) -> list[Any] | None:
    """The things asked for, if all the condition asks is whether one is taken in the unit."""
    if isinstance(cond, dict) and set(cond) == {"taken"}:
        things: list[Any] = cond["taken"]
        return things
    return None


def named(cond: Cond) -> Iterator[tuple[Any, bool]]:
    """Yield (thing, whether in the whole army) of everything the condition asks about."""
    if isinstance(cond, bool):
        return
    yield from ((thing, cond.get("in") == "army") for thing in cond.get("taken", ()))
    if "not" in cond:
        yield from named(cond["not"])
    for part in (*cond.get("all", ()), *cond.get("any", ())):
        yield from named(part)


def is_of_army(cond: Cond) -> bool:
    """Return whether a condition or count asks of the army alone, of no single unit."""
    if isinstance(cond, bool):
        return True
    parts = [*cond.get("all", ()), *cond.get("any", ())]
    parts += [cond["not"]] if "not" in cond else []
    alone = not {"models", "unit", "category", "is", "role"} & set(cond)
    return (
        alone
        and cond.get("in", "army" if "taken" not in cond else "") in {"army"}
        and all(map(is_of_army, parts))
    )


def _beyond(bounds: dict[str, int]) -> dict[str, int]:
    """Return the numbers outside one bound."""
    if "at_least" in bounds:
        return {"at_most": bounds["at_least"] - 1}
    return {"at_least": bounds["at_most"] + 1}


def _parts(conds: Iterable[Cond], op: str, settles: bool) -> list[dict[str, Any]] | None:
    """Return what stands under `op`, each once; None where one part, or two that are opposites,
    settle the whole.
    """
    parts: list[dict[str, Any]] = []
    for cond in conds:
        if cond is settles:
            return None
        if isinstance(cond, dict):
            parts += [part for part in cond.get(op, [cond]) if part not in parts]
    return None if any(negate(part) in parts for part in parts) else parts


def _joined(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One list for all that ask whether something is taken in the unit, one for the army."""
    joined: list[dict[str, Any]] = []
    lists: dict[bool, dict[str, Any]] = {}
    for part in parts:
        if set(part) not in ({"taken"}, {"taken", "in"}):
            joined.append(part)
        elif (army := "in" in part) in lists:
            seen = lists[army]["taken"]
            lists[army]["taken"] = [*seen, *(one for one in part["taken"] if one not in seen)]
        else:
            lists[army] = dict(part)
            joined.append(lists[army])
    return joined
