"""Constructs that may be taken out of a file without a word: what they say goes without saying."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element

from armybuilder.battlescribe.books import Import
from armybuilder.battlescribe.books.names import clean
from tests.removals.constructs import Construct

#: What stands behind the name of an item: whom it is for.
_ASIDE = re.compile(r"\s*\([^()]*\)$")
#: What may be taken once or more often; groups may not.
ENTRIES = frozenset(("selectionEntry", "entryLink"))
#: Where the options of a group stand.
CHILDREN = ("selectionEntries", "selectionEntryGroups", "entryLinks")
#: Parts of a file that count only where a link leads to them.
SHARED = frozenset(("sharedSelectionEntries", "sharedSelectionEntryGroups"))


def explanation(construct: Construct, book: Element, game: Element, made: Import) -> str:
    """The class that a construct is of; "" where it must not go unnoticed. `made` is what became
    of the whole file, whose links lead to itself or into the file of the `game`.
    """
    left_out = frozenset(one["place"] for one in made.audit["left_out"])
    if _is_out_of_reach(construct, book, left_out):
        return "no unit reaches it, but for what is left out and told"
    found = construct.element
    if construct.tag == "constraint" and construct.owner.tag in ENTRIES:
        return _of_limit(found, construct.owner, made.book)
    if construct.tag == "cost" and float(found.get("value", "1")) == 0:
        return "a price of 0, which everything has that says none"
    if construct.tag == "cost" and construct.owner.tag == "entryLink":
        target = _target(construct.owner, book, game)
        prices = target.iterfind("costs/cost") if target is not None else ()
        if found.get("value") in {one.get("value") for one in prices}:
            return "a price of a link that is its target's"
    if construct.tag == "cost" and _all_links_have_one(construct.owner, book):
        return "a price of what only links lead to that have their own"
    if any(_is_same(one, found) for one in construct.above[-1] if one is not found):
        return "said twice in one place"
    modifier = found if construct.tag == "modifier" else construct.inside("modifier")
    if modifier is not None and _changes_nothing(modifier):
        return "a change of a number by 0"
    most = construct.tag == "constraint" and found.get("type") == "max"
    if (
        most
        and construct.owner.tag == "selectionEntryGroup"
        and _holds_one(construct, book, game, left_out)
    ):
        return "a most of a group that holds one thing, which is taken once at most"
    return ""


def _changes_nothing(modifier: Element) -> bool:
    by_nothing = modifier.get("value") in ("0", "0.0")
    return modifier.get("type") in ("increment", "decrement") and by_nothing


def _is_same(one: Element, other: Element) -> bool:
    """Whether two say the same; their ids count for nothing. A unit is in a category that it is
    in first, and once more.
    """
    if one.tag == other.tag == "categoryLink":
        return one.get("targetId") == other.get("targetId")
    told = [{key: value for key, value in part.attrib.items() if key != "id"}
            for part in (one, other)]  # fmt: skip
    alike = one.tag == other.tag and told[0] == told[1] and len(one) == len(other)
    return alike and all(map(_is_same, one, other))


def _all_links_have_one(entry: Element, book: Element) -> bool:
    """Whether every link to an entry has a price of its own, which counts instead."""
    links = [one for one in book.iter("entryLink") if one.get("targetId") == entry.get("id")]
    return bool(links) and all(one.find("costs/cost") is not None for one in links)


def _holds_one(
    construct: Construct, book: Element, game: Element, left_out: frozenset[str]
) -> bool:
    """Whether a group holds one thing, but for what is left out and told, and that may be taken
    once at most: so says the file.
    """
    group = construct.owner
    names = [one.get("name", "") for one in construct.above[2:] if one.get("name")]
    inner = [
        one
        for kind in CHILDREN
        for one in group.iterfind(f"{kind}/*")
        if _place([*names, one.get("name", "")]) not in left_out
    ]
    if len(inner) != 1:
        return False
    target = _target(inner[0], book, game) if inner[0].tag == "entryLink" else None
    both = [inner[0], *([] if target is None else [target])]
    limits = [one for part in both for one in part.iterfind("constraints/constraint")]
    return any(
        (one.get("type"), one.get("scope")) == ("max", "parent")
        and float(one.get("value", "0")) <= 1
        for one in limits
    )


def _target(link: Element, book: Element, game: Element) -> Element | None:
    both = (one for root in (book, game) for one in root.iter())
    return next((one for one in both if one.get("id") == link.get("targetId")), None)


def _of_limit(limit: Element, owner: Element, made: Mapping[str, Any]) -> str:
    if limit.get("type") == "max" and float(limit.get("value", "0")) == 1:
        if limit.get("scope") == "parent":
            return "at most once on what holds it, which is so unless a file says otherwise"
        name = clean(_ASIDE.sub("", owner.get("name", "")))
        if name in _special_items(made) or clean(owner.get("name", "")) in _special_items(made):
            return "at most one in the army of a special item, which is one of a kind (22.A)"
    return ""


def _is_out_of_reach(construct: Construct, book: Element, left_out: frozenset[str]) -> bool:
    """Whether it stands in something left out, or in something shared that no link leads to from
    what is not, of any unit.
    """
    if len(construct.above) < 2:
        return False
    inside = (*construct.above, construct.element)[2:]
    if construct.above[1].tag in SHARED:
        return inside[0].get("id") not in _reached(book, left_out)
    names = [one.get("name", "") for one in inside if one.tag in (*ENTRIES, "selectionEntryGroup")]
    return any(_place(names[:end]) in left_out for end in range(1, len(names) + 1))


def _place(names: list[str]) -> str:
    return " › ".join(clean(name) for name in names)


@lru_cache(maxsize=4)
def _reached(book: Element, left_out: frozenset[str]) -> frozenset[str]:
    """The ids of what units reach through links, from link to link, but for what is left out."""
    by_id = {one.get("id", ""): one for tag in SHARED for one in book.iterfind(f"{tag}/*")}
    found: set[str] = set()

    def walk(element: Element, names: list[str]) -> Iterator[tuple[Element, list[str]]]:
        for child in (one for kind in CHILDREN for one in element.iterfind(f"{kind}/*")):
            here = [*names, child.get("name", "")]
            if _place(here) not in left_out:
                yield child, here

    tops = [*book.iterfind("selectionEntries/*"), *book.iterfind("entryLinks/*")]
    level = [(one, [one.get("name", "")]) for one in tops]
    while level:
        element, names = level.pop()
        target = element.get("targetId", "")
        if element.tag == "entryLink" and target in by_id and target not in found:
            found.add(target)
            level.append((by_id[target], names))
        level += walk(element, names)
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
