"""Drafts put in order: what comes to nothing or tells nothing goes; what cannot be judged is put
where it applies.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from bookimport.drafts import EMPTY, MERGED, BookDraft, Notes, Open, UnitDraft
from bookimport.logic import Cond, all_of, any_of, negate
from bookimport.names import clean
from bookimport.source import SourceEntry
from bookimport.survey import Survey

Node = BookDraft | UnitDraft
Written = dict[str, Any]


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


def drop_never(units: list[UnitDraft], shared: dict[SourceEntry, BookDraft], notes: Notes) -> bool:
    """Take out, in place, what can never be taken now that some things are left out; return whether
    there was any.
    """
    never = [unit for unit in units if unit.available is False]
    for unit in never:
        notes.gap(unit.source, f"{unit.name} can never be taken without what is left out.")
    units[:] = [unit for unit in units if unit.available is not False]
    holders: list[Node] = [*units, *shared.values()]
    holders += [node for top in holders for node in top.walk()]
    found = bool(never)
    for holder in dict.fromkeys(holders):
        gone = [child for child in holder.children if child.available is False]
        for child in gone:
            notes.gap(child.source, f"{child.name} can never be taken here; left out.")
        holder.children = [child for child in holder.children if child.available is not False]
        found = found or bool(gone)
    return found


def prune(nodes: Iterable[Node]) -> None:
    """Simplify the conditions of the nodes, which are all that is in the book."""
    found = list(nodes)
    known = {node.source for node in found}
    for node in found:
        node.available = _left(node.available, known)
        facts = node.facts
        for key in ("can_lead", "must_lead"):
            if isinstance(facts.get(key), dict):
                facts[key] = _left(facts[key], known)
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
                changes = _changes(row["when"], known)
                row["name"] = next((one for one in changes if isinstance(one, str)), row["name"])
                row["when"] = [one for one in changes if not isinstance(one, str)]


def _changes(changes: list[Any], known: set[SourceEntry]) -> list[Any]:
    return [one for change in changes for one in _change(change, known)]


def _change(change: Any, known: set[SourceEntry]) -> list[Any]:
    """Return the change as it is left; nothing, if it never applies."""
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
    if cond is True and ("name" in rest or "for_each" in rest):
        return [rest.get("name", rest)]
    if cond is True:
        cond = _ALWAYS
    return [{**rest, "if": cond} if "name" in rest else {"if": cond, **rest}]


#: What holds always: what has to have a condition has this, where its own is settled.
_ALWAYS: Final = {"limit": {"at_least": 0}}


def _left(cond: Cond, known: set[SourceEntry]) -> Cond:
    if isinstance(cond, bool):
        return cond
    if "not" in cond:
        return negate(_left(cond["not"], known))
    if "all" in cond:
        return all_of(_left(part, known) for part in cond["all"])
    if "any" in cond:
        return any_of(_left(part, known) for part in cond["any"])
    if "unit" in cond and cond["unit"] not in known:
        return False
    if "taken" in cond:
        things = [one for one in cond["taken"] if one in known]
        return {**cond, "taken": things} if things else bool(cond.get("at_most"))
    return cond


@dataclass
class Tidying:
    """Merges groups; `stand_ins` tells what stands for a merged one in conditions."""

    asked: set[SourceEntry]
    shared: dict[SourceEntry, BookDraft]
    notes: Notes
    stand_ins: dict[SourceEntry, SourceEntry] = field(default_factory=dict)

    def tidy(self, units: Iterable[UnitDraft]) -> None:
        """Merge what tells nothing, in shared nodes first."""
        for draft in self.shared.values():
            self._below(draft)
        for unit in units:
            unit.children = self._flat(unit.children, unit.name)

    def _below(self, draft: BookDraft) -> None:
        draft.children = self._flat(draft.children, draft.name)
        only = draft.children[0] if len(draft.children) == 1 else None
        if draft.kind == "group" and only is not None and only.kind == "group":
            self._join(draft, only)

    def _flat(self, children: list[BookDraft], above: str) -> list[BookDraft]:
        found: list[BookDraft] = []
        for child in children:
            self._below(child)
            found += child.children if self._is_idle(child, above) else [child]
        return found

    def _is_idle(self, draft: BookDraft, above: str) -> bool:
        """Return whether a group tells nothing and nobody asks for it by itself."""
        if draft.kind != "group" or _tells(draft) or draft.source in self.asked:
            return False
        inner = [self._is_group(child) for child in draft.children]
        if not (all(inner) or clean(draft.name) == clean(above)):
            return False
        self.notes.dropped[MERGED] += 1
        return True

    def _is_group(self, draft: BookDraft) -> bool:
        node = self.shared.get(draft.source, draft) if draft.kind == "use" else draft
        return node.kind == "group"

    def _join(self, outer: BookDraft, inner: BookDraft) -> None:
        """Make one group of two of which one is all that the other holds."""
        if not _tells(outer) and clean(outer.name) != clean(inner.name):
            return
        if any(outer.facts.get(key) and inner.facts.get(key) for key in _FACTS):
            return
        if outer.available is not True and inner.available is not True:
            return
        self.notes.dropped[MERGED] += 1
        self.stand_ins[inner.source] = outer.source
        outer.available = all_of([outer.available, inner.available])
        for key in _FACTS:
            outer.facts[key] = outer.facts.get(key) or inner.facts.get(key)
        outer.children = inner.children


_FACTS = ("choose", "default", "allowance", "when", "cap_points", "categories")


def _tells(draft: BookDraft) -> bool:
    said: Any = any(draft.facts.get(key) for key in _FACTS)
    return bool(said) or draft.available is not True


def attach(survey: Survey, units: Iterable[UnitDraft], nodes: Iterable[Node]) -> list[Written]:
    """Put restrictions into the drafts they are about; return those of the whole book."""
    by_source: dict[SourceEntry, Node] = {
        node.source: node
        for node in nodes
        if not (isinstance(node, BookDraft) and node.kind == "use")
    }
    by_source |= {unit.source: unit for unit in units}
    of_book: list[Written] = []
    for one in survey.notes.opens:
        if one.left_out:
            continue
        home = _home(survey, one, by_source)
        if one.at is not None and not any(owner in by_source for owner in survey.owners[one.at]):
            continue
        if one.at is None or not home:
            of_book.append(_written(one, True))
        for node, cond in home:
            entries = node.facts.setdefault("unchecked", [])
            written = _written(one, cond)
            if written not in entries:
                entries.append(written)
    return of_book


def _home(survey: Survey, one: Open, by_source: dict[SourceEntry, Node]) -> list[tuple[Node, Cond]]:
    """Return the drafts a restriction is about, with conditions: its entry, or the units around."""
    if one.at is None:
        return []
    target = survey.resolved(one.at)
    owners = survey.owners[one.at]
    if target in by_source:
        here: Cond = True
        if target is not one.at and owners < survey.owners[target]:
            here = any_of({"unit": owner} for owner in sorted(owners, key=survey.order.index))
        return [(by_source[target], here)]
    held = (owner for owner in survey.book.roots if owner in owners)
    return [(by_source[owner], True) for owner in held if owner in by_source]


def _written(one: Open, here: Cond) -> Written:
    cond = all_of([one.cond, here])
    return {"what": one.what, "why": one.why, **({} if cond is True else {"if": cond})}
