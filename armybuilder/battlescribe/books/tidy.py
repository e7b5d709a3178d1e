"""Groups that tell nothing are merged away, so that option trees stay flat."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from armybuilder.battlescribe.books.drafts import MERGED, BookDraft, Notes, UnitDraft
from armybuilder.battlescribe.books.logic import all_of
from armybuilder.battlescribe.books.names import clean
from armybuilder.battlescribe.books.source import SourceEntry


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
        """Whether a group tells nothing and nobody asks for it by itself."""
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
