"""The library: every game system and book that the app knows.

All files are read and checked at start, and broken ones are reported then. The units of a book,
which take time, are made on first use, from the checked bytes.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from armybuilder.engine.catalogue import OWN, Book, Catalogue, System
from armybuilder.engine.make_units import with_abilities
from armybuilder.engine.names import look_key
from armybuilder.engine.vocabulary import Piece, Setting
from armybuilder.engine.wording import marked, say
from armybuilder.loading.books import build_book, revision_of
from armybuilder.loading.cache import Cache
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.own_systems import ShippedBooks, is_own_system, own_system, revision_in
from armybuilder.loading.packs import Pack, build_pack
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.loading.references import Complaint, complaint, misnamed, not_at_home
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import build_system, extend, section_mistakes

#: Choices of shipped books whose catalogue is kept in memory, and of others; and how many units
#: those others may hold together.
MOST_CATALOGUES = 500
MOST_PINNED = 60
MOST_PINNED_UNITS = 20_000
#: Players' games that are kept in memory.
MOST_OWN_SYSTEMS = 40
#: Units that the kept books of one list have together.
MOST_KEPT_UNITS = 6_000

#: How ids of players' books begin.
_OWN = "own-"
#: Asks a keeper, in place of a revision, where each part of a book is in the file it was made
#: of.
ORIGIN = "origin"

CATALOGUE_DIR = Path(__file__).parents[2] / "catalogs"

Data = Mapping[str, Any]
#: The systems whose books another can use, and which of these; None: all.
Homes = Mapping[str, frozenset[str] | None]
#: Finds the content of a book by its id and revision; None where nobody kept it.
Keeper = Callable[[str, str], Data | None]
#: Catalogues by their system and books.
Catalogues = Cache[tuple[Any, ...], Catalogue]


def _fit(catalogues: Collection[Catalogue]) -> bool:
    return sum(len(catalogue.units) for catalogue in catalogues) <= MOST_PINNED_UNITS


def make_catalogue(system: System, books: Sequence[Book]) -> Catalogue:
    """Make a catalogue of the books' units, with the abilities, points and rules they bring."""
    points = {ability: value for book in books for ability, value in book.ability_points.items()}
    units = {ref: unit for book in books for ref, unit in book.units.items()}
    # What books count is numbered in an index of the catalogue's own.
    index = system.selector_index.copy()
    contents = [book.contents() for book in books]
    index.watched |= frozenset().union(*(one.watched for one in contents))
    rules = tuple(rule.numbered_in(index) for one in contents for rule in one.rules)
    organisations = {
        key: Piece(key, name) for one in books for key, name in one.organisations.items()
    }
    settings = system.settings
    if organisations:
        first = next(iter(organisations))
        setting = Setting(
            "organisation", "Organisation", "choice", default=first, values=organisations
        )
        settings = {**settings, "organisation": setting}
    if rules or organisations or index.watched != system.selector_index.watched:
        rules = (*system.rules, *rules)
        system = replace(system, rules=rules, settings=settings, selector_index=index)
    abilities = dict(system.abilities)
    if points:
        for ability_id, value in points.items():
            abilities[ability_id] = replace(abilities[ability_id], points=value)
        units = {ref: with_abilities(system, unit, abilities) for ref, unit in units.items()}
    own = {ability.id: ability for book in books for ability in book.abilities.values()}
    return Catalogue(system, tuple(books), units, own | abilities)


@dataclass(frozen=True, slots=True)
class BookFile:
    """A shipped book's file as it was read and checked, even if it changes later."""

    path: Path
    content: bytes = field(repr=False)

    def data(self) -> Data:
        """Return the content as data."""
        data: Data = parse_json(self.content)
        return data


