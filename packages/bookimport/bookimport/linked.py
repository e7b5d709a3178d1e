"""What a catalogue has of other files: the catalogues that it links to, and root entries that are
links.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element

from armybuilder.loading.problems import Refusal
from bookimport.names import clean
from bookimport.reading import Sources
from bookimport.source import SourceEntry, SourceFile

#: Parses a file, by its name and root.
Parse = Callable[[str, Element], SourceFile]


def with_linked(sources: Sources, number: int, parse: Parse) -> SourceFile:
    """Return a catalogue with all that it has of the catalogues it links to, directly or through
    others. Raises Refusal where one of them is not among the files.
    """
    file, root = sources.books[number]
    book = parse(file, root)
    roots = list(book.roots)
    for other, imported in _linked(sources, number):
        found = parse(*sources.books[other])
        for mine, theirs in (
            (book.entries, found.entries),
            (book.profiles, found.profiles),
            (book.names, found.names),
            (book.constraints, found.constraints),
            (book.categories, found.categories),
        ):
            _add(mine, theirs)
        if imported:
            roots += (entry for entry in found.roots if entry.exported)
    return replace(book, roots=tuple(roots))


def _add(mine: dict[Any, Any], theirs: dict[Any, Any]) -> None:
    """Put in what is not there yet."""
    for key, thing in theirs.items():
        mine.setdefault(key, thing)


def _linked(sources: Sources, number: int) -> Iterator[tuple[int, bool]]:
    """Yield (number, whether its root entries are the book's too) of the linked catalogues, each
    once, however many links and circles of links lead to it.
    """
    found: dict[int, bool] = {}
    level = [(number, True)]
    while level:
        place, imported = level.pop(0)
        for target, imports in _links(sources, place):
            both = imported and imports
            if target != number and (target not in found or both > found[target]):
                found[target] = both
                level.append((target, both))
    yield from found.items()


def _links(sources: Sources, number: int) -> Iterator[tuple[int, bool]]:
    """Yield (number, whether its root entries are taken over) of what one catalogue links to."""
    file, root = sources.books[number]
    for link in root.iterfind("catalogueLinks/catalogueLink"):
        places = [
            (other.get("name") != link.get("name"), place)
            for place, (_file, other) in enumerate(sources.books)
            if other.get("id") == link.get("targetId")
        ]
        if not places:
            name = clean(link.get("name") or link.get("targetId") or "")[:80]
            raise Refusal(f"{file}: it needs the catalogue {name}, which is not among the files.")
        _otherwise_called, target = min(places)
        yield target, link.get("importRootEntries") == "true"


def with_root_links(book: SourceFile, system: SourceFile) -> SourceFile:
    """Return the catalogue with units in the place of root entries that are links, and with the
    root entries of the game system.
    """
    tops = (*book.roots, *system.roots)
    linked: dict[SourceEntry, tuple[SourceEntry, SourceEntry]] = {}
    copies: dict[str, list[SourceEntry]] = defaultdict(list)
    roots = []
    for entry in tops:
        if entry.kind != "link":
            roots.append(entry)
            continue
        target = book.entries.get(entry.target) or system.entries.get(entry.target)
        if target is None or target.kind in {"link", "group"}:
            roots.append(replace(entry, strange=entry.strange or "what it links to"))
            continue
        made = _joined(entry, target)
        linked[made] = (entry, target)
        copies[target.id].append(made)
        book.entries[entry.id] = made
        roots.append(made)
    for id_, made_of in copies.items():
        if len(made_of) == 1:
            book.entries[id_] = made_of[0]
    return replace(book, roots=tuple(roots), linked=linked, copies=dict(copies))


def _joined(link: SourceEntry, target: SourceEntry) -> SourceEntry:
    """Return the entry that a link and its target are together: both their limits, changes and
    categories hold; the link's price, if it has one, and its name.
    """
    primary = any(first for _, first in link.categories)
    theirs = ((id_, first and not primary) for id_, first in target.categories)
    return replace(
        target,
        id=link.id,
        name=link.name if link.name.strip() else target.name,
        written=link.written if link.name.strip() else target.written,
        hidden=link.hidden or target.hidden,
        cost=target.cost if link.cost is None else link.cost,
        constraints=(*target.constraints, *link.constraints),
        modifiers=(*target.modifiers, *link.modifiers),
        categories=(*link.categories, *theirs),
        infos=(*target.infos, *link.infos),
        profiles=(*target.profiles, *link.profiles),
        sentences=(*target.sentences, *link.sentences),
        children=(*target.children, *link.children),
        strange=link.strange or target.strange,
        exported=link.exported,
    )
