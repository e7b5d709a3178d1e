"""What comes to nothing goes: groups that hold nothing, conditions on what is not in the book."""

from collections.abc import Iterable
from typing import Any

from armybuilder.battlescribe.books.drafts import EMPTY, BookDraft, Notes, UnitDraft
from armybuilder.battlescribe.books.logic import Cond, all_of, any_of, negate
from armybuilder.battlescribe.books.source import SourceEntry

Node = BookDraft | UnitDraft


def drop_empty(
    units: Iterable[UnitDraft], shared: dict[SourceEntry, BookDraft], notes: Notes
) -> None:
    """Take out groups that hold nothing, and uses of such groups."""
    for draft in shared.values():
        draft.children = _filled(draft.children, shared, notes)
    for unit in units:
        unit.children = _filled(unit.children, shared, notes)


def _filled(
    children: list[BookDraft], shared: dict[SourceEntry, BookDraft], notes: Notes
) -> list[BookDraft]:
    found = []
    for child in children:
        child.children = _filled(child.children, shared, notes)
        if _is_empty(child, shared):
            notes.dropped[EMPTY] += 1
        else:
            found.append(child)
    return found


def _is_empty(draft: BookDraft, shared: dict[SourceEntry, BookDraft]) -> bool:
    node = shared.get(draft.source, draft) if draft.kind == "use" else draft
    return node.kind == "group" and all(_is_empty(child, shared) for child in node.children)


def prune(nodes: Iterable[Node]) -> None:
    """Simplify the conditions of the nodes, which are all that is in the book."""
    found = list(nodes)
    known = {node.source for node in found}
    for node in found:
        node.available = _left(node.available, known)
        facts = node.facts
        if isinstance(facts.get("can_lead"), dict):
            facts["can_lead"] = _left(facts["can_lead"], known)
        if "when" in facts:
            facts["when"] = _changes(facts["when"], known)
        if "unchecked" in facts:
            kept = [(one, _left(one.get("if", True), known)) for one in facts["unchecked"]]
            facts["unchecked"] = [
                {**one, "if": cond} if isinstance(cond, dict) else one
                for one, cond in kept
                if cond is not False
            ]
        if "keywords" in facts:
            facts["keywords"] = _changes(facts["keywords"], known)
        for row in facts.get("profiles", ()):
            if "when" in row:
                row["when"] = _changes(row["when"], known)


def _changes(changes: list[Any], known: set[SourceEntry]) -> list[Any]:
    return [one for change in changes for one in _change(change, known)]


def _change(change: Any, known: set[SourceEntry]) -> list[Any]:
    """The change as it is left; nothing, if it never applies."""
    if not isinstance(change, dict):
        return [change]
    count = change.get("for_each", {})
    things = [one for one in count.get("taken", ()) if one in known]
    if "taken" in count and not things:
        return []
    cond = _left(change.get("if", True), known)
    if cond is False:
        return []
    rest = {key: value for key, value in change.items() if key != "if"}
    if "taken" in count:
        rest["for_each"] = {**count, "taken": things}
    if cond is True:
        return [rest.get("name", rest)]
    return [{**rest, "if": cond} if "name" in rest else {"if": cond, **rest}]


def _left(cond: Cond, known: set[SourceEntry]) -> Cond:
    if isinstance(cond, bool):
        return cond
    if "not" in cond:
        return negate(_left(cond["not"], known))
    if "all" in cond:
        return all_of(_left(part, known) for part in cond["all"])
    if "any" in cond:
        return any_of(_left(part, known) for part in cond["any"])
    if "taken" in cond:
        things = [one for one in cond["taken"] if one in known]
        return {**cond, "taken": things} if things else bool(cond.get("at_most"))
    return cond
