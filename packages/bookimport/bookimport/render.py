"""Drafts as the dicts that are written: ids in the place of entries, empty things left out."""

from typing import Any, Final

from bookimport.drafts import BookDraft, UnitDraft
from bookimport.ids import Ids
from bookimport.logic import Cond, conjuncts, taken_here
from bookimport.source import SourceEntry

_UNIT_KEYS: Final = (
    "army_choice", "categories", "models_in", "size", "points", "points_per_model", "cap",
    "cap_models", "cap_points", "army_min", "one_of_a_kind", "can_lead", "must_lead", "item_limits",
    "sparse", "without",
)  # fmt: skip
_NODE_KEYS: Final = (
    "points", "points_per_model", "number", "choose", "default", "allowance", "cap", "cap_models",
    "cap_points", "army_min", "one_of_a_kind", "must_lead",
)  # fmt: skip
_NATURE_KEYS: Final = ("categories", "item", "dominant", "on", "mount", "keywords", "profiles")


class Renderer:
    """Writes drafts with the ids given to them."""

    def __init__(self, ids: Ids) -> None:
        self.ids = ids

    def unit(self, draft: UnitDraft) -> dict[str, Any]:
        """Return the unit as the format has it."""
        facts = draft.facts
        return {
            "id": self.ids.of(draft.source),
            "name": draft.name,
            **self._some(facts, _UNIT_KEYS),
            **self._needs(draft.available),
            **self._some(facts, ("keywords", "profiles")),
            **self._inner(draft.children),
            **self._some(facts, ("when", "unchecked")),
        }

    def node(self, draft: BookDraft) -> dict[str, Any]:
        """Return an option, a group, or a use of a shared one, as the format has it."""
        id_, facts = self.ids.of(draft.source), draft.facts
        if draft.kind == "use":
            start = {"use": id_, **({"name": draft.name} if facts.get("renamed") else {})}
        else:
            start = {("id" if draft.kind == "option" else "group"): id_, "name": draft.name}
        own = ("categories",) if draft.kind == "use" else _NATURE_KEYS
        keys = (*_NODE_KEYS, *own)
        said = {
            **start,
            **self._some(facts, keys[: len(_NODE_KEYS)]),
            **self._needs(draft.available),
            **self._some(facts, keys[len(_NODE_KEYS) :]),
            **self._inner(draft.children),
            **self._some(facts, ("when", "unchecked", "note")),
        }
        if draft.kind != "group" and "allowance" in facts:
            return _in_a_group(said, draft.name)
        return said

    def cond(self, cond: Cond) -> Any:
        """Return a condition with ids."""
        if isinstance(cond, bool):
            return cond
        found = dict(cond)
        if "taken" in found:
            army = found.get("in") == "army"
            ids = [self.ids.in_army(one) if army else self.ids.of(one) for one in found["taken"]]
            found["taken"] = ids[0] if len(ids) == 1 else ids
        if "unit" in found:
            found["unit"] = self.ids.of(found["unit"])
        for key in ("all", "any"):
            if key in found:
                found[key] = [self.cond(part) for part in found[key]]
        if "not" in found:
            found["not"] = self.cond(found["not"])
        return found

    def change(self, change: dict[str, Any]) -> dict[str, Any]:
        """Return a change with ids."""
        found = dict(change)
        for key in ("if", "for_each"):
            if key in found:
                found[key] = self.cond(found[key])
        return {key: found[key] for key in ("if", "for_each", *found) if key in found}

    def moved(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Return an entry with its changes, if any, with ids."""
        changes = {"when": [self.change(one) for one in entry["when"]]} if "when" in entry else {}
        return {**entry, **changes}

    def restriction(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Return what cannot be judged, with ids."""
        return {**entry, "if": self.cond(entry["if"])} if "if" in entry else entry

    def _inner(self, children: list[BookDraft]) -> dict[str, Any]:
        return {"options": [self.node(child) for child in children]} if children else {}

    def _needs(self, available: Cond) -> dict[str, Any]:
        """`needs` and `not_with`, which together say when something may be taken."""
        needs, refused = [], []
        for part in conjuncts(available):
            things = taken_here(part["not"]) if isinstance(part, dict) and "not" in part else None
            if things is None:
                needs.append(self.cond(part))
            else:
                refused += [self.ids.of(thing) for thing in things]
        said: dict[str, Any] = {}
        if needs:
            said["needs"] = needs[0] if len(needs) == 1 else {"all": needs}
        if refused:
            said["not_with"] = list(dict.fromkeys(refused))
        return said

    def _some(self, facts: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
        found = {key: self._fact(key, facts[key]) for key in keys if key in facts}
        return {key: value for key, value in found.items() if value is not None and value != []}

    def _fact(self, key: str, value: Any) -> Any:
        if key == "default" and isinstance(value, SourceEntry):
            return self.ids.of(value) if self.ids.knows(value) else None
        if key in {"can_lead", "must_lead"}:
            return self.cond(value) if value else None
        if key == "unchecked":
            return [self.restriction(entry) for entry in value]
        if key == "when":
            return [self.change(change) for change in value or ()]
        if key == "keywords":
            return [self.restriction(word) if isinstance(word, dict) else word for word in value]
        if key == "profiles":
            return [self.moved(row) for row in value]
        if key in {"size", "number"} and value and value[0] == value[1] and key == "size":
            return value[0]
        if key == "categories":
            return list(dict.fromkeys(value))
        return value


def _in_a_group(said: dict[str, Any], name: str) -> dict[str, Any]:
    """Return an option or use with an allowance of its own: a group around it has it."""
    allowance = said.pop("allowance")
    moved = [key for key in ("choose", "needs", "not_with", "when") if key in said]
    outer: dict[str, Any] = {key: said.pop(key) for key in moved}
    return {
        "group": f"{said.get('use') or said['id']}-here",
        "name": name,
        "allowance": allowance,
        **outer,
        "options": [said],
    }