@dataclass(frozen=True, eq=False)
class Library:
    """Systems by id, their books, event packs, and problems of files left out.

    Other books and systems, and other revisions of the shipped `files`, come from the keeper
    (`ask`). `homes` lists for each system those whose books it can use.
    """

    systems: Mapping[str, System]
    books: Mapping[str, Mapping[str, Book]]
    problems: tuple[Problem, ...] = ()
    files: Mapping[tuple[str, str], BookFile] = field(default_factory=dict)
    packs: Mapping[str, Pack] = field(default_factory=dict)
    homes: Mapping[str, Homes] = field(default_factory=dict)
    _catalogues: Catalogues = field(default_factory=lambda: Cache(MOST_CATALOGUES), repr=False)
    _pinned: Catalogues = field(default_factory=lambda: Cache(MOST_PINNED, _fit), repr=False)
    _keepers: list[Keeper] = field(default_factory=list, repr=False)
    _own_systems: Cache[str, System] = field(
        default_factory=lambda: Cache(MOST_OWN_SYSTEMS), repr=False
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "books", ShippedBooks(self.books))

    def ask(self, keeper: Keeper) -> None:
        """From now on, ask the keeper for players' books and for revisions that lists pin."""
        self._keepers[:] = [keeper]

    def asking(self, keeper: Keeper) -> "Library":
        """Return the same systems and books, with this keeper instead of any other."""
        same = (self.systems, self.books, self.problems, self.files, self.packs, self.homes)
        return Library(*same, _keepers=[keeper])

    def with_own(self, books: Iterable[Book], keeper: Keeper) -> "Library":
        """Return the library with a player's games and books, in each edition of their games.

        The keeper reads the contents of the books on demand.
        """
        systems = dict(self.systems)
        merged = {system_id: dict(shipped) for system_id, shipped in self.books.items()}
        for book in books:
            system = self.find_system(book.system)
            for home in (system, *self.editions(system)) if system else ():
                systems.setdefault(home.id, home)
                merged.setdefault(home.id, {})[book.id] = self._marked(book, home)
        return replace(self, systems=systems, books=merged, _keepers=[keeper, *self._keepers])

    def system(self, system_id: str) -> System:
        """Return the system of an id. Raises Refusal where there is none."""
        system = self.find_system(system_id)
        if system is None:
            raise Refusal(say("There is no game system “{system}” here.", system=system_id[:80]))
        return system

    def find_system(self, system_id: str) -> System | None:
        """Return the system of an id, shipped or a player's; None where there is none."""
        if system_id in self.systems or not is_own_system(system_id):
            return self.systems.get(system_id)
        system = self._own_systems.get(system_id)
        data = None if system else self._kept(system_id, revision_in(system_id))
        if data is None:
            return system
        try:
            system = own_system(data)
            names = {one.name: one.name for one in self.systems.values()}
            system = replace(system, taken=_taken(system.name, names))
            return self._own_systems.put(system_id, system)
        except Refusal:  # this version of the program does not take it any more
            return None

    def editions(self, system: System) -> list[System]:
        """Return the systems of the same family, this one left out."""
        others = (other for other in self.systems.values() if other.id != system.id)
        return [other for other in others if system.family and other.family == system.family]

    def shipped_data(self, system_id: str, book_id: str) -> Data | None:
        """Return the content of a shipped book's file; None where the book comes from no file."""
        file = self.files.get((system_id, book_id))
        return file.data() if file else None

    def own_origin(self, book_id: str) -> str:
        """Return the places of a player's book in its file, packed; "": unknown."""
        kept = self._kept(book_id, ORIGIN) if book_id.startswith(_OWN) else None
        return str(kept["packed"]) if kept else ""

    def catalogue(
        self, system_id: str, book_ids: Sequence[str], revisions: Mapping[str, str] | None = None
    ) -> Catalogue:
        """Return the system with those of the books that exist, made once for each choice.

        Each in the revision named where it was kept, else as shipped; revisions never change.
        """
        system = self.system(system_id)
        shipped = self.books[system_id]
        choice: dict[str, str] = {}
        for book_id in dict.fromkeys(book_ids):
            revision = (revisions or {}).get(book_id, "")
            own = book_id.startswith(_OWN)
            if own and not revision and book_id in shipped:
                revision = shipped[book_id].revision
            current = not own and book_id in shipped and revision in ("", shipped[book_id].revision)
            if current or revision:
                choice[book_id] = "" if current else revision
        if any(choice.values()):
            return self._with_pinned(system, choice)
        if system_id not in self.systems:
            return make_catalogue(system.apart(), [])
        key = (system_id, *choice)
        if (known := self._catalogues.get(key)) is not None:
            return known
        return self._catalogues.put(key, make_catalogue(system, [shipped[book] for book in choice]))

    def _with_pinned(self, system: System, choice: Mapping[str, str]) -> Catalogue:
        key = (system.id, *choice.items())
        known = self._pinned.get(key)
        if known is not None:
            return known
        pinned = {book_id: revision for book_id, revision in choice.items() if revision}
        kept = {
            book_id: book
            for book_id, data in self._contents(system, pinned)
            if (book := build_book(data, system, book_id)[0])
        }
        if not kept:
            return self.catalogue(system.id, [key for key in choice if not key.startswith(_OWN)])
        books = {**self.books[system.id], **kept}
        drawn = [self._marked(books[book_id], system) for book_id in choice if book_id in books]
        catalogue = make_catalogue(system.apart(), drawn)
        if kept.keys() == pinned.keys():
            self._pinned.put(key, catalogue)
        return catalogue

    def _marked(self, book: Book, system: System) -> Book:
        """Return a book; a custom one with the name of the shipped one that it is called like."""
        if book.kind != OWN:
            return book
        names = {
            name: other.name
            for other in self.books[system.id].values()
            for name in (other.name, other.edition)
            if other.kind != OWN
        }
        return replace(book, taken=_taken(book.name, names))

    def _kept(self, key: str, revision: str) -> Data | None:
        return next((data for ask in self._keepers if (data := ask(key, revision))), None)

    def _contents(self, system: System, pinned: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
        """Yield the kept contents of pinned books that suit the system.

        Books of one id can be in several systems, each with its own prices; players' books are for
        every edition of their game. Raises Refusal: too many units, which take time.
        """
        units, homes = 0, self.homes.get(system.id)
        for book_id, revision in pinned.items():
            data = self._kept(book_id, revision)
            if data is None:
                continue
            if homes is not None and not book_id.startswith(_OWN):
                wanted = homes.get(data["system"], frozenset())
                if wanted is not None and book_id not in wanted:
                    continue
            units += len(data["units"])
            if units > MOST_KEPT_UNITS:
                message = marked("The books of a list may have at most {most} units together.")
                raise Refusal(say(message, most=MOST_KEPT_UNITS))
            yield book_id, data


def _taken(name: str, shipped: Mapping[str, str]) -> str:
    """Return whose name looks like this one, of names with the books or games they are of."""
    key = look_key(name)
    return next((whose for other, whose in shipped.items() if look_key(other) == key), "")


def load_library(directory: Path) -> Library:
    """Read `<system>/system.json` and `<system>/<book>.json` of every folder in `directory`."""
    return _Reading(directory).library()


class _Reading:
    """One reading of a folder of catalogues: every file once, though several systems use it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.problems: list[Problem] = []
        self.files: dict[tuple[str, str], BookFile] = {}
        self.raw: dict[str, Data] = {}
        self.systems: dict[str, System | None] = {}
        self.read_books: dict[Path, tuple[BookFile, list[Problem]]] = {}

    def library(self) -> Library:
        for file in sorted(self.directory.glob("*/system.json")):
            name, folder = self._name(file), file.parent.name
            data, problems = _parsed(file.read_bytes(), name, "system")
            if not problems and data["id"] != folder:
                advice = marked("It must match the name of its folder, “{folder}”.")
                about = {"id": data["id"], "folder": folder}
                wrong = complaint(("id",), "The id is “{id}”.", advice, **about)
                problems = [Problem(name, *wrong)]
            self.problems += problems
            if not problems:
                self.raw[data["id"]] = data
        made = {system_id: self._system(system_id) for system_id in self.raw}
        systems = {system_id: system for system_id, system in made.items() if system is not None}
        books = {system_id: self._books(system) for system_id, system in systems.items()}
        packs = {pack.id: pack for pack in self._packs(systems)}
        homes = {system_id: dict(self._homes(system_id)) for system_id in systems}
        return Library(systems, books, tuple(self.problems), self.files, packs, homes)

    def _packs(self, systems: Mapping[str, System]) -> Iterator[Pack]:
        for file in sorted((self.directory / "packs").glob("*.json")):
            name = self._name(file)
            data, problems = _parsed(file.read_bytes(), name, "pack")
            pack = None
            if not problems:
                problems = [Problem(name, *one) for one in misnamed("id", data["id"], file.stem)]
                pack, more = build_pack(data, systems, name)
                problems += more
            self.problems += problems
            if pack is not None and not problems:
                yield pack

    def _name(self, file: Path) -> str:
        return file.relative_to(self.directory).as_posix()

    def _system(self, system_id: str) -> System | None:
        """Return the system, made once; None where it has a mistake, or one that it extends."""
        if system_id not in self.systems:
            self.systems[system_id] = None
            name = f"{system_id}/system.json"
            astray = self._astray(system_id)
            problems = [Problem(name, *astray)] if astray else []
            if not problems:
                data = self._extended(system_id)
                mistakes = [
                    *section_mistakes(self.raw[system_id], data["sources"]),
                    *self._unknown_books(system_id),
                ]
                problems = [Problem(name, *mistake) for mistake in mistakes]
            if not problems:
                system, problems = build_system(data, name)
                if system:
                    # Nothing of play moves a verdict.
                    judged = {key: part for key, part in data.items() if key != "play"}
                    self.systems[system_id] = replace(system, revision=revision_of(judged))
            self.problems += problems
        return self.systems[system_id]

    def _unknown_books(self, system_id: str) -> Iterator[Complaint]:
        homes = [self.directory / home for home in self._chain(system_id)[1:]]
        for number, book in enumerate(self.raw[system_id].get("base_books", ())):
            if not any((home / f"{book}.json").is_file() for home in homes):
                message = marked("There is no book “{book}” to take over.")
                yield complaint(
                    ("base_books", number), message, "Fix the spelling, or leave it out.", book=book
                )

    def _chain(self, system_id: str) -> list[str]:
        """Return the system and its existing bases, one after the other."""
        chain: list[str] = []
        while system_id in self.raw and system_id not in chain:
            chain.append(system_id)
            system_id = self.raw[system_id].get("extends", "")
        return chain

    def _astray(self, system_id: str) -> Complaint | None:
        """Return the fault of the extended system, with advice; None without a fault."""
        base = self.raw[system_id].get("extends", "")
        if not base:
            return None
        if base not in self.raw:
            message = marked("There is no system “{system}” to extend.")
            advice = marked("Fix the spelling, or fix that system.")
        elif system_id in self._chain(base):
            message = marked("It extends itself, through “{system}”.")
            advice = marked("Remove the circular reference.")
        elif self._system(base) is None:
            message = marked("The system “{system}” that it extends has an error.")
            advice = marked("Fix that one.")
        else:
            return None
        return complaint(("extends",), message, advice, system=base)

    def _extended(self, system_id: str) -> Data:
        data = self.raw[system_id]
        return extend(data, self._extended(data["extends"])) if "extends" in data else data

    def _books(self, system: System) -> dict[str, Book]:
        """Return the books of the system's folder and of those it extends, any with units first."""
        books: dict[str, Book] = {}
        for home, wanted in self._homes(system.id):
            for file in sorted((self.directory / home).glob("*.json")):
                is_book = file.name != "system.json" and (wanted is None or file.stem in wanted)
                if is_book and file.stem not in books:
                    book = self._book(file, system, home)
                    if book is not None:
                        books[book.id] = book
                        self.files[system.id, book.id] = self.read_books[file][0]
        return dict(sorted(books.items(), key=lambda item: not item[1].names))

    def _homes(self, system_id: str) -> Iterator[tuple[str, frozenset[str] | None]]:
        """Yield the folders whose books a system can use, and which of these; None: all."""
        wanted: frozenset[str] | None = None
        for home in self._chain(system_id):
            yield home, wanted
            named = self.raw[home].get("base_books")
            if named is not None:
                wanted = frozenset(named) if wanted is None else wanted & frozenset(named)

    def _book(self, file: Path, system: System, home: str) -> Book | None:
        """Return the book for its folder's system, or an extending one; report mistakes at home."""
        name, data = self._name(file), None
        if file not in self.read_books:
            read = BookFile(file, file.read_bytes())
            data, problems = _parsed(read.content, name, "book")
            if not problems:
                problems += [Problem(name, *one) for one in misnamed("id", data["id"], file.stem)]
                problems += [Problem(name, *one) for one in not_at_home(data["system"], home)]
            self.read_books[file] = read, problems
        read, problems = self.read_books[file]
        if problems:
            self.problems += problems if system.id == home else []
            return None
        shown = name if system.id == home else f"{name} (in {system.id})"
        book, problems = build_book(data or read.data(), system, shown, read.data)
        self.problems += problems
        return book


def _parsed(content: bytes, name: str, schema: str) -> tuple[Any, list[Problem]]:
    """Return a file's data, None if that is not JSON, and the breaches of its schema."""
    try:
        data = parse_json(content)
    except Refusal as refusal:
        advice = say("A JSON editor will show you where.")
        return None, [Problem(name, "", refusal.sentence, advice)]
    return data, schema_problems(schema, data, name)


def book_problems(
    data: Any, system: System, name: str, most: int | None = None, known: Iterable[Any] = ()
) -> list[Problem]:
    """Return some mistakes of a book that isn't a file yet, called `name`.

    The schema skips units that are the very objects in `known`, unless it finds something: its
    places count all units.
    """
    problems: list[Problem] = []
    passed = {id(unit) for unit in known}
    fresh = [unit for unit in data["units"] if id(unit) not in passed] if passed else []
    if not passed or schema_problems("book", {**data, "units": fresh}, name, 1):
        problems = schema_problems("book", data, name, most)
    return (problems or build_book(data, system, name)[1])[:most]


@lru_cache(maxsize=1)
def shipped_library() -> Library:
    """Return the catalogues in `catalogs/`, read once per process."""
    return load_library(CATALOGUE_DIR)
