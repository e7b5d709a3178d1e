"""Books imported once more without one of their constructs, what became of that, and which of these
may be taken out of a file without a word: what they say goes without saying.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Literal
from xml.etree.ElementTree import Element

from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from bookimport import Import, Sources, make_book, read_sources
from bookimport.names import clean
from bookimport.rulebook import Rulebook

#: Elements that say something about an army, and not only how it looks.
TAGS = frozenset((
    "modifier", "condition", "conditionGroup", "constraint", "categoryLink", "cost", "repeat",
    "selectionEntry", "selectionEntryGroup", "entryLink",
))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Construct:
    """An element with all it stands in, the root first."""

    element: Element
    above: tuple[Element, ...]

    @property
    def tag(self) -> str:
        """What kind of thing it is."""
        return self.element.tag

    @property
    def owner(self) -> Element:
        """The nearest thing around it that has a name: an entry, group, link or category."""
        return next(one for one in reversed(self.above) if one.get("name"))

    def inside(self, tag: str) -> Element | None:
        """The nearest element of this kind around it."""
        return next((one for one in reversed(self.above) if one.tag == tag), None)

    def __str__(self) -> str:
        names = [one.get("name", "") for one in self.above[1:] if one.get("name")]
        said = " ".join(f"{key}={value}" for key, value in self.element.attrib.items())
        return f"{' › '.join(names)}: {self.tag} {said}"


def constructs(root: Element) -> list[Construct]:
    """Everything in a file that can be taken away, in its order."""
    return list(_below(root, (root,)))


def _below(element: Element, above: tuple[Element, ...]) -> Iterator[Construct]:
    for child in element:
        if child.tag in TAGS:
            yield Construct(child, above)
        yield from _below(child, (*above, child))


@contextmanager
def without(construct: Construct) -> Iterator[None]:
    """The file without the construct, for a while."""
    parent = construct.above[-1]
    place = list(parent).index(construct.element)
    parent.remove(construct.element)
    try:
        yield
    finally:
        parent.insert(place, construct.element)


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


VARIABLE = "BATTLESCRIBE_FILES"
GAMES = ("t9a-2023", "t9a-2024", "essence-of-war")

#: The book changes, or is refused; its report changes; neither, for a reason; neither: lost.
Outcome = Literal["book", "report", "explained", "lost"]


@dataclass(frozen=True, eq=False)
class Tried:
    """A construct taken out of a book. `why` is the class of those that may go unnoticed."""

    book: str
    construct: Construct
    outcome: Outcome
    why: str = ""

    def __str__(self) -> str:
        return f"{self.book}: {self.construct}"


class Bookbinder:
    """Imports one catalogue, whole or without something."""

    def __init__(self, sources: Sources, number: int, system: str) -> None:
        game = sources.system_of(number)
        self.sources = Sources((game,), (sources.books[number],))
        self.file, self.root = sources.books[number]
        self.game = game[1]
        self.system = system
        known = shipped_library().system(system)
        self.rules = Rulebook.carrying(known.carried)
        self.whole = self._import()
        self.said = _report(self.whole)

    def _import(self) -> Import:
        return make_book(self.sources, 0, self.system, self.rules)

    def try_without(self, construct: Construct) -> Tried:
        """Import the book without a construct, and compare."""
        with without(construct):
            try:
                made = self._import()
            except Refusal:
                return Tried(self.file, construct, "book")
        if made.book != self.whole.book:
            return Tried(self.file, construct, "book")
        if _report(made) != self.said:
            return Tried(self.file, construct, "report")
        why = explanation(construct, self.root, self.game, self.whole)
        return Tried(self.file, construct, "explained" if why else "lost", why)


def _report(made: Import) -> Any:
    """All that is told of an import but how much was read."""
    notes = made.notes
    told = (notes.gaps, notes.doubts, notes.opens, notes.dropped, notes.against_rules)
    audit = {key: made.audit[key] for key in ("unchecked", "idle", "unaccounted", "left_out")}
    return [[str(one) for one in part] for part in told[:2]] + [
        sorted(notes.dropped.items()), sorted(notes.against_rules.items()),
        len(notes.opens), audit,
    ]  # fmt: skip


def binders(folder: Path, games: tuple[str, ...] = GAMES) -> Iterator[Bookbinder]:
    """One for each book of these games, whose files lie in folders of a folder."""
    for game in games:
        sources = read_sources(folder / game)
        for number in range(len(sources.books)):
            yield Bookbinder(sources, number, game)


def files() -> Path | None:
    """The folder of the games' files; None where nobody has named one that is there."""
    named = os.environ.get(VARIABLE)
    folder = Path(named) if named else None
    return folder if folder and all((folder / game).is_dir() for game in GAMES) else None


def sample(binder: Bookbinder, number: int, seed: str) -> list[Construct]:
    """So many constructs of a book by chance, the same for the same seed; 0: all."""
    found = constructs(binder.root)
    if not number or number >= len(found):
        return found
    return Random(f"{seed}/{binder.system}/{binder.file}").sample(found, number)  # noqa: S311
