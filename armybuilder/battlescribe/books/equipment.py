"""What can only be said when a book is whole: its melee weapons, and who may have more items."""

import re
from collections.abc import Iterator
from typing import Any, Final

from armybuilder.battlescribe.books.traits import ANY_MELEE_WEAPON

#: Every model carries the first (rulebook, 22.A.a).
_COMMON: Final = (
    "hand-weapon", "paired-weapons", "great-weapon", "halberd", "lance", "light-lance", "spear",
)  # fmt: skip
_GROUP: Final = re.compile(r"^(melee|close combat) weapons?$", re.I)


def name_melee_weapons(book: dict[str, Any]) -> None:
    """Put the ids of the book's melee weapons in the place of "any melee weapon", in place."""
    weapons = list(dict.fromkeys([*_COMMON, *_melee_weapons(book)]))
    for node in _nodes(book):
        if node.get("on") == [ANY_MELEE_WEAPON]:
            node["on"] = weapons


#: How many special items of a kind every model may have (rulebook, 22.A); two banners are for
#: Battle Standard Bearers.
_ALLOWED: Final = {
    "weapon-enchantment": 1, "armour-enchantment": 1, "shield-enchantment": 1, "artefact": 2,
    "banner-enchantment": 2,
}  # fmt: skip


def name_item_limits(book: dict[str, Any]) -> None:
    """Note, in place, of which special items a unit may have more than the rule allows."""
    shared = {node.get("id") or node.get("group"): node for node in book.get("options", ())}
    for unit in book["units"]:
        limits: dict[str, int] = {}
        for node in _nodes({"units": [unit]}):
            most = node.get("choose", [0, 0])[1] or 0
            kinds = _kinds(node, shared) if "group" in node else set()
            if len(kinds) == 1 and most > _ALLOWED.get(kind := kinds.pop(), most):
                limits[kind] = most
        if limits:
            unit["item_limits"] = limits


def _kinds(node: dict[str, Any], shared: dict[Any, dict[str, Any]]) -> set[str]:
    """Return the kinds of special items in a group, with shared ones; "" for other options."""
    if "use" in node:
        return _kinds(shared[node["use"]], shared)
    if "group" not in node:
        return {node.get("item", "")}
    return {kind for inner in node["options"] for kind in _kinds(inner, shared)}


def _melee_weapons(book: dict[str, Any]) -> Iterator[str]:
    for node in _nodes(book):
        if "group" in node and _GROUP.match(node["name"]):
            for inner in node["options"]:
                if "group" not in inner:
                    yield inner.get("id") or inner["use"]


def _nodes(book: dict[str, Any]) -> Iterator[dict[str, Any]]:
    level = [*book.get("options", ()), *book["units"]]
    while level:
        node = level.pop(0)
        yield node
        level = [*node.get("options", ()), *level]
