"""The library: every game system and book the app knows, loaded once at start."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from armybuilder.engine.catalogue import Book, Catalogue, Piece, Setting, System
from armybuilder.engine.units import with_abilities
from armybuilder.loading.books import build_book
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import build_system

#: Choices of books whose catalogue is kept in memory.
MOST_CATALOGUES = 500

CATALOGUE_DIR = Path(__file__).parents[2] / "catalogs"


@dataclass(frozen=True, eq=False)
class Library:
    """Systems by id, their books by system and id, and what was wrong with files left out."""

    systems: Mapping[str, System]
    books: Mapping[str, Mapping[str, Book]]
    problems: tuple[Problem, ...] = ()
    _catalogues: dict[tuple[str, ...], Catalogue] = field(default_factory=dict, repr=False)

    def system(self, system_id: str) -> System:
        """Raises Refusal where there is no such system."""
        if system_id not in self.systems:
            raise Refusal(f"There is no game system “{system_id[:80]}” here.")
        return self.systems[system_id]

    def catalogue(self, system_id: str, book_ids: Sequence[str]) -> Catalogue:
        """The system with those of the books that exist. The library never changes, so the
        catalogue of a choice of books is made once.
        """
        system = self.system(system_id)
        known = self.books[system_id]
        present = tuple(book_id for book_id in dict.fromkeys(book_ids) if book_id in known)
        key = (system_id, *present)
        if key not in self._catalogues:
            if len(self._catalogues) >= MOST_CATALOGUES:
                self._catalogues.clear()
            self._catalogues[key] = make_catalogue(system, [known[book] for book in present])
        return self._catalogues[key]


def make_catalogue(system: System, books: Sequence[Book]) -> Catalogue:
    """A catalogue of the books' units, with the points of abilities that books change."""
    points = {ability: value for book in books for ability, value in book.ability_points.items()}
    units = {ref: unit for book in books for ref, unit in book.units.items()}
    system = _with_books(system, books)
    if not points:
        return Catalogue(system, tuple(books), units, system.abilities)
    abilities = {
        ability_id: replace(ability, points=points.get(ability_id, ability.points))
        for ability_id, ability in system.abilities.items()
    }
    units = {ref: with_abilities(system, unit, abilities) for ref, unit in units.items()}
    return Catalogue(system, tuple(books), units, abilities)


def _with_books(system: System, books: Sequence[Book]) -> System:
    """The system with the rules its books add, and a setting for the organisation of the army
    where one of them has several.
    """
    rules = tuple(rule for book in books for rule in book.rules)
    organisations = {key: name for book in books for key, name in book.organisations.items()}
    if not rules and not organisations:
        return system
    settings = dict(system.settings)
    if organisations:
        values = {key: Piece(key, name) for key, name in organisations.items()}
        first = next(iter(values))
        settings["organisation"] = Setting(
            "organisation", "Organisation", "choice", default=first, values=values
        )
    return replace(system, rules=(*system.rules, *rules), settings=settings)


def load_library(directory: Path) -> Library:
    """Read `<system>/system.json` and `<system>/<book>.json` of every folder in `directory`."""
    systems: dict[str, System] = {}
    books: dict[str, dict[str, Book]] = {}
    problems: list[Problem] = []
    for file in sorted(directory.glob("*/system.json")):
        system, found = read_system(file, directory)
        problems += found
        if system is not None:
            systems[system.id] = system
            books[system.id] = {}
            for book_file in sorted(file.parent.glob("*.json")):
                if book_file != file:
                    book, found = read_book(book_file, system, directory)
                    problems += found
                    if book is not None:
                        books[system.id][book.id] = book
    return Library(systems, books, tuple(problems))


def read_system(file: Path, directory: Path) -> tuple[System | None, list[Problem]]:
    """One system file; None and its problems if it has any."""
    name = file.relative_to(directory).as_posix()
    data, problems = _read(file, name, "system")
    if problems:
        return None, problems
    if data["id"] != file.parent.name:
        wanted = f"It must be the name of its folder, “{file.parent.name}”."
        return None, [Problem(name, "/id", f"The id is “{data['id']}”.", wanted)]
    return build_system(data, name)


def read_book(file: Path, system: System, directory: Path) -> tuple[Book | None, list[Problem]]:
    """One book file of a system; None and its problems if it has any."""
    name = file.relative_to(directory).as_posix()
    data, problems = _read(file, name, "book")
    if not problems:
        problems = list(_misplaced(data, file, name, system))
    return (None, problems) if problems else build_book(data, system, name)


def book_problems(data: Any, system: System, name: str) -> list[Problem]:
    """What is wrong with a book that is no file yet, as if it were one called `name`."""
    return schema_problems("book", data, name) or build_book(data, system, name)[1]


def _read(file: Path, name: str, schema: str) -> tuple[Any, list[Problem]]:
    try:
        data = parse_json(file.read_bytes())
    except Refusal as refusal:
        advice = "An editor that knows JSON shows the place."
        return None, [Problem(name, "", refusal.sentence, advice)]
    return data, schema_problems(schema, data, name)


def _misplaced(data: Mapping[str, Any], file: Path, name: str, system: System) -> Iterator[Problem]:
    if data["id"] != file.stem:
        wanted = f"It must be the name of its file, “{file.stem}”."
        yield Problem(name, "/id", f"The id is “{data['id']}”.", wanted)
    if data["system"] != system.id:
        wanted = f"It must be that of its folder, “{system.id}”."
        yield Problem(name, "/system", f"The system is “{data['system']}”.", wanted)


@lru_cache(maxsize=1)
def shipped_library() -> Library:
    """The catalogues in `catalogs/`, read once per process."""
    return load_library(CATALOGUE_DIR)
