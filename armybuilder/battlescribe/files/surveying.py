"""Survey of a game's files: catalogues with their units, and constructs not understood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from armybuilder.battlescribe.files.books import FileBook, ForceDefinition
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.game import GameFiles, Note
from armybuilder.battlescribe.files.reading import FileElement
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.loading.deadline import check
from armybuilder.loading.problems import Refusal

#: Constructs that are named, and places of each.
MAX_CONSTRUCTS: Final = 100
MAX_PLACES: Final = 5
#: Bytes of files that are in memory at once, beside those of one catalogue.
MAX_READ: Final = 12_000_000
#: What notes name of a file beside the construct: its places tell that. Ids tell nothing.
_FOLDED: Final = (
    (re.compile(r"\b[0-9a-f]{2,8}(-[0-9a-f]{2,8}){2,4}\b"), "…"),
    (re.compile(r"entryLink .*to .*"), "entryLink to what is missing"),
    (re.compile(r"association .*"), "association with a minimum"),
    (re.compile(r"group .* within itself"), "group within itself"),
)


class GameSurvey:
    """Looks through all catalogues of a game, one after the other, and lets go of each."""

    def __init__(self, game: GameFiles) -> None:
        self.game = game
        self.catalogues: list[dict[str, Any]] = []
        self.libraries: list[str] = []
        self.collected: dict[str, dict[str, str]] = {}
        self._seen: set[FileElement] = set()
        self._units: set[str] = set()
        self._ids = sorted(game.heads, key=lambda id: game.heads[id].get("name").casefold())

    @property
    def steps(self) -> int:
        """Number of catalogues to survey."""
        return len(self._ids)

    def each(self) -> Iterator[str]:
        """Look through the catalogues, and yield the name of each when it is done."""
        for id in self._ids:
            name = self.game.heads[id].get("name")
            if self.game.heads[id].says("library"):
                self.libraries.append(name)
            else:
                self._look(id, name)
            yield name

    def _look(self, id: str, name: str) -> None:
        row: dict[str, Any] = {"id": id, "name": name, "units": 0}
        row["revision"] = self.game.heads[id].get("revision")
        self.catalogues.append(row)
        try:
            book = FileBook(self.game, id)
        except Refusal as refusal:
            row["refused"] = refusal.sentence
            return
        units = [unit.key for unit in units_of(book)]
        row["units"] = len(units)
        self._units.update(units)
        own = self.collected[id] = {}
        for root in book.roots:
            if isinstance(root, FileDefinition):
                own.update(book.scanner.units(root.elements[-1]))
        row["missing"] = missing_of(book)
        self._walk(book)
        if sum(self.game.sizes.values()) > MAX_READ:
            kept = set(book.sources)
            self.game.release(kept)
            self._seen = {element for element in self._seen if element.root in kept}

    def _walk(self, book: FileBook) -> None:
        """Let each entry that was not seen yet note what of it is not understood."""
        stack: list[Definition] = list(book.roots)
        stack += filter(None, (book.force(force.id) for force in book.force_elements()))
        while stack:
            check()
            definition = stack.pop()
            if not isinstance(definition, FileDefinition):
                continue
            new = [element for element in definition.elements if element not in self._seen]
            if not any(element is definition.main or element.lists for element in new):
                continue  # a bare link to what was seen
            self._seen.update(new)
            look_at(definition)
            stack += definition.children
            if isinstance(definition, ForceDefinition):
                stack += definition.sections.values()

    def report(self) -> dict[str, Any]:
        """Return the findings as JSON-ready data; surveys first if necessary."""
        if not self.catalogues and not self.libraries:
            for _name in self.each():
                pass
        constructs = folded(self.game.notes)
        return {
            "system": self.game.system.get("name"),
            "revision": self.game.system.get("revision"),
            "units": len(self._units),
            "catalogues": self.catalogues,
            "libraries": self.libraries,
            "collected": self.collected,
            "refused": sorted(self.game.refused.items()),
            "constructs": constructs[:MAX_CONSTRUCTS],
            "constructs_number": len(constructs),
        }


def units_of(book: FileBook) -> list[Definition]:
    """Return the entries that a player adds to a list: units and models, otherwise all allowed."""
    roots = {root.key: root for root in book.roots}.values()
    types = {"unit", "model"}
    units: list[Definition] = []
    units += (root for root in roots if isinstance(root, FileDefinition) and root.type in types)
    return units or [*roots]


def missing_of(book: FileBook) -> list[str]:
    """Return the names of the catalogues that one draws on, and that are not there."""
    links = (link for root in book.sources for link in root.all("catalogueLinks"))
    missing = (link for link in links if link.get("targetId") not in book.game.heads)
    return sorted({link.get("name") or link.get("targetId") for link in missing})


def look_at(definition: FileDefinition) -> None:
    """Make all parts of a definition that verdicts need, so that unknown constructs are noted."""
    for part in ("hidden", "prices", "moves", "floors", "tops", "own_notices"):
        getattr(definition, part)


def folded(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Return the constructs that are not understood, the most frequent first, with some places."""
    places: dict[str, list[list[str]]] = {}
    for note in notes:
        if note.construct.startswith("catalogueLink "):
            continue  # each catalogue names what it is missing
        construct = note.construct
        for pattern, words in _FOLDED:
            construct = pattern.sub(words, construct)
        places.setdefault(construct, []).append([note.file, note.entry])
    return [
        {"construct": construct, "number": len(found), "places": found[:MAX_PLACES]}
        for construct, found in sorted(places.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    ]
