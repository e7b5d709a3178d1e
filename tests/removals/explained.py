"""Constructs that may be taken out of a file without a word: what they say goes without saying."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element

from armybuilder.battlescribe.books.names import clean
from tests.removals.constructs import Construct

#: What may be taken once or more often; groups may not.
ENTRIES = frozenset(("selectionEntry", "entryLink"))
#: Where the options of a group stand.
CHILDREN = ("selectionEntries", "selectionEntryGroups", "entryLinks")
#: Parts of a file that count only where a link leads to them.
SHARED = frozenset(("sharedSelectionEntries", "sharedSelectionEntryGroups"))


def explanation(construct: Construct, book: Element, made: Mapping[str, Any]) -> str:
    """The class that a construct is of; "" where it must not go unnoticed. `made` is the book."""
    if _is_out_of_reach(construct, book):
        return "no unit reaches it"
    found = construct.element
    if construct.tag == "constraint" and construct.owner.tag in ENTRIES:
        return _of_limit(found, construct.owner, made)
    if construct.tag == "cost" and float(found.get("value", "1")) == 0:
        return "a price of 0, which everything has that says none"
    if construct.tag == "cost" and construct.owner.tag == "entryLink":
        target = _target(construct.owner, book)
        prices = target.iterfind("costs/cost") if target is not None else ()
        if found.get("value") in {one.get("value") for one in prices}:
            return "a price of a link that is its target's"
    if construct.tag == "constraint" and found.get("type") == "max":
        inner = [one for kind in CHILDREN for one in construct.owner.iterfind(f"{kind}/*")]
        if construct.owner.tag == "selectionEntryGroup" and len(inner) == 1:
            return "a most of a group that holds one thing, which is taken once at most"
    return ""


def _target(link: Element, book: Element) -> Element | None:
    return next((one for one in book.iter() if one.get("id") == link.get("targetId")), None)


def _of_limit(limit: Element, owner: Element, made: Mapping[str, Any]) -> str:
    if limit.get("type") == "max" and float(limit.get("value", "0")) == 1:
        if limit.get("scope") == "parent":
            return "at most once on what holds it, which is so unless a file says otherwise"
        if clean(owner.get("name", "")) in _special_items(made):
            return "at most one in the army of a special item, which is one of a kind (22.A)"
    return ""


def _is_out_of_reach(construct: Construct, book: Element) -> bool:
    """Whether it stands in something shared that no link leads to, from any unit."""
    if len(construct.above) < 2 or construct.above[1].tag not in SHARED:
        return False
    top = (*construct.above, construct.element)[2]
    return top.get("id") not in _reached(book)


@lru_cache(maxsize=4)
def _reached(book: Element) -> frozenset[str]:
    """The ids of what units reach through links, from link to link."""
    by_id = {one.get("id", ""): one for tag in SHARED for one in book.iterfind(f"{tag}/*")}
    found: set[str] = set()
    level = [*book.iterfind("selectionEntries/*"), *book.iterfind("entryLinks/*")]
    while level:
        links = level.pop().iter("entryLink")
        new = {link.get("targetId", "") for link in links} & by_id.keys() - found
        found |= new
        level += [by_id[id_] for id_ in new]
    return frozenset(found)


def _special_items(made: Mapping[str, Any]) -> set[str]:
    found: set[str] = set()
    level: list[Any] = [*made.get("options", ()), *made["units"]]
    while level:
        node = level.pop()
        if "item" in node:
            found.add(node["name"])
        level += node.get("options", ())
    return found
