"""The places of a book in its BattleScribe file, with the ids that rosters name them by."""

import json
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from armybuilder.engine.catalogue import OWN
from armybuilder.loading.cache import Cache
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.library import CATALOGUE_DIR, Library

FOLDER: Final = "battlescribe"
#: Books whose origin is kept in memory, each some 100 KB.
MOST_KEPT: Final = 32

Node = Mapping[str, Any]


@dataclass(frozen=True)
class OriginName:
    """A game system, catalogue or kind of cost: its id and name, and which revision of it."""

    id: str
    name: str
    revision: int = 0


@dataclass(frozen=True)
class OriginForce:
    """A way to organise the army; `organisation` is our id, "" where it is the only one."""

    id: str
    name: str
    categories: tuple[str, ...]
    organisation: str = ""


@dataclass(frozen=True, eq=False)
class ProfileType:
    """A kind of profile, part of a stat line: its columns by our ids of statistics."""

    id: str
    name: str
    columns: Mapping[str, OriginName]


@dataclass(frozen=True, eq=False)
class Origin:
    """The source of a book: `units` by our ids, `shared` by theirs, names of `categories`, and
    `category_ids` theirs by ours.
    """

    system: str
    book: str
    game: OriginName
    catalogue: OriginName
    points: OriginName
    forces: tuple[OriginForce, ...]
    categories: Mapping[str, str]
    units: Mapping[str, Node]
    shared: Mapping[str, Node]
    category_ids: Mapping[str, str]
    profiles: tuple[ProfileType, ...]

    def force(self, organisation: str) -> OriginForce:
        """Return the force of an organisation; by default the usual one."""
        fits = (force for force in self.forces if force.organisation == organisation)
        return next(fits, self.forces[0])


def _profile_type(data: Node) -> ProfileType:
    columns = {stat: OriginName(**column) for stat, column in data["columns"].items()}
    return ProfileType(data["id"], data["name"], columns)


@lru_cache(maxsize=MOST_KEPT)
def origin_of(system: str, book: str) -> Origin | None:
    """Return the origin of a shipped book; None where it has none."""
    # Only known names are looked up: no id leads elsewhere.
    file = _files().get((system, book))
    return _origin(system, book, parse_json(file.read_bytes())) if file else None


#: Origins of players' books, which never change.
_own_origins: Cache[tuple[str, str], Origin] = Cache(MOST_KEPT)


def origin_in(library: Library, system: str, book: str) -> Origin | None:
    """Return the origin of a book, shipped or a player's; None where it has none."""
    known = origin_of(system, book) or _own_origins.get((system, book))
    packed = "" if known else library.own_origin(book)
    if not packed:
        return known
    data = json.loads(zlib.decompress(b64decode(packed)))
    return _own_origins.put((system, book), _origin(system, book, data))


def _origin(system: str, book: str, data: Node) -> Origin:
    return Origin(
        system,
        book,
        OriginName(**data["game"]),
        OriginName(**data["catalogue"]),
        OriginName(**data["points"]),
        tuple(
            OriginForce(**{**one, "categories": tuple(one["categories"])}) for one in data["forces"]
        ),
        data["categories"],
        {node["as"]: node for node in data["units"] if "as" in node},
        {node["id"]: node for node in data["shared"]},
        data["category_ids"],
        tuple(map(_profile_type, data["profiles"])),
    )


class MadeOf(NamedTuple):
    """A book that was made of a catalogue: its name, the revisions of it and of its game."""

    name: str
    catalogue: str
    game: str
    system: str
    book: str


@lru_cache(maxsize=1)
def books_by_catalogue() -> Mapping[str, tuple[MadeOf, ...]]:
    """Return the books made of each catalogue, by its id: those of the newest game first."""
    found: dict[str, list[tuple[int, MadeOf]]] = {}
    for (system, book), file in _files().items():
        data = parse_json(file.read_bytes())
        game, catalogue = (OriginName(**data[key]) for key in ("game", "catalogue"))
        revisions = str(catalogue.revision), str(game.revision)
        made = MadeOf(catalogue.name, *revisions, system, book)
        found.setdefault(catalogue.id, []).append((game.revision, made))
    return {
        id_: tuple(made for _revision, made in sorted(books, reverse=True))
        for id_, books in found.items()
    }


def own_books_of(library: Library, catalogue: str) -> Iterator[MadeOf]:
    """Yield the player's own books that were made of a catalogue, by its id."""
    for system, books in library.books.items():
        for book in books.values():
            own = book.kind == OWN and book.system == system
            origin = origin_in(library, system, book.id) if own else None
            if origin is not None and origin.catalogue.id == catalogue:
                revisions = str(origin.catalogue.revision), str(origin.game.revision)
                yield MadeOf(origin.catalogue.name, *revisions, system, book.id)


def find_origin(
    library: Library,
    catalogue: str,
    revision: str = "",
    game: str = "",
    system: str = "",
    name: str = "",
) -> Origin | None:
    """Return the origin of the book made of a catalogue, by the catalogue's id; None: none. Of
    several it is that of this name (authors gave two catalogues one id), else of this revision,
    else of this revision of the game, else the newest, shipped ones before the player's; only those
    of `system`, where it is named.
    """
    every = (*books_by_catalogue().get(catalogue, ()), *own_books_of(library, catalogue))
    made = [one for one in every if system in ("", one.system)]
    if not made:
        return None

    def rank(one: MadeOf) -> tuple[bool, bool, bool]:
        return one.name == name, one.catalogue == revision, one.game == game

    best = max(made, key=rank)
    return origin_in(library, best.system, best.book)


