"""A last look at a finished book: every id that is named is there, every amount is right."""

from collections.abc import Iterator
from typing import Any

from armybuilder.importing.names import MAX_ID


def mistakes(book: dict[str, Any]) -> list[str]:
    """What is wrong with the book, a sentence each; empty if nothing is."""
    return list(_Check(book).run())


class _Check:
    def __init__(self, book: dict[str, Any]) -> None:
        self.book = book
        self.shared = {_id(node): node for node in book.get("options", ())}
        self.units = {unit["id"]: unit for unit in book["units"]}
        self.categories = {category["id"] for category in book["categories"]}
        self.within = {unit["id"]: set(self._ids(unit)) for unit in book["units"]}
        self.somewhere = {id_ for ids in self.within.values() for id_ in ids}

    def run(self) -> Iterator[str]:
        yield from self._twice([*self.shared, *self.units], "the book")
        for id_, node in self.shared.items():
            yield from self._node(node, self.somewhere, f"shared {id_}")
        for id_, unit in self.units.items():
            own = [_id(node) for node in _below(unit) if "use" not in node]
            yield from self._twice(own, id_)
            yield from (f"{id_}: {one} is shared as well" for one in own
                        if one in self.within[id_] and one in self._used(unit))  # fmt: skip
            yield from self._unit(unit)

    def _used(self, node: dict[str, Any]) -> set[str]:
        return {one for below in _below(node) if "use" in below
                for one in self._ids({"options": [below]})}  # fmt: skip

    def _ids(self, node: dict[str, Any]) -> Iterator[str]:
        for below in _below(node):
            if "use" in below:
                yield below["use"]
                yield from self._ids(self.shared.get(below["use"], {}))
            else:
                yield _id(below)

    def _twice(self, ids: list[str], where: str) -> Iterator[str]:
        yield from (f"{where}: {one} twice" for one in sorted(set(ids)) if ids.count(one) > 1)
        yield from (f"{where}: {one} is too long" for one in ids if len(one) > MAX_ID)

    def _unit(self, unit: dict[str, Any]) -> Iterator[str]:
        size = unit.get("size", 1)
        if isinstance(size, list) and not 1 <= size[0] <= size[1]:
            yield f"{unit['id']}: size {size}"
        if not unit["categories"] or set(unit["categories"]) - self.categories:
            yield f"{unit['id']}: categories {unit['categories']}"
        yield from self._amounts(unit, unit["id"])
        yield from self._conds(unit, self.within[unit["id"]], unit["id"])
        for node in unit.get("options", ()):
            yield from self._node(node, self.within[unit["id"]], unit["id"])

    def _node(self, node: dict[str, Any], ids: set[str], where: str) -> Iterator[str]:
        place = f"{where}/{_id(node)}"
        if "use" in node and node["use"] not in self.shared:
            yield f"{place}: uses what is not there"
        if node.get("default") is not None and node["default"] not in ids:
            yield f"{place}: default {node['default']}"
        if set(node.get("categories", ())) - self.categories:
            yield f"{place}: categories"
        for pair in (node.get("choose", [0, 0]), node.get("number", [0, 0])):
            if not 0 <= pair[0] <= pair[1]:
                yield f"{place}: {pair}"
        yield from self._amounts(node, place)
        yield from self._conds(node, ids, place)
        for child in node.get("options", ()):
            yield from self._node(child, ids, where)

    def _amounts(self, node: dict[str, Any], place: str) -> Iterator[str]:
        for key in ("points", "points_per_model", "cap", "cap_models", "cap_points", "allowance"):
            if not isinstance(node.get(key, 0), int):
                yield f"{place}: {key} {node[key]}"

    def _conds(self, node: dict[str, Any], ids: set[str], place: str) -> Iterator[str]:
        conds = [node.get("needs"), node.get("can_lead"), {"taken": node.get("not_with", [])}]
        changes = [*node.get("when", ())]
        for row in node.get("profiles", ()):
            changes += row.get("when", ())
        changes += [word for word in node.get("keywords", ()) if isinstance(word, dict)]
        for change in changes:
            conds += [change.get("if"), change.get("for_each")]
        for cond in conds:
            yield from (f"{place}: asks for {one}" for one in self._unknown(cond, ids))

    def _unknown(self, cond: Any, ids: set[str]) -> Iterator[str]:
        if not isinstance(cond, dict):
            return
        taken = cond.get("taken", [])
        army = cond.get("in") == "army"
        for one in [taken] if isinstance(taken, str) else taken:
            unit, _, option = one.rpartition("/")
            known = self.within.get(unit, set()) if unit else ids
            known = known if unit or not army else {*self.units, *self.somewhere}
            if option not in known:
                yield one
        if "unit" in cond and cond["unit"] not in self.units:
            yield str(cond["unit"])
        yield from self._unknown(cond.get("not"), ids)
        for part in (*cond.get("all", ()), *cond.get("any", ())):
            yield from self._unknown(part, ids)


def _id(node: dict[str, Any]) -> str:
    return str(node.get("id") or node.get("group") or node.get("use"))


def _below(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for child in node.get("options", ()):
        yield child
        yield from _below(child)