@lru_cache(maxsize=1)
def games_by_system() -> Mapping[str, OriginName]:
    """Return the game of BattleScribe that the books of our systems were made of."""
    first = {system: (system, book) for system, book in sorted(_files(), reverse=True)}
    origins = {system: origin_of(*place) for system, place in sorted(first.items())}
    return {system: origin.game for system, origin in origins.items() if origin is not None}


def find_system(game: OriginName) -> str | None:
    """Return our system for a game of BattleScribe: of several editions under one id the one of
    this revision or name, else the newest before it; None where there is none.
    """
    known = [(system, one) for system, one in games_by_system().items() if one.id == game.id]

    def rank(pair: tuple[str, OriginName]) -> tuple[bool, bool, bool, int]:
        one = pair[1]
        earlier = one.revision <= game.revision
        return one.revision == game.revision, one.name == game.name, earlier, one.revision

    return max(known, key=rank)[0] if known else None


@lru_cache(maxsize=1)
def _files() -> Mapping[tuple[str, str], Path]:
    files = sorted(CATALOGUE_DIR.glob(f"*/{FOLDER}/*.json"))
    return {(file.parents[1].name, file.stem): file for file in files}


Role = Literal["option", "models", "general", "holder", "other"]
#: How deep entries and links may lead into each other; real books stay below 20.
MOST_DEEP: Final = 60
_JOIN: Final = "::"


@dataclass(frozen=True, eq=False)
class Site:
    """A place of an entry.

    `path` and `group` are ids as rosters write them, `groups` our ids of the enclosing groups,
    `categories` (id, whether primary).
    """

    origin: Origin
    node: Node
    links: tuple[str, ...]
    path: str
    group: str = ""
    groups: tuple[str, ...] = ()
    categories: tuple[tuple[str, bool], ...] = ()
    others: tuple[Node, ...] = ()
    above: "Site | None" = None

    @property
    def role(self) -> Role:
        """Role of the entry in the book; "other": none."""
        if "is" in self.node:
            role: Role = self.node["is"]
            return role
        return "option" if "as" in self.node else "other"

    @property
    def ours(self) -> str:
        """Our id of the option or unit; "" where it is neither."""
        return str(self.node["as"]) if self.role == "option" else ""

    @property
    def id(self) -> str:
        """The entry's own id, the last of its path."""
        return str(self.node["id"])

    @property
    def name(self) -> str:
        """The name that BattleScribe's file gives it."""
        return str(self.node["name"])

    @property
    def type(self) -> str:
        """Kind of selection: unit, model or upgrade."""
        return str(self.node["kind"])

    @cached_property
    def children(self) -> tuple["Site", ...]:
        """The places directly on this one, those in groups too."""
        inner = (*self.node.get("in", ()), *self.others)
        groups = (str(self.node["as"]),) if self.role == "holder" and "as" in self.node else ()
        return tuple(self._sites(inner, self.links, "", groups, 0))

    def _sites(
        self,
        nodes: tuple[Node, ...],
        links: tuple[str, ...],
        group: str,
        groups: tuple[str, ...],
        depth: int,
    ) -> Iterator["Site"]:
        if depth > MOST_DEEP:
            return
        for node in nodes:
            if node["kind"] != "link":
                yield from self._at(node, links, group, groups, (), _categories(node), depth)
                continue
            target = self.origin.shared[node["to"]]
            categories = (*_categories(target), *_categories(node))
            inner = (*links, str(node["id"]))
            others = tuple(node.get("in", ()))
            yield from self._at(target, inner, group, groups, others, categories, depth)

    def _at(
        self,
        node: Node,
        links: tuple[str, ...],
        group: str,
        groups: tuple[str, ...],
        others: tuple[Node, ...],
        categories: tuple[tuple[str, bool], ...],
        depth: int,
    ) -> Iterator["Site"]:
        path = _JOIN.join((*links, str(node["id"])))
        if node["kind"] == "group":
            ours = (*groups, str(node["as"])) if "as" in node else groups
            inner = (*node.get("in", ()), *others)
            yield from self._sites(inner, links, path, ours, depth + 1)
            return
        yield Site(self.origin, node, links, path, group, groups, categories, others, self)

    def near(self) -> Iterator["Site"]:
        """Yield the places on this one, and those on what only holds others; the nearest first."""
        level: tuple[Site, ...] = self.children
        for _ in range(MOST_DEEP):
            yield from level
            level = tuple(
                inner for site in level if site.role in {"models", "holder"}
                for inner in site.children
            )  # fmt: skip
            if not level:
                return


def unit_site(origin: Origin, unit: str) -> Site | None:
    """Return the place of a unit by our id; None where the source has none."""
    node = origin.units.get(unit)
    if node is None:
        return None
    links = (str(node["via"]),) if "via" in node else ()
    path = _JOIN.join((*links, str(node["id"])))
    return Site(origin, node, links, path, categories=_categories(node))


def unit_sites(origin: Origin) -> Iterator[Site]:
    """Return the places of all units of a book."""
    return (site for unit in origin.units if (site := unit_site(origin, unit)) is not None)


def _categories(node: Node) -> tuple[tuple[str, bool], ...]:
    first = ((node["primary"], True),) if "primary" in node else ()
    return (*first, *((id_, False) for id_ in node.get("also", ())))
